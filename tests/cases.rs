//! Small cases with sure answers, from public bug reports.
//!
//! In: `cases.jsonl` (`PORTCULLIS_CASES`, or `../shared/cases/cases.jsonl` beside this crate) and
//! `corpus/cases-open.json`, which says why a case is not answered yet. Out: a line that counts what passed and
//! what was skipped and why, another on what the twin had to say of them, a table of what the large ones cost; and a
//! failure for every other answer, for a large case past its bounds, and for every reason that no longer holds.
//! Without the file it says that it skipped; with `CI=true` that fails.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod twin;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portcullis::{BuildError, Dialect, Scratch, Validator};
use serde_json::{Map, Value, json};
use twin::{Draft, Twin, agree};

/// Size of a large case where the twin cannot judge it whole.
const SMALL: usize = 10;

/// Bytes of a key that a path shows; the twin's paths are not cut.
const KEY: usize = 256;

/// What a large case may take, from the schema's build to the refusal: promised for a release build, where the slowest
/// is near a tenth of it.
const TIME: Duration = Duration::from_secs(1);

/// Steps of a check for a byte of schema and instance, whatever the case.
const STEPS_A_BYTE: u64 = 12;

#[test]
fn the_reported_cases_are_answered() {
    let Some(text) = cases() else { return };
    let open =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/cases-open.json")).unwrap();
    let open: Vec<Value> = serde_json::from_str(&open).unwrap();
    let mut open: BTreeMap<&str, &str> =
        open.iter().map(|entry| (entry["id"].as_str().unwrap(), entry["reason"].as_str().unwrap())).collect();
    let mut passed = 0;
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let mut complaints = Vec::new();
    let mut seen = Seen { metaschemas: twin::metaschemas::all(), ..Seen::default() };
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        match answer(&case, &mut seen) {
            Answer::Skipped(reason) => *skipped.entry(reason).or_default() += 1,
            Answer::Right if open.contains_key(id) => {
                complaints.push(format!("{id}: passes in spite of its reason"))
            }
            Answer::Right => passed += 1,
            Answer::Wrong(got) => match open.remove(id) {
                Some(reason) => *skipped.entry(format!("open: {reason}")).or_default() += 1,
                None => complaints.push(format!("{id}: {got}\n    {}", case["summary"])),
            },
        }
    }
    say(&format!("\nreported cases: {passed} passed\n"));
    for (reason, count) in skipped {
        say(&format!("    {count} skipped: {reason}\n"));
    }
    say(&seen.report());
    complaints.extend(seen.complaints);
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
}

/// How a case went.
enum Answer {
    Right,
    Wrong(String),
    Skipped(String),
}

/// What is noted beside the answers.
#[derive(Default)]
struct Seen {
    metaschemas: Vec<(String, Value)>,
    /// Cases that the twin judged: whole, and those of these where the engine told it of a format, and large ones at
    /// a smaller size.
    whole: usize,
    borrowed: usize,
    small: Vec<String>,
    /// Cases without the twin's word, by reason.
    none: BTreeMap<String, Vec<String>>,
    costs: Vec<String>,
    complaints: Vec<String>,
}

impl Seen {
    fn report(&self) -> String {
        let Seen { whole, borrowed, small, none, costs, .. } = self;
        let mut report =
            format!("twin: {whole} judged ({borrowed} with a format that the engine told it of)\n");
        report += &format!("    {} at a smaller size: {}\n", small.len(), small.join(", "));
        for (reason, cases) in none {
            report += &format!("    {} not: {reason}: {}\n", cases.len(), cases.join(", "));
        }
        report += "large cases\n    build ms  accept ms   check ms        steps        bytes  case\n";
        report + &costs.concat()
    }

