//! The tape: an instance straight from bytes of JSON.
//!
//! In: bytes, of which nothing is known. Out: a [`Document`], whose root is an [`Instance`](super::Instance) for the
//! engine; or the [`Fault`] that stopped the reading. One pass, after one that proves the bytes UTF-8.
//!
//! ```text
//! bytes ──scan, number, decode──▶ lex ──▶ tokens ──keys──▶ document ──instance──▶ engine
//!                                                               └──build──▶ serde_json::Value
//! ```
//!
//! A string or a number is a slice of the input; what has escapes is decoded once, beside the tape. Numbers are exact
//! whatever their size, since their text is at hand.
//!
//! # Size
//!
//! A token is sixteen bytes, and a value or a key takes one; a child of a wide container takes four bytes of index where
//! it is several tokens, or a member. The most for its bytes is an item `[1],`: nine for each byte of input. Decoded texts
//! are no longer than the input. A growing vector doubles, and holds the half besides while it does. Real documents take
//! 1.2 bytes a byte. [`limits`](crate::limits) bound the input's length, depth, number of tokens and keys' length before they
//! are kept.

mod ahead;
mod build;
mod decode;
mod fault;
mod instance;
mod keys;
mod lex;
mod number;
mod scan;
mod token;

pub(crate) use build::to_value;
pub(crate) use fault::{Excess, Fault, Syntax, What};
pub(crate) use instance::TapeValue;

use crate::limits::Limits;
use lex::Level;
use token::Token;

/// What becomes of an object two of whose members have one key, which RFC 8259 §4 leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DuplicateKeys {
    /// The last of them is the member, as in `serde_json::Value`.
    #[default]
    LastWins,
    /// The bytes are refused: whoever reads them otherwise would see a value that was never checked.
    Refuse,
}

/// Memory for reading bytes, kept between readings.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    /// Those of the text that was read, and behind them what longer ones have left.
    tokens: Vec<Token>,
    aside: Aside,
}

/// What lies beside the tokens.
#[derive(Debug, Default)]
struct Aside {
    decoded: String,
    /// Where decoded keys begin: among the decoded texts, and in the input. In the order of both.
    origins: Vec<(u32, u32)>,
    index: Vec<u32>,
    sorting: Vec<u64>,
    /// The containers that are open, outside the innermost; behind them those of earlier ones.
    levels: Vec<Level>,
}

/// A tape while a text is written to it.
struct Parts<'t> {
    text: &'t str,
    tokens: &'t mut [Token],
    aside: &'t mut Aside,
}

/// Bytes that were read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document<'t> {
    text: &'t str,
    tokens: &'t [Token],
    decoded: &'t str,
    index: &'t [u32],
}

impl Tape {
    /// Reads bytes as one JSON value. Linear in the bytes, but for objects of many members, which are sorted.
    pub(crate) fn read<'t>(
        &'t mut self,
        bytes: &'t [u8],
        limits: &Limits,
        duplicates: DuplicateKeys,
    ) -> Result<Document<'t>, Fault> {
        self.aside.clear();
        let most = limits.get_instance_bytes();
        if bytes.len() > most {
            return Err(Fault::over(most, Excess::Bytes(most)));
        }
        let text = utf8(bytes)?;
        let count = lex::read(text, &mut self.tokens, &mut self.aside, limits, duplicates)?;
        let tokens = self.tokens.get(..count).unwrap_or_default();
        Ok(Document { text, tokens, decoded: &self.aside.decoded, index: &self.aside.index })
    }

    /// Bytes that are kept.
    pub(crate) fn memory_usage(&self) -> usize {
        self.tokens.capacity() * size_of::<Token>() + self.aside.memory_usage()
    }
}

impl Aside {
    fn clear(&mut self) {
        self.decoded.clear();
        self.origins.clear();
        self.index.clear();
    }

    fn memory_usage(&self) -> usize {
        self.decoded.capacity()
            + self.origins.capacity() * size_of::<(u32, u32)>()
            + self.index.capacity() * size_of::<u32>()
            + self.sorting.capacity() * size_of::<u64>()
            + self.levels.capacity() * size_of::<Level>()
    }
}

impl Parts<'_> {
    /// What a string or a key stands for.
    #[inline(always)]
    fn text(&self, token: Token) -> &str {
        slice(self.text, &self.aside.decoded, token)
    }

    /// Where a key begins in the input, its quote included.
    #[cold]
    fn key_offset(&self, key: Token) -> usize {
        if !key.is_decoded() {
            // The quote is before it.
            return (key.place as usize).saturating_sub(1);
        }
        // An empty text may begin where the next one does, so the first of them is not sure to be meant; no key is
        // empty that has an escape.
        let found = self.aside.origins.binary_search_by_key(&key.place, |(decoded, _)| *decoded);
        found.ok().and_then(|at| self.aside.origins.get(at)).map_or(0, |(_, offset)| *offset as usize)
    }
}

impl<'t> Document<'t> {
    /// The value that the bytes spell.
    pub(crate) fn root(&self) -> TapeValue<'_> {
        TapeValue::new(self, 0)
    }

    /// Tokens of the tape: values, and the keys of members.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The token at a place; null past the end, where no handle leads.
    #[inline(always)]
    fn token(&self, at: u32) -> Token {
        self.tokens.get(at as usize).copied().unwrap_or(Token::NULL)
    }

    /// What a string or a key stands for.
    #[inline(always)]
    fn text(&self, token: Token) -> &'t str {
        slice(self.text, self.decoded, token)
    }

    /// The bytes of a string or a key: without a look at where its characters end.
    #[inline(always)]
    fn bytes(&self, token: Token) -> &'t [u8] {
        if token.is_decoded() {
            return self.decoded_bytes(token);
        }
        let begin = token.place as usize;
        match self.text.as_bytes().get(begin..begin + token.length as usize) {
            Some(bytes) => bytes,
            // Every token lies within its text.
            None => &[],
        }
    }

    #[cold]
    fn decoded_bytes(&self, token: Token) -> &'t [u8] {
        let begin = token.place as usize;
        self.decoded.as_bytes().get(begin..begin + token.length as usize).unwrap_or_default()
    }

    /// The text of a number that is held so.
    #[inline(always)]
    fn number(&self, token: Token) -> &'t str {
        slice(self.text, "", token)
    }
}

/// The bytes as text. The quicker check does not say where it failed.
#[inline(always)]
fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    let text = simdutf8::basic::from_utf8(bytes).or_else(|_| std::str::from_utf8(bytes));
    text.map_err(|error| Fault::new(error.valid_up_to(), Syntax::Utf8))
}

#[inline(always)]
fn slice<'t>(text: &'t str, decoded: &'t str, token: Token) -> &'t str {
    let begin = token.place as usize;
    let from = if token.is_decoded() { decoded } else { text };
    // Every token's ends lie at characters' ends: at quotes, at digits, or where a decoded text does.
    from.get(begin..begin + token.length as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests;
