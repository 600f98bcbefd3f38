//! Which keyword a problem belongs to, and where it stands in the schema.
//!
//! In: a problem. Out: the keyword as the author's dialect names it, and the canonical location (absolute URI and
//! JSON Pointer, JSON Schema core §9.2.1), of at most [`LOCATION_BYTES`] bytes and a mark.

use std::borrow::Cow;

use super::cut;
use super::path::shown;
use crate::bound::BOUND;
use crate::engine::sink::{Fault, Problem};
use crate::limits::{Exhausted, Meter};
use crate::program::{
    CustomKeywordId, Instruction, LocationId, Parted, Program, Step, push_keyword, push_token,
};

/// What is kept of a schema location, in bytes before JSON escaping; it is cut in the middle.
pub(crate) const LOCATION_BYTES: usize = 1_024;

/// What is kept of a resource's URI in a location, in bytes: it leaves half of it to the pointer.
const URI_BYTES: usize = LOCATION_BYTES / 2;

/// Bytes of a location that are spelled for the price of one step of the walk.
const WORK_PER_STEP: usize = 8;

/// What the schema `false` is called where a keyword is asked for: it is none.
const FALSE: &str = "false";

/// The keyword of a problem; `false` for the schema of that name.
pub(crate) fn keyword(program: &Program, problem: Problem) -> &str {
    match known(program, problem) {
        Ok(keyword) => keyword,
        Err(keyword) => &program.custom_keyword(keyword).name,
    }
}

/// The same, to be kept.
pub(super) fn kept_keyword(program: &Program, problem: Problem) -> Cow<'static, str> {
    match known(program, problem) {
        Ok(keyword) => Cow::Borrowed(keyword),
        Err(keyword) => Cow::Owned(program.custom_keyword(keyword).name.to_string()),
    }
}

/// A keyword that the crate knows, or the caller's own.
fn known(program: &Program, problem: Problem) -> Result<&'static str, CustomKeywordId> {
    let written = program.keyword(problem.instruction);
    Ok(match program.instruction(problem.instruction) {
        Instruction::Never => FALSE,
        Instruction::CustomKeyword(keyword) => return Err(*keyword),
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
    })
}

/// That of two problems whose keyword stands first in the order of canonical locations' bytes. Only what tells the locations
/// apart is gone, and charged: a thousand problems deep in a schema do not cost a thousand locations.
pub(super) fn first_in_schema(
    program: &Program,
    one: Problem,
    other: Problem,
    meter: &mut Meter,
) -> Result<Problem, Exhausted> {
    let place = |problem: Problem| program.place_of(problem.instruction);
    let apart = program.locations().apart(place(one), place(other));
    let keywords = (token(program, one), token(program, other));
    let ordering = beginning(apart.one, keywords.0).cmp(beginning(apart.other, keywords.1));
    let mut work = apart.work + 1;
    let ordering = if ordering.is_eq() && one.instruction != other.instruction {
        // One place can be listed twice, under two numbers.
        let render = |problem: Problem, keyword| program.locations().render(place(problem), keyword);
        let texts = (render(one, keywords.0), render(other, keywords.1));
        work += (texts.0.len() + texts.1.len()) / WORK_PER_STEP;
        texts.0.cmp(&texts.1)
    } else {
        ordering
    };
    meter.charge(work as u64)?;
    Ok(if ordering.is_gt() { other } else { one })
}

/// What a location is spelled like from where it parts from another, as far as it can tell the two apart.
fn beginning<'a>(parted: Parted<'a>, keyword: &'a str) -> impl Iterator<Item = u8> + 'a {
    let (step, resource, index) = match parted.step {
        None => (keyword, "", None),
        Some(Step::Resource(uri)) => ("", uri, None),
        Some(Step::Key(key)) => (key, "", None),
        Some(Step::Index(index)) => ("", "", Some(index)),
    };
    let escaped = step.bytes().flat_map(|byte| match byte {
        b'~' => [Some(b'~'), Some(b'0')],
        b'/' => [Some(b'~'), Some(b'1')],
        other => [Some(other), None],
    });
    let digits = index.into_iter().flat_map(|index| {
        let width = index.checked_ilog10().unwrap_or_default();
        // A digit is below ten.
        (0..=width).rev().map(move |place| b'0' + (index / 10_u32.pow(place) % 10) as u8)
    });
    let is_token = index.is_some() || !step.is_empty() || matches!(parted.step, Some(Step::Key(_)));
    // Whatever follows: what tells the two apart comes before it.
    let follows = parted.step.is_some() && (parted.is_below || !keyword.is_empty());
    resource
        .bytes()
        .chain((!resource.is_empty() || matches!(parted.step, Some(Step::Resource(_)))).then_some(b'#'))
        .chain(is_token.then_some(b'/'))
        .chain(escaped.flatten())
        .chain(digits)
        .chain(follows.then_some(b'/'))
}

