//! The number keywords (JSON Schema validation §6.2): exact decimals, whatever the spelling.
//!
//! In: a view and the schema's number. Out: a verdict; what is no number passes. Linear in the digits of the
//! instance's number, charged as text.

use std::cmp::Ordering;

use super::verdict::Verdict;
use crate::limits::Meter;
use crate::value::number::ExactNumber;
use crate::value::{Instance, Number, View};

fn compared<'v, I: Instance<'v>>(
    view: View<'v, I>,
    bound: &ExactNumber,
    meter: &mut Meter,
    holds: impl Fn(Ordering) -> bool,
) -> Verdict {
    let View::Number(number) = view else { return Verdict::Yes };
    if meter.charge_text(number.text_len()).is_err() {
        return Verdict::Unknown;
    }
    number.compare(bound.as_number()).map_or(Verdict::Unknown, |order| holds(order).into())
}

#[inline]
pub(super) fn minimum<'v, I: Instance<'v>>(
    view: View<'v, I>,
    bound: &ExactNumber,
    meter: &mut Meter,
) -> Verdict {
    compared(view, bound, meter, Ordering::is_ge)
}

#[inline]
pub(super) fn maximum<'v, I: Instance<'v>>(
    view: View<'v, I>,
    bound: &ExactNumber,
    meter: &mut Meter,
) -> Verdict {
    compared(view, bound, meter, Ordering::is_le)
}

#[inline]
pub(super) fn exclusive_minimum<'v, I: Instance<'v>>(
    view: View<'v, I>,
    bound: &ExactNumber,
    meter: &mut Meter,
) -> Verdict {
    compared(view, bound, meter, Ordering::is_gt)
}

#[inline]
pub(super) fn exclusive_maximum<'v, I: Instance<'v>>(
    view: View<'v, I>,
    bound: &ExactNumber,
    meter: &mut Meter,
) -> Verdict {
    compared(view, bound, meter, Ordering::is_lt)
}

/// Whether the number is one of those listed, which are sorted: a look-up by halves, charged for all text that it reads.
pub(super) fn one_of(number: Number<'_>, listed: &[ExactNumber], meter: &mut Meter) -> Verdict {
    /// Comparisons in the time of a step.
    const PER_STEP: u32 = 4;
    let halvings = usize::BITS - listed.len().leading_zeros();
    if meter.charge(u64::from(halvings / PER_STEP)).is_err() {
        return Verdict::Unknown;
    }
    let mut open = listed;
    while let Some((before, [middle, after @ ..])) = open.split_at_checked(open.len() / 2) {
        let middle = middle.as_number();
        if meter.charge_text(number.text_len()).is_err() || meter.charge_text(middle.text_len()).is_err() {
            return Verdict::Unknown;
        }
        open = match number.compare(middle) {
            None => return Verdict::Unknown,
            Some(Ordering::Equal) => return Verdict::Yes,
            Some(Ordering::Less) => before,
            Some(Ordering::Greater) => after,
        };
    }
    Verdict::No
}

pub(super) fn multiple_of<'v, I: Instance<'v>>(
    view: View<'v, I>,
    divisor: &ExactNumber,
    meter: &mut Meter,
) -> Verdict {
    let View::Number(number) = view else { return Verdict::Yes };
    if meter.charge(number.division_steps()).is_err() {
        return Verdict::Unknown;
    }
    number.is_multiple_of(divisor.as_number(), meter).into()
}
