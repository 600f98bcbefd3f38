//! The declared name that the sender of an unknown one may have meant.
//!
//! In: an unknown name and the declared ones. Out: the nearest, if one is near enough. The distance counts
//! insertions, deletions, replacements and swaps of neighbours, in code points, ASCII case aside (optimal string
//! alignment). Near enough is a third of the longer name's length, and at least one.
//!
//! The cost is constant: names longer than [`KEY_CODE_POINTS`] get no suggestion and no more than
//! [`NAMES`] are looked at; for one key that is at most about four million cells of a table of which three rows
//! are kept, and the first rows tell most names apart.

/// Code points of an unknown key that gets a suggestion. A longer one is no slip of the pen.
pub(super) const KEY_CODE_POINTS: usize = 64;

/// Declared names that one key is compared with.
pub(super) const NAMES: usize = 1_000;

/// Of the longer name's code points, one in so many may differ.
const ONE_IN: usize = 3;

/// The nearest of `names`; of equally near ones the first by bytes.
pub(super) fn nearest<'n>(key: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let key = folded(key, KEY_CODE_POINTS)?;
    let mut best: Option<(usize, &str)> = None;
    for name in names.take(NAMES) {
        // What is longer than this differs in more than one code point in three from any key.
        let Some(letters) = folded(name, KEY_CODE_POINTS * ONE_IN / (ONE_IN - 1)) else { continue };
        let allowed = (key.len().max(letters.len()) / ONE_IN).max(1);
        let allowed = best.map_or(allowed, |(distance, _)| distance.min(allowed));
        if let Some(distance) = distance(&key, &letters, allowed)
            && best.is_none_or(|best| (distance, name) < best)
        {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The code points without ASCII case, if they are at most `most`.
fn folded(text: &str, most: usize) -> Option<Vec<char>> {
    let letters: Vec<char> = text.chars().take(most + 1).map(|letter| letter.to_ascii_lowercase()).collect();
    (letters.len() <= most).then_some(letters)
}

/// The distance, if it is at most `allowed`.
fn distance(a: &[char], b: &[char], allowed: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > allowed {
        return None;
    }
    // Rows for the first i-2, i-1 and i letters of `a`; a column each for the first j letters of `b`.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut last_of_a = None;
    for (row, of_a) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(last.len());
        let mut left = row + 1;
        next.push(left);
        let mut last_of_b = None;
        for ((column, of_b), above) in b.iter().enumerate().zip(last.windows(2)) {
            let &[diagonal, above] = above else { continue };
            let mut cost = (diagonal + usize::from(of_a != of_b)).min(above + 1).min(left + 1);
            if last_of_a == Some(of_b)
                && last_of_b == Some(of_a)
                && let Some(swapped) = column.checked_sub(1).and_then(|column| before.get(column))
            {
                cost = cost.min(swapped + 1);
            }
            next.push(cost);
            left = cost;
            last_of_b = Some(of_b);
        }
        // A swap reaches two rows back: both must be past what is allowed.
        if last.iter().chain(&next).all(|cost| *cost > allowed) {
            return None;
        }
        before = std::mem::replace(&mut last, next);
        last_of_a = Some(of_a);
    }
    last.last().copied().filter(|distance| *distance <= allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggest(key: &str, names: &[&'static str]) -> Option<&'static str> {
        nearest(key, names.iter().copied())
    }

    #[test]
    fn slips_are_recognised() {
        let names = ["name", "due", "priority", "user_id", "assignees"];
        for (key, meant) in [
            ("nmae", "name"),
            ("Name", "name"),
            ("nam", "name"),
            ("namee", "name"),
            ("prioritty", "priority"),
            ("pirority", "priority"),
            ("userId", "user_id"),
            ("asignee", "assignees"),
        ] {
            assert_eq!(suggest(key, &names), Some(meant), "{key}");
        }
        // Two letters of three differ.
        assert_eq!(suggest("dew", &names), None);
        assert_eq!(suggest("colour", &names), None);
        assert_eq!(suggest("", &["a"]), Some("a"));
        assert_eq!(suggest("x", &[]), None);
    }

    #[test]
    fn of_equally_near_names_the_first_by_bytes_is_taken() {
        assert_eq!(suggest("cat", &["hat", "bat", "mat"]), Some("bat"));
        assert_eq!(suggest("bats", &["hats", "bats2", "bats"]), Some("bats"));
    }

    #[test]
    fn only_short_keys_get_a_suggestion() {
        let exact = "é".repeat(KEY_CODE_POINTS);
        assert_eq!(nearest(&exact, [&*format!("{exact}e")].into_iter()), Some(&*format!("{exact}e")));
        assert_eq!(nearest(&format!("{exact}é"), [&*exact].into_iter()), None);
    }

    #[test]
    fn only_so_many_names_are_looked_at() {
        let far = std::iter::repeat_n("something else", NAMES - 1);
        assert_eq!(nearest("name", far.clone().chain(["names"])), Some("names"));
        assert_eq!(nearest("name", far.chain(["other", "names"])), None);
    }

    /// The textbook's table, whole.
    fn whole(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = match (i, j) {
                    (0, _) | (_, 0) => i + j,
                    _ => {
                        let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                        let mut cost = replace.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                        if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                            cost = cost.min(table[i - 2][j - 2] + 1);
                        }
                        cost
                    }
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest::proptest! {
        #[test]
        fn three_rows_say_what_the_whole_table_says(a in "[abc]{0,8}", b in "[abc]{0,8}", allowed in 0_usize..9) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let expected = whole(&a, &b);
            proptest::prop_assert_eq!(distance(&a, &b, allowed), (expected <= allowed).then_some(expected));
        }
    }
}
