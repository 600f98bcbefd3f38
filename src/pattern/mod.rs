//! Patterns: ECMA-262 regular expressions with the flag `u`, as JSON Schema has them, matched anywhere in a
//! string.
//!
//! In: a pattern's source, once, at build; then strings. Out: a verdict, or that a limit ran out; never a wrong
//! one. What is not understood is refused at build.
//!
//! ```text
//! source ──parse──▶ ast ──simplify──▶ plan ──▶ plain      a part, words, runs of sets
//!                                        ├──▶ linear     the `regex` crate's engine; price: its DFA in miniature
//!                                        ├──▶ places     look-arounds: bit tables, all states at once
//!                                        └──▶ backtrack  back-references: every move is counted; relax: what a
//!                                                        regular pattern can tell before
//! ```
//!
//! **Syntax.** What ECMA-262 with `u` refuses is refused: `(?P<`, `(?i)`, `\Z`, `\a`, an unescaped `{` or `]`,
//! a repeated look-around. Two exceptions, both stated in [`parse`]: any ASCII punctuation may be escaped, and
//! two groups may not have one name.
//!
//! **Cost.** With a text of `n` bytes and a program of `s` instructions, plain tests take O(n) and linear
//! matches and places O(s·n), charged before they run ([`price`] tells which linear match pays for `s`). Only a
//! back-reference can cost more: there each move is paid for, what all tries of a walk take beyond a few moves a byte
//! has its own limit, and a string past `Limits::backtrack_bytes` is not tried. A warm match allocates nothing: what it needs is kept in the caller's
//! [`Caches`], and only where those had to be dropped is it made anew, and charged.
//!
//! **Size.** The source is limited before it is parsed, nesting and the ranges of its sets while it is parsed,
//! instructions while they are written, and the `regex` crate's program by its own counting.

mod ast;
mod backtrack;
mod caches;
mod error;
mod items;
mod linear;
mod nfa;
mod parse;
mod places;
mod plain;
mod plan;
mod price;
mod property;
mod relax;
mod runs;
mod set;
mod simplify;

pub(crate) use caches::Caches;
pub(crate) use error::PatternError;

use crate::limits::{Exhausted, Limits, Meter};
use error::Reason;
use plan::{Plan, Planned};

/// A pattern that is ready to run. It is `Send` and `Sync`, and holds nothing that a match writes to: matches on
/// several threads do not wait for one another.
#[derive(Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    planned: Planned,
}

impl Pattern {
    /// Compiles `source` within `limits`: its length, its compiled size, and whether it may backtrack.
    ///
    /// Takes time linear in the source and the compiled size together.
    pub(crate) fn new(source: &str, limits: &Limits) -> Result<Pattern, PatternError> {
        if source.len() > limits.get_pattern_source() {
            return Err(PatternError::new(Reason::Long, None));
        }
        let ast = parse::parse(source)?;
        let planned = Planned::new(ast, limits).map_err(|reason| PatternError::new(reason, None))?;
        Ok(Pattern { source: source.into(), planned })
    }

    /// The author's own text.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether `text` holds a match, anywhere. Charges `meter` before it works (a backtracking pattern: as it
    /// works), and is exhausted where that does not suffice, or the text is too long to backtrack over.
    #[inline]
    pub(crate) fn is_match(
        &self,
        text: &str,
        meter: &mut Meter,
        caches: &mut Caches,
        limits: &Limits,
    ) -> Result<bool, Exhausted> {
        // Whatever the test, and where its text is short: a member may meet many.
        meter.charge(1)?;
        if let Plan::Plain(plain) = &self.planned.plan {
            return plain.is_match(text, meter);
        }
        self.planned.plan.is_match(text, meter, caches, limits)
    }

    /// Bytes of the compiled pattern, estimated in the `regex` crate's counting.
    pub(crate) fn size(&self) -> usize {
        self.source.len() + self.planned.size
    }

    /// Instructions of the compiled pattern: what a byte of text can cost, in steps, at most and but for a
    /// constant, unless it backtracks.
    pub(crate) fn states(&self) -> usize {
        self.planned.states
    }

    /// Whether it has back-references, and so may be exhausted on a short text.
    pub(crate) fn backtracks(&self) -> bool {
        self.planned.plan.backtracks()
    }
}

/// Whether `source` is a pattern, for the format `regex`: its syntax alone, under no limit of size.
///
/// Takes time linear in `source`, and no memory but for named groups, names written with escapes, and deep nesting:
/// where those need more than [`SYNTAX_BYTES`](crate::limits::SYNTAX_BYTES), the answer is that a limit ran out.
pub(crate) fn is_valid(source: &str) -> Result<bool, Exhausted> {
    match parse::judge(source) {
        Ok(()) => Ok(true),
        Err(error) if error.is_limit() => Err(Exhausted),
        Err(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests;