    /// Measures a large case.
    fn cost(&mut self, id: &str, build: Duration, validator: &Validator, schema: &Value, instance: &Value) {
        let mut scratch = Scratch::new();
        let start = Instant::now();
        let valid = validator.is_valid_with(&mut scratch, instance);
        let accept = start.elapsed();
        let checked = validator.check_with(&mut scratch, instance);
        let check = start.elapsed().saturating_sub(accept);
        let steps = scratch.steps();
        drop(checked);
        let bytes = (schema.to_string().len() + instance.to_string().len()) as u64;
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        self.costs.push(format!(
            "{:12.3} {:10.3} {:10.3} {steps:12} {bytes:12}  {id} ({valid})\n",
            milliseconds(build),
            milliseconds(accept),
            milliseconds(check),
        ));
        if steps > STEPS_A_BYTE * bytes {
            self.complaints.push(format!("{id}: {steps} steps for {bytes} bytes"));
        }
        if !cfg!(debug_assertions) && build + accept + check > TIME {
            self.complaints.push(format!("{id}: {:?} is past {TIME:?}", build + accept + check));
        }
    }

    /// What the twin says against the engine.
    fn twin(
        &mut self,
        case: &Value,
        dialect: Dialect,
        validator: &Validator,
        both: [&Value; 2],
    ) -> Option<String> {
        let [schema, instance] = both;
        let given = case["resources"].as_object().into_iter().flatten();
        let given = given.map(|(uri, resource)| (uri.clone(), resource.clone()));
        let documents: Vec<_> = given.chain(self.metaschemas.iter().cloned()).collect();
        let assert = case["options"]["format_assertion"] == true;
        let twin = Twin::new(Draft::of(dialect), schema, &documents).assert_format(assert);
        let id = case["id"].as_str().unwrap();
        let reason = match twin.answer(instance) {
            Ok(answer) if answer.entries.iter().any(|entry| entry.pointer.len() > KEY) => {
                "a path longer than is shown".to_owned()
            }
            Ok(answer) => {
                self.whole += 1;
                self.borrowed += usize::from(twin.has_borrowed());
                let differences = agree::differences(validator, instance, &answer);
                return (!differences.is_empty()).then(|| differences.join("; "));
            }
            Err(reason) => reason,
        };
        if let Ok(Some((own, instance))) = generate(id, SMALL) {
            let schema = own.as_ref().unwrap_or(schema);
            let twin = Twin::new(Draft::of(dialect), schema, &documents).assert_format(assert);
            if let Ok(answer) = twin.answer(&instance) {
                self.small.push(format!("{id} ({reason})"));
                let validator = build(case, dialect, schema).unwrap();
                let differences = agree::differences(&validator, &instance, &answer);
                return (!differences.is_empty()).then(|| differences.join("; "));
            }
        }
        self.none.entry(reason).or_default().push(id.to_owned());
        None
    }
}

fn answer(case: &Value, seen: &mut Seen) -> Answer {
    let id = case["id"].as_str().unwrap();
    let name = case["draft"].as_str().unwrap();
    let dialect = Dialect::from_name(name).unwrap_or_else(|| panic!("no such dialect: {name}"));
    let read = || -> Result<_, String> {
        Ok((read(case, "schema")?, read(case, "instance")?, generate(id, usize::MAX)?))
    };
    let is_large = case.get("generate").is_some();
    let (schema, instance) = match read() {
        Ok((schema, _, Some((own, instance)))) => (own.or(schema), Some(instance)),
        Ok((schema, instance, None)) => (schema, instance),
        Err(reason) => return Answer::Skipped(reason),
    };
    let Some(schema) = schema else { return Answer::Wrong("no generator for it".to_owned()) };
    let start = Instant::now();
    let built = build(case, dialect, &schema);
    let time = start.elapsed();
    let mut untold = |reason: &str| seen.none.entry(reason.to_owned()).or_default().push(id.to_owned());
    if let Some(valid) = case["schema_valid"].as_bool() {
        untold("the case asks whether the schema builds");
        return match built {
            Ok(_) if !valid => Answer::Wrong("the schema builds".to_owned()),
            Err(error) if valid => Answer::Wrong(format!("does not build: {error}")),
            Ok(_) | Err(_) => Answer::Right,
        };
    }
    let Some(instance) = instance else { return Answer::Wrong("no generator for it".to_owned()) };
    match built {
        Ok(validator) => {
            if is_large {
                seen.cost(id, time, &validator, &schema, &instance);
            }
            match seen.twin(case, dialect, &validator, [&schema, &instance]) {
                Some(difference) => Answer::Wrong(format!("the twin differs: {difference}")),
                None => judge(case, &validator, &instance),
            }
        }
        // Where there is no sure answer, a clean error is one.
        Err(_) if case["valid"].is_null() => {
            untold("the schema is refused, as the case allows");
            Answer::Right
        }
        Err(error) => Answer::Wrong(format!("does not build: {error}")),
    }
}

