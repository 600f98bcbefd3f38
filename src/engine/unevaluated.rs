//! `unevaluatedItems` and `unevaluatedProperties` (JSON Schema core §11): what no other keyword has taken.
//!
//! In: a container and the node that the keyword stands in. Out: a verdict. The node's in-place tree is gathered:
//! every keyword marks the children that it takes in a run of bits, one a child. A shared node is gathered once, and
//! its run merged into those of all who ask; where another keyword of the kind stands, everything is evaluated and
//! nothing behind it is gathered. So cost is children times keywords, and memory an eighth of a byte a child, and as
//! much for each shared node, kept in the scratch until the value is left.
//!
//! What counts as evaluated: everything that adjacent keywords reach; through `allOf`, `$ref` and a dependent
//! schema whose name is present without asking whether they pass (if they do not, the whole fails by them, and
//! saying so a second time would only blur the answer); through `anyOf`, `oneOf` and `if` where they pass, and
//! then `then` or `else`. Never through `not`.

use super::memo::Run;
use super::scratch::State;
use super::sink::{Fault, Sink, Token};
use super::verdict::Verdict;
use super::walk::Walk;
use crate::limits::{Exhausted, search_steps, text_steps};
use crate::program::{Group, Instruction, InstructionId, Link, Members, NodeId, Rest};
use crate::value::{Array, Instance, Object, View};

/// A run of marks that is being filled, one bit a child.
#[derive(Clone, Copy)]
struct Marks {
    /// Where it begins in the memo's marks.
    start: usize,
    children: usize,
    /// Every child is evaluated.
    all: bool,
    /// Some verdict was unknown, so that an unmarked child may be evaluated after all.
    unsure: bool,
}

impl Marks {
    fn words(self) -> usize {
        self.children.div_ceil(WORD)
    }
}

const WORD: usize = u64::BITS as usize;

