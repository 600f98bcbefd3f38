//! Short decimals: a mantissa that fits a machine word, and a power of ten.
//!
//! In: a native number, or a decimal. Out: the same number as a [`Short`], if it has that form, which divides and
//! hashes in constant time. Every integer and every float of at most fifteen digits is found without a look at
//! its text.

use std::hash::Hasher;

use super::Number;
use super::decimal::{Decimal, FAR};
use super::number::EXACT_FLOAT;

/// ± mantissa × 10^scale, with a mantissa that fits: every integer and most floats without a look at text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Short {
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
    pub(super) fn of(number: Number<'_>) -> Option<Self> {
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

    pub(super) fn of_decimal(decimal: Decimal<'_>) -> Option<Self> {
        let scale = Some(decimal.scale()).filter(|scale| scale.abs() < FAR)?;
        Some(Short { mantissa: decimal.mantissa()?, scale: i64::try_from(scale).ok()? })
    }

    /// `None` if the two mantissas in one scale do not fit.
    pub(super) fn is_multiple_of(self, divisor: Short) -> Option<bool> {
        let scaled = |mantissa: u64, power: i64| {
            let power = 10_u128.checked_pow(u32::try_from(power.max(0)).ok()?)?;
            u128::from(mantissa).checked_mul(power)
        };
        let above = self.scale - divisor.scale;
        let (value, divisor) = (scaled(self.mantissa, above)?, scaled(divisor.mantissa, -above)?);
        Some(value.checked_rem(divisor).map_or(value == 0, |remainder| remainder == 0))
    }

    pub(super) fn hash_into(self, negative: bool, state: &mut impl Hasher) {
        state.write_u8(2 | u8::from(negative));
        state.write_u64(self.mantissa);
        state.write_i64(self.scale);
    }
}
