//! Numbers against an obvious reference: digits in a vector, brought to one exponent by writing the zeros out.

use std::hash::{BuildHasher, RandomState};

use proptest::prelude::*;
use serde_json::Value;

use super::super::digits::with_display;
use super::*;

fn text(text: &str) -> Number<'_> {
    let number = Number::from_text(text);
    assert!(!number.is_malformed(), "{text}");
    number
}

fn order(left: &str, right: &str) -> Ordering {
    text(left).compare(text(right)).unwrap()
}

fn multiple(value: Number<'_>, divisor: Number<'_>) -> bool {
    value.is_multiple_of(divisor, &mut Meter::new(1_000_000)).unwrap()
}

fn hash(number: Number<'_>, keys: &RandomState) -> u64 {
    let mut state = keys.build_hasher();
    number.hash_into(&mut state);
    state.finish()
}

fn hash_alike(left: Number<'_>, right: Number<'_>) -> bool {
    let keys = RandomState::new();
    hash(left, &keys) == hash(right, &keys)
}

/// What `serde_json` reads, so by native numbers where it has them.
fn parsed(text: &str) -> serde_json::Number {
    serde_json::from_str(text).unwrap()
}

/// ± digits × 10^exponent, written out.
#[derive(Clone, Debug)]
struct Naive {
    negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

impl Naive {
    fn read(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let negative = whole.starts_with('-');
        let digits =
            whole.chars().chain(fraction.chars()).filter_map(|digit| digit.to_digit(10)).map(|d| d as u8);
        let exponent = exponent.parse::<i32>().unwrap() - i32::try_from(fraction.len()).unwrap();
        Naive { negative, digits: digits.collect(), exponent }
    }

    /// The digits of the whole number that this is in units of 10^exponent.
    fn in_units(&self, exponent: i32) -> Vec<u8> {
        let zeros = usize::try_from(self.exponent - exponent).unwrap();
        let mut digits = self.digits.clone();
        digits.extend(std::iter::repeat_n(0, zeros));
        stripped(digits)
    }

