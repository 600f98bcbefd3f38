//! Where in the schema an instruction came from: what only an error needs, aside from the instructions.
//!
//! In: a tree of places, each a token under its parent. Out: a canonical location, the resource's absolute URI
//! and a JSON Pointer from the resource's root (JSON Schema core §9.2.1), built only when asked for. One entry a
//! subschema, so the size is linear in the schema.

use super::ids::{LocationId, TooLarge};
use crate::bound::push_number;

/// One step to a place in a schema document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// The root of a resource, with its absolute URI (empty where the schema has none).
    Resource(Box<str>),
    /// A member of an object of the document: a keyword, or a name under one.
    Key(Box<str>),
    /// An item of an array of the document.
    Index(u32),
}

/// All places, each with its parent.
#[derive(Debug, Default)]
pub(crate) struct Locations(Vec<Location>);

#[derive(Debug)]
struct Location {
    parent: Option<LocationId>,
    /// How many lie above it.
    depth: u32,
    step: Step,
}

/// Where one of two places parts from the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parted<'l> {
    /// The first step that the other has not; none where the other lies below it, or is the same.
    pub(crate) step: Option<&'l Step>,
    /// Whether further steps follow.
    pub(crate) is_below: bool,
}

/// Where two places part.
#[derive(Debug)]
pub(crate) struct Apart<'l> {
    pub(crate) one: Parted<'l>,
    pub(crate) other: Parted<'l>,
    /// How many steps were gone to find out.
    pub(crate) work: usize,
}

impl Locations {
    /// Adds a place under its parent; a resource has none.
    pub(crate) fn push(&mut self, parent: Option<LocationId>, step: Step) -> Result<LocationId, TooLarge> {
        let id = LocationId::new(self.0.len())?;
        let parent = match step {
            Step::Resource(_) => None,
            Step::Key(_) | Step::Index(_) => parent,
        };
        let above = parent.and_then(|parent| self.0.get(parent.index()));
        let depth = above.map_or(0, |above| above.depth.saturating_add(1));
        self.0.push(Location { parent, depth, step });
        Ok(id)
    }

    /// Where two places part. Linear in the steps that they do not share.
    pub(crate) fn apart<'l>(&'l self, one: LocationId, other: LocationId) -> Apart<'l> {
        let get = |id: Option<LocationId>| id.and_then(|id| self.0.get(id.index()));
        let (mut left, mut right) = ((Some(one), Parted::default()), (Some(other), Parted::default()));
        let climb = |(place, parted): &mut (Option<LocationId>, Parted<'l>)| {
            *parted = Parted { step: get(*place).map(|place| &place.step), is_below: parted.step.is_some() };
            *place = get(*place).and_then(|place| place.parent);
        };
        let mut work = 0;
        while left.0 != right.0 {
            // What is above a resource is none, and lies above all.
            let depths = [left.0, right.0].map(|place| get(place).map(|place| place.depth));
            if depths[0] >= depths[1] {
                climb(&mut left);
            }
            if depths[1] >= depths[0] {
                climb(&mut right);
            }
            work += 1;
        }
        Apart { one: left.1, other: right.1, work }
    }

    /// Gives back what growing has reserved.
    pub(crate) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }

    /// Lends the steps to `place`, its resource first. Few take no memory but the stack's.
    pub(crate) fn with_steps<R>(&self, place: LocationId, read: impl FnOnce(&[&Step]) -> R) -> R {
        const FEW: usize = 16;
        static NONE: Step = Step::Index(0);
        let mut few = [&NONE; FEW];
        let mut from = FEW;
        let mut next = Some(place);
        while let Some(Location { parent, step, .. }) = next.and_then(|id| self.0.get(id.index())) {
            let Some(above) = from.checked_sub(1) else { return read(&self.steps(place)) };
            from = above;
            if let Some(free) = few.get_mut(from) {
                *free = step;
            }
            next = *parent;
        }
        read(few.get(from..).unwrap_or_default())
    }

    /// The steps to `place`, its resource first. Linear in how many they are, which the schema's depth bounds.
    pub(crate) fn steps(&self, place: LocationId) -> Vec<&Step> {
        let mut steps = Vec::new();
        let mut next = Some(place);
        while let Some(Location { parent, step, .. }) = next.and_then(|id| self.0.get(id.index())) {
            steps.push(step);
            next = *parent;
        }
        steps.reverse();
        steps
    }

    /// The canonical location of `place`, with `keyword` as its last token where it is not empty. Linear in the
    /// location's own length.
    pub(crate) fn render(&self, place: LocationId, keyword: &str) -> String {
        let mut text = String::new();
        self.steps(place).into_iter().for_each(|step| step.push(&mut text));
        push_keyword(&mut text, keyword);
        text
    }
}

impl Step {
    /// Appends the step as a location spells it.
    pub(crate) fn push(&self, text: &mut String) {
        match self {
            Step::Resource(uri) => {
                text.push_str(uri);
                text.push('#');
            }
            Step::Key(key) => push_token(text, key),
            Step::Index(index) => {
                text.push('/');
                push_number(text, u64::from(*index));
            }
        }
    }
}

/// Appends a keyword as the last token, unless it is empty.
pub(crate) fn push_keyword(text: &mut String, keyword: &str) {
    if !keyword.is_empty() {
        push_token(text, keyword);
    }
}

/// Appends `/` and the token, escaped as RFC 6901 §3 says.
pub(crate) fn push_token(text: &mut String, token: &str) {
    text.push('/');
    if !token.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        text.push_str(token);
        return;
    }
    for character in token.chars() {
        match character {
            '~' => text.push_str("~0"),
            '/' => text.push_str("~1"),
            other => text.push(other),
        }
    }
}
