//! The dialects of JSON Schema that are understood, by name and by metaschema URI.
//!
//! In: a `$schema`. Out: a [`Dialect`], or nothing for one that is unknown. What a dialect's keywords mean is the
//! table of [`super::table`].

use std::fmt;

use crate::format::Names;

/// The name of v1's first release, which names the same dialect.
const V1_RELEASE: &str = "json-schema.org/v1/2026";

/// A dialect of JSON Schema.
///
/// v1 is read as it stands while it is being published, with its proposal `propertyDependencies`. What it says of
/// unknown keywords (refuse them, save those that begin with `x-`) is an option of the build, as in every dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Draft 3 (<http://json-schema.org/draft-03/schema#>).
    Draft3,
    /// Draft 4 (<http://json-schema.org/draft-04/schema#>).
    Draft4,
    /// Draft 6 (<http://json-schema.org/draft-06/schema#>).
    Draft6,
    /// Draft 7 (<http://json-schema.org/draft-07/schema#>).
    Draft7,
    /// Draft 2019-09 (<https://json-schema.org/draft/2019-09/schema>).
    Draft201909,
    /// Draft 2020-12 (<https://json-schema.org/draft/2020-12/schema>), the default.
    Draft202012,
    /// v1 (<https://json-schema.org/v1>).
    V1,
}

impl Dialect {
    /// All that are understood, oldest first.
    pub const ALL: &'static [Dialect] = &[
        Dialect::Draft3,
        Dialect::Draft4,
        Dialect::Draft6,
        Dialect::Draft7,
        Dialect::Draft201909,
        Dialect::Draft202012,
        Dialect::V1,
    ];

    /// The URI of the dialect's metaschema, without a fragment.
    #[must_use]
    pub fn uri(self) -> &'static str {
        match self {
            Dialect::Draft3 => "http://json-schema.org/draft-03/schema",
            Dialect::Draft4 => "http://json-schema.org/draft-04/schema",
            Dialect::Draft6 => "http://json-schema.org/draft-06/schema",
            Dialect::Draft7 => "http://json-schema.org/draft-07/schema",
            Dialect::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Dialect::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
            Dialect::V1 => "https://json-schema.org/v1",
        }
    }

    /// The name that the command line knows the dialect by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Draft3 => "draft3",
            Dialect::Draft4 => "draft4",
            Dialect::Draft6 => "draft6",
            Dialect::Draft7 => "draft7",
            Dialect::Draft201909 => "2019-09",
            Dialect::Draft202012 => "2020-12",
            Dialect::V1 => "v1",
        }
    }

    /// What a schema of the dialect is called in an error.
    pub(crate) fn title(self) -> String {
        match self {
            Dialect::Draft3 | Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 => {
                format!("draft {}", self.name().trim_start_matches("draft"))
            }
            Dialect::Draft201909 | Dialect::Draft202012 => format!("draft {}", self.name()),
            Dialect::V1 => self.name().to_owned(),
        }
    }

    /// The dialect whose metaschema is at `uri`; a trailing `#` and http instead of https make no difference.
    #[must_use]
    pub fn from_uri(uri: &str) -> Option<Dialect> {
        let plain = without_scheme(uri.strip_suffix('#').unwrap_or(uri))?;
        if plain == V1_RELEASE {
            return Some(Dialect::V1);
        }
        Dialect::ALL.iter().copied().find(|dialect| without_scheme(dialect.uri()) == Some(plain))
    }

    /// The dialect named `name` on the command line.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.iter().copied().find(|dialect| dialect.name() == name)
    }

    /// The keyword that gives a schema an identity (`id` until draft 4).
    pub(crate) fn id_keyword(self) -> &'static str {
        match self {
            Dialect::Draft3 | Dialect::Draft4 => "id",
            Dialect::Draft6 | Dialect::Draft7 | Dialect::Draft201909 | Dialect::Draft202012 | Dialect::V1 => {
                "$id"
            }
        }
    }

    /// Whether `$ref` hides all its siblings (up to draft 7; core 2019-09 §8.2.4.1 ended it).
    pub(crate) fn reference_hides_siblings(self) -> bool {
        match self {
            Dialect::Draft3 | Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 => true,
            Dialect::Draft201909 | Dialect::Draft202012 | Dialect::V1 => false,
        }
    }

    /// Whether an identity that is a fragment alone names a place and not a resource (up to draft 7; `$anchor`
    /// took its place).
    pub(crate) fn id_may_be_anchor(self) -> bool {
        match self {
            Dialect::Draft3 | Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 => true,
            Dialect::Draft201909 | Dialect::Draft202012 | Dialect::V1 => false,
        }
    }

    /// Whether an integer is told by its spelling, without fraction and exponent (draft 4 core §3.5), and not by
    /// its value.
    pub(crate) fn spells_integers(self) -> bool {
        match self {
            Dialect::Draft3 | Dialect::Draft4 => true,
            Dialect::Draft6 | Dialect::Draft7 | Dialect::Draft201909 | Dialect::Draft202012 | Dialect::V1 => {
                false
            }
        }
    }

    /// Which names of formats the dialect knows.
    pub(crate) fn format_names(self) -> Names {
        match self {
            Dialect::Draft3 => Names::Draft3,
            Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 | Dialect::Draft201909 => {
                Names::Draft4To201909
            }
            Dialect::Draft202012 | Dialect::V1 => Names::From202012,
        }
    }

    /// Whether an item that `contains` matches counts as evaluated (from 2020-12 on).
    pub(crate) fn contains_evaluates(self) -> bool {
        match self {
            Dialect::Draft3 | Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 | Dialect::Draft201909 => {
                false
            }
            Dialect::Draft202012 | Dialect::V1 => true,
        }
    }

    /// The word before a vocabulary's name in its URI (core §8.1.2); nothing where metaschemas list none.
    pub(crate) fn vocabulary_base(self) -> Option<&'static str> {
        match self {
            Dialect::Draft3 | Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 | Dialect::V1 => None,
            Dialect::Draft201909 => Some("https://json-schema.org/draft/2019-09/vocab/"),
            Dialect::Draft202012 => Some("https://json-schema.org/draft/2020-12/vocab/"),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn without_scheme(uri: &str) -> Option<&str> {
    uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_equal_over_scheme_and_empty_fragment() {
        for dialect in Dialect::ALL {
            let plain = without_scheme(dialect.uri()).unwrap();
            for uri in [format!("http://{plain}"), format!("https://{plain}#"), dialect.uri().to_owned()] {
                assert_eq!(Dialect::from_uri(&uri), Some(*dialect), "{uri}");
            }
            assert_eq!(Dialect::from_name(dialect.name()), Some(*dialect));
        }
        assert_eq!(Dialect::from_uri("http://json-schema.org/draft-07/schema#/definitions"), None);
        assert_eq!(Dialect::from_uri("ftp://json-schema.org/draft-07/schema"), None);
    }
}
