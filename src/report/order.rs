//! The order of paths: by tokens alone, so that the first ten are known before any data is read for them.
//!
//! In: two paths, or two tokens. Out: how they are ordered. Nothing allocates. A comparison reads the tokens up
//! to the first that differ; keys that lie at one address are equal without being read. Whether a key is a number
//! takes a reading of all of it, so a token that meets many others is [`Ranked`] once.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::engine::sink::Token;
use crate::words::{HIGHEST, WORD, all};

/// A token with what its order needs beyond its bytes, which takes a reading of the whole key to know.
///
/// Whoever compares one token many times ranks it once: otherwise a key of a megabyte would be read again for
/// every sibling that it is compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<'v> {
    pub(crate) token: Token<'v>,
    class: Class,
}

#[derive(Clone, Copy, Debug)]
enum Class {
    /// ASCII digits only, after so many zeros.
    Number {
        zeros: usize,
    },
    Name,
}

impl<'v> Ranked<'v> {
    /// Reads the key once.
    pub(crate) fn new(token: Token<'v>) -> Self {
        #[cfg(test)]
        readings::add(token, token);
        let class = match token {
            Token::Index(index) => Class::Number { zeros: usize::from(index == 0) },
            Token::Key(key) if is_number(key) => Class::Number { zeros: zeros(key.as_bytes()) },
            Token::Key(_) => Class::Name,
        };
        Ranked { token, class }
    }

    /// Whether a key comes after this token, as [`Ranked::compare`] says. Of as many bytes, two numbers are ordered as two
    /// names are.
    #[inline]
    pub(crate) fn is_before(self, key: &str) -> bool {
        match (self.token, self.class) {
            (Token::Key(own), class) if own.len() == key.len() => {
                #[cfg(test)]
                readings::add(self.token, self.token);
                match (class, is_number(key)) {
                    (Class::Number { .. }, true) | (Class::Name, false) => key.as_bytes() > own.as_bytes(),
                    (Class::Number { .. }, false) => true,
                    (Class::Name, true) => false,
                }
            }
            // Whether it is a number need not be known where it would be the larger: names come after all numbers.
            (Token::Key(own), Class::Number { zeros: own_zeros })
                if key.len() - zeros(key.as_bytes()) > own.len() - own_zeros =>
            {
                #[cfg(test)]
                readings::add(self.token, self.token);
                true
            }
            (Token::Key(_) | Token::Index(_), _) => Ranked::new(Token::Key(key)).compare(self).is_gt(),
        }
    }

    /// Compares two tokens: numbers before names.
    ///
    /// A token of ASCII digits only is a number, of any length and never parsed: a key of digits is ordered as
    /// the index that it looks like (one container never has both). Of equal numbers the one with fewer digits
    /// comes first, `1` before `01`. Names, the empty one included, are ordered by their bytes.
    ///
    /// Reads no more bytes than the shorter of the two has.
    pub(crate) fn compare(self, other: Ranked<'_>) -> Ordering {
        #[cfg(test)]
        readings::add(self.token, other.token);
        match (self.class, other.class) {
            (Class::Number { zeros }, Class::Number { zeros: other_zeros }) => {
                numbers((self.token, zeros), (other.token, other_zeros))
            }
            (Class::Number { .. }, Class::Name) => Ordering::Less,
            (Class::Name, Class::Number { .. }) => Ordering::Greater,
            (Class::Name, Class::Name) => with_text(self.token, |left| {
                with_text(other.token, |right| left.as_bytes().cmp(right.as_bytes()))
            }),
        }
    }
}

/// Compares two runs of digits, each with the number of its leading zeros, as numbers, then by their length.
fn numbers((a, a_zeros): (Token<'_>, usize), (b, b_zeros): (Token<'_>, usize)) -> Ordering {
    if let (Token::Index(left), Token::Index(right)) = (a, b) {
        return left.cmp(&right);
    }
    with_text(a, |left| {
        with_text(b, |right| {
            let significant = (left.get(a_zeros..).unwrap_or(""), right.get(b_zeros..).unwrap_or(""));
            // Without leading zeros the longer is the larger, and equal lengths compare as text.
            significant
                .0
                .len()
                .cmp(&significant.1.len())
                .then_with(|| significant.0.cmp(significant.1))
                .then_with(|| left.len().cmp(&right.len()))
        })
    })
}