    fn compare(&self, other: &Naive) -> Ordering {
        let unit = self.exponent.min(other.exponent);
        let (left, right) = (self.in_units(unit), other.in_units(unit));
        let sign = |naive: &Naive, digits: &[u8]| match (digits.is_empty(), naive.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let magnitude = || left.len().cmp(&right.len()).then_with(|| left.cmp(&right));
        sign(self, &left).cmp(&sign(other, &right)).then_with(|| match sign(self, &left) {
            -1 => magnitude().reverse(),
            _ => magnitude(),
        })
    }

    fn is_multiple_of(&self, divisor: &Naive) -> bool {
        let unit = self.exponent.min(divisor.exponent);
        let (value, divisor) = (self.in_units(unit), divisor.in_units(unit));
        if divisor.is_empty() {
            return value.is_empty();
        }
        let mut remainder = Vec::new();
        for digit in value {
            remainder.push(digit);
            remainder = stripped(remainder);
            while remainder.len() > divisor.len()
                || (remainder.len() == divisor.len() && remainder >= divisor)
            {
                remainder = stripped(difference(&remainder, &divisor));
            }
        }
        remainder.is_empty()
    }

    fn is_integer(&self) -> bool {
        self.is_multiple_of(&Naive { negative: false, digits: vec![1], exponent: 0 })
    }
}

fn stripped(digits: Vec<u8>) -> Vec<u8> {
    digits.into_iter().skip_while(|digit| *digit == 0).collect()
}

fn difference(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut digits = left.to_vec();
    let mut borrow = 0;
    for (index, digit) in digits.iter_mut().rev().enumerate() {
        let taken = borrow + right.iter().rev().nth(index).copied().unwrap_or(0);
        borrow = u8::from(*digit < taken);
        *digit = *digit + 10 * borrow - taken;
    }
    digits
}

fn digits(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let digit = prop_oneof![3 => Just(0_u8), 2 => Just(9), 5 => 0..10_u8];
    proptest::collection::vec(digit, count).prop_map(|all| all.iter().map(u8::to_string).collect())
}

/// The text of a number in any form that JSON has, with an exponent that can be written out.
fn texts() -> impl Strategy<Value = String> {
    let sign = prop_oneof![Just(""), Just("-")];
    let exponent = (prop_oneof![Just("e"), Just("E"), Just("e+"), Just("E-"), Just("e-0")], 0..40_u32);
    (sign, digits(1..24), proptest::option::of(digits(1..24)), proptest::option::of(exponent)).prop_map(
        |(sign, whole, fraction, exponent)| {
            let whole = whole.trim_start_matches('0');
            let whole = if whole.is_empty() { "0" } else { whole };
            let fraction = fraction.map(|digits| format!(".{digits}")).unwrap_or_default();
            let exponent = exponent.map(|(e, power)| format!("{e}{power}")).unwrap_or_default();
            format!("{sign}{whole}{fraction}{exponent}")
        },
    )
}

/// The same number with the point elsewhere: `shift` digits to the left, made good by the exponent.
fn respelled(text: &str, shift: usize) -> String {
    let naive = Naive::read(text);
    let digits: String = naive.digits.iter().map(u8::to_string).collect();
    let digits = format!("{}{digits}", "0".repeat(shift));
    let (whole, fraction) = digits.split_at(digits.len() - shift);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let sign = if naive.negative { "-" } else { "" };
    format!("{sign}{whole}.{fraction}0E{}", naive.exponent + i32::try_from(shift).unwrap())
}

/// Floats of every kind: any bits, short decimals, integers about the edge of exactness.
fn floats() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |float| float.is_finite()),
        (any::<i32>(), 0..12_i32)
            .prop_map(|(mantissa, places)| format!("{mantissa}e-{places}").parse().unwrap()),
        (any::<i64>(), 0..25_i32)
            .prop_map(|(mantissa, places)| format!("{mantissa}e-{places}").parse().unwrap()),
        (-70..70_i64).prop_map(|off| ((1_i64 << 53) + off) as f64),
        (-3000..3000_i64).prop_map(|off| (u64::MAX as f64) + off as f64),
        Just(0.0),
        Just(-0.0),
    ]
}

fn integers() -> impl Strategy<Value = i128> {
    prop_oneof![
        (-70..70_i128).prop_map(|off| (1 << 53) + off),
        (-3000..0_i128).prop_map(|off| i128::from(u64::MAX) + off),
        (0..3000_i128).prop_map(|off| i128::from(i64::MIN) + off),
        any::<u64>().prop_map(i128::from),
        any::<i64>().prop_map(i128::from),
        -5..5_i128,
    ]
}

fn integer(value: i128) -> Number<'static> {
    match u64::try_from(value) {
        Ok(unsigned) => Number::Unsigned(unsigned),
        Err(_) => Number::Negative(i64::try_from(value).unwrap()),
    }
}