/// Words of marks that are cleared or merged, or bits that are set, in the time of a step.
const WORDS_PER_STEP: u64 = 8;

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    pub(super) fn unevaluated_items<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        rest: Rest,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        let View::Array(items) = view else { return Verdict::Yes };
        let children = items.iter().enumerate().map(|(index, item)| (Token::Index(index), item));
        self.unevaluated(id, rest, value, view, items.len(), children)
    }

    pub(super) fn unevaluated_properties<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        rest: Rest,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        let View::Object(members) = view else { return Verdict::Yes };
        let children = members.iter().map(|(key, child)| (Token::Key(key), child));
        self.unevaluated(id, rest, value, view, members.len(), children)
    }

    fn unevaluated<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        rest: Rest,
        value: I,
        view: View<'v, I>,
        count: usize,
        children: impl Iterator<Item = (Token<'v>, I)>,
    ) -> Verdict {
        if count == 0 {
            return Verdict::Yes;
        }
        let Some(owner) = self.program.owner(id) else { return self.unchecked(id, value.identity()) };
        let Ok(mut marks) = self.new_marks(count) else { return self.unchecked(id, value.identity()) };
        self.gather_node(owner, Some(id), value, view, &mut marks);
        let mut verdict = Verdict::Yes;
        for (index, (token, child)) in children.enumerate() {
            if self.state.meter.charge(1).is_err() {
                verdict = verdict.and(self.unchecked(id, value.identity()));
                break;
            }
            if self.is_marked(&marks, index) {
                continue;
            }
            verdict = verdict.and(match rest {
                _ if marks.unsure => self.unchecked(id, value.identity()),
                Rest::Never => self.failed(id, value.identity(), Fault::Failed),
                Rest::Node(node) => self.child(node, token, child),
            });
            if self.ends(verdict) {
                break;
            }
        }
        // Runs of shared nodes that lie behind this one stay until the value is left.
        if self.state.memo.marks.len() == marks.start + marks.words() {
            self.state.memo.marks.truncate(marks.start);
        }
        verdict
    }

    fn new_marks(&mut self, children: usize) -> Result<Marks, Exhausted> {
        let start = self.state.memo.marks.len();
        let marks = Marks { start, children, all: false, unsure: false };
        self.state.meter.charge(1 + marks.words() as u64 / WORDS_PER_STEP)?;
        self.state.memo.marks.resize(start + marks.words(), 0);
        Ok(marks)
    }

    /// Marks what `node` and the in-place tree below it evaluate; of a shared node, by its own run.
    fn gather<I: Instance<'v>>(&mut self, node: NodeId, value: I, view: View<'v, I>, marks: &mut Marks) {
        if marks.all || self.program.node(node).len() == 0 {
            return;
        }
        if !self.program.node(node).shared {
            return self.gather_node(node, None, value, view, marks);
        }
        let known = match self.state.memo.gathered(node, value.identity()) {
            Some(run) => Ok(run),
            None => self.gather_shared(node, value, view, marks),
        };
        match known {
            Ok(Run { all: true, .. }) => marks.all = true,
            Ok(run) => self.merge(run, marks),
            Err(Exhausted) => marks.unsure = true,
        }
    }

    /// Gathers a shared node for the first time. What is not known for sure is not kept.
    fn gather_shared<I: Instance<'v>>(
        &mut self,
        node: NodeId,
        value: I,
        view: View<'v, I>,
        marks: &mut Marks,
    ) -> Result<Run, Exhausted> {
        let mut own = self.new_marks(marks.children)?;
        self.gather_node(node, None, value, view, &mut own);
        let run = Run { start: own.start, all: own.all };
        if own.unsure {
            marks.unsure = true;
        } else if self.state.memo.keep_gathered(node, value.identity(), run).is_err() {
            self.state.exhaust();
            return Err(Exhausted);
        }
        Ok(run)
    }

    fn merge(&mut self, run: Run, marks: &mut Marks) {
        let words = marks.words();
        if self.state.meter.charge(1 + words as u64 / WORDS_PER_STEP).is_err() {
            marks.unsure = true;
            return;
        }
        let all = &mut self.state.memo.marks;
        for word in 0..words {
            let bits = all.get(run.start + word).copied().unwrap_or_default();
            if let Some(own) = all.get_mut(marks.start + word) {
                *own |= bits;
            }
        }
    }

    /// Marks what one node evaluates. `asking` is the keyword that asks.
    fn gather_node<I: Instance<'v>>(
        &mut self,
        node: NodeId,
        asking: Option<InstructionId>,
        value: I,
        view: View<'v, I>,
        marks: &mut Marks,
    ) {
        let program = self.program;
        let group = match view {
            View::Array(_) => Group::Array,
            View::Object(_) => Group::Object,
            View::Null | View::Boolean(_) | View::Number(_) | View::String(_) => return,
        };
        if self.state.depth_left == 0 {
            marks.unsure = true;
            return;
        }
        let node = program.node(node);
        let own = || program.group(node, group);
        if own().any(|(id, instruction)| Some(id) != asking && instruction.is_unevaluated()) {
            marks.all = true;
            return;
        }
        self.state.depth_left -= 1;
        for (id, instruction) in program.group(node, Group::Any).chain(own()) {
            if marks.all {
                break;
            }
            if Some(id) == asking {
                continue;
            }
            if self.state.meter.charge(1).is_err() {
                marks.unsure = true;
                break;
            }
            self.gather_instruction(instruction, value, view, marks);
        }
        self.state.depth_left += 1;
    }

    fn gather_instruction<I: Instance<'v>>(
        &mut self,
        instruction: &Instruction,
        value: I,
        view: View<'v, I>,
        marks: &mut Marks,
    ) {
        match instruction {
            Instruction::Reference(node) => self.gather(node.node, value, view, marks),
            Instruction::AllOf(branches) => {
                for branch in branches {
                    self.gather(branch.node, value, view, marks);
                }
            }
            Instruction::AnyOf(union) | Instruction::OneOf(union) => {
                for branch in &union.branches {
                    self.gather_passing(*branch, value, view, marks);
                }
            }
            Instruction::If(conditional) => {
                let chosen = match self.gather_passing(conditional.condition, value, view, marks) {
                    Verdict::Yes => conditional.then,
                    Verdict::No => conditional.otherwise,
                    Verdict::Unknown => None,
                };
                if let Some(branch) = chosen {
                    self.gather(branch.node, value, view, marks);
                }
            }
            Instruction::DependentSchemas(dependents) => {
                let View::Object(members) = view else { return };
                for (name, node) in dependents {
                    if self.state.meter.charge(1 + text_steps(name.len())).is_err() {
                        marks.unsure = true;
                        return;
                    }
                    if members.get(name).is_some() {
                        self.gather(node.node, value, view, marks);
                    }
                }
            }
            Instruction::PropertyDependencies(dependents) => {
                let View::Object(members) = view else { return };
                for dependents in dependents {
                    if self.state.meter.charge(1 + text_steps(dependents.name.len())).is_err() {
                        marks.unsure = true;
                        return;
                    }
                    if let Some(node) = dependents.chosen::<I>(members) {
                        self.gather(node.node, value, view, marks);
                    }
                }
            }
            Instruction::Items(items) => match items.rest() {
                Some(_) => marks.all = true,
                None => {
                    let prefix = items.prefix().len().min(marks.children);
                    if self.state.meter.charge(prefix as u64 / WORDS_PER_STEP).is_err() {
                        marks.unsure = true;
                        return;
                    }
                    (0..prefix).for_each(|index| self.mark(marks, index));
                }
            },
            Instruction::Contains(contains) if contains.evaluates => {
                let View::Array(items) = view else { return };
                let node = self.program.node(contains.node.node);
                let forgets = node.alone && !node.shared;
                for (index, item) in items.iter().enumerate() {
                    if self.state.meter.charge(1).is_err() {
                        marks.unsure = true;
                        return;
                    }
                    let remembered = self.state.memo.remembered();
                    let verdict = self.decide(contains.node, item);
                    if forgets {
                        self.leave(remembered);
                    }
                    match verdict {
                        Verdict::Yes => self.mark(marks, index),
                        Verdict::Unknown => marks.unsure = true,
                        Verdict::No => {}
                    }
                }
            }
            Instruction::Members(members) => self.gather_members(members, view, marks),
            Instruction::UnevaluatedItems(_) | Instruction::UnevaluatedProperties(_) => marks.all = true,
            Instruction::Contains(_)
            | Instruction::Type(_)
            | Instruction::Never
            | Instruction::Enum(_)
            | Instruction::Const(_)
            | Instruction::Not(_)
            | Instruction::Format(_)
            | Instruction::Minimum(_)
            | Instruction::Maximum(_)
            | Instruction::ExclusiveMinimum(_)
            | Instruction::ExclusiveMaximum(_)
            | Instruction::MultipleOf(_)
            | Instruction::MinLength(_)
            | Instruction::MaxLength(_)
            | Instruction::Pattern(_)
            | Instruction::CustomFormat(_)
            | Instruction::Content(_)
            | Instruction::CustomKeyword(_)
            | Instruction::MinItems(_)
            | Instruction::MaxItems(_)
            | Instruction::UniqueItems
            | Instruction::MinProperties(_)
            | Instruction::MaxProperties(_)
            | Instruction::Required(_)
            | Instruction::PropertyNames(_)
            | Instruction::DependentRequired(_) => {}
        }
    }

    /// Gathers through a branch where it passes.
    fn gather_passing<I: Instance<'v>>(
        &mut self,
        branch: Link,
        value: I,
        view: View<'v, I>,
        marks: &mut Marks,
    ) -> Verdict {
        let verdict = self.decide(branch, value);
        match verdict {
            Verdict::Yes => self.gather(branch.node, value, view, marks),
            Verdict::Unknown => marks.unsure = true,
            Verdict::No => {}
        }
        verdict
    }

    fn gather_members<I: Instance<'v>>(&mut self, members: &Members, view: View<'v, I>, marks: &mut Marks) {
        let View::Object(object) = view else { return };
        if members.additional_written {
            marks.all = true;
            return;
        }
        let names = members.named.len();
        for (index, (key, _)) in object.iter().enumerate() {
            if self.state.meter.charge(1 + search_steps(names, key.len())).is_err() {
                marks.unsure = true;
                return;
            }
            let mut taken: Verdict = members.named.get(key).is_some().into();
            for (pattern, _) in &members.patterns {
                if taken.is_yes() {
                    break;
                }
                let pattern = self.program.pattern(*pattern);
                let State { meter, caches, .. } = &mut *self.state;
                taken = taken.or(pattern.is_match(key, meter, caches, self.limits).into());
            }
            match taken {
                Verdict::Yes => self.mark(marks, index),
                Verdict::Unknown => marks.unsure = true,
                Verdict::No => {}
            }
        }
    }

    fn mark(&mut self, marks: &Marks, index: usize) {
        if let Some(word) = self.state.memo.marks.get_mut(marks.start + index / WORD) {
            *word |= 1 << (index % WORD);
        }
    }

    fn is_marked(&self, marks: &Marks, index: usize) -> bool {
        marks.all
            || self
                .state
                .memo
                .marks
                .get(marks.start + index / WORD)
                .is_some_and(|word| word >> (index % WORD) & 1 == 1)
    }
}
