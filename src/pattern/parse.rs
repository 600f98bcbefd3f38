//! ECMA-262's pattern grammar with the flag `u` (§22.2.1), read once from left to right.
//!
//! In: a pattern's source. Out: events to a [`Sink`], or the first thing that ECMA-262 refuses. Time is linear
//! in the source; memory is a bit a level of nesting plus a table of the groups' names, at most [`SYNTAX_BYTES`], so
//! that a string of any size can be judged. Without named groups, and to 64 levels, nothing is allocated. Nothing
//! recurses.
//!
//! One stated leniency: `\` before any ASCII punctuation is that character (`\-`, `\_`, `\"`), as without the
//! flag. Schemas in the field are full of such escapes, and their meaning is beyond doubt. One stated
//! strictness: two groups of one name are refused even where ECMA-262 allows them (in different branches).

use std::borrow::Cow;
use std::collections::HashMap;

use super::ast::{Assertion, Ast, Builder, Group, Look, Shorthand, Sink, Target};
use super::error::{PatternError, Reason};
use super::property::{self, Property};
use crate::limits::SYNTAX_BYTES;

/// Bytes of [`SYNTAX_BYTES`] that a group's name takes, in the tables of names while they grow.
const NAME_BYTES: usize = 128;

/// The tree of `source`.
pub(super) fn parse(source: &str) -> Result<Ast, PatternError> {
    let mut parser = Parser::new(source, Builder::new());
    let names = parser.pattern()?;
    Ok(parser.sink.finish(parser.groups, &names))
}

/// Whether `source` is a pattern.
pub(super) fn judge(source: &str) -> Result<(), PatternError> {
    Parser::new(source, ()).pattern().map(|_| ())
}

/// Whether the last term may be repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Atom,
    /// `^`, `\b`, a look-around: with `u` none of them may be repeated.
    Assertion,
}

struct Parser<'s, S> {
    source: &'s str,
    at: usize,
    sink: S,
    /// For each open group, whether it is an atom: a look-around is none.
    open: Levels,
    groups: u32,
    /// Bytes that names and levels may still take.
    bytes_left: usize,
    names: HashMap<Cow<'s, str>, u32>,
    /// By a name's number: its group, and where the name was first met.
    named: Vec<(Option<u32>, usize)>,
    /// The highest group that a reference names by number, and where.
    highest: Option<(u32, usize)>,
}

/// Bits, the last ones in place.
#[derive(Default)]
struct Levels {
    full: Vec<u64>,
    last: u64,
    /// Bits of `last` that count.
    held: u32,
}

impl Levels {
    /// Whether a further level takes further memory.
    fn is_full(&self) -> bool {
        self.held == u64::BITS
    }

    fn push(&mut self, bit: bool) {
        if self.is_full() {
            self.full.push(std::mem::take(&mut self.last));
            self.held = 0;
        }
        self.last = self.last << 1 | u64::from(bit);
        self.held += 1;
    }

    fn pop(&mut self) -> Option<bool> {
        if self.held == 0 {
            self.last = self.full.pop()?;
            self.held = u64::BITS;
        }
        let bit = self.last & 1 == 1;
        self.last >>= 1;
        self.held -= 1;
        Some(bit)
    }

    fn is_empty(&self) -> bool {
        self.held == 0 && self.full.is_empty()
    }
}

/// What one escape stands for.
enum Escaped {
    Code(u32),
    Shorthand(Shorthand, bool),
    Property(Property, bool),
}

type Parsed<T> = Result<T, PatternError>;

impl<'s, S: Sink> Parser<'s, S> {
    fn new(source: &'s str, sink: S) -> Self {
        Parser {
            source,
            at: 0,
            sink,
            open: Levels::default(),
            groups: 0,
            bytes_left: SYNTAX_BYTES,
            names: HashMap::new(),
            named: Vec::new(),
            highest: None,
        }
    }

    fn peek(&self) -> Option<char> {
        self.source.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.source.get(self.at..).is_some_and(|rest| rest.starts_with(text));
        if found {
            self.at += text.len();
        }
        found
    }

