//! The tape against `serde_json`, which reads the same texts into values; and each limit from both sides.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::keys::{FEW, SOME};
use super::*;
use crate::value::{Array, Instance, Object, View};

fn read(text: &str) -> Result<Value, Fault> {
    read_within(text, &Limits::default(), DuplicateKeys::LastWins)
}

fn read_within(text: &str, limits: &Limits, duplicates: DuplicateKeys) -> Result<Value, Fault> {
    let mut tape = Tape::default();
    let document = tape.read(text.as_bytes(), limits, duplicates)?;
    to_value(document.root(), &HashSet::new())
}

/// What both readers say of a text: the same value, or both that it is none. Where only one takes it, why.
fn compared(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut tape = Tape::default();
    let ours = tape
        .read(bytes, &Limits::default(), DuplicateKeys::LastWins)
        .and_then(|document| to_value(document.root(), &HashSet::new()));
    let theirs = serde_json::from_slice::<Value>(bytes);
    let text = String::from_utf8_lossy(bytes);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs, "{}", text),
        (Err(fault), Err(error)) => {
            let range = error.to_string().contains("number out of range");
            let is_unrepresentable = fault.what == What::Unrepresentable;
            // A fault further on hides that a number was too large before it.
            prop_assert!(range || !is_unrepresentable, "{} {:?} {}", text, fault, error);
            prop_assert!(fault.offset <= bytes.len());
        }
        (Err(fault), Ok(_)) => prop_assert!(false, "{}: {:?}", text, fault),
        (Ok(_), Err(error)) => {
            // A number that it cannot hold stops its reader also where a later member overrides it.
            let refused = tape.read(bytes, &Limits::default(), DuplicateKeys::Refuse).err();
            let is_repeated = refused.is_some_and(|fault| fault.what == What::DuplicateKey);
            let error = error.to_string();
            let is_range = error.contains("number out of range");
            prop_assert!(
                error.contains("recursion limit") || (is_range && is_repeated),
                "{}: {}",
                text,
                error
            );
        }
    }
    Ok(())
}

/// Pieces of JSON, and of what is nearly JSON.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"a\"",
    "\"b\"",
    "\"\"",
    "\"a\":",
    "1",
    "0",
    "-",
    "-0",
    "01",
    "1.",
    ".5",
    "1e5",
    "1E+400",
    "-1.25e-3",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "true",
    "tru",
    "false",
    "null",
    "nul",
    " ",
    "\n",
    "\t",
    "\r",
    "\u{b}",
    "\u{a0}",
    "\"\\n\\u0041\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\ude00\"",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\t\"",
    "\"é€😀\"",
    "\"",
    "\\",
    "\u{feff}",
    "[1,2]",
    "{\"a\":1,\"a\":2}",
    "{\"\\u0061\":[],\"a\":{}}",
    "\"long enough for two words\"",
    "/*",
    "NaN",
    "+1",
    "'a'",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn reads_what_serde_json_reads_of_pieces(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..12)) {
        compared(pieces.concat().as_bytes())?;
    }

    #[test]
    fn reads_what_serde_json_reads_of_changed_documents(
        value in values(),
        pretty in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let mut bytes = text.unwrap().into_bytes();
        compared(&bytes)?;
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        compared(&bytes)?;
        bytes.truncate(bytes.len() / 2);
        compared(&bytes)?;
    }

    #[test]
    fn members_and_items_are_found_as_in_a_value(value in values()) {
        let text = serde_json::to_string(&value).unwrap();
        let mut tape = Tape::default();
        let document = tape.read(text.as_bytes(), &Limits::default(), DuplicateKeys::Refuse).unwrap();
        same(document.root(), &value)?;
    }
}

