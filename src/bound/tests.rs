//! The promise of the bound, held by every form on every hostile input: what comes out, and how much is looked at.

use std::cell::Cell;
use std::fmt;
use std::panic::panic_any;
use std::rc::Rc;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{
    BOUND, LISTED, MARK, echo, echo_bytes, echo_str, first, line, render, render_bytes, render_debug,
    render_display, render_str, work,
};

const MEGABYTE: usize = 1_000_000;
const FAILED: &str = "#Error<formatting failed>";
const LONG_INTEGER: &str = "#Integer<over 256 digits>";

/// What any call on strings, bytes, numbers or JSON values may look at, in bytes, characters, nodes and writes. Most
/// is a list of long integers: 25 bytes of placeholder each, for which the bound's digits are read.
const MOST_WORK: usize = 32 * BOUND;

/// What `render` and `line` promise of their text. Written apart from `is_scrubbed`.
fn is_one_bounded_line(text: &str) -> bool {
    let forges = |character: char| {
        character.is_control()
            || ['\u{61C}', '\u{200E}', '\u{200F}', '\u{2028}', '\u{2029}'].contains(&character)
            || ('\u{202A}'..='\u{202E}').contains(&character)
            || ('\u{2066}'..='\u{2069}').contains(&character)
    };
    text.len() <= BOUND && !text.contains(forges)
}

/// What `echo` promises of its text: the mark is there only if there was more.
fn is_bounded(text: &str) -> bool {
    text.len() <= BOUND || (text.len() <= BOUND + MARK.len() && text.ends_with(MARK))
}

/// Holds every form to its promise on one JSON value.
fn keeps_the_promise(value: &Value) {
    let rendered = render(value);
    let is_integer =
        rendered.strip_prefix('-').is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    assert!(is_one_bounded_line(if is_integer { &rendered[1..] } else { &rendered }), "{rendered:?}");
    for short in [line(value), echo(value)] {
        match short {
            Value::Null | Value::Bool(_) => assert_eq!(&short, value),
            Value::Number(number) => {
                assert!(value.is_number());
                assert_eq!(number.to_string(), rendered);
            }
            Value::String(text) => assert!(is_bounded(&text), "{text:?}"),
            Value::Array(_) | Value::Object(_) => panic!("a container came through"),
        }
    }
    if let Value::String(text) = line(value) {
        assert_eq!(text, rendered);
    }
    for work in [work::of(|| render(value)), work::of(|| line(value)), work::of(|| echo(value))] {
        assert!(work <= MOST_WORK, "{work}");
    }
}

/// Holds the forms of bytes to their promise, and those of a string if the bytes are one.
fn keeps_the_promise_of_bytes(bytes: &[u8]) {
    let rendered = render_bytes(bytes);
    assert!(is_one_bounded_line(&rendered), "{rendered:?}");
    assert!(is_bounded(&echo_bytes(bytes)));
    assert_eq!(rendered.is_empty(), bytes.is_empty());
    assert!(work::of(|| render_bytes(bytes)) <= MOST_WORK && work::of(|| echo_bytes(bytes)) <= MOST_WORK);
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert_eq!(render_str(text), rendered);
        assert_eq!(echo_str(text), echo_bytes(bytes));
        assert!(work::of(|| render_str(text)) <= MOST_WORK && work::of(|| echo_str(text)) <= MOST_WORK);
        keeps_the_promise(&json!(text));
    }
}

