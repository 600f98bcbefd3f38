//! Formats of numbers, as OpenAPI's registry of formats and schemars write them.
//!
//! In: a number. Out: whether it lies in the format's range. Cost: two exact comparisons, which never expand
//! an exponent.
//!
//! An integer format asks for a whole number, however it is spelled: 2.0 and 2e0 are the integer 2. `float`
//! and `double` ask for a magnitude that the type can hold as a finite number; they do not ask that it be
//! held without rounding, since 0.1 is none of either. A number that cannot be compared (no JSON number) is
//! refused.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_ranges_end_where_their_type_ends() {
        for (range, inside, outside) in [
            (INT8, ["-128", "127"], ["-129", "128"]),
            (INT16, ["-32768", "32767"], ["-32769", "32768"]),
            (INT32, ["-2147483648", "2147483647"], ["-2147483649", "2147483648"]),
            (
                INT64,
                ["-9223372036854775808", "9223372036854775807"],
                ["-9223372036854775809", "9223372036854775808"],
            ),
            (
                INT128,
                ["-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"],
                ["-170141183460469231731687303715884105729", "170141183460469231731687303715884105728"],
            ),
            (UINT8, ["0", "255"], ["-1", "256"]),
            (UINT16, ["0", "65535"], ["-1", "65536"]),
            (UINT32, ["0", "4294967295"], ["-1", "4294967296"]),
            (UINT64, ["0", "18446744073709551615"], ["-1", "18446744073709551616"]),
            (
                UINT128,
                ["0", "340282366920938463463374607431768211455"],
                ["-1", "340282366920938463463374607431768211456"],
            ),
        ] {
            for text in inside {
                assert!(range.contains(Number::Text(text)), "{text}");
            }
            for text in outside {
                assert!(!range.contains(Number::Text(text)), "{text}");
            }
        }
        assert!(INT64.contains(Number::Negative(i64::MIN)) && UINT64.contains(Number::Unsigned(u64::MAX)));
        assert!(!INT64.contains(Number::Unsigned(1 << 63)));
    }

    #[test]
    fn whole_is_a_matter_of_value() {
        assert!(INT8.contains(Number::Float(2.0)) && INT8.contains(Number::Float(-0.0)));
        assert!(!INT8.contains(Number::Float(2.5)) && FLOAT.contains(Number::Float(2.5)));
    }

    #[test]
    fn real_ranges_end_at_the_greatest_finite_number() {
        let greatest = f64::from(f32::MAX);
        for sign in [1.0, -1.0] {
            assert!(FLOAT.contains(Number::Float(sign * greatest)));
            assert!(!FLOAT.contains(Number::Float(sign * greatest.next_up())));
            assert!(DOUBLE.contains(Number::Float(sign * f64::MAX)));
        }
        assert!(!DOUBLE.contains(Number::Text("1e309")) && !DOUBLE.contains(Number::Text("-1e309")));
        assert!(ANY.contains(Number::Text("1e309")));
    }

    #[test]
    fn what_is_no_number_is_in_no_range() {
        for range in [INT8, UINT128, FLOAT, DOUBLE] {
            assert!(!range.contains(Number::Malformed));
        }
    }
}