    /// Reads while `wanted` holds.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'s str {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Everything; the answer is the group of each name.
    fn pattern(&mut self) -> Parsed<Vec<u32>> {
        let mut last = Last::Nothing;
        loop {
            let at = self.at;
            let fail = |reason| Err(PatternError::new(reason, Some(at)));
            let Some(c) = self.next() else { break };
            last = match c {
                '|' => {
                    self.sink.branch();
                    Last::Nothing
                }
                '^' => self.assert(Assertion::Start),
                '$' => self.assert(Assertion::End),
                '(' => {
                    let group = self.group(at)?;
                    self.sink.open(group).map_err(|reason| PatternError::new(reason, Some(at)))?;
                    if self.open.is_full() {
                        self.take_bytes(size_of::<u64>(), at)?;
                    }
                    self.open.push(!matches!(group, Group::Look(_)));
                    Last::Nothing
                }
                ')' => {
                    let Some(atom) = self.open.pop() else { return fail(Reason::GroupUnopened) };
                    self.sink.close();
                    if atom { Last::Atom } else { Last::Assertion }
                }
                '[' => {
                    self.class(at)?;
                    Last::Atom
                }
                '.' => {
                    self.sink.class();
                    self.sink.member_shorthand(Shorthand::LineEnd, false);
                    self.end_class(true, at)?;
                    Last::Atom
                }
                '\\' => self.atom_escape(at)?,
                '*' | '+' | '?' => {
                    let (min, max) = match c {
                        '*' => (0, None),
                        '+' => (1, None),
                        _ => (0, Some(1)),
                    };
                    self.quantify(last, min, max, at)?
                }
                '{' => {
                    let Some((min, max)) = self.braces(at)? else { return fail(Reason::Bracket) };
                    self.quantify(last, min, max, at)?
                }
                '}' | ']' => return fail(Reason::Bracket),
                _ => {
                    self.sink.char(u32::from(c));
                    Last::Atom
                }
            };
        }
        self.end()
    }

    /// What can only be known at the end: that groups are closed, and that references name groups.
    fn end(&mut self) -> Parsed<Vec<u32>> {
        if !self.open.is_empty() {
            return Err(PatternError::new(Reason::GroupOpen, Some(self.at)));
        }
        if let Some((group, at)) = self.highest
            && group > self.groups
        {
            return Err(PatternError::new(Reason::UnknownGroup, Some(at)));
        }
        let unknown = |at: usize| PatternError::new(Reason::UnknownGroup, Some(at));
        self.named.iter().map(|&(group, at)| group.ok_or_else(|| unknown(at))).collect()
    }

    fn assert(&mut self, assertion: Assertion) -> Last {
        self.sink.assert(assertion);
        Last::Assertion
    }

    fn end_class(&mut self, negative: bool, at: usize) -> Parsed<()> {
        self.sink.end_class(negative).map_err(|reason| PatternError::new(reason, Some(at)))
    }

    /// After `(`.
    fn group(&mut self, at: usize) -> Parsed<Group> {
        if !self.eat("?") {
            self.groups += 1;
            return Ok(Group::Capture(self.groups));
        }
        for (sign, behind, negative) in
            [("=", false, false), ("!", false, true), ("<=", true, false), ("<!", true, true)]
        {
            if self.eat(sign) {
                return Ok(Group::Look(Look { behind, negative }));
            }
        }
        if self.eat(":") {
            return Ok(Group::Plain);
        }
        if self.peek() != Some('<') {
            return Err(PatternError::new(Reason::GroupKind, Some(at)));
        }
        let name_at = self.at;
        let name = self.name()?;
        self.groups += 1;
        match self.named.get_mut(name as usize) {
            Some((group @ None, _)) => *group = Some(self.groups),
            Some((Some(_), _)) | None => return Err(PatternError::new(Reason::DuplicateName, Some(name_at))),
        }
        Ok(Group::Capture(self.groups))
    }

