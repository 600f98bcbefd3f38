//! Reading: each keyword of one schema, typed and freed of its dialect.
//!
//! In: a schema's members and the table of its dialect. Out: a [`Subschema`], and the schemas that it reaches, each
//! read once however often it is named. A keyword of the wrong type is an error that names its place. Linear in
//! the schemas that the root reaches; the list of what is still to be read lies on the heap.

mod forms;
mod values;

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::error::BuildError;
use super::registry::{Place, Registry, Target};
use super::resolved::{Asks, Body, Keyword, Resolved, Subschema, SubschemaId};
use super::table::{Reads, look_up};
use super::vocabulary::Language;
use crate::bound;
use crate::value::Types;
use crate::value::mixing::Mixing;

/// What a build may ask of the reader.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'c> {
    /// Whether a keyword that the dialect does not know is an annotation (else it refuses the schema).
    pub(crate) unknown_keywords: bool,
    /// Whether `contentEncoding` and `contentMediaType` assert.
    pub(crate) assert_content: bool,
    /// The names of the caller's own keywords.
    pub(crate) custom_keywords: &'c [&'c str],
}

/// Reads `root` and all that it reaches; `reached` takes the numbers of the documents on the way, of the last one
/// too where its reading fails.
pub(crate) fn read<'s>(
    registry: &mut Registry<'s>,
    root: &'s Value,
    rules: Rules<'_>,
    reached: &mut BTreeSet<usize>,
) -> Result<Resolved<'s>, BuildError> {
    let mut reader =
        Reader { registry, rules, ids: HashMap::default(), schemas: Vec::new(), dynamic_anchors: Vec::new() };
    let first = reader.id(root)?;
    let mut subschemas = Vec::new();
    // `schemas` grows meanwhile; each is read in the order in which it was first named.
    while let Some((source, place)) = reader.schemas.get(subschemas.len()).copied() {
        reached.insert(reader.registry.document_of(place.resource));
        let mut required = false;
        let body = match source {
            Source::Schema(Value::Bool(true)) => Body::Always,
            Source::Schema(Value::Bool(false)) => Body::Never,
            Source::Schema(Value::Object(members)) => {
                required = members.get("required") == Some(&Value::Bool(true));
                Body::Keywords(reader.keywords(members, place)?)
            }
            Source::Schema(Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
                return Err(reader.registry.error(place, "", "a schema must be an object or a boolean"));
            }
            Source::Types(name, types) => Body::Keywords(vec![Keyword { name, asks: Asks::Type(types) }]),
        };
        reader.bind(place.resource)?;
        subschemas.push(Subschema { location: place.location, resource: place.resource, required, body });
    }
    let dynamic_anchors = reader.dynamic_anchors.into_iter().map(Option::unwrap_or_default).collect();
    Ok(Resolved { subschemas, root: first, dynamic_anchors })
}

