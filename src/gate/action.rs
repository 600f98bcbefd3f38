//! One action of a tool, as its author declares it.
//!
//! In: names, schemas, defaults, examples; values may be built in code and nested to any depth. Out: a declaration
//! whose every value is proven shallow, or that remembers which was not: a value that is too deep is taken apart as
//! it arrives, so that nothing here is cloned, printed or dropped unproven. What is wrong is told by the build.

use serde_json::{Map, Value};

use super::close::close_properties;
use super::error::ConfigurationError;
use super::register;
use crate::limits::{DEPTH_CEILING, SCHEMA_DEPTH};
use crate::options::Options;
use crate::report::{Refusal, quoted};
use crate::value::depth::{Owned, TooDeep};

/// Levels of a property's schema: it stands in the action's schema, and that once in another when defaults are
/// proven.
const PROPERTY_DEPTH: usize = SCHEMA_DEPTH - 4;

/// One thing that a tool can do: what data it takes.
///
/// Its data is an object of the declared properties and no others, at any depth that
/// [`published_schema`](Action::published_schema) shows.
///
/// ```
/// use portcullis::gate::Action;
/// use serde_json::json;
///
/// let create = Action::new("create")
///     .description("Create a task")
///     .property("name", json!({"type": "string", "maxLength": 80}))
///     .property("email", json!({"type": "string", "format": "email"}))
///     .property("phone", json!({"type": "string"}))
///     .property("priority", json!({"type": "integer", "minimum": 1}))
///     .required(["name"])
///     .required_one_of([["email"], ["phone"]])
///     .default("priority", json!(3))
///     .example(json!({"name": "Water the plants", "email": "ada@example.org"}));
/// let data = create.call(json!({"name": "Call", "phone": "1", "priority": 2.0}))??;
/// assert_eq!(data, json!({"name": "Call", "phone": "1", "priority": 2}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Action {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) properties: Vec<(String, Value)>,
    pub(super) required: Vec<String>,
    pub(super) required_one_of: Vec<Vec<String>>,
    pub(super) defaults: Vec<(String, Value)>,
    pub(super) notes: Vec<String>,
    pub(super) related: Vec<String>,
    pub(super) examples: Vec<Value>,
    /// The first thing that went wrong as it arrived.
    pub(super) fault: Option<ConfigurationError>,
}

impl Action {
    /// An action that takes no data yet.
    pub fn new(name: impl Into<String>) -> Self {
        Action {
            name: name.into(),
            description: None,
            properties: Vec::new(),
            required: Vec::new(),
            required_one_of: Vec::new(),
            defaults: Vec::new(),
            notes: Vec::new(),
            related: Vec::new(),
            examples: Vec::new(),
            fault: None,
        }
    }

    /// Reads an action from JSON: an object with any of `description`, `properties`, `required`,
    /// `required_one_of`, `defaults`, `notes`, `related` and `examples`, each as the method of its name takes it.
    ///
    /// # Errors
    ///
    /// A [`ConfigurationError`] where a field is unknown or of the wrong type. What the fields say is judged when
    /// the action is registered.
    ///
    /// ```
    /// use portcullis::gate::Action;
    /// use serde_json::json;
    ///
    /// let close = Action::from_json("close", &json!({"properties": {"id": {"type": "integer"}}, "required": ["id"]}))?;
    /// assert!(close.call(json!({}))?.is_err());
    /// let error = Action::from_json("close", &json!({"requried": ["id"]})).unwrap_err();
    /// assert_eq!(error.message(), "\"requried\" is an unknown field");
    /// # Ok::<(), portcullis::gate::ConfigurationError>(())
    /// ```
    pub fn from_json(name: &str, json: &Value) -> Result<Self, ConfigurationError> {
        super::json::action(name, json)
    }

    /// What it does, in one line.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// A property that the data may have, and its schema.
    pub fn property(mut self, name: impl Into<String>, schema: Value) -> Self {
        let name = name.into();
        let arrived =
            self.arrive(schema, PROPERTY_DEPTH, || format!("the schema of property {}", quoted(&name)));
        if let Some(schema) = arrived {
            self.properties.push((name, schema));
        }
        self
    }

