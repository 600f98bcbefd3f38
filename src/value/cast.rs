//! The cast: numbers that the schema calls integers, written as integers.
//!
//! In: the places that a walk has found. Out: the value with those numbers replaced. Two steps, because the walk
//! borrows what the second step changes; nothing moves in between, so a place is still the same address. Memory:
//! one entry a number that is cast. The second step recurses as deep as the walk did, and never deeper.

use std::collections::HashSet;

use serde_json::Value;

use super::{Identity, Instance, Number};

/// Replaces the numbers at the places found. `depth` is what the walk was bounded by.
pub(crate) fn apply(value: &mut Value, casts: &HashSet<Identity>, depth: usize) {
    let mut left = casts.len();
    replace(value, casts, depth, &mut left);
}

fn replace(value: &mut Value, casts: &HashSet<Identity>, depth: usize, left: &mut usize) {
    if *left == 0 || depth == 0 {
        return;
    }
    let place = (&*value).identity();
    match value {
        Value::Number(number) => {
            if casts.contains(&place) {
                *left -= 1;
                if let Some(whole) = Number::from_json(number).to_integer() {
                    *number = whole;
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, casts, depth - 1, left)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| replace(member, casts, depth - 1, left));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
