//! Which keyword a problem belongs to, and where it stands in the schema.
//!
//! In: a problem. Out: the keyword as the author's dialect names it, and the canonical location (absolute URI and
//! JSON Pointer, JSON Schema core §9.2.1), of at most [`LOCATION_BYTES`] bytes and a mark.

use super::cut;
use crate::engine::sink::{Fault, Problem};
use crate::program::{Instruction, LocationId, Program};

/// What is kept of a schema location, in bytes before JSON escaping; it is cut in the middle.
pub(crate) const LOCATION_BYTES: usize = 1_024;

/// What the schema `false` is called where a keyword is asked for: it is none.
const FALSE: &str = "false";

/// The keyword of a problem; `false` for the schema of that name.
pub(crate) fn keyword(program: &Program, problem: Problem) -> &'static str {
    let written = program.site(problem.instruction).keyword;
    match program.instruction(problem.instruction) {
        Instruction::Never => FALSE,
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
        | Instruction::UnevaluatedProperties(_) => written,
    }
}

/// Where the keyword stands; for the schema `false`, where that schema stands.
pub(crate) fn schema_location(program: &Program, problem: Problem) -> String {
    let keyword = keyword(program, problem);
    let token = if keyword == FALSE { "" } else { keyword };
    shown_location(program, program.site(problem.instruction).location, token)
}

/// A place of the schema, and the keyword there unless it is empty.
pub(crate) fn shown_location(program: &Program, place: LocationId, keyword: &str) -> String {
    cut::middle(&program.locations().render(place, keyword), LOCATION_BYTES)
}
