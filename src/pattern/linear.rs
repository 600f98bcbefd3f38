//! Regular patterns, run by the `regex` crate.
//!
//! In: a tree without look-arounds and back-references. Out: its text in the `regex` crate's syntax, compiled
//! within `Limits::pattern_bytes`, and the price of a match. Every class is written out in code points, so that
//! nothing in the text means something else in that syntax (`&&`, `[[:alpha:]]`, `(?P<`); groups capture
//! nothing. The text can grow by the ranges of its sets, and stops at the compiled limit: what is longer as
//! text would not compile within it.

use std::fmt::Write as _;

use regex::{Regex, RegexBuilder};

use super::ast::{Assertion, NEST, Node};
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
    price: Price,
}

impl Linear {
    /// `program` is the same pattern's, for the price.
    pub(super) fn new(node: &Node, program: &Program, pattern_bytes: usize) -> Result<Linear, Reason> {
        let mut text = String::new();
        write(node, &mut text, pattern_bytes)?;
        let regex = RegexBuilder::new(&text)
            .nest_limit(REGEX_NEST)
            .size_limit(pattern_bytes)
            .dfa_size_limit(LAZY_DFA)
            .build()
            // The text is well-formed, so size is the only reason left.
            .map_err(|_| Reason::Large)?;
        Ok(Linear { regex, price: Price::of(program) })
    }

    pub(super) fn is_match(&self, text: &str, meter: &mut Meter) -> Result<bool, Exhausted> {
        meter.charge(self.price.steps(text.len()))?;
        Ok(self.regex.is_match(text))
    }

    #[cfg(test)]
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
