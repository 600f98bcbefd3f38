//! The walk that only wants a verdict, over the runs that the compiler prepared for it.
//!
//! In: a node's runs and a value. Out: a verdict, the same that the node's instructions give. What an operation means
//! is said where its keyword is; here stands only what is left once nothing is reported.
//!
//! Cost: a step a node and operation, and one a member or item, charged before they are looked at. One call of
//! [`Walk::enter`] a node is all that the call stack grows by.

use super::memo::Kind as Remembered;
use super::scratch::State;
use super::sink::Sink;
use super::verdict::{Tally, Verdict};
use super::walk::Walk;
use super::{number, object, string};
use crate::limits::Exhausted;
use crate::program::{
    Few, FusedNode, Instruction, InstructionId, Link, Members, NodeId, Operation, Rest, Run, Switch,
};
use crate::value::{Array, Instance, Kind, Object, View};

/// Links that are told apart by kind alone in the time of a step.
const LINKS_PER_STEP: usize = 8;

impl Run {
    #[inline(always)]
    fn of(kind: Kind) -> Run {
        match kind {
            Kind::Null | Kind::Boolean => Run::Other,
            Kind::Integer | Kind::Float | Kind::Text => Run::Number,
            Kind::String => Run::String,
            Kind::Array => Run::Array,
            Kind::Object => Run::Object,
        }
    }
}

impl Switch {
    /// The branches that a member's value leaves.
    fn left_by<'v, I: Instance<'v>>(&self, member: I) -> Few {
        match member.view() {
            View::String(text) => self.texts.get(text).copied().unwrap_or(self.other),
            View::Number(_) => match member.held_integer() {
                Some(integer) => {
                    let found = self.integers.binary_search_by_key(&integer, |(listed, _)| *listed).ok();
                    found.and_then(|found| self.integers.get(found)).map_or(self.other, |(_, few)| *few)
                }
                None => self.any,
            },
            View::Null | View::Boolean(_) | View::Array(_) | View::Object(_) => self.other,
        }
    }
}

