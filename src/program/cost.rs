//! What a check by a program can cost.
//!
//! In: a program. Out: [`Cost`]: counts that bound every check by it, and a text that a person can act on. Linear
//! in the program.

use std::fmt;

use super::{Instruction, LocationId, Program};
use crate::bound;

/// What a check can cost: of one schema, whatever the instance.
///
/// ```
/// use portcullis::Validator;
/// use serde_json::json;
///
/// let validator = Validator::new(&json!({"type": "array", "uniqueItems": true}))?;
/// assert!(validator.cost().is_linear());
/// assert_eq!(validator.cost().memory_keywords(), 1);
/// println!("{}", validator.cost());
/// # Ok::<(), portcullis::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    nodes: usize,
    instructions: usize,
    patterns: usize,
    pattern_states: usize,
    backtracking: Vec<String>,
    backtracking_count: usize,
    shared: Vec<String>,
    shared_count: usize,
    memory: Vec<String>,
    memory_count: usize,
}

impl Cost {
    pub(crate) fn new(program: &Program) -> Self {
        let mut cost = Cost {
            nodes: program.nodes().len(),
            instructions: program.instructions().len(),
            patterns: program.patterns().len(),
            pattern_states: 0,
            backtracking: Vec::new(),
            backtracking_count: 0,
            shared: Vec::new(),
            shared_count: 0,
            memory: Vec::new(),
            memory_count: 0,
        };
        for pattern in program.patterns() {
            cost.pattern_states = cost.pattern_states.saturating_add(pattern.states());
            if pattern.backtracks() {
                cost.backtracking_count += 1;
                keep(&mut cost.backtracking, || bound::render_str(pattern.source()));
            }
        }
        for (id, node) in program.nodes_with_ids() {
            if node.shared {
                cost.shared_count += 1;
                keep(&mut cost.shared, || place(program, program.location_of(id), ""));
            }
        }
        for (id, instruction) in program.instructions_with_ids() {
            if needs_memory(instruction) {
                cost.memory_count += 1;
                keep(&mut cost.memory, || place(program, program.place_of(id), program.keyword(id)));
            }
        }
        cost
    }

    /// Nodes of the program: schemas as they are applied.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Instructions of the program. Each is run at most once on a value that it concerns, a step each time.
    #[must_use]
    pub fn instructions(&self) -> usize {
        self.instructions
    }

    /// States of all compiled patterns: the factor by which text is charged where a pattern reads it.
    #[must_use]
    pub fn pattern_states(&self) -> usize {
        self.pattern_states
    }

    /// Patterns that no linear engine can run. Each is tried only on short strings and within the check's steps.
    #[must_use]
    pub fn backtracking_patterns(&self) -> usize {
        self.backtracking_count
    }

    /// Nodes whose verdicts are remembered, because one value can meet them by two routes.
    #[must_use]
    pub fn shared_nodes(&self) -> usize {
        self.shared_count
    }

    /// Keywords that need memory in proportion to a container: `uniqueItems` and `unevaluated*`.
    #[must_use]
    pub fn memory_keywords(&self) -> usize {
        self.memory_count
    }

    /// Whether every check is linear in the instance, whatever it is: no pattern backtracks.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.backtracking_count == 0
    }
}

fn place(program: &Program, location: LocationId, keyword: &str) -> String {
    bound::render_str(&program.locations().render(location, keyword))
}

/// Keeps as many examples as a list shows.
fn keep(examples: &mut Vec<String>, example: impl FnOnce() -> String) {
    if examples.len() < bound::LISTED {
        examples.push(example());
    }
}

fn needs_memory(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::UniqueItems | Instruction::UnevaluatedItems(_) | Instruction::UnevaluatedProperties(_)
    )
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        writeln!(f, "{}, {}", some(self.nodes, "node"), some(self.instructions, "instruction"))?;
        writeln!(f, "{} with {}", some(self.patterns, "pattern"), some(self.pattern_states, "state"))?;
        let list = |f: &mut fmt::Formatter<'_>, title: &str, count: usize, examples: &[String]| {
            writeln!(f, "{title}: {count}")?;
            for example in examples {
                writeln!(f, "  {example}")?;
            }
            if count > examples.len() {
                writeln!(f, "  and {} more", count - examples.len())?;
            }
            Ok(())
        };
        list(f, "nodes remembered, since one value can meet them twice", self.shared_count, &self.shared)?;
        list(f, "keywords that need memory", self.memory_count, &self.memory)?;
        list(f, "patterns that backtrack", self.backtracking_count, &self.backtracking)?;
        if self.is_linear() {
            write!(f, "every check is linear in its instance")
        } else {
            write!(
                f,
                "checks are linear in their instance but for the patterns that backtrack: rewrite those without \
                 back-references and look-around, or refuse them with Limits::backtracking(false)"
            )
        }
    }
}
