//! The metaschema check: a schema is judged by its dialect's own schema, with our own engine.
//!
//! In: the documents of a build. Out: nothing, or a [`BuildError`] with the bounded refusal whose paths lead into
//! the schema. One walk over each document, as dear as any check of its size; a part that names another dialect is
//! judged by that one, for which the document is copied without the part. Each dialect's validator is built once a
//! process, that of a metaschema of the caller's once a build.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::OnceLock;

use serde_json::Value;

use crate::bound;
use crate::options::{Choices, Options, Purpose};
use crate::report::Refusal;
use crate::schema::dialect::Dialect;
use crate::schema::documents::Documents;
use crate::schema::error::BuildError;
use crate::schema::vocabulary::Language;
use crate::schema::{Metaschema, Region, Registry, metaschema};
use crate::validator::Validator;

/// The judge of one build.
pub(crate) struct Judge<'s> {
    documents: &'s Documents<'s>,
    /// The validators of the caller's metaschemas, by their number in the registry.
    custom: BTreeMap<usize, Validator>,
}

impl<'s> Judge<'s> {
    pub(crate) fn new(documents: &'s Documents<'s>) -> Self {
        Judge { documents, custom: BTreeMap::new() }
    }

    /// Judges documents of the build, by their numbers.
    pub(crate) fn check(
        &mut self,
        registry: &Registry<'s>,
        documents: &BTreeSet<usize>,
    ) -> Result<(), BuildError> {
        let regions: Vec<_> =
            registry.regions().iter().filter(|region| documents.contains(&region.document)).collect();
        // The parts of another language than what is around them; a document itself lies in nothing.
        let mut foreign = HashSet::new();
        let mut parted = BTreeSet::new();
        for region in &regions {
            foreign.insert(address(region.root));
            if region.is_part {
                parted.insert(region.document);
            }
        }
        for region in &regions {
            let validator = self.validator(registry, region.language)?;
            let judged = if parted.contains(&region.document) {
                validator.check(&without(region.root, &foreign, true))
            } else {
                validator.check(region.root)
            };
            judged.map_err(|refusal| error(registry, region, refusal))?;
        }
        Ok(())
    }

    fn validator(&mut self, registry: &Registry<'s>, language: Language) -> Result<Validator, BuildError> {
        let Some(number) = language.metaschema else { return of_dialect(language.dialect).cloned() };
        if let Some(known) = self.custom.get(&number) {
            return Ok(known.clone());
        }
        let Some(Metaschema { uri, document }) = registry.metaschema(number) else {
            return Err(BuildError::new("#", "the schema has no metaschema"));
        };
        let choices = Choices::for_metaschema(language.dialect);
        let built = choices.build(self.documents, uri, document, Purpose::Metaschema)?;
        self.custom.insert(number, built.clone());
        Ok(built)
    }
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
    let more = match refusal.total() {
        0 | 1 => String::new(),
        total => format!(" (and {} more places)", total - 1),
    };
    let language = match region.language.metaschema.and_then(|number| registry.metaschema(number)) {
        Some(Metaschema { uri, .. }) => format!("\"{}\"", bound::echo_str(uri)),
        None => format!("{} schema", region.language.dialect.title()),
    };
    let text = bound::echo_str(&problems.join("; "));
    let message = format!("the schema is no {language}: {text}{more}");
    let location = format!("{}{pointer}", registry.location(region.place));
    BuildError::refused(&location, message, refusal)
}

/// The validator of a dialect's metaschema.
fn of_dialect(dialect: Dialect) -> Result<&'static Validator, BuildError> {
    static BUILT: [OnceLock<Result<Validator, BuildError>>; Dialect::ALL.len()] =
        [const { OnceLock::new() }; Dialect::ALL.len()];
    let none = || BuildError::new(dialect.uri(), "the dialect has no metaschema");
    let build = || {
        let document = metaschema::document(dialect.uri()).ok_or_else(none)?;
        Options::from(Choices::for_metaschema(dialect)).build_for(document, Purpose::Metaschema)
    };
    match BUILT.get(dialect as usize) {
        Some(cell) => cell.get_or_init(build).as_ref().map_err(BuildError::clone),
        None => Err(none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metaschema_builds_and_passes_its_own_check() {
        for dialect in Dialect::ALL {
            let validator = of_dialect(*dialect).unwrap();
            let document = metaschema::document(dialect.uri()).unwrap();
            assert_eq!(validator.check(document), Ok(()), "{dialect}");
        }
    }
}
