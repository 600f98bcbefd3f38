//! Exact numbers: one JSON number in whatever form it came.
//!
//! In: a `serde_json::Number`, or the text of a number. Out: a copyable [`Number`] that compares, divides and
//! hashes as the decimal it is: 1 = 1.0 = 1e0, and 0.07 is a multiple of 0.01. A float stands for its shortest
//! decimal, which is what its sender wrote if that had at most 15 digits. Integers and floats take native paths;
//! only text takes time in proportion to its length, never to its exponent. Nothing allocates but a division
//! by hundreds of digits.
//!
//! `serde_json` keeps its numbers as text if anybody in the build turned its feature `arbitrary_precision` on. With
//! our feature of that name we borrow the text; without, it is reached through `Display`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::Hasher;

use super::Kind;
use super::decimal::Decimal;
use super::digits::{NativeText, with_display};
use super::division;
use super::short::Short;
use crate::limits::{Exhausted, Meter};

/// One JSON number, exact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number<'v> {
    /// An integer that fits.
    Unsigned(u64),
    /// An integer below zero that fits.
    Negative(i64),
    /// The shortest decimal that reads as this float. Finite.
    Float(f64),
    /// The text of any other number.
    Text(&'v str),
    /// Such a text that only `Display` shows.
    #[cfg_attr(
        feature = "arbitrary_precision",
        expect(dead_code, reason = "with the feature of ours the text itself is at hand")
    )]
    Foreign(&'v serde_json::Number),
    /// No JSON number: equal to none, and to be refused.
    Malformed,
}

/// Whether `serde_json::Number` holds text. Text has to be freed and native numbers have not, so the type itself
/// tells; if it held anything else that needs freeing, `Display` would still show the number.
pub(super) const TEXTUAL: bool = std::mem::needs_drop::<serde_json::Number>();

/// Whole floats below this are exact integers, and so are their neighbours: 2^53.
pub(super) const EXACT_FLOAT: u64 = 1 << f64::MANTISSA_DIGITS;

impl<'v> Number<'v> {
    /// Reads what `serde_json` holds. Constant time, but for text.
    #[inline]
    pub(crate) fn from_json(number: &'v serde_json::Number) -> Self {
        if TEXTUAL {
            return Self::from_textual(number);
        }
        if let Some(unsigned) = number.as_u64() {
            Number::Unsigned(unsigned)
        } else if let Some(negative) = number.as_i64() {
            Number::Negative(negative)
        } else {
            number.as_f64().map_or(Number::Malformed, Self::from_float)
        }
    }

    /// What a glance tells of it. Constant time.
    #[inline]
    pub(crate) fn kind_of(number: &serde_json::Number) -> Kind {
        if TEXTUAL {
            Kind::Text
        } else if number.is_f64() {
            Kind::Float
        } else {
            Kind::Integer
        }
    }

    #[cfg(feature = "arbitrary_precision")]
    fn from_textual(number: &'v serde_json::Number) -> Self {
        Self::from_text(number.as_str())
    }

    #[cfg(not(feature = "arbitrary_precision"))]
    fn from_textual(number: &'v serde_json::Number) -> Self {
        let read = with_display(number, |text| match Number::from_text(text) {
            Number::Unsigned(unsigned) => Number::Unsigned(unsigned),
            Number::Negative(negative) => Number::Negative(negative),
            Number::Float(float) => Number::Float(float),
            Number::Text(_) | Number::Foreign(_) => Number::Foreign(number),
            Number::Malformed => Number::Malformed,
        });
        read.unwrap_or(Number::Malformed)
    }

    /// Reads the text of a number by the grammar of RFC 8259. Linear in the text.
    pub(crate) fn from_text(text: &'v str) -> Self {
        if let Some(integer) = Self::plain_integer(text) {
            integer
        } else if Decimal::parse(text.as_bytes()).is_some() {
            Number::Text(text)
        } else {
            Number::Malformed
        }
    }

    /// A finite float; any other is malformed.
    #[inline]
    pub(crate) fn from_float(float: f64) -> Self {
        if float.is_finite() { Number::Float(float) } else { Number::Malformed }
    }

    /// An integer spelled without fraction or exponent that fits. `-0` is none: no integer type holds it.
    fn plain_integer(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        // `parse` also takes a plus sign and leading zeros, which JSON has not.
        match digits.as_bytes() {
            [b'0'] | [b'1'..=b'9', ..] => {}
            _ => return None,
        }
        if digits.len() == text.len() {
            text.parse().ok().map(Number::Unsigned)
        } else {
            text.parse().ok().filter(|negative| *negative < 0).map(Number::Negative)
        }
    }

