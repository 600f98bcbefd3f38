//! What `contentEncoding` and `contentMediaType` assert where a build asks for it (draft 7 validation §8): `base64`
//! (RFC 4648 §4, padded) and JSON texts (RFC 8259, in UTF-8). Every other encoding and media type is an annotation.
//!
//! In: a text. Out: yes or no. Cost: one pass over the text, two where it is both encoded and JSON; no allocation and no
//! recursion: JSON nested deeper than [`DEPTH_CEILING`] is refused, since its next reader may well recurse.

use std::iter::Peekable;

use crate::limits::DEPTH_CEILING;

/// What a string is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    base64: bool,
    json: bool,
}

impl Content {
    /// What the two keywords together assert; nothing where they say nothing that is known. Names are compared
    /// without regard to case (RFC 2045 §5.1, §6.1), and a media type's parameters say nothing of its grammar.
    pub(crate) fn new(encoding: Option<&str>, media_type: Option<&str>) -> Option<Content> {
        let is = |name: &str, known: &str| name.eq_ignore_ascii_case(known);
        let base64 = match encoding {
            None => false,
            Some(name) if is(name, "base64") => true,
            Some(name) if ["7bit", "8bit", "binary"].iter().any(|known| is(name, known)) => false,
            // What cannot be decoded cannot be judged.
            Some(_) => return None,
        };
        let essence = media_type.and_then(|name| name.split(';').next()).map(str::trim);
        let json = essence.is_some_and(|name| is(name, "application/json"));
        (base64 || json).then_some(Content { base64, json })
    }

    /// Whether `text` holds it.
    pub(crate) fn accepts(self, text: &str) -> bool {
        if !self.base64 {
            return is_json(text.bytes());
        }
        let decoded = || Decoder::new(text);
        decoded().is_some_and(|bytes| {
            if self.json {
                bytes.clone().reads_whole() && is_utf8(bytes.clone()) && is_json(bytes)
            } else {
                bytes.reads_whole()
            }
        })
    }

    /// What it is called in a text.
    pub(crate) fn name(self) -> &'static str {
        match (self.base64, self.json) {
            (true, true) => "JSON encoded in base64",
            (true, false) => "base64",
            (false, _) => "JSON",
        }
    }
}

/// The bytes of a base64 text; it ends early at what is no base64.
#[derive(Clone)]
struct Decoder<'t> {
    digits: std::slice::Iter<'t, u8>,
    bits: u32,
    count: u32,
    broken: bool,
}

impl<'t> Decoder<'t> {
    /// Nothing where the length or the padding is wrong.
    fn new(text: &'t str) -> Option<Self> {
        if !text.len().is_multiple_of(4) {
            return None;
        }
        let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
        Some(Decoder { digits: digits.as_bytes().iter(), bits: 0, count: 0, broken: false })
    }

    fn reads_whole(mut self) -> bool {
        self.by_ref().for_each(drop);
        !self.broken
    }
}

impl Iterator for Decoder<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        while self.count < u8::BITS {
            let digit = match *self.digits.next()? {
                upper @ b'A'..=b'Z' => upper - b'A',
                lower @ b'a'..=b'z' => lower - b'a' + 26,
                number @ b'0'..=b'9' => number - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => {
                    self.broken = true;
                    self.digits = [].iter();
                    return None;
                }
            };
            self.bits = self.bits << 6 | u32::from(digit);
            self.count += 6;
        }
        self.count -= u8::BITS;
        // The mask keeps what is not yet handed out, at most six bits.
        let byte = self.bits >> self.count;
        self.bits &= (1 << self.count) - 1;
        u8::try_from(byte).ok()
    }
}

fn is_utf8(mut bytes: impl Iterator<Item = u8>) -> bool {
    while let Some(first) = bytes.next() {
        let length = match first {
            0..0x80 => continue,
            0x80..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
        };
        let mut character = [first, 0, 0, 0];
        for place in character.iter_mut().take(length).skip(1) {
            *place = bytes.next().unwrap_or(0);
        }
        if character.get(..length).is_none_or(|bytes| std::str::from_utf8(bytes).is_err()) {
            return false;
        }
    }
    true
}

/// What may come next in a JSON text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// After `[`.
    ItemOrEnd,
    Key,
    /// After `{`.
    KeyOrEnd,
    /// After a value: a comma, an end, or the end of all.
    Rest,
}

/// Whether the bytes, which are UTF-8, are one JSON text.
fn is_json(bytes: impl Iterator<Item = u8>) -> bool {
    let mut text = Text { bytes: bytes.peekable() };
    // Which containers are open: a bit each, set for an object.
    let mut open = [0_u64; DEPTH_CEILING.div_ceil(64)];
    let mut depth = 0_usize;
    let mut next = Next::Value;
    loop {
        text.skip_space();
        let byte = text.bytes.peek().copied();
        let inner = depth.wrapping_sub(1);
        let in_object = open.get(inner / 64).is_some_and(|word| word >> (inner % 64) & 1 == 1);
        next = match (next, byte) {
            (Next::Value | Next::ItemOrEnd, Some(opening @ (b'{' | b'['))) => {
                let Some(word) = open.get_mut(depth / 64) else { return false };
                let bit = 1 << (depth % 64);
                *word = if opening == b'{' { *word | bit } else { *word & !bit };
                depth += 1;
                text.bytes.next();
                if opening == b'{' { Next::KeyOrEnd } else { Next::ItemOrEnd }
            }
            (Next::ItemOrEnd | Next::Rest, Some(b']')) if depth > 0 && !in_object => {
                depth -= 1;
                text.bytes.next();
                Next::Rest
            }
            (Next::KeyOrEnd | Next::Rest, Some(b'}')) if depth > 0 && in_object => {
                depth -= 1;
                text.bytes.next();
                Next::Rest
            }
            (Next::Value | Next::ItemOrEnd, Some(_)) if text.scalar() => Next::Rest,
            (Next::Key | Next::KeyOrEnd, Some(b'"')) => {
                if !text.string() {
                    return false;
                }
                text.skip_space();
                if text.bytes.next() != Some(b':') {
                    return false;
                }
                Next::Value
            }
            (Next::Rest, Some(b',')) if depth > 0 => {
                text.bytes.next();
                if in_object { Next::Key } else { Next::Value }
            }
            (Next::Rest, None) => return depth == 0,
            _ => return false,
        };
    }
}

