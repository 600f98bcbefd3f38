//! All documents of one build: which URI names which schema, and where each schema lies.
//!
//! In: the root document, the caller's resources, the embedded metaschemas. Out: for a base and a reference, the
//! schema meant, or why there is none. Nothing is fetched.
//!
//! Every document is walked once, along the keywords that hold schemas, on a stack of our own; each subschema
//! takes a place here and counts against [`crate::limits::SUBSCHEMAS`].

use std::collections::HashMap;

use serde_json::Value;

use super::dialect::Dialect;
use super::error::BuildError;
use super::table::{Shape, look_up};
use super::uri::{NO_BASE, NotAReference, decode, resolve, split, tokens};
use crate::bound;
use crate::limits::Limits;
use crate::program::{LocationId, Locations, Step, TooLarge};

/// A resource: a schema with an identity of its own, and what it names.
#[derive(Debug)]
pub(crate) struct Resource<'s> {
    uri: String,
    root: &'s Value,
    /// The document that it lies in, by the order in which documents were taken in.
    document: usize,
    pub(crate) dialect: Dialect,
    anchors: HashMap<&'s str, &'s Value>,
    /// The `$dynamicAnchor`s among them, in the order of the document.
    pub(crate) dynamic_anchors: Vec<(&'s str, &'s Value)>,
}

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
    pub(crate) dialect: Dialect,
    pub(crate) place: Place,
    pub(crate) document: usize,
}

