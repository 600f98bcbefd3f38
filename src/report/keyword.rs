//! Which keyword a problem belongs to, and where it stands in the schema.
//!
//! In: a problem. Out: the keyword as the author's dialect names it, and the canonical location (absolute URI and
//! JSON Pointer, JSON Schema core §9.2.1), of at most [`LOCATION_BYTES`] bytes and a mark.

use super::cut;
use crate::bound::echo_str;
use crate::engine::sink::{Fault, Problem};
use crate::limits::{Exhausted, Meter};
use crate::program::{Instruction, LocationId, Program, Step, push_keyword, push_token};

/// What is kept of a schema location, in bytes before JSON escaping; it is cut in the middle.
pub(crate) const LOCATION_BYTES: usize = 1_024;

/// What is kept of a resource's URI in a location, in bytes: it leaves half of it to the pointer.
const URI_BYTES: usize = LOCATION_BYTES / 2;

/// Steps of a location that are gone, and bytes of it that are spelled, for the price of one step of the walk.
const WORK_PER_STEP: usize = 8;

/// What the schema `false` is called where a keyword is asked for: it is none.
const FALSE: &str = "false";

/// The keyword of a problem; `false` for the schema of that name.
pub(crate) fn keyword(program: &Program, problem: Problem) -> &str {
    let written = program.site(problem.instruction).keyword;
    match program.instruction(problem.instruction) {
        Instruction::Never => FALSE,
        Instruction::CustomKeyword(keyword) => &program.custom_keyword(*keyword).name,
        Instruction::Contains(contains) => match problem.fault {
            Fault::TooMany => "maxContains",
            Fault::TooFew if contains.minimum_written => "minContains",
            Fault::TooFew | Fault::Failed | Fault::Unchecked | Fault::Tag | Fault::Pattern => written,
        },
        // One walk stands for three keywords; only these two report at the object itself.
        Instruction::Members(_) => match problem.fault {
            Fault::Pattern => "patternProperties",
            Fault::Failed => "additionalProperties",
            Fault::Unchecked | Fault::TooFew | Fault::TooMany | Fault::Tag => written,
        },
        Instruction::Type(_)
        | Instruction::Enum(_)
        | Instruction::Const(_)
        | Instruction::Reference(_)
        | Instruction::AllOf(_)
        | Instruction::AnyOf(_)
        | Instruction::OneOf(_)
        | Instruction::Not(_)
        | Instruction::If(_)
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
        | Instruction::MinItems(_)
        | Instruction::MaxItems(_)
        | Instruction::Items(_)
        | Instruction::UniqueItems
        | Instruction::UnevaluatedItems(_)
        | Instruction::MinProperties(_)
        | Instruction::MaxProperties(_)
        | Instruction::Required(_)
        | Instruction::PropertyNames(_)
        | Instruction::DependentRequired(_)
        | Instruction::DependentSchemas(_)
        | Instruction::PropertyDependencies(_)
        | Instruction::UnevaluatedProperties(_) => written,
    }
}

/// Finds which of two problems stands first in the schema; its memory is used again.
#[derive(Default)]
pub(super) struct Spelling<'p> {
    steps: [Vec<&'p Step>; 2],
    texts: [String; 2],
}

impl<'p> Spelling<'p> {
    /// That of two problems whose keyword stands first in the order of canonical locations' bytes. Only what tells the
    /// locations apart is spelled out, and charged: a thousand problems deep in a schema do not cost a thousand
    /// locations.
    pub(super) fn first(
        &mut self,
        program: &'p Program,
        one: Problem,
        other: Problem,
        meter: &mut Meter,
    ) -> Result<Problem, Exhausted> {
        let Spelling { steps: [left, right], texts: [left_text, right_text] } = self;
        program.locations().steps_into(program.site(one.instruction).location, left);
        program.locations().steps_into(program.site(other.instruction).location, right);
        let shared = left.iter().zip(right.iter()).take_while(|(a, b)| std::ptr::eq(**a, **b)).count();
        let spell = |text: &mut String, steps: &[&Step], problem: Problem| {
            text.clear();
            steps.iter().skip(shared).for_each(|step| step.push(text));
            push_keyword(text, token(program, problem));
        };
        spell(left_text, left, one);
        spell(right_text, right, other);
        let work = left.len() + right.len() + left_text.len() + right_text.len();
        meter.charge((work / WORK_PER_STEP) as u64)?;
        Ok(if right_text < left_text { other } else { one })
    }
}