struct Text<B: Iterator<Item = u8>> {
    bytes: Peekable<B>,
}

impl<B: Iterator<Item = u8>> Text<B> {
    fn skip_space(&mut self) {
        while self.bytes.next_if(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).is_some() {}
    }

    /// A value that is no container.
    fn scalar(&mut self) -> bool {
        match self.bytes.peek() {
            Some(b'"') => self.string(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) | None => false,
        }
    }

    fn word(&mut self, word: &[u8]) -> bool {
        word.iter().all(|byte| self.bytes.next() == Some(*byte))
    }

    fn string(&mut self) -> bool {
        self.bytes.next();
        loop {
            match self.bytes.next() {
                None | Some(0..0x20) => return false,
                Some(b'"') => return true,
                Some(b'\\') => match self.bytes.next() {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {}
                    Some(b'u') => {
                        let is_hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
                        if !(0..4).all(|_| is_hex(self.bytes.next())) {
                            return false;
                        }
                    }
                    Some(_) | None => return false,
                },
                Some(_) => {}
            }
        }
    }

    fn number(&mut self) -> bool {
        self.bytes.next_if_eq(&b'-');
        let whole = self.bytes.next_if_eq(&b'0').is_some() || self.digits();
        let fraction = self.bytes.next_if_eq(&b'.').is_none() || self.digits();
        let exponent = self.bytes.next_if(|byte| matches!(byte, b'e' | b'E')).is_none() || {
            self.bytes.next_if(|byte| matches!(byte, b'+' | b'-'));
            self.digits()
        };
        whole && fraction && exponent
    }

    /// At least one digit.
    fn digits(&mut self) -> bool {
        let mut any = false;
        while self.bytes.next_if(u8::is_ascii_digit).is_some() {
            any = true;
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(encoding: Option<&str>, media_type: Option<&str>, text: &str) -> bool {
        Content::new(encoding, media_type).unwrap().accepts(text)
    }

    #[test]
    fn only_what_is_known_asserts() {
        assert_eq!(Content::new(Some("quoted-printable"), Some("application/json")), None);
        assert_eq!(Content::new(None, Some("image/png")), None);
        assert_eq!(
            Content::new(Some("8bit"), Some("Application/JSON; charset=utf-8")).unwrap().name(),
            "JSON"
        );
    }

    #[test]
    fn base64_is_padded_and_has_its_alphabet() {
        for text in ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "+/+/"] {
            assert!(accepts(Some("BASE64"), None, text), "{text}");
        }
        for text in ["Zg", "Zg=", "Z===", "Zm9v=", "=Zg=", "Zm-_", "Zm9v\n", "Zm8é", "Zg==Zg=="] {
            assert!(!accepts(Some("base64"), None, text), "{text}");
        }
    }

    #[test]
    fn json_is_as_the_parser_reads_it() {
        for text in [
            "0",
            "-0",
            "-1.5e+7",
            "1E2",
            "01",
            "1.",
            ".5",
            "1e",
            "-",
            "+1",
            "true",
            "tru",
            "nul",
            "null x",
            "\"a\\u00e9\"",
            "\"\\u12\"",
            "\"\\x\"",
            "\"a",
            "\"\t\"",
            "[]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[[], {}]",
            "{}",
            "{\"a\":1}",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{a:1}",
            "{\"a\":[{\"b\":null}]}",
            "[}",
            "{]",
            "]",
            "",
            " ",
            " 1 \n",
            "1 1",
            "{:}",
            "\u{feff}1",
            "\"é\"",
            "[\"a\", {\"b\": [false]}, -3]",
        ] {
            let parsed = serde_json::from_str::<serde_json::Value>(text).is_ok();
            assert_eq!(accepts(None, Some("application/json"), text), parsed, "{text}");
        }
    }

    #[test]
    fn both_are_held_in_turn() {
        let both = |text| accepts(Some("base64"), Some("application/json"), text);
        assert!(both("eyJhIjogMX0="));
        assert!(!both("e30") && !both("{}") && !both("ezp9"));
        // 0xFF within a string is no UTF-8; é in two bytes is.
        assert!(!both("Iv8i") && both("IsOpIg=="));
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let accepts = |text: &str| accepts(None, Some("application/json"), text);
        assert!(accepts(&nested(DEPTH_CEILING)));
        assert!(!accepts(&nested(DEPTH_CEILING + 1)));
        assert!(!accepts(&"{\"a\":".repeat(100_000)));
    }
}
