//! Strings with escapes (RFC 8259 §7).
//!
//! In: the input, and the place of a string's first escape. Out: its text, decoded, behind the other decoded texts: never
//! longer than its spelling, so that all of them together are no longer than the input.

use super::fault::{Fault, Syntax};
use super::scan::text_end;

/// Appends the string that begins at `start` and has its first escape at `at`; the place of its closing quote.
pub(super) fn decode(text: &str, start: usize, mut at: usize, decoded: &mut String) -> Result<usize, Fault> {
    let bytes = text.as_bytes();
    let mut plain = start;
    loop {
        // Both lie at ASCII bytes, so the text can be cut there.
        decoded.push_str(text.get(plain..at).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return Ok(at),
            Some(b'\\') => {
                let (character, after) = escape(bytes, at)?;
                decoded.push(character);
                plain = after;
                at = text_end(bytes, after);
            }
            Some(_) => return Err(Fault::new(at, Syntax::Control)),
            None => return Err(Fault::new(at, Syntax::End)),
        }
    }
}

/// The character that the escape at `at` stands for, and the place after it.
fn escape(bytes: &[u8], at: usize) -> Result<(char, usize), Fault> {
    let character = match bytes.get(at + 1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes, at),
        Some(_) => return Err(Fault::new(at, Syntax::Escape)),
        None => return Err(Fault::new(at + 1, Syntax::End)),
    };
    Ok((character, at + 2))
}

/// Bytes of `\uXXXX`.
const UNIT: usize = 6;

/// A code point spelled as one UTF-16 unit, or as the two of a pair.
fn unicode(bytes: &[u8], at: usize) -> Result<(char, usize), Fault> {
    let high = unit(bytes, at)?;
    if let Some(character) = char::from_u32(high) {
        return Ok((character, at + UNIT));
    }
    // What is no character is half of a pair; half a pair is no text.
    let lone = Fault::new(at, Syntax::Surrogate);
    let next = at + UNIT;
    match (bytes.get(next), bytes.get(next + 1)) {
        (Some(b'\\'), Some(b'u')) => {}
        (None, _) | (Some(b'\\'), None) => return Err(Fault::new(bytes.len(), Syntax::End)),
        (Some(_), _) => return Err(lone),
    }
    let low = unit(bytes, next)?;
    let (true, true) = ((0xD800..0xDC00).contains(&high), (0xDC00..0xE000).contains(&low)) else {
        return Err(lone);
    };
    let point = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    char::from_u32(point).map(|character| (character, next + UNIT)).ok_or(lone)
}

/// The four hexadecimal digits of the `\u` at `at`.
fn unit(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    let mut unit = 0;
    for place in at + 2..at + UNIT {
        let byte = bytes.get(place).ok_or(Fault::new(bytes.len(), Syntax::End))?;
        let digit = char::from(*byte).to_digit(16).ok_or(Fault::new(at, Syntax::Escape))?;
        unit = unit << 4 | digit;
    }
    Ok(unit)
}
