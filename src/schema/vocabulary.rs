//! Vocabularies: which chapters of a dialect a metaschema of one's own takes (core §8.1.2).
//!
//! In: a metaschema's `$vocabulary`. Out: a [`Language`], a dialect with the chapters in force: constant in size.
//! A vocabulary that is required and unknown refuses the schema, one that is optional and unknown is passed over.

use serde_json::Value;

use super::dialect::Dialect;

/// A chapter of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// Always in force: without it nothing could be read.
    Core,
    Applicator,
    /// Part of `Applicator` in 2019-09.
    Unevaluated,
    Validation,
    MetaData,
    /// `format`, as an annotation or as an assertion.
    Format,
    Content,
}

/// A set of vocabularies, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vocabularies(u8);

impl Vocabularies {
    const ALL: Vocabularies = Vocabularies(u8::MAX);

    fn with(self, vocabulary: Vocabulary) -> Self {
        Vocabularies(self.0 | 1 << vocabulary as u8)
    }

    fn has(self, vocabulary: Vocabulary) -> bool {
        self.0 >> vocabulary as u8 & 1 == 1
    }
}

/// What a schema is written in: a dialect, or the part of one that a metaschema of the caller's takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    pub(crate) dialect: Dialect,
    vocabularies: Vocabularies,
    /// Whether the metaschema itself asks that `format` asserts.
    pub(crate) asserts_format: bool,
    /// The metaschema, where it is not the dialect's own: its number in the registry.
    pub(crate) metaschema: Option<usize>,
}

/// A vocabulary that a metaschema requires and nobody knows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unknown<'s>(pub(crate) &'s str);

impl Language {
    /// The dialect whole, judged by its own metaschema.
    pub(crate) fn whole(dialect: Dialect) -> Self {
        Language { dialect, vocabularies: Vocabularies::ALL, asserts_format: false, metaschema: None }
    }

    pub(crate) fn knows(self, vocabulary: Vocabulary) -> bool {
        self.vocabularies.has(vocabulary)
    }

    /// The language of a metaschema of `dialect`, by its `$vocabulary`: without one it is the dialect whole.
    pub(crate) fn of_metaschema<'s>(
        dialect: Dialect,
        document: &'s Value,
        metaschema: usize,
    ) -> Result<Self, Unknown<'s>> {
        let mut language = Language { metaschema: Some(metaschema), ..Language::whole(dialect) };
        let (Some(base), Some(Value::Object(listed))) =
            (dialect.vocabulary_base(), document.get("$vocabulary"))
        else {
            return Ok(language);
        };
        language.vocabularies = Vocabularies(0).with(Vocabulary::Core);
        for (uri, required) in listed {
            let required = required == &Value::Bool(true);
            match uri.strip_prefix(base) {
                Some("core") => {}
                Some("applicator") => language.add(Vocabulary::Applicator),
                Some("unevaluated") => language.add(Vocabulary::Unevaluated),
                Some("validation") => language.add(Vocabulary::Validation),
                Some("meta-data") => language.add(Vocabulary::MetaData),
                Some("content") => language.add(Vocabulary::Content),
                Some("format-annotation") => language.add(Vocabulary::Format),
                // 2019-09 has one for both: required means asserted (validation 2019-09 §7.2).
                Some("format") => {
                    language.add(Vocabulary::Format);
                    language.asserts_format |= required;
                }
                // Known is in force, whatever the flag, which speaks to those who do not know it.
                Some("format-assertion") => {
                    language.add(Vocabulary::Format);
                    language.asserts_format = true;
                }
                Some(_) | None if required => return Err(Unknown(uri)),
                Some(_) | None => {}
            }
        }
        Ok(language)
    }

    fn add(&mut self, vocabulary: Vocabulary) {
        self.vocabularies = self.vocabularies.with(vocabulary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_metaschema_takes_what_it_lists() {
        let read = |listed: Value| {
            let document = json!({"$vocabulary": listed});
            Language::of_metaschema(Dialect::Draft202012, &document, 0).map_err(|Unknown(uri)| uri.to_owned())
        };
        let base = Dialect::Draft202012.vocabulary_base().unwrap();
        let some = read(json!({format!("{base}applicator"): true, "https://ex.test/mine": false})).unwrap();
        assert!(some.knows(Vocabulary::Core) && some.knows(Vocabulary::Applicator));
        assert!(!some.knows(Vocabulary::Validation) && !some.knows(Vocabulary::Format));
        assert!(read(json!({format!("{base}format-assertion"): false})).unwrap().asserts_format);
        assert!(!read(json!({format!("{base}format-annotation"): true})).unwrap().asserts_format);
        assert_eq!(read(json!({"https://ex.test/mine": true})), Err("https://ex.test/mine".to_owned()));
        let other = "https://json-schema.org/draft/2019-09/vocab/applicator";
        assert_eq!(read(json!({other: true})), Err(other.to_owned()));
    }

    #[test]
    fn a_dialect_without_vocabularies_is_whole() {
        let document = json!({"$vocabulary": {"https://ex.test/mine": true}});
        let whole = Language::of_metaschema(Dialect::Draft7, &document, 0).unwrap();
        assert!(whole.knows(Vocabulary::Validation));
    }
}
