//! The reader: bytes of JSON (RFC 8259) become tokens.
//!
//! In: a text, proven UTF-8. Out: the tokens of one value, each container's children counted and its keys settled; or the
//! first byte at which the text is no JSON, or more than it may be. One loop and no recursion: what is known of a container
//! that is being read lies in a list of levels, so that depth costs 16 bytes a level.
//!
//! The loop keeps what it changes in variables of its own, and writes to places that are there already: the tape's list of
//! tokens stays as long as it has ever been, and is made longer by [`Reader::lengthen`] alone.

use super::ahead::Ahead;
use super::decode::decode;
use super::fault::{Excess, Fault, Stopped, Syntax};
use super::keys::{self, Seen, hash};
use super::number::{number, short_integer};
use super::scan::{byte, key_end, past_run, text_end};
use super::token::{NONE, Token};
use super::{Aside, DuplicateKeys, Parts};
use crate::limits::Limits;
use crate::value::Kind;

/// Items of an array that are reached one by one.
pub(super) const FEW: u32 = 8;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Tokens of a tape that has room for any.
const FIRST_TOKENS: usize = 4;

/// What a text may be at most.
struct Bounds {
    depth: usize,
    tokens: usize,
    key: usize,
}

/// A container that is being read, while one within it is. Its children so far stand in its token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// What was seen of its keys.
    seen: Seen,
    /// Its token.
    open: u32,
    is_object: bool,
}

impl Level {
    /// Around the root.
    const OUTSIDE: Level = Level { seen: Seen::NONE, open: NONE, is_object: false };
}

/// Reads all of the text as one value; how many tokens it takes.
pub(super) fn read(
    text: &str,
    tokens: &mut Vec<Token>,
    aside: &mut Aside,
    limits: &Limits,
    duplicates: DuplicateKeys,
) -> Result<usize, Fault> {
    let bounds = Bounds {
        depth: limits.get_depth(),
        tokens: limits.get_instance_values(),
        key: limits.get_key_bytes(),
    };
    if text.starts_with(BYTE_ORDER_MARK) {
        return Err(Fault::new(0, Syntax::ByteOrderMark));
    }
    if bounds.depth == 0 {
        return Err(Fault::over(0, Excess::Depth(0)));
    }
    // So that the list's end is the bound, where another reading had a wider one.
    tokens.truncate(bounds.tokens);
    let mut fault = None;
    match (Reader { text, aside, bounds, duplicates, fault: &mut fault }).value(tokens) {
        Ok(count) => Ok(count),
        // It is noted wherever the reading stops.
        Err(Stopped) => Err(fault.unwrap_or(Fault::new(0, Syntax::Value))),
    }
}

struct Reader<'r, 't> {
    text: &'t str,
    aside: &'t mut Aside,
    bounds: Bounds,
    duplicates: DuplicateKeys,
    fault: &'r mut Option<Fault>,
}

/// Writes a token to the next place of a list, which is made longer where it ends. Nothing is handed to [`Reader::lengthen`]
/// that would have to lie in memory for it.
macro_rules! push {
    ($reader:ident, $list:ident, $tokens:ident, $next:ident, $token:expr, $place:expr) => {
        if let Some(free) = $tokens.get_mut($next) {
            *free = $token;
        } else {
            $tokens = $reader.lengthen($list, $place)?;
            if let Some(free) = $tokens.get_mut($next) {
                *free = $token;
            }
        }
        $next += 1;
    };
}

