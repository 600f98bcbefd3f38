//! Labels of internationalized names: IDNA2008 (RFC 5890 to 5893).
//!
//! In: one label. Out: whether it is an A-label or a U-label, its length as an A-label, and what the rule for
//! directions of writing must know when the whole name is seen. Cost: constant; a label has at most
//! [`LONGEST_LABEL`] code points, which lie in an array on the stack, and every loop here ends with them.
//!
//! Why no crate: the common ones implement UTS #46, which maps before it judges and admits what IDNA2008
//! disallows (symbols, missing contexts). `tables.rs` is what its rules derive from the Unicode database.
//!
//! | file | what |
//! |---|---|
//! | `rules` | the tests of RFC 5891, section 4.2: hyphens, marks, contexts, directions of writing |
//! | `punycode` | RFC 3492 |
//! | `normal` | whether a label is in Normalization Form C |
//! | `properties` | look-ups of code points |

mod normal;
mod properties;
mod punycode;
mod rules;
mod tables;

use rules::Direction;

/// Bytes of a label, as letters, digits and hyphens (RFC 1035, section 2.3.4). A U-label has fewer code
/// points than its A-label has bytes.
pub(super) const LONGEST_LABEL: usize = 63;

/// What an A-label begins with, in either case.
const PREFIX: &str = "xn--";

/// Which normalization forms a U-label may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Normalization Form C only (RFC 5891, section 4.2.1).
    Composed,
    Any,
}

/// What one label says of itself, or several of their name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Judgement {
    direction: Direction,
    /// Bytes of the label as an A-label.
    pub(super) length: usize,
}

impl Judgement {
    /// Both together: a name is a bidirectional one as soon as a label of it is.
    pub(super) fn and(self, other: Judgement) -> Judgement {
        Judgement { direction: self.direction.and(other.direction), length: self.length + other.length }
    }

    /// Whether the rule for directions of writing holds, if no other label is to come.
    pub(super) fn is_valid(self) -> bool {
        self.direction.is_valid()
    }
}

/// What follows `xn--`.
pub(super) fn strip_prefix(label: &str) -> Option<&str> {
    match label.split_at_checked(PREFIX.len()) {
        Some((prefix, encoded)) if prefix.eq_ignore_ascii_case(PREFIX) => Some(encoded),
        Some(_) | None => None,
    }
}

/// A label without a code point beyond ASCII, which the caller has checked.
pub(super) fn judge_ldh_label(label: &str) -> Judgement {
    Judgement { direction: Direction::of(label.chars()), length: label.len() }
}

/// A label that begins with `xn--`: it must decode to a U-label, and that encode to nothing but it (RFC 5891,
/// section 5.4). Capital letters are taken for small ones (section 5.3).
pub(super) fn judge_a_label(encoded: &str) -> Option<Judgement> {
    let length = PREFIX.len() + encoded.len();
    if length > LONGEST_LABEL {
        return None;
    }
    let label = punycode::decode(encoded)?;
    let direction = rules::judge(label.characters(), Form::Composed)?;
    let again = punycode::encode(label.characters())?;
    again.as_str().eq_ignore_ascii_case(encoded).then_some(Judgement { direction, length })
}

/// A label with a code point beyond ASCII.
pub(super) fn judge_u_label(label: &str, form: Form) -> Option<Judgement> {
    let label = punycode::Label::of(label)?;
    let direction = rules::judge(label.characters(), form)?;
    let encoded = punycode::encode(label.characters())?;
    Some(Judgement { direction, length: PREFIX.len() + encoded.as_str().len() })
}