/// Whether two tokens are one and the same by their place in memory: never wrong where it says yes, and it
/// reads no key. Within one instance, two visits of one member say yes.
#[inline]
pub(crate) fn is_same(a: Token<'_>, b: Token<'_>) -> bool {
    match (a, b) {
        (Token::Index(left), Token::Index(right)) => left == right,
        (Token::Key(left), Token::Key(right)) => std::ptr::eq(left, right),
        (Token::Index(_), Token::Key(_)) | (Token::Key(_), Token::Index(_)) => false,
    }
}

/// Compares two paths, outermost token first; a path comes before its extensions.
#[cfg(test)]
pub(crate) fn paths(a: &[Token<'_>], b: &[Token<'_>]) -> Ordering {
    for (left, right) in a.iter().zip(b) {
        match tokens(*left, *right) {
            Ordering::Equal => {}
            decided => return decided,
        }
    }
    a.len().cmp(&b.len())
}

/// Compares two tokens, as [`Ranked::compare`] does.
pub(crate) fn tokens(a: Token<'_>, b: Token<'_>) -> Ordering {
    if is_same(a, b) { Ordering::Equal } else { Ranked::new(a).compare(Ranked::new(b)) }
}

/// Whether a key reads as an index: ASCII digits only, and at least one.
pub(crate) fn is_number(key: &str) -> bool {
    let (words, rest) = key.as_bytes().as_chunks::<WORD>();
    // A byte is no digit where taking off the first borrows, or where adding what the last lacks sets its highest bit.
    let are_digits =
        |word: u64| (word.wrapping_add(all(0x7f - b'9')) | word.wrapping_sub(all(b'0'))) & HIGHEST == 0;
    !key.is_empty()
        && words.iter().all(|word| are_digits(u64::from_ne_bytes(*word)))
        && rest.iter().all(u8::is_ascii_digit)
}

/// How many zeros a key begins with.
fn zeros(key: &[u8]) -> usize {
    let words = key.as_chunks::<WORD>().0.iter().take_while(|word| **word == [b'0'; WORD]).count();
    let passed = words * WORD;
    passed + key.iter().skip(passed).take_while(|byte| **byte == b'0').count()
}

/// Hands on the text of a token: a key's own, or an index's digits.
fn with_text<R>(token: Token<'_>, read: impl FnOnce(&str) -> R) -> R {
    match token {
        Token::Key(key) => read(key),
        Token::Index(index) => read(Digits::of(index).as_str()),
    }
}

/// The digits of an index, on the stack.
struct Digits {
    bytes: [u8; Digits::CAPACITY],
    length: usize,
}

impl Digits {
    /// What the largest index of a 64-bit machine takes.
    const CAPACITY: usize = u64::MAX.ilog10() as usize + 1;

    fn of(index: usize) -> Self {
        let mut digits = Digits { bytes: [b'0'; Digits::CAPACITY], length: 0 };
        // It cannot fail: the buffer holds every index.
        let _ = write!(digits, "{index}");
        digits
    }

    fn as_str(&self) -> &str {
        // Only whole strings were copied in, so this is text.
        self.bytes.get(..self.length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }
}

impl std::fmt::Write for Digits {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Counts the bytes of keys that are read, so that tests need no clock.
#[cfg(test)]
pub(crate) mod readings {
    use std::cell::Cell;

    use super::{Token, with_text};

    thread_local!(static BYTES: Cell<usize> = const { Cell::new(0) });

    pub(super) fn add(a: Token<'_>, b: Token<'_>) {
        let shorter = with_text(a, str::len).min(with_text(b, str::len));
        BYTES.set(BYTES.get() + shorter);
    }

