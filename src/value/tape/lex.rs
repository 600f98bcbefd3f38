//! The reader: bytes of JSON (RFC 8259) become tokens.
//!
//! In: a text, proven UTF-8. Out: the tokens of one value, each container's children counted and its keys settled; or the
//! first byte at which the text is no JSON, or more than it may be. One loop and no recursion: a container that is being
//! read holds the place of the one around it, so that depth costs no memory.

use super::decode::decode;
use super::fault::{Excess, Fault, Stopped, Syntax};
use super::keys::{self, Seen, hash};
use super::number::{number, short_integer};
use super::scan::{self, past_whitespace, text_end};
use super::token::{NONE, Token};
use super::{DuplicateKeys, Parts};
use crate::limits::Limits;
use crate::value::Kind;

/// Items of an array that are reached one by one.
pub(super) const FEW: u32 = 8;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What a text may be at most.
struct Bounds {
    depth: usize,
    tokens: usize,
    key: usize,
}

/// Reads all of the text as one value.
pub(super) fn read(parts: Parts<'_>, limits: &Limits, duplicates: DuplicateKeys) -> Result<(), Fault> {
    let bounds = Bounds {
        depth: limits.get_depth(),
        tokens: limits.get_instance_values(),
        key: limits.get_key_bytes(),
    };
    if parts.text.starts_with(BYTE_ORDER_MARK) {
        return Err(Fault::new(0, Syntax::ByteOrderMark));
    }
    if bounds.depth == 0 {
        return Err(Fault::over(0, Excess::Depth(0)));
    }
    let mut fault = None;
    match (Reader { parts, bounds, duplicates, fault: &mut fault }).value() {
        Ok(()) => Ok(()),
        // It is noted wherever the reading stops.
        Err(Stopped) => Err(fault.unwrap_or(Fault::new(0, Syntax::Value))),
    }
}

struct Reader<'r, 't> {
    parts: Parts<'t>,
    bounds: Bounds,
    duplicates: DuplicateKeys,
    fault: &'r mut Option<Fault>,
}

