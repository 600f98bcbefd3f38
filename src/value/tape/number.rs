//! Numbers of the input (RFC 8259 §6).
//!
//! In: bytes, and the place of a minus sign or a digit. Out: a token. An integer that fits 64 bits is held as such, any
//! other number as its text, so that its digits are exact whatever their number; nothing is converted.

use super::fault::{Fault, Syntax};
use super::scan::byte;
use super::token::Token;

/// So many digits fit a `u64` whatever they are.
const SURE_DIGITS: usize = 19;

/// The integer at `start`, and the place after it. Nothing where the number is none that fits, or no number.
#[inline(always)]
pub(super) fn short_integer(bytes: &[u8], start: usize) -> Option<(Token, usize)> {
    let negative = byte(bytes, start) == b'-';
    let first = start + usize::from(negative);
    let mut at = first;
    let mut magnitude = 0_u64;
    let after = loop {
        let found = byte(bytes, at);
        let digit = found.wrapping_sub(b'0');
        if digit >= 10 {
            break found;
        }
        magnitude = magnitude.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    };
    let count = at - first;
    // A zero begins no other number, and negative zero is no integer of any type.
    let is_plain = if magnitude == 0 { count == 1 && !negative } else { byte(bytes, first) != b'0' };
    let is_whole = !matches!(after, b'.' | b'e' | b'E');
    let fits = count <= SURE_DIGITS && !(negative && magnitude > i64::MIN.unsigned_abs());
    (is_plain && is_whole && fits).then(|| (Token::integer(start as u32, negative, magnitude), at))
}

/// Any number at `start`, and the place after it.
pub(super) fn number(text: &str, start: usize) -> Result<(Token, usize), Fault> {
    let bytes = text.as_bytes();
    let negative = byte(bytes, start) == b'-';
    let first = start + usize::from(negative);
    let whole = past_digits(bytes, first)?;
    if whole - first > 1 && byte(bytes, first) == b'0' {
        return Err(Fault::new(first, Syntax::LeadingZero));
    }
    let mut at = whole;
    if byte(bytes, at) == b'.' {
        at = past_digits(bytes, at + 1)?;
    }
    if let b'e' | b'E' = byte(bytes, at) {
        at += 1;
        at += usize::from(matches!(byte(bytes, at), b'+' | b'-'));
        at = past_digits(bytes, at)?;
    }
    // Positions fit 32 bits: the input's length does. What is negative and an integer was short.
    let textual = Token::number(start as u32, (at - start) as u32);
    if at > whole || negative {
        return Ok((textual, at));
    }
    let digits = text.get(first..whole).unwrap_or_default().parse();
    Ok((digits.map_or(textual, |magnitude| Token::integer(start as u32, false, magnitude)), at))
}

/// The place after one digit or more.
fn past_digits(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    if !byte(bytes, at).is_ascii_digit() {
        return Err(Fault::unexpected(bytes, at, Syntax::Digit));
    }
    while byte(bytes, at).is_ascii_digit() {
        at += 1;
    }
    Ok(at)
}