fn build(case: &Value, dialect: Dialect, schema: &Value) -> Result<Validator, BuildError> {
    let assert = case["options"]["format_assertion"] == true;
    let mut options = Validator::options().dialect(dialect).assert_format(assert);
    for (uri, resource) in case["resources"].as_object().into_iter().flatten() {
        options = options.resource(uri, resource.clone());
    }
    options.build(schema)
}

/// The verdict through every door, and the failing places where the case names them.
fn judge(case: &Value, validator: &Validator, instance: &Value) -> Answer {
    let refusal = validator.check(instance).err();
    let verdicts: BTreeSet<bool> = [
        Some(validator.is_valid(instance)),
        Some(validator.is_valid_unfused(instance)),
        Some(refusal.is_none()),
        instance.as_object().map(|members| validator.is_valid_object(members)),
        instance.as_object().map(|members| validator.check_object(members).is_ok()),
    ]
    .into_iter()
    .flatten()
    .collect();
    if verdicts.len() != 1 {
        return Answer::Wrong("the doors disagree".to_owned());
    }
    let by_bytes = twin::bytes::differences(validator, instance);
    if !by_bytes.is_empty() {
        return Answer::Wrong(by_bytes.join("; "));
    }
    if let Some(valid) = case["valid"].as_bool()
        && !verdicts.contains(&valid)
    {
        return Answer::Wrong(format!("{} instead of {valid}", !valid));
    }
    if let (Some(wanted), Some(refusal)) = (case["expect_paths"].as_array(), refusal) {
        let wanted: BTreeSet<&str> = wanted.iter().filter_map(Value::as_str).collect();
        let got: BTreeSet<&str> = refusal.entries().iter().map(|entry| entry.pointer()).collect();
        if got != wanted || refusal.total() != wanted.len() {
            return Answer::Wrong(format!("at {got:?} instead of {wanted:?}"));
        }
    }
    Answer::Right
}

/// The schema or the instance, where the case gives it; or why it cannot be had as it is written.
fn read(case: &Value, field: &str) -> Result<Option<Value>, String> {
    if let Some(value) = case.get(field) {
        return Ok(Some(value.clone()));
    }
    let Some(text) = case[format!("{field}_text")].as_str() else { return Ok(None) };
    let value = serde_json::from_str(text).map_err(|_| lost())?;
    for literal in number_literals(text) {
        let read = serde_json::from_str(literal).map_err(|_| lost())?;
        if !twin::spells(literal, &read) {
            return Err(lost());
        }
    }
    Ok(Some(value))
}

/// Why a number is not what its text says.
fn lost() -> String {
    "the number needs arbitrary_precision".to_owned()
}

/// The numbers of a JSON text, as they are spelled.
fn number_literals(text: &str) -> Vec<&str> {
    let outside_strings = text.split('"').step_by(2);
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    outside_strings
        .flat_map(move |part| part.split(move |c| !is_part(c)))
        .filter(|run| run.contains(|c: char| c.is_ascii_digit()))
        .collect()
}

