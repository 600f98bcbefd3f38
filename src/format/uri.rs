//! `uri`, `uri-reference` (RFC 3986, appendix A) and `iri`, `iri-reference` (RFC 3987, section 2.2).
//!
//! In: a text. Out: yes or no. Cost: the text is cut into its five components and each is read once.
//!
//! The generic syntax alone decides: nothing is normalised, no scheme is known, and a host that looks like an
//! IPv4 address but is none is a registered name, as section 3.2.2 has it. `uri` and `iri` ask for a scheme;
//! a fragment may follow. An IP literal has no zone (RFC 9844 withdrew RFC 6874). RFC 3987's advice on
//! directions of writing (section 4) is no part of its grammar.

use super::address;
use super::scan::AsciiSet;

const UNRESERVED: AsciiSet = AsciiSet::LETTER_OR_DIGIT.and(AsciiSet::of(b"-._~"));
const SUB_DELIMITERS: AsciiSet = AsciiSet::of(b"!$&'()*+,;=");
const NAME: AsciiSet = UNRESERVED.and(SUB_DELIMITERS);
const USER: AsciiSet = NAME.and(AsciiSet::of(b":"));
const PATH: AsciiSet = USER.and(AsciiSet::of(b"@/"));
const QUERY: AsciiSet = PATH.and(AsciiSet::of(b"?"));
const SCHEME: AsciiSet = AsciiSet::LETTER_OR_DIGIT.and(AsciiSet::of(b"+-."));

/// What may stand beside ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    Ascii,
    Unicode,
}

pub(super) fn is_uri(text: &str) -> bool {
    is_reference(text, Alphabet::Ascii, true)
}

pub(super) fn is_uri_reference(text: &str) -> bool {
    is_reference(text, Alphabet::Ascii, false)
}

pub(super) fn is_iri(text: &str) -> bool {
    is_reference(text, Alphabet::Unicode, true)
}

pub(super) fn is_iri_reference(text: &str) -> bool {
    is_reference(text, Alphabet::Unicode, false)
}

fn is_reference(text: &str, alphabet: Alphabet, needs_scheme: bool) -> bool {
    let (text, fragment) = cut(text, '#');
    let (text, query) = cut(text, '?');
    let hierarchy = match split_scheme(text) {
        Some((scheme, rest)) if is_scheme(scheme) => rest,
        // A colon in the first segment of a reference would read as a scheme's end.
        Some(_) => return false,
        None if needs_scheme => return false,
        None => text,
    };
    is_hierarchy(hierarchy, alphabet)
        && query.is_none_or(|query| consists_of(query, QUERY, alphabet, is_private))
        && fragment.is_none_or(|fragment| consists_of(fragment, QUERY, alphabet, never))
}

/// What stands before the first `separator`, and what after it if there is one.
fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// What stands before and after a colon in the first segment.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let end = text.find([':', '/'])?;
    let (scheme, rest) = text.split_at_checked(end)?;
    rest.strip_prefix(':').map(|rest| (scheme, rest))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && SCHEME.covers(text)
}

fn is_hierarchy(text: &str, alphabet: Alphabet) -> bool {
    let (authority, path) = match text.strip_prefix("//").map(|rest| split_before(rest, '/')) {
        Some((authority, path)) => (Some(authority), path),
        None => (None, text),
    };
    authority.is_none_or(|authority| is_authority(authority, alphabet))
        && consists_of(path, PATH, alphabet, never)
}

/// What stands before the first `separator`, and the rest with it.
fn split_before(text: &str, separator: char) -> (&str, &str) {
    let end = text.find(separator).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn is_authority(text: &str, alphabet: Alphabet) -> bool {
    let (user, host) = match text.split_once('@') {
        Some((user, host)) => (user, host),
        None => ("", text),
    };
    let (is_host, port) = match host.strip_prefix('[').map(|rest| rest.split_once(']')) {
        Some(Some((literal, port))) => (is_ip_literal(literal), port),
        Some(None) => (false, ""),
        None => {
            let (name, port) = split_before(host, ':');
            (consists_of(name, NAME, alphabet, never), port)
        }
    };
    is_host
        && consists_of(user, USER, alphabet, never)
        && (port.is_empty() || port.strip_prefix(':').is_some_and(|digits| AsciiSet::DIGIT.covers(digits)))
}

/// What stands between the brackets: an IPv6 address, or one of a version to come.
fn is_ip_literal(text: &str) -> bool {
    let Some(future) = text.strip_prefix(['v', 'V']) else { return address::is_ipv6(text) };
    future.split_once('.').is_some_and(|(version, address)| {
        !version.is_empty() && !address.is_empty() && AsciiSet::HEX.covers(version) && USER.covers(address)
    })
}

/// Whether `text` has only bytes of `ascii`, whole percent-encodings and, if the alphabet has them, the code
/// points of RFC 3987's `ucschar` and those that `also` names.
fn consists_of(text: &str, ascii: AsciiSet, alphabet: Alphabet, also: fn(char) -> bool) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let fits = match u8::try_from(character) {
            Ok(b'%') => takes_hex(&mut characters) && takes_hex(&mut characters),
            Ok(byte) if byte.is_ascii() => ascii.contains(byte),
            Ok(_) | Err(_) => alphabet == Alphabet::Unicode && (is_unicode(character) || also(character)),
        };
        if !fits {
            return false;
        }
    }
    true
}

fn takes_hex(characters: &mut std::str::Chars<'_>) -> bool {
    characters.next().is_some_and(|character| character.is_ascii_hexdigit())
}

/// `ucschar`: beyond ASCII, but for controls, surrogates, private use, specials and noncharacters.
pub(super) fn is_unicode(character: char) -> bool {
    match u32::from(character) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        // The last two code points of every plane are none; plane 14 begins with tags.
        point @ 0x1_0000..=0xD_FFFF | point @ 0xE_1000..=0xE_FFFF => point & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

/// `iprivate`: private use, which only a query may have.
pub(super) fn is_private(character: char) -> bool {
    matches!(u32::from(character), 0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD)
}

fn never(_: char) -> bool {
    false
}
