//! The corpus, and random patterns against an independent ECMA-262 engine.

use super::*;

fn steps() -> Meter {
    Meter::new(crate::limits::STEPS)
}
fn build(source: &str) -> Pattern {
    Pattern::new(source, &Limits::default()).unwrap_or_else(|e| panic!("{source}: {e}"))
}

#[test]
fn real() {
    let text = std::fs::read_to_string("/tmp/pats.txt").unwrap();
    for line in text.lines() {
        let p: String = serde_json::from_str(line).unwrap();
        let t = std::time::Instant::now();
        let r = Pattern::new(&p, &Limits::default());
        let el = t.elapsed();
        let d = match &r {
            Ok(r) => {
                let s = format!("{:?}", r.planned.plan);
                let s: String = s.chars().take(60).collect();
                let price = {
                    let mut m = steps();
                    let _ = r.is_match("abcdefghijklmnopqrst", &mut m, &Limits::default());
                    m.used()
                };
                format!("{s} size {} states {} steps20 {price}", r.size(), r.states())
            }
            Err(e) => format!("ERR {e}"),
        };
        println!("{:?} {:.60} => {d}", el, p);
    }
}