proptest! {
    #[test]
    fn order_hash_and_wholeness_are_the_reference_s(left in texts(), right in texts()) {
        let (a, b) = (Naive::read(&left), Naive::read(&right));
        prop_assert_eq!(order(&left, &right), a.compare(&b));
        prop_assert_eq!(hash_alike(text(&left), text(&right)), a.compare(&b).is_eq());
        prop_assert_eq!(text(&left).is_integer(), a.is_integer());
        prop_assert_eq!(text(&left).is_zero(), stripped(a.digits).is_empty());
    }

    #[test]
    fn a_number_is_itself_in_every_spelling(left in texts(), shift in 0..30_usize) {
        let right = respelled(&left, shift);
        prop_assert_eq!(order(&left, &right), Ordering::Equal);
        prop_assert!(hash_alike(text(&left), text(&right)), "{} {}", left, right);
        prop_assert_eq!(text(&left).is_integer(), text(&right).is_integer());
    }

    #[test]
    fn remainders_are_the_reference_s(value in texts(), divisor in texts()) {
        let expected = Naive::read(&value).is_multiple_of(&Naive::read(&divisor));
        prop_assert_eq!(multiple(text(&value), text(&divisor)), expected);
    }

    #[test]
    fn products_are_multiples_and_their_neighbours_are_not(
        divisor in digits(1..120), factor in 2..u32::MAX, power in 0..5_i32, nudge in 0..2_u8,
    ) {
        let mut carry = u64::from(nudge);
        let mut product: Vec<u8> = Vec::new();
        for digit in divisor.bytes().rev() {
            carry += u64::from(digit - b'0') * u64::from(factor);
            product.push((carry % 10) as u8);
            carry /= 10;
        }
        product.extend(carry.to_string().bytes().rev().map(|digit| digit - b'0'));
        let product: String = product.iter().rev().map(u8::to_string).collect();
        let spelled = |digits: &str, exponent: i32| format!("0.{digits}e{exponent}");
        let (product_length, length) = (product.len() as i32, divisor.len() as i32);
        let (value, divisor) = (spelled(&product, product_length + power), spelled(&divisor, length));
        let expected = Naive::read(&value).is_multiple_of(&Naive::read(&divisor));
        prop_assert!(expected || nudge > 0);
        prop_assert_eq!(multiple(text(&value), text(&divisor)), expected);
    }

    #[test]
    fn a_float_is_its_shortest_decimal(float in floats(), other in floats()) {
        let (number, twin) = (Number::from_float(float), format!("{float:e}"));
        let twin = text(&twin);
        prop_assert_eq!(number.compare(twin), Some(Ordering::Equal));
        prop_assert!(hash_alike(number, twin));
        prop_assert_eq!(number.is_integer(), twin.is_integer());
        prop_assert_eq!(number.is_zero(), twin.is_zero());
        prop_assert_eq!(number.to_integer(), twin.to_integer());
        let other_text = format!("{other:e}");
        prop_assert_eq!(number.compare(Number::from_float(other)), twin.compare(text(&other_text)));
        prop_assert_eq!(multiple(number, Number::from_float(other)), multiple(twin, text(&other_text)));
    }

    #[test]
    fn floats_and_integers_compare_exactly(float in floats(), whole in integers()) {
        let twin = format!("{float:e}");
        for float in [float, whole as f64] {
            let twin = format!("{float:e}");
            let (a, b) = (Naive::read(&twin), Naive::read(&whole.to_string()));
            if a.exponent.abs() < 60 {
                let float = Number::from_float(float);
                prop_assert_eq!(float.compare(integer(whole)), Some(a.compare(&b)));
                prop_assert_eq!(integer(whole).compare(float), Some(b.compare(&a)));
                prop_assert_eq!(hash_alike(float, integer(whole)), a.compare(&b).is_eq());
                prop_assert_eq!(multiple(float, integer(whole)), a.is_multiple_of(&b));
                prop_assert_eq!(multiple(integer(whole), float), b.is_multiple_of(&a));
            }
        }
        prop_assert_eq!(Number::from_float(float).compare(integer(whole)), text(&twin).compare(integer(whole)));
    }

    #[test]
    fn a_cast_keeps_the_number(whole in integers(), places in 0..30_usize) {
        let spelled = format!("{}.{}", whole, "0".repeat(places + 1));
        let cast = text(&spelled).to_integer().unwrap();
        prop_assert_eq!(Number::from_json(&cast).compare(integer(whole)), Some(Ordering::Equal));
        prop_assert!(cast.is_i64() || cast.is_u64());
        let spelled = respelled(&whole.to_string(), places);
        prop_assert_eq!(text(&spelled).to_integer().unwrap(), cast);
    }

    #[test]
    fn exponents_of_any_length_are_exact(
        base in prop_oneof![Just(0_i128), Just(1), Just(9), Just(10), Just(99), Just(1_000), Just(999_999_999)],
        off in -40..40_i128, sign in prop_oneof![Just(-1_i128), Just(1)],
        zeros in 0..30_usize, leading in 0..30_usize, step in -2..3_i128,
    ) {
        let exponent = sign * (base * 1_000_000_000_000_000_000 + off);
        let plain = format!("1e{exponent}");
        let trailing = format!("1{}e{}", "0".repeat(zeros), exponent + step - zeros as i128);
        let leading = format!("0.{}1e{}", "0".repeat(leading), exponent + step + leading as i128 + 1);
        prop_assert_eq!(order(&trailing, &leading), Ordering::Equal);
        prop_assert!(hash_alike(text(&trailing), text(&leading)));
        prop_assert_eq!(order(&plain, &leading), 0.cmp(&step));
        prop_assert_eq!(hash_alike(text(&plain), text(&trailing)), step == 0);
        prop_assert_eq!(multiple(text(&trailing), text(&plain)), step >= 0);
        // 10^step is a multiple of 4 from 10^2 on.
        let four = format!("4e{exponent}");
        prop_assert_eq!(multiple(text(&leading), text(&four)), step >= 2);
        prop_assert_eq!(text(&plain).is_integer(), exponent >= 0);
    }

    #[test]
    fn any_text_is_read_as_serde_json_reads_it(text in "[-+.eE0-9 a]{0,8}") {
        // Its own overflow is no fault of the grammar, and outer space is the document's.
        let valid = text.parse::<f64>().is_ok()
            && text.trim() == text
            && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(!Number::from_text(&text).is_malformed(), valid);
    }
}

