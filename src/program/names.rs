//! The names of keywords by number: a byte in a program where the name itself would be two words.
//!
//! In: a name of the language. Out: its number, and from the number the name. Constant size; a look-up compares the name
//! with the few of its length.

/// The name of a keyword, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(u8);

/// All names that an instruction or a place can have, by their lengths; none is the first.
const NAMES: &[&str] = &[
    "",
    "if",
    "not",
    "then",
    "else",
    "type",
    "enum",
    "$ref",
    "items",
    "allOf",
    "anyOf",
    "oneOf",
    "const",
    "$defs",
    "format",
    "pattern",
    "extends",
    "minimum",
    "maximum",
    "required",
    "disallow",
    "contains",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "properties",
    "multipleOf",
    "definitions",
    "divisibleBy",
    "minContains",
    "maxContains",
    "prefixItems",
    "uniqueItems",
    "$dynamicRef",
    "dependencies",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "contentSchema",
    "$recursiveRef",
    "additionalItems",
    "contentEncoding",
    "dependentSchemas",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "unevaluatedItems",
    "contentMediaType",
    "patternProperties",
    "dependentRequired",
    "additionalProperties",
    "propertyDependencies",
    "unevaluatedProperties",
];

/// Bytes of the longest name.
const LONGEST: usize = 21;

/// Where the names of each length begin in [`NAMES`], and where the last end.
static STARTS: [u8; LONGEST + 2] = starts();

const fn starts() -> [u8; LONGEST + 2] {
    let mut starts = [0; LONGEST + 2];
    let (mut length, mut next) = (0, 0);
    while length <= LONGEST {
        // Checked where this is computed: at compile time.
        starts[length] = next as u8;
        while next < NAMES.len() && NAMES[next].len() == length {
            next += 1;
        }
        length += 1;
    }
    starts[length] = next as u8;
    assert!(next == NAMES.len() && next <= u8::MAX as usize, "the names are not in order of their lengths");
    starts
}

impl Name {
    /// No name.
    pub(crate) const NONE: Name = Name(0);

    /// The name that reads `text`.
    pub(crate) fn of(text: &str) -> Option<Name> {
        let [from, to] = *STARTS.get(text.len()..)?.first_chunk()?;
        (from..to).find(|number| NAMES.get(usize::from(*number)) == Some(&text)).map(Name)
    }

    /// The name with a number, or none.
    pub(crate) fn numbered(number: u32) -> Name {
        match u8::try_from(number) {
            Ok(number) if usize::from(number) < NAMES.len() => Name(number),
            Ok(_) | Err(_) => Name::NONE,
        }
    }

    /// Its number.
    pub(crate) fn number(self) -> u32 {
        self.0.into()
    }

    /// The name itself; empty where there is none.
    pub(crate) fn text(self) -> &'static str {
        NAMES.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_number() {
        for text in NAMES {
            let name = Name::of(text).unwrap();
            assert_eq!(name.text(), *text);
            assert_eq!(Name::numbered(name.number()), name);
        }
        assert_eq!(Name::of("title"), None);
        assert_eq!(Name::numbered(1_000), Name::NONE);
    }
}
