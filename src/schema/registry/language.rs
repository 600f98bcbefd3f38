//! Which language a `$schema` names: a dialect, or the part of one that a metaschema of the caller's takes.
//!
//! In: the URI of a metaschema. Out: a [`Language`], or why there is none. Each URI is settled once a build; of a
//! metaschema only its own `$schema` and `$vocabulary` are looked at, so that nothing here recurses.

use serde_json::Value;

use super::super::uri::{NO_BASE, NotAReference, resolve};
use super::{Metaschema, Place, Registry};
use crate::bound;
use crate::limits::{METASCHEMA_CHAIN, METASCHEMAS};
use crate::schema::dialect::Dialect;
use crate::schema::error::BuildError;
use crate::schema::vocabulary::{Language, Unknown};

impl<'s> Registry<'s> {
    /// The language that a `$schema` names.
    pub(super) fn named_language(&mut self, named: &'s Value, place: Place) -> Result<Language, BuildError> {
        let Value::String(uri) = named else {
            return Err(self.error(place, "$schema", "\"$schema\" must be a string"));
        };
        if let Some(dialect) = Dialect::from_uri(uri) {
            return Ok(Language::whole(dialect));
        }
        if let Some(known) = self.languages.get(uri.as_str()) {
            return Ok(*known);
        }
        let language = self.metaschema_language(plain(uri)).map_err(|reason| {
            self.error(place, "$schema", format!("\"{}\" {reason}", bound::echo_str(uri)))
        })?;
        self.languages.insert(uri, language);
        Ok(language)
    }

    /// The language of a metaschema of the caller's: its own `$vocabulary`, in the dialect that its `$schema`, and
    /// that one's, lead to. None of the documents on the way is walked for it.
    fn metaschema_language(&mut self, uri: &'s str) -> Result<Language, String> {
        let document = self.possible_metaschema(uri)?;
        let mut above = document;
        let mut dialect = None;
        for _ in 0..METASCHEMA_CHAIN {
            let Some(named) = above.get("$schema").and_then(Value::as_str) else {
                dialect = Some(self.dialect);
                break;
            };
            dialect = Dialect::from_uri(named);
            if dialect.is_some() {
                break;
            }
            above = self.possible_metaschema(plain(named))?;
        }
        let Some(dialect) = dialect else {
            return Err("is a metaschema whose own $schema leads to no known dialect".to_owned());
        };
        if self.metaschemas.len() >= METASCHEMAS {
            return Err(format!("is one more metaschema than the {METASCHEMAS} that a build may use"));
        }
        let language = Language::of_metaschema(dialect, document, self.metaschemas.len()).map_err(
            |Unknown(vocabulary)| {
                format!("requires the vocabulary \"{}\", which is unknown", bound::echo_str(vocabulary))
            },
        )?;
        self.metaschemas.push(Metaschema { uri: uri.to_owned(), document });
        Ok(language)
    }

    /// The document at the URI of a `$schema`.
    fn possible_metaschema(&self, uri: &str) -> Result<&'s Value, String> {
        if let Some(document) = self.candidates.get(uri) {
            return Ok(document);
        }
        // A relative URI names nothing (core §8.1.1 asks for an absolute one).
        let absolute = resolve(NO_BASE, uri).map_err(|NotAReference| "is not a URI".to_owned())?;
        match self.fetched(&absolute) {
            Ok(Some(document)) => Ok(document),
            Ok(None) => Err("is an unknown dialect".to_owned()),
            Err(reason) => Err(format!("could not be retrieved: {reason}")),
        }
    }
}

/// A URI without an empty fragment.
pub(super) fn plain(uri: &str) -> &str {
    uri.strip_suffix('#').unwrap_or(uri)
}
