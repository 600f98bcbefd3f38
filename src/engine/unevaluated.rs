//! `unevaluatedItems` and `unevaluatedProperties` (JSON Schema core §11): what no other keyword has taken.
//!
//! In: a container and the node that the keyword stands in. Out: a verdict. The node's in-place tree is gathered
//! once: every keyword marks the children that it takes in a run of bits, one a child, so that cost is children
//! times keywords and memory an eighth of a byte a child, kept in the scratch.
//!
//! What counts as evaluated: everything that adjacent keywords reach; through `allOf`, `$ref` and a dependent
//! schema whose name is present without asking whether they pass (if they do not, the whole fails by them, and
//! saying so a second time would only blur the answer); through `anyOf`, `oneOf` and `if` where they pass, and
//! then `then` or `else`. Never through `not`.

use super::sink::{Fault, Sink, Token};
use super::verdict::Verdict;
use super::walk::Walk;
use crate::program::{Group, Instruction, InstructionId, Members, NodeId, Rest};
use crate::value::{Array, Instance, Object, View};

/// A run of marks in the scratch, one bit a child.
#[derive(Clone, Copy)]
struct Marks {
    start: usize,
    gathering: usize,
    children: usize,
    /// Every child is evaluated.
    all: bool,
    /// Some verdict was unknown, so that an unmarked child may be evaluated after all.
    unsure: bool,
}

const WORD: usize = u64::BITS as usize;

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
        let start = self.state.marks.len();
        let mut marks =
            Marks { start, gathering: self.state.gathering(), children: count, all: false, unsure: false };
        self.state.marks.resize(start + count.div_ceil(WORD), 0);
        let Some(owner) = self.program.owner(id) else { return self.unchecked(id, value.identity()) };
        self.gather(owner, Some(id), value, view, &mut marks);
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
        self.state.marks.truncate(start);
        if start == 0 {
            self.state.gathered.clear();
        }
        verdict
    }

    /// Marks what `node` and the in-place tree below it evaluate. `asking` is the keyword that asks.
    fn gather<I: Instance<'v>>(
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
        let node_data = program.node(node);
        if node_data.shared && !self.state.gathered.insert((node, marks.gathering)) {
            return;
        }
        self.state.depth_left -= 1;
        let own = program.group(node_data, group);
        for (id, instruction) in program.group(node_data, Group::Any).chain(own) {
            if marks.all || Some(id) == asking {
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
            Instruction::Reference(node) => self.gather(*node, None, value, view, marks),
            Instruction::AllOf(branches) => {
                for branch in branches {
                    self.gather(*branch, None, value, view, marks);
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
                    self.gather(branch, None, value, view, marks);
                }
            }
            Instruction::DependentSchemas(dependents) => {
                let View::Object(members) = view else { return };
                for (name, node) in dependents {
                    if members.get(name).is_some() {
                        self.gather(*node, None, value, view, marks);
                    }
                }
            }
            Instruction::Items(items) => match items.rest {
                Some(_) => marks.all = true,
                None => (0..items.prefix.len().min(marks.children)).for_each(|index| self.mark(marks, index)),
            },
            Instruction::Contains(contains) if contains.evaluates => {
                let View::Array(items) = view else { return };
                for (index, item) in items.iter().enumerate() {
                    match self.decide(contains.node, item) {
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
        branch: NodeId,
        value: I,
        view: View<'v, I>,
        marks: &mut Marks,
    ) -> Verdict {
        let verdict = self.decide(branch, value);
        match verdict {
            Verdict::Yes => self.gather(branch, None, value, view, marks),
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
        for (index, (key, _)) in object.iter().enumerate() {
            if self.state.meter.charge(1).is_err() {
                marks.unsure = true;
                return;
            }
            let mut taken: Verdict = members.named.get(key).is_some().into();
            for (pattern, _) in &members.patterns {
                if taken.is_yes() {
                    break;
                }
                let pattern = self.program.pattern(*pattern);
                taken = taken.or(pattern.is_match(key, &mut self.state.meter, self.limits).into());
            }
            match taken {
                Verdict::Yes => self.mark(marks, index),
                Verdict::Unknown => marks.unsure = true,
                Verdict::No => {}
            }
        }
    }

    fn mark(&mut self, marks: &Marks, index: usize) {
        if let Some(word) = self.state.marks.get_mut(marks.start + index / WORD) {
            *word |= 1 << (index % WORD);
        }
    }

    fn is_marked(&self, marks: &Marks, index: usize) -> bool {
        marks.all
            || self
                .state
                .marks
                .get(marks.start + index / WORD)
                .is_some_and(|word| word >> (index % WORD) & 1 == 1)
    }
}
