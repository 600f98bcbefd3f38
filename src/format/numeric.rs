//! Formats of numbers, as OpenAPI's registry of formats and schemars write them.
//!
//! In: a number. Out: whether it lies in the format's range. Cost: two exact comparisons, which never expand an
//! exponent.
//!
//! An integer format asks for a whole number, however it is spelled: 2.0 and 2e0 are the integer 2. `float` and
//! `double` ask for a magnitude that the type can hold as a finite number; they do not ask that it be held without
//! rounding, since 0.1 is none of either. A number that cannot be compared (no JSON number) is refused.

use std::cmp::Ordering;

use crate::value::Number;

/// The numbers of a format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    whole: bool,
    /// The least and the greatest, both included.
    bounds: Option<(Number<'static>, Number<'static>)>,
}

pub(super) const INT8: Range = signed(i8::MIN as i64, i8::MAX as u64);
pub(super) const INT16: Range = signed(i16::MIN as i64, i16::MAX as u64);
pub(super) const INT32: Range = signed(i32::MIN as i64, i32::MAX as u64);
pub(super) const INT64: Range = signed(i64::MIN, i64::MAX as u64);
pub(super) const UINT8: Range = unsigned(u8::MAX as u64);
pub(super) const UINT16: Range = unsigned(u16::MAX as u64);
pub(super) const UINT32: Range = unsigned(u32::MAX as u64);
pub(super) const UINT64: Range = unsigned(u64::MAX);
pub(super) const INT128: Range = Range {
    whole: true,
    bounds: Some((
        Number::Text("-170141183460469231731687303715884105728"),
        Number::Text("170141183460469231731687303715884105727"),
    )),
};
pub(super) const UINT128: Range = Range {
    whole: true,
    bounds: Some((Number::Unsigned(0), Number::Text("340282366920938463463374607431768211455"))),
};
pub(super) const FLOAT: Range = real(f32::MAX as f64);
pub(super) const DOUBLE: Range = real(f64::MAX);
/// `utc-millisec`: any number at all.
pub(super) const ANY: Range = Range { whole: false, bounds: None };

const fn signed(least: i64, greatest: u64) -> Range {
    Range { whole: true, bounds: Some((Number::Negative(least), Number::Unsigned(greatest))) }
}

const fn unsigned(greatest: u64) -> Range {
    Range { whole: true, bounds: Some((Number::Unsigned(0), Number::Unsigned(greatest))) }
}

const fn real(greatest: f64) -> Range {
    Range { whole: false, bounds: Some((Number::Float(-greatest), Number::Float(greatest))) }
}

impl Range {
    /// Whether `number` is one of the range.
    pub(super) fn contains(self, number: Number<'_>) -> bool {
        let Some((least, greatest)) = self.bounds else { return true };
        number.compare(least).is_some_and(Ordering::is_ge)
            && number.compare(greatest).is_some_and(Ordering::is_le)
            && (!self.whole || number.is_integer())
    }
}
