//! How a place of the instance is spelled: a path for people and models, and a JSON Pointer (RFC 6901).
//!
//! In: tokens, outermost first. Out: two strings of at most [`PATH_BYTES`] bytes and a mark. A key is cut before
//! it is escaped, and a path that is too long is made from its two ends only, so the work is bounded by what is
//! kept and not by the keys nor by how many there are.
//!
//! No key can imitate a path: what is not a bare name stands in quotes, where `"` and `\` are escaped. So two
//! paths that were not cut are spelled alike only if they are the same.

use std::borrow::Cow;

use super::cut;
use super::joined::push;
use crate::bound::{BOUND, echo_str};
use crate::engine::sink::Token;
use crate::program::push_token;

/// What is kept of a path and of a pointer, in bytes before JSON escaping; a mark comes on top.
///
/// Four keys at their own bound; what schemas in use declare is a tenth of it.
pub(crate) const PATH_BYTES: usize = 1_024;

/// How the root is spelled. No key is spelled so: its parentheses would stand in quotes.
pub(crate) const ROOT: &str = "(root)";

/// A place as a refusal shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spelled {
    pub(crate) path: String,
    pub(crate) pointer: String,
    /// Whether the pointer lost something, in a key or in its middle, and must not be resolved.
    pub(crate) pointer_is_cut: bool,
}

