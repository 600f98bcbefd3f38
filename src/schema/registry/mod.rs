//! All documents of one build: which URI names which schema, and where each schema lies.
//!
//! In: the root document, the caller's resources and retriever, the embedded metaschemas. Out: for a base and a
//! reference, the schema meant, or why there is none; for a `$schema`, the [`Language`] meant.
//!
//! Every document is walked once, along the keywords that hold schemas, on a stack of our own; each subschema
//! takes a place here and counts against [`crate::limits::SUBSCHEMAS`].

mod identity;
mod language;

use std::collections::HashMap;

use serde_json::Value;

use language::plain;

use super::dialect::Dialect;
use super::documents::Documents;
use super::error::BuildError;
use super::table::{Shape, look_up};
use super::uri::{NO_BASE, NotAReference, decode, resolve, split, tokens};
use super::vocabulary::Language;
use crate::bound;
use crate::limits::{IDENTITIES_BYTES, IDENTITY_BYTES, Limits};
use crate::program::{LocationId, Locations, Step, TooLarge};
use crate::value::mixing::Mixing;

/// A resource: a schema with an identity of its own, and what it names.
#[derive(Debug)]
pub(crate) struct Resource<'s> {
    uri: String,
    root: &'s Value,
    /// The document that it lies in, by the order in which documents were taken in.
    document: usize,
    pub(crate) language: Language,
    anchors: HashMap<&'s str, &'s Value>,
    /// The `$dynamicAnchor`s among them, in the order of the document; and the root, where it has
    /// `$recursiveAnchor`, as [`RECURSIVE`].
    pub(crate) dynamic_anchors: Vec<(&'s str, &'s Value)>,
}

/// The name under which a `$recursiveAnchor` binds. No `$dynamicAnchor` can have it: a name has no `#`.
pub(crate) const RECURSIVE: &str = "#";

/// Where a subschema lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) resource: usize,
    pub(crate) location: LocationId,
}

/// A schema that a reference names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'s> {
    pub(crate) schema: &'s Value,
    pub(crate) place: Place,
    /// The dynamic anchor by which it was named, if it was.
    pub(crate) dynamic_anchor: Option<&'s str>,
}

/// A part of a document that is of one dialect: a document, or a resource in it that names another dialect than
/// the schema around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<'s> {
    pub(crate) root: &'s Value,
    pub(crate) language: Language,
    pub(crate) place: Place,
    pub(crate) document: usize,
    /// Whether it is not the whole document, but a resource in it.
    pub(crate) is_part: bool,
}

/// A metaschema that is no dialect's own.
#[derive(Clone, Debug)]
pub(crate) struct Metaschema<'s> {
    pub(crate) uri: String,
    pub(crate) document: &'s Value,
}

/// Whose a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The caller's, or fetched for the caller: held to its metaschema.
    Given,
    /// Ours.
    Embedded,
}

/// The documents of one build.
#[derive(Debug)]
pub(crate) struct Registry<'s> {
    resources: Vec<Resource<'s>>,
    by_uri: HashMap<String, usize>,
    /// By the address of a schema's value: a document is borrowed for the whole build, so it does not move.
    places: HashMap<usize, Place, Mixing>,
    locations: Locations,
    regions: Vec<Region<'s>>,
    /// Each document's origin, in the order in which they were taken in.
    origins: Vec<Origin>,
    subschemas: usize,
    /// Bytes that the URIs of further resources may take.
    identities: usize,
    dialect: Dialect,
    documents: &'s Documents<'s>,
    /// The given documents that can be metaschemas, by the URIs they were given with and by their own.
    candidates: HashMap<String, &'s Value>,
    metaschemas: Vec<Metaschema<'s>>,
    /// The languages of `$schema`s met so far, but for the dialects' own.
    languages: HashMap<&'s str, Language>,
}

/// A schema that is still to be walked.
struct Pending<'s> {
    schema: &'s Value,
    resource: usize,
    location: LocationId,
    /// Whether it is the root of a document, where `$schema` and `$id` have their say first.
    root: bool,
}

