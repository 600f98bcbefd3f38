//! Numbers as exact decimals, digit by digit.

use std::cmp::Ordering;

use serde_json::Number;

/// Zeros that are appended to a number.
const ZEROS: i64 = 100_000;

/// `digits` × 10^`exponent`, without leading or trailing zeros: equal numbers are equal fields. Zero has no digits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    pub(super) fn new(number: &Number) -> Self {
        Self::parse(&number.to_string())
    }

    pub(super) fn from_count(count: usize) -> Self {
        Self::parse(&count.to_string())
    }

    pub(super) fn parse(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let mut exponent: i64 = exponent.trim_start_matches('+').parse().expect("an exponent of JSON");
        let negative = mantissa.starts_with('-');
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        exponent -= fraction.len() as i64;
        let mut digits: Vec<u8> = whole
            .bytes()
            .chain(fraction.bytes())
            .filter(u8::is_ascii_digit)
            .map(|digit| digit - b'0')
            .collect();
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        let digits = without_leading_zeros(digits);
        if digits.is_empty() {
            return Decimal { negative: false, digits, exponent: 0 };
        }
        Decimal { negative, digits, exponent }
    }

    pub(super) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Whether the quotient of `self` by `divisor` is whole: long division, as at school. `None`: too long for it.
    pub(super) fn is_multiple_of(&self, divisor: &Decimal) -> Option<bool> {
        if divisor.digits == [1] {
            // Of a power of ten: that many zeros, which are not written out.
            return Some(self.digits.is_empty() || self.exponent >= divisor.exponent);
        }
        let exponent = self.exponent.min(divisor.exponent);
        let divisor = divisor.digits_at(exponent)?;
        let mut remainder = Vec::new();
        for digit in self.digits_at(exponent)? {
            remainder.push(digit);
            remainder = without_leading_zeros(remainder);
            while integers(&remainder, &divisor).is_ge() {
                remainder = difference(remainder, &divisor);
            }
        }
        Some(remainder.is_empty())
    }

    /// The digits of the whole number `self` / 10^`exponent`, where they are few enough to be written out.
    fn digits_at(&self, exponent: i64) -> Option<Vec<u8>> {
        let zeros = if self.digits.is_empty() { 0 } else { self.exponent - exponent };
        if zeros > ZEROS {
            return None;
        }
        let mut digits = self.digits.clone();
        digits.extend((0..zeros).map(|_| 0));
        Some(digits)
    }

    /// The power of ten above the first digit.
    fn magnitude(&self) -> i64 {
        self.digits.len() as i64 + self.exponent
    }

    fn absolute_order(&self, other: &Decimal) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (false, false) => {
                self.magnitude().cmp(&other.magnitude()).then_with(|| self.digits.cmp(&other.digits))
            }
            (one_is_zero, other_is_zero) => other_is_zero.cmp(&one_is_zero),
        }
    }

    pub(super) fn order(&self, other: &Decimal) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.absolute_order(other),
            (true, true) => other.absolute_order(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

fn without_leading_zeros(digits: Vec<u8>) -> Vec<u8> {
    digits.into_iter().skip_while(|digit| *digit == 0).collect()
}

fn integers(one: &[u8], other: &[u8]) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

/// `large` − `small`.
fn difference(mut large: Vec<u8>, small: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    for (place, digit) in large.iter_mut().rev().enumerate() {
        let taken = borrow + small.iter().rev().nth(place).copied().unwrap_or(0);
        borrow = u8::from(*digit < taken);
        *digit = *digit + 10 * borrow - taken;
    }
    without_leading_zeros(large)
}
