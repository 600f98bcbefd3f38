//! A decimal as its text spells it: sign, significant digits, and where the decimal point stands.
//!
//! In: the bytes of one JSON number (RFC 8259, section 6). Out: a [`Decimal`] that borrows its digits, in a form
//! that is the same for every spelling of a number; nothing allocates. Every operation is linear in the text. No
//! exponent is ever expanded: it may itself have a million digits, so even it is kept as text.

use std::cmp::Ordering;
use std::hash::Hasher;

/// A number ±0.d₁d₂…dₙ × 10^point, d₁ and dₙ not zero. Zero has no digits, no sign, and its point at 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'t> {
    negative: bool,
    /// The significant digits before the text's own decimal point, in ASCII.
    whole: &'t [u8],
    /// Those after it.
    fraction: &'t [u8],
    point: Point<'t>,
}

impl<'t> Decimal<'t> {
    /// Reads a number by the grammar of RFC 8259; `None` if the text is anything else.
    pub(super) fn parse(text: &'t [u8]) -> Option<Self> {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, text) = split_digits(text);
        if whole.is_empty() || (whole.len() > 1 && whole.starts_with(b"0")) {
            return None;
        }
        let (fraction, text) = match text.strip_prefix(b".") {
            Some(rest) => match split_digits(rest) {
                ([], _) => return None,
                split => split,
            },
            None => (&[][..], text),
        };
        let (exponent_negative, exponent) = match text {
            [] => (false, &[][..]),
            [b'e' | b'E', b'-', digits @ ..] => (true, digits),
            [b'e' | b'E', b'+', digits @ ..] | [b'e' | b'E', digits @ ..] => (false, digits),
            _ => return None,
        };
        let bare = exponent.is_empty() && !text.is_empty();
        if bare || !exponent.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some(Self::normalized(negative, whole, fraction, exponent_negative, exponent))
    }

    fn normalized(
        negative: bool,
        whole: &'t [u8],
        fraction: &'t [u8],
        exponent_negative: bool,
        exponent: &'t [u8],
    ) -> Self {
        let whole = trim_leading_zeros(whole);
        let fraction = trim_trailing_zeros(fraction);
        let (whole, fraction, offset) = if whole.is_empty() {
            let significant = trim_leading_zeros(fraction);
            (whole, significant, -length(fraction.len() - significant.len()))
        } else if fraction.is_empty() {
            (trim_trailing_zeros(whole), fraction, length(whole.len()))
        } else {
            (whole, fraction, length(whole.len()))
        };
        if whole.is_empty() && fraction.is_empty() {
            return Decimal { negative: false, whole, fraction, point: Point::default() };
        }
        let point = Point::new(exponent_negative, trim_leading_zeros(exponent), offset);
        Decimal { negative, whole, fraction, point }
    }

    pub(super) fn is_negative(self) -> bool {
        self.negative
    }

    pub(super) fn is_zero(self) -> bool {
        self.digit_count() == 0
    }

    /// How many significant digits.
    pub(super) fn digit_count(self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    /// The significant digits, each 0 to 9, the highest first.
    pub(super) fn digits(self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).map(|digit| digit - b'0')
    }

    /// The significant digits as one number, if they fit.
    pub(super) fn mantissa(self) -> Option<u64> {
        // Twenty digits may fit a u64 and more cannot: a million of them are not walked.
        if self.digit_count() > MOST_U64_DIGITS {
            return None;
        }
        self.digits().try_fold(0_u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit)))
    }

    /// The exponent that the significant digits would have if they were one whole number. Exact up to [`FAR`],
    /// which stands for everything at least so far from zero.
    pub(super) fn scale(self) -> i128 {
        self.point.distance(Point::default()) - self.digit_count() as i128
    }

    /// How much larger the scale of `self` is than that of `other`; exact and bounded like [`Self::scale`].
    pub(super) fn scale_above(self, other: Decimal<'_>) -> i128 {
        self.point.distance(other.point) - self.digit_count() as i128 + other.digit_count() as i128
    }

    /// Whether the number is whole.
    pub(super) fn is_whole(self) -> bool {
        self.is_zero() || self.scale() >= 0
    }

    /// The magnitude of a whole number that fits.
    pub(super) fn whole_magnitude(self) -> Option<u64> {
        if self.is_zero() {
            return Some(0);
        }
        let scale = u32::try_from(self.scale()).ok()?;
        self.mantissa()?.checked_mul(10_u64.checked_pow(scale)?)
    }

    /// Exact order over all spellings.
    pub(super) fn compare(self, other: Decimal<'_>) -> Ordering {
        let magnitude = || match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.point.distance(other.point).cmp(&0).then_with(|| {
                // Neither ends in zeros, so the order of the digits is that of a dictionary.
                self.digits().cmp(other.digits())
            }),
        };
        match (self.negative, other.negative) {
            (false, false) => magnitude(),
            (true, true) => magnitude().reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    /// Feeds everything that tells this number from another.
    pub(super) fn hash_into(self, state: &mut impl Hasher) {
        state.write_u8(u8::from(self.negative));
        self.point.hash_into(state);
        hash_digits(self.digits(), self.digit_count(), state);
    }
}

/// Digits that a `u64` can have.
const MOST_U64_DIGITS: usize = 20;

/// From this distance on, [`Decimal::scale`] and [`Decimal::scale_above`] say only that it is at least so large
/// (with the sign): no text has so many digits, so nothing more need be known.
pub(super) const FAR: i128 = 1_000_000_000_000_000_000;

