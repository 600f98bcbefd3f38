//! The schema stage: documents as their authors wrote them become one draft-free resolved form.
//!
//! In: a schema, the caller's resources, the dialect for schemas that name none. Out: [`Resolved`]: each reachable
//! schema once, its keywords typed and in the words of 2020-12, its references ids. Linear in the documents;
//! depth, number of subschemas and every text of an error are bounded ([`crate::limits`]).
//!
//! [`dialect`] names the dialects, [`vocabulary`] the parts of them that a metaschema may take, [`table`] their
//! keywords; [`documents`] has what a build may read, [`registry`] finds what a reference names, [`read`] reads the
//! keywords.

pub(crate) mod dialect;
pub(crate) mod documents;
pub(crate) mod error;
pub(crate) mod metaschema;
pub(crate) mod read;
pub(crate) mod registry;
pub(crate) mod resolved;
mod size;
pub(crate) mod table;
mod uri;
pub(crate) mod vocabulary;

pub(crate) use registry::{Metaschema, Place, Registry};
pub(crate) use resolved::{Asks, Body, Keyword, Resolved, Subschema, SubschemaId};
pub(crate) use uri::NO_BASE;
