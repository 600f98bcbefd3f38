//! `hostname` (RFC 1123, section 2.1, with the A-labels of RFC 5890) and `idn-hostname` (RFC 5890, section
//! 2.3.2.3), and the domains of mail addresses.
//!
//! In: a text. Out: yes or no. Cost: constant; a text longer than a name can be is refused unread, so that
//! what is quadratic in a label (Punycode, contextual rules) never meets more than [`idna::LONGEST_LABEL`]
//! code points.
//!
//! - A name has [`LONGEST_NAME`] bytes at most and no trailing dot; a label may begin with a digit and may
//!   have hyphens inside. A pair of them in the third and fourth place is fine by RFC 1123, but RFC 5890
//!   forbids to mix such a label with internationalized ones.
//! - A label that begins with `xn--` must be an A-label.
//! - An `idn-hostname` is what a `hostname` is, or else has a code point beyond ASCII. Then U+3002, U+FF0E
//!   and U+FF61 separate labels as a dot does (RFC 3490, section 3.1; RFC 5895, section 2), and the rule for
//!   directions of writing spans all labels (RFC 5893, section 2). Nothing else is mapped: a capital letter
//!   beside such a code point is not a U-label's.

use super::idna::{self, Form, Judgement};
use super::scan::AsciiSet;

/// Bytes of a name (RFC 1035, section 2.3.4: 255 as sent, two of which are not written).
const LONGEST_NAME: usize = 253;

/// Bytes that a name may have before its labels are turned to A-labels: none is longer in UTF-8 than four
/// bytes a code point, and each code point takes one byte of an A-label at least.
const LONGEST_INTERNATIONAL_NAME: usize = 4 * LONGEST_NAME;

const LETTER_DIGIT_HYPHEN: AsciiSet = AsciiSet::LETTER_OR_DIGIT.and(AsciiSet::of(b"-"));

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= LONGEST_NAME
        && text.split('.').all(|label| match idna::strip_prefix(label) {
            Some(encoded) => idna::judge_a_label(encoded).is_some(),
            None => is_ldh_label(label),
        })
}

pub(super) fn is_idn_hostname(text: &str) -> bool {
    if text.is_ascii() {
        return is_hostname(text);
    }
    const SEPARATORS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];
    is_international_name(text, &SEPARATORS, Form::Composed)
}

/// A mail address's domain: letters, digits and hyphens.
pub(super) fn is_mail_domain(text: &str) -> bool {
    text.len() <= LONGEST_NAME && text.split('.').all(is_ldh_label)
}

/// An internationalized mail address's domain.
pub(super) fn is_idn_mail_domain(text: &str) -> bool {
    if text.is_ascii() { is_mail_domain(text) } else { is_international_name(text, &['.'], Form::Any) }
}

fn is_international_name(text: &str, separators: &[char], form: Form) -> bool {
    if text.len() > LONGEST_INTERNATIONAL_NAME {
        return false;
    }
    let mut whole = Judgement::default();
    // One for each separator, as the A-labels would have it.
    let mut length = 0;
    for label in text.split(separators) {
        let judgement =
            if label.is_ascii() { judge_ascii_label(label) } else { idna::judge_u_label(label, form) };
        let Some(judgement) = judgement else { return false };
        length += judgement.length + 1;
        whole = whole.and(judgement);
    }
    whole.is_valid() && length <= LONGEST_NAME + 1
}

fn judge_ascii_label(label: &str) -> Option<Judgement> {
    match idna::strip_prefix(label) {
        Some(encoded) => idna::judge_a_label(encoded),
        None => (is_ldh_label(label) && !is_reserved(label)).then(|| idna::judge_ldh_label(label)),
    }
}

/// A label that IDNA keeps for what may come (RFC 5890, section 2.3.1).
fn is_reserved(label: &str) -> bool {
    label.get(2..4) == Some("--")
}

fn is_ldh_label(label: &str) -> bool {
    (1..=idna::LONGEST_LABEL).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && LETTER_DIGIT_HYPHEN.covers(label)
}
