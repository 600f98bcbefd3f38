//! What patterns keep in memory: no schema and no text makes a scratch hold more than its budget for automata, or a try
//! of a backtracking pattern more than its frames, and nothing is kept outside the scratch.
//!
//! In: patterns whose automata grow with the text. Out: a failure where the counting allocator sees more than the
//! limits say, where what is kept is allocated again, or where what had to be made anew was not charged.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

use allocation_counter::measure;
use portcullis::limits::{BACKTRACK_BYTES, BACKTRACK_FRAMES, PATTERN_CACHES};
use portcullis::{Limits, Scratch, Validator};
use serde_json::{Value, json};

/// What a single match adds before its automaton is looked at.
const ONE_MATCH: u64 = 1 << 20;

/// Steps that do not run out: what is judged here is memory.
const PLENTY: u64 = 10_000_000_000;

/// A schema of `count` patterns none of which matches a text of digits, so that all are run.
fn many_patterns(count: usize) -> Validator {
    let patterns: Vec<Value> =
        (0..count).map(|index| json!({"not": {"pattern": format!("1[01]{{12}}x{index}")}})).collect();
    let limits = Limits::default().steps(PLENTY).patterns_bytes(64 << 20);
    Validator::options().limits(limits).build(&json!({"allOf": patterns})).unwrap()
}

/// Zeros and ones without a period, so that most places of the text lead to a state of their own.
fn digits(count: usize) -> Value {
    let mut state = 1_u64;
    let digit = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if state >> 63 == 1 { '1' } else { '0' }
    };
    Value::String((0..count).map(digit).collect())
}

#[test]
fn the_automata_of_three_thousand_patterns_stay_under_the_budget() {
    let validator = many_patterns(3_000);
    let text = digits(1_000);
    let mut used = 0;
    let memory = measure(|| {
        let mut scratch = Scratch::new();
        for _ in 0..2 {
            assert!(validator.is_valid_with(&mut scratch, &text));
            used = used.max(scratch.memory_usage());
        }
    });
    assert!(memory.bytes_max > PATTERN_CACHES as u64 / 2, "the counter counts: {}", memory.bytes_max);
    assert!(memory.bytes_max <= PATTERN_CACHES as u64 + ONE_MATCH, "{} bytes at the peak", memory.bytes_max);
    // The scratch tells of them, and takes all of it along.
    assert!(used > PATTERN_CACHES / 4, "{used}");
    assert_eq!(memory.bytes_current, 0, "{} bytes left behind", memory.bytes_current);
}

#[test]
fn automata_that_fit_the_budget_are_kept_and_those_that_do_not_are_paid_for_again() {
    let text = json!("10110");
    for (count, fits) in [(200, true), (2_000, false)] {
        let validator = many_patterns(count);
        let mut scratch = Scratch::new();
        assert!(validator.is_valid_with(&mut scratch, &text));
        let cold = scratch.steps();
        let warm = measure(|| assert!(validator.is_valid_with(&mut scratch, &text)));
        let (used, steps) = (scratch.memory_usage(), scratch.steps());
        assert!(used <= PATTERN_CACHES + ONE_MATCH as usize / 2, "{used}");
        assert_eq!(warm.count_total == 0, fits, "{count}: {} allocations, {used} bytes", warm.count_total);
        assert_eq!(steps < cold / 2, fits, "{count}: {steps} steps after {cold}");
    }
}

#[test]
fn one_scratch_serves_the_patterns_of_many_validators() {
    let text = digits(1_000);
    let mut scratch = Scratch::new();
    let memory = measure(|| {
        for round in 0..300 {
            let schema = json!({"pattern": format!("1[01]{{12}}x{round}")});
            let validator = Validator::new(&schema).unwrap();
            // Each has an automaton of its own, whatever the scratch has run before.
            assert!(!validator.is_valid_with(&mut scratch, &text));
            assert!(validator.is_valid_with(&mut scratch, &json!(format!("1{}x{round}", "0".repeat(12)))));
        }
    });
    assert!(memory.bytes_max <= PATTERN_CACHES as u64 + 2 * ONE_MATCH, "{} bytes", memory.bytes_max);
}

#[test]
fn what_a_backtracking_try_keeps_is_bounded_by_its_frames() {
    /// Bytes of all frames, twice and a half since a vector that grows lives beside its successor.
    const MOST: u64 = 16 * BACKTRACK_FRAMES as u64 * 5 / 2;
    const GROUPS: usize = 40;
    // Every round of the repetition reads two bytes, and sets and empties forty groups: eighty frames a byte.
    let pattern = format!(r"^(?:{}a{}\1?)*$", "(".repeat(GROUPS), ")".repeat(GROUPS));
    let limits = Limits::default().steps(PLENTY);
    let validator = Validator::options().limits(limits).build(&json!({"pattern": pattern})).unwrap();
    for (length, fits) in [(BACKTRACK_BYTES / 2, true), (BACKTRACK_BYTES, false)] {
        let text = json!("a".repeat(length));
        let mut scratch = Scratch::new();
        let memory = measure(|| assert_eq!(validator.is_valid_with(&mut scratch, &text), fits, "{length}"));
        assert!(memory.bytes_max <= MOST, "{length}: {} bytes at the peak", memory.bytes_max);
        assert!(scratch.memory_usage() > BACKTRACK_FRAMES && scratch.memory_usage() as u64 <= MOST);
        let warm = measure(|| assert_eq!(validator.is_valid_with(&mut scratch, &text), fits));
        assert_eq!(warm.count_total, 0, "{length}");
        if !fits {
            let refusal = validator.check_with(&mut scratch, &text).unwrap_err();
            assert!(!refusal.is_complete());
            let text = refusal.entries()[0].problems()[0].text();
            assert_eq!(text, "value could not be checked against pattern");
        }
    }
}

#[test]
fn threads_share_no_automaton_through_the_validator() {
    let validator = many_patterns(100);
    let text = digits(1_000);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let kept = measure(|| assert!(validator.is_valid_with(&mut Scratch::new(), &text)));
                assert_eq!(kept.bytes_current, 0);
            });
        }
    });
}