/// Digits of a point's low part: what a `u64` holds with room for a carry.
const LOW_DIGITS: usize = 18;

/// Ten to the power of [`LOW_DIGITS`].
const LOW_BASE: i64 = 1_000_000_000_000_000_000;

/// Where the decimal point stands: an integer, kept as ±(high × 10^18 + low) with `high` spelled out in digits,
/// because an exponent may have any number of them. The same integer has the same digits, however it came about.
#[derive(Clone, Copy, Debug, Default)]
struct Point<'t> {
    negative: bool,
    high: High<'t>,
    low: i64,
}

impl<'t> Point<'t> {
    /// The exponent ±`digits` (ASCII, no leading zero) plus `offset`, which is smaller than 10^18 either way.
    fn new(negative: bool, digits: &'t [u8], offset: i64) -> Self {
        let (high, low) = digits.split_at(digits.len().saturating_sub(LOW_DIGITS));
        let low = low.iter().fold(0_i64, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        let low = if negative { low - offset } else { low + offset };
        if high.is_empty() && low <= 0 {
            return Point { negative: !negative && low < 0, high: High::default(), low: -low };
        }
        let high = match low.div_euclid(LOW_BASE) {
            0 => High::same(high),
            1 => High::one_more(high),
            _ => High::one_less(high),
        };
        Point { negative, high, low: low.rem_euclid(LOW_BASE) }
    }

    /// `self` minus `other`, exact below [`FAR`] and not below it otherwise.
    fn distance(self, other: Point<'_>) -> i128 {
        /// More than a carry can bring back, and far from overflow.
        const ENOUGH: i128 = 1_000;
        let sign = |negative: bool| if negative { -1_i128 } else { 1 };
        let (left, right) = (sign(self.negative), sign(other.negative));
        let width = self.high.len().max(other.high.len());
        let high = self.high.padded(width).zip(other.high.padded(width)).fold(0_i128, |sum, (a, b)| {
            (sum * 10 + left * i128::from(a) - right * i128::from(b)).clamp(-ENOUGH, ENOUGH)
        });
        high * i128::from(LOW_BASE) + left * i128::from(self.low) - right * i128::from(other.low)
    }

    fn hash_into(self, state: &mut impl Hasher) {
        state.write_u8(u8::from(self.negative));
        state.write_i64(self.low);
        hash_digits(self.high.padded(0), self.high.len(), state);
    }
}

/// The high digits of a point: a text, one step of a carry up or down applied.
#[derive(Clone, Copy, Debug, Default)]
struct High<'t> {
    /// Digits that the carry leaves alone, in ASCII.
    prefix: &'t [u8],
    /// The digit at which it ends.
    turned: Option<u8>,
    /// The digit, and how many of it, that it ran through.
    run: (u8, usize),
}

impl<'t> High<'t> {
    fn same(digits: &'t [u8]) -> Self {
        High { prefix: digits, turned: None, run: (0, 0) }
    }

    fn one_more(digits: &'t [u8]) -> Self {
        let (rest, run) = split_run(digits, b'9');
        match rest.split_last() {
            Some((last, prefix)) => High { prefix, turned: Some(last - b'0' + 1), run: (0, run) },
            None => High { prefix: rest, turned: Some(1), run: (0, run) },
        }
    }

    /// The digits are not empty and start with no zero, so there is one to take from.
    fn one_less(digits: &'t [u8]) -> Self {
        let (rest, run) = split_run(digits, b'0');
        match rest.split_last() {
            Some((b'1', [])) | None => High { prefix: &[], turned: None, run: (9, run) },
            Some((last, prefix)) => High { prefix, turned: Some(last - b'0' - 1), run: (9, run) },
        }
    }

    fn len(self) -> usize {
        self.prefix.len() + usize::from(self.turned.is_some()) + self.run.1
    }

    /// The digits with zeros in front, at least `width` of them.
    fn padded(self, width: usize) -> impl Iterator<Item = u8> {
        let (digit, count) = self.run;
        std::iter::repeat_n(0, width.saturating_sub(self.len()))
            .chain(self.prefix.iter().map(|digit| digit - b'0'))
            .chain(self.turned)
            .chain(std::iter::repeat_n(digit, count))
    }
}

/// Feeds `count` digits, eighteen at a time.
fn hash_digits(mut digits: impl Iterator<Item = u8>, count: usize, state: &mut impl Hasher) {
    state.write_usize(count);
    let mut left = count;
    while left > 0 {
        let taken = left.min(LOW_DIGITS);
        state.write_u64(digits.by_ref().take(taken).fold(0, |sum, digit| sum * 10 + u64::from(digit)));
        left -= taken;
    }
}

fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// Splits the trailing run of `digit` off and counts it.
fn split_run(digits: &[u8], digit: u8) -> (&[u8], usize) {
    let run = digits.iter().rev().take_while(|found| **found == digit).count();
    (digits.split_at(digits.len() - run).0, run)
}

fn trim_leading_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.split_at(zeros).1
}

fn trim_trailing_zeros(digits: &[u8]) -> &[u8] {
    split_run(digits, b'0').0
}

/// A number of digits as an offset of the point. No text in memory has 10^18 of them, which [`Point::new`] needs.
fn length(digits: usize) -> i64 {
    i64::try_from(digits).unwrap_or(LOW_BASE - 1).min(LOW_BASE - 1)
}