    /// What this thread has read since the last call.
    pub(crate) fn take() -> usize {
        BYTES.replace(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rule, restated slowly: what sorts a token, as plain data that sorts itself.
    fn slow(token: Token<'_>) -> (u8, usize, String, usize, Vec<u8>) {
        let text = match token {
            Token::Key(key) => key.to_owned(),
            Token::Index(index) => index.to_string(),
        };
        if !text.is_empty() && text.chars().all(|character| character.is_ascii_digit()) {
            let mut significant = text.clone();
            while significant.starts_with('0') {
                significant.remove(0);
            }
            (0, significant.len(), significant, text.len(), Vec::new())
        } else {
            (1, 0, String::new(), 0, text.into_bytes())
        }
    }

    fn ascending(keys: &[&str]) {
        for pair in keys.windows(2) {
            assert_eq!(tokens(Token::Key(pair[0]), Token::Key(pair[1])), Ordering::Less, "{pair:?}");
            assert_eq!(tokens(Token::Key(pair[1]), Token::Key(pair[0])), Ordering::Greater, "{pair:?}");
        }
    }

    #[test]
    fn digits_and_zeros_are_told_by_words_as_by_bytes() {
        for odd in (0..=0x7f_u8).map(char::from).chain(['\u{80}', 'ÿ', '٣', '🐉']) {
            for (before, after) in [(0, 0), (0, 9), (3, 4), (7, 0), (7, 1), (8, 0), (8, 8), (15, 2), (20, 20)]
            {
                for digit in ["0", "5", "9"] {
                    let key = digit.repeat(before) + &odd.to_string() + &digit.repeat(after);
                    let is_slow = key.bytes().all(|byte| byte.is_ascii_digit());
                    assert_eq!(is_number(&key), is_slow, "{key:?}");
                    let slow_zeros = key.bytes().take_while(|byte| *byte == b'0').count();
                    assert_eq!(zeros(key.as_bytes()), slow_zeros, "{key:?}");
                    for own in ["7", "000", "0123456789", "a", "", &digit.repeat(before + 1 + after)] {
                        let own = Ranked::new(Token::Key(own));
                        let later = Ranked::new(Token::Key(&key)).compare(own).is_gt();
                        assert_eq!(own.is_before(&key), later, "{key:?} and {own:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_come_before_names_and_compare_as_numbers() {
        let long = "9".repeat(400);
        let longer = format!("1{}", "0".repeat(400));
        let padded = format!("{}7", "0".repeat(500));
        ascending(&[
            "0", "00", "1", "01", "2", "7", &padded, "9", "10", "100", &long, &longer, "", "-1", "1a",
        ]);
        // Digits of other scripts are names.
        ascending(&["99", "B", "a", "aa", "b", "١"]);
    }

    #[test]
    fn an_index_is_ordered_as_its_digits() {
        assert_eq!(tokens(Token::Index(9), Token::Index(10)), Ordering::Less);
        assert_eq!(tokens(Token::Index(9), Token::Key("10")), Ordering::Less);
        assert_eq!(tokens(Token::Key("10"), Token::Index(9)), Ordering::Greater);
        assert_eq!(tokens(Token::Index(1), Token::Key("01")), Ordering::Less);
        assert_eq!(tokens(Token::Index(0), Token::Key("")), Ordering::Less);
        let largest = usize::MAX.to_string();
        assert_eq!(tokens(Token::Index(usize::MAX), Token::Key(&largest)), Ordering::Equal);
    }

    #[test]
    fn a_path_comes_before_its_extensions_and_the_outermost_token_decides() {
        let (a, b) = (Token::Key("a"), Token::Key("b"));
        assert_eq!(paths(&[], &[a]), Ordering::Less);
        assert_eq!(paths(&[a], &[a, a]), Ordering::Less);
        assert_eq!(paths(&[a, b], &[b, a]), Ordering::Less);
        assert_eq!(paths(&[a, b], &[a, b]), Ordering::Equal);
    }

    fn token() -> impl Strategy<Value = (bool, String, usize)> {
        (any::<bool>(), "[0-2]{0,4}|[a-b0]{0,3}|[é٣]{1,2}", 0_usize..130)
    }

    fn as_token(drawn: &(bool, String, usize)) -> Token<'_> {
        if drawn.0 { Token::Index(drawn.2) } else { Token::Key(&drawn.1) }
    }

    proptest! {
        #[test]
        fn the_order_is_total_and_the_slow_one(
            a in prop::collection::vec(token(), 0..4),
            b in prop::collection::vec(token(), 0..4),
        ) {
            let left: Vec<_> = a.iter().map(as_token).collect();
            let right: Vec<_> = b.iter().map(as_token).collect();
            let slowly: fn(&[Token<'_>]) -> Vec<_> = |path| path.iter().map(|token| slow(*token)).collect();
            prop_assert_eq!(paths(&left, &right), slowly(&left).cmp(&slowly(&right)));
            prop_assert_eq!(paths(&left, &right), paths(&right, &left).reverse());
        }
    }
}
