//! The instance types of JSON Schema, and sets of them.
//!
//! In: names, kinds of values. Out: a set in one byte. Size is constant.

use std::fmt;

use super::Number;
use super::number::TEXTUAL;

/// One instance type. `integer` is a number whose value is whole, whatever its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Type {
    Null = 1,
    Boolean = 2,
    Integer = 4,
    Number = 8,
    String = 16,
    Array = 32,
    Object = 64,
}

impl Type {
    /// All types, in the order in which texts list them.
    pub(crate) const ALL: [Type; 7] =
        [Type::Null, Type::Boolean, Type::Integer, Type::Number, Type::String, Type::Array, Type::Object];

    /// The type's name in a schema.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Boolean => "boolean",
            Type::Integer => "integer",
            Type::Number => "number",
            Type::String => "string",
            Type::Array => "array",
            Type::Object => "object",
        }
    }

    /// The type named `name` in a schema.
    pub(crate) fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A set of instance types. A set that has `Number` admits whole numbers too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Types(u8);

/// The bit that is no type's.
const BY_SPELLING: u8 = 128;

impl Types {
    /// No type at all.
    pub(crate) const NONE: Types = Types(0);
    /// Every type.
    pub(crate) const ALL: Types = Types(127);

    /// The set with `kind` added.
    #[must_use]
    pub(crate) const fn with(self, kind: Type) -> Types {
        Types(self.0 | kind as u8)
    }

    /// Whether `kind` is in the set by name.
    #[inline]
    pub(crate) const fn has(self, kind: Type) -> bool {
        self.0 & kind as u8 != 0
    }

    /// The same set, where an integer is told by its spelling and not by its value: 1.0 is none (drafts 3 and 4).
    #[must_use]
    pub(crate) const fn by_spelling(self) -> Types {
        Types(self.0 | BY_SPELLING)
    }

    /// Whether `number` is admitted for being an integer.
    #[inline]
    pub(crate) fn admits_integer(self, number: Number<'_>) -> bool {
        self.is_integer_only()
            && if self.0 & BY_SPELLING == 0 { number.is_integer() } else { number.is_spelled_as_integer() }
    }

    /// Whether `number` is admitted.
    #[inline]
    pub(crate) fn admits_number(self, number: Number<'_>) -> bool {
        self.has(Type::Number) || self.admits_integer(number)
    }

    /// Whether every value is admitted.
    pub(crate) const fn is_all(self) -> bool {
        const WITHOUT_INTEGER: u8 = 127 & !(Type::Integer as u8);
        self.0 & WITHOUT_INTEGER == WITHOUT_INTEGER
    }

    /// Whether whole numbers are admitted and other numbers are not: where a 2.0 is cast to 2.
    #[inline]
    pub(crate) const fn is_integer_only(self) -> bool {
        self.has(Type::Integer) && !self.has(Type::Number)
    }

    /// The kinds of which every value is admitted.
    pub(crate) fn admitted(self) -> Kinds {
        Kinds::of(Kind::ALL.into_iter().filter(|kind| match kind {
            Kind::Null => self.has(Type::Null),
            Kind::Boolean => self.has(Type::Boolean),
            Kind::Integer => self.has(Type::Integer) || self.has(Type::Number),
            Kind::Float => self.has(Type::Number),
            Kind::String => self.has(Type::String),
            Kind::Array => self.has(Type::Array),
            Kind::Object => self.has(Type::Object),
            Kind::Text => false,
        }))
    }

    /// The kinds of which no value is admitted. A float can be a whole number, and text has to be read.
    pub(crate) fn refused(self) -> Kinds {
        let unsure = if self.is_integer_only() { Kinds::of([Kind::Float, Kind::Text]) } else { Kinds::NONE };
        Kinds::KNOWN.without(self.admitted()).without(unsure)
    }

    /// The types of the set, in the order in which texts list them.
    pub(crate) fn iter(self) -> impl Iterator<Item = Type> {
        Type::ALL.into_iter().filter(move |kind| self.has(*kind))
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Type::name)).finish()
    }
}

/// What a glance at a value tells: its type, and of a number how it is held. In the order in which `serde_json` has its
/// types, so that to tell the kind of one of its values is to read one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Null,
    Boolean,
    /// A number that is held as a float, or as a text that is known to be a number: whole or not.
    Float,
    String,
    Array,
    Object,
    /// A number that is held as an integer.
    Integer,
    /// A number that is held as text, or none at all: it has to be read.
    Text,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: [Kind; 8] = [
        Kind::Null,
        Kind::Boolean,
        Kind::Integer,
        Kind::Float,
        Kind::String,
        Kind::Array,
        Kind::Object,
        Kind::Text,
    ];

    /// Whether values lie in values of this kind.
    #[inline]
    pub(crate) fn has_children(self) -> bool {
        matches!(self, Kind::Array | Kind::Object)
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    /// Kinds of values in which values lie.
    pub(crate) const CONTAINERS: Kinds = Kinds(1 << Kind::Array as u8 | 1 << Kind::Object as u8);
    /// No kind.
    pub(crate) const NONE: Kinds = Kinds(0);
    /// Every kind.
    pub(crate) const ALL: Kinds = Kinds(u8::MAX);
    /// Every kind that need not be read to be known.
    pub(crate) const KNOWN: Kinds = Kinds(!(1 << Kind::Text as u8));

    /// The kinds of a list.
    pub(crate) fn of(kinds: impl IntoIterator<Item = Kind>) -> Kinds {
        Kinds(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u8))
    }

    #[inline]
    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    /// These kinds, for a glance that takes any number for a float: that one is among them if all numbers are.
    #[must_use]
    pub(crate) fn at_a_glance(self) -> Kinds {
        let text = if TEXTUAL { Kinds::of([Kind::Text]) } else { Kinds::NONE };
        let numbers = Kinds::of([Kind::Integer, Kind::Float]).or(text);
        if numbers.without(self) == Kinds::NONE { self } else { self.without(Kinds::of([Kind::Float])) }
    }

    #[must_use]
    pub(crate) const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    #[must_use]
    pub(crate) const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    #[must_use]
    pub(crate) const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sets() {
        for kind in Type::ALL {
            assert_eq!(Type::from_name(kind.name()), Some(kind));
            assert!(Types::ALL.has(kind) && !Types::NONE.has(kind));
        }
        assert_eq!(Type::from_name("int"), None);
        assert!(Types::NONE.with(Type::Integer).is_integer_only());
        assert!(!Types::NONE.with(Type::Integer).with(Type::Number).is_integer_only());
        assert!(Types::ALL.is_all());
    }

    #[test]
    fn a_glance_takes_numbers_for_floats_only_where_all_pass() {
        let strings = Kinds::of([Kind::String]);
        for some in [Kinds::of([Kind::Integer]), Kinds::of([Kind::Float])] {
            let glance = some.or(strings).at_a_glance();
            assert!(!glance.has(Kind::Float) && glance.has(Kind::String));
        }
        assert!(Kinds::ALL.at_a_glance().has(Kind::Float));
    }
}
