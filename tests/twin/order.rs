//! The order of paths, and their spelling as JSON Pointers.

use std::cmp::Ordering;

/// Outermost token first; a path before its extensions.
pub(crate) fn paths(one: &[String], other: &[String]) -> Ordering {
    for (one, other) in one.iter().zip(other) {
        let order = tokens(one, other);
        if order.is_ne() {
            return order;
        }
    }
    one.len().cmp(&other.len())
}

/// Tokens of ASCII digits by number, then by fewer digits; numbers before names; names by bytes.
fn tokens(one: &str, other: &str) -> Ordering {
    let number = |token: &str| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    match (number(one), number(other)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => one.as_bytes().cmp(other.as_bytes()),
        (true, true) => {
            let (small, large) = (one.trim_start_matches('0'), other.trim_start_matches('0'));
            small.len().cmp(&large.len()).then_with(|| small.cmp(large)).then(one.len().cmp(&other.len()))
        }
    }
}

/// RFC 6901 §3.
pub(crate) fn pointer(path: &[String]) -> String {
    path.iter().map(|token| format!("/{}", token.replace('~', "~0").replace('/', "~1"))).collect()
}