    /// Whether this is no JSON number.
    #[inline]
    pub(crate) fn is_malformed(self) -> bool {
        matches!(self, Number::Malformed)
    }

    /// Whether the number is mathematically whole: 1.0, 1e2 and 100e-2 are.
    #[inline]
    pub(crate) fn is_integer(self) -> bool {
        match self {
            Number::Unsigned(_) | Number::Negative(_) => true,
            // The shortest decimal of a float is whole when the float is: below 2^53 there is no shorter
            // decimal than the integer itself, and above it seventeen digits do not reach the point.
            Number::Float(float) => float.fract() == 0.0,
            Number::Text(_) | Number::Foreign(_) | Number::Malformed => {
                self.with_decimal(|decimal| decimal.is_whole()).unwrap_or(false)
            }
        }
    }

    /// Whether the number is an integer by its spelling, without fraction and exponent (draft 4 core §3.5). What a
    /// float was spelled like is lost: a whole one was, if no integer type could have held it, and else was not.
    pub(crate) fn is_spelled_as_integer(self) -> bool {
        // The first floats past the integers that `serde_json` holds as such.
        const PAST: f64 = 18_446_744_073_709_551_616.0;
        const BELOW: f64 = -9_223_372_036_854_775_808.0;
        let plain = |text: &str| !text.contains(['.', 'e', 'E']);
        match self {
            Number::Unsigned(_) | Number::Negative(_) => true,
            Number::Float(float) => {
                let negative_zero = float == 0.0 && float.is_sign_negative();
                negative_zero || (float.fract() == 0.0 && !(BELOW..PAST).contains(&float))
            }
            Number::Text(text) => plain(text),
            Number::Foreign(number) => with_display(number, plain).unwrap_or(false),
            Number::Malformed => false,
        }
    }

    /// Whether the number is zero, of either sign.
    #[cfg(test)]
    pub(crate) fn is_zero(self) -> bool {
        match self {
            Number::Unsigned(unsigned) => unsigned == 0,
            Number::Negative(_) => false,
            Number::Float(float) => float == 0.0,
            Number::Text(_) | Number::Foreign(_) | Number::Malformed => {
                self.with_decimal(|decimal| decimal.is_zero()).unwrap_or(false)
            }
        }
    }

    /// Exact order; `None` only if either is malformed. Constant time, or linear in the texts, which the caller
    /// charges by [`Self::text_len`].
    #[inline]
    pub(crate) fn compare(self, other: Number<'_>) -> Option<Ordering> {
        match (self, other) {
            (Number::Malformed, _) | (_, Number::Malformed) => None,
            (Number::Unsigned(left), Number::Unsigned(right)) => Some(left.cmp(&right)),
            (Number::Negative(left), Number::Negative(right)) => Some(left.cmp(&right)),
            (Number::Unsigned(_), Number::Negative(_)) => Some(Ordering::Greater),
            (Number::Negative(_), Number::Unsigned(_)) => Some(Ordering::Less),
            // The shortest decimals of floats are in the floats' order, since each lies nearest to its own.
            (Number::Float(left), Number::Float(right)) => left.partial_cmp(&right),
            (Number::Float(float), Number::Unsigned(_) | Number::Negative(_)) => {
                self.compare_float(float, other)
            }
            (Number::Unsigned(_) | Number::Negative(_), Number::Float(float)) => {
                other.compare_float(float, self).map(Ordering::reverse)
            }
            (Number::Text(_) | Number::Foreign(_), _) | (_, Number::Text(_) | Number::Foreign(_)) => {
                self.compare_decimals(other)
            }
        }
    }

    /// `self`, which is `float`, against an integer.
    fn compare_float(self, float: f64, integer: Number<'_>) -> Option<Ordering> {
        let magnitude = integer.native_integer().map_or(0, |(_, magnitude)| magnitude);
        match float.partial_cmp(&integer.nearest_float()) {
            // Different floats lie on the same sides as all that rounds to them; the same float says nothing
            // about an integer that was rounded to it.
            Some(Ordering::Equal) if magnitude > EXACT_FLOAT => self.compare_decimals(integer),
            order => order,
        }
    }

