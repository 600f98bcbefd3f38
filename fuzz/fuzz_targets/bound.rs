//! Hostile bytes, texts and values in everything that is quoted: each form keeps its bound, and a line is a line.
//!
//! In: bytes. Out: a crash where a form is longer than its bound, keeps what it must scrub, or changes a value that
//! is within the bound.

#![no_main]

use std::fmt;

use libfuzzer_sys::fuzz_target;
use portcullis::bound::{self, BOUND, LISTED};
use portcullis_fuzz::{Case, Input};
use serde_json::Value;

/// What `…` adds.
const MARK: usize = '…'.len_utf8();

/// A consumer's own `Debug` and `Display` that write piece by piece.
struct Pieces<'a>(&'a str);

impl fmt::Debug for Pieces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.split_inclusive('a').try_for_each(|piece| f.write_str(piece))
    }
}

impl fmt::Display for Pieces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What is quoted.
struct Quoted(Vec<u8>);

impl Case for Quoted {
    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Quoted(bytes.to_vec()))
    }
}

impl fmt::Debug for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "let bytes = b\"{}\";", self.0.escape_ascii())?;
        writeln!(f, "let text = String::from_utf8_lossy(bytes);")?;
        writeln!(f, "println!(\"{{}}\\n{{}}\", bound::render_bytes(bytes), bound::echo_bytes(bytes));")?;
        writeln!(f, "println!(\"{{}}\\n{{}}\", bound::render_str(&text), bound::echo_str(&text));")?;
        writeln!(f, "if let Ok(value) = serde_json::from_slice(bytes) {{")?;
        writeln!(f, "    println!(\"{{}}\\n{{}}\", bound::render(&value), bound::line(&value));")?;
        writeln!(f, "    println!(\"{{}}\", bound::echo(&value));")?;
        writeln!(f, "}}")
    }
}

fn is_scrubbed(text: &str) -> bool {
    text.chars().all(|c| {
        !c.is_control()
            && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}')
            && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

fn holds_line(text: &str) {
    assert!(text.len() <= BOUND + MARK, "{} bytes", text.len());
    assert!(is_scrubbed(text), "{text:?}");
}

fuzz_target!(|input: Input<Quoted>| {
    let Input(Quoted(bytes)) = &input;
    holds_line(&bound::render_bytes(bytes));
    assert!(bound::echo_bytes(bytes).len() <= BOUND + MARK);
    let text = String::from_utf8_lossy(bytes);
    holds_line(&bound::render_str(&text));
    holds_line(&bound::render_debug(&Pieces(&text)));
    holds_line(&bound::render_display(&Pieces(&text)));
    assert!(is_scrubbed(&bound::scrub(&text)));
    let echoed = bound::echo_str(&text);
    assert!(echoed.len() <= BOUND + MARK);
    if text.len() <= BOUND {
        assert_eq!(echoed, text);
    }
    let words = bound::first(text.split(' '));
    assert_eq!(words.count(), text.split(' ').count());
    assert!(words.items().len() <= LISTED && words.items().is_sorted());
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    holds_line(&bound::render(&value));
    if let Value::String(line) = bound::line(&value) {
        holds_line(&line);
    }
    match (&value, bound::echo(&value)) {
        (_, Value::String(echoed)) => assert!(echoed.len() <= BOUND + MARK),
        (Value::Null | Value::Bool(_) | Value::Number(_), echoed) => assert_eq!(value, echoed),
        (_, echoed) => panic!("{echoed}"),
    }
});