/// Takes a value apart that is deep in its first children; its own drop would overflow the stack.
fn dismantle(mut value: Value) {
    loop {
        value = match value {
            Value::Array(items) => items.into_iter().next().unwrap_or_default(),
            Value::Object(members) => {
                members.into_iter().next().map(|(_, member)| member).unwrap_or_default()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
        };
    }
}

// Strings.

#[test]
fn a_letter_under_a_megabyte_of_combining_marks_costs_the_bound() {
    let text = String::from("e") + &"\u{301}".repeat(MEGABYTE / 2);
    assert_eq!(render_str(&text), text[..BOUND - 1]);
    assert_eq!(echo_str(&text), text[..BOUND - 1].to_owned() + MARK);
    keeps_the_promise_of_bytes(text.as_bytes());
}

#[test]
fn the_empty_string_is_itself() {
    assert_eq!((render_str(""), echo_str(""), render_bytes(b""), echo_bytes(b"")), Default::default());
    assert_eq!((line(&json!("")), echo(&json!(""))), (json!(""), json!("")));
}

#[test]
fn a_string_at_the_bound_passes_whole_and_one_byte_more_is_cut() {
    let exact = "k".repeat(BOUND);
    let long = "k".repeat(BOUND + 1);
    assert_eq!((render_str(&exact), echo_str(&exact)), (exact.clone(), exact.clone()));
    assert_eq!((render_str(&long), echo_str(&long)), (exact.clone(), exact.clone() + MARK));
    assert_eq!(line(&json!(long)), json!(exact));
    assert_eq!(echo(&json!(long)), json!(exact + MARK));
}

#[test]
fn no_sender_forges_breaks_or_hides_a_line() {
    for (sent, rendered) in [
        ("ok\r\nroot logged in", "ok??root logged in"),
        ("\u{1b}[2J\u{1b}[1;31mred", "?[2J?[1;31mred"),
        ("csi \u{9b}2J nel \u{85}", "csi ??2J nel ??"),
        ("a\u{2028}b\u{2029}c", "a???b???c"),
        ("\u{202e}gpj.exe\u{202c}", "???gpj.exe???"),
        ("\u{2066}a\u{2069}\u{61c}\u{200e}\u{200f}", "???a???????????"),
        ("\0\u{7f}\t", "???"),
    ] {
        assert_eq!(render_str(sent), rendered);
        assert_eq!(render(&json!(sent)), rendered);
        assert_eq!(line(&json!(sent)), json!(rendered));
        assert_eq!(render_bytes(sent.as_bytes()), rendered);
        assert_eq!(render_display(sent), rendered);
        // The echo goes into JSON, which has its own escapes; its sender must find the key again.
        assert_eq!(echo_str(sent), sent);
        assert_eq!(echo_bytes(sent.as_bytes()), sent);
        assert_eq!(echo(&json!(sent)), json!(sent));
        keeps_the_promise(&json!({ sent: [sent] }));
    }
}

#[test]
fn the_scrub_keeps_the_bound_of_what_was_cut() {
    let text = "\u{2028}".repeat(MEGABYTE);
    assert_eq!(render_str(&text), "?".repeat(BOUND - BOUND % 3));
    keeps_the_promise_of_bytes(text.as_bytes());
}

#[test]
fn containers_are_scrubbed_and_echoed_as_strings_are() {
    let value = json!({"\u{202e}k": "a\n\u{85}"});
    assert_eq!(render(&value), r#"{"???k":"a\n??"}"#);
    assert_eq!(echo(&value), json!("{\"\u{202e}k\":\"a\\n\u{85}\"}"));
}

// Bytes.

#[test]
fn a_joiner_before_a_byte_that_no_utf8_admits_ends() {
    assert_eq!(render_bytes(b"\xE2\x80\x8D\xFF"), "\u{200d}\\xFF");
    assert_eq!(echo_bytes(b"\xE2\x80\x8D\xFF"), "\u{200d}\\xFF");
}

#[test]
fn a_value_that_opens_or_ends_inside_a_code_point_is_repaired() {
    assert_eq!(render_bytes(b"\x82\xACprice"), "price");
    assert_eq!(render_bytes(b"price \xE2\x82"), "price ");
    let long = [b"\x82\xAC".as_slice(), "€".repeat(MEGABYTE).as_bytes()].concat();
    assert_eq!(render_bytes(&long), "€".repeat((BOUND - 2) / 3));
    assert_eq!(echo_bytes(&long), "€".repeat((BOUND - 2) / 3) + MARK);
}

#[test]
fn a_cut_that_would_keep_nothing_shows_the_bytes() {
    let long = [[0x80; BOUND].as_slice(), b"what follows is past the bound"].concat();
    assert_eq!(render_bytes(&long), r"\x80".repeat(BOUND / 4));
    assert_eq!(echo_bytes(&long), r"\x80".repeat(BOUND / 4) + MARK);
    // Near miss: one byte remains.
    let short = [[0x80; BOUND - 1].as_slice(), b"what follows is past the bound"].concat();
    assert_eq!(render_bytes(&short), "w");
}

#[test]
fn a_bad_byte_in_the_middle_is_shown_and_not_hidden() {
    assert_eq!(render_bytes(b"caf\xE9 \n"), r"caf\xE9 ?");
    assert_eq!(echo_bytes(b"caf\xE9 \n"), "caf\\xE9 \n");
    for place in [0, 1, 100, BOUND - 1, BOUND] {
        let mut bytes = vec![b'x'; MEGABYTE];
        bytes[place] = 0xFF;
        assert_eq!(render_bytes(&bytes).contains(r"\xFF"), place + 4 <= BOUND, "{place}");
        keeps_the_promise_of_bytes(&bytes);
    }
}

// Numbers.

#[test]
fn numbers_of_every_kind_are_themselves() {
    for number in
        [json!(0), json!(-1), json!(u64::MAX), json!(i64::MIN), json!(0.1), json!(-1e300), json!(5e-324)]
    {
        assert_eq!(render(&number), number.to_string());
        assert_eq!((line(&number), echo(&number)), (number.clone(), number.clone()));
        keeps_the_promise(&number);
    }
}

/// Exact numbers reach us under a feature of ours, and with a dependent's serde_json without it: what serde_json
/// makes of such a text is what the tests go by.
fn exact(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let kept = value.to_string();
    (kept == text).then_some(value)
}

#[test]
fn an_integer_is_compared_by_digits_and_never_rendered_past_the_bound() {
    for sign in ["", "-"] {
        let within = format!("{sign}{}", "9".repeat(BOUND));
        let Some(number) = exact(&within) else { return };
        assert_eq!(render(&number), within);
        assert_eq!((line(&number), echo(&number)), (number.clone(), number.clone()));
        for digits in [BOUND + 1, MEGABYTE] {
            let number = exact(&format!("{sign}{}", "9".repeat(digits))).unwrap();
            assert_eq!(render(&number), LONG_INTEGER);
            assert_eq!((line(&number), echo(&number)), (json!(LONG_INTEGER), json!(LONG_INTEGER)));
            assert_eq!(render(&json!({"a": [number, 1]})), format!(r##"{{"a":[{LONG_INTEGER},1]}}"##));
            keeps_the_promise(&number);
            keeps_the_promise(&json!([number]));
            keeps_the_promise(&Value::Array(vec![number; 100]));
        }
    }
}

#[test]
fn a_long_fraction_is_text_past_the_bound() {
    let within = format!("0.{}", "3".repeat(BOUND - 2));
    let Some(number) = exact(&within) else { return };
    assert_eq!((line(&number), echo(&number)), (number.clone(), number));
    let number = exact(&format!("0.{}", "3".repeat(MEGABYTE))).unwrap();
    assert_eq!((render(&number), line(&number)), (within.clone(), json!(within)));
    assert_eq!(echo(&number), json!(within + MARK));
    keeps_the_promise(&number);
    keeps_the_promise(&json!([number]));
}

#[test]
#[cfg(feature = "arbitrary_precision")]
fn exact_numbers_are_on_and_text_in_a_number_does_not_reach_a_log_as_a_number() {
    assert!(exact(&"9".repeat(BOUND)).is_some());
    let forged =
        Value::Number(serde_json::Number::from_string_unchecked("1\n{\"level\":\"forged\"}".to_owned()));
    assert_eq!(line(&forged), json!("1?{\"level\":\"forged\"}"));
    assert_eq!(echo(&forged), json!("1\n{\"level\":\"forged\"}"));
    // Not by `json!`, which reads the number again.
    keeps_the_promise(&Value::Array(vec![forged]));
}

// Containers.

#[test]
fn a_list_of_a_million_costs_the_bound() {
    for item in [json!(null), json!([]), json!({}), json!(""), json!("x".repeat(100)), json!(1.5)] {
        let list = Value::Array(vec![item; MEGABYTE]);
        let rendered = render(&list);
        assert_eq!(rendered.len(), BOUND);
        assert_eq!(echo(&list), json!(rendered + MARK));
        keeps_the_promise(&list);
    }
}

#[test]
fn a_map_of_a_million_costs_the_bound() {
    let map: Map<String, Value> = (0..MEGABYTE).map(|key| (format!("{key:06}"), json!([]))).collect();
    let map = Value::Object(map);
    let rendered = render(&map);
    assert!(rendered.starts_with(r#"{"000000":[],"000001":[],"#));
    assert_eq!(rendered.len(), BOUND);
    keeps_the_promise(&map);
    keeps_the_promise(&json!({ "k".repeat(MEGABYTE): 1 }));
}

#[test]
fn nesting_of_a_hundred_thousand_costs_the_bound_and_no_stack() {
    let task = || {
        // Not by `json!`, which serialises what it is given and so recurses.
        let array = |value| Value::Array(vec![value]);
        let object = |value| Value::Object(Map::from_iter([("k".to_owned(), value)]));
        let both = |value| Value::Array(vec![object(value), Value::Bool(true)]);
        let wraps: [&dyn Fn(Value) -> Value; 3] = [&array, &object, &both];
        for wrap in wraps {
            let deep = (0..100_000).fold(Value::Null, |value, _| wrap(value));
            let rendered = render(&deep);
            assert_eq!(rendered.len(), BOUND);
            assert_eq!(line(&deep), json!(rendered));
            assert_eq!(echo(&deep), json!(rendered.clone() + MARK));
            // serde_json's own formatting recurses, until the bound stops it.
            assert_eq!(render_display(&deep), rendered);
            assert_eq!(render_debug(&deep).len(), BOUND);
            keeps_the_promise(&deep);
            dismantle(deep);
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(task).unwrap().join().unwrap();
}

#[test]
fn work_does_not_grow_with_the_value() {
    let of = |size: usize| {
        let list = Value::Array(vec![json!("ab"); size]);
        let text = json!("ü".repeat(size));
        let bytes = vec![0xFF; size];
        [
            work::of(|| render(&list)),
            work::of(|| echo(&list)),
            work::of(|| line(&text)),
            work::of(|| echo(&text)),
            work::of(|| render_bytes(&bytes)),
        ]
    };
    assert_eq!(of(1_000), of(MEGABYTE));
    // And it is counted: what goes round the counters does not pass for no work.
    assert!(of(MEGABYTE).iter().all(|work| (BOUND - 1..=MOST_WORK).contains(work)), "{:?}", of(MEGABYTE));
}

// A consumer's own formatting.

/// Formats as its function says.
struct Consumer<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Debug for Consumer<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(formatter)
    }
}

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Consumer<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(formatter)
    }
}

/// Both forms of one consumer, which agree.
fn consumed(format: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> String {
    let consumer = Consumer(format);
    let rendered = render_debug(&consumer);
    assert_eq!(render_display(&consumer), rendered);
    assert!(is_one_bounded_line(&rendered), "{rendered:?}");
    rendered
}

#[test]
fn a_debug_that_writes_a_gigabyte_is_told_to_stop_at_the_bound() {
    let writes = Cell::new(0);
    let rendered = consumed(|formatter| {
        writes.set(0);
        (0..1 << 27).try_for_each(|_| {
            writes.set(writes.get() + 1);
            formatter.write_str("12345678")
        })
    });
    assert_eq!(rendered, "12345678".repeat(BOUND / 8));
    assert_eq!(writes.get(), BOUND / 8 + 1);
}

#[test]
fn a_debug_that_does_not_stop_when_told_costs_no_memory() {
    let work = work::of(|| {
        let rendered = consumed(|formatter| {
            for _ in 0..MEGABYTE {
                let _ = formatter.write_str("ü12345");
            }
            Ok(())
        });
        assert_eq!(rendered.len(), BOUND);
    });
    // A write after the bound is refused unread: it counts one, as a write.
    assert!(work <= 2 * (MEGABYTE + MOST_WORK), "{work}");
}

#[test]
fn one_write_of_any_size_and_padding_of_any_width_keep_the_bound() {
    let text = "€".repeat(MEGABYTE);
    assert_eq!(consumed(|formatter| formatter.write_str(&text)), "€".repeat(BOUND / 3));
    assert_eq!(consumed(|formatter| write!(formatter, "{:>65535}", 1)), " ".repeat(BOUND));
}

#[test]
fn a_debug_of_exactly_the_bound_passes_whole() {
    let text = "x".repeat(BOUND);
    assert_eq!(consumed(|formatter| formatter.write_str(&text)), text);
}

#[test]
fn a_debug_that_errs_reads_as_the_placeholder() {
    assert_eq!(consumed(|_| Err(fmt::Error)), FAILED);
    // Just before the bound and at it, the error is still the consumer's.
    for length in [1, BOUND - 1, BOUND] {
        let text = "x".repeat(length);
        assert_eq!(consumed(|formatter| formatter.write_str(&text).and(Err(fmt::Error))), FAILED);
    }
}

#[test]
fn a_debug_that_panics_reads_as_the_placeholder() {
    assert_eq!(consumed(|_| panic!("in a consumer")), FAILED);
    // One that takes the bound's error for a reason to panic is no better.
    let panics = |formatter: &mut fmt::Formatter<'_>| {
        (0..BOUND).for_each(|_| formatter.write_str("xx").unwrap());
        Ok(())
    };
    assert_eq!(consumed(panics), FAILED);
    // The next call is as if nothing had been.
    assert_eq!(consumed(|formatter| formatter.write_str("fine")), "fine");
}

#[test]
fn a_payload_whose_drop_panics_is_forgotten() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in the drop of a payload");
        }
    }
    assert_eq!(consumed(|_| panic_any(Bomb)), FAILED);
}

#[test]
fn a_debug_that_writes_raw_control_characters_is_scrubbed() {
    let rendered = consumed(|formatter| formatter.write_str("a\r\n\u{1b}[31m\u{9b}\u{2028}\u{202e}z"));
    assert_eq!(rendered, "a???[31m????????z");
}

// The first of many.

#[test]
fn first_of_a_million_reads_each_once_and_keeps_ten() {
    let read = Cell::new(0);
    let most = Cell::new(0);
    // Each element counts itself alive: what is kept at once is what memory costs.
    let alive = Rc::new(());
    let elements = (0..MEGABYTE).map(|place| {
        read.set(read.get() + 1);
        most.set(most.get().max(Rc::strong_count(&alive) - 1));
        (place * 7_919 % MEGABYTE, Rc::clone(&alive))
    });
    let kept = first(elements);
    let places: Vec<usize> = kept.items().iter().map(|(place, _)| *place).collect();
    assert_eq!(places, (0..LISTED).collect::<Vec<_>>());
    assert_eq!((kept.count(), kept.more(), read.get()), (MEGABYTE, MEGABYTE - LISTED, MEGABYTE));
    assert_eq!(most.get(), LISTED);
}

#[test]
fn first_compares_a_bounded_number_of_times_for_each_element() {
    thread_local!(static COMPARED: Cell<usize> = const { Cell::new(0) });
    #[derive(PartialEq, Eq)]
    struct Counted(usize);
    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Counted {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            COMPARED.with(|compared| compared.set(compared.get() + 1));
            self.0.cmp(&other.0)
        }
    }
    // Falling order is the worst: every element displaces all that were kept.
    let count = 100_000;
    let kept = first((0..count).rev().map(Counted));
    assert_eq!(kept.items()[0].0, 0);
    assert!(COMPARED.with(Cell::get) <= LISTED * count);
}

