//! Patterns against another ECMA-262 engine, by the public door.
//!
//! In: a pattern, a zero byte, and a text. Out: a crash where both engines take the pattern and answer differently.
//! Which patterns are taken may differ where the crate says so; what is not known within the limits is no answer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis::{Limits, Validator};
use serde_json::{Value, json};

/// The other engine has no limit: short texts, and no large counts.
const TEXT: usize = 24;
const PATTERN: usize = 64;

fn has_large_count(pattern: &str) -> bool {
    pattern.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit))
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(all) = std::str::from_utf8(bytes) else { return };
    let (pattern, text) = all.split_once('\0').unwrap_or((all, "aA1-é"));
    if text.len() > TEXT || pattern.len() > PATTERN || has_large_count(pattern) {
        return;
    }
    let limits = Limits::default().steps(2_000_000).pattern_bytes(1 << 16);
    let Ok(validator) = Validator::options().limits(limits).build(&json!({"pattern": pattern})) else {
        return;
    };
    let text = Value::from(text);
    let checked = validator.check(&text);
    assert_eq!(checked.is_ok(), validator.is_valid(&text));
    let matches = match &checked {
        Ok(()) => true,
        Err(refusal) if refusal.message().contains("could not be checked") => return,
        Err(_) => false,
    };
    let Ok(theirs) = regress::Regex::with_flags(pattern, "u") else { return };
    let text = text.as_str().unwrap_or_default();
    // Its other executor loses matches.
    let found = regress::backends::find::<regress::backends::PikeVMExecutor<'_, '_>>(&theirs, text, 0).next();
    assert_eq!(matches, found.is_some(), "{pattern:?} on {text:?}");
});
