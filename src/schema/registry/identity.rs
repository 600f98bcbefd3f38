//! What a schema says of itself: its language, its identity, its anchors.
//!
//! In: one schema on the walk over its document. Out: the resource that it opens, if it opens one, and the names by
//! which references find it. Constant time a schema, but for its texts.

use serde_json::{Map, Value};

use super::super::table::look_up;
use super::super::uri::{NO_BASE, NotAReference, resolve, split};
use super::{Place, RECURSIVE, Region, Registry};
use crate::bound;
use crate::program::LocationId;
use crate::schema::error::BuildError;

impl<'s> Registry<'s> {
    /// Reads `$schema`, `$id` and the anchors of one schema; the place changes where it opens a resource.
    pub(super) fn identify(
        &mut self,
        members: &'s Map<String, Value>,
        schema: &'s Value,
        place: Place,
        root: bool,
    ) -> Result<(usize, LocationId), BuildError> {
        let Place { mut resource, mut location } = place;
        // Only the root of a resource names its language (core §8.1.1); elsewhere `$schema` says nothing. Which
        // keyword makes it a root is a question of the language that it names.
        let named = match members.get("$schema") {
            Some(named) if root => Some(self.named_language(named, place)?),
            Some(named) if ["$id", "id"].into_iter().any(|keyword| opens(members, keyword)) => {
                let language = self.named_language(named, place)?;
                opens(members, language.dialect.id_keyword()).then_some(language)
            }
            Some(_) | None => None,
        };
        if root && let (Some(own), Some(opened)) = (named, self.resources.get_mut(resource)) {
            opened.language = own;
        }
        let language = named.unwrap_or_else(|| self.language_of(resource));
        let dialect = language.dialect;
        let keyword = dialect.id_keyword();
        let hidden = dialect.reference_hides_siblings() && members.contains_key("$ref");
        if let Some(id) = members.get(keyword)
            && !hidden
        {
            let Value::String(id) = id else {
                return Err(self.error(place, keyword, format!("\"{keyword}\" must be a string")));
            };
            let (uri, fragment) = split(id);
            let fragment = fragment.unwrap_or_default();
            if !fragment.is_empty() && !dialect.id_may_be_anchor() {
                return Err(self.error(place, keyword, format!("\"{keyword}\" must not have a fragment")));
            }
            if !uri.is_empty() {
                let base = self.resources.get(resource).map_or(NO_BASE, |found| &found.uri);
                let absolute = resolve(base, uri).map_err(|NotAReference| {
                    self.error(place, keyword, format!("\"{}\" is not a URI reference", bound::echo_str(id)))
                })?;
                let same = self.resources.get(resource).is_some_and(|found| found.uri == absolute);
                if !(root && same) {
                    let around = self.language_of(resource);
                    let document = self.document_of(resource);
                    (resource, location) = self.open(absolute, schema, language, document)?;
                    if !root && around != language {
                        let place = Place { resource, location };
                        self.regions.push(Region { root: schema, language, place, document, is_part: true });
                    }
                }
            }
            if !fragment.is_empty() {
                self.anchor(Place { resource, location }, keyword, fragment, schema)?;
            }
        }
        let place = Place { resource, location };
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let Some(anchor) = members.get(keyword) else { continue };
            if look_up(keyword, language).is_none() {
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
        if members.get("$recursiveAnchor") == Some(&Value::Bool(true))
            && look_up("$recursiveAnchor", language).is_some()
            && let Some(found) = self.resources.get_mut(resource)
            && std::ptr::eq(found.root, schema)
        {
            found.dynamic_anchors.push((RECURSIVE, schema));
        }
        Ok((resource, location))
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
}

/// Whether `keyword` gives the schema an identity of its own.
fn opens(members: &Map<String, Value>, keyword: &str) -> bool {
    members.get(keyword).and_then(Value::as_str).is_some_and(|id| !split(id).0.is_empty())
}