    /// `<name>`; the answer is the name's number.
    fn name(&mut self) -> Parsed<u32> {
        let at = self.at;
        let fail = || PatternError::new(Reason::Name, Some(at));
        if !self.eat("<") {
            return Err(fail());
        }
        let (source, start) = (self.source, self.at);
        let mut is_first = true;
        // Only a name that is written with escapes is spelled out.
        let mut spelled: Option<String> = None;
        let name = loop {
            let before = self.at;
            let so_far = || source.get(start..before).unwrap_or_default();
            let c = match self.next() {
                Some('>') if !is_first => break spelled.map_or_else(|| Cow::Borrowed(so_far()), Cow::Owned),
                Some('\\') if self.eat("u") => {
                    if spelled.is_none() {
                        self.take_bytes(so_far().len(), at)?;
                        spelled = Some(so_far().to_owned());
                    }
                    self.unicode().and_then(char::from_u32).ok_or_else(fail)?
                }
                Some(c) => c,
                None => return Err(fail()),
            };
            let fits = if is_first { property::starts_name(c) } else { property::continues_name(c) };
            if !fits {
                return Err(fail());
            }
            is_first = false;
            if let Some(name) = &mut spelled {
                self.take_bytes(c.len_utf8(), at)?;
                name.push(c);
            }
        };
        // Names are fewer than bytes of source; a source past four gigabytes has run out of groups before.
        let next = u32::try_from(self.named.len()).map_err(|_| fail())?;
        let number = *self.names.entry(name).or_insert(next);
        if number == next {
            self.take_bytes(NAME_BYTES, at)?;
            self.named.push((None, at));
        }
        Ok(number)
    }

    /// Charges for what names or levels keep.
    fn take_bytes(&mut self, bytes: usize, at: usize) -> Parsed<()> {
        let left = self.bytes_left.checked_sub(bytes);
        self.bytes_left = left.ok_or(PatternError::new(Reason::Names, Some(at)))?;
        Ok(())
    }

    fn quantify(&mut self, last: Last, min: u32, max: Option<u32>, at: usize) -> Parsed<Last> {
        if last != Last::Atom {
            return Err(PatternError::new(Reason::NothingToRepeat, Some(at)));
        }
        let lazy = self.eat("?");
        self.sink.repeat(min, max, lazy);
        Ok(Last::Nothing)
    }