/// What the case says in words: a schema where it is not given, and the instance; of each size that it names, at most
/// `most`.
fn generate(id: &str, most: usize) -> Result<Option<(Option<Value>, Value)>, String> {
    let up_to = |size: usize| size.min(most);
    let members = |count: usize, key: &dyn Fn(usize) -> String| -> Value {
        (0..up_to(count)).map(|at| (key(at), at.into())).collect::<Map<_, _>>().into()
    };
    let ladder = |keyword: &str, bottom: &str| {
        let mut defs = Map::from_iter([("d0".to_owned(), json!({"type": bottom}))]);
        for step in 1..=up_to(40) {
            let below = json!({"$ref": format!("#/$defs/d{}", step - 1)});
            defs.insert(format!("d{step}"), json!({keyword: [below, below]}));
        }
        json!({"$defs": defs, "$ref": format!("#/$defs/d{}", up_to(40))})
    };
    let instance = match id {
        "redos-via-property-name" => json!({format!("{}!", "w".repeat(up_to(50_000))): 1}),
        "additionalprops-error-many-keys-bounded" => members(100_000, &|at| format!("k{at:06}").repeat(50)),
        "redos-ambiguous-alternation" => json!("x".repeat(up_to(50_000)) + "z"),
        "uniqueitems-large-strings-all-distinct" => {
            (0..up_to(200_000)).map(|at| format!("/api/path/{at}")).collect()
        }
        "unevaluatedproperties-linear" => members(200_000, &|at| format!("k{at}")),
        "uniqueitems-collision-friendly-integers" => {
            (0..up_to(200_000)).map(|at| (at as u64) << 32).collect()
        }
        "errors-product-of-branches-and-items" => vec![1.5; up_to(300_000)].into(),
        "unevaluateditems-linear" => (0..up_to(200_000)).collect(),
        "redos-nested-plus" => json!("a".repeat(up_to(100_000)) + "!"),
        "email-dots-redos" => json!(".".repeat(up_to(100_000))),
        "uniqueitems-large-objects-dup-at-ends" => {
            (0..=up_to(200_000)).map(|at| json!({"id": at % up_to(200_000), "n": "item"})).collect()
        }
        "redos-inside-not-must-fail-closed" => json!("a".repeat(up_to(60))),
        "message-bounded-huge-string" => json!("A".repeat(up_to(10_000_000))),
        "message-bounded-long-key-path" => json!({"k".repeat(up_to(1_000_000)): "x"}),
        "number-one-million-digits-multipleof" => {
            serde_json::from_str(&"9".repeat(up_to(1_000_000))).map_err(|_| lost())?
        }
        "composition-bomb-anyof-defs" => return Ok(Some((Some(ladder("anyOf", "string")), json!(7)))),
        "composition-bomb-allof-defs" => return Ok(Some((Some(ladder("allOf", "integer")), json!(7)))),
        "deep-schema-not-parity" => {
            let schema = (0..up_to(100)).fold(json!({"type": "string"}), |inner, _| json!({"not": inner}));
            return Ok(Some((Some(schema), json!("x"))));
        }
        "message-bounded-huge-enum" => {
            let choices: Value = (0..up_to(100_000)).map(|at| format!("opt{at}")).collect();
            return Ok(Some((Some(json!({"enum": choices})), json!("nope"))));
        }
        _ => return Ok(None),
    };
    Ok(Some((None, instance)))
}

/// Every case is of a kind that `corpus/faults.json` names, where our own cases of that kind are told.
#[test]
fn the_reported_cases_are_of_known_kinds() {
    let Some(text) = cases() else { return };
    let kinds = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/faults.json");
    let kinds: Vec<Value> = serde_json::from_str(&fs::read_to_string(kinds).unwrap()).unwrap();
    let listed: Vec<&str> = kinds
        .iter()
        .flat_map(|kind| kind["reported"].as_array().unwrap())
        .filter_map(Value::as_str)
        .collect();
    let known: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(known.len(), listed.len(), "a case is of two kinds");
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let reported: BTreeSet<&str> = cases.iter().map(|case| case["id"].as_str().unwrap()).collect();
    let unknown: Vec<_> = reported.symmetric_difference(&known).collect();
    assert!(unknown.is_empty(), "on one side only: {unknown:?}");
    say(&format!("{} reported cases of {} kinds\n", reported.len(), kinds.len()));
}

/// The text of the cases, where they are.
fn cases() -> Option<String> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/cases.jsonl");
    let path = std::env::var_os("PORTCULLIS_CASES").map_or_else(beside, PathBuf::from);
    if let Ok(text) = fs::read_to_string(&path) {
        return Some(text);
    }
    let message = format!("the reported cases are not at {}", path.display());
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{message}");
    say(&format!("skipped: {message}\n"));
    None
}

/// Writes past the test harness, which swallows what a passing test prints.
fn say(text: &str) {
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}
