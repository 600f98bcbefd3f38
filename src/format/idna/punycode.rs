//! Punycode: RFC 3492.
//!
//! In: a label's code points, or what follows `xn--`. Out: the other one. Cost: quadratic in the label, which
//! has [`LONGEST_LABEL`] code points at most and is refused where it has more.

use super::{LONGEST_LABEL, PREFIX};

/// Bytes that may follow `xn--`.
const LONGEST_ENCODED: usize = LONGEST_LABEL - PREFIX.len();

// The parameters of section 5.
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 128;

/// The code points of a label.
#[derive(Debug)]
pub(super) struct Label {
    characters: [char; LONGEST_LABEL],
    length: usize,
}

impl Label {
    fn empty() -> Self {
        Label { characters: ['\0'; LONGEST_LABEL], length: 0 }
    }

    /// The label's code points, unless there are too many.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut label = Label::empty();
        for character in text.chars() {
            label.insert(label.length, character)?;
        }
        Some(label)
    }

    pub(super) fn characters(&self) -> &[char] {
        self.characters.get(..self.length).unwrap_or_default()
    }

    fn insert(&mut self, place: usize, character: char) -> Option<()> {
        let grown = self.length + 1;
        let tail = self.characters.get_mut(place..grown)?;
        tail.rotate_right(1);
        *tail.first_mut()? = character;
        self.length = grown;
        Some(())
    }
}

/// What follows `xn--`: ASCII.
#[derive(Debug)]
pub(super) struct Encoded {
    bytes: [u8; LONGEST_ENCODED],
    length: usize,
}

impl Encoded {
    /// As a text; only ASCII was put in.
    pub(super) fn as_str(&self) -> &str {
        self.bytes.get(..self.length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        *self.bytes.get_mut(self.length)? = byte;
        self.length += 1;
        Some(())
    }
}

/// Section 6.2. Capital letters are taken for small ones.
pub(super) fn decode(encoded: &str) -> Option<Label> {
    let (basic, digits) = encoded.rsplit_once('-').unwrap_or(("", encoded));
    if !encoded.is_ascii() {
        return None;
    }
    let mut label = Label::of(basic)?;
    label.characters.iter_mut().for_each(|character| character.make_ascii_lowercase());
    let mut n = INITIAL_N;
    let mut i: u32 = 0;
    let mut bias = INITIAL_BIAS;
    let mut digits = digits.bytes().peekable();
    while digits.peek().is_some() {
        let before = i;
        let mut weight: u32 = 1;
        let mut k = BASE;
        loop {
            let digit = digit_of(digits.next()?)?;
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = threshold(k, bias);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        let points = u32::try_from(label.length).ok()? + 1;
        bias = adapt(i - before, points, before == 0);
        n = n.checked_add(i / points)?;
        i %= points;
        label.insert(usize::try_from(i).ok()?, char::from_u32(n)?)?;
        i += 1;
    }
    Some(label)
}

/// Section 6.3. `None` if it gets longer than a label may be.
pub(super) fn encode(characters: &[char]) -> Option<Encoded> {
    let mut encoded = Encoded { bytes: [0; LONGEST_ENCODED], length: 0 };
    for character in characters.iter().filter(|character| character.is_ascii()) {
        encoded.push(u8::try_from(*character).ok()?)?;
    }
    let basic = u32::try_from(encoded.length).ok()?;
    if basic > 0 {
        encoded.push(b'-')?;
    }
    let mut n = INITIAL_N;
    let mut delta: u32 = 0;
    let mut bias = INITIAL_BIAS;
    let mut handled = basic;
    // Each round handles a code point at least.
    while let Some(next) =
        characters.iter().map(|&character| u32::from(character)).filter(|&point| point >= n).min()
    {
        delta = delta.checked_add((next - n).checked_mul(handled + 1)?)?;
        n = next;
        for point in characters.iter().map(|&character| u32::from(character)) {
            if point < n {
                delta = delta.checked_add(1)?;
            }
            if point == n {
                push_number(&mut encoded, delta, bias)?;
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.checked_add(1)?;
        n += 1;
    }
    Some(encoded)
}

/// A number of variable length (section 3.3).
fn push_number(encoded: &mut Encoded, number: u32, bias: u32) -> Option<()> {
    let mut rest = number;
    let mut k = BASE;
    loop {
        let threshold = threshold(k, bias);
        if rest < threshold {
            return encoded.push(byte_of(rest)?);
        }
        let span = BASE - threshold;
        encoded.push(byte_of(threshold + (rest - threshold) % span)?)?;
        rest = (rest - threshold) / span;
        k += BASE;
    }
}

fn threshold(k: u32, bias: u32) -> u32 {
    k.saturating_sub(bias).clamp(T_MIN, T_MAX)
}

/// Section 6.1. `points` is never 0.
fn adapt(delta: u32, points: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

fn digit_of(byte: u8) -> Option<u32> {
    // Letters come first here, and after the digits in `to_digit`.
    match byte {
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 26),
        _ => char::from(byte).to_digit(BASE).map(|digit| digit - 10),
    }
}

fn byte_of(digit: u32) -> Option<u8> {
    let digit = u8::try_from(digit).ok()?;
    match digit {
        0..26 => Some(b'a' + digit),
        26..36 => Some(b'0' + digit - 26),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str) -> Option<String> {
        Some(encode(Label::of(text)?.characters())?.as_str().to_owned())
    }

    fn decoded(text: &str) -> Option<String> {
        Some(decode(text)?.characters().iter().collect())
    }

    #[test]
    fn both_ways() {
        for (text, ascii) in [
            ("ü", "tda"),
            ("bücher", "bcher-kva"),
            ("例え", "r8jz45g"),
            ("правда", "80aafi6cg"),
            ("한국어", "3e0bk47br7k"),
            ("a-ü-b", "a--b-1ra"),
            ("\u{10FFFF}\u{80}", "a97093t"),
        ] {
            assert_eq!(decoded(ascii).as_deref(), Some(text), "{ascii}");
            assert_eq!(encoded(text).as_deref(), Some(ascii), "{text}");
        }
    }

    #[test]
    fn what_is_no_encoding() {
        // A digit that none is, a number that does not end, one past Unicode or past 32 bits, a surrogate.
        for text in ["!", "tda!", "ü", "z", "99999999", "9999999999999", "a-é", "b2z8a9zzzz"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }

    #[test]
    fn a_label_stops_at_its_length() {
        let longest = "a".repeat(LONGEST_LABEL);
        assert!(Label::of(&longest).is_some());
        assert!(Label::of(&(longest + "a")).is_none());
        // 57 times ü are 59 bytes, as many as may follow `xn--`.
        assert_eq!(encoded(&"ü".repeat(57)).map(|text| text.len()), Some(LONGEST_ENCODED));
        assert_eq!(encoded(&"ü".repeat(58)), None);
    }
}
