//! portcullis decides whether untrusted JSON may pass.

// Until the first slice is whole, parts wait for the parts that call them.
#![allow(dead_code)]

pub mod bound;
mod compile;
mod engine;
mod format;
pub mod gate;
pub mod limits;
mod metaschema;
mod options;
mod pattern;
mod program;
mod report;
mod schema;
mod validator;
mod value;

pub use compile::UnknownFormats;
pub use engine::scratch::Scratch;
pub use limits::Limits;
pub use options::Options;
pub use program::cost::Cost;
pub use report::{Entry, Found, Problem, Refusal, RefusalKind, to_printable_json};
pub use schema::dialect::Dialect;
pub use schema::error::BuildError;
pub use validator::Validator;
