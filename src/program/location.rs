//! Where in the schema an instruction came from: what only an error needs, aside from the instructions.
//!
//! In: a tree of places, each a token under its parent. Out: a canonical location, the resource's absolute URI
//! and a JSON Pointer from the resource's root (JSON Schema core §9.2.1), built only when asked for. Two words of 32 bits a
//! place, and the text of what is neither a keyword nor a number, mostly once: the size is linear in the schema.

use super::ids::{LocationId, TooLarge};
use super::names::Name;
use crate::bound::push_number;
use crate::value::ends::ends;

/// One step to a place in a schema document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step<'l> {
    /// The root of a resource, with its absolute URI (empty where the schema has none).
    Resource(&'l str),
    /// A member of an object of the document: a keyword, or a name under one.
    Key(&'l str),
    /// An item of an array of the document.
    Index(u32),
}

/// All places, each with its parent, which stands before it.
#[derive(Debug, Default)]
pub(crate) struct Locations {
    places: Vec<Location>,
    /// Keys and URIs, each behind its length.
    text: String,
    /// Where texts begin that were met so far, while places are added: a power of two of places, [`FREE`] or taken.
    met: Vec<u32>,
    /// How many of them are taken.
    taken: usize,
}

#[derive(Clone, Copy, Debug)]
struct Location {
    /// [`FREE`] where there is none.
    parent: u32,
    step: Packed,
}

/// A step in 32 bits: two say what it is, the others where its text begins, or which number or name it is.
#[derive(Clone, Copy, Debug)]
struct Packed(u32);

/// No place, and no text.
const FREE: u32 = u32::MAX;

/// The bits of a packed step that are its number.
const NUMBER: u32 = (1 << 30) - 1;

const RESOURCE: u32 = 0;
const KEY: u32 = 1 << 30;
const INDEX: u32 = 2 << 30;
const NAME: u32 = 3 << 30;

/// Texts that a new one is compared with before it is kept twice: keys that were chosen to look alike cost no more.
const COMPARED: usize = 8;

/// Bits of a text's length in each character before it; one more says that others follow.
const LENGTH_BITS: u32 = 6;

/// An odd number whose bits follow no pattern: the golden ratio's.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Where one of two places parts from the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parted<'l> {
    /// The first step that the other has not; none where the other lies below it, or is the same.
    pub(crate) step: Option<Step<'l>>,
    /// Whether further steps follow.
    pub(crate) is_below: bool,
}

/// Where two places part.
#[derive(Debug)]
pub(crate) struct Apart<'l> {
    pub(crate) one: Parted<'l>,
    pub(crate) other: Parted<'l>,
    /// How many steps were gone to find out: those of the place that lies farther away.
    pub(crate) work: usize,
}

impl Locations {
    /// Adds a place under its parent; a resource has none.
    pub(crate) fn push(
        &mut self,
        parent: Option<LocationId>,
        step: Step<'_>,
    ) -> Result<LocationId, TooLarge> {
        let id = LocationId::new(self.places.len())?;
        let (parent, step) = match step {
            Step::Resource(uri) => (None, RESOURCE | self.keep(uri)?),
            Step::Key(key) => match Name::of(key) {
                Some(name) => (parent, NAME | name.number()),
                None => (parent, KEY | self.keep(key)?),
            },
            Step::Index(index) if index <= NUMBER => (parent, INDEX | index),
            Step::Index(_) => return Err(TooLarge),
        };
        // An id is never the last number, since ids begin with zero and each takes memory.
        let parent = parent.map_or(Ok(FREE), |parent| u32::try_from(parent.index()).map_err(|_| TooLarge))?;
        self.places.push(Location { parent, step: Packed(step) });
        Ok(id)
    }

    /// Where a text begins, which is kept if it is new.
    fn keep(&mut self, text: &str) -> Result<u32, TooLarge> {
        if 2 * self.taken >= self.met.len() {
            self.grow();
        }
        let mut at = self.place_of(text);
        for _ in 0..COMPARED {
            match self.met.get(at) {
                Some(&FREE) | None => break,
                Some(&start) if self.text(start) == text => return Ok(start),
                Some(_) => at = (at + 1) & (self.met.len() - 1),
            }
        }
        let start = u32::try_from(self.text.len()).ok().filter(|start| *start <= NUMBER).ok_or(TooLarge)?;
        let mut length = text.len();
        while length >> LENGTH_BITS != 0 {
            self.text.push(ascii(length % (1 << LENGTH_BITS) + (1 << LENGTH_BITS)));
            length >>= LENGTH_BITS;
        }
        self.text.push(ascii(length));
        self.text.push_str(text);
        if let Some(free) = self.met.get_mut(at)
            && *free == FREE
        {
            *free = start;
            self.taken += 1;
        }
        Ok(start)
    }

    /// Where a text is looked for first among those met.
    fn place_of(&self, text: &str) -> usize {
        let (first, last) = ends(text.as_bytes());
        let mixed = (first ^ last.rotate_left(23) ^ text.len() as u64).wrapping_mul(SPREAD);
        (mixed >> (u64::BITS / 2)) as usize & self.met.len().wrapping_sub(1)
    }

    /// Makes room for more texts.
    fn grow(&mut self) {
        let count = (2 * self.met.len()).max(32);
        let met = std::mem::replace(&mut self.met, vec![FREE; count]);
        self.taken = 0;
        for start in met.into_iter().filter(|start| *start != FREE) {
            let mut at = self.place_of(self.text(start));
            let free = (0..COMPARED).find_map(|_| {
                let here = at;
                at = (at + 1) & (count - 1);
                (self.met.get(here) == Some(&FREE)).then_some(here)
            });
            // What finds no place may be kept twice.
            if let Some(free) = free.and_then(|free| self.met.get_mut(free)) {
                *free = start;
                self.taken += 1;
            }
        }
    }

