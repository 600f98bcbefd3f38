//! The embedded metaschemas: the documents that the dialects' own URIs name.
//!
//! In: a URI without fragment. Out: the document, parsed once. Nothing is fetched.

use std::sync::LazyLock;

use serde_json::Value;

/// The documents by URI. They are the specification's own, as published at these URIs, but for those of draft 3 and
/// v1, which are ours and say what those specifications say of each keyword.
const DOCUMENTS: &[(&str, &str)] = &[
    ("http://json-schema.org/draft-03/schema", include_str!("metaschemas/draft3.json")),
    ("http://json-schema.org/draft-04/schema", include_str!("metaschemas/draft4.json")),
    ("http://json-schema.org/draft-06/schema", include_str!("metaschemas/draft6.json")),
    ("http://json-schema.org/draft-07/schema", include_str!("metaschemas/draft7.json")),
    ("https://json-schema.org/draft/2019-09/schema", include_str!("metaschemas/draft2019-09/schema.json")),
    ("https://json-schema.org/draft/2019-09/meta/core", include_str!("metaschemas/draft2019-09/core.json")),
    (
        "https://json-schema.org/draft/2019-09/meta/applicator",
        include_str!("metaschemas/draft2019-09/applicator.json"),
    ),
    (
        "https://json-schema.org/draft/2019-09/meta/validation",
        include_str!("metaschemas/draft2019-09/validation.json"),
    ),
    (
        "https://json-schema.org/draft/2019-09/meta/meta-data",
        include_str!("metaschemas/draft2019-09/meta-data.json"),
    ),
    (
        "https://json-schema.org/draft/2019-09/meta/format",
        include_str!("metaschemas/draft2019-09/format.json"),
    ),
    (
        "https://json-schema.org/draft/2019-09/meta/content",
        include_str!("metaschemas/draft2019-09/content.json"),
    ),
    ("https://json-schema.org/draft/2020-12/schema", include_str!("metaschemas/draft2020-12/schema.json")),
    ("https://json-schema.org/draft/2020-12/meta/core", include_str!("metaschemas/draft2020-12/core.json")),
    (
        "https://json-schema.org/draft/2020-12/meta/applicator",
        include_str!("metaschemas/draft2020-12/applicator.json"),
    ),
    (
        "https://json-schema.org/draft/2020-12/meta/unevaluated",
        include_str!("metaschemas/draft2020-12/unevaluated.json"),
    ),
    (
        "https://json-schema.org/draft/2020-12/meta/validation",
        include_str!("metaschemas/draft2020-12/validation.json"),
    ),
    (
        "https://json-schema.org/draft/2020-12/meta/meta-data",
        include_str!("metaschemas/draft2020-12/meta-data.json"),
    ),
    (
        "https://json-schema.org/draft/2020-12/meta/format-annotation",
        include_str!("metaschemas/draft2020-12/format-annotation.json"),
    ),
    (
        "https://json-schema.org/draft/2020-12/meta/format-assertion",
        include_str!("metaschemas/draft2020-12/format-assertion.json"),
    ),
    (
        "https://json-schema.org/draft/2020-12/meta/content",
        include_str!("metaschemas/draft2020-12/content.json"),
    ),
    ("https://json-schema.org/v1", include_str!("metaschemas/v1.json")),
];

static PARSED: LazyLock<Vec<(&'static str, Value)>> = LazyLock::new(|| {
    // A document that did not parse would be missing, and a reference to it refused: a test holds that none is.
    DOCUMENTS.iter().filter_map(|(uri, text)| Some((*uri, serde_json::from_str(text).ok()?))).collect()
});

/// The metaschema at `uri`.
pub(crate) fn document(uri: &str) -> Option<&'static Value> {
    PARSED.iter().find(|(known, _)| *known == uri).map(|(_, document)| document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_parses_and_names_itself() {
        for (uri, _) in DOCUMENTS {
            let found = document(uri).unwrap();
            let id = found.get("$id").or(found.get("id")).and_then(Value::as_str).unwrap();
            assert_eq!(id.trim_end_matches('#'), *uri);
        }
        assert!(document("https://json-schema.org/draft/2020-12/other").is_none());
    }
}
