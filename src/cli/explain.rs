//! `explain`: what a schema compiles to, and what a check by it can cost.
//!
//! In: a schema. Out: text, linear in the program; what it quotes of the schema is rendered by the library.

use super::args::ExplainArguments;
use super::input::read_once;
use super::outcome::{Outcome, Stop};
use super::output::Output;
use super::record::{Member, Record};

pub(crate) fn run(arguments: ExplainArguments) -> Result<Outcome, Stop> {
    let ExplainArguments { schema, settings, form } = arguments;
    read_once(settings.sources().chain([&schema]))?;
    let validator = settings.build(&schema)?;
    let cost = validator.cost();
    let program = validator.explain().to_string();
    let mut output = Output::new(form.json);
    if output.is_json() {
        let count = |count: usize| Member::Number(count as u64);
        let costs = Record::default()
            .with("nodes", count(cost.nodes()))
            .with("instructions", count(cost.instructions()))
            .with("pattern_states", count(cost.pattern_states()))
            .with("shared_nodes", count(cost.shared_nodes()))
            .with("memory_keywords", count(cost.memory_keywords()))
            .with("backtracking_patterns", count(cost.backtracking_patterns()))
            .with("linear", Member::Flag(cost.is_linear()));
        let lines = program.lines().map(str::to_owned).collect();
        let record =
            Record::default().with("program", Member::Texts(lines)).with("cost", Member::Record(costs));
        output.json(&record)?;
    } else {
        output.text(&program)?;
        output.line(format_args!("\n{cost}"))?;
    }
    output.end(Outcome::Passed)
}