    #[cold]
    fn compare_decimals(self, other: Number<'_>) -> Option<Ordering> {
        self.with_decimal(|left| other.with_decimal(|right| left.compare(right))).flatten()
    }

    /// Whether this is a whole multiple of `divisor`, exactly; of zero only zero is, and a malformed number is a
    /// multiple of nothing.
    ///
    /// Linear in this number's text, times the divisor's digits over eighteen; the meter is charged for it before
    /// it is done.
    #[inline]
    pub(crate) fn is_multiple_of(self, divisor: Number<'_>, meter: &mut Meter) -> Result<bool, Exhausted> {
        if let (Some((_, value)), Some((_, divisor))) = (self.native_integer(), divisor.native_integer()) {
            return Ok(value.checked_rem(divisor).map_or(value == 0, |remainder| remainder == 0));
        }
        if let (Some(value), Some(divisor)) = (Short::of(self), Short::of(divisor))
            && let Some(answer) = value.is_multiple_of(divisor)
        {
            return Ok(answer);
        }
        self.is_decimal_multiple_of(divisor, meter)
    }

    #[cold]
    fn is_decimal_multiple_of(self, divisor: Number<'_>, meter: &mut Meter) -> Result<bool, Exhausted> {
        meter.charge_text(self.text_len())?;
        meter.charge_text(divisor.text_len())?;
        self.with_decimal(|value| {
            divisor.with_decimal(|divisor| division::is_multiple(value, divisor, meter))
        })
        .flatten()
        .unwrap_or(Ok(false))
    }

    /// The integer that a cast makes of this: only of a whole number that is not spelled as an integer already,
    /// and that fits `i64` or `u64`. A zero of either sign is 0.
    pub(crate) fn to_integer(self) -> Option<serde_json::Number> {
        let (negative, magnitude) = match self {
            Number::Unsigned(_) | Number::Negative(_) | Number::Malformed => return None,
            Number::Float(_) | Number::Text(_) | Number::Foreign(_) => self.whole()?,
        };
        if negative { Some(0_i64.checked_sub_unsigned(magnitude)?.into()) } else { Some(magnitude.into()) }
    }

    /// Feeds the number so that equal numbers feed alike, in every spelling. Linear in the text.
    pub(crate) fn hash_into(self, state: &mut impl Hasher) {
        if let Some((negative, magnitude)) = self.whole() {
            state.write_u8(u8::from(negative));
            state.write_u64(magnitude);
        } else if let Some(short) = Short::of(self) {
            short.hash_into(self.is_negative_float(), state);
        } else {
            // A malformed number equals nothing, so it may feed nothing.
            self.with_decimal(|decimal| match Short::of_decimal(decimal) {
                Some(short) => short.hash_into(decimal.is_negative(), state),
                None => {
                    state.write_u8(LONG_TAG);
                    decimal.hash_into(state);
                }
            });
        }
    }

    /// A few bits that are the same for all numbers equal to it: those of the nearest float, which depends on the value
    /// alone. Constant time, but for text.
    pub(crate) fn print(self) -> u64 {
        let parse = |text: &str| text.parse().unwrap_or(f64::NAN);
        let float = match self {
            Number::Unsigned(unsigned) => unsigned as f64,
            Number::Negative(negative) => negative as f64,
            Number::Float(float) => float,
            Number::Text(text) => parse(text),
            Number::Foreign(number) => with_display(number, parse).unwrap_or(f64::NAN),
            Number::Malformed => f64::NAN,
        };
        // Zero has two signs.
        (float + 0.0).to_bits()
    }

    /// Bytes of text that an operation on this number reads; nothing for a native number.
    #[inline]
    pub(crate) fn text_len(self) -> usize {
        match self {
            Number::Unsigned(_) | Number::Negative(_) | Number::Float(_) | Number::Malformed => 0,
            Number::Text(text) => text.len(),
            Number::Foreign(number) => with_display(number, str::len).unwrap_or(0),
        }
    }

    /// Steps that a division takes before digits count: a float is first made a decimal.
    #[inline]
    pub(crate) fn division_steps(self) -> u64 {
        match self {
            Number::Float(_) => 4,
            Number::Unsigned(_)
            | Number::Negative(_)
            | Number::Text(_)
            | Number::Foreign(_)
            | Number::Malformed => 0,
        }
    }

