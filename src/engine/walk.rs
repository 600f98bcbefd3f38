//! The walk: a node meets a value.
//!
//! In: a program, a value, a sink. Out: a verdict, and whatever the sink took. Every mode (accept, report, cast)
//! is this one code; the sink's [`Mode`] is a constant, so each is compiled without the others' branches.
//!
//! Cost: one step an instruction, member or item, plus text read; shared nodes are remembered, so that a value
//! meets each of them once. The call stack grows with the depth of the instance plus the nesting applied to one
//! value, which one counter bounds ([`crate::limits::DEPTH`]).

use super::memo::{Kind, Remembered};
use super::place::Frame;
use super::scratch::State;
use super::sink::{Fault, Mode, NoSink, Sink, Token};
use super::verdict::Verdict;
use super::{number, string};
use crate::limits::{Exhausted, Limits, search_steps};
use crate::program::{Choices, Group, Instruction, InstructionId, Link, Node, NodeId, Program};
use crate::value::equality::equal;
use crate::value::{Identity, Instance, Type, Types, View};

/// One walk over one value.
pub(crate) struct Walk<'p, 's, 'v, S: Sink<'v>> {
    pub(super) program: &'p Program,
    pub(super) limits: &'p Limits,
    pub(super) state: &'s mut State,
    pub(super) sink: &'s mut S,
    /// Where the walk is; kept only in [`Mode::Report`].
    pub(super) path: S::Path,
    /// What is known of that place; in the same mode.
    pub(super) frame: Frame,
}

