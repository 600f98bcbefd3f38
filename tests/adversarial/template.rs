//! Templates: JSON that says how to build larger JSON, so that a case of a megabyte is a file of a line.
//!
//! In: a template and the size `n`. Out: a value. An object with one key that begins with `=` is an operator; all
//! else stands for itself. A count or a number is an expression of integers, `n`, and the indices `i` (of the
//! innermost repetition) and `j` (of the next one outwards), joined by `+ - * / %`, from left to right.
//!
//! | operator | value |
//! |---|---|
//! | `{"=number": "n*2"}` | a number |
//! | `{"=literal": text}` | the number that the text spells |
//! | `{"=pad": ["i", 6]}` | the number as six digits |
//! | `{"=text": ["ab", "n"]}` | the text so many times |
//! | `{"=join": [parts]}` | the parts as one text |
//! | `{"=array": ["n", item]}` | an array of so many items |
//! | `{"=arrays": [arrays]}` | their items in one array |
//! | `{"=object": ["n", key, value]}` | an object of so many members |
//! | `{"=objects": [objects]}` | their members in one object |
//! | `{"=nest": ["n", around, inner]}` | so many times the outer template around what stands in its `{"=hole": 0}` |

use serde_json::{Map, Value};

/// What expressions know.
#[derive(Clone, Copy)]
struct Scope {
    n: u64,
    i: u64,
    j: u64,
}

impl Scope {
    fn index(self, i: u64) -> Scope {
        Scope { n: self.n, i, j: self.i }
    }
}

/// The value of a template for the size `n`.
pub(crate) fn build(template: &Value, n: u64) -> Value {
    fill(template, Scope { n, i: 0, j: 0 }, &mut None)
}

/// The number that an expression is for the size `n`.
pub(crate) fn number(expression: &Value, n: u64) -> u64 {
    evaluate(expression, Scope { n, i: 0, j: 0 })
}

fn fill(template: &Value, scope: Scope, hole: &mut Option<Value>) -> Value {
    match template {
        Value::Object(members) => match members.iter().next() {
            Some((name, operand)) if members.len() == 1 && name.starts_with('=') => {
                operate(name, operand, scope, hole)
            }
            _ => members.iter().map(|(key, value)| (key.clone(), fill(value, scope, hole))).collect(),
        },
        Value::Array(items) => items.iter().map(|item| fill(item, scope, hole)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => template.clone(),
    }
}

fn operate(name: &str, operand: &Value, scope: Scope, hole: &mut Option<Value>) -> Value {
    let parts = operand.as_array().map(Vec::as_slice).unwrap_or_default();
    match (name, parts) {
        ("=number", _) => evaluate(operand, scope).into(),
        ("=literal", _) => serde_json::from_str(&text(operand, scope)).expect("a number's text"),
        ("=pad", [value, width]) => {
            format!("{:0width$}", evaluate(value, scope), width = evaluate(width, scope) as usize).into()
        }
        ("=text", [part, count]) => text(part, scope).repeat(evaluate(count, scope) as usize).into(),
        ("=join", parts) => parts.iter().map(|part| text(part, scope)).collect::<String>().into(),
        ("=array", [count, item]) => {
            (0..evaluate(count, scope)).map(|i| fill(item, scope.index(i), hole)).collect()
        }
        ("=arrays", arrays) => {
            let all = arrays.iter().map(|array| fill(array, scope, hole));
            all.flat_map(|array| if let Value::Array(items) = array { items } else { vec![array] }).collect()
        }
        ("=object", [count, key, value]) => (0..evaluate(count, scope))
            .map(|i| (text(key, scope.index(i)), fill(value, scope.index(i), hole)))
            .collect(),
        ("=objects", objects) => {
            let mut all = Map::new();
            for object in objects {
                if let Value::Object(members) = fill(object, scope, hole) {
                    all.extend(members);
                }
            }
            all.into()
        }
        ("=nest", [count, around, inner]) => {
            let mut value = fill(inner, scope, hole);
            for i in 0..evaluate(count, scope) {
                value = fill(around, scope.index(i), &mut Some(value));
            }
            value
        }
        ("=hole", _) => hole.take().expect("one hole, inside a nest"),
        _ => panic!("no operator: {name} {operand}"),
    }
}

fn text(template: &Value, scope: Scope) -> String {
    match fill(template, scope, &mut None) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn evaluate(expression: &Value, scope: Scope) -> u64 {
    let Some(text) = expression.as_str() else {
        return expression.as_u64().expect("a number or an expression");
    };
    let (mut sum, mut operator) = (0, '+');
    for term in text.split_inclusive(['+', '-', '*', '/', '%']) {
        let bare = term.trim_end_matches(['+', '-', '*', '/', '%']);
        let value = match bare {
            "n" => scope.n,
            "i" => scope.i,
            "j" => scope.j,
            digits => digits.parse().expect("n, i, j or digits"),
        };
        sum = match operator {
            '+' => sum + value,
            '-' => sum - value,
            '*' => sum * value,
            '/' => sum / value,
            _ => sum % value,
        };
        operator = term.chars().last().unwrap_or('+');
    }
    sum
}