#[test]
fn spellings_of_one_number_are_equal() {
    for (left, right) in [("1", "1.0"), ("1", "10e-1"), ("100", "1E+2"), ("-0", "0.0e7"), ("0.05", "5e-2")] {
        assert_eq!(order(left, right), Ordering::Equal, "{left} {right}");
        assert!(hash_alike(text(left), text(right)));
        assert_eq!(Number::from_json(&parsed(left)).compare(text(right)), Some(Ordering::Equal));
        assert!(hash_alike(Number::from_json(&parsed(left)), text(right)));
    }
}

#[test]
fn neighbours_past_the_exact_floats_are_told_apart() {
    assert_eq!(
        Number::Unsigned((1 << 53) + 1).compare(Number::Float(9_007_199_254_740_992.0)),
        Some(Ordering::Greater)
    );
    // The float nearest to 2^63 is 2^63, but its shortest decimal is lower.
    assert_eq!(
        Number::Float(9_223_372_036_854_775_808.0).compare(Number::Unsigned(1 << 63)),
        Some(Ordering::Greater)
    );
    assert_eq!(order("9223372036854775808", "9223372036854776000"), Ordering::Less);
}

#[test]
fn multiples_are_of_decimals() {
    for (value, divisor, expected) in [
        (0.07, 0.01, true),
        (0.075, 0.01, false),
        (0.3, 0.1, true),
        (1e308, 0.5, true),
        (1e308, 0.123456789, false),
        (1.0, 1e-308, true),
        (5e-324, 5e-324, true),
        (1e-7, 1e-8, true),
        (-4.5, 1.5, true),
        (12_391_239_123.0, 1e-8, true),
        (0.0, 0.3, true),
        (3.0, 0.0, false),
    ] {
        assert_eq!(multiple(Number::Float(value), Number::Float(divisor)), expected, "{value} of {divisor}");
    }
    assert!(multiple(text("123456789e300"), Number::Float(0.123456789)));
    assert!(multiple(text("1.0000000000000000000000002"), text("0.0000000000000000000000002")));
    assert!(!multiple(text("1.0000000000000000000000001"), text("0.0000000000000000000000002")));
}

