//! Bytes as JSON text: ours is what `serde_json` reads, value for value, but for the exceptions that the docs list.
//!
//! In: bytes. Out: a crash where one reader takes what the other does not, or another value; or where a place of a fault lies
//! outside the bytes.

#![no_main]

use std::fmt;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use portcullis::{DuplicateKeys, SliceErrorKind, Validator};
use portcullis_fuzz::{Case, Input};
use serde_json::Value;

struct Text(Vec<u8>);

impl Case for Text {
    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Text(bytes.to_vec()))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "let text = b\"{}\";", self.0.escape_ascii())?;
        writeln!(f, "let ours = Validator::new(&Value::Bool(true)).unwrap().read_slice(text);")?;
        writeln!(f, "assert_eq!(ours.ok(), serde_json::from_slice::<Value>(text).ok());")
    }
}

fn anything(duplicates: DuplicateKeys) -> Validator {
    Validator::options().duplicate_keys(duplicates).build(&Value::Bool(true)).expect("the simplest schema")
}

fuzz_target!(|input: Input<Text>| {
    static VALIDATORS: OnceLock<[Validator; 2]> = OnceLock::new();
    let [last, refuse] =
        VALIDATORS.get_or_init(|| [DuplicateKeys::LastWins, DuplicateKeys::Refuse].map(anything));
    let Input(Text(text)) = input;
    let theirs = serde_json::from_slice::<Value>(&text);
    match (last.read_slice(&text), theirs) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
        (Ok(_), Err(error)) => {
            // A number that it cannot hold stops its reader also where a later member overrides it.
            let is_repeated =
                || refuse.check_slice(&text).is_err_and(|error| error.kind() == SliceErrorKind::DuplicateKey);
            let error = error.to_string();
            let is_range = error.contains("number out of range");
            assert!(error.contains("recursion limit") || (is_range && is_repeated()), "{error}");
        }
        (Err(ours), Ok(_)) => panic!("{ours}"),
        (Err(ours), Err(theirs)) => {
            let is_range = theirs.to_string().contains("number out of range");
            assert!(ours.kind() != SliceErrorKind::Unrepresentable || is_range, "{ours}, {theirs}");
        }
    }
    for validator in [last, refuse] {
        let Err(error) = validator.check_slice(&text) else { continue };
        let (line, column, offset) = (error.line(), error.column(), error.offset());
        let offset = offset.expect("nothing is refused");
        assert!(offset <= text.len());
        let before = &text[..offset];
        assert_eq!(line, Some(1 + before.iter().filter(|byte| **byte == b'\n').count()));
        assert_eq!(column, Some(1 + before.iter().rev().take_while(|byte| **byte != b'\n').count()));
        assert!(error.to_string().len() <= 512 && !error.to_string().chars().any(char::is_control));
    }
});