impl Reader<'_, '_> {
    fn value(&mut self) -> Result<(), Stopped> {
        let bytes = self.parts.text.as_bytes();
        let mut at = 0;
        // The innermost container that is open, whether it is an object, its children and their
        // keys so far, and how many are open.
        let mut open = NONE;
        let mut in_object = false;
        let mut count = 0_u32;
        let mut seen = Seen::default();
        let mut depth = 0;
        'value: loop {
            let (byte, place) = past_whitespace(bytes, at);
            match byte {
                b'"' => {
                    let start = place + 1;
                    let end = text_end(bytes, start);
                    if scan::byte(bytes, end) == b'"' {
                        // Positions fit 32 bits: the input's length does.
                        self.push(Token::string(start as u32, (end - start) as u32), place)?;
                        at = end + 1;
                    } else {
                        at = self.decoded(place, end)?;
                    }
                }
                b'-' | b'0'..=b'9' => at = self.number(bytes, place)?,
                b'{' | b'[' => {
                    let is_object = byte == b'{';
                    let (kind, closing) = if is_object { (Kind::Object, b'}') } else { (Kind::Array, b']') };
                    let container = self.parts.tape.tokens.len() as u32;
                    let (byte, inside) = past_whitespace(bytes, place + 1);
                    if byte == closing {
                        self.push(Token::container(kind, container + 1), place)?;
                        at = inside + 1;
                    } else {
                        // Its children would be two levels below those that are open.
                        if depth + 2 > self.bounds.depth {
                            return self.over(place, Excess::Depth(self.bounds.depth));
                        }
                        if let Some(around) = self.parts.tape.tokens.get_mut(open as usize) {
                            around.length = count;
                        }
                        self.push(Token::container(kind, open), place)?;
                        self.parts.tape.open.push(seen);
                        (open, in_object, count, seen) = (container, is_object, 0, Seen::default());
                        depth += 1;
                        at = if is_object { self.key(bytes, byte, inside, &mut seen)? } else { inside };
                        continue 'value;
                    }
                }
                b't' => at = self.literal("true", Token::boolean(true), place)?,
                b'f' => at = self.literal("false", Token::boolean(false), place)?,
                b'n' => at = self.literal("null", Token::NULL, place)?,
                _ => return self.unexpected(place, Syntax::Value),
            }
            // A value has been read: what follows it in its container, and behind that one if it is closed.
            loop {
                let (byte, place) = past_whitespace(bytes, at);
                if open == NONE {
                    return if place == bytes.len() { Ok(()) } else { self.stop(place, Syntax::Trailing) };
                }
                count += 1;
                match byte {
                    b',' if in_object => {
                        let (byte, place) = past_whitespace(bytes, place + 1);
                        at = self.key(bytes, byte, place, &mut seen)?;
                        continue 'value;
                    }
                    b',' => {
                        at = place + 1;
                        continue 'value;
                    }
                    b'}' if in_object => count = self.settle_keys(open, count, seen)?,
                    b']' if !in_object => self.parts.settle_items(open, count),
                    _ if in_object => return self.unexpected(place, Syntax::CommaOrBrace),
                    _ => return self.unexpected(place, Syntax::CommaOrBracket),
                }
                at = place + 1;
                depth -= 1;
                open = self.parts.close(open, count);
                if let Some(around) = self.parts.tape.tokens.get(open as usize) {
                    in_object = around.kind == Kind::Object;
                    count = around.length;
                }
                seen = self.parts.tape.open.pop().unwrap_or_default();
            }
        }
    }

    #[inline(always)]
    fn push(&mut self, token: Token, place: usize) -> Result<(), Stopped> {
        if self.parts.tape.tokens.len() >= self.bounds.tokens {
            return self.over(place, Excess::Values(self.bounds.tokens));
        }
        self.parts.tape.tokens.push(token);
        Ok(())
    }

    /// A string whose opening quote is at `quote` and that an escape interrupts at `at`, or that is none; the place after it.
    #[inline(never)]
    fn decoded(&mut self, quote: usize, at: usize) -> Result<usize, Stopped> {
        let (token, after) = self.decode(quote, at)?;
        self.push(token, quote)?;
        Ok(after)
    }

    fn decode(&mut self, quote: usize, at: usize) -> Result<(Token, usize), Stopped> {
        let decoded = &mut self.parts.tape.decoded;
        let begin = decoded.len();
        match decode(self.parts.text, quote + 1, at, decoded) {
            Ok(end) => {
                let length = decoded.len() - begin;
                Ok((Token::string(begin as u32, length as u32).decoded(), end + 1))
            }
            Err(fault) => self.fail(fault),
        }
    }

    #[inline(always)]
    fn number(&mut self, bytes: &[u8], place: usize) -> Result<usize, Stopped> {
        let (token, after) = match short_integer(bytes, place) {
            Some(integer) => integer,
            None => self.any_number(place)?,
        };
        self.push(token, place)?;
        Ok(after)
    }

    #[inline(never)]
    fn any_number(&mut self, place: usize) -> Result<(Token, usize), Stopped> {
        number(self.parts.text, place).or_else(|fault| self.fail(fault))
    }

    /// The key that begins with `first` at `place`, and its colon; the place after that. `seen` is of the object's keys.
    #[inline(always)]
    fn key(&mut self, bytes: &[u8], first: u8, place: usize, seen: &mut Seen) -> Result<usize, Stopped> {
        if first != b'"' {
            return self.unexpected(place, Syntax::Key);
        }
        let start = place + 1;
        let end = text_end(bytes, start);
        let after = if scan::byte(bytes, end) == b'"' {
            let key = bytes.get(start..end).unwrap_or_default();
            if key.len() > self.bounds.key {
                return self.over(place, Excess::Key(self.bounds.key));
            }
            let hash = hash(key);
            seen.add(hash);
            self.push(Token::key(start as u32, key.len() as u32, hash), place)?;
            end + 1
        } else {
            self.decoded_key(place, end, seen)?
        };
        match past_whitespace(bytes, after) {
            (b':', place) => Ok(place + 1),
            (_, place) => self.unexpected(place, Syntax::Colon),
        }
    }

    /// As [`Reader::decoded`], of a key.
    #[inline(never)]
    fn decoded_key(&mut self, quote: usize, at: usize, seen: &mut Seen) -> Result<usize, Stopped> {
        let (text, after) = self.decode(quote, at)?;
        if text.length as usize > self.bounds.key {
            return self.over(quote, Excess::Key(self.bounds.key));
        }
        self.parts.tape.origins.push((text.place, quote as u32));
        let hash = hash(self.parts.text(text).as_bytes());
        seen.add(hash);
        self.push(Token::key(text.place, text.length, hash).decoded(), quote)?;
        Ok(after)
    }

    /// A value that is spelled by a name.
    #[inline(always)]
    fn literal(&mut self, name: &'static str, token: Token, place: usize) -> Result<usize, Stopped> {
        let after = place + name.len();
        let found = self.parts.text.as_bytes().get(place..after);
        if found != Some(name.as_bytes()) {
            return self.no_literal(name, place);
        }
        self.push(token, place)?;
        Ok(after)
    }

    #[cold]
    fn no_literal(&mut self, name: &str, place: usize) -> Result<usize, Stopped> {
        let bytes = self.parts.text.as_bytes();
        let rest = bytes.get(place..).unwrap_or_default();
        let same = rest.iter().zip(name.as_bytes()).take_while(|(found, wanted)| found == wanted).count();
        if same == rest.len() { self.stop(bytes.len(), Syntax::End) } else { self.stop(place, Syntax::Value) }
    }

    #[inline(always)]
    fn settle_keys(&mut self, open: u32, count: u32, seen: Seen) -> Result<u32, Stopped> {
        if seen.are_surely_distinct(count) { Ok(count) } else { self.settle_some(open, count) }
    }

    #[inline(never)]
    fn settle_some(&mut self, open: u32, count: u32) -> Result<u32, Stopped> {
        keys::settle(&mut self.parts, open, count, self.duplicates).or_else(|fault| self.fail(fault))
    }

    #[cold]
    fn fail<T>(&mut self, fault: Fault) -> Result<T, Stopped> {
        *self.fault = Some(fault);
        Err(Stopped)
    }

    #[cold]
    fn stop<T>(&mut self, place: usize, syntax: Syntax) -> Result<T, Stopped> {
        self.fail(Fault::new(place, syntax))
    }

    #[cold]
    fn unexpected<T>(&mut self, place: usize, wanted: Syntax) -> Result<T, Stopped> {
        self.fail(Fault::unexpected(self.parts.text.as_bytes(), place, wanted))
    }

    #[cold]
    fn over<T>(&mut self, place: usize, excess: Excess) -> Result<T, Stopped> {
        self.fail(Fault::over(place, excess))
    }
}

impl Parts<'_> {
    /// Closes the container that is open, of `count` children: the one around it.
    #[inline(always)]
    fn close(&mut self, open: u32, count: u32) -> u32 {
        let end = self.tape.tokens.len() as u32;
        let Some(token) = self.tape.tokens.get_mut(open as usize) else { return NONE };
        token.length = count;
        std::mem::replace(&mut token.place, end)
    }

    /// Indexes the items of the array at `at`, whose `count` items end the tape, if they are many and of several tokens.
    #[inline(always)]
    fn settle_items(&mut self, at: u32, count: u32) {
        if count > FEW && self.tape.tokens.len() as u32 - at - 1 != count {
            self.index_items(at, count);
        }
    }

    #[inline(never)]
    fn index_items(&mut self, at: u32, count: u32) {
        let begin = self.tape.index.len() as u32;
        let mut next = at + 1;
        for _ in 0..count {
            self.tape.index.push(next);
            next = self.token(next).after(next);
        }
        self.set_index(at, begin);
    }
}