/// Where a subschema of the resolved form comes from.
#[derive(Clone, Copy)]
enum Source<'s> {
    Schema(&'s Value),
    /// Types by name, which draft 3 lists among schemas; and the keyword that lists them.
    Types(&'static str, Types),
}

struct Reader<'r, 's> {
    registry: &'r mut Registry<'s>,
    rules: Rules<'r>,
    ids: HashMap<usize, SubschemaId, Mixing>,
    schemas: Vec<(Source<'s>, Place)>,
    /// By resource; those of resources that nothing has reached are not read.
    dynamic_anchors: Vec<Option<Vec<(&'s str, SubschemaId)>>>,
}

/// One schema while its keywords are read.
#[derive(Clone, Copy)]
struct Here<'s> {
    members: &'s Map<String, Value>,
    place: Place,
    language: Language,
}

impl<'s> Reader<'_, 's> {
    /// Names the dynamic anchors of a resource that has been reached, once.
    fn bind(&mut self, resource: usize) -> Result<(), BuildError> {
        if self.dynamic_anchors.len() <= resource {
            self.dynamic_anchors.resize(resource + 1, None);
        }
        if self.dynamic_anchors.get(resource).is_some_and(Option::is_some) {
            return Ok(());
        }
        let anchors = self.registry.resource(resource).map(|found| found.dynamic_anchors.clone());
        let mut bound = Vec::new();
        for (name, schema) in anchors.unwrap_or_default() {
            bound.push((name, self.id(schema)?));
        }
        if let Some(slot) = self.dynamic_anchors.get_mut(resource) {
            *slot = Some(bound);
        }
        Ok(())
    }

    /// The id of a schema that the registry has walked.
    fn id(&mut self, schema: &'s Value) -> Result<SubschemaId, BuildError> {
        match self.registry.place(schema) {
            Some(place) => Ok(self.named(schema, place)),
            None => Err(BuildError::new("#", "a schema must be an object or a boolean")),
        }
    }

    fn named(&mut self, schema: &'s Value, place: Place) -> SubschemaId {
        let next = SubschemaId(self.schemas.len());
        let id = *self.ids.entry(std::ptr::from_ref(schema).addr()).or_insert(next);
        if id == next {
            self.schemas.push((Source::Schema(schema), place));
        }
        id
    }

    /// A subschema of types alone, beside others at `place`.
    fn types_alone(&mut self, name: &'static str, types: Types, place: Place) -> SubschemaId {
        self.schemas.push((Source::Types(name, types), place));
        SubschemaId(self.schemas.len() - 1)
    }

    fn keywords(
        &mut self,
        members: &'s Map<String, Value>,
        place: Place,
    ) -> Result<Vec<Keyword<'s>>, BuildError> {
        let language = self.registry.language_of(place.resource);
        let here = Here { members, place, language };
        let mut keywords = Vec::new();
        if language.dialect.reference_hides_siblings()
            && let Some(reference) = members.get("$ref")
        {
            let target = self.target(here, "$ref", reference)?;
            let asks = Asks::Reference(self.named(target.schema, target.place));
            return Ok(vec![Keyword { name: "$ref", asks }]);
        }
        for (name, value) in members {
            let custom = self.rules.custom_keywords.iter().position(|custom| custom == name);
            match (look_up(name, language), custom) {
                (None | Some((_, Reads::Annotation)), Some(number)) => {
                    keywords.push(Keyword { name: "", asks: Asks::Custom(number, value) });
                }
                (Some(_), Some(_)) => {
                    let message = format!("\"{}\" is a keyword of the dialect's own", bound::echo_str(name));
                    return Err(self.registry.error(place, name, message));
                }
                (Some((name, reads)), None) => self.keyword(here, name, reads, value, &mut keywords)?,
                (None, None) if self.rules.unknown_keywords => {}
                (None, None) => {
                    let message = format!("\"{}\" is an unknown keyword", bound::echo_str(name));
                    return Err(self.registry.error(place, name, message));
                }
            }
        }
        Ok(keywords)
    }

    /// One keyword: the one place where each way of reading is named.
    fn keyword(
        &mut self,
        here: Here<'s>,
        name: &'static str,
        reads: Reads,
        value: &'s Value,
        keywords: &mut Vec<Keyword<'s>>,
    ) -> Result<(), BuildError> {
        let asks = match reads {
            Reads::Structure
            | Reads::Definitions
            | Reads::Branch
            | Reads::AdditionalItems
            | Reads::ContainsCount
            | Reads::ExclusiveFlag
            | Reads::RequiredFlag
            | Reads::ContentSchema
            | Reads::Annotation => return Ok(()),
            Reads::Reference => {
                let target = self.target(here, name, value)?;
                Asks::Reference(self.named(target.schema, target.place))
            }
            Reads::DynamicReference => self.dynamic_reference(here, name, value)?,
            Reads::DynamicName => {
                let anchor = self.string(here, name, value)?;
                // Its older spelling is that of a fragment.
                Asks::DynamicReference { target: None, anchor: anchor.strip_prefix('#').unwrap_or(anchor) }
            }
            Reads::RecursiveReference => self.recursive_reference(here, name, value)?,
            Reads::Extends => match value {
                Value::Array(_) => Asks::AllOf(self.schemas_or_none(here, name, value)?),
                _ => Asks::AllOf(vec![self.schema(here, name, value)?]),
            },
            Reads::Disallow => {
                for schema in self.types_or_schemas(here, name, value)? {
                    keywords.push(Keyword { name, asks: Asks::Not(schema) });
                }
                return Ok(());
            }
            Reads::AllOf => Asks::AllOf(self.schemas(here, name, value)?),
            Reads::AnyOf => Asks::AnyOf(self.schemas(here, name, value)?),
            Reads::OneOf => Asks::OneOf(self.schemas(here, name, value)?),
            Reads::Not => Asks::Not(self.schema(here, name, value)?),
            Reads::If => Asks::If {
                condition: self.schema(here, name, value)?,
                then: self.sibling(here, "then")?,
                otherwise: self.sibling(here, "else")?,
            },
            Reads::Properties => Asks::Properties(self.schema_map(here, name, value)?),
            Reads::PropertiesAndRequired => {
                let properties = self.schema_map(here, name, value)?;
                for (key, schema) in &properties {
                    keywords.push(Keyword { name: "required", asks: Asks::RequiredBySchema(key, *schema) });
                }
                Asks::Properties(properties)
            }
            Reads::PatternProperties => Asks::PatternProperties(self.schema_map(here, name, value)?),
            Reads::AdditionalProperties => Asks::AdditionalProperties(self.schema(here, name, value)?),
            Reads::PropertyNames => Asks::PropertyNames(self.schema(here, name, value)?),
            Reads::DependentSchemas => Asks::DependentSchemas(self.schema_map(here, name, value)?),
            Reads::Dependencies | Reads::DependenciesOrName => {
                return self.dependencies(here, name, reads, value, keywords);
            }
            Reads::PropertyDependencies => {
                let mut dependents = Vec::new();
                for (key, schemas) in self.object(here, name, value)? {
                    dependents.push((key.as_str(), self.schema_map(here, name, schemas)?));
                }
                Asks::PropertyDependencies(dependents)
            }
            Reads::PrefixItems => Asks::PrefixItems(self.schemas(here, name, value)?),
            Reads::Items => Asks::Items(self.schema(here, name, value)?),
            Reads::ItemsBothForms => match value {
                Value::Array(_) => {
                    let prefix = self.schemas_or_none(here, name, value)?;
                    keywords.push(Keyword { name, asks: Asks::PrefixItems(prefix) });
                    if let Some(rest) = self.sibling(here, "additionalItems")? {
                        keywords.push(Keyword { name: "additionalItems", asks: Asks::Items(rest) });
                    }
                    return Ok(());
                }
                _ => Asks::Items(self.schema(here, name, value)?),
            },
            Reads::Contains => Asks::Contains {
                schema: self.schema(here, name, value)?,
                minimum: self.sibling_count(here, "minContains")?,
                maximum: self.sibling_count(here, "maxContains")?,
                evaluates: here.language.dialect.contains_evaluates(),
            },
            Reads::UnevaluatedItems => Asks::UnevaluatedItems(self.schema(here, name, value)?),
            Reads::UnevaluatedProperties => Asks::UnevaluatedProperties(self.schema(here, name, value)?),
            Reads::Type => Asks::Type(self.types(here, name, value)?),
            Reads::TypeOrSchemas => {
                let alternatives = self.types_or_schemas(here, name, value)?;
                Asks::AnyOf(alternatives)
            }
            Reads::Enum => match value {
                Value::Array(values) => Asks::Enum(values),
                _ => return Err(self.wrong(here, name, "an array")),
            },
            Reads::Const => Asks::Const(value),
            Reads::MultipleOf => {
                let divisor = self.number(here, name, value)?;
                let exact = crate::value::Number::from_json(divisor);
                if exact.compare(crate::value::Number::Unsigned(0)) != Some(std::cmp::Ordering::Greater) {
                    return Err(self.wrong(here, name, "a number above 0"));
                }
                Asks::MultipleOf(divisor)
            }
            Reads::Minimum => Asks::Minimum(self.number(here, name, value)?),
            Reads::Maximum => Asks::Maximum(self.number(here, name, value)?),
            Reads::MinimumWithFlag => {
                let bound = self.number(here, name, value)?;
                if self.flag(here, "exclusiveMinimum")? {
                    Asks::ExclusiveMinimum(bound)
                } else {
                    Asks::Minimum(bound)
                }
            }
            Reads::MaximumWithFlag => {
                let bound = self.number(here, name, value)?;
                if self.flag(here, "exclusiveMaximum")? {
                    Asks::ExclusiveMaximum(bound)
                } else {
                    Asks::Maximum(bound)
                }
            }
            Reads::ExclusiveMinimum => Asks::ExclusiveMinimum(self.number(here, name, value)?),
            Reads::ExclusiveMaximum => Asks::ExclusiveMaximum(self.number(here, name, value)?),
            Reads::MinLength => Asks::MinLength(self.count(here, name, value)?),
            Reads::MaxLength => Asks::MaxLength(self.count(here, name, value)?),
            Reads::Pattern => Asks::Pattern(self.string(here, name, value)?),
            Reads::Format => Asks::Format {
                name: self.string(here, name, value)?,
                names: here.language.dialect.format_names(),
                asserted: here.language.asserts_format,
            },
            Reads::ContentEncoding | Reads::ContentMediaType => {
                let content = self.content(here, reads, name, value)?;
                match content {
                    Some(content) => Asks::Content(content),
                    None => return Ok(()),
                }
            }
            Reads::MinItems => Asks::MinItems(self.count(here, name, value)?),
            Reads::MaxItems => Asks::MaxItems(self.count(here, name, value)?),
            Reads::UniqueItems => match value {
                Value::Bool(true) => Asks::UniqueItems,
                Value::Bool(false) => return Ok(()),
                _ => return Err(self.wrong(here, name, "a boolean")),
            },
            Reads::MinProperties => Asks::MinProperties(self.count(here, name, value)?),
            Reads::MaxProperties => Asks::MaxProperties(self.count(here, name, value)?),
            Reads::Required => Asks::Required(self.names(here, name, value)?),
            Reads::DependentRequired => {
                let mut dependents = Vec::new();
                for (key, names) in self.object(here, name, value)? {
                    dependents.push((key.as_str(), self.names(here, name, names)?));
                }
                Asks::DependentRequired(dependents)
            }
        };
        keywords.push(Keyword { name, asks });
        Ok(())
    }

    fn wrong(&self, here: Here<'s>, name: &str, wanted: &str) -> BuildError {
        self.registry.error(here.place, name, format!("\"{name}\" must be {wanted}"))
    }

    fn target(
        &mut self,
        here: Here<'s>,
        name: &'static str,
        value: &'s Value,
    ) -> Result<Target<'s>, BuildError> {
        let Value::String(reference) = value else { return Err(self.wrong(here, name, "a string")) };
        self.registry.find(here.place, name, reference)
    }

    fn schema(&mut self, here: Here<'s>, name: &str, value: &'s Value) -> Result<SubschemaId, BuildError> {
        match self.registry.place(value) {
            Some(place) => Ok(self.named(value, place)),
            None => Err(self.wrong(here, name, "a schema: an object or a boolean")),
        }
    }

    fn sibling(&mut self, here: Here<'s>, name: &'static str) -> Result<Option<SubschemaId>, BuildError> {
        here.members.get(name).map(|value| self.schema(here, name, value)).transpose()
    }

    fn schemas(
        &mut self,
        here: Here<'s>,
        name: &str,
        value: &'s Value,
    ) -> Result<Vec<SubschemaId>, BuildError> {
        let schemas = self.schemas_or_none(here, name, value)?;
        if schemas.is_empty() {
            return Err(self.wrong(here, name, "an array of at least one schema"));
        }
        Ok(schemas)
    }

    fn schemas_or_none(
        &mut self,
        here: Here<'s>,
        name: &str,
        value: &'s Value,
    ) -> Result<Vec<SubschemaId>, BuildError> {
        let Value::Array(items) = value else {
            return Err(self.wrong(here, name, "an array of at least one schema"));
        };
        items.iter().map(|item| self.schema(here, name, item)).collect()
    }

    fn object(
        &self,
        here: Here<'s>,
        name: &str,
        value: &'s Value,
    ) -> Result<&'s Map<String, Value>, BuildError> {
        match value {
            Value::Object(members) => Ok(members),
            _ => Err(self.wrong(here, name, "an object")),
        }
    }

    fn schema_map(
        &mut self,
        here: Here<'s>,
        name: &str,
        value: &'s Value,
    ) -> Result<Vec<(&'s str, SubschemaId)>, BuildError> {
        let members = self.object(here, name, value)?;
        members.iter().map(|(key, schema)| Ok((key.as_str(), self.schema(here, name, schema)?))).collect()
    }
}