impl<'s> Registry<'s> {
    /// An empty registry; `dialect` is for documents that name none.
    pub(crate) fn new(dialect: Dialect, limits: &Limits, documents: &'s Documents<'s>) -> Self {
        let mut candidates = HashMap::new();
        for (uri, document) in documents.given() {
            let own = ["$id", "id"].into_iter().find_map(|id| document.get(id)?.as_str());
            for uri in [Some(uri), own].into_iter().flatten() {
                candidates.entry(plain(uri).to_owned()).or_insert(document);
            }
        }
        Registry {
            resources: Vec::new(),
            by_uri: HashMap::new(),
            places: HashMap::default(),
            locations: Locations::default(),
            regions: Vec::new(),
            origins: Vec::new(),
            subschemas: limits.get_subschemas(),
            identities: IDENTITIES_BYTES,
            dialect,
            documents,
            candidates,
            metaschemas: Vec::new(),
            languages: HashMap::new(),
        }
    }

    /// Takes in a document under the URI that it was given with.
    pub(crate) fn add(&mut self, uri: &str, document: &'s Value) -> Result<(), BuildError> {
        self.take(uri, document, Origin::Given)
    }

    fn take(&mut self, uri: &str, document: &'s Value, origin: Origin) -> Result<(), BuildError> {
        let (uri, _) = split(uri);
        let base = resolve(NO_BASE, uri).map_err(|NotAReference| {
            BuildError::new(uri, format!("\"{}\" is not a URI", bound::echo_str(uri)))
        })?;
        let language = Language::whole(self.dialect);
        let number = self.origins.len();
        self.origins.push(origin);
        let (resource, location) = self.open(base, document, language, number)?;
        let place = Place { resource, location };
        let region = self.regions.len();
        self.regions.push(Region { root: document, language, place, document: number, is_part: false });
        self.walk(Pending { schema: document, resource, location, root: true })?;
        // The document has said by now which language it is in.
        let language = self.language_of(resource);
        if let Some(region) = self.regions.get_mut(region) {
            region.language = language;
        }
        Ok(())
    }

