//! The dialects of JSON Schema that are understood, by name and by metaschema URI.
//!
//! In: a `$schema`. Out: a [`Dialect`], or nothing for one that is unknown. What a dialect's keywords mean is the
//! table of [`super::table`].

use std::fmt;

use crate::format::Names;

/// A dialect of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Draft 6 (<http://json-schema.org/draft-06/schema#>).
    Draft6,
    /// Draft 7 (<http://json-schema.org/draft-07/schema#>).
    Draft7,
    /// Draft 2020-12 (<https://json-schema.org/draft/2020-12/schema>), the default.
    Draft202012,
}

impl Dialect {
    /// All that are understood, oldest first.
    pub const ALL: &'static [Dialect] = &[Dialect::Draft6, Dialect::Draft7, Dialect::Draft202012];

    /// The URI of the dialect's metaschema, without a fragment.
    #[must_use]
    pub fn uri(self) -> &'static str {
        match self {
            Dialect::Draft6 => "http://json-schema.org/draft-06/schema",
            Dialect::Draft7 => "http://json-schema.org/draft-07/schema",
            Dialect::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The name that the command line knows the dialect by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Draft6 => "draft6",
            Dialect::Draft7 => "draft7",
            Dialect::Draft202012 => "2020-12",
        }
    }

    /// The dialect whose metaschema is at `uri`; a trailing `#` and http instead of https make no difference.
    #[must_use]
    pub fn from_uri(uri: &str) -> Option<Dialect> {
        let plain = without_scheme(uri.strip_suffix('#').unwrap_or(uri))?;
        Dialect::ALL.iter().copied().find(|dialect| without_scheme(dialect.uri()) == Some(plain))
    }

    /// The dialect named `name` on the command line.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.iter().copied().find(|dialect| dialect.name() == name)
    }

    /// Whether `$ref` hides all its siblings (up to draft 7; core 2019-09 §8.2.4.1 ended it).
    pub(crate) fn reference_hides_siblings(self) -> bool {
        match self {
            Dialect::Draft6 | Dialect::Draft7 => true,
            Dialect::Draft202012 => false,
        }
    }

    /// Whether an `$id` that is a fragment alone names a place and not a resource (drafts 6 and 7).
    pub(crate) fn id_may_be_anchor(self) -> bool {
        match self {
            Dialect::Draft6 | Dialect::Draft7 => true,
            Dialect::Draft202012 => false,
        }
    }

    /// Which names of formats the dialect knows.
    pub(crate) fn format_names(self) -> Names {
        match self {
            Dialect::Draft6 | Dialect::Draft7 => Names::Draft4To201909,
            Dialect::Draft202012 => Names::From202012,
        }
    }

    /// Whether an item that `contains` matches counts as evaluated (from 2020-12 on).
    pub(crate) fn contains_evaluates(self) -> bool {
        match self {
            Dialect::Draft6 | Dialect::Draft7 => false,
            Dialect::Draft202012 => true,
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
