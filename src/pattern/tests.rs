//! The corpus, random patterns against an independent ECMA-262 engine, and patterns made to hurt.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;

use super::plan::Plan;
use super::price::Price;
use super::*;
use crate::limits::{BACKTRACK_BYTES, BACKTRACK_STEPS, STEPS};

fn build(source: &str) -> Pattern {
    Pattern::new(source, &Limits::default()).unwrap_or_else(|error| panic!("{source:?}: {error}"))
}

fn refusal(source: &str) -> String {
    Pattern::new(source, &Limits::default()).err().map(|error| error.to_string()).unwrap_or_default()
}

fn matches(pattern: &Pattern, text: &str) -> Result<bool, Exhausted> {
    pattern.is_match(text, &mut Meter::new(STEPS), &mut Caches::default(), &Limits::default())
}

/// The verdict, and what it cost.
fn metered(pattern: &Pattern, text: &str) -> (Result<bool, Exhausted>, u64) {
    let mut meter = Meter::new(STEPS);
    let verdict = pattern.is_match(text, &mut meter, &mut Caches::default(), &Limits::default());
    (verdict, meter.used())
}

#[test]
fn few_alternatives_are_written_out() {
    let plain = |source: &str| matches!(build(source).planned.plan, Plan::Plain(_));
    let spelled = build("^([Ee][Ss]([356]|20(1[5-9])?|[Nn]ext)|\\d{2,3}é?|)$");
    assert!(matches!(spelled.planned.plan, Plan::Plain(_)));
    for text in ["ES5", "es20", "eS2017", "ESnext", "12", "123", "12é", "123é", ""] {
        assert_eq!(matches(&spelled, text), Ok(true), "{text}");
    }
    for text in ["ES", "es4", "es201", "ES2014", "ESnext ", "1", "1234", "é", "e", "S5", "12éé"] {
        assert_eq!(matches(&spelled, text), Ok(false), "{text}");
    }
    let branches = |count: usize| {
        let one = |number| format!("[Aa]{number}");
        format!("^({})$", (0..count).map(one).collect::<Vec<_>>().join("|"))
    };
    assert!(plain(&branches(32)) && !plain(&branches(33)));
    // Without an end, or where a run takes what has to follow it, an automaton is asked.
    assert!(!plain("^([Aa]|[Bb]c)") && !plain("^([ab]*b|[Cc])$"));
}

#[test]
fn what_leads_to_a_set_is_a_plain_test() {
    let led = build(r"^.*[!é]");
    assert!(matches!(led.planned.plan, Plan::Plain(_)));
    for (text, holds) in
        [("a!", true), ("!", true), ("日é", true), ("a\n!", false), ("a", false), ("", false)]
    {
        assert_eq!(matches(&led, text), Ok(holds), "{text}");
    }
    // A text of several characters that no run takes is read as before.
    assert!(matches!(build("^[a-z]*-x").planned.plan, Plan::Plain(_)));
    // What leads there may itself be what is looked for.
    let within = build("^[a-z]*m");
    assert!(matches!(within.planned.plan, Plan::Plain(_)));
    for (text, holds) in [("abm1", true), ("m", true), ("ab1m", false), ("M", false)] {
        assert_eq!(matches(&within, text), Ok(holds), "{text}");
    }
}

#[test]
fn words_of_printable_characters_are_passed_over_at_once() {
    let (line, three) = (build("^.+$"), build("^.{9,17}$"));
    for length in 0..40 {
        let text = "~".repeat(length);
        assert_eq!(matches(&line, &text), Ok(length > 0), "{length}");
        assert_eq!(matches(&three, &text), Ok((9..=17).contains(&length)), "{length}");
        for at in 0..length {
            // Below the blank, DEL, beyond ASCII, and what ends a line.
            for (odd, is_line) in [('\u{1f}', true), ('\u{7f}', true), ('\u{80}', true), ('\n', false)] {
                let mixed: String =
                    text.chars().enumerate().map(|(place, c)| if place == at { odd } else { c }).collect();
                assert_eq!(matches(&line, &mixed), Ok(is_line), "{mixed:?}");
                let fits = is_line && (9..=17).contains(&length);
                assert_eq!(matches(&three, &mixed), Ok(fits), "{mixed:?}");
            }
        }
    }
}

