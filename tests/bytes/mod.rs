//! The doors for bytes beside those for values: the one place where the two are held to each other.
//!
//! In: a validator and a value. Out: every point on which the bytes that spell the value are judged otherwise than the
//! value itself. Linear in the value.

use std::io::{self, Write};

use portcullis::{SliceErrorKind, Validator};
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// Values that are also read, which copies them, have at most so many bytes of text.
const READ: usize = 64 << 10;

/// Spells floats as the engine takes them to have been spelled, which tells integers in drafts 3 and 4: those past 64 bits
/// without an exponent, and a negative zero without a point.
struct Plain;

impl Formatter for Plain {
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, float: f64) -> io::Result<()> {
        if float == 0.0 && float.is_sign_negative() {
            return writer.write_all(b"-0");
        }
        if float.fract() != 0.0 || float.abs() < 1e18 {
            return CompactFormatter.write_f64(writer, float);
        }
        // The shortest digits, and as many zeros as its exponent asks for.
        let spelled = format!("{float:e}");
        let (digits, exponent) = spelled.split_once('e').unwrap_or((&spelled, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let zeros = exponent.parse::<usize>().unwrap_or(0).saturating_sub(fraction.len());
        writer.write_all(format!("{whole}{fraction}{}", "0".repeat(zeros)).as_bytes())
    }
}

/// What the doors for bytes do otherwise than those for values; empty where they agree.
pub(crate) fn differences(validator: &Validator, value: &Value) -> Vec<String> {
    let mut bytes = Vec::new();
    if value.serialize(&mut Serializer::with_formatter(&mut bytes, Plain)).is_err() {
        return vec!["it cannot be spelled".to_owned()];
    }
    // Without its feature `float_roundtrip`, serde_json may read another float than the one that was written.
    if serde_json::from_slice::<Value>(&bytes).is_ok_and(|read| read != *value) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let valid = validator.is_valid(value);
    match validator.is_valid_slice(&bytes) {
        Ok(got) if got == valid => {}
        got => found.push(format!("is_valid_slice: {got:?} instead of {valid}")),
    }
    let refusal = validator.check(value).err();
    match (validator.check_slice(&bytes), &refusal) {
        (Ok(()), None) => {}
        (Err(error), Some(refusal)) if error.refusal() == Some(refusal) => {}
        (got, wanted) => found.push(format!("check_slice: {got:?} instead of {wanted:?}")),
    }
    if bytes.len() > READ {
        return found;
    }
    match (validator.read_slice(&bytes), validator.read(value.clone())) {
        (Ok(got), Ok(wanted)) if got == wanted => {}
        (Err(error), Err(refusal))
            if error.kind() == SliceErrorKind::Refused && error.refusal() == Some(&refusal) => {}
        (got, wanted) => found.push(format!("read_slice: {got:?} instead of {wanted:?}")),
    }
    found
}