/// The keyword as the last token of a location; the schema `false` has none.
fn token(program: &Program, problem: Problem) -> &str {
    let keyword = keyword(program, problem);
    if keyword == FALSE { "" } else { keyword }
}

/// Where the keyword stands; for the schema `false`, where that schema stands.
pub(crate) fn schema_location(program: &Program, problem: Problem) -> String {
    shown_location(program, program.site(problem.instruction).location, token(program, problem))
}

/// A place of the schema, and the keyword there unless it is empty. A key and a URI are cut before they are
/// escaped, as in a path of the data, so that a problem of many costs the same whatever they are.
pub(crate) fn shown_location(program: &Program, place: LocationId, keyword: &str) -> String {
    let mut pieces: Vec<Piece<'_>> = program.locations().steps(place).into_iter().map(Piece::Step).collect();
    if !keyword.is_empty() {
        pieces.push(Piece::Keyword(keyword));
    }
    cut::assemble(&pieces, LOCATION_BYTES, |text, piece, _| match piece {
        Piece::Step(Step::Resource(uri)) => {
            text.push_str(&cut::end(uri, URI_BYTES));
            text.push('#');
        }
        Piece::Step(Step::Key(key)) => push_token(text, &echo_str(key)),
        Piece::Step(Step::Index(index)) => push_token(text, &index.to_string()),
        Piece::Keyword(keyword) => push_token(text, keyword),
    })
    .0
}

/// A part of a location.
enum Piece<'a> {
    Step(&'a Step),
    Keyword(&'a str),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::BOUND;
    use crate::program::{Builder, Group, Locations, NodeDraft};

    fn program(uri: &str, key: &str, depth: usize) -> Program {
        let place = |number: usize| LocationId::new(number).unwrap();
        let mut places = Locations::default();
        places.push(None, Step::Resource(uri.into())).unwrap();
        for at in 0..depth {
            places.push(Some(place(at)), Step::Key(key.into())).unwrap();
        }
        let mut draft = NodeDraft::new(place(depth));
        draft.push(Group::Array, Instruction::UniqueItems, "uniqueItems");
        let mut builder = Builder::default();
        let root = builder.reserve().unwrap();
        builder.fill(root, draft);
        builder.freeze(root.into(), places).unwrap()
    }

    fn location(uri: &str, key: &str, depth: usize) -> String {
        let program = program(uri, key, depth);
        let instruction = program.first(program.node(program.root()));
        schema_location(&program, Problem { instruction, fault: Fault::Failed })
    }

    #[test]
    fn a_location_is_a_uri_and_a_pointer() {
        assert_eq!(location("", "k", 0), "#/uniqueItems");
        assert_eq!(location("urn:a", "a/b~", 2), "urn:a#/a~1b~0/a~1b~0/uniqueItems");
    }

    #[test]
    fn a_location_is_bounded_whatever_the_uri_and_the_keys() {
        let exact = location(&"u".repeat(URI_BYTES), &"k".repeat(BOUND), 1);
        assert!(!exact.contains('…'), "{exact}");
        for text in [
            location(&"u".repeat(1 << 20), &"k".repeat(1 << 20), 1),
            location(&"u".repeat(1 << 20), &"~".repeat(1 << 20), 256),
        ] {
            assert!(text.len() <= cut::marked(LOCATION_BYTES));
            assert!(text.contains('…') && text.ends_with("/uniqueItems"), "{text}");
        }
    }
}
