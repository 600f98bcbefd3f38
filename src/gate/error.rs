//! Why a gate was not built.
//!
//! In: a tool, an action, and what the build stopped on. Out: an opaque error, one pointer wide, whose every text is
//! bounded as a refusal's are: tools can be third parties'.

use std::error::Error;
use std::fmt;

use crate::bound::{echo_str, scrub};
use crate::report::{cut, quoted};
use crate::schema::error::BuildError;

/// What is kept of a message, in bytes: as much as of a refusal's, which it may quote.
const MESSAGE_BYTES: usize = 1_024;

/// Why a gate was not built: which tool and which action, and what the build stopped on.
///
/// ```
/// use portcullis::gate::{Action, Gate, Tool};
///
/// let create = Action::new("create").required(["name"]);
/// let error = Gate::builder().tool(Tool::new("tasks").action(create)).build().unwrap_err();
/// assert_eq!((error.tool(), error.action()), (Some("tasks"), Some("create")));
/// assert_eq!(error.message(), "\"name\" is required but is no property");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigurationError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    tool: Option<String>,
    action: Option<String>,
    message: String,
    schema_location: Option<String>,
}

const _: () = assert!(size_of::<ConfigurationError>() == size_of::<usize>());

impl ConfigurationError {
    pub(super) fn new(message: &str) -> Self {
        ConfigurationError(Box::new(Inner {
            tool: None,
            action: None,
            message: cut::end(message, MESSAGE_BYTES),
            schema_location: None,
        }))
    }

    /// Names the tool, unless a deeper place has named it.
    pub(super) fn of_tool(mut self, name: &str) -> Self {
        self.0.tool.get_or_insert_with(|| echo_str(name));
        self
    }

    /// Names the action, unless a deeper place has named it.
    pub(super) fn of_action(mut self, name: &str) -> Self {
        self.0.action.get_or_insert_with(|| echo_str(name));
        self
    }

    /// The tool's name, at most [`BOUND`](crate::bound::BOUND) bytes and a mark. Absent where the tools could not
    /// be told apart yet: the message then names the place.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.0.tool.as_deref()
    }

    /// The action's name, bounded as the tool's. Absent where the error is of the tool as a whole, or the tool has
    /// no actions.
    #[must_use]
    pub fn action(&self) -> Option<&str> {
        self.0.action.as_deref()
    }

    /// What the build stopped on, at most 1,024 bytes and a mark; each name that it quotes is cut at
    /// [`BOUND`](crate::bound::BOUND).
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where in the schema of the action, where a schema did not build; see
    /// [`BuildError::schema_location`].
    #[must_use]
    pub fn schema_location(&self) -> Option<&str> {
        self.0.schema_location.as_deref()
    }
}

impl From<BuildError> for ConfigurationError {
    fn from(error: BuildError) -> Self {
        let mut own = ConfigurationError::new(error.message());
        own.0.schema_location = Some(error.schema_location().to_owned());
        own
    }
}

/// One line, scrubbed of what could break a line or a terminal.
impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = [("tool", self.tool()), ("action", self.action())];
        let mut text: Vec<String> = places
            .into_iter()
            .filter_map(|(label, name)| name.map(|name| format!("{label} {}", quoted(name))))
            .collect();
        text.extend(self.schema_location().map(str::to_owned));
        text.push(self.message().to_owned());
        f.write_str(&scrub(&text.join(": ")))
    }
}

impl fmt::Debug for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfigurationError")
            .field("tool", &self.tool())
            .field("action", &self.action())
            .field("message", &self.message())
            .field("schema_location", &self.schema_location())
            .finish()
    }
}

impl Error for ConfigurationError {}
