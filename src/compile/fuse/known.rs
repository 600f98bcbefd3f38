//! What can be told of a node by the kind of a value alone.
//!
//! In: the filled nodes. Out: for each node the kinds that all pass and the kinds that all fail. Everything else has to
//! be asked. Linear: every node is looked at once.

use crate::program::{Builder, Group, Instruction, Link, NodeDraft, NodeId, Others};
use crate::value::{Instance, Kind, Kinds};

/// Nodes behind one another that are looked through. What lies deeper counts as not known, which is always right.
const LOOK: usize = 64;

/// What a node says of values by their kind alone.
#[derive(Clone, Copy)]
pub(super) struct Said {
    pub(super) passes: Kinds,
    pub(super) fails: Kinds,
}

pub(super) const NOTHING: Said = Said { passes: Kinds::NONE, fails: Kinds::NONE };

/// What is known of each node so far.
pub(super) struct Known<'b> {
    builder: &'b Builder,
    /// `None` while a node is looked at for the first time, and of those never looked at.
    said: Vec<Option<Said>>,
    entered: Vec<bool>,
}

impl<'b> Known<'b> {
    pub(super) fn of(builder: &'b Builder) -> Vec<Said> {
        let count = builder.len();
        let mut known = Known { builder, said: vec![None; count], entered: vec![false; count] };
        // A node is made before those that it leads to, as a rule: seen from the end, most are known already, and
        // chains of any length are looked through.
        for index in (0..count).rev() {
            if let Ok(node) = NodeId::new(index) {
                known.node(node, LOOK);
            }
        }
        known.said.into_iter().map(|said| said.unwrap_or(NOTHING)).collect()
    }

    fn node(&mut self, id: NodeId, look: usize) -> Said {
        let index = id.index();
        if let Some(Some(said)) = self.said.get(index) {
            return *said;
        }
        let Some(entered) = self.entered.get_mut(index) else { return NOTHING };
        // Under itself, or too deep: only what it says by itself is known.
        let Some(look) = look.checked_sub(1).filter(|_| !*entered) else {
            return self.builder.draft(id).map_or(NOTHING, by_type);
        };
        *entered = true;
        let said = self.builder.draft(id).map_or(NOTHING, |draft| self.draft(draft, look));
        if let Some(place) = self.said.get_mut(index) {
            *place = Some(said);
        }
        said
    }

    fn draft(&mut self, draft: &NodeDraft, look: usize) -> Said {
        let mut all = Said { passes: Kinds::ALL, fails: Kinds::NONE };
        for (group, instruction) in draft.grouped() {
            let own = said(instruction, &mut |link: &Link| self.node(link.node, look));
            // What an instruction does not concern passes.
            let passes = own.passes.or(Kinds::KNOWN.without(group.kinds()));
            all = both(all, Said { passes, fails: own.fails.and(group.kinds()) });
        }
        all
    }
}

/// What a node's types refuse, whatever else it asks.
fn by_type(draft: &NodeDraft) -> Said {
    let types = draft.instructions().map(|instruction| match instruction {
        Instruction::Type(types) => types.refused(),
        _ => Kinds::NONE,
    });
    Said { passes: Kinds::NONE, fails: types.fold(Kinds::NONE, Kinds::or) }
}

