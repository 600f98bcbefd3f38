//! Keywords of the caller's own: how one is registered, and what it makes of a place in a schema.
//!
//! In: a name and a factory. Out: for each place of a schema that has the keyword, a [`KeywordCheck`], made once a
//! build. What a check costs is the caller's own; what it says in a refusal obeys the bound.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::bound;

/// Whether a value passes.
pub(crate) type Accepts = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

/// What a keyword of the caller's own asks at one place of a schema: whether a value passes, and what is said of one
/// that does not. See [`Options::keyword`](crate::Options::keyword).
#[derive(Clone)]
pub struct KeywordCheck {
    accepts: Accepts,
    text: Option<String>,
}

impl KeywordCheck {
    /// A check by `accepts`. It is asked once for each value that meets the keyword and each walk (at most two a
    /// check), of values of every type, so one that is about strings says yes to all others. The value is at most
    /// as deep as [`Limits::depth`](crate::Limits::depth); a deeper instance is refused as one that could not be
    /// checked, before `accepts` is asked. Its own time counts as one step.
    pub fn new(accepts: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        KeywordCheck { accepts: Arc::new(accepts), text: None }
    }

    /// What a refusal says of a value that does not pass, in place of a sentence that names the keyword. It is cut at
    /// [`bound::BOUND`]. Chosen with the schema, so that it cannot quote what was sent.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The check of the keyword `name`, as a program keeps it.
    pub(crate) fn into_parts(self, name: &str) -> (Accepts, String) {
        let named = || format!("value does not respect the keyword '{}'", bound::echo_str(name));
        (self.accepts, bound::echo_str(&self.text.unwrap_or_else(named)))
    }
}

impl fmt::Debug for KeywordCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeywordCheck").field("text", &self.text).finish_non_exhaustive()
    }
}

/// Makes the check of one place, from the keyword's value and the place's location.
pub(crate) type Factory = Arc<dyn Fn(&Value, &str) -> Result<KeywordCheck, String> + Send + Sync>;

/// A keyword of the caller's own.
#[derive(Clone)]
pub(crate) struct CustomKeyword {
    pub(crate) name: Box<str>,
    pub(crate) factory: Factory,
}

impl fmt::Debug for CustomKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomKeyword").field("name", &self.name).finish_non_exhaustive()
    }
}