/// The keyword as the last token of a location; the schema `false` has none.
fn token(program: &Program, problem: Problem) -> &str {
    let keyword = keyword(program, problem);
    if keyword == FALSE { "" } else { keyword }
}

/// Where the keyword stands; for the schema `false`, where that schema stands.
pub(crate) fn schema_location(program: &Program, problem: Problem) -> String {
    shown_location(program, program.place_of(problem.instruction), token(program, problem))
}

/// A place of the schema, and the keyword there unless it is empty. A key and a URI are cut before they are
/// escaped, as in a path of the data, so that a problem of many costs the same whatever they are.
pub(crate) fn shown_location(program: &Program, place: LocationId, keyword: &str) -> String {
    program.locations().with_steps(place, |steps| shown_steps(steps, keyword))
}

fn shown_steps(steps: &[Step<'_>], keyword: &str) -> String {
    /// The digits of an index, and the token's slash.
    const INDEX: usize = u32::MAX.ilog10() as usize + 2;
    let lengths = steps.iter().map(|step| match step {
        Step::Resource(uri) => (uri.len() + 1, uri.len() > URI_BYTES),
        // Escaping at most doubles it.
        Step::Key(key) => (1 + 2 * key.len(), key.len() > BOUND),
        Step::Index(_) => (INDEX, false),
    });
    let (length, is_long) =
        lengths.fold((1 + 2 * keyword.len(), false), |all, one| (all.0 + one.0, all.1 || one.1));
    if length <= LOCATION_BYTES && !is_long {
        let mut text = String::with_capacity(length);
        steps.iter().for_each(|step| step.push(&mut text));
        push_keyword(&mut text, keyword);
        return text;
    }
    let mut pieces: Vec<Piece<'_>> = steps.iter().copied().map(Piece::Step).collect();
    if !keyword.is_empty() {
        pieces.push(Piece::Keyword(keyword));
    }
    cut::assemble(&pieces, LOCATION_BYTES, |text, piece, _| match piece {
        Piece::Step(Step::Resource(uri)) => {
            text.push_str(&cut::end(uri, URI_BYTES));
            text.push('#');
        }
        Piece::Step(Step::Key(key)) => push_token(text, &shown(key)),
        Piece::Step(index @ Step::Index(_)) => index.push(text),
        Piece::Keyword(keyword) => push_token(text, keyword),
    })
    .0
}

/// A part of a location.
enum Piece<'a> {
    Step(Step<'a>),
    Keyword(&'a str),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Builder, Group, Locations, NodeDraft};

    fn program(uri: &str, key: &str, depth: usize) -> Program {
        let place = |number: usize| LocationId::new(number).unwrap();
        let mut places = Locations::default();
        places.push(None, Step::Resource(uri)).unwrap();
        for at in 0..depth {
            places.push(Some(place(at)), Step::Key(key)).unwrap();
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

    /// A program of places under one another, each a node that asks one thing.
    fn tree(steps: &[(usize, Step<'_>)]) -> Program {
        let place = |number: usize| LocationId::new(number).unwrap();
        let mut places = Locations::default();
        places.push(None, Step::Resource("urn:a")).unwrap();
        for (parent, step) in steps {
            places.push(Some(place(*parent)), *step).unwrap();
        }
        let mut builder = Builder::default();
        let mut root = None;
        for at in 0..=steps.len() {
            let node = builder.reserve().unwrap();
            let mut draft = NodeDraft::new(place(at));
            draft.push(Group::Array, Instruction::UniqueItems, "uniqueItems");
            draft.push(Group::Any, Instruction::Never, "");
            builder.fill(node, draft);
            root.get_or_insert(node);
        }
        builder.freeze(root.unwrap().into(), places).unwrap()
    }

    proptest::proptest! {
        #[test]
        fn of_two_places_the_first_by_bytes_is_found_without_spelling_them(
            drawn in proptest::collection::vec((0_usize..100, 0_usize..9), 1..12),
            pair in (0_usize..100, 0_usize..100),
        ) {
            let keys = ["a", "a-", "a/", "a~", "ab", "", "uniqueItems", "!"];
            let steps: Vec<(usize, Step<'_>)> = drawn
                .iter()
                .enumerate()
                .map(|(at, (parent, key))| {
                    let step = keys.get(*key).map_or(Step::Index(at as u32 * 7), |key| Step::Key(key));
                    (parent % (at + 1), step)
                })
                .collect();
            let program = tree(&steps);
            let all: Vec<Problem> = program
                .instructions_with_ids()
                .map(|(instruction, _)| Problem { instruction, fault: Fault::Failed })
                .collect();
            let (one, other) = (all[pair.0 % all.len()], all[pair.1 % all.len()]);
            let first = first_in_schema(&program, one, other, &mut Meter::new(10_000)).unwrap();
            let spelled = |problem| schema_location(&program, problem);
            proptest::prop_assert_eq!(spelled(first), spelled(one).min(spelled(other)));
        }
    }
}
