//! The walk that only wants a verdict, over the runs that the compiler prepared for it.
//!
//! In: a node's runs and a value. Out: a verdict, the same that the node's instructions give. What an operation means
//! is said where its keyword is; here stands only what is left once nothing is reported. A node that one operation
//! decides is met by the function of that operation, without a look at a list.
//!
//! Cost: a step a node and operation, and one a member or item, charged before they are looked at. One call of
//! [`Walk::enter`] a node is all that the call stack grows by.

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

mod container;
mod scalar;
mod union;

use super::memo::Kind as Remembered;
use super::object;
use super::sink::Sink;
use super::verdict::Verdict;
use super::walk::Walk;
use crate::limits::Exhausted;
use crate::program::{
    FusedNode, Instruction, InstructionId, Link, NodeId, Operation, Operations, Run, Start,
};
use crate::value::{Instance, Kind, View};

/// Steps of a node that one operation decides.
const FIRST: u64 = 2;

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

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    /// An object at the root meets the members that decide it.
    #[inline(always)]
    pub(in crate::engine) fn root_members<I: Instance<'v>>(
        &mut self,
        members: u32,
        object: I::Object,
    ) -> Verdict {
        self.named_members::<I>(members, object, FIRST)
    }

    /// A node meets a value.
    #[inline(always)]
    pub(super) fn enter<I: Instance<'v>>(&mut self, id: NodeId, node: &FusedNode, value: I) -> Verdict {
        // Objects by themselves, before all others: a jump by kind would be foretold wrongly.
        if let View::Object(object) = value.view() {
            return match node.start(Run::Object) {
                Start::One(Operation::Members(index)) => self.named_members::<I>(*index, object, FIRST),
                start => self.start(id, start, value),
            };
        }
        self.enter_other(id, node, value)
    }

    #[inline(never)]
    fn enter_other<I: Instance<'v>>(&mut self, id: NodeId, node: &FusedNode, value: I) -> Verdict {
        if let View::String(text) = value.view() {
            return match node.start(Run::String) {
                Start::One(Operation::Strings(listed)) => self.listed(*listed, text),
                Start::One(Operation::Pattern(pattern)) => self.matching(*pattern, text),
                Start::One(Operation::MinLength(least)) => self.long_enough::<I>(*least, text),
                start => self.start(id, start, value),
            };
        }
        if let View::Array(items) = value.view() {
            return match node.start(Run::Array) {
                Start::One(Operation::Items(link)) => self.items_of::<I>(link, items, FIRST),
                start => self.start(id, start, value),
            };
        }
        self.start(id, node.start(Run::of(value.kind())), value)
    }

    #[inline(never)]
    fn start<I: Instance<'v>>(&mut self, id: NodeId, start: &Start, value: I) -> Verdict {
        match start {
            Start::One(operation) => self.one(operation, value),
            Start::Many(operations) => self.many(id, *operations, value),
        }
    }

    #[inline(always)]
    fn one<I: Instance<'v>>(&mut self, operation: &Operation, value: I) -> Verdict {
        if self.state.meter.charge(FIRST).is_err() || self.state.depth_left == 0 {
            return Verdict::Unknown;
        }
        self.run(std::slice::from_ref(operation), value)
    }

    #[inline(always)]
    fn many<I: Instance<'v>>(&mut self, id: NodeId, many: Operations, value: I) -> Verdict {
        let operations = self.program.fused().operations(many);
        if self.state.meter.charge(1 + operations.len() as u64).is_err() || self.state.depth_left == 0 {
            return Verdict::Unknown;
        }
        if many.remembered || (many.decides && self.state.remembers_decisions) {
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
            | Operation::Patterned(_)
            | Operation::EachMember(_)
            | Operation::Bound(_)
            | Operation::MinItems(_)
            | Operation::MaxItems(_)
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
        if link.passes_at(child.glance()) { Verdict::Yes } else { self.run_unsure(link, child) }
    }

    /// A child of which a glance does not say that it passes.
    #[inline(always)]
    fn run_unsure<I: Instance<'v>>(&mut self, link: &Link, child: I) -> Verdict {
        match link.says(child.kind()) {
            Some(passes) => passes.into(),
            None if link.forgets() => self.forgetful(*link, child),
            None => {
                // Asked in two steps, since an optional reference is tested twice.
                let fused = self.program.fused();
                if !fused.has(link.node) {
                    // A number that has to be read.
                    return self.plain_node(link.node, child);
                }
                // Within bounds, as has just been asked.
                self.enter(link.node, &fused.nodes[link.node.index()], child)
            }
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
}
