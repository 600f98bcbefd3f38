//! The metaschema check: a schema is judged by its dialect's own schema, with our own engine.
//!
//! In: the documents of a build. Out: nothing, or a [`BuildError`] with the bounded refusal whose paths lead into
//! the schema. One walk over each document, as dear as any check of its size; a part that names another dialect is
//! judged by that one, for which the document is copied without the part. Each dialect's validator is built once a
//! process.

use std::collections::HashSet;
use std::sync::OnceLock;

use serde_json::Value;

use crate::bound;
use crate::limits::{DEPTH_CEILING, Limits};
use crate::options::{Options, Purpose};
use crate::report::Refusal;
use crate::schema::dialect::Dialect;
use crate::schema::error::BuildError;
use crate::schema::{Region, Registry, metaschema};
use crate::validator::Validator;

/// Judges one document of the build, by its number.
pub(crate) fn check(registry: &Registry<'_>, document: usize) -> Result<(), BuildError> {
    let regions: Vec<_> = registry.regions().iter().filter(|region| region.document == document).collect();
    // The parts of another dialect than what is around them; the document itself lies in nothing.
    let foreign: HashSet<usize> = regions.iter().map(|region| address(region.root)).collect();
    for region in &regions {
        let validator = validator(region.dialect)?;
        let judged = match regions.as_slice() {
            [_] => validator.check(region.root),
            _ => validator.check(&without(region.root, &foreign, true)),
        };
        judged.map_err(|refusal| error(registry, region, refusal))?;
    }
    Ok(())
}

/// A copy of a part without the parts of other dialects in it. As deep as the document, which the build has bounded.
fn without(value: &Value, foreign: &HashSet<usize>, root: bool) -> Value {
    if !root && foreign.contains(&address(value)) {
        return Value::Bool(true);
    }
    match value {
        Value::Array(items) => items.iter().map(|item| without(item, foreign, false)).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, member)| (key.clone(), without(member, foreign, false))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

fn error(registry: &Registry<'_>, region: &Region<'_>, refusal: Refusal) -> BuildError {
    let first = refusal.entries().first();
    let problems: Vec<&str> =
        first.into_iter().flat_map(|entry| entry.problems()).map(|problem| problem.text()).collect();
    let pointer = first.map_or("", |entry| entry.pointer());
    let dialect = region.dialect.name().trim_start_matches("draft");
    let more = match refusal.total() {
        0 | 1 => String::new(),
        total => format!(" (and {} more places)", total - 1),
    };
    let text = bound::echo_str(&problems.join("; "));
    let message = format!("the schema is no draft {dialect} schema: {text}{more}");
    let location = format!("{}{pointer}", registry.location(region.place));
    BuildError::refused(&location, message, refusal)
}

/// The validator of a dialect's metaschema.
fn validator(dialect: Dialect) -> Result<&'static Validator, BuildError> {
    static BUILT: [OnceLock<Result<Validator, BuildError>>; Dialect::ALL.len()] =
        [const { OnceLock::new() }; Dialect::ALL.len()];
    let build = || {
        let document = metaschema::document(dialect.uri())
            .ok_or_else(|| BuildError::new(dialect.uri(), "the dialect has no metaschema"))?;
        // A schema may be nested as deep as its own limit allows, at two nodes a level.
        let limits = Limits::default().depth(DEPTH_CEILING);
        Options::default().dialect(dialect).limits(limits).build_for(document, Purpose::Metaschema)
    };
    match BUILT.get(dialect as usize) {
        Some(cell) => cell.get_or_init(build).as_ref().map_err(BuildError::clone),
        None => Err(BuildError::new(dialect.uri(), "the dialect has no metaschema")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metaschema_builds_and_passes_its_own_check() {
        for dialect in Dialect::ALL {
            let validator = validator(*dialect).unwrap();
            let document = metaschema::document(dialect.uri()).unwrap();
            assert_eq!(validator.check(document), Ok(()), "{dialect}");
        }
    }
}
