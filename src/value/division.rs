//! Whether one decimal is a whole multiple of another, exactly.
//!
//! In: two [`Decimal`]s and the meter. Out: yes or no. Time is linear in the value's digits times the divisor's
//! digits over eighteen, charged before it is spent; exponents cost nothing. A divisor of more than some hundred
//! digits takes memory in proportion to them, on the heap; others take none.

use super::decimal::Decimal;
use crate::limits::{Exhausted, Meter};

/// Digits taken into the remainder at a time: their power of ten fits a limb.
const GROUP: usize = 18;

/// Limbs of 64 bits on the stack: a divisor of up to 600 digits and its remainder.
const STACK_LIMBS: usize = 64;

/// Whether `value` is a multiple of `divisor`; of zero, only zero is.
pub(super) fn is_multiple(
    value: Decimal<'_>,
    divisor: Decimal<'_>,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    if value.is_zero() || divisor.is_zero() {
        return Ok(value.is_zero());
    }
    // Both without trailing zeros as V × 10^v and D × 10^d, what is asked is whether D divides V × 10^(v-d).
    let zeros = value.scale_above(divisor);
    // V has no factor ten to give away.
    let Ok(zeros) = u128::try_from(zeros) else { return Ok(false) };
    if divisor.mantissa() == Some(1) {
        return Ok(true);
    }
    // V × 10^(v-d) is below D.
    if zeros.saturating_add(value.digit_count() as u128) < divisor.digit_count() as u128 {
        return Ok(false);
    }
    // More powers of two or of five than D can hold change nothing; D is below 2^(4 × its digits).
    let zeros = usize::try_from(zeros).unwrap_or(usize::MAX).min(divisor.digit_count().saturating_mul(4));
    let digits = Digits { digits: value.digits().chain(std::iter::repeat_n(0, zeros)) };
    let groups = (value.digit_count() + zeros) / GROUP + 1;
    match divisor.mantissa() {
        Some(divisor) => {
            meter.charge(charge(groups, 1))?;
            Ok(small_remainder(digits, divisor) == 0)
        }
        None => {
            let limbs = divisor.digit_count() / GROUP + 1;
            meter.charge(charge(groups + limbs, limbs))?;
            let needed = 2 * limbs + 1;
            let mut stack = [0; STACK_LIMBS];
            let mut heap = Vec::new();
            let buffer = match stack.get_mut(..needed) {
                Some(buffer) => buffer,
                None => {
                    heap.resize(needed, 0);
                    &mut heap
                }
            };
            let (limbs, remainder) = buffer.split_at_mut(limbs);
            Ok(divides(Digits { digits: divisor.digits() }, limbs, remainder, digits))
        }
    }
}

/// Steps for taking in `groups` where each touches `limbs`: three for its digits and its own division, and one
/// for four limbs. A step is about ten nanoseconds.
fn charge(groups: usize, limbs: usize) -> u64 {
    (groups as u64).saturating_mul(3 + limbs as u64 / 4)
}

/// Digits in groups: the power of ten to make room with, and the group.
struct Digits<I> {
    digits: I,
}

impl<I: Iterator<Item = u8>> Iterator for Digits<I> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        let first = self.digits.next()?;
        let rest = self.digits.by_ref().take(GROUP - 1);
        Some(rest.fold((10, u64::from(first)), |(power, group), digit| {
            (power * 10, group * 10 + u64::from(digit))
        }))
    }
}

/// The remainder by a divisor of one limb, which is not zero.
fn small_remainder(digits: impl Iterator<Item = (u64, u64)>, divisor: u64) -> u64 {
    digits.fold(0, |remainder, (power, group)| {
        let wide = u128::from(remainder) * u128::from(power) + u128::from(group);
        // The remainder is below the divisor, so it fits.
        (wide % u128::from(divisor)) as u64
    })
}

/// Whether the number `divisor`, of two limbs at least, divides the number `value`: schoolbook long division
/// (Knuth, The Art of Computer Programming 4.3.1, algorithm D), one limb of quotient at a time.
///
/// `limbs` and `remainder` are scratch, zeroed; `limbs` holds the divisor, and `remainder` one limb more.
fn divides(
    divisor: impl Iterator<Item = (u64, u64)>,
    limbs: &mut [u64],
    remainder: &mut [u64],
    value: impl Iterator<Item = (u64, u64)>,
) -> bool {
    for (power, group) in divisor {
        multiply_add(limbs, power, group);
    }
    let used = limbs.len() - limbs.iter().rev().take_while(|limb| **limb == 0).count();
    let limbs = limbs.split_at_mut(used).0;
    let remainder = remainder.split_at_mut(used + 1).0;
    // Shifted until its top bit is set, so that the top limb makes a good guess. What the shifted divisor leaves
    // of the value, shifted alike and reduced again, is zero exactly when the divisor leaves nothing.
    let shift = limbs.last().map_or(0, |top| top.leading_zeros());
    multiply_add(limbs, 1 << shift, 0);
    for (factor, group) in value.chain(std::iter::once((1 << shift, 0))) {
        multiply_add(remainder, factor, group);
        reduce(remainder, limbs);
    }
    remainder.iter().all(|limb| *limb == 0)
}

/// `limbs` (lowest first) times `factor` plus `summand`; the caller has room for it.
fn multiply_add(limbs: &mut [u64], factor: u64, summand: u64) {
    let mut carry = u128::from(summand);
    for limb in limbs {
        carry += u128::from(*limb) * u128::from(factor);
        *limb = carry as u64;
        carry >>= u64::BITS;
    }
}

/// Takes the multiples of `divisor` (top bit set) out of `remainder`, which is one limb longer and below
/// `divisor` × 2^64.
fn reduce(remainder: &mut [u64], divisor: &[u64]) {
    let ([.., second, first], [.., top]) = (&*remainder, divisor) else { return };
    let leading = u128::from(*first) << u64::BITS | u128::from(*second);
    // Never too small, and too large by two at most, since the top bit is set.
    let guess = (leading / u128::from(*top)).min(u128::from(u64::MAX));
    let mut borrow = 0_u128;
    for (limb, part) in remainder.iter_mut().zip(divisor.iter().chain(&[0])) {
        let taken = guess * u128::from(*part) + borrow;
        let (difference, below) = limb.overflowing_sub(taken as u64);
        *limb = difference;
        borrow = (taken >> u64::BITS) + u128::from(below);
    }
    while borrow != 0 {
        let mut carry = 0_u128;
        for (limb, part) in remainder.iter_mut().zip(divisor.iter().chain(&[0])) {
            carry += u128::from(*limb) + u128::from(*part);
            *limb = carry as u64;
            carry >>= u64::BITS;
        }
        borrow -= carry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_guessed_too_large_is_made_good() {
        // Divisors whose top limb alone says least about them, and the largest quotient.
        for divisor in [[u64::MAX, 1 << 63], [0, 1 << 63], [u64::MAX, u64::MAX], [1, (1 << 63) + 1]] {
            for factor in [1, 2, 1 << 63, u64::MAX - 1, u64::MAX] {
                for rest in [0, 1, 17] {
                    let mut remainder = [divisor[0], divisor[1], 0];
                    multiply_add(&mut remainder, factor, rest);
                    reduce(&mut remainder, &divisor);
                    assert_eq!(remainder, [rest, 0, 0], "{divisor:?} {factor}");
                }
            }
        }
    }
}