#[test]
fn divisors_longer_than_the_stack_s_limbs_divide() {
    for count in [19, 20, 300, 600, 2_000] {
        let divisor = "7".repeat(count);
        let mut meter = Meter::new(10_000_000);
        // (10^count + 1) times the divisor is the divisor twice.
        let twice = divisor.repeat(2);
        let off = format!("{}8{}", &twice[..count], &twice[count + 1..]);
        assert_eq!(text(&twice).is_multiple_of(text(&divisor), &mut meter), Ok(true));
        assert_eq!(text(&off).is_multiple_of(text(&divisor), &mut meter), Ok(false));
    }
}

#[test]
fn exponents_are_never_expanded() {
    let huge = format!("1e{}", "9".repeat(1_000_000));
    let tiny = format!("1e-{}", "9".repeat(1_000_000));
    assert_eq!(order("1e1000000000", "100"), Ordering::Greater);
    assert_eq!(order(&huge, "1e1000000000"), Ordering::Greater);
    assert_eq!(order(&tiny, "1e-1000000000"), Ordering::Less);
    assert_eq!(order(&tiny, "0"), Ordering::Greater);
    assert!(text(&huge).is_integer() && !text(&tiny).is_integer());
    assert_eq!(text(&huge).to_integer(), None);
    let mut meter = Meter::new(20_000);
    assert_eq!(text(&huge).is_multiple_of(Number::Float(0.5), &mut meter), Ok(true));
    assert_eq!(text("1e1000000000").is_multiple_of(text("3"), &mut meter), Ok(false));
    assert!(hash_alike(text(&huge), text(&format!("10e{}8", "9".repeat(999_999)))));
}

#[test]
fn steps_of_a_remainder_are_linear_in_the_digits() {
    let steps = |digits: usize, divisor: &str| {
        let value = "3".repeat(digits);
        let mut meter = Meter::new(u64::MAX);
        assert_eq!(text(&value).is_multiple_of(text(divisor), &mut meter), Ok(true));
        meter.used()
    };
    let million = steps(1_000_000, "3");
    assert!((150_000..250_000).contains(&million), "{million}");
    assert!(steps(2_000_000, "3") <= 2 * million + 10);
    let large = "3".repeat(250);
    assert!(steps(1_000_000, &large).abs_diff(2 * steps(500_000, &large)) < 1_000);
    let mut meter = Meter::new(million - 1);
    assert_eq!(text(&"3".repeat(1_000_000)).is_multiple_of(text("3"), &mut meter), Err(Exhausted));
    let mut meter = Meter::new(million);
    assert_eq!(text(&"3".repeat(1_000_000)).is_multiple_of(text("3"), &mut meter), Ok(true));
}

#[test]
fn native_numbers_cost_nothing() {
    let mut meter = Meter::new(0);
    for (value, divisor) in
        [(Number::Unsigned(10), Number::Unsigned(5)), (Number::Float(0.07), Number::Float(0.01))]
    {
        assert_eq!(value.is_multiple_of(divisor, &mut meter), Ok(true));
        assert_eq!((value.text_len(), meter.used()), (0, 0));
    }
    assert_eq!(text("1.50").text_len(), 4);
}

#[test]
fn casts_are_of_whole_numbers_that_are_not_integers_yet() {
    for (spelled, cast) in [
        ("2.0", Some("2")),
        ("1e2", Some("100")),
        ("-0.0", Some("0")),
        ("-0", Some("0")),
        ("0e1000000000", Some("0")),
        ("18446744073709551615.0", Some("18446744073709551615")),
        ("18446744073709551616.0", None),
        ("-9223372036854775808.0", Some("-9223372036854775808")),
        ("-9223372036854775809.0", None),
        ("2", None),
        ("-2", None),
        ("2.5", None),
        ("1e1000000000", None),
        ("18446744073709551616", None),
    ] {
        assert_eq!(text(spelled).to_integer().map(|number| number.to_string()).as_deref(), cast, "{spelled}");
    }
    for (float, cast) in
        [(2.0, Some("2")), (-0.0, Some("0")), (1e19, Some("10000000000000000000")), (1e20, None), (0.5, None)]
    {
        assert_eq!(
            Number::Float(float).to_integer().map(|number| number.to_string()).as_deref(),
            cast,
            "{float}"
        );
    }
}

