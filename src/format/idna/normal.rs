//! Normalization Form C, for code points that may stand in a label.
//!
//! In: a label of such code points. Out: whether the form would leave it as it is. Cost: one pass with a look-up a
//! code point.
//!
//! RFC 5892 admits no code point that decomposes to something else under normalization, so only two things can be
//! amiss: marks out of order, and a mark that composes with the letter before it.

use super::properties::{combining_class, compose};

pub(super) fn is_composed(label: &[char]) -> bool {
    let mut starter = None;
    let mut last_class = 0;
    for &point in label {
        let class = combining_class(point);
        if class != 0 && class < last_class {
            return false;
        }
        // What stands between blocks all of its own class and below; another starter blocks all.
        let is_next_to_starter = last_class == 0;
        let is_reached =
            if class == 0 { is_next_to_starter } else { is_next_to_starter || last_class < class };
        if is_reached && starter.is_some_and(|starter| compose(starter, point)) {
            return false;
        }
        if class == 0 {
            starter = Some(point);
        }
        last_class = class;
    }
    true
}