/// The documents of one build.
#[derive(Debug)]
pub(crate) struct Registry<'s> {
    resources: Vec<Resource<'s>>,
    by_uri: HashMap<String, usize>,
    /// By the address of a schema's value: a document is borrowed for the whole build, so it does not move.
    places: HashMap<usize, Place>,
    locations: Locations,
    regions: Vec<Region<'s>>,
    documents: usize,
    subschemas: usize,
    dialect: Dialect,
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
    pub(crate) fn new(dialect: Dialect, limits: &Limits) -> Self {
        Registry {
            resources: Vec::new(),
            by_uri: HashMap::new(),
            places: HashMap::new(),
            locations: Locations::default(),
            regions: Vec::new(),
            documents: 0,
            subschemas: limits.get_subschemas(),
            dialect,
        }
    }

    /// Takes in a document under the URI that it was given with.
    pub(crate) fn add(&mut self, uri: &str, document: &'s Value) -> Result<(), BuildError> {
        let (uri, _) = split(uri);
        let base = resolve(NO_BASE, uri).map_err(|NotAReference| {
            BuildError::new(uri, format!("\"{}\" is not a URI", bound::echo_str(uri)))
        })?;
        let dialect = self.dialect;
        let number = self.documents;
        self.documents += 1;
        let (resource, location) = self.open(base, document, dialect, number)?;
        let place = Place { resource, location };
        let region = self.regions.len();
        self.regions.push(Region { root: document, dialect, place, document: number });
        self.walk(Pending { schema: document, resource, location, root: true })?;
        // The document has said by now which dialect it is of.
        let dialect = self.dialect_of(resource);
        if let Some(region) = self.regions.get_mut(region) {
            region.dialect = dialect;
        }
        Ok(())
    }

    pub(crate) fn resource(&self, index: usize) -> Option<&Resource<'s>> {
        self.resources.get(index)
    }

    /// The parts of the documents by dialect, each document before what lies in it.
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
        let Some(resource) = self.known(&absolute)? else {
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

    /// The resource at an absolute URI: one of the documents', or an embedded metaschema's, taken in when first
    /// asked for.
    fn known(&mut self, uri: &str) -> Result<Option<usize>, BuildError> {
        if let Some(found) = self.by_uri.get(uri) {
            return Ok(Some(*found));
        }
        match super::metaschema::document(uri) {
            Some(document) => {
                self.add(uri, document)?;
                Ok(self.by_uri.get(uri).copied())
            }
            None => Ok(None),
        }
    }

    /// The value at a pointer in a resource. A schema below a keyword that holds none by its dialect is walked
    /// now, with the base of the schema around it.
    fn follow(&mut self, resource: usize, pointer: &str) -> Result<Option<&'s Value>, BuildError> {
        let Some(mut value) = self.resources.get(resource).map(|found| found.root) else { return Ok(None) };
        let Some(mut place) = self.place(value) else { return Ok(None) };
        let mut steps = Vec::new();
        for token in tokens(pointer) {
            let (next, step) = match value {
                Value::Object(members) => (members.get(&*token), Step::Key((&*token).into())),
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
        dialect: Dialect,
        document: usize,
    ) -> Result<(usize, LocationId), BuildError> {
        let shown = shown(&uri).to_owned();
        let location = self
            .locations
            .push(None, Step::Resource(shown.clone().into()))
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
            dialect,
            anchors: HashMap::new(),
            dynamic_anchors: Vec::new(),
        });
        Ok((index, location))
    }

    fn locate(
        &mut self,
        parent: Option<LocationId>,
        step: Step,
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
                let dialect = self.dialect_of(resource);
                for (name, value) in members {
                    let Some((name, reads)) = look_up(name, dialect) else { continue };
                    self.children(place, name, value, reads.shape(), &mut pending)?;
                }
            }
            self.places.insert(address(schema), Place { resource, location });
        }
        Ok(())
    }

    pub(crate) fn dialect_of(&self, resource: usize) -> Dialect {
        self.resources.get(resource).map_or(self.dialect, |found| found.dialect)
    }

    /// The document that a resource lies in; the first taken in is 0.
    pub(crate) fn document_of(&self, resource: usize) -> usize {
        self.resources.get(resource).map_or(0, |found| found.document)
    }

    /// Reads `$schema`, `$id` and the anchors of one schema; the place changes where it opens a resource.
    fn identify(
        &mut self,
        members: &'s serde_json::Map<String, Value>,
        schema: &'s Value,
        place: Place,
        root: bool,
    ) -> Result<(usize, LocationId), BuildError> {
        let Place { mut resource, mut location } = place;
        // Only the root of a resource names its dialect (core §8.1.1); elsewhere `$schema` says nothing.
        let opens =
            root || members.get("$id").and_then(Value::as_str).is_some_and(|id| !split(id).0.is_empty());
        let own = match members.get("$schema") {
            Some(named) if opens => Some(self.named_dialect(named, place)?),
            Some(_) | None => None,
        };
        if root && let (Some(own), Some(opened)) = (own, self.resources.get_mut(resource)) {
            opened.dialect = own;
        }
        let dialect = own.unwrap_or_else(|| self.dialect_of(resource));
        let hidden = dialect.reference_hides_siblings() && members.contains_key("$ref");
        if let Some(id) = members.get("$id")
            && !hidden
        {
            let Value::String(id) = id else {
                return Err(self.error(place, "$id", "\"$id\" must be a string"));
            };
            let (uri, fragment) = split(id);
            let fragment = fragment.unwrap_or_default();
            if !fragment.is_empty() && !dialect.id_may_be_anchor() {
                return Err(self.error(place, "$id", "\"$id\" must not have a fragment"));
            }
            if !uri.is_empty() {
                let base = self.resources.get(resource).map_or(NO_BASE, |found| &found.uri);
                let absolute = resolve(base, uri).map_err(|NotAReference| {
                    self.error(place, "$id", format!("\"{}\" is not a URI reference", bound::echo_str(id)))
                })?;
                let same = self.resources.get(resource).is_some_and(|found| found.uri == absolute);
                if !(root && same) {
                    let around = self.dialect_of(resource);
                    let document = self.document_of(resource);
                    (resource, location) = self.open(absolute, schema, dialect, document)?;
                    if !root && around != dialect {
                        let place = Place { resource, location };
                        self.regions.push(Region { root: schema, dialect, place, document });
                    }
                }
            }
            if !fragment.is_empty() {
                self.anchor(Place { resource, location }, "$id", fragment, schema)?;
            }
        }
        let place = Place { resource, location };
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let Some(anchor) = members.get(keyword) else { continue };
            if look_up(keyword, dialect).is_none() {
                continue;
            }
            let Value::String(anchor) = anchor else {
                return Err(self.error(place, keyword, format!("\"{keyword}\" must be a string")));
            };
            self.anchor(place, keyword, anchor, schema)?;
            if keyword == "$dynamicAnchor"
                && let Some(found) = self.resources.get_mut(resource)
            {
                found.dynamic_anchors.push((anchor, schema));
            }
        }
        Ok((resource, location))
    }

    fn named_dialect(&self, named: &Value, place: Place) -> Result<Dialect, BuildError> {
        let Value::String(uri) = named else {
            return Err(self.error(place, "$schema", "\"$schema\" must be a string"));
        };
        Dialect::from_uri(uri).ok_or_else(|| {
            self.error(place, "$schema", format!("\"{}\" is an unknown dialect", bound::echo_str(uri)))
        })
    }

    fn anchor(
        &mut self,
        place: Place,
        keyword: &str,
        anchor: &'s str,
        schema: &'s Value,
    ) -> Result<(), BuildError> {
        let Some(resource) = self.resources.get_mut(place.resource) else { return Ok(()) };
        let earlier = resource.anchors.insert(anchor, schema);
        if earlier.is_some_and(|earlier| !std::ptr::eq(earlier, schema)) {
            let message = format!("\"{}\" is the anchor of two schemas", bound::echo_str(anchor));
            return Err(self.error(place, keyword, message));
        }
        Ok(())
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
        let at = self.locate(Some(place.location), Step::Key(name.into()), place)?;
        let mut push = |registry: &mut Self, schema: &'s Value, step: Option<Step>| {
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
                    push(self, member, Some(Step::Key(key.as_str().into())))?;
                }
                Ok(())
            }
            // A keyword of the wrong type is refused when it is read.
            (
                Shape::None | Shape::One | Shape::Array | Shape::Map | Shape::OneOrArray | Shape::MapOrNames,
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