impl<'p, 's, 'v, S: Sink<'v>> Walk<'p, 's, 'v, S> {
    pub(crate) fn new(
        program: &'p Program,
        limits: &'p Limits,
        state: &'s mut State,
        sink: &'s mut S,
    ) -> Self {
        Walk { program, limits, state, sink, path: S::Path::default(), frame: Frame::ROOT }
    }

    /// What a link leads to meets a value. Of many values the link itself knows the answer.
    #[inline]
    pub(super) fn link<I: Instance<'v>>(&mut self, link: Link, value: I) -> Verdict {
        match (S::MODE, self.told(link, value)) {
            // What passes by its kind may yet hold numbers that are cast.
            (Mode::Accept | Mode::Report, Some(true)) => Verdict::Yes,
            (Mode::Accept, Some(false)) => Verdict::No,
            (Mode::Report, Some(false)) if self.only_counts(link.node, value.kind()) => {
                self.count_here(value.identity());
                Verdict::No
            }
            (Mode::Accept | Mode::Report | Mode::Cast, _) => self.node(link.node, value),
        }
    }

    /// What the link knows of a value by its kind.
    #[inline(always)]
    fn told<I: Instance<'v>>(&self, link: Link, value: I) -> Option<bool> {
        if S::FUSED { link.says(value.kind()) } else { None }
    }

    /// A node meets a value.
    #[inline(always)]
    pub(crate) fn node<I: Instance<'v>>(&mut self, id: NodeId, value: I) -> Verdict {
        if S::MODE == Mode::Accept && S::FUSED && self.program.fused().has(id) {
            // Within bounds, as has just been asked.
            return self.enter(id, &self.program.fused().nodes[id.index()], value);
        }
        self.plain_node(id, value)
    }

    /// A node as it was compiled meets a value: the limits, the memo, and then [`Walk::apply`].
    #[inline(never)]
    pub(super) fn plain_node<I: Instance<'v>>(&mut self, id: NodeId, value: I) -> Verdict {
        let program = self.program;
        let node = program.node(id);
        if self.state.stopped {
            return Verdict::Yes;
        }
        let charged = self.state.meter.charge(1);
        if node.len() == 0 {
            // Nothing is asked, and no instruction is there to be reported: the walk ends for whom asked for this.
            return charged.map(|()| true).into();
        }
        if self.state.depth_left == 0 || charged.is_err() {
            return self.unchecked(program.first(node), value.identity());
        }
        if S::MODE == Mode::Accept && node.only_types() {
            return match value.view() {
                View::Number(number)
                    if number.is_malformed() || self.state.meter.charge_text(number.text_len()).is_err() =>
                {
                    Verdict::Unknown
                }
                view => admits(node.types, view).into(),
            };
        }
        self.state.depth_left -= 1;
        let remembered = match S::MODE {
            Mode::Accept => node.shared || (node.decides && self.state.remembers_decisions),
            Mode::Report | Mode::Cast => node.shared,
        };
        let verdict = if remembered { self.remembering(id, node, value) } else { self.apply(node, value) };
        self.state.depth_left += 1;
        verdict
    }

    fn remembering<I: Instance<'v>>(&mut self, id: NodeId, node: &'p Node, value: I) -> Verdict {
        let place = value.identity();
        let kind = match S::MODE {
            Mode::Accept => Kind::Verdict,
            Mode::Report | Mode::Cast => Kind::Visit,
        };
        if let Some(verdict) = self.state.memo.recall(kind, id, place) {
            return verdict;
        }
        let verdict = self.apply(node, value);
        match self.state.remember(kind, id, place, verdict) {
            Ok(()) => verdict,
            Err(Exhausted) => {
                self.state.exhaust();
                verdict.and(self.unchecked(self.program.first(node), place))
            }
        }
    }

    fn apply<I: Instance<'v>>(&mut self, node: &'p Node, value: I) -> Verdict {
        let program = self.program;
        let view = value.view();
        let group = match view {
            View::Null | View::Boolean(_) => None,
            View::Number(number) => {
                // What is no JSON number has no value to judge: refused wherever it is met.
                if number.is_malformed() {
                    return self.unchecked(program.first(node), value.identity());
                }
                // To view a number that is held as text is to read it.
                if self.state.meter.charge_text(number.text_len()).is_err() {
                    return self.unchecked(program.first(node), value.identity());
                }
                if S::MODE == Mode::Cast && node.types.admits_integer(number) && number.to_integer().is_some()
                {
                    self.sink.cast(value.identity());
                }
                Some(Group::Number)
            }
            View::String(_) => Some(Group::String),
            View::Array(_) => Some(Group::Array),
            View::Object(_) => Some(Group::Object),
        };
        let admitted = admits(node.types, view);
        let mut verdict = Verdict::Yes;
        if !admitted {
            verdict = self.failed(program.first(node), value.identity(), Fault::Failed);
            if S::MODE == Mode::Accept {
                return verdict;
            }
        }
        for (id, instruction) in program.group(node, Group::Any) {
            if let Instruction::Type(_) = instruction {
                // The mask has tested it.
                continue;
            }
            verdict = verdict.and(self.instruction(id, instruction, value, view));
            if self.ends(verdict) {
                return verdict;
            }
        }
        let Some(group) = group else { return verdict };
        for (id, instruction) in program.group(node, group) {
            verdict = verdict.and(self.instruction(id, instruction, value, view));
            if self.ends(verdict) {
                return verdict;
            }
        }
        verdict
    }

    /// One instruction on one value: the one place where every instruction's meaning is named.
    pub(super) fn instruction<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        instruction: &'p Instruction,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        if self.state.meter.charge(1).is_err() {
            return self.unchecked(id, value.identity());
        }
        let meter = &mut self.state.meter;
        let verdict = match instruction {
            // The node's mask tests it.
            Instruction::Type(_) => return Verdict::Yes,
            Instruction::Never => Verdict::No,
            Instruction::Enum(choices) => self.one_of(choices, value, view),
            Instruction::Const(expected) => equal(value, &**expected, self.state.depth_left, meter).into(),
            Instruction::Format(format) => match view {
                View::String(text) => format.accepts_text(text, meter).into(),
                View::Number(number) => {
                    // Compared with both ends of a range.
                    meter.charge_text(2 * number.text_len()).map(|()| format.accepts_number(number)).into()
                }
                View::Null | View::Boolean(_) | View::Array(_) | View::Object(_) => return Verdict::Yes,
            },
            Instruction::CustomKeyword(keyword) => self.custom_keyword(*keyword, value),
            Instruction::Reference(node) => return self.link(*node, value),
            Instruction::AllOf(branches) => return self.all_of(branches, value),
            Instruction::AnyOf(union) => return self.any_of(id, union, value, view),
            Instruction::OneOf(union) => return self.one_of_branches(id, union, value, view),
            Instruction::Not(node) => self.decide(*node, value).negated(),
            Instruction::If(conditional) => return self.conditional(id, conditional, value),

            Instruction::Minimum(bound) => number::minimum(view, bound, meter),
            Instruction::Maximum(bound) => number::maximum(view, bound, meter),
            Instruction::ExclusiveMinimum(bound) => number::exclusive_minimum(view, bound, meter),
            Instruction::ExclusiveMaximum(bound) => number::exclusive_maximum(view, bound, meter),
            Instruction::MultipleOf(divisor) => number::multiple_of(view, divisor, meter),

            Instruction::MinLength(minimum) => string::min_length(view, *minimum, meter),
            Instruction::MaxLength(maximum) => string::max_length(view, *maximum, meter),
            Instruction::Pattern(pattern) => {
                let caches = &mut self.state.caches;
                string::pattern(view, self.program.pattern(*pattern), meter, caches, self.limits)
            }
            Instruction::CustomFormat(format) => {
                string::custom_format(view, self.program.custom_format(*format), meter)
            }

            Instruction::Content(content) => string::content(view, *content, meter),

            Instruction::MinItems(minimum) => super::array::min_items(view, *minimum),
            Instruction::MaxItems(maximum) => super::array::max_items(view, *maximum),
            Instruction::Items(items) => return self.items(id, items, value, view),
            Instruction::Contains(contains) => return self.contains(id, contains, value, view),
            Instruction::UniqueItems => self.unique_items(view),
            Instruction::UnevaluatedItems(rest) => return self.unevaluated_items(id, *rest, value, view),

            Instruction::MinProperties(minimum) => super::object::min_properties(view, *minimum),
            Instruction::MaxProperties(maximum) => super::object::max_properties(view, *maximum),
            Instruction::Required(required) => {
                // The walk over the members has counted them, and a report names them.
                if S::MODE == Mode::Accept && S::FUSED && required.told {
                    return Verdict::Yes;
                }
                super::object::required(view, &required.names, meter)
            }
            Instruction::Members(members) => return self.members(id, members, value, view),
            Instruction::PropertyNames(node) => self.property_names(*node, view),
            Instruction::DependentRequired(dependents) => {
                super::object::dependent_required(view, dependents, meter)
            }
            Instruction::DependentSchemas(dependents) => {
                return self.dependent_schemas(id, dependents, value, view);
            }
            Instruction::PropertyDependencies(dependents) => {
                return self.property_dependencies(id, dependents, value, view);
            }
            Instruction::UnevaluatedProperties(rest) => {
                return self.unevaluated_properties(id, *rest, value, view);
            }
        };
        self.settle(id, value.identity(), verdict)
    }

    fn one_of<I: Instance<'v>>(&mut self, choices: &Choices, value: I, view: View<'v, I>) -> Verdict {
        let meter = &mut self.state.meter;
        if let View::String(text) = view {
            if meter.charge(search_steps(choices.strings.len(), text.len())).is_err() {
                return Verdict::Unknown;
            }
            return choices.strings.get(text).is_some().into();
        }
        if let View::Number(number) = view {
            return number::one_of(number, choices.numbers(), meter);
        }
        let mut verdict = Verdict::No;
        for choice in choices.compared() {
            verdict = verdict.or(equal(value, choice, self.state.depth_left, meter).into());
            if verdict.is_yes() {
                break;
            }
        }
        verdict
    }

    /// A verdict that is asked for its own sake: nothing inside it is reported or cast.
    #[inline]
    pub(super) fn decide<I: Instance<'v>>(&mut self, link: Link, value: I) -> Verdict {
        match S::MODE {
            Mode::Accept => self.link(link, value),
            Mode::Report | Mode::Cast => {
                Walk::new(self.program, self.limits, self.state, &mut NoSink).link(link, value)
            }
        }
    }

    /// A child meets its node, one token further down.
    #[inline]
    pub(super) fn child<I: Instance<'v>>(&mut self, link: Link, token: Token<'v>, value: I) -> Verdict {
        match (S::MODE, self.told(link, value)) {
            (Mode::Accept | Mode::Report, Some(true)) => return Verdict::Yes,
            (Mode::Accept, Some(false)) => return Verdict::No,
            (Mode::Accept | Mode::Report | Mode::Cast, _) => {}
        }
        if S::MODE == Mode::Report {
            return self.reported_child(link, token, value);
        }
        if link.forgets() {
            let remembered = self.state.memo.remembered();
            let verdict = self.node(link.node, value);
            if self.state.memo.remembered() != remembered {
                self.leave(remembered);
            }
            verdict
        } else {
            self.node(link.node, value)
        }
    }

    /// Forgets what was remembered of a value that no other edge leads to. What is decided while a report is made
    /// is kept: the report goes the same way once more.
    pub(super) fn leave(&mut self, remembered: Remembered) {
        if S::MODE != Mode::Accept || !self.state.remembers_decisions {
            self.state.memo.forget(remembered);
        }
    }

    /// Whether the walk need not go on after `verdict`. Once the steps have run out nothing more can be learnt: the
    /// place where they did is reported, and what lies behind it is not.
    #[inline]
    pub(super) fn ends(&self, verdict: Verdict) -> bool {
        let decided = match S::MODE {
            Mode::Accept => verdict == Verdict::No,
            Mode::Report | Mode::Cast => self.state.stopped,
        };
        decided || (verdict != Verdict::Yes && self.state.meter.is_exhausted())
    }

    /// Reports a verdict that is no yes, and hands it on.
    #[inline]
    pub(super) fn settle(&mut self, id: InstructionId, place: Identity, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Yes => Verdict::Yes,
            Verdict::No => self.failed(id, place, Fault::Failed),
            Verdict::Unknown => self.unchecked(id, place),
        }
    }

    #[inline]
    pub(super) fn failed(&mut self, id: InstructionId, place: Identity, fault: Fault) -> Verdict {
        self.emit(id, place, fault);
        Verdict::No
    }

    #[inline]
    pub(super) fn unchecked(&mut self, id: InstructionId, place: Identity) -> Verdict {
        self.emit(id, place, Fault::Unchecked);
        Verdict::Unknown
    }
}

/// Whether a type mask admits a value.
#[inline]
fn admits<'v, I: Instance<'v>>(types: Types, view: View<'v, I>) -> bool {
    match view {
        View::Null => types.has(Type::Null),
        View::Boolean(_) => types.has(Type::Boolean),
        View::Number(number) => types.has(Type::Number) || types.admits_integer(number),
        View::String(_) => types.has(Type::String),
        View::Array(_) => types.has(Type::Array),
        View::Object(_) => types.has(Type::Object),
    }
}
