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
use std::fmt::{self, Write as _};
use std::hash::Hasher;

use super::decimal::{Decimal, FAR};
use super::division;
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
    Foreign(&'v serde_json::Number),
    /// No JSON number: equal to none, and to be refused.
    Malformed,
}

/// Whether `serde_json::Number` holds text. Text has to be freed and native numbers have not, so the type itself
/// tells; if it held anything else that needs freeing, `Display` would still show the number.
const TEXTUAL: bool = std::mem::needs_drop::<serde_json::Number>();

/// Whole floats below this are exact integers, and so are their neighbours: 2^53.
const EXACT_FLOAT: u64 = 1 << f64::MANTISSA_DIGITS;

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

    /// Whether the number is zero, of either sign.
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

    /// Bytes of text that an operation on this number reads; nothing for a native number.
    #[inline]
    pub(crate) fn text_len(self) -> usize {
        match self {
            Number::Unsigned(_) | Number::Negative(_) | Number::Float(_) | Number::Malformed => 0,
            Number::Text(text) => text.len(),
            Number::Foreign(number) => with_display(number, str::len).unwrap_or(0),
        }
    }

    /// Sign and magnitude, if the number is held as an integer.
    #[inline]
    fn native_integer(self) -> Option<(bool, u64)> {
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

/// Tells a number of more than a mantissa's digits from the others in a hash; 0 and 1 are the integers' signs.
const LONG_TAG: u8 = 4;

/// ± mantissa × 10^scale, with a mantissa that fits: every integer and most floats without a look at text.
#[derive(Clone, Copy, Debug)]
struct Short {
    mantissa: u64,
    scale: i64,
}

impl Short {
    /// Powers of ten that a float holds exactly.
    const POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19, 1e20, 1e21, 1e22,
    ];

    /// Mantissas below this have at most fifteen digits.
    const FIFTEEN_DIGITS: f64 = 1e15;

    /// A native number in this form, if it has it. Of a float the mantissa does not end in zeros, unless
    /// the float is whole.
    fn of(number: Number<'_>) -> Option<Self> {
        match number {
            Number::Unsigned(_) | Number::Negative(_) => {
                number.native_integer().map(|(_, mantissa)| Short { mantissa, scale: 0 })
            }
            Number::Float(float) => Self::of_float(float.abs()),
            Number::Text(_) | Number::Foreign(_) | Number::Malformed => None,
        }
    }

    /// Decimals of at most fifteen digits all read as different floats, so one that reads as `float` is its
    /// shortest. The product is off by far less than a half, so if there is one with so many places, it
    /// rounds to its mantissa; the quotient of two exact floats is rounded as reading the decimal is, and proves it.
    fn of_float(float: f64) -> Option<Self> {
        if float.fract() == 0.0 {
            return (float < EXACT_FLOAT as f64).then_some(Short { mantissa: float as u64, scale: 0 });
        }
        for (power, scale) in Self::POWERS.into_iter().zip(0_i64..).skip(1) {
            let mantissa = (float * power).round();
            if mantissa >= Self::FIFTEEN_DIGITS {
                return None;
            }
            if mantissa / power == float {
                return Some(Short { mantissa: mantissa as u64, scale: -scale });
            }
        }
        None
    }

    fn of_decimal(decimal: Decimal<'_>) -> Option<Self> {
        let scale = Some(decimal.scale()).filter(|scale| scale.abs() < FAR)?;
        Some(Short { mantissa: decimal.mantissa()?, scale: i64::try_from(scale).ok()? })
    }

    /// `None` if the two mantissas in one scale do not fit.
    fn is_multiple_of(self, divisor: Short) -> Option<bool> {
        let scaled = |mantissa: u64, power: i64| {
            let power = 10_u128.checked_pow(u32::try_from(power.max(0)).ok()?)?;
            u128::from(mantissa).checked_mul(power)
        };
        let above = self.scale - divisor.scale;
        let (value, divisor) = (scaled(self.mantissa, above)?, scaled(divisor.mantissa, -above)?);
        Some(value.checked_rem(divisor).map_or(value == 0, |remainder| remainder == 0))
    }

    fn hash_into(self, negative: bool, state: &mut impl Hasher) {
        state.write_u8(2 | u8::from(negative));
        state.write_u64(self.mantissa);
        state.write_i64(self.scale);
    }
}

/// The text of a native number, on the stack.
struct NativeText {
    bytes: [u8; Self::CAPACITY],
    length: usize,
}

impl NativeText {
    /// The longest is a float: sign, seventeen digits, a point, and an exponent such as e-308 make 24.
    const CAPACITY: usize = 32;

    fn of(text: fmt::Arguments<'_>) -> Self {
        let mut this = NativeText { bytes: [0; Self::CAPACITY], length: 0 };
        if this.write_fmt(text).is_err() {
            this.length = 0;
        }
        this
    }

    /// Empty, and so malformed, had it not fitted.
    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&[])
    }
}

impl fmt::Write for NativeText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.length..self.length + text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

/// Shows the text of `number` to `read` without a buffer: `serde_json` writes it in one piece. `None`, which is
/// malformed, should it ever come in several.
fn with_display<R>(number: &impl fmt::Display, read: impl FnOnce(&str) -> R) -> Option<R> {
    struct Piece<R, F> {
        read: Option<F>,
        answer: Option<R>,
    }

    impl<R, F: FnOnce(&str) -> R> fmt::Write for Piece<R, F> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let read = self.read.take().ok_or(fmt::Error)?;
            self.answer = Some(read(text));
            Ok(())
        }
    }

    let mut piece = Piece { read: Some(read), answer: None };
    write!(piece, "{number}").ok()?;
    piece.answer
}

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
