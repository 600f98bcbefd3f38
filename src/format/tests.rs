//! The official suite's format cases, our own (`corpus/formats`), and texts of a megabyte that must cost a
//! scan.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::Value;

use super::{Concern, Format, Names};
use crate::limits::{Meter, STEPS};
use crate::value::{Instance, View};

fn accepts_text(format: Format, text: &str) -> bool {
    format.accepts_text(text, &mut Meter::new(STEPS)) == Ok(true)
}

/// Whether `instance` respects the format, as the engine asks it.
fn accepts(format: Format, instance: &Value) -> bool {
    match instance.view() {
        View::String(text) => accepts_text(format, text),
        View::Number(number) => format.accepts_number(number),
        View::Null | View::Boolean(_) | View::Array(_) | View::Object(_) => true,
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The JSON files of a folder, in order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

/// Where each dialect's cases lie in the suite, and how many at least.
const SUITE: [(&str, Names, usize); 7] = [
    ("draft3/optional/format", Names::Draft3, 100),
    ("draft4/optional/format", Names::Draft4To201909, 200),
    ("draft6/optional/format", Names::Draft4To201909, 250),
    ("draft7/optional/format", Names::Draft4To201909, 500),
    ("draft2019-09/optional/format", Names::Draft4To201909, 600),
    ("draft2020-12/optional/format", Names::From202012, 600),
    ("v1/format", Names::From202012, 600),
];

#[test]
fn official_suite() {
    let root = std::env::var_os("JSON_SCHEMA_TEST_SUITE").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/json-schema-test-suite"),
        PathBuf::from,
    );
    if !root.is_dir() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "the suite is absent: {}", root.display());
        eprintln!("skipped: the suite is absent: {}", root.display());
        return;
    }
    let mut wrong = Vec::new();
    for (folder, names, least) in SUITE {
        let mut cases = 0;
        for file in files_in(&root.join("tests").join(folder)) {
            for group in read(&file).as_array().unwrap() {
                let name = group["schema"]["format"].as_str().unwrap();
                for case in group["tests"].as_array().unwrap() {
                    cases += 1;
                    let expected = case["valid"].as_bool().unwrap();
                    // What an unknown format does is the caller's to say; the suite wants it ignored.
                    let got =
                        Format::from_name(name, names).is_none_or(|format| accepts(format, &case["data"]));
                    if got != expected {
                        wrong.push(format!("{folder} {name}: {} ({})", case["data"], case["description"]));
                    }
                    assert_eq!(Format::from_name(name, names).is_none(), name == "unknown", "{name}");
                }
            }
        }
        assert!(cases >= least, "{folder} has only {cases} cases");
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A case of the corpus: a value, or `{"text": [..]}` whose items are joined, each a text or `[text, times]`.
fn spell(case: &Value) -> Value {
    let Some(pieces) = case.get("text") else { return case.clone() };
    let spelled: String = pieces
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| match piece {
            Value::String(text) => text.clone(),
            _ => piece[0].as_str().unwrap().repeat(usize::try_from(piece[1].as_u64().unwrap()).unwrap()),
        })
        .collect();
    Value::String(spelled)
}