#[test]
fn the_corpus_holds() {
    let mut cases = 0;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/patterns");
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let list: Value = serde_json::from_str(&text).unwrap();
        for case in list.as_array().unwrap() {
            cases += 1;
            let source = case["pattern"].as_str().unwrap();
            let refused = case.get("refused").is_some();
            let valid = case.get("valid").map_or(!refused, |valid| valid.as_bool().unwrap());
            assert_eq!(is_valid(source), Ok(valid), "is_valid: {case}");
            let pattern = match Pattern::new(source, &Limits::default()) {
                Ok(pattern) => pattern,
                Err(error) => {
                    assert!(refused, "{case}: {error}");
                    assert_eq!(error.is_limit(), valid, "{case}: {error}");
                    continue;
                }
            };
            assert!(!refused, "must be refused: {case}");
            assert_eq!(pattern.source(), source);
            for (key, verdict) in [("matches", true), ("rejects", false)] {
                for text in case.get(key).and_then(Value::as_array).into_iter().flatten() {
                    let text = text.as_str().unwrap();
                    assert_eq!(matches(&pattern, text), Ok(verdict), "{case}: {text:?}");
                }
            }
        }
    }
    assert!(cases > 150);
}

/// Sources that the grammar makes: mostly right, of every construct, small. Lone surrogates are left out, since
/// the other engine takes a pattern with one for a pattern that never matches (`(?:\ud83d)*`).
fn sources() -> impl Strategy<Value = String> {
    let atoms = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "_",
        "-",
        "1",
        "é",
        "ſ",
        "🐲",
        ".",
        r"\d",
        r"\D",
        r"\w",
        r"\W",
        r"\s",
        r"\S",
        "[ab]",
        "[^a]",
        "[^]",
        "[]",
        "[a-c1]",
        r"[\w-]",
        r"[^\W\d]",
        r"[\s\S]",
        r"[^\s]",
        r"\p{L}",
        r"\P{L}",
        r"\p{Lu}",
        r"[^\p{L}a]",
        r"\p{sc=Greek}",
        r"\p{Nd}",
        r"\u{1f432}",
        r"\ud83d\udc32",
        r"\x61",
        r"\n",
        r"\u2028",
        r"\1",
        r"\2",
        r"\k<n>",
        "(?<n>a|b)",
        r"\t",
        "[é-🐲]",
    ]);
    let terms = prop_oneof![
        8 => atoms.prop_map(String::from),
        1 => Just("^".to_owned()),
        1 => Just("$".to_owned()),
        1 => Just(r"\b".to_owned()),
        1 => Just(r"\B".to_owned()),
    ];
    terms.prop_recursive(4, 24, 4, |inner| {
        let quantifiers = prop::sample::select(vec![
            "*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "*?", "+?", "??", "{1,2}?", "{0}",
        ]);
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            2 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
            2 => inner.clone().prop_map(|a| format!("({a})")),
            2 => (inner.clone(), quantifiers.clone()).prop_map(|(a, q)| format!("(?:{a}){q}")),
            2 => (inner.clone(), quantifiers).prop_map(|(a, q)| format!("({a}){q}")),
            1 => inner.clone().prop_map(|a| format!("(?={a})")),
            1 => inner.clone().prop_map(|a| format!("(?!{a})")),
            1 => inner.clone().prop_map(|a| format!("(?<={a})")),
            1 => inner.clone().prop_map(|a| format!("(?<!{a})")),
            1 => inner.clone().prop_map(|a| format!("^{a}$")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("^(?={a})(?!{b})")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("{a}|{b}")),
        ]
    })
}

fn texts() -> impl Strategy<Value = String> {
    let letters = prop::sample::select(vec![
        'a', 'a', 'a', 'b', 'b', 'c', '1', '_', '-', ' ', '\n', '\r', '\u{2028}', 'é', 'ſ', '\u{212a}', '🐲',
        '🐉', '٣', 'α', 'A', '\u{feff}', '\u{85}', '\t',
    ]);
    prop::collection::vec(letters, 0..9).prop_map(String::from_iter)
}