// Anything.

/// Text out of what breaks cuts, lines and escapes, and lengths on both sides of the bound.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        Just("\r\n".to_owned()),
        Just("\u{1b}[2J".to_owned()),
        Just("\u{202e}\u{2028}\u{85}".to_owned()),
        Just("e\u{301}\u{200d}".to_owned()),
        Just("\"\\\u{1}".to_owned()),
        "[ -~]{0,80}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..600),
        prop::collection::vec(0x80_u8..=0xBF, 200..300),
        (hostile_text(), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
            |(text, from, to)| {
                let (from, to) = (from.index(text.len() + 1), to.index(text.len() + 1));
                text.into_bytes()[from.min(to)..from.max(to)].to_vec()
            }
        ),
    ]
}

fn hostile_value() -> impl Strategy<Value = Value> {
    let number = "-?(0|[1-9][0-9]{0,300})(\\.[0-9]{1,300})?(e[+-]?[0-9]{1,3})?";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Without exact numbers some of these are out of range.
        number.prop_map(|text| serde_json::from_str(&text).unwrap_or(Value::Null)),
        hostile_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 200, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Value::Array),
            prop::collection::vec((hostile_text(), inner), 0..12)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_keeps_the_promise(value in hostile_value()) {
        keeps_the_promise(&value);
    }

    #[test]
    fn any_bytes_keep_the_promise(bytes in hostile_bytes()) {
        keeps_the_promise_of_bytes(&bytes);
    }

    #[test]
    fn any_text_keeps_the_promise(text in hostile_text()) {
        keeps_the_promise_of_bytes(text.as_bytes());
        prop_assert!(is_one_bounded_line(&render_debug(&text)));
        prop_assert_eq!(render_display(&text), render_str(&text));
    }

    #[test]
    fn a_short_container_is_what_serde_json_writes(value in hostile_value()) {
        let whole = value.to_string();
        if !value.is_string() && whole.len() <= BOUND {
            prop_assert_eq!(render_str(&whole), render(&value));
        }
    }

    #[test]
    fn first_is_what_sorting_keeps(mut elements in prop::collection::vec(0_u8..40, 0..60)) {
        let kept = first(elements.iter().copied());
        elements.sort_unstable();
        prop_assert_eq!(kept.count(), elements.len());
        elements.truncate(LISTED);
        prop_assert_eq!(kept.into_items(), elements);
    }
}