    /// The text that begins at `start`.
    fn text(&self, start: u32) -> &str {
        let rest = self.text.get(start as usize..).unwrap_or_default();
        let (mut length, mut shift, mut digits) = (0, 0, 0);
        for byte in rest.bytes() {
            digits += 1;
            length |= usize::from(byte % (1 << LENGTH_BITS)) << shift;
            shift += LENGTH_BITS;
            if byte < 1 << LENGTH_BITS {
                break;
            }
        }
        rest.get(digits..digits + length).unwrap_or_default()
    }

    fn step(&self, location: Location) -> Step<'_> {
        let Packed(packed) = location.step;
        let number = packed & NUMBER;
        match packed & !NUMBER {
            RESOURCE => Step::Resource(self.text(number)),
            KEY => Step::Key(self.text(number)),
            INDEX => Step::Index(number),
            // What is left of two bits.
            _ => Step::Key(Name::numbered(number).text()),
        }
    }

    fn get(&self, place: u32) -> Option<Location> {
        self.places.get(place as usize).copied()
    }

    /// Where two places part. Linear in the steps that they do not share.
    pub(crate) fn apart(&self, one: LocationId, other: LocationId) -> Apart<'_> {
        let number = |id: LocationId| u32::try_from(id.index()).unwrap_or(FREE);
        let (mut left, mut right) = (number(one), number(other));
        let mut last = (None, None);
        let mut gone = (0, 0);
        let climb = |place: &mut u32, last: &mut Option<u32>, gone: &mut usize| {
            *gone += 1;
            *last = Some(*place);
            *place = self.get(*place).map_or(FREE, |location| location.parent);
        };
        while left != right {
            // A place stands behind all above it: the later of two lies above nothing that the other lies below. What is
            // above a resource is none.
            if right == FREE || (left != FREE && left > right) {
                climb(&mut left, &mut last.0, &mut gone.0);
            } else {
                climb(&mut right, &mut last.1, &mut gone.1);
            }
        }
        let parted = |(place, gone): (Option<u32>, usize)| Parted {
            step: place.and_then(|place| self.get(place)).map(|location| self.step(location)),
            is_below: gone > 1,
        };
        Apart { one: parted((last.0, gone.0)), other: parted((last.1, gone.1)), work: gone.0.max(gone.1) }
    }

    /// Gives back what growing has reserved.
    pub(crate) fn shrink(&mut self) {
        self.places.shrink_to_fit();
        self.text.shrink_to_fit();
        (self.met, self.taken) = (Vec::new(), 0);
    }

    /// Lends the steps to `place`, its resource first. Few take no memory but the stack's.
    pub(crate) fn with_steps<R>(&self, place: LocationId, read: impl FnOnce(&[Step<'_>]) -> R) -> R {
        const FEW: usize = 16;
        let mut few = [Step::Index(0); FEW];
        let mut from = FEW;
        let mut next = self.places.get(place.index()).copied();
        while let Some(location) = next {
            let Some(above) = from.checked_sub(1) else { return read(&self.steps(place)) };
            from = above;
            if let Some(free) = few.get_mut(from) {
                *free = self.step(location);
            }
            next = self.get(location.parent);
        }
        read(few.get(from..).unwrap_or_default())
    }

    /// The steps to `place`, its resource first. Linear in how many they are, which the schema's depth bounds.
    pub(crate) fn steps(&self, place: LocationId) -> Vec<Step<'_>> {
        let mut steps = Vec::new();
        let mut next = self.places.get(place.index()).copied();
        while let Some(location) = next {
            steps.push(self.step(location));
            next = self.get(location.parent);
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

/// The character with a number below 128.
fn ascii(number: usize) -> char {
    char::from(number as u8)
}

impl Step<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_kept_once_whatever_their_length() {
        let mut keys: Vec<String> = (0..5_000).map(|number| format!("key-{number}")).collect();
        keys.extend([0, 1, 63, 64, 65, 4_095, 4_096, 1 << 21].map(|length| "é".repeat(length)));
        let mut places = Locations::default();
        let root = places.push(None, Step::Resource("urn:a")).unwrap();
        let add = |places: &mut Locations| -> Vec<LocationId> {
            keys.iter().map(|key| places.push(Some(root), Step::Key(key)).unwrap()).collect()
        };
        let first = add(&mut places);
        let length = places.text.len();
        let again = add(&mut places);
        assert!(places.text.len() < length + length / 100, "{} after {length}", places.text.len());
        for (key, place) in keys.iter().chain(&keys).zip(first.into_iter().chain(again)) {
            assert_eq!(places.steps(place), [Step::Resource("urn:a"), Step::Key(key)]);
        }
    }

    #[test]
    fn keys_that_look_alike_are_kept_twice_sooner_than_compared_with_all() {
        // Their lengths and ends agree.
        let keys: Vec<String> = (0..1_000).map(|number| format!("abcdefgh{number:04}abcdefgh")).collect();
        let mut places = Locations::default();
        let root = places.push(None, Step::Resource("")).unwrap();
        for key in &keys {
            let place = places.push(Some(root), Step::Key(key)).unwrap();
            assert_eq!(places.render(place, "type"), format!("#/{key}/type"));
        }
    }
}