#[test]
fn what_is_no_number_is_malformed() {
    for malformed in [
        "", "-", "+5", "007", "-01", "1.", ".5", "1e", "1e+", "1.e5", "NaN", "inf", "1 ", "0x1", "1e5.0",
        "--1",
    ] {
        let number = Number::from_text(malformed);
        assert!(number.is_malformed(), "{malformed}");
        assert_eq!(number.compare(number), None);
        assert!(!number.is_integer() && !number.is_zero() && !multiple(number, Number::Unsigned(1)));
    }
    assert!(Number::from_float(f64::NAN).is_malformed() && Number::from_float(f64::INFINITY).is_malformed());
}

#[test]
fn the_type_tells_whether_numbers_are_kept_as_text() {
    assert_eq!(TEXTUAL, "1e400".parse::<serde_json::Number>().is_ok());
}

#[test]
fn numbers_kept_as_text_are_exact() {
    if !TEXTUAL {
        return;
    }
    let digits = "123456789".repeat(33);
    let (long, longer) = (parsed(&format!("{digits}0")), parsed(&format!("{digits}1")));
    let (long, longer) = (Number::from_json(&long), Number::from_json(&longer));
    assert_eq!(long.compare(longer), Some(Ordering::Less));
    assert_eq!(long.compare(text(&format!("{digits}0.0"))), Some(Ordering::Equal));
    assert!(multiple(long, Number::Unsigned(10)) && !multiple(longer, Number::Unsigned(10)));
    assert!(hash_alike(long, text(&format!("{digits}e1"))) && long.is_integer());
    assert_eq!(long.text_len(), digits.len() + 1);
    let near = parsed("1.0000000000000000000000001");
    assert_eq!(Number::from_json(&near).compare(Number::Unsigned(1)), Some(Ordering::Greater));
    assert!(!Number::from_json(&near).is_integer());
    assert_eq!(Number::from_json(&parsed("1E2")).to_integer(), Some(100.into()));
    assert_eq!(ExactNumber::from_json(&parsed("1.50e-400")).unwrap().to_string(), "1.50e-400");
}

#[cfg(feature = "arbitrary_precision")]
#[test]
fn text_that_serde_json_never_checked_is_malformed() {
    for malformed in ["+5", "007", "NaN", "", "1.", "Infinity"] {
        let number = serde_json::Number::from_string_unchecked(malformed.to_owned());
        assert!(Number::from_json(&number).is_malformed(), "{malformed}");
        assert!(ExactNumber::from_json(&number).is_none());
    }
    let number = serde_json::Number::from_string_unchecked("-5".to_owned());
    assert!(matches!(Number::from_json(&number), Number::Negative(-5)));
}

#[test]
fn a_text_in_pieces_is_not_taken_for_its_first() {
    let whole = |text: &str| text == "12";
    assert_eq!(with_display(&parsed("12"), whole), Some(true));
    struct Pieces;
    impl fmt::Display for Pieces {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("1")?;
            formatter.write_str("2")
        }
    }
    assert_eq!(with_display(&Pieces, whole), None);
}

#[test]
fn schema_numbers_print_as_they_were_spelled() {
    for spelled in
        ["5", "-5", "5.0", "0.01", "1.5e-7", "18446744073709551615", "-9223372036854775808", "1e+300"]
    {
        let number = parsed(spelled);
        let kept = ExactNumber::from_json(&number).unwrap();
        assert_eq!(kept.to_string(), Value::Number(number.clone()).to_string());
        assert_eq!(kept.as_number().compare(Number::from_json(&number)), Some(Ordering::Equal));
    }
    assert_eq!(ExactNumber::from_json(&parsed("5.0")).unwrap().to_string(), "5.0");
}

#[test]
fn sizes_are_a_decision() {
    assert!(size_of::<ExactNumber>() <= 24);
    assert!(size_of::<Number<'_>>() <= 24);
}
