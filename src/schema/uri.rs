//! Identity of documents: RFC 3986 resolution and comparison, nothing normalised.
//!
//! In: a base URI and a reference. Out: an absolute URI without fragment, and the fragment, percent-decoded.
//! Linear in the two texts. WHATWG's rules would normalise, and so name other documents than the author did.

use std::borrow::Cow;

use fluent_uri::{Uri, UriRef};

/// The base of a schema that has no identity of its own. Never shown.
pub(crate) const NO_BASE: &str = "json-schema:///";

/// Why a reference is none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotAReference;

/// Splits a reference at its fragment.
pub(crate) fn split(reference: &str) -> (&str, Option<&str>) {
    match reference.split_once('#') {
        Some((uri, fragment)) => (uri, Some(fragment)),
        None => (reference, None),
    }
}

/// The absolute URI that `reference` (without a fragment) names from `base` (RFC 3986 §5.2).
pub(crate) fn resolve(base: &str, reference: &str) -> Result<String, NotAReference> {
    if reference.is_empty() {
        return Ok(base.to_owned());
    }
    let reference = UriRef::parse(reference).map_err(|_| NotAReference)?;
    let base = Uri::parse(base).map_err(|_| NotAReference)?;
    let resolved = reference.resolve_against(&base).map_err(|_| NotAReference)?;
    Ok(resolved.as_str().to_owned())
}

/// A fragment with its percent-escapes decoded (RFC 3986 §2.1); what is no escape, or no UTF-8, stays as it is.
pub(crate) fn decode(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match escape {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(fragment), Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// The tokens of a JSON Pointer that begins with `/` (RFC 6901 §4): `~1` first, then `~0`.
pub(crate) fn tokens(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|token| {
        if token.contains('~') {
            Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
        } else {
            Cow::Borrowed(token)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_resolve_as_rfc_3986_says() {
        for (base, reference, expected) in [
            (NO_BASE, "item.json", "json-schema:///item.json"),
            ("http://a.test/b/c", "d", "http://a.test/b/d"),
            ("http://a.test/b/c", "../d", "http://a.test/d"),
            ("http://a.test/b/c", "//x.test/d", "http://x.test/d"),
            ("http://a.test/b/c", "", "http://a.test/b/c"),
            ("urn:uuid:1", "urn:uuid:2", "urn:uuid:2"),
            ("http://a.test/b", "http://A.test/b", "http://A.test/b"),
        ] {
            assert_eq!(resolve(base, reference).as_deref(), Ok(expected), "{base} {reference}");
        }
        assert_eq!(resolve(NO_BASE, "a b"), Err(NotAReference));
    }

    #[test]
    fn fragments_and_pointers_decode() {
        assert_eq!(split("a#b"), ("a", Some("b")));
        assert_eq!(split("a"), ("a", None));
        assert_eq!(decode("/a%25b%7E1c"), "/a%b~1c");
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%2"), "%zz%2");
        assert_eq!(decode("%ff"), "%ff");
        assert_eq!(tokens("/a~1b/~01/").collect::<Vec<_>>(), ["a/b", "~1", ""]);
        assert_eq!(tokens("").count(), 0);
    }
}
