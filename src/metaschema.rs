//! The metaschema check: a schema is judged by its dialect's own schema, with our own engine.
//!
//! In: the documents of a build. Out: nothing, or a [`BuildError`] with the bounded refusal whose paths lead into
//! the schema. One walk over each document, as dear as any check of its size; a part that names another dialect is
//! judged by that one, for which the document is copied without the part, and so is what lies deeper than
//! [`PIECE_LEVELS`], which is judged on its own. Each dialect's validator is built once a
//! process, that of a metaschema of the caller's once a build.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::bound;
use crate::options::{Choices, Options, Purpose};
use crate::report::{Entry, Refusal};
use crate::schema::dialect::Dialect;
use crate::schema::documents::Documents;
use crate::schema::error::BuildError;
use crate::schema::vocabulary::Language;
use crate::schema::{Metaschema, Place, Registry, metaschema};
use crate::validator::Validator;
use crate::value::depth::exceeds;

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
        let foreign: HashSet<usize> = regions.iter().map(|region| address(region.root)).collect();
        let parted: BTreeSet<usize> =
            regions.iter().filter(|region| region.is_part).map(|region| region.document).collect();
        for region in &regions {
            let validator = self.validator(registry, region.language)?;
            let is_parted = parted.contains(&region.document);
            let mut pieces = vec![(region.root, region.place)];
            while let Some((root, place)) = pieces.pop() {
                // A metaschema of the caller's may ask more of a schema than an empty one has.
                let is_cut = region.language.metaschema.is_none() && exceeds(root, PIECE_LEVELS);
                let judged = if is_parted || is_cut {
                    let levels = if is_cut { PIECE_LEVELS } else { usize::MAX };
                    let mut copy = Copy { registry, foreign: &foreign, cut: &mut pieces };
                    validator.check(&copy.of_members(root, levels))
                } else {
                    validator.check(root)
                };
                judged.map_err(|refusal| error(registry, region.language, place, refusal))?;
            }
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

/// JSON levels of a document that are judged at once: at three nodes a level, the most that the embedded metaschemas
/// take, half of [`DEPTH_CEILING`](crate::limits::DEPTH_CEILING) is left.
const PIECE_LEVELS: usize = 85;

/// Copies a part of a document without the parts of other languages in it, and without schemas too deep in it, with
/// an empty schema in the place of each. As deep as the document, which the build has bounded.
struct Copy<'c, 's> {
    registry: &'c Registry<'s>,
    foreign: &'c HashSet<usize>,
    /// The schemas that were too deep.
    cut: &'c mut Vec<(&'s Value, Place)>,
}

impl<'s> Copy<'_, 's> {
    fn of(&mut self, value: &'s Value, levels: usize) -> Value {
        if self.foreign.contains(&address(value)) {
            return Value::Object(Map::new());
        }
        if levels == 0
            && value.is_object()
            && let Some(place) = self.registry.place(value)
        {
            self.cut.push((value, place));
            return Value::Object(Map::new());
        }
        self.of_members(value, levels)
    }

    fn of_members(&mut self, value: &'s Value, levels: usize) -> Value {
        let below = levels.saturating_sub(1);
        match value {
            Value::Array(items) => items.iter().map(|item| self.of(item, below)).collect(),
            Value::Object(members) => {
                members.iter().map(|(key, member)| (key.clone(), self.of(member, below))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }
}

fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

fn error(registry: &Registry<'_>, language: Language, place: Place, refusal: Refusal) -> BuildError {
    let first = innermost(refusal.entries());
    let problems: Vec<&str> =
        first.into_iter().flat_map(|entry| entry.problems()).map(|problem| problem.text()).collect();
    let pointer = first.map_or("", |entry| entry.pointer());
    let more = match refusal.total() {
        0 | 1 => String::new(),
        2 => " (and 1 more place)".to_owned(),
        total => format!(" (and {} more places)", total - 1),
    };
    let name = match language.metaschema.and_then(|number| registry.metaschema(number)) {
        Some(Metaschema { uri, .. }) => format!("\"{}\"", bound::echo_str(uri)),
        None => format!("{} schema", language.dialect.title()),
    };
    let text = bound::echo_str(&problems.join("; "));
    let message = format!("the schema is no {name}: {text}{more}");
    let location = format!("{}{pointer}", registry.location(place));
    BuildError::refused(&location, message, refusal)
}

/// The place to mend: the first that has nothing wrong within it. Where a keyword has a choice of forms (`items`: a
/// schema, or an array of them), the place above it says only that the value has not the form that was not meant.
fn innermost(entries: &[Entry]) -> Option<&Entry> {
    let (mut at, others) = entries.split_first()?;
    // In the order of paths what is within a place follows it.
    for next in others {
        match next.pointer().strip_prefix(at.pointer()) {
            Some(rest) if rest.starts_with('/') => at = next,
            Some(_) | None => break,
        }
    }
    Some(at)
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
    fn an_error_names_the_innermost_place() {
        use serde_json::json;
        for dialect in [Dialect::Draft4, Dialect::Draft7, Dialect::Draft201909, Dialect::Draft202012] {
            let schema =
                json!({"properties": {"a": {"items": {"items": {"minLength": -1}}}, "b": {"maxLength": -1}}});
            let error = Validator::options().dialect(dialect).build(&schema).unwrap_err();
            assert_eq!(error.schema_location(), "#/properties/a/items/items/minLength", "{dialect}");
            let listed: Vec<_> = error.refusal().unwrap().entries().iter().map(Entry::pointer).collect();
            assert_eq!(listed.last(), Some(&"/properties/b/maxLength"), "{dialect}");
        }
        let schema = json!({"definitions": {"a": {"type": 1}, "b": {"type": 2}}});
        let error = Validator::options().dialect(Dialect::Draft6).build(&schema).unwrap_err();
        assert_eq!(error.schema_location(), "#/definitions/a/type");
        assert!(error.message().ends_with(" (and 1 more place)"), "{error}");
    }

    #[test]
    fn every_metaschema_builds_and_passes_its_own_check() {
        for dialect in Dialect::ALL {
            let validator = of_dialect(*dialect).unwrap();
            let document = metaschema::document(dialect.uri()).unwrap();
            assert_eq!(validator.check(document), Ok(()), "{dialect}");
        }
    }
}