/// The same verdict as the other engine, whichever way the pattern is run.
fn agrees(source: &str, texts: &[String]) -> Result<(), TestCaseError> {
    let limits = Limits::default();
    let theirs = regress::Regex::with_flags(source, "u");
    if source.matches("(?<n>").count() > 1 {
        // The stated strictness of the parser.
        prop_assert_eq!(is_valid(source), Ok(false));
        return Ok(());
    }
    prop_assert_eq!(is_valid(source), Ok(theirs.is_ok()), "is_valid: {:?}", source);
    let (Ok(ours), Ok(theirs)) = (Pattern::new(source, &limits), theirs) else { return Ok(()) };
    for text in texts {
        let Ok(verdict) = matches(&ours, text) else { continue };
        // Its other executor loses matches: `(((.)+)+){2}` on "aa".
        let found =
            regress::backends::find::<regress::backends::PikeVMExecutor<'_, '_>>(&theirs, text, 0).next();
        prop_assert_eq!(verdict, found.is_some(), "{:?} on {:?}", source, text);
    }
    Ok(())
}

/// Each on a dozen texts: a second.
const RANDOM_PATTERNS: u32 = 3_000;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: RANDOM_PATTERNS,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_patterns_mean_what_another_engine_says(
        source in sources(),
        texts in prop::collection::vec(texts(), 12),
    ) {
        agrees(&source, &texts)?;
    }

    #[test]
    fn all_matchers_agree(source in sources(), texts in prop::collection::vec(texts(), 12)) {
        every_way_agrees(&source, &texts)?;
    }

    #[test]
    fn any_text_is_judged_without_a_panic(source in r"[\[\](){}<>?*+|\\^$.,:=!PpuxckbBdk0-9a-f-]{0,24}") {
        let built = Pattern::new(&source, &Limits::default());
        match built {
            Ok(_) => prop_assert_eq!(is_valid(&source), Ok(true)),
            Err(error) => {
                prop_assert_eq!(is_valid(&source), Ok(error.is_limit()));
                prop_assert!(error.to_string().len() < 128);
                prop_assert!(error.offset().is_none_or(|offset| source.is_char_boundary(offset)));
            }
        }
    }
}

/// A pattern that a cheaper matcher runs, run by the dearer ones too.
fn every_way_agrees(source: &str, texts: &[String]) -> Result<(), TestCaseError> {
    use super::nfa::{For, Program};
    let limits = Limits::default();
    let (Ok(ast), Ok(pattern)) = (parse::parse(source), Pattern::new(source, &limits)) else { return Ok(()) };
    let backtracking = Program::new(&ast.root, ast.groups, For::Backtracking, 10_000);
    let backtrack = backtracking.map(super::backtrack::Backtrack::new);
    let places = (!ast.refers)
        .then(|| Program::new(&ast.root, ast.groups, For::Sets, 10_000))
        .map(|program| program.map(super::places::Places::new));
    for text in texts {
        let Ok(verdict) = matches(&pattern, text) else { continue };
        let mut meter = Meter::new(STEPS);
        if let Some(Ok(places)) = &places {
            prop_assert_eq!(
                places.is_match(text, &mut meter, &mut Caches::default()),
                Ok(verdict),
                "{:?} on {:?}",
                source,
                text
            );
        }
        if let Ok(backtrack) = &backtrack
            && let Ok(other) = backtrack.is_match(text, &mut meter, &mut Caches::default(), &limits)
        {
            prop_assert_eq!(other, verdict, "{:?} on {:?}", source, text);
        }
    }
    Ok(())
}

#[test]
fn patterns_made_to_explode_are_linear() {
    for source in [
        "^(a|a)*$",
        "^((a+)+)+$",
        r"^(\w+\s?)*$",
        "^(?:a?){30}a{30}$",
        "^(?:(?=.*z|x).)*$",
        "^(?=(a+)+b)a",
        "^(?:(?!b)a|a)*$",
        "(?<=(?:a+)+b)c",
        "(a*)*c",
    ] {
        let pattern = build(source);
        assert!(!pattern.backtracks(), "{source}");
        for letter in ["a", "aaaa ", "az"] {
            let text = letter.repeat(100_000 / letter.len()) + "!";
            let (verdict, steps) = metered(&pattern, &text);
            assert_eq!(verdict, Ok(false), "{source}");
            let longest = (text.len() as u64 + 1) * (pattern.states() as u64 + 20);
            assert!(steps <= longest, "{source}: {steps}");
        }
    }
}

