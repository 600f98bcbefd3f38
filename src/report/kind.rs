//! What a refusal is about: its stable name, and how its message opens.
//!
//! In: nothing. Out: names. Size is constant.

use std::fmt;

/// What a refusal is about. The names are stable; kinds may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The tool is not known.
    UnknownTool,
    /// The tool has no such action.
    UnknownAction,
    /// The data is no object, or the call has no data where it must.
    InvalidData,
    /// Required keys are absent.
    MissingRequired,
    /// Of groups of keys, of which one must be present, none is.
    MissingRequiredOneOf,
    /// Keys are not declared.
    UnknownKeys,
    /// Values do not match the schema: the only kind that a validator alone gives.
    InvalidValues,
}

impl RefusalKind {
    pub(crate) const ALL: [RefusalKind; 7] = [
        RefusalKind::UnknownTool,
        RefusalKind::UnknownAction,
        RefusalKind::InvalidData,
        RefusalKind::MissingRequired,
        RefusalKind::MissingRequiredOneOf,
        RefusalKind::UnknownKeys,
        RefusalKind::InvalidValues,
    ];

    /// The name, as it stands under `error` in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            RefusalKind::UnknownTool => "unknown_tool",
            RefusalKind::UnknownAction => "unknown_action",
            RefusalKind::InvalidData => "invalid_data",
            RefusalKind::MissingRequired => "missing_required",
            RefusalKind::MissingRequiredOneOf => "missing_required_one_of",
            RefusalKind::UnknownKeys => "unknown_keys",
            RefusalKind::InvalidValues => "invalid_values",
        }
    }

    /// What there are `count` of, for the opening of a message.
    pub(super) fn noun(self, count: usize) -> &'static str {
        let (singular, plural) = match self {
            RefusalKind::UnknownTool => ("unknown tool", "unknown tools"),
            RefusalKind::UnknownAction => ("unknown action", "unknown actions"),
            RefusalKind::InvalidData => ("problem with the data", "problems with the data"),
            RefusalKind::MissingRequired => ("missing property", "missing properties"),
            RefusalKind::MissingRequiredOneOf => {
                ("missing group of properties", "missing groups of properties")
            }
            RefusalKind::UnknownKeys => ("unknown key", "unknown keys"),
            RefusalKind::InvalidValues => ("invalid value", "invalid values"),
        };
        if count == 1 { singular } else { plural }
    }
}

impl fmt::Display for RefusalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