impl Reader<'_, '_> {
    fn value(&mut self, list: &mut Vec<Token>) -> Result<usize, Stopped> {
        let bytes = self.text.as_bytes();
        let mut tokens = list.as_mut_slice();
        let mut next = 0;
        // The innermost level, in variables of its own.
        let Level { mut seen, mut open, mut is_object } = Level::OUTSIDE;
        let mut count = 0;
        let mut depth = 0;
        let mut ahead = Ahead::new(bytes, 0).past_whitespace(bytes);
        'value: loop {
            // At the first byte of a value, or of the key before it.
            if is_object {
                let quote = ahead.at;
                if ahead.byte() != b'"' {
                    return self.unexpected(quote, Syntax::Key);
                }
                let start = quote + 1;
                let (end, words) = key_end(bytes, start);
                let length = end - start;
                if byte(bytes, end) == b'"' {
                    if length > self.bounds.key {
                        return self.over(quote, Excess::Key(self.bounds.key));
                    }
                    let hash = hash(words, length);
                    seen.add(hash);
                    // Positions fit 32 bits: the input's length does.
                    push!(self, list, tokens, next, Token::key(start as u32, length as u32, hash), quote);
                    ahead = Ahead::new(bytes, end + 1);
                } else {
                    let (token, after) = self.decoded_key(quote, end)?;
                    seen.add(token.more);
                    push!(self, list, tokens, next, token, quote);
                    ahead = Ahead::new(bytes, after);
                }
                if ahead.byte() != b':' {
                    ahead = self.late_colon(ahead.at)?;
                }
                ahead = ahead.past_one().past_whitespace(bytes);
            }
            let place = ahead.at;
            match ahead.byte() {
                b'"' => {
                    let start = place + 1;
                    let end = text_end(bytes, start);
                    if byte(bytes, end) == b'"' {
                        let length = end - start;
                        push!(self, list, tokens, next, Token::string(start as u32, length as u32), place);
                        ahead = Ahead::new(bytes, end + 1);
                    } else {
                        let (token, after) = self.decoded(place, end)?;
                        push!(self, list, tokens, next, token, place);
                        ahead = Ahead::new(bytes, after);
                    }
                }
                b'-' | b'0'..=b'9' => {
                    let (token, after) = match short_integer(bytes, place) {
                        Some(integer) => integer,
                        None => self.any_number(place)?,
                    };
                    push!(self, list, tokens, next, token, place);
                    ahead = Ahead::new(bytes, after);
                }
                opening @ (b'{' | b'[') => {
                    let opens_object = opening == b'{';
                    let (kind, closing) =
                        if opens_object { (Kind::Object, b'}') } else { (Kind::Array, b']') };
                    // As many tokens as can be numbered: there are no more than bytes.
                    let container = next as u32;
                    push!(self, list, tokens, next, Token::container(kind, container + 1), place);
                    ahead = ahead.past_one().past_whitespace(bytes);
                    if ahead.byte() == closing {
                        ahead = ahead.past_one();
                    } else {
                        // Its children would be two levels below those that are open.
                        if depth + 2 > self.bounds.depth {
                            return self.over(place, Excess::Depth(self.bounds.depth));
                        }
                        if depth >= self.aside.levels.len() {
                            self.deepen();
                        }
                        if let Some(level) = self.aside.levels.get_mut(depth) {
                            *level = Level { seen, open, is_object };
                        }
                        if let Some(around) = tokens.get_mut(open as usize) {
                            around.length = count;
                        }
                        depth += 1;
                        (open, count, seen, is_object) = (container, 0, Seen::NONE, opens_object);
                        continue 'value;
                    }
                }
                b't' => {
                    push!(self, list, tokens, next, Token::boolean(true), place);
                    ahead = self.literal(bytes, ahead, "true")?;
                }
                b'f' => {
                    push!(self, list, tokens, next, Token::boolean(false), place);
                    ahead = self.literal(bytes, ahead, "false")?;
                }
                b'n' => {
                    push!(self, list, tokens, next, Token::NULL, place);
                    ahead = self.literal(bytes, ahead, "null")?;
                }
                _ => return self.unexpected(place, Syntax::Value),
            }
            // A value has been read: what follows it in its container, and behind that one if it is closed.
            loop {
                ahead = ahead.past_whitespace(bytes);
                if open == NONE {
                    return if ahead.at >= bytes.len() {
                        Ok(next)
                    } else {
                        self.stop(ahead.at, Syntax::Trailing)
                    };
                }
                count += 1;
                match ahead.byte() {
                    b',' => {
                        ahead = ahead.past_one().past_whitespace(bytes);
                        continue 'value;
                    }
                    b'}' if is_object => {
                        if !seen.are_surely_distinct(count) {
                            count = self.settle_keys(tokens, next, open, count)?;
                        }
                    }
                    b']' if !is_object => {
                        if count > FEW && next - open as usize - 1 != count as usize {
                            self.parts(tokens).index_items(open, count);
                        }
                    }
                    _ if is_object => return self.unexpected(ahead.at, Syntax::CommaOrBrace),
                    _ => return self.unexpected(ahead.at, Syntax::CommaOrBracket),
                }
                if let Some(container) = tokens.get_mut(open as usize) {
                    (container.length, container.place) = (count, next as u32);
                }
                depth -= 1;
                let around = self.aside.levels.get(depth).unwrap_or(&Level::OUTSIDE);
                Level { seen, open, is_object } = *around;
                count = tokens.get(open as usize).map_or(0, |container| container.length);
                ahead = ahead.past_one();
            }
        }
    }

    /// Makes the list longer, for a token that begins at `place`; all of it.
    #[inline(never)]
    fn lengthen<'l>(&mut self, list: &'l mut Vec<Token>, place: usize) -> Result<&'l mut [Token], Stopped> {
        let most = self.bounds.tokens;
        if list.len() >= most {
            return self.over(place, Excess::Values(most));
        }
        list.resize((list.len() * 2).max(FIRST_TOKENS).min(most), Token::NULL);
        Ok(list)
    }

    #[inline(never)]
    fn deepen(&mut self) {
        self.aside.levels.push(Level::OUTSIDE);
    }

    /// A string whose opening quote is at `quote` and that an escape interrupts at `at`, or that is none; the place after it.
    #[inline(never)]
    fn decoded(&mut self, quote: usize, at: usize) -> Result<(Token, usize), Stopped> {
        let decoded = &mut self.aside.decoded;
        let begin = decoded.len();
        match decode(self.text, quote + 1, at, decoded) {
            Ok(end) => {
                let length = decoded.len() - begin;
                Ok((Token::string(begin as u32, length as u32).decoded(), end + 1))
            }
            Err(fault) => self.fail(fault),
        }
    }

    #[inline(never)]
    fn any_number(&mut self, place: usize) -> Result<(Token, usize), Stopped> {
        number(self.text, place).or_else(|fault| self.fail(fault))
    }

    /// As [`Reader::decoded`], of a key.
    #[inline(never)]
    fn decoded_key(&mut self, quote: usize, at: usize) -> Result<(Token, usize), Stopped> {
        let (text, after) = self.decoded(quote, at)?;
        if text.length as usize > self.bounds.key {
            return self.over(quote, Excess::Key(self.bounds.key));
        }
        self.aside.origins.push((text.place, quote as u32));
        let hash = keys::hash_of(self.parts(&mut []).text(text).as_bytes());
        Ok((Token::key(text.place, text.length, hash).decoded(), after))
    }

    /// At the colon that follows a key, and whitespace at `at`.
    #[inline(never)]
    fn late_colon(&mut self, at: usize) -> Result<Ahead, Stopped> {
        let bytes = self.text.as_bytes();
        let at = past_run(bytes, at);
        if byte(bytes, at) == b':' { Ok(Ahead::new(bytes, at)) } else { self.unexpected(at, Syntax::Colon) }
    }

    /// Past a value that is spelled by a name.
    #[inline(always)]
    fn literal(&mut self, bytes: &[u8], ahead: Ahead, name: &'static str) -> Result<Ahead, Stopped> {
        if ahead.begins_with(name.as_bytes()) {
            Ok(Ahead::new(bytes, ahead.at + name.len()))
        } else {
            self.late_literal(name, ahead.at)
        }
    }

    /// A literal of which not all was looked at; or none.
    #[inline(never)]
    fn late_literal(&mut self, name: &str, place: usize) -> Result<Ahead, Stopped> {
        let bytes = self.text.as_bytes();
        if Ahead::new(bytes, place).begins_with(name.as_bytes()) {
            return Ok(Ahead::new(bytes, place + name.len()));
        }
        let rest = bytes.get(place..).unwrap_or_default();
        let same = rest.iter().zip(name.as_bytes()).take_while(|(found, wanted)| found == wanted).count();
        if same == rest.len() { self.stop(bytes.len(), Syntax::End) } else { self.stop(place, Syntax::Value) }
    }

    #[inline(never)]
    fn settle_keys(
        &mut self,
        tokens: &mut [Token],
        next: usize,
        open: u32,
        count: u32,
    ) -> Result<u32, Stopped> {
        let duplicates = self.duplicates;
        // Those behind it are of another reading.
        let read = tokens.get_mut(..next).unwrap_or_default();
        keys::settle(&mut self.parts(read), open, count, duplicates).or_else(|fault| self.fail(fault))
    }

    fn parts<'p>(&'p mut self, read: &'p mut [Token]) -> Parts<'p> {
        Parts { text: self.text, tokens: read, aside: self.aside }
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
        self.fail(Fault::unexpected(self.text.as_bytes(), place, wanted))
    }

    #[cold]
    fn over<T>(&mut self, place: usize, excess: Excess) -> Result<T, Stopped> {
        self.fail(Fault::over(place, excess))
    }
}

impl Parts<'_> {
    /// Indexes the items of the array at `at`, whose `count` items end the tape: they are many and of several tokens.
    #[inline(never)]
    fn index_items(&mut self, at: u32, count: u32) {
        let begin = self.aside.index.len() as u32;
        let mut next = at + 1;
        for _ in 0..count {
            self.aside.index.push(next);
            next = self.token(next).after(next);
        }
        self.set_index(at, begin);
    }
}