/// Adds what one part of a conjunction says; leaves the function where the rest cannot matter.
macro_rules! and {
    ($walk:expr, $verdict:ident, $found:expr) => {
        let found = $found;
        if found != Verdict::Yes {
            $verdict = $verdict.and(found);
            if $verdict == Verdict::No || $walk.state.meter.is_exhausted() {
                return $verdict;
            }
        }
    };
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    /// A node meets a value.
    #[inline]
    pub(super) fn enter<I: Instance<'v>>(&mut self, id: NodeId, node: &FusedNode, value: I) -> Verdict {
        let run = node.run(Run::of(value.kind()));
        let operations = self.program.fused().operations(run);
        if self.state.meter.charge(1 + operations.len() as u64).is_err() || self.state.depth_left == 0 {
            return Verdict::Unknown;
        }
        if run.remembered || (run.decides && self.state.remembers_decisions) {
            return self.remembered(id, operations, value);
        }
        self.run(operations, value)
    }

    #[inline(never)]
    fn remembered<I: Instance<'v>>(&mut self, id: NodeId, operations: &[Operation], value: I) -> Verdict {
        let place = value.identity();
        if let Some(verdict) = self.state.memo.recall(Remembered::Verdict, id, place) {
            return verdict;
        }
        let verdict = self.run(operations, value);
        match self.state.remember(Remembered::Verdict, id, place, verdict) {
            Ok(()) => verdict,
            Err(Exhausted) => {
                self.state.exhaust();
                verdict.and(Verdict::Unknown)
            }
        }
    }

    #[inline(always)]
    fn run<I: Instance<'v>>(&mut self, operations: &[Operation], value: I) -> Verdict {
        match value.view() {
            View::Object(object) => self.run_object(operations, object, value),
            View::Array(items) => self.run_array(operations, items, value),
            View::String(text) => self.run_string(operations, text, value),
            View::Number(_) | View::Null | View::Boolean(_) => self.run_other(operations, value),
        }
    }

    #[inline(never)]
    fn run_object<I: Instance<'v>>(
        &mut self,
        operations: &[Operation],
        object: I::Object,
        value: I,
    ) -> Verdict {
        self.state.depth_left -= 1;
        let verdict = self.object_operations(operations, object, value);
        self.state.depth_left += 1;
        verdict
    }

    #[inline(always)]
    fn object_operations<I: Instance<'v>>(
        &mut self,
        operations: &[Operation],
        object: I::Object,
        value: I,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let members = match operation {
                Operation::Members(id) => match self.program.instruction(*id) {
                    Instruction::Members(members) => &**members,
                    _ => return Verdict::Unknown,
                },
                Operation::Merged(index) => match self.program.fused().merged(*index) {
                    Some(members) => members,
                    None => return Verdict::Unknown,
                },
                Operation::EachMember(link) => {
                    if self.state.meter.charge(object.len() as u64).is_err() {
                        return Verdict::Unknown;
                    }
                    for (_, child) in object.iter() {
                        and!(self, verdict, self.run_child(link, child));
                    }
                    continue;
                }
                other => {
                    and!(self, verdict, self.in_place(other, value));
                    continue;
                }
            };
            let count = object.len();
            if count < members.required {
                return Verdict::No;
            }
            if self.state.meter.charge(count as u64).is_err() {
                return Verdict::Unknown;
            }
            let mut required = 0;
            for (key, child) in object.iter() {
                if !members.patterns.is_empty() {
                    and!(self, verdict, self.patterned(members, key, child, &mut required));
                    continue;
                }
                let link = match members.named.get(key) {
                    Some(link) => {
                        required += usize::from(link.required);
                        link
                    }
                    None => match &members.additional {
                        None => continue,
                        Some(Rest::Never) => return Verdict::No,
                        Some(Rest::Node(link)) => link,
                    },
                };
                and!(self, verdict, self.run_child(link, child));
            }
            if required < members.required {
                return Verdict::No;
            }
        }
        verdict
    }

    /// A member whose name patterns look at too.
    #[inline(never)]
    fn patterned<I: Instance<'v>>(
        &mut self,
        members: &Members,
        key: &'v str,
        child: I,
        required: &mut usize,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        let mut taken = Verdict::No;
        if let Some(link) = members.named.get(key) {
            *required += usize::from(link.required);
            taken = Verdict::Yes;
            and!(self, verdict, self.run_child(link, child));
        }
        for (pattern, rest) in &members.patterns {
            let pattern = self.program.pattern(*pattern);
            let State { meter, caches, .. } = &mut *self.state;
            let matches: Verdict = pattern.is_match(key, meter, caches, self.limits).into();
            taken = taken.or(matches);
            let found = match (matches, rest) {
                (Verdict::No, _) => continue,
                (Verdict::Unknown, _) => Verdict::Unknown,
                (Verdict::Yes, Rest::Never) => Verdict::No,
                (Verdict::Yes, Rest::Node(link)) => self.run_child(link, child),
            };
            and!(self, verdict, found);
        }
        if taken == Verdict::No {
            and!(
                self,
                verdict,
                match &members.additional {
                    None => Verdict::Yes,
                    Some(Rest::Never) => Verdict::No,
                    Some(Rest::Node(link)) => self.run_child(link, child),
                }
            );
        }
        verdict
    }

    #[inline(never)]
    fn run_array<I: Instance<'v>>(&mut self, operations: &[Operation], items: I::Array, value: I) -> Verdict {
        self.state.depth_left -= 1;
        let verdict = self.array_operations(operations, items, value);
        self.state.depth_left += 1;
        verdict
    }

    #[inline(always)]
    fn array_operations<I: Instance<'v>>(
        &mut self,
        operations: &[Operation],
        items: I::Array,
        value: I,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let Operation::Items(link) = operation else {
                and!(self, verdict, self.in_place(operation, value));
                continue;
            };
            if self.state.meter.charge(items.len() as u64).is_err() {
                return Verdict::Unknown;
            }
            for (index, item) in items.iter().enumerate() {
                let found = self.run_child(link, item);
                if found != Verdict::Yes {
                    verdict = verdict.and(found);
                    if verdict == Verdict::No || self.state.meter.is_exhausted() {
                        self.state.meter.give_back((items.len() - index - 1) as u64);
                        return verdict;
                    }
                }
            }
        }
        verdict
    }

    #[inline(never)]
    fn run_string<I: Instance<'v>>(&mut self, operations: &[Operation], text: &'v str, value: I) -> Verdict {
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let view = View::<I>::String(text);
            let State { meter, caches, .. } = &mut *self.state;
            let found = match operation {
                Operation::Strings(id) => match self.program.instruction(*id) {
                    Instruction::Enum(choices) => choices.strings.get(text).is_some().into(),
                    _ => Verdict::Unknown,
                },
                Operation::Text(id) => match self.program.instruction(*id) {
                    Instruction::Const(expected) => (expected.as_str() == Some(text)).into(),
                    _ => Verdict::Unknown,
                },
                Operation::MinLength(least) => string::min_length(view, u64::from(*least), meter),
                Operation::MaxLength(most) => string::max_length(view, u64::from(*most), meter),
                Operation::Pattern(id) => {
                    string::pattern(view, self.program.pattern(*id), meter, caches, self.limits)
                }
                other => self.deeper(other, value),
            };
            and!(self, verdict, found);
        }
        verdict
    }

    /// Numbers, booleans and null.
    #[inline(never)]
    fn run_other<I: Instance<'v>>(&mut self, operations: &[Operation], value: I) -> Verdict {
        if let View::Number(number) = value.view() {
            // What is no JSON number has no value to judge, and one that is held as text has to be read.
            if number.is_malformed() || self.state.meter.charge_text(number.text_len()).is_err() {
                return Verdict::Unknown;
            }
        }
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let found = match operation {
                Operation::Number(types) => match value.view() {
                    View::Number(number) => types.admits_number(number).into(),
                    View::Null | View::Boolean(_) | View::String(_) | View::Array(_) | View::Object(_) => {
                        Verdict::No
                    }
                },
                Operation::Bound(id) => {
                    let (view, meter) = (value.view(), &mut self.state.meter);
                    match self.program.instruction(*id) {
                        Instruction::Minimum(bound) => number::minimum(view, bound, meter),
                        Instruction::Maximum(bound) => number::maximum(view, bound, meter),
                        Instruction::ExclusiveMinimum(bound) => number::exclusive_minimum(view, bound, meter),
                        Instruction::ExclusiveMaximum(bound) => number::exclusive_maximum(view, bound, meter),
                        _ => Verdict::Unknown,
                    }
                }
                Operation::Only(kind) => (value.kind() == *kind).into(),
                other => self.deeper(other, value),
            };
            and!(self, verdict, found);
        }
        verdict
    }

    /// What may enter further nodes.
    #[inline(never)]
    fn deeper<I: Instance<'v>>(&mut self, operation: &Operation, value: I) -> Verdict {
        self.state.depth_left -= 1;
        let verdict = self.in_place(operation, value);
        self.state.depth_left += 1;
        verdict
    }

    #[inline(never)]
    fn in_place<I: Instance<'v>>(&mut self, operation: &Operation, value: I) -> Verdict {
        match operation {
            Operation::Enter(link) => self.link(*link, value),
            Operation::Not(link) => self.link(*link, value).negated(),
            Operation::AnyOf(few) => self.any_link(self.program.fused().links(*few), value),
            Operation::OneOf(few) => self.one_link(self.program.fused().links(*few), value),
            Operation::AnySwitch(index) => self.switched(*index, value, Self::any_link),
            Operation::OneSwitch(index) => self.switched(*index, value, Self::one_link),
            Operation::Required(id) => match self.program.instruction(*id) {
                Instruction::Required(required) => {
                    object::required(value.view(), &required.names, &mut self.state.meter)
                }
                _ => Verdict::Unknown,
            },
            Operation::If(id) => match self.program.instruction(*id) {
                Instruction::If(conditional) => self.conditional(*id, conditional, value),
                _ => Verdict::Unknown,
            },
            Operation::Plain(id) => self.plain(*id, value),
            Operation::Fail => Verdict::No,
            // Written only into runs that handle them themselves.
            Operation::Number(_)
            | Operation::Only(_)
            | Operation::Strings(_)
            | Operation::Text(_)
            | Operation::MinLength(_)
            | Operation::MaxLength(_)
            | Operation::Pattern(_)
            | Operation::Members(_)
            | Operation::Merged(_)
            | Operation::EachMember(_)
            | Operation::Bound(_)
            | Operation::Items(_) => Verdict::Unknown,
        }
    }

    #[inline(never)]
    fn plain<I: Instance<'v>>(&mut self, id: InstructionId, value: I) -> Verdict {
        let instruction = self.program.instruction(id);
        self.instruction(id, instruction, value, value.view())
    }

    /// A child meets the node of its link.
    #[inline(always)]
    fn run_child<I: Instance<'v>>(&mut self, link: &Link, child: I) -> Verdict {
        let kind = child.kind();
        if link.passes.has(kind) {
            Verdict::Yes
        } else if link.fails.has(kind) {
            Verdict::No
        } else if link.forgets {
            self.forgetful(*link, child)
        } else {
            self.node(link.node, child)
        }
    }

    #[inline(never)]
    fn forgetful<I: Instance<'v>>(&mut self, link: Link, child: I) -> Verdict {
        let remembered = self.state.memo.remembered();
        let verdict = self.node(link.node, child);
        if self.state.memo.remembered() != remembered {
            self.leave(remembered);
        }
        verdict
    }

    /// The branches that a member's text leaves.
    #[inline(always)]
    pub(super) fn switched<I: Instance<'v>>(
        &mut self,
        index: u32,
        value: I,
        decide: impl FnOnce(&mut Self, &[Link], I) -> Verdict,
    ) -> Verdict {
        let program = self.program;
        let (View::Object(object), Some(switch)) = (value.view(), program.fused().switch(index)) else {
            return Verdict::Unknown;
        };
        let few = match object.get(&switch.name) {
            None => switch.absent,
            Some(member) => switch.left_by(member),
        };
        decide(self, program.fused().links(few), value)
    }

    pub(super) fn any_link<I: Instance<'v>>(&mut self, links: &[Link], value: I) -> Verdict {
        let mut verdict = Verdict::No;
        if let [only] = links {
            return self.link(*only, value);
        }
        if self.state.meter.charge(1 + (links.len() / LINKS_PER_STEP) as u64).is_err() {
            return Verdict::Unknown;
        }
        for link in links {
            verdict = verdict.or(self.link(*link, value));
            if verdict == Verdict::Yes || self.state.meter.is_exhausted() {
                break;
            }
        }
        verdict
    }

    pub(super) fn one_link<I: Instance<'v>>(&mut self, links: &[Link], value: I) -> Verdict {
        let mut tally = Tally::default();
        if let [only] = links {
            return self.link(*only, value);
        }
        if self.state.meter.charge(1 + (links.len() / LINKS_PER_STEP) as u64).is_err() {
            return Verdict::Unknown;
        }
        for link in links {
            tally.add(self.link(*link, value));
            if tally.yes > 1 {
                return Verdict::No;
            }
            if self.state.meter.is_exhausted() {
                return Verdict::Unknown;
            }
        }
        tally.at_least(1).and(tally.at_most(1))
    }
}