#[test]
fn many_states_on_a_long_text_are_not_run() {
    let pattern = build("^[ab]*a[ab]{2000}c$");
    assert!(matches!(pattern.planned.plan, Plan::Linear(_)));
    assert_eq!(metered(&pattern, &"ab".repeat(500_000)), (Err(Exhausted), STEPS));
    assert_eq!(matches(&pattern, &"ab".repeat(2_000)), Ok(false));
    assert_eq!(matches(&pattern, &("ab".repeat(2_000) + "bc")), Ok(true));
}

#[test]
fn prices_tell_small_automata_from_large_ones() {
    let price = |source: &str| match build(source).planned.plan {
        Plan::Linear(linear) => linear.price(),
        plan => panic!("{source}: {plan:?}"),
    };
    for quick in ["^(a|bc)+$", r"^.*\.(?:txt|trie)(?:\.gz)?$", r"\bab+\b", "^[01]*1[01]{7}$", "a[^b]+b?c"] {
        assert_eq!(price(quick), Price::Quick, "{quick}");
    }
    // Every place may be held at a time, and no automaton of that size would fit.
    for slow in ["^[01]*1[01]{14}$", "^[01]*1[01]{200}$", "^[ab]*a[ab]{2000}c$"] {
        let states = build(slow).states() as u64;
        assert!(matches!(price(slow), Price::Slow(steps) if steps > states), "{slow}");
    }
    // Large, but one place is held at a time.
    assert!(matches!(price("^(?:abcdefghij){0,1000}$"), Price::Slow(steps) if steps < 64));
}

#[test]
fn back_references_stop_at_their_limits() {
    // No regular pattern tells that the second part is too long for the first.
    let bomb = |letters: usize| format!("{}b{}c", "a".repeat(letters), "a".repeat(letters + 1));
    let pattern = build(r"^(a+)+b\1c$");
    assert!(pattern.backtracks());
    let (verdict, steps) = metered(&pattern, &bomb(2_000));
    assert_eq!(verdict, Err(Exhausted));
    assert!(steps >= BACKTRACK_STEPS && steps <= BACKTRACK_STEPS + BACKTRACK_BYTES as u64 * 10, "{steps}");
    let (verdict, steps) = metered(&pattern, "aaaabaac");
    assert_eq!(verdict, Ok(true));
    assert!(steps < 200, "{steps}");
    assert_eq!(matches(&pattern, &bomb(5)), Ok(false));

    // The length: one byte more is not tried.
    let pattern = build(r"(a)\1");
    let limits = Limits::default().backtrack_bytes(8);
    let mut caches = Caches::default();
    let mut meter = Meter::new(STEPS);
    assert_eq!(pattern.is_match("a2345678", &mut meter, &mut caches, &limits), Ok(false));
    assert_eq!(pattern.is_match("a23456789", &mut meter, &mut caches, &limits), Err(Exhausted));

    // All tries of a walk together: what one took, the next has no more; what is free, each has.
    let (bomb, harmless) = (bomb(30), "aaaabaac");
    let (pattern, limits) = (build(r"^(a+)+b\1c$"), Limits::default().backtrack_steps(1_000));
    let (mut caches, mut meter) = (Caches::default(), Meter::new(STEPS));
    for _ in 0..10_000 {
        assert_eq!(pattern.is_match(harmless, &mut meter, &mut caches, &limits), Ok(true));
    }
    assert_eq!(pattern.is_match(&bomb, &mut meter, &mut caches, &limits), Err(Exhausted));
    assert_eq!(pattern.is_match(harmless, &mut meter, &mut caches, &limits), Err(Exhausted));
    caches.begin();
    assert_eq!(pattern.is_match(harmless, &mut meter, &mut caches, &limits), Ok(true));

    // The meter: it pays for what was tried, and stops the try.
    let mut meter = Meter::new(5);
    assert_eq!(
        pattern.is_match(&"ab".repeat(20), &mut meter, &mut caches, &Limits::default()),
        Err(Exhausted)
    );
    assert_eq!(meter.left(), 0);

    let without = Limits::default().backtracking(false);
    assert!(Pattern::new(r"(a)\1", &without).is_err());
    assert!(Pattern::new("(?=a)b(?<!c)", &without).is_ok());
}