/// Each child, by its name or its index.
fn same(tape: TapeValue<'_>, value: &Value) -> Result<(), TestCaseError> {
    let built = tape.to_value();
    prop_assert_eq!(built.as_deref(), Some(value));
    match (tape.view(), value) {
        (View::Array(items), Value::Array(wanted)) => {
            prop_assert_eq!(items.len(), wanted.len());
            prop_assert!(items.get(wanted.len()).is_none());
            for (index, wanted) in wanted.iter().enumerate() {
                same(items.get(index).unwrap(), wanted)?;
            }
        }
        (View::Object(members), Value::Object(wanted)) => {
            prop_assert_eq!(members.len(), wanted.len());
            prop_assert!(members.get("no such key").is_none());
            for (key, wanted) in wanted {
                let (found, member) = members.get_entry(key).unwrap();
                prop_assert_eq!(found, key.as_str());
                same(member, wanted)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn values() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[a-z]{0,3}", "\\PC{0,20}", "[\u{0}-\u{20}\"\\\\]{1,4}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-100_i64..100).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1000_i32..1000).prop_map(|eighth| Value::from(f64::from(eighth) / 8.0)),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 60, 30, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..30).prop_map(Value::from),
            proptest::collection::vec((text.clone(), inner), 0..30)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

#[test]
fn a_fault_names_its_byte() {
    for (text, offset, syntax) in [
        ("", 0, Syntax::End),
        ("  ", 2, Syntax::End),
        ("[1,]", 3, Syntax::Value),
        ("[1 2]", 3, Syntax::CommaOrBracket),
        ("[1", 2, Syntax::End),
        ("{\"a\" 1}", 5, Syntax::Colon),
        ("{\"a\":1 \"b\":2}", 7, Syntax::CommaOrBrace),
        ("{\"a\":1,}", 7, Syntax::Key),
        ("{1:2}", 1, Syntax::Key),
        ("[1}", 2, Syntax::CommaOrBracket),
        ("1 1", 2, Syntax::Trailing),
        ("1\u{0}", 1, Syntax::Trailing),
        ("-", 1, Syntax::End),
        ("-x", 1, Syntax::Digit),
        ("1.", 2, Syntax::End),
        ("[1.]", 3, Syntax::Digit),
        ("1e+", 3, Syntax::End),
        ("[00]", 1, Syntax::LeadingZero),
        ("-012", 1, Syntax::LeadingZero),
        ("nul", 3, Syntax::End),
        ("nulL", 0, Syntax::Value),
        ("\"a\nb\"", 2, Syntax::Control),
        ("\"a", 2, Syntax::End),
        ("\"\\", 2, Syntax::End),
        ("\"\\q\"", 1, Syntax::Escape),
        ("\"\\u12g4\"", 1, Syntax::Escape),
        ("\"\\ud800\"", 1, Syntax::Surrogate),
        ("\"\\ud800\\n\"", 1, Syntax::Surrogate),
        ("\"\\ud800\\ud800\"", 1, Syntax::Surrogate),
        ("\"\\udc00\\udc00\"", 1, Syntax::Surrogate),
        ("\"\\ud800", 7, Syntax::End),
        ("\u{feff}1", 0, Syntax::ByteOrderMark),
    ] {
        assert_eq!(read(text), Err(Fault { offset, what: What::Syntax(syntax) }), "{text:?}");
    }
    let mut tape = Tape::default();
    for (bytes, offset) in [(&b"\"a\xff\""[..], 2), (b"[1, \xc3]", 4), (b"{\"\xe2\x82\":1}", 2)] {
        let fault = tape.read(bytes, &Limits::default(), DuplicateKeys::LastWins).unwrap_err();
        assert_eq!(fault, Fault { offset, what: What::Syntax(Syntax::Utf8) });
    }
    let fault = Fault { offset: 8, what: What::Syntax(Syntax::Value) };
    assert_eq!(fault.line_and_column(b"[\n 1,\n  x]"), (3, 3));
}

#[test]
fn each_limit_stops_where_it_says() {
    let depth = Limits::default().depth(3);
    assert!(read_within("[[1],[[]]]", &depth, DuplicateKeys::LastWins).is_ok());
    for (text, offset) in [("[[[1]]]", 2), ("[1,{\"a\":[[]]}]", 8)] {
        let wanted = Fault { offset, what: What::Limit(Excess::Depth(3)) };
        assert_eq!(read_within(text, &depth, DuplicateKeys::LastWins), Err(wanted));
    }
    let values = Limits::default().instance_values(4);
    assert!(read_within("[1,2,3]", &values, DuplicateKeys::LastWins).is_ok());
    assert!(read_within("{\"a\":[0]}", &values, DuplicateKeys::LastWins).is_ok());
    for (text, offset) in [("[1,2,3,4]", 7), ("{\"a\":0,\"b\":0}", 11), ("[[],[],[],[]]", 10)] {
        let wanted = Fault { offset, what: What::Limit(Excess::Values(4)) };
        assert_eq!(read_within(text, &values, DuplicateKeys::LastWins), Err(wanted));
    }
    let key = Limits::default().key_bytes(3);
    assert!(read_within("{\"abc\":\"abcd\",\"\\u0061bc\":1}", &key, DuplicateKeys::LastWins).is_ok());
    for (text, offset) in [("{\"abcd\":1}", 1), ("{\"a\":1, \"\\u0061bcd\":1}", 8)] {
        let wanted = Fault { offset, what: What::Limit(Excess::Key(3)) };
        assert_eq!(read_within(text, &key, DuplicateKeys::LastWins), Err(wanted));
    }
    let bytes = Limits::default().instance_bytes(5);
    assert!(read_within("[1,2]", &bytes, DuplicateKeys::LastWins).is_ok());
    let wanted = Fault { offset: 5, what: What::Limit(Excess::Bytes(5)) };
    assert_eq!(read_within("[1,23]", &bytes, DuplicateKeys::LastWins), Err(wanted));
}

/// An object of `count` members, of which `twice` has the key of the one at `first`, spelled by `spell`.
fn repeating(count: usize, first: usize, twice: usize, spell: impl Fn(usize) -> String) -> String {
    let members = (0..count).map(|index| {
        let key = if index == twice { spell(first) } else { format!("key number {index}") };
        format!("\"{key}\":[{index}]")
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

#[test]
fn the_last_of_equal_keys_wins_or_refuses() {
    let plain = |index: usize| format!("key number {index}");
    let escaped = |index: usize| format!("\\u006bey number {index}");
    for count in [2, 3, FEW, FEW + 1, 3 * FEW, SOME, SOME + 1, 1_000] {
        for (first, twice) in [(0, 1), (0, count - 1), (count / 2, count - 1)] {
            if first == twice {
                continue;
            }
            for text in [repeating(count, first, twice, plain), repeating(count, first, twice, escaped)] {
                let wanted: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(read(&text), Ok(wanted.clone()), "{text}");
                let mut tape = Tape::default();
                let document =
                    tape.read(text.as_bytes(), &Limits::default(), DuplicateKeys::LastWins).unwrap();
                same(document.root(), &wanted).unwrap();

                let fault = read_within(&text, &Limits::default(), DuplicateKeys::Refuse).unwrap_err();
                let member = format!(":[{twice}]");
                assert_eq!(fault.what, What::DuplicateKey);
                let key = &text[fault.offset..text.find(&member).unwrap()];
                let key: String = serde_json::from_str(key).unwrap();
                assert_eq!(key, plain(first), "{text}");
            }
        }
        let distinct = repeating(count, count, count, plain);
        assert!(read_within(&distinct, &Limits::default(), DuplicateKeys::Refuse).is_ok());
    }
    // Three of them, and the first repetition is named.
    let text = "{\"a\":1,\"b\":2,\"a\":3,\"b\":4,\"a\":5}";
    assert_eq!(read(text), Ok(json!({"a": 5, "b": 4})));
    let fault = read_within(text, &Limits::default(), DuplicateKeys::Refuse).unwrap_err();
    assert_eq!(fault, Fault { offset: 13, what: What::DuplicateKey });
}

#[test]
fn keys_of_one_hash_are_told_apart() {
    // The hash takes the length, the first eight bytes and the last.
    let key = |index: usize| format!("the same {index:06} the same");
    for count in [FEW, 2 * FEW, SOME + 1, 2_000] {
        let members: Vec<_> = (0..count).map(|index| format!("\"{}\":{index}", key(index))).collect();
        let text = format!("{{{}}}", members.join(","));
        let mut tape = Tape::default();
        let document = tape.read(text.as_bytes(), &Limits::default(), DuplicateKeys::Refuse).unwrap();
        let View::Object(object) = document.root().view() else { panic!("an object") };
        for index in 0..count {
            assert_eq!(object.get(&key(index)).and_then(Instance::held_integer), Some(index as i64));
        }
        assert!(object.get(&key(count)).is_none());
    }
}

#[test]
fn numbers_are_exact_and_handed_on_as_serde_json_reads_them() {
    for text in ["0", "-1", "18446744073709551615", "-9223372036854775808", "1.5", "1e2", "-0.0", "1E-7"] {
        assert_eq!(read(text), Ok(serde_json::from_str(text).unwrap()), "{text}");
    }
    let long = "9".repeat(300);
    assert_eq!(read(&long), Ok(serde_json::from_str(&long).unwrap()));
    let mut tape = Tape::default();
    let document = tape.read(long.as_bytes(), &Limits::default(), DuplicateKeys::LastWins).unwrap();
    assert!(matches!(document.root().view(), View::Number(number) if number.text_len() == 300));
    #[cfg(not(feature = "arbitrary_precision"))]
    if serde_json::from_str::<Value>("1e400").is_err() {
        assert_eq!(read("[1, 1e400]"), Err(Fault { offset: 4, what: What::Unrepresentable }));
    }
}

#[test]
fn private_keys_of_serde_json_are_ordinary_ones() {
    let text = "{\"$serde_json::private::Number\":\"1\"}";
    let value = read(text).unwrap();
    assert_eq!(value.as_object().map(Map::len), Some(1));
    assert_eq!(value["$serde_json::private::Number"], json!("1"));
}

#[test]
fn a_tape_is_at_most_nine_times_its_text() {
    for (text, count) in [
        ("1,", 20_000),
        ("[],", 20_000),
        ("\"\",", 20_000),
        ("{\"\":1},", 20_000),
        ("[1],", 20_000),
        ("[1,1],", 20_000),
    ] {
        let text = format!("[{}1]", text.repeat(count));
        let mut tape = Tape::default();
        let count = tape.read(text.as_bytes(), &Limits::default(), DuplicateKeys::Refuse).unwrap().len();
        let used = count * size_of::<Token>() + tape.aside.index.len() * size_of::<u32>();
        assert!(used <= 9 * text.len() + 64, "{used} for {}", text.len());
        // A vector that grows holds at most twice what it needs.
        assert!(tape.memory_usage() <= 18 * text.len() + 64, "{} for {}", tape.memory_usage(), text.len());
    }
}

#[test]
fn a_million_brackets_are_refused_at_once() {
    for piece in ["[", "{\"\":", "[{\"a\":"] {
        let text = piece.repeat(1_000_000);
        let mut tape = Tape::default();
        let fault = tape.read(text.as_bytes(), &Limits::default(), DuplicateKeys::Refuse).unwrap_err();
        assert!(matches!(fault.what, What::Limit(Excess::Depth(_))));
        assert!(tape.memory_usage() < 64 << 10);
    }
}

#[test]
fn a_number_that_is_overridden_is_not_built() {
    let text = r#"{"a": 1e777, "b": [], "a": 1}"#;
    assert_eq!(read(text), Ok(json!({"a": 1, "b": []})));
    compared(text.as_bytes()).unwrap();
}