/// What an instruction says of the kinds that it concerns.
pub(super) fn said(instruction: &Instruction, of: &mut impl FnMut(&Link) -> Said) -> Said {
    match instruction {
        Instruction::Type(types) => Said { passes: types.admitted(), fails: types.refused() },
        Instruction::Never => Said { passes: Kinds::NONE, fails: Kinds::KNOWN },
        Instruction::Enum(choices) => {
            let strings = (choices.strings.len() > 0).then_some(Kind::String);
            one_of(choices.others().map(Instance::kind).chain(strings))
        }
        Instruction::Const(value) => one_of([value.kind()]),
        Instruction::Reference(target) => of(target),
        Instruction::AllOf(branches) => {
            let all = Said { passes: Kinds::KNOWN, fails: Kinds::NONE };
            branches.iter().fold(all, |said, branch| both(said, of(branch)))
        }
        Instruction::AnyOf(union) => {
            let none = Said { passes: Kinds::NONE, fails: Kinds::KNOWN };
            union.branches.iter().fold(none, |said, branch| either(said, of(branch)))
        }
        Instruction::OneOf(union) => {
            let mut none = Kinds::KNOWN;
            // Kinds of which exactly one branch passes and all others fail; of which two pass.
            let (mut one, mut two) = (Kinds::NONE, Kinds::NONE);
            for branch in &union.branches {
                let Said { passes, fails } = of(branch);
                two = two.or(one.and(passes));
                one = one.and(fails).or(none.and(passes));
                none = none.and(fails);
            }
            Said { passes: one.and(Kinds::KNOWN), fails: none.or(two) }
        }
        Instruction::Not(node) => {
            let Said { passes, fails } = of(node);
            Said { passes: fails, fails: passes.and(Kinds::KNOWN) }
        }
        Instruction::If(conditional) => {
            let condition = of(&conditional.condition);
            let mut branch = |link: &Option<Link>| {
                link.as_ref().map_or(Said { passes: Kinds::KNOWN, fails: Kinds::NONE }, &mut *of)
            };
            let (then, otherwise) = (branch(&conditional.then), branch(&conditional.otherwise));
            let negated = Said { passes: condition.fails, fails: condition.passes };
            let (then, otherwise) = (either(negated, then), either(condition, otherwise));
            both(then, otherwise)
        }
        Instruction::Items(items) => {
            let mut nodes = items.prefix().iter().copied().chain(items.rest());
            passes_if(nodes.all(|link| of(&link).passes == Kinds::ALL))
        }
        Instruction::Members(members) => {
            let open =
                members.others == Others::Pass && members.patterns.is_empty() && members.required() == 0;
            passes_if(open && members.named.iter().all(|(_, link)| of(&link).passes == Kinds::ALL))
        }
        Instruction::Format(_)
        | Instruction::CustomKeyword(_)
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
        | Instruction::MinItems(_)
        | Instruction::MaxItems(_)
        | Instruction::Contains(_)
        | Instruction::UniqueItems
        | Instruction::UnevaluatedItems(_)
        | Instruction::MinProperties(_)
        | Instruction::MaxProperties(_)
        | Instruction::Required(_)
        | Instruction::PropertyNames(_)
        | Instruction::DependentRequired(_)
        | Instruction::DependentSchemas(_)
        | Instruction::PropertyDependencies(_)
        | Instruction::UnevaluatedProperties(_) => NOTHING,
    }
}

fn both(one: Said, other: Said) -> Said {
    Said { passes: one.passes.and(other.passes), fails: one.fails.or(other.fails) }
}

fn either(one: Said, other: Said) -> Said {
    Said { passes: one.passes.or(other.passes), fails: one.fails.and(other.fails) }
}

fn passes_if(all: bool) -> Said {
    Said { passes: if all { Kinds::KNOWN } else { Kinds::NONE }, fails: Kinds::NONE }
}

/// What a list of values of these kinds says: a kind that it lacks fails, and null is null.
fn one_of(values: impl IntoIterator<Item = Kind>) -> Said {
    let kinds = |kind: Kind| match kind {
        // 1 and 1.0 are equal.
        Kind::Integer | Kind::Float | Kind::Text => Group::Number.kinds(),
        Kind::Null | Kind::Boolean | Kind::String | Kind::Array | Kind::Object => Kinds::of([kind]),
    };
    let listed = values.into_iter().fold(Kinds::NONE, |set, kind| set.or(kinds(kind)));
    Said { passes: listed.and(Kinds::of([Kind::Null])), fails: Kinds::KNOWN.without(listed) }
}