#[test]
fn what_is_only_quadratic_is_not_stopped() {
    let letters = "a".repeat(BACKTRACK_BYTES - 100);
    let distinct: String = ('\u{4e00}'..).take((BACKTRACK_BYTES - 100) / 3).collect();
    for (source, text) in [
        (r"(\w+) \1$", letters.clone()),
        (r"(\w+) \1$", format!("{letters} b")),
        (r"\b(\w+)\s+\1$", format!("{letters} b")),
        (r"(\w+)\W+(?:\w+\W+)*\1!", format!("{letters} b!")),
        (r"(\p{L}+)-\1$", format!("{distinct}-b")),
        (r"(.)(.*)\1b$", distinct.clone() + "b"),
        (r"^(?=.*(.).*\1)", distinct.clone()),
        (r"(['x]).*\1y", "'x".repeat(200) + "zy"),
    ] {
        let pattern = build(source);
        assert!(pattern.backtracks());
        let (verdict, steps) = metered(&pattern, &text);
        assert_eq!(verdict, Ok(false), "{source}: {steps}");
    }
}

#[test]
fn strings_that_a_regular_pattern_tells_are_not_tried() {
    let none = Limits::default().backtrack_steps(0);
    for (source, text, near) in [
        (r"^(a*)*\1b$", "a".repeat(100_000), "ab"),
        (r"^(a*)*\1b$", "a".repeat(25) + "bc", "aaab"),
        (r"^(a*)*\1[bc]$", "a".repeat(25) + "d", "aac"),
        (r"^(\w+) \1$", "a".repeat(100), "a b"),
    ] {
        let verdict = |text: &str, limits| {
            build(source).is_match(text, &mut Meter::new(STEPS), &mut Caches::default(), limits)
        };
        assert_eq!(verdict(&text, &none), Ok(false), "{source}");
        // The near miss must be tried.
        assert_eq!(verdict(near, &none), Err(Exhausted), "{source}");
    }
}

#[test]
fn an_empty_meter_runs_nothing() {
    for source in [r"^(a|bc)+$", "x(?!a)", r"(a)\1", "^[a-z]+$", "abc"] {
        let pattern = build(source);
        let text = "a".repeat(1_000);
        assert_eq!(
            pattern.is_match(&text, &mut Meter::new(0), &mut Caches::default(), &Limits::default()),
            Err(Exhausted),
            "{source}"
        );
    }
}

#[test]
fn the_source_is_limited_before_it_is_read() {
    let limit = crate::limits::PATTERN_SOURCE;
    assert!(Pattern::new(&"a".repeat(limit), &Limits::default()).is_ok());
    let long = refusal(&"a".repeat(limit + 1));
    assert!(long.contains("longer than the limit"), "{long}");
    assert!(refusal(&"a".repeat(1 << 20)).contains("longer than the limit"));
}

#[test]
fn nesting_is_limited() {
    let nested = |levels: usize| "(".repeat(levels) + "a" + &")".repeat(levels);
    assert_eq!(matches(&build(&nested(super::ast::NEST)), "a"), Ok(true));
    assert!(refusal(&nested(super::ast::NEST + 1)).contains("nested"));
    assert!(refusal(&"(".repeat(10_000)).contains("nested"));
    // With everything that a level can add, in the smallest stack that we promise.
    let levels = super::ast::NEST / 2;
    for (open, close) in [("(b|(?=x", "c)|d)*"), ("(b|(?:x", "c)?|d)+"), ("(b|(x", r"\1)?|d)*")] {
        let deep = open.repeat(levels) + "a" + &close.repeat(levels);
        let run = move || {
            let pattern = Pattern::new(&deep, &Limits::default());
            if let Ok(pattern) = &pattern {
                let _ = matches(pattern, "bxbxd");
            }
            pattern.map(|_| ())
        };
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap();
        assert_eq!(thread.join().unwrap(), Ok(()), "{open}");
    }
}