    pub(crate) fn resource(&self, index: usize) -> Option<&Resource<'s>> {
        self.resources.get(index)
    }

    /// The metaschema with this number.
    pub(crate) fn metaschema(&self, number: usize) -> Option<&Metaschema<'s>> {
        self.metaschemas.get(number)
    }

    /// Whether a document is the caller's, and none of ours.
    pub(crate) fn is_given(&self, document: usize) -> bool {
        self.origins.get(document) == Some(&Origin::Given)
    }

    /// The parts of the documents by language, each document before what lies in it.
    pub(crate) fn regions(&self) -> &[Region<'s>] {
        &self.regions
    }

    /// Where a schema that was walked lies.
    pub(crate) fn place(&self, schema: &Value) -> Option<Place> {
        self.places.get(&address(schema)).copied()
    }

    /// The places, once the build is done with them.
    pub(crate) fn into_locations(self) -> Locations {
        self.locations
    }

    /// Where a place lies, as errors name it.
    pub(crate) fn location(&self, place: Place) -> String {
        self.locations.render(place.location, "")
    }

    /// An error at a place of a schema.
    pub(crate) fn error(&self, place: Place, keyword: &str, message: impl Into<String>) -> BuildError {
        let rendered = self.locations.render(place.location, keyword);
        BuildError::new(&rendered, message)
    }

    /// The schema that `reference` names from a place in `resource`.
    pub(crate) fn find(
        &mut self,
        from: Place,
        keyword: &'static str,
        reference: &'s str,
    ) -> Result<Target<'s>, BuildError> {
        let (uri, fragment) = split(reference);
        let base = self.resources.get(from.resource).map_or(NO_BASE, |resource| &resource.uri);
        let absolute = resolve(base, uri).map_err(|NotAReference| {
            self.error(from, keyword, format!("\"{}\" is not a URI reference", bound::echo_str(reference)))
        })?;
        let resource = self.known(&absolute).map_err(|failure| match failure {
            NotKnown::Broken(error) => error,
            NotKnown::Refused(reason) => {
                let message = format!("\"{}\" could not be retrieved: {reason}", bound::echo_str(reference));
                self.error(from, keyword, message)
            }
        })?;
        let Some(resource) = resource else {
            let message = format!(
                "\"{}\" names a document that was not given, and none is fetched: {}",
                bound::echo_str(reference),
                bound::echo_str(shown(&absolute)),
            );
            return Err(self.error(from, keyword, message));
        };
        let fragment = decode(fragment.unwrap_or_default());
        let found = if fragment.is_empty() {
            self.resources.get(resource).map(|found| (found.root, None))
        } else if fragment.starts_with('/') {
            self.follow(resource, &fragment)?.map(|schema| (schema, None))
        } else {
            self.resources.get(resource).and_then(|found| found.anchor(&fragment))
        };
        let Some((schema, dynamic_anchor)) = found else {
            let message = format!("\"{}\" names no schema", bound::echo_str(reference));
            return Err(self.error(from, keyword, message));
        };
        match self.place(schema) {
            Some(place) => Ok(Target { schema, place, dynamic_anchor }),
            None => {
                let message = format!("\"{}\" names a value that is no schema", bound::echo_str(reference));
                Err(self.error(from, keyword, message))
            }
        }
    }

    /// The resource at an absolute URI: one of the documents', or an embedded metaschema's or a fetched one's, taken
    /// in when first asked for.
    fn known(&mut self, uri: &str) -> Result<Option<usize>, NotKnown> {
        if let Some(found) = self.by_uri.get(uri) {
            return Ok(Some(*found));
        }
        let (document, origin) = match super::metaschema::document(uri) {
            Some(document) => (document, Origin::Embedded),
            None => match self.fetched(uri).map_err(NotKnown::Refused)? {
                Some(document) => (document, Origin::Given),
                None => return Ok(None),
            },
        };
        self.take(uri, document, origin).map_err(NotKnown::Broken)?;
        Ok(self.by_uri.get(uri).copied())
    }

    /// A document that the retriever fetches. What has no identity but ours is nowhere to be fetched from.
    fn fetched(&self, uri: &str) -> Result<Option<&'s Value>, String> {
        if uri.starts_with(NO_BASE) { Ok(None) } else { self.documents.retrieve(uri) }
    }

    /// The value at a pointer in a resource. A schema below a keyword that holds none by its dialect is walked
    /// now, with the base of the schema around it.
    fn follow(&mut self, resource: usize, pointer: &str) -> Result<Option<&'s Value>, BuildError> {
        let Some(mut value) = self.resources.get(resource).map(|found| found.root) else { return Ok(None) };
        let Some(mut place) = self.place(value) else { return Ok(None) };
        let mut steps = Vec::new();
        for token in tokens(pointer) {
            let (next, step) = match value {
                Value::Object(members) => match members.get_key_value(&*token) {
                    Some((key, next)) => (Some(next), Step::Key(key)),
                    None => (None, Step::Index(0)),
                },
                Value::Array(items) => match index(&token) {
                    Some(at) => (items.get(at as usize), Step::Index(at)),
                    None => (None, Step::Index(0)),
                },
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (None, Step::Index(0)),
            };
            let Some(next) = next else { return Ok(None) };
            value = next;
            steps.push(step);
            if let Some(found) = self.place(value) {
                place = found;
                steps.clear();
            }
        }
        if !steps.is_empty() && matches!(value, Value::Object(_) | Value::Bool(_)) {
            let mut location = place.location;
            for step in steps {
                location = self.locate(Some(location), step, place)?;
            }
            self.walk(Pending { schema: value, resource: place.resource, location, root: false })?;
        }
        Ok(Some(value))
    }

    /// Opens a resource: a URI, a root, and the location that everything in it hangs on.
    fn open(
        &mut self,
        uri: String,
        root: &'s Value,
        language: Language,
        document: usize,
    ) -> Result<(usize, LocationId), BuildError> {
        let shown = shown(&uri).to_owned();
        let left = self.identities.checked_sub(uri.len()).filter(|_| uri.len() <= IDENTITY_BYTES);
        self.identities = left.ok_or_else(|| {
            BuildError::new(&shown, "the identities of the schemas are longer than the limit")
        })?;
        let location = self
            .locations
            .push(None, Step::Resource(&shown))
            .map_err(|TooLarge| BuildError::new(&shown, "the schema has too many places"))?;
        let index = self.resources.len();
        if self.by_uri.insert(uri.clone(), index).is_some() {
            let message = format!("\"{}\" is the identity of two schemas", bound::echo_str(&shown));
            return Err(BuildError::new(&shown, message));
        }
        self.resources.push(Resource {
            uri,
            root,
            document,
            language,
            anchors: HashMap::new(),
            dynamic_anchors: Vec::new(),
        });
        Ok((index, location))
    }

    fn locate(
        &mut self,
        parent: Option<LocationId>,
        step: Step<'_>,
        near: Place,
    ) -> Result<LocationId, BuildError> {
        self.locations
            .push(parent, step)
            .map_err(|TooLarge| self.error(near, "", "the schema has too many places"))
    }

    fn walk(&mut self, first: Pending<'s>) -> Result<(), BuildError> {
        let mut pending = vec![first];
        while let Some(Pending { schema, mut resource, mut location, root }) = pending.pop() {
            if self.places.contains_key(&address(schema)) {
                continue;
            }
            self.subschemas = self.subschemas.checked_sub(1).ok_or_else(|| {
                self.error(Place { resource, location }, "", "the schema has more subschemas than the limit")
            })?;
            if let Value::Object(members) = schema {
                (resource, location) = self.identify(members, schema, Place { resource, location }, root)?;
                let place = Place { resource, location };
                let language = self.language_of(resource);
                for (name, value) in members {
                    let Some((name, reads)) = look_up(name, language) else { continue };
                    self.children(place, name, value, reads.shape(), &mut pending)?;
                }
            }
            self.places.insert(address(schema), Place { resource, location });
        }
        Ok(())
    }

    pub(crate) fn language_of(&self, resource: usize) -> Language {
        self.resources.get(resource).map_or(Language::whole(self.dialect), |found| found.language)
    }

    /// The document that a resource lies in; the first taken in is 0.
    pub(crate) fn document_of(&self, resource: usize) -> usize {
        self.resources.get(resource).map_or(0, |found| found.document)
    }

    /// Puts the schemas under one keyword on the stack.
    fn children(
        &mut self,
        place: Place,
        name: &'static str,
        value: &'s Value,
        shape: Shape,
        pending: &mut Vec<Pending<'s>>,
    ) -> Result<(), BuildError> {
        if shape == Shape::None {
            return Ok(());
        }
        let at = self.locate(Some(place.location), Step::Key(name), place)?;
        let mut push = |registry: &mut Self, schema: &'s Value, step: Option<Step<'_>>| {
            if matches!(schema, Value::Object(_) | Value::Bool(_)) {
                let location = match step {
                    Some(step) => registry.locate(Some(at), step, place)?,
                    None => at,
                };
                pending.push(Pending { schema, resource: place.resource, location, root: false });
            }
            Ok(())
        };
        match (shape, value) {
            (Shape::One | Shape::OneOrArray, Value::Object(_) | Value::Bool(_)) => push(self, value, None),
            (Shape::Array | Shape::OneOrArray, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    // More items than a u32 would have been refused as too many places long before.
                    push(self, item, Some(Step::Index(u32::try_from(index).unwrap_or(u32::MAX))))?;
                }
                Ok(())
            }
            (Shape::Map | Shape::MapOrNames, Value::Object(members)) => {
                for (key, member) in members {
                    push(self, member, Some(Step::Key(key)))?;
                }
                Ok(())
            }
            (Shape::MapOfMaps, Value::Object(members)) => {
                for (key, member) in members {
                    let Value::Object(inner) = member else { continue };
                    let outer = self.locate(Some(at), Step::Key(key), place)?;
                    for (key, schema) in inner {
                        if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
                            continue;
                        }
                        let step = Step::Key(key);
                        let location = self.locate(Some(outer), step, place)?;
                        pending.push(Pending { schema, resource: place.resource, location, root: false });
                    }
                }
                Ok(())
            }
            // A keyword of the wrong type is refused when it is read.
            (
                Shape::None
                | Shape::One
                | Shape::Array
                | Shape::Map
                | Shape::OneOrArray
                | Shape::MapOrNames
                | Shape::MapOfMaps,
                _,
            ) => Ok(()),
        }
    }
}

impl<'s> Resource<'s> {
    fn anchor(&self, name: &str) -> Option<(&'s Value, Option<&'s str>)> {
        let schema = self.anchors.get(name)?;
        let dynamic = self.dynamic_anchors.iter().find(|(anchor, _)| *anchor == name);
        Some((schema, dynamic.map(|(anchor, _)| *anchor)))
    }
}

/// Why a URI names no document.
enum NotKnown {
    /// The document is there and cannot be taken in.
    Broken(BuildError),
    /// It was not to be had.
    Refused(String),
}

fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

/// An array index of a JSON Pointer (RFC 6901 §4): digits without a leading zero.
fn index(token: &str) -> Option<u32> {
    let plain = token == "0" || (!token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit()));
    if plain { token.parse().ok() } else { None }
}

/// A URI as it is shown: the base of schemas without identity is ours alone.
fn shown(uri: &str) -> &str {
    uri.strip_prefix(NO_BASE).unwrap_or(uri)
}