/// Spells the place with these tokens.
pub(crate) fn spell(tokens: &[Token<'_>]) -> Spelled {
    if let Some(length) = short(tokens) {
        let mut pointer = String::with_capacity(length);
        tokens.iter().for_each(|token| push_reference(&mut pointer, *token));
        return Spelled { path: path(tokens), pointer, pointer_is_cut: false };
    }
    let path = path(tokens);
    let (pointer, is_cut) = cut::assemble(tokens, PATH_BYTES, |text, token, _| push_reference(text, *token));
    Spelled { path, pointer, pointer_is_cut: is_cut || tokens.iter().any(|token| is_long(*token)) }
}

/// Spells the path alone.
pub(crate) fn path(tokens: &[Token<'_>]) -> String {
    if tokens.is_empty() {
        ROOT.to_owned()
    } else if let Some(length) = short(tokens) {
        let mut text = String::with_capacity(length);
        tokens.iter().enumerate().for_each(|(at, token)| push_step(&mut text, *token, at == 0));
        text
    } else {
        cut::assemble(tokens, PATH_BYTES, |text, token, first| push_step(text, *token, first)).0
    }
}

/// The most bytes that a path or a pointer takes, where nothing of it can be cut.
fn short(tokens: &[Token<'_>]) -> Option<usize> {
    /// The digits of an index, in brackets.
    const INDEX: usize = u64::MAX.ilog10() as usize + 3;
    // No more tokens than these can stand uncut.
    const TOKENS: usize = PATH_BYTES / 2;
    let lengths = tokens.iter().take(TOKENS).map(|token| match token {
        Token::Index(_) => INDEX,
        Token::Key(key) if key.len() > BOUND => PATH_BYTES,
        // Escaping at most doubles it; quotes, brackets or a point.
        Token::Key(key) => 4 + 2 * key.len(),
    });
    let length = lengths.sum();
    (length < PATH_BYTES && tokens.len() < TOKENS).then_some(length)
}

/// A key as it is shown, cut at the bound.
pub(super) fn shown(key: &str) -> Cow<'_, str> {
    if key.len() <= BOUND { Cow::Borrowed(key) } else { Cow::Owned(echo_str(key)) }
}

fn push_step(text: &mut String, token: Token<'_>, first: bool) {
    match token {
        Token::Index(index) => {
            push(text, ["[".into(), index.into(), "]".into()]);
        }
        Token::Key(key) => {
            let key = &*shown(key);
            if is_bare(key) {
                if !first {
                    text.push('.');
                }
                text.push_str(key);
            } else {
                text.push('[');
                push_quoted(text, key);
                text.push(']');
            }
        }
    }
}

fn push_reference(text: &mut String, token: Token<'_>) {
    match token {
        Token::Index(index) => {
            push(text, ["/".into(), index.into()]);
        }
        Token::Key(key) => push_token(text, &shown(key)),
    }
}

/// Appends the text in quotes, `"` and `\` escaped and nothing else rewritten.
fn push_quoted(text: &mut String, quoted: &str) {
    text.push('"');
    for character in quoted.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
}

/// Whether a key may stand without quotes: `[A-Za-z_][A-Za-z0-9_-]*`.
fn is_bare(key: &str) -> bool {
    let mut bytes = key.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn is_long(token: Token<'_>) -> bool {
    match token {
        Token::Key(key) => key.len() > BOUND,
        Token::Index(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use Token::{Index, Key};

    fn both(tokens: &[Token<'_>]) -> (String, String) {
        let spelled = spell(tokens);
        assert!(!spelled.pointer_is_cut);
        (spelled.path, spelled.pointer)
    }

    fn pair(path: &str, pointer: &str) -> (String, String) {
        (path.to_owned(), pointer.to_owned())
    }

    #[test]
    fn spellings() {
        assert_eq!(both(&[]), pair("(root)", ""));
        assert_eq!(both(&[Key("items"), Index(3), Key("name")]), pair("items[3].name", "/items/3/name"));
        assert_eq!(both(&[Key("weird key"), Key("x")]), pair(r#"["weird key"].x"#, "/weird key/x"));
        assert_eq!(both(&[Index(12), Key("12")]), pair(r#"[12]["12"]"#, "/12/12"));
        assert_eq!(both(&[Key(""), Key("_a-1")]), pair(r#"[""]._a-1"#, "//_a-1"));
        assert_eq!(both(&[Key("a/b~c")]), pair(r#"["a/b~c"]"#, "/a~1b~0c"));
        assert_eq!(both(&[Key("-a"), Key("é")]), pair(r#"["-a"]["é"]"#, "/-a/é"));
    }

    #[test]
    fn no_key_imitates_a_path() {
        assert_eq!(both(&[Key("a.b")]).0, r#"["a.b"]"#);
        assert_eq!(both(&[Key("items[3].name")]).0, r#"["items[3].name"]"#);
        assert_eq!(both(&[Key(r#"a"].b["c"#)]).0, r#"["a\"].b[\"c"]"#);
        assert_eq!(both(&[Key(r"a\")]).0, r#"["a\\"]"#);
        assert_eq!(both(&[Key("(root)")]).0, r#"["(root)"]"#);
    }

    #[test]
    fn a_key_is_cut_at_the_bound_and_the_pointer_says_so() {
        let exact = "k".repeat(BOUND);
        assert_eq!(both(&[Key(&exact)]), pair(&exact, &format!("/{exact}")));
        let long = "k".repeat(BOUND + 1);
        let spelled = spell(&[Key(&long), Key("x")]);
        assert_eq!(spelled.path, format!(r#"["{exact}…"].x"#));
        assert_eq!(spelled.pointer, format!("/{exact}…/x"));
        assert!(spelled.pointer_is_cut);
    }

    #[test]
    fn a_path_is_cut_in_the_middle_and_both_ends_stay() {
        let key = "k".repeat(127);
        let exact = vec![Key(&key); PATH_BYTES / 128];
        let (path, pointer) = both(&exact);
        assert_eq!((path.len(), pointer.len()), (PATH_BYTES - 1, PATH_BYTES));

        let mut long = vec![Key("first")];
        long.extend(exact);
        long.push(Key("last"));
        let spelled = spell(&long);
        for text in [&spelled.path, &spelled.pointer] {
            assert_eq!(text.len(), cut::marked(PATH_BYTES));
            assert!(text.trim_start_matches('/').starts_with("first") && text.ends_with("last"));
            assert_eq!(text.matches('…').count(), 1);
        }
        assert!(spelled.pointer_is_cut);
    }

    #[test]
    fn the_bound_holds_whatever_the_keys() {
        for key in ["\"", "\\", "/", "~", "\u{0}", "😀", "a"] {
            let long = key.repeat(10_000);
            let spelled = spell(&vec![Key(&long); 500]);
            assert!(spelled.path.len() <= cut::marked(PATH_BYTES));
            assert!(spelled.pointer.len() <= cut::marked(PATH_BYTES));
        }
    }

    proptest! {
        #[test]
        fn different_places_are_spelled_differently(
            drawn in prop::collection::vec(
                prop::collection::vec((0_usize..3, r#"[ab."\\\[\]/~0-1()]{0,3}"#), 0..3), 2..40),
        ) {
            let mut seen = HashMap::new();
            for path in &drawn {
                let tokens: Vec<_> = path
                    .iter()
                    .map(|(kind, key)| if *kind == 0 { Index(key.len()) } else { Key(key) })
                    .collect();
                let place = format!("{tokens:?}");
                if let Some(before) = seen.insert(spell(&tokens).path, place.clone()) {
                    prop_assert_eq!(before, place);
                }
            }
        }
    }
}
