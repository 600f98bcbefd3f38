//! What a pattern says, as a tree.
//!
//! In: the parser's events. Out: an [`Ast`] without shorthands: every class is a set of code points, every
//! reference a group's number. A tree is no deeper than [`NEST`] groups allow (each adds at most four nodes to
//! a path), so that the passes over it may recurse and dropping it cannot overflow a stack. It has at most two
//! nodes a byte of source, and its sets hold at most [`RANGES`] ranges together.

use std::sync::Arc;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::error::Reason;
use super::property;
use super::set::Set;

/// Groups inside one another, in levels. Real patterns stay below ten.
pub(super) const NEST: usize = 64;

/// Code point ranges in all sets of one pattern, counted at each use: half a megabyte.
///
/// `\p{L}` alone has about 650, so a pattern may name such a property a hundred times; what is larger would not
/// fit the compiled limit either.
pub(super) const RANGES: usize = 1 << 16;

/// A condition on a place in the text; it reads nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    Start,
    End,
    WordBoundary,
    NotWordBoundary,
}

impl Assertion {
    /// Whether it holds between `before` and `after`, either of which is absent at that end of the text.
    #[inline]
    pub(super) fn holds(self, before: Option<char>, after: Option<char>) -> bool {
        let boundary = || before.is_some_and(is_word) != after.is_some_and(is_word);
        match self {
            Assertion::Start => before.is_none(),
            Assertion::End => after.is_none(),
            Assertion::WordBoundary => boundary(),
            Assertion::NotWordBoundary => !boundary(),
        }
    }
}

/// ECMA's word characters: without the flag `i` they are ASCII.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What a look-around looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) behind: bool,
    pub(super) negative: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    Char(char),
    Set(Arc<Set>),
    Assert(Assertion),
    Concat(Vec<Node>),
    /// Two branches at least.
    Alternate(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        /// Absent: without end.
        max: Option<u32>,
        lazy: bool,
    },
    /// A group that a reference may name, counted from 1.
    Capture(u32, Box<Node>),
    Look(Look, Box<Node>),
    /// The text of the group of that number.
    Reference(u32),
}

#[derive(Debug)]
pub(super) struct Ast {
    pub(super) root: Node,
    /// Capturing groups.
    pub(super) groups: u32,
    /// Whether any reference names a group: then no regular engine can run it.
    pub(super) refers: bool,
}

/// What opens at a parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Plain,
    Capture(u32),
    Look(Look),
}

/// What a reference names. A name may be defined later in the source, so it has a number of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Group(u32),
    Name(u32),
}

/// Members of a class that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shorthand {
    Digit,
    Word,
    Space,
    /// What `.` excludes.
    LineEnd,
}

impl Shorthand {
    fn ranges(self) -> &'static [(char, char)] {
        match self {
            Shorthand::Digit => &[('0', '9')],
            Shorthand::Word => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
            // ECMA-262 §12.2 and §12.3: TAB, VT, FF, ZWNBSP, every Space_Separator, and the line terminators.
            Shorthand::Space => &[
                ('\t', '\r'),
                (' ', ' '),
                ('\u{a0}', '\u{a0}'),
                ('\u{1680}', '\u{1680}'),
                ('\u{2000}', '\u{200a}'),
                ('\u{2028}', '\u{2029}'),
                ('\u{202f}', '\u{202f}'),
                ('\u{205f}', '\u{205f}'),
                ('\u{3000}', '\u{3000}'),
                ('\u{feff}', '\u{feff}'),
            ],
            Shorthand::LineEnd => &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')],
        }
    }

    fn class(self) -> ClassUnicode {
        ClassUnicode::new(self.ranges().iter().map(|&(first, last)| ClassUnicodeRange::new(first, last)))
    }
}

/// What the parser tells as it reads. `()` listens to nothing: that is how a pattern is only judged.
pub(super) trait Sink {
    fn open(&mut self, group: Group) -> Result<(), Reason>;
    fn close(&mut self);
    fn branch(&mut self);
    /// A code point, which may be a surrogate.
    fn char(&mut self, code: u32);
    fn assert(&mut self, assertion: Assertion);
    fn reference(&mut self, target: Target);
    /// The last term again: `min` to `max` times.
    fn repeat(&mut self, min: u32, max: Option<u32>, lazy: bool);
    /// A class begins; its members follow.
    fn class(&mut self);
    fn member_range(&mut self, first: u32, last: u32);
    fn member_shorthand(&mut self, shorthand: Shorthand, negative: bool);
    fn member_property(&mut self, property: property::Property, negative: bool) -> Result<(), Reason>;
    fn end_class(&mut self, negative: bool) -> Result<(), Reason>;
}

impl Sink for () {
    fn open(&mut self, _: Group) -> Result<(), Reason> {
        Ok(())
    }
    fn close(&mut self) {}
    fn branch(&mut self) {}
    fn char(&mut self, _: u32) {}
    fn assert(&mut self, _: Assertion) {}
    fn reference(&mut self, _: Target) {}
    fn repeat(&mut self, _: u32, _: Option<u32>, _: bool) {}
    fn class(&mut self) {}
    fn member_range(&mut self, _: u32, _: u32) {}
    fn member_shorthand(&mut self, _: Shorthand, _: bool) {}
    fn member_property(&mut self, _: property::Property, _: bool) -> Result<(), Reason> {
        Ok(())
    }
    fn end_class(&mut self, _: bool) -> Result<(), Reason> {
        Ok(())
    }
}

/// A group whose end has not come.
struct Open {
    group: Group,
    branches: Vec<Node>,
    terms: Vec<Node>,
}

impl Open {
    fn new(group: Group) -> Open {
        Open { group, branches: Vec::new(), terms: Vec::new() }
    }

