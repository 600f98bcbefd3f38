//! The string keywords (JSON Schema validation §6.3, §7).
//!
//! In: a view and the schema's side. Out: a verdict; what is no string passes. Lengths are counted in code
//! points, and only where the byte length does not already decide. Linear in the text, charged before it is read.

use super::verdict::Verdict;
use crate::format::content::Content;
use crate::limits::{Limits, Meter};
use crate::pattern::{Caches, Pattern};
use crate::program::CustomFormat;
use crate::value::{Instance, View};

/// The longest code point of UTF-8, in bytes.
const CODE_POINT: u64 = 4;

#[inline]
pub(super) fn min_length<'v, I: Instance<'v>>(view: View<'v, I>, minimum: u64, meter: &mut Meter) -> Verdict {
    let View::String(text) = view else { return Verdict::Yes };
    let bytes = text.len() as u64;
    if bytes < minimum {
        return Verdict::No;
    }
    if bytes >= minimum.saturating_mul(CODE_POINT) {
        return Verdict::Yes;
    }
    counted(text, meter, |length| length >= minimum)
}

pub(super) fn max_length<'v, I: Instance<'v>>(view: View<'v, I>, maximum: u64, meter: &mut Meter) -> Verdict {
    let View::String(text) = view else { return Verdict::Yes };
    let bytes = text.len() as u64;
    if bytes <= maximum {
        return Verdict::Yes;
    }
    if bytes > maximum.saturating_mul(CODE_POINT) {
        return Verdict::No;
    }
    counted(text, meter, |length| length <= maximum)
}

#[cold]
#[inline(never)]
fn counted(text: &str, meter: &mut Meter, holds: impl Fn(u64) -> bool) -> Verdict {
    meter.charge_text(text.len()).map(|()| holds(text.chars().count() as u64)).into()
}

pub(super) fn pattern<'v, I: Instance<'v>>(
    view: View<'v, I>,
    pattern: &Pattern,
    meter: &mut Meter,
    caches: &mut Caches,
    limits: &Limits,
) -> Verdict {
    let View::String(text) = view else { return Verdict::Yes };
    pattern.is_match(text, meter, caches, limits).into()
}

pub(super) fn custom_format<'v, I: Instance<'v>>(
    view: View<'v, I>,
    format: &CustomFormat,
    meter: &mut Meter,
) -> Verdict {
    let View::String(text) = view else { return Verdict::Yes };
    meter.charge_text(text.len()).map(|()| (format.accepts)(text)).into()
}

/// The two passes that encoded content takes are charged.
pub(super) fn content<'v, I: Instance<'v>>(
    view: View<'v, I>,
    content: Content,
    meter: &mut Meter,
) -> Verdict {
    let View::String(text) = view else { return Verdict::Yes };
    meter.charge_text(text.len().saturating_mul(2)).map(|()| content.accepts(text)).into()
}
