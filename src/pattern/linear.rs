//! Regular patterns, run by `regex-automata`, the engine inside the `regex` crate: it takes its cache from outside.
//!
//! In: a tree without look-arounds and back-references. Out: its text in the `regex` crate's syntax, compiled
//! within `Limits::pattern_bytes`, and the price of a match, beside which what is written to its cache is paid ([`Caches`]). Every class is written out in code points, so that
//! nothing in the text means something else in that syntax (`&&`, `[[:alpha:]]`, `(?P<`); groups capture
//! nothing. The text can grow by the ranges of its sets, and stops at the compiled limit: what is longer as
//! text would not compile within it.

use std::fmt::Write as _;

use regex_automata::Input;
use regex_automata::meta::{Config, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;

use super::ast::{Assertion, NEST, Node};
use super::caches::{AutomatonId, Caches};
use super::error::Reason;
use super::nfa::Program;
use super::price::{LAZY_DFA, Price};
use crate::limits::{Exhausted, Meter};

/// Levels of the `regex` crate's syntax tree: a group of ours is at most a group, an alternation, a
/// concatenation, a repetition and a class there.
const REGEX_NEST: u32 = 5 * NEST as u32 + 5;

#[derive(Debug)]
pub(super) struct Linear {
    regex: Regex,
    id: AutomatonId,
    price: Price,
}

impl Linear {
    /// `program` is the same pattern's, for the price.
    pub(super) fn new(node: &Node, program: &Program, pattern_bytes: usize) -> Result<Linear, Reason> {
        let mut text = String::new();
        write(node, &mut text, pattern_bytes)?;
        let config = Config::new()
            .nfa_size_limit(Some(pattern_bytes))
            .hybrid_cache_capacity(LAZY_DFA)
            .which_captures(WhichCaptures::None)
            // Its stack has no limit of its own.
            .backtrack(false);
        let regex = Regex::builder()
            .configure(config)
            .syntax(syntax::Config::new().nest_limit(REGEX_NEST))
            .build(&text)
            // The text is well-formed, so size is the only reason left.
            .map_err(|_| Reason::Large)?;
        Ok(Linear { regex, id: AutomatonId::fresh(), price: Price::of(program) })
    }

    pub(super) fn is_match(
        &self,
        text: &str,
        meter: &mut Meter,
        caches: &mut Caches,
    ) -> Result<bool, Exhausted> {
        meter.charge(self.price.steps(text.len()))?;
        let search = |cache: &mut _| self.regex.is_match_with(cache, &Input::new(text));
        let (found, written) = caches.run(self.id, || self.regex.create_cache(), search);
        // Known only now; one match writes no more than a lazy DFA may take.
        meter.charge(written.creation_steps())?;
        match self.price {
            Price::Quick => meter.charge(written.growth_steps())?,
            // A new state at every byte is in the price.
            Price::Slow(_) => {}
        }
        Ok(found)
    }

    pub(super) fn price(&self) -> Price {
        self.price
    }
}

/// Appends `node` in the `regex` crate's syntax; the depth is the tree's.
fn write(node: &Node, text: &mut String, cap: usize) -> Result<(), Reason> {
    if text.len() > cap {
        return Err(Reason::Large);
    }
    match node {
        Node::Empty => text.push_str("(?:)"),
        Node::Char(c) => write_char(*c, text),
        Node::Set(set) if set.ranges().is_empty() => text.push_str(r"[^\x{0}-\x{10FFFF}]"),
        Node::Set(set) => {
            text.push('[');
            for &(first, last) in set.ranges() {
                write_char(first, text);
                text.push('-');
                write_char(last, text);
            }
            text.push(']');
        }
        Node::Assert(Assertion::Start) => text.push_str(r"\A"),
        Node::Assert(Assertion::End) => text.push_str(r"\z"),
        Node::Assert(Assertion::WordBoundary) => text.push_str(r"(?-u:\b)"),
        Node::Assert(Assertion::NotWordBoundary) => text.push_str(r"(?-u:\B)"),
        Node::Concat(nodes) => {
            for node in nodes {
                write(node, text, cap)?;
            }
        }
        Node::Alternate(nodes) => {
            for (index, node) in nodes.iter().enumerate() {
                text.push_str(if index == 0 { "(?:" } else { "|" });
                write(node, text, cap)?;
            }
            text.push(')');
        }
        Node::Repeat { node, min, max, .. } => {
            text.push_str("(?:");
            write(node, text, cap)?;
            // Writing to a string does not fail.
            let _ = match max {
                Some(max) => write!(text, "){{{min},{max}}}"),
                None => write!(text, "){{{min},}}"),
            };
        }
        Node::Capture(_, node) => {
            text.push_str("(?:");
            write(node, text, cap)?;
            text.push(')');
        }
        // The plan sends these elsewhere; refusing is what is safe.
        Node::Look(..) | Node::Reference(_) => return Err(Reason::Large),
    }
    Ok(())
}

fn write_char(c: char, text: &mut String) {
    if c.is_ascii_alphanumeric() {
        text.push(c);
    } else {
        // Writing to a string does not fail.
        let _ = write!(text, r"\x{{{:X}}}", u32::from(c));
    }
}
