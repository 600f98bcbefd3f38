//! Patterns against another ECMA-262 engine, by the public door.
//!
//! In: a pattern, a zero byte, and a text. Out: a crash where both engines take the pattern and answer differently.
//! Which patterns are taken may differ where the crate says so; what is not known within the limits is no answer.

#![no_main]

use std::fmt;

use libfuzzer_sys::fuzz_target;
use portcullis::{Limits, Validator};
use portcullis_fuzz::{Case, Input};
use serde_json::{Value, json};

/// The other engine has no limit: short texts, and no large counts.
const TEXT: usize = 24;
const PATTERN: usize = 64;

/// A pattern, and a text to find it in.
struct Searched {
    pattern: String,
    text: String,
}

impl Case for Searched {
    fn read(bytes: &[u8]) -> Option<Self> {
        let all = std::str::from_utf8(bytes).ok()?;
        let (pattern, text) = all.split_once('\0').unwrap_or((all, "aA1-é"));
        let is_small = text.len() <= TEXT && pattern.len() <= PATTERN && !has_large_count(pattern);
        is_small.then(|| Searched { pattern: pattern.to_owned(), text: text.to_owned() })
    }
}

impl fmt::Debug for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Searched { pattern, text } = self;
        writeln!(f, "let validator = Validator::new(&json!({{\"pattern\": {pattern:?}}})).unwrap();")?;
        writeln!(f, "let theirs = regress::Regex::with_flags({pattern:?}, \"u\").unwrap();")?;
        writeln!(f, "assert_eq!(")?;
        writeln!(f, "    validator.is_valid(&json!({text:?})),")?;
        writeln!(
            f,
            "    regress::backends::find::<regress::backends::PikeVMExecutor<'_, '_>>(&theirs, {text:?}, 0).next().is_some()"
        )?;
        writeln!(f, ");")
    }
}

fn has_large_count(pattern: &str) -> bool {
    pattern.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit))
}

fuzz_target!(|input: Input<Searched>| {
    let Input(Searched { pattern, text }) = &input;
    let limits = Limits::default().steps(2_000_000).pattern_bytes(1 << 16);
    let Ok(validator) = Validator::options().limits(limits).build(&json!({"pattern": pattern})) else {
        return;
    };
    let instance = Value::from(text.as_str());
    let checked = validator.check(&instance);
    assert_eq!(checked.is_ok(), validator.is_valid(&instance));
    let matches = match &checked {
        Ok(()) => true,
        Err(refusal) if refusal.message().contains("could not be checked") => return,
        Err(_) => false,
    };
    let Ok(theirs) = regress::Regex::with_flags(pattern, "u") else { return };
    // Its other executor loses matches.
    let found = regress::backends::find::<regress::backends::PikeVMExecutor<'_, '_>>(&theirs, text, 0).next();
    assert_eq!(matches, found.is_some(), "{pattern:?} on {text:?}");
});