#[test]
fn validity_alone_knows_no_depth_and_no_size() {
    let levels = 100_000;
    let is = |source: &str| is_valid(source) == Ok(true);
    assert!(is(&("(".repeat(levels) + &")".repeat(levels))));
    assert!(is(&("((?=".repeat(levels) + &"))*".repeat(levels))));
    assert!(!is(&("((?=".repeat(levels) + &")*)".repeat(levels))));
    assert_eq!(is_valid(&"(".repeat(levels)), Ok(false));
    assert_eq!(is_valid(&("[".repeat(levels) + "\\")), Ok(false));
    assert!(is(&"a{1000}".repeat(levels)));
    assert!(is(&"\\p{L}".repeat(levels)));
}

#[test]
fn the_names_of_a_pattern_and_its_levels_are_limited_in_memory() {
    use crate::limits::SYNTAX_BYTES;
    use allocation_counter::measure;
    let named = |count: usize| {
        let mut names = String::new();
        for index in 0..count {
            let _ = write!(names, r"(?<n{index}>a)\k<n{index}>");
        }
        names
    };
    let spelled = |length: usize| format!(r"(?<\u0061{}>a)", "b".repeat(length));
    let nested = |levels: usize| "(".repeat(levels) + &")".repeat(levels);
    for (fits, too_many) in [
        (named(4_000), named(4_200)),
        (spelled(500_000), spelled(530_000)),
        (nested(8 * SYNTAX_BYTES), nested(8 * SYNTAX_BYTES + 65)),
    ] {
        for (source, expected) in [(fits, Ok(true)), (too_many, Err(Exhausted))] {
            let mut verdict = Ok(false);
            let cost = measure(|| verdict = is_valid(&source));
            assert_eq!(verdict, expected);
            assert!(cost.bytes_max <= 2 * SYNTAX_BYTES as u64, "{} bytes", cost.bytes_max);
        }
    }
    // What needs neither needs nothing, once the names of properties are sorted.
    let plain = nested(64) + &r"\p{L}[^\P{sc=Greek}a-z]{2,}(?:x|\b)?".repeat(1_000);
    assert_eq!(is_valid(&plain), Ok(true));
    assert_eq!(measure(|| assert_eq!(is_valid(&plain), Ok(true))).count_total, 0);
}

#[test]
fn compiled_size_is_limited() {
    for source in ["(?:a{1000}b?){1000}", "(?:a|bc){60000}", r"(?:\p{L}a?){500}", "(a{1000}){1000}\\1"] {
        assert!(refusal(source).contains("larger than the limit"), "{source}");
    }
    let limits = Limits::default().pattern_bytes(4_000);
    assert!(Pattern::new("(?:ab|c){10}", &limits).is_ok());
    assert!(Pattern::new("(?:ab|c){100}", &limits).is_err());
    // Sets are limited while they are read, before anything is compiled.
    assert!(refusal(&r"\p{L}".repeat(200)).contains("larger than the limit"));
    for source in ["(?:ab|c){10}", r"x(?!\p{L})", r"(a)\1", "^[a-z]{1,9}$"] {
        let size = build(source).size();
        assert!((50..20_000).contains(&size), "{source}: {size}");
    }
}

#[test]
fn sizes_are_near_what_the_compiler_counts() {
    for source in ["^(?:ab|cd){50}$", "(?:[a-z]b?){100}", r"(?:\p{L}b?){3}", r#"(?:[^"]b?){50}"#] {
        let size = build(source).size() - super::plan::AUTOMATON_BYTES;
        // The least limit that it builds in, within a tenth.
        let mut needed = 64;
        while Pattern::new(source, &Limits::default().pattern_bytes(needed)).is_err() {
            needed += needed / 10 + 1;
        }
        assert!(size <= 3 * needed && needed <= 3 * size, "{source}: {size} for {needed}");
    }
}

#[test]
fn a_pattern_crosses_threads() {
    fn crosses<T: Send + Sync>(_: &T) {}
    let pattern = build(r"(?<!a)(b)\1");
    crosses(&pattern);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(matches(&pattern, "cbb"), Ok(true)));
        }
    });
}

#[test]
fn errors_say_where() {
    let error = Pattern::new("ab(?P<n>c)", &Limits::default()).unwrap_err();
    assert_eq!(error.offset(), Some(2));
    assert_eq!(error.to_string(), "'(?' does not begin a group that ECMA-262 knows (at byte 2)");
    let error = Pattern::new("é\\a", &Limits::default()).unwrap_err();
    assert_eq!(error.offset(), Some(2));
}
