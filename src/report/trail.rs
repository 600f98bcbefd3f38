//! The values along a path, so that a text can speak of the one at its end.
//!
//! In: the root, and paths that a walk of the same instance has gone. Out: the value at the end of each. What a path
//! shares with the one before is not gone again: a key is looked up once as the walk enters its member, however
//! many problems lie below it. Size is that of one path.

use super::order::is_same;
use crate::engine::sink::Token;
use crate::value::{Array, Instance, Object, View};

/// The steps to the last place asked for.
#[derive(Debug)]
pub(super) struct Trail<'v, I> {
    root: I,
    steps: Vec<(Token<'v>, Option<I>)>,
}

impl<'v, I: Instance<'v>> Trail<'v, I> {
    pub(super) fn new(root: I) -> Self {
        Trail { root, steps: Vec::new() }
    }

    /// The value at the end of `path`. Were it no path of this instance, its texts would speak of null.
    pub(super) fn value(&mut self, path: &[Token<'v>]) -> View<'v, I> {
        let shared =
            self.steps.iter().zip(path).take_while(|((step, _), token)| is_same(*step, **token)).count();
        self.steps.truncate(shared);
        let mut value = match self.steps.last() {
            Some((_, value)) => *value,
            None => Some(self.root),
        };
        for token in path.iter().skip(shared) {
            value = value.and_then(|value| child(value, *token));
            self.steps.push((*token, value));
        }
        value.map_or(View::Null, Instance::view)
    }
}

/// Bytes of a key that are read in the time that a walk takes over a member.
const KEY_BYTES: usize = 64;

fn child<'v, I: Instance<'v>>(value: I, token: Token<'v>) -> Option<I> {
    match (value.view(), token) {
        // A look-up reads all of a key, and a walk over the members none of it.
        (View::Object(members), Token::Key(key)) if members.len() < key.len() / KEY_BYTES => {
            let mut all = members.iter();
            let here = all.find(|(name, _)| std::ptr::eq(*name, key)).map(|(_, member)| member);
            here.or_else(|| members.get(key))
        }
        (View::Object(members), Token::Key(key)) => members.get(key),
        (View::Array(items), Token::Index(index)) => items.get(index),
        (
            View::Null
            | View::Boolean(_)
            | View::Number(_)
            | View::String(_)
            | View::Array(_)
            | View::Object(_),
            Token::Key(_) | Token::Index(_),
        ) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use Token::{Index, Key};

    fn number<'v>(trail: &mut Trail<'v, &'v Value>, path: &[Token<'v>]) -> usize {
        match trail.value(path) {
            View::Array(items) => items.len(),
            View::Object(members) => 10 + members.len(),
            View::Null | View::Boolean(_) | View::Number(_) | View::String(_) => 99,
        }
    }

    #[test]
    fn each_path_leads_to_its_own_value() {
        let value = json!({"a": [[], [0], [0, 0]], "b": {"c": {}}});
        let mut trail = Trail::new(&value);
        let (a, b, c) = (Key("a"), Key("b"), Key("c"));
        assert_eq!(number(&mut trail, &[a, Index(1)]), 1);
        assert_eq!(number(&mut trail, &[a, Index(2)]), 2);
        assert_eq!(number(&mut trail, &[a]), 3);
        assert_eq!(number(&mut trail, &[b, c]), 10);
        assert_eq!(number(&mut trail, &[]), 12);
        assert_eq!(number(&mut trail, &[a, Index(0)]), 0);
        // No paths of this value.
        assert_eq!(number(&mut trail, &[a, c]), 99);
        assert_eq!(number(&mut trail, &[b, Index(0), c]), 99);
    }
}