#[test]
fn corpus() {
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for file in files_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/formats")) {
        let cases = read(&file);
        let names = match cases.get("names").map(|names| names.as_str().unwrap()) {
            None | Some("2020-12") => Names::From202012,
            Some("2019-09") => Names::Draft4To201909,
            Some("draft3") => Names::Draft3,
            Some(other) => panic!("{}: names {other}", file.display()),
        };
        let format = Format::from_name(cases["format"].as_str().unwrap(), names).unwrap();
        seen.push(format);
        for (key, expected) in [("valid", true), ("invalid", false)] {
            for case in cases[key].as_array().unwrap() {
                let concerns = match format.concerns() {
                    Concern::Text => spell(case).is_string(),
                    Concern::Number => case.is_number(),
                };
                assert!(concerns, "{}: {case} says nothing", file.display());
                if accepts(format, &spell(case)) != expected {
                    wrong.push(format!("{}: {case} is {key}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let missing: Vec<_> = Format::ALL.into_iter().filter(|format| !seen.contains(format)).collect();
    assert!(missing.is_empty(), "no cases for {missing:?}");
}

#[test]
fn a_name_means_one_format_in_each_dialect() {
    for names in [Names::Draft3, Names::Draft4To201909, Names::From202012] {
        for format in Format::ALL {
            let found = Format::from_name(format.name(), names);
            assert!(found.is_none_or(|found| found.name() == format.name()));
            assert_eq!(found == Some(format), format.is_among(names), "{format:?} {names:?}");
        }
    }
    assert_eq!(Format::from_name("time", Names::Draft3), Some(Format::LocalTime));
    assert_eq!(Format::from_name("time", Names::From202012), Some(Format::Time));
    assert_eq!(Format::from_name("color", Names::Draft4To201909), None);
    for unknown in ["", "Date", "date ", "json", "css"] {
        assert_eq!(Format::from_name(unknown, Names::Draft3), None, "{unknown}");
    }
}

#[test]
fn every_format_is_listed_once() {
    for (place, format) in Format::ALL.iter().enumerate() {
        assert!(!Format::ALL[..place].contains(format), "{format:?}");
    }
}

#[test]
fn a_format_leaves_the_other_type_alone() {
    for format in Format::ALL {
        match format.concerns() {
            Concern::Text => assert!(accepts(format, &Value::from(-1.5))),
            Concern::Number => assert!(accepts(format, &Value::from("no number"))),
        }
    }
}

/// Bytes of a hostile text. Work that grows with the square of it would take minutes.
const HOSTILE: usize = 1 << 20;

#[test]
fn a_megabyte_of_anything_costs_a_scan() {
    let heads = ["", "a@", "\"", "a://", "//[", "{a", "P", "/", "xn--", "1", "rgb("];
    let bodies = [
        ".",
        "@",
        "%",
        "{",
        "}",
        "/",
        "~",
        "~0",
        ":",
        "::",
        "0",
        "9",
        "1Y",
        "a",
        "a.",
        "a,",
        "-",
        "[",
        "]",
        "\\",
        "\\\\",
        "\"",
        "%41",
        "xn--",
        "xn--a.",
        "1:",
        "{a}",
        "\u{300}",
        "\u{301}\u{327}",
        "\u{200D}",
        "\u{94D}\u{200C}",
        "א",
        "א.",
        "ü",
        "ü。",
        "\u{3002}",
        "\u{30FB}",
        "\u{660}",
        "한",
        "😀",
        "\0",
        "\n",
        " ",
        "+",
        "#",
        "?",
        "(",
        "T",
        "Z",
    ];
    // What a pattern costs to read is bounded, and tested, where patterns are read.
    let formats = Format::ALL.into_iter().filter(|&format| format != Format::Regex);
    for head in heads {
        for body in bodies {
            let text = format!("{head}{}", body.repeat(HOSTILE / body.len()));
            for format in formats.clone() {
                std::hint::black_box(accepts_text(format, &text));
            }
        }
    }
}

#[test]
fn a_megabyte_may_well_be_valid() {
    let long = |body: &str| body.repeat(HOSTILE / body.len());
    let date_time = format!("2020-02-29T23:59:59.{}Z", long("9"));
    let iri = format!("tag:{}?{}", long("ü%41"), long("\u{E000}"));
    for (format, text) in [
        (Format::DateTime, date_time.clone()),
        (Format::Duration, format!("P{}D", long("9"))),
        (Format::Uri, format!("a://{}@{}:{}/{}", long(":"), long("%41"), long("1"), long("/"))),
        (Format::Iri, iri.clone()),
        (Format::UriTemplate, long("{+a.b*,c%41:12}ü")),
        (Format::JsonPointer, long("/~0")),
        (Format::RelativeJsonPointer, long("1")),
    ] {
        assert!(accepts_text(format, &text), "{format:?}");
    }
    assert!(!accepts_text(Format::DateTime, &(date_time + "Z")));
    assert!(!accepts_text(Format::Uri, &iri));
}

/// Much that is nearly an IPv6 address.
const IPV6_LIKE: &str = concat!(
    "[0-9a-f:.]{0,12}|",
    r"([0-9a-f]{0,4}:){0,8}(:[0-9a-f]{1,4}){0,8}(:?[0-9]{1,3}(\.[0-9]{1,3}){3})?",
);

/// Any text, or one of what the grammars care for.
const TEXT: &str = concat!(
    r"\PC{0,40}|",
    r"[-.:/@%{}\[\]~#0-9a-zA-Z\u{B7}\u{375}\u{5D0}\u{627}\u{300}\u{200C}\u{3002}]{0,40}|",
    "xn--[-0-9a-zA-Z]{0,60}",
);

proptest! {
    #[test]
    fn ipv6_agrees_with_the_standard_library(text in IPV6_LIKE) {
        prop_assert_eq!(accepts_text(Format::Ipv6, &text), text.parse::<std::net::Ipv6Addr>().is_ok());
    }

    #[test]
    fn no_text_makes_a_format_panic(text in TEXT) {
        for format in Format::ALL {
            accepts_text(format, &text);
        }
    }
}