    /// `n}`, `n,}` or `n,m}`, after the opening brace. A count past `u32` is taken as its maximum, which no
    /// string reaches.
    fn braces(&mut self, at: usize) -> Parsed<Option<(u32, Option<u32>)>> {
        let number = |digits: &str| digits.parse().unwrap_or(u32::MAX);
        let min = self.take(|c| c.is_ascii_digit());
        if min.is_empty() {
            return Ok(None);
        }
        if self.eat("}") {
            return Ok(Some((number(min), Some(number(min)))));
        }
        if !self.eat(",") {
            return Ok(None);
        }
        let max = self.take(|c| c.is_ascii_digit());
        if !self.eat("}") {
            return Ok(None);
        }
        if max.is_empty() {
            return Ok(Some((number(min), None)));
        }
        let size = |digits: &'s str| {
            let digits = digits.trim_start_matches('0');
            (digits.len(), digits)
        };
        if size(max) < size(min) {
            return Err(PatternError::new(Reason::RepeatOrder, Some(at)));
        }
        Ok(Some((number(min), Some(number(max)))))
    }

    /// After a backslash outside a class.
    fn atom_escape(&mut self, at: usize) -> Parsed<Last> {
        match self.peek() {
            Some('b') => {
                self.at += 1;
                return Ok(self.assert(Assertion::WordBoundary));
            }
            Some('B') => {
                self.at += 1;
                return Ok(self.assert(Assertion::NotWordBoundary));
            }
            Some('k') => {
                self.at += 1;
                let name = self.name()?;
                self.sink.reference(Target::Name(name));
            }
            Some('1'..='9') => {
                let group = self.take(|c| c.is_ascii_digit()).parse().unwrap_or(u32::MAX);
                if self.highest.is_none_or(|(highest, _)| group > highest) {
                    self.highest = Some((group, at));
                }
                self.sink.reference(Target::Group(group));
            }
            _ => match self.escape(at)? {
                Escaped::Code(code) => self.sink.char(code),
                set @ (Escaped::Shorthand(..) | Escaped::Property(..)) => {
                    self.sink.class();
                    self.member(&set, at)?;
                    self.end_class(false, at)?;
                }
            },
        }
        Ok(Last::Atom)
    }

    /// After a backslash, where a class may stand too.
    fn escape(&mut self, at: usize) -> Parsed<Escaped> {
        let fail = |reason| Err(PatternError::new(reason, Some(at)));
        let Some(c) = self.next() else { return fail(Reason::EscapeEnd) };
        let code = match c {
            'd' => return Ok(Escaped::Shorthand(Shorthand::Digit, false)),
            'D' => return Ok(Escaped::Shorthand(Shorthand::Digit, true)),
            'w' => return Ok(Escaped::Shorthand(Shorthand::Word, false)),
            'W' => return Ok(Escaped::Shorthand(Shorthand::Word, true)),
            's' => return Ok(Escaped::Shorthand(Shorthand::Space, false)),
            'S' => return Ok(Escaped::Shorthand(Shorthand::Space, true)),
            'p' | 'P' => {
                let name = if self.eat("{") { self.take(|c| c != '}') } else { "" };
                let property = if self.eat("}") { Property::parse(name) } else { None };
                return match property {
                    Some(property) => Ok(Escaped::Property(property, c == 'P')),
                    None => fail(Reason::Property),
                };
            }
            't' => Some(0x09),
            'n' => Some(0x0A),
            'v' => Some(0x0B),
            'f' => Some(0x0C),
            'r' => Some(0x0D),
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => Some(0),
            'c' => self.next().filter(char::is_ascii_alphabetic).map(|letter| u32::from(letter) % 32),
            'x' => return self.hex(2).map(Escaped::Code).map_or_else(|| fail(Reason::CodePoint), Ok),
            'u' => return self.unicode().map(Escaped::Code).map_or_else(|| fail(Reason::CodePoint), Ok),
            // ECMA-262 has the syntax characters and `/` here; the rest is the leniency that the head states.
            _ if c.is_ascii_punctuation() => Some(u32::from(c)),
            _ => None,
        };
        code.map(Escaped::Code).map_or_else(|| fail(Reason::Escape), Ok)
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.source.get(self.at..self.at + digits)?;
        if !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.at += digits;
        u32::from_str_radix(text, 16).ok()
    }

    /// After `\u`: four digits, a pair of surrogates of four digits each, or braces.
    fn unicode(&mut self) -> Option<u32> {
        if self.eat("{") {
            let digits = self.take(|c| c.is_ascii_hexdigit());
            if digits.is_empty() || !self.eat("}") {
                return None;
            }
            let digits = digits.trim_start_matches('0');
            // Nothing left is zero itself.
            let code = if digits.is_empty() { Ok(0) } else { u32::from_str_radix(digits, 16) };
            return code.ok().filter(|&code| code <= 0x10_FFFF);
        }
        let first = self.hex(4)?;
        let after = self.at;
        if (0xD800..0xDC00).contains(&first) {
            if self.eat("\\u")
                && let Some(second @ 0xDC00..0xE000) = self.hex(4)
            {
                return Some(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
            }
            self.at = after;
        }
        Some(first)
    }

    /// After `[`.
    fn class(&mut self, at: usize) -> Parsed<()> {
        let fail = |reason, at| Err(PatternError::new(reason, Some(at)));
        let negative = self.eat("^");
        self.sink.class();
        loop {
            if self.eat("]") {
                return self.end_class(negative, at);
            }
            let member_at = self.at;
            let Some(first) = self.class_atom()? else { return fail(Reason::ClassOpen, at) };
            let dash = self.at;
            // A dash before the closing bracket is a member.
            if !self.eat("-") || self.peek() == Some(']') {
                self.at = dash;
                self.member(&first, member_at)?;
                continue;
            }
            let Some(last) = self.class_atom()? else { return fail(Reason::ClassOpen, at) };
            match (first, last) {
                (Escaped::Code(first), Escaped::Code(last)) if first <= last => {
                    self.sink.member_range(first, last);
                }
                (Escaped::Code(_), Escaped::Code(_)) => return fail(Reason::ClassOrder, member_at),
                (Escaped::Shorthand(..) | Escaped::Property(..), _)
                | (_, Escaped::Shorthand(..) | Escaped::Property(..)) => {
                    return fail(Reason::ClassBound, member_at);
                }
            }
        }
    }

    fn class_atom(&mut self) -> Parsed<Option<Escaped>> {
        let at = self.at;
        match self.next() {
            None => Ok(None),
            Some('\\') if self.eat("b") => Ok(Some(Escaped::Code(0x08))),
            Some('\\') => self.escape(at).map(Some),
            Some(c) => Ok(Some(Escaped::Code(u32::from(c)))),
        }
    }

    fn member(&mut self, member: &Escaped, at: usize) -> Parsed<()> {
        match *member {
            Escaped::Code(code) => self.sink.member_range(code, code),
            Escaped::Shorthand(shorthand, negative) => self.sink.member_shorthand(shorthand, negative),
            Escaped::Property(property, negative) => {
                let added = self.sink.member_property(property, negative);
                return added.map_err(|reason| PatternError::new(reason, Some(at)));
            }
        }
        Ok(())
    }
}