    fn branch(&mut self) {
        let mut terms = std::mem::take(&mut self.terms);
        let node = match (terms.len(), terms.pop()) {
            (1, Some(only)) => only,
            (_, None) => Node::Empty,
            (_, Some(last)) => {
                terms.push(last);
                Node::Concat(terms)
            }
        };
        self.branches.push(node);
    }

    fn finish(mut self) -> Node {
        self.branch();
        let inner = match (self.branches.len(), self.branches.pop()) {
            (1, Some(only)) => only,
            (_, None) => Node::Empty,
            (_, Some(last)) => {
                self.branches.push(last);
                Node::Alternate(self.branches)
            }
        };
        match self.group {
            Group::Plain => inner,
            Group::Capture(index) => Node::Capture(index, Box::new(inner)),
            Group::Look(look) => Node::Look(look, Box::new(inner)),
        }
    }
}

/// Builds the tree from the parser's events.
pub(super) struct Builder {
    /// The groups around `current`, outermost first.
    outer: Vec<Open>,
    current: Open,
    /// The members of the class being read, in any order: sorted once, at its end.
    class: Vec<ClassUnicodeRange>,
    /// Ranges so far, of [`RANGES`].
    ranges: usize,
    refers: bool,
    /// Whether any reference is by name: those are resolved at the end.
    named: bool,
}

/// Marks a reference by name until its group is known; groups are fewer than bytes of source.
const BY_NAME: u32 = 1 << 31;

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            outer: Vec::new(),
            current: Open::new(Group::Plain),
            class: Vec::new(),
            ranges: 0,
            refers: false,
            named: false,
        }
    }

    /// The tree. `names` holds the group of every name, by the name's number.
    pub(super) fn finish(self, groups: u32, names: &[u32]) -> Ast {
        let mut root = self.current.finish();
        if self.named {
            resolve(&mut root, names);
        }
        Ast { root, groups, refers: self.refers }
    }

    fn term(&mut self, node: Node) {
        self.current.terms.push(node);
    }

    fn add(&mut self, mut members: ClassUnicode, negative: bool) {
        if negative {
            members.negate();
        }
        self.class.extend_from_slice(members.ranges());
    }
}

/// Replaces names by groups; the depth is the tree's.
fn resolve(node: &mut Node, names: &[u32]) {
    match node {
        Node::Reference(target) => {
            if let Some(&group) = target.checked_sub(BY_NAME).and_then(|name| names.get(name as usize)) {
                *target = group;
            }
        }
        Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter_mut().for_each(|n| resolve(n, names)),
        Node::Repeat { node, .. } | Node::Capture(_, node) | Node::Look(_, node) => resolve(node, names),
        Node::Empty | Node::Char(_) | Node::Set(_) | Node::Assert(_) => {}
    }
}

impl Sink for Builder {
    fn open(&mut self, group: Group) -> Result<(), Reason> {
        if self.outer.len() >= NEST {
            return Err(Reason::Deep);
        }
        self.outer.push(std::mem::replace(&mut self.current, Open::new(group)));
        Ok(())
    }

    fn close(&mut self) {
        // The parser closes only what it opened.
        if let Some(outer) = self.outer.pop() {
            let inner = std::mem::replace(&mut self.current, outer);
            self.term(inner.finish());
        }
    }

    fn branch(&mut self) {
        self.current.branch();
    }

    fn char(&mut self, code: u32) {
        // A lone surrogate stands in no `&str`: it can never match.
        let node = match char::from_u32(code) {
            Some(c) => Node::Char(c),
            None => Node::Set(Arc::new(Set::new(&ClassUnicode::empty()))),
        };
        self.term(node);
    }

    fn assert(&mut self, assertion: Assertion) {
        self.term(Node::Assert(assertion));
    }

    fn reference(&mut self, target: Target) {
        self.refers = true;
        let reference = match target {
            Target::Group(index) => index,
            Target::Name(name) => {
                self.named = true;
                BY_NAME | name
            }
        };
        self.term(Node::Reference(reference));
    }

    fn repeat(&mut self, min: u32, max: Option<u32>, lazy: bool) {
        // The parser repeats only what it has read.
        if let Some(node) = self.current.terms.pop() {
            self.term(Node::Repeat { node: Box::new(node), min, max, lazy });
        }
    }

    fn class(&mut self) {
        self.class.clear();
    }

    fn member_range(&mut self, first: u32, last: u32) {
        // Surrogates fall away: a range keeps what lies on either side of them.
        let sides = [(first, last.min(0xD7FF)), (first.max(0xE000), last)];
        for (first, last) in sides {
            if let (Some(first), Some(last)) = (char::from_u32(first), char::from_u32(last))
                && first <= last
            {
                self.class.push(ClassUnicodeRange::new(first, last));
            }
        }
    }

    fn member_shorthand(&mut self, shorthand: Shorthand, negative: bool) {
        self.add(shorthand.class(), negative);
    }

    fn member_property(&mut self, property: property::Property, negative: bool) -> Result<(), Reason> {
        let members = property.class()?;
        self.ranges += members.ranges().len();
        if self.ranges > RANGES {
            return Err(Reason::Large);
        }
        self.add(members, negative);
        Ok(())
    }

    fn end_class(&mut self, negative: bool) -> Result<(), Reason> {
        let mut class = ClassUnicode::new(self.class.drain(..));
        if negative {
            class.negate();
        }
        self.ranges += class.ranges().len();
        if self.ranges > RANGES {
            return Err(Reason::Large);
        }
        let set = Set::new(&class);
        self.term(match set.single() {
            Some(c) => Node::Char(c),
            None => Node::Set(Arc::new(set)),
        });
        Ok(())
    }
}
