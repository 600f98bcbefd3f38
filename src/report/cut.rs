//! Cutting a text that is bounded already to the size of the field that shows it.
//!
//! In: a text of pieces that [`bound`](crate::bound) cut. Out: the same, or its start, or its start and its end,
//! with the cut marked. A limit counts bytes that are kept; the mark comes on top ([`marked`]).

use crate::bound::MARK;

/// Bytes that a text with this limit can have in all.
pub(crate) const fn marked(limit: usize) -> usize {
    limit + MARK.len()
}

/// Cuts the end off.
pub(crate) fn end(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let mut kept = prefix(text, limit).to_owned();
    kept.push_str(MARK);
    kept
}

/// Cuts the middle out.
pub(crate) fn middle(text: &str, limit: usize) -> String {
    if text.len() <= limit { text.to_owned() } else { join(text, text, limit) }
}

/// Appends one piece after the other, until `limit` bytes are passed; then comes from the other end, and leaves the
/// middle out. Also tells whether it did. The work is bounded by the limit and the longest piece, not by how many
/// pieces there are. `push` is told whether its piece is the first.
pub(crate) fn assemble<T>(
    pieces: &[T],
    limit: usize,
    push: impl Fn(&mut String, &T, bool),
) -> (String, bool) {
    let mut start = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        push(&mut start, piece, at == 0);
        if start.len() > limit {
            break;
        }
    }
    if start.len() <= limit {
        return (start, false);
    }
    // How many pieces the end takes is found from behind; then they are put down in order.
    let mut piece = String::new();
    let (mut from, mut length) = (pieces.len(), 0);
    for (at, last) in pieces.iter().enumerate().rev() {
        piece.clear();
        push(&mut piece, last, at == 0);
        (from, length) = (at, length + piece.len());
        if length >= limit {
            break;
        }
    }
    let mut end = String::with_capacity(length);
    for (at, piece) in pieces.iter().enumerate().skip(from) {
        push(&mut end, piece, at == 0);
    }
    (join(&start, &end, limit), true)
}

/// The start of one text and the end of another, as what is left of a text too long to be made.
fn join(start: &str, end: &str, limit: usize) -> String {
    let half = limit / 2;
    let mut kept = prefix(start, limit - half).to_owned();
    kept.push_str(MARK);
    kept.push_str(suffix(end, half));
    kept
}

/// The longest start of at most `limit` bytes that splits no code point.
fn prefix(text: &str, limit: usize) -> &str {
    let mut ends = (0..=limit.min(text.len())).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

/// The longest end of at most `limit` bytes that splits no code point.
fn suffix(text: &str, limit: usize) -> &str {
    let mut starts = text.len().saturating_sub(limit)..=text.len();
    starts.find_map(|start| text.get(start..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_not_cut_and_one_byte_more_is() {
        assert_eq!(end("abcd", 4), "abcd");
        assert_eq!(end("abcde", 4), "abcd…");
        assert_eq!(middle("abcd", 4), "abcd");
        assert_eq!(middle("abcde", 4), "ab…de");
        assert_eq!(middle("abcdef", 5), "abc…ef");
    }

    #[test]
    fn no_code_point_is_split() {
        assert_eq!(end("aüb", 2), "a…");
        assert_eq!(middle("üaaü", 3), "ü…");
        assert_eq!(middle("😀😀😀", 9), "😀…😀");
    }
}