    /// Properties that the data must have; adds to those named before.
    pub fn required<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.required.extend(names.into_iter().map(Into::into));
        self
    }

    /// Groups of properties of which at least one must be wholly present; adds to those named before.
    pub fn required_one_of<N: Into<String>, G: IntoIterator<Item = N>>(
        mut self,
        groups: impl IntoIterator<Item = G>,
    ) -> Self {
        self.required_one_of
            .extend(groups.into_iter().map(|group| group.into_iter().map(Into::into).collect()));
        self
    }

    /// What an absent property is filled with. It is proven by the property's schema when the action is registered,
    /// and cast as data is. A property that is there, be it null, is left alone.
    pub fn default(mut self, name: impl Into<String>, value: Value) -> Self {
        let name = name.into();
        if let Some(value) = self.arrive(value, DEPTH_CEILING, || format!("the default of {}", quoted(&name)))
        {
            self.defaults.push((name, value));
        }
        self
    }

    /// Something that a caller should know; published with the description.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The name of a related action; published with the description and named in a refusal's help.
    pub fn related(mut self, name: impl Into<String>) -> Self {
        self.related.push(name.into());
        self
    }

    /// Data that passes; published, and proven when the action is registered.
    pub fn example(mut self, data: Value) -> Self {
        let number = self.examples.len() + 1;
        if let Some(data) = self.arrive(data, DEPTH_CEILING, || format!("example {number}")) {
            self.examples.push(data);
        }
        self
    }

    /// The schema of the data: the declared properties, closed, and `required`.
    ///
    /// Closed means: `additionalProperties` is `false` in every schema that is reached through `properties`,
    /// `items` and `prefixItems` and has `properties`, unless a keyword beside them may declare more
    /// (`additionalProperties`, `patternProperties`, `unevaluatedProperties`, `propertyNames`, `$ref`,
    /// `$dynamicRef`, `allOf`, `anyOf`, `oneOf`, `if`, `dependentSchemas`, `dependencies`). It is what data is
    /// checked against, so that what is validated is what a caller reads.
    ///
    /// Linear in the declared schemas.
    #[must_use]
    pub fn published_schema(&self) -> Value {
        let properties: Map<String, Value> = self.properties.iter().cloned().collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), Value::Object(properties));
        if !self.required.is_empty() {
            schema.insert("required".to_owned(), self.required.clone().into());
        }
        let mut schema = Value::Object(schema);
        close_properties(&mut schema);
        schema
    }

    /// Passes `data` through the chain of this action without a gate. It answers what
    /// [`Gate::call`](super::Gate::call) would answer with the default options, only that a refusal knows no tool.
    ///
    /// # Errors
    ///
    /// The outer error is the action's: why it could not be registered. The inner one is the data's, a [`Refusal`].
    ///
    /// # Cost
    ///
    /// Compiles the action each time, and then that of [`Gate::call`](super::Gate::call): for tests and one-off
    /// calls. A server registers its actions.
    pub fn call(&self, data: Value) -> Result<Result<Value, Refusal>, ConfigurationError> {
        // Taken over first: whatever happens next, it is dropped safely.
        let data = Owned::new(data);
        let root = register::action(self, &Options::default())?;
        let help = register::help(None, Some(self));
        Ok(root.call(data).map_err(|refusal| refusal.with_action(&self.name).with_help(&help)))
    }

    /// Takes in a value of the author's, or takes it apart and remembers that it was too deep.
    fn arrive(&mut self, value: Value, levels: usize, what: impl FnOnce() -> String) -> Option<Value> {
        match Owned::new(value).into_shallow(levels) {
            Ok(value) => Some(value),
            Err(TooDeep) => {
                let message = format!("{} is nested deeper than the limit", what());
                self.fault.get_or_insert_with(|| ConfigurationError::new(&message));
                None
            }
        }
    }
}