    /// Sign and magnitude, if the number is held as an integer.
    #[inline]
    pub(super) fn native_integer(self) -> Option<(bool, u64)> {
        match self {
            Number::Unsigned(unsigned) => Some((false, unsigned)),
            Number::Negative(negative) => Some((true, negative.unsigned_abs())),
            Number::Float(_) | Number::Text(_) | Number::Foreign(_) | Number::Malformed => None,
        }
    }

    /// Sign and magnitude of a whole number in any spelling, if the magnitude fits.
    fn whole(self) -> Option<(bool, u64)> {
        match self {
            Number::Unsigned(_) | Number::Negative(_) => self.native_integer(),
            Number::Float(float) if float.abs() < EXACT_FLOAT as f64 => {
                // Below 2^53 the conversion is exact, and a zero loses its sign.
                (float.fract() == 0.0).then_some((float < 0.0, float.abs() as u64))
            }
            Number::Float(_) | Number::Text(_) | Number::Foreign(_) | Number::Malformed => self
                .with_decimal(|decimal| Some((decimal.is_negative(), decimal.whole_magnitude()?)))
                .flatten(),
        }
    }

    fn nearest_float(self) -> f64 {
        match self {
            Number::Unsigned(unsigned) => unsigned as f64,
            Number::Negative(negative) => negative as f64,
            Number::Float(float) => float,
            Number::Text(_) | Number::Foreign(_) | Number::Malformed => f64::NAN,
        }
    }

    fn is_negative_float(self) -> bool {
        self.nearest_float() < 0.0
    }

    /// Opens the number as a decimal, wherever its digits are; `None` if it is malformed.
    fn with_decimal<R>(self, read: impl FnOnce(Decimal<'_>) -> R) -> Option<R> {
        let text = match self {
            Number::Unsigned(unsigned) => NativeText::of(format_args!("{unsigned}")),
            Number::Negative(negative) => NativeText::of(format_args!("{negative}")),
            Number::Float(float) => NativeText::of(format_args!("{float:e}")),
            Number::Text(text) => return Decimal::parse(text.as_bytes()).map(read),
            Number::Foreign(number) => {
                return with_display(number, |text| Decimal::parse(text.as_bytes()).map(read)).flatten();
            }
            Number::Malformed => return None,
        };
        Decimal::parse(text.as_bytes()).map(read)
    }
}

/// Tells a number of more than a mantissa's digits from the others in a hash; 0 and 1 are the integers' signs, 2 and
/// 3 those of short decimals.
const LONG_TAG: u8 = 4;

/// A number of the schema, owned: a bound or a divisor. It prints as the schema spells it.
#[derive(Clone, Debug)]
pub(crate) struct ExactNumber(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Unsigned(u64),
    Negative(i64),
    Float(f64),
    Text(Box<str>),
}

impl ExactNumber {
    /// Copies what `serde_json` holds; `None` if it is malformed.
    pub(crate) fn from_json(number: &serde_json::Number) -> Option<Self> {
        Some(ExactNumber(match Number::from_json(number) {
            Number::Unsigned(unsigned) => Kept::Unsigned(unsigned),
            Number::Negative(negative) => Kept::Negative(negative),
            Number::Float(float) => Kept::Float(float),
            Number::Text(text) => Kept::Text(text.into()),
            Number::Foreign(number) => Kept::Text(with_display(number, |text| text.into())?),
            Number::Malformed => return None,
        }))
    }

    #[inline]
    pub(crate) fn as_number(&self) -> Number<'_> {
        match &self.0 {
            Kept::Unsigned(unsigned) => Number::Unsigned(*unsigned),
            Kept::Negative(negative) => Number::Negative(*negative),
            Kept::Float(float) => Number::Float(*float),
            Kept::Text(text) => Number::Text(text),
        }
    }

    /// The number where it is held as one without a sign.
    pub(crate) fn as_unsigned(&self) -> Option<u64> {
        match self.0 {
            Kept::Unsigned(unsigned) => Some(unsigned),
            Kept::Negative(_) | Kept::Float(_) | Kept::Text(_) => None,
        }
    }
}

impl fmt::Display for ExactNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kept::Unsigned(unsigned) => fmt::Display::fmt(unsigned, formatter),
            Kept::Negative(negative) => fmt::Display::fmt(negative, formatter),
            // As `serde_json` writes it: 5.0 and not 5.
            Kept::Float(float) => match serde_json::Number::from_f64(*float) {
                Some(number) => fmt::Display::fmt(&number, formatter),
                None => Err(fmt::Error),
            },
            Kept::Text(text) => formatter.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests;
