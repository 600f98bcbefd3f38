//! The third verdict. Yes, no, and unknown where a limit ran out, combined as Kleene's logic does.
//!
//! In: verdicts of parts. Out: the verdict of the whole. Unknown is never turned into yes: what hangs on it is
//! refused.

use crate::limits::Exhausted;

/// What a walk says of one value.
///
/// In the order of how much they take away: of a conjunction the greatest stands, of a disjunction the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Yes,
    Unknown,
    No,
}

impl Verdict {
    /// Both must hold.
    #[inline]
    pub(crate) fn and(self, other: Verdict) -> Verdict {
        self.max(other)
    }

    /// One must hold.
    #[inline]
    pub(crate) fn or(self, other: Verdict) -> Verdict {
        self.min(other)
    }

    /// The other must not hold.
    #[inline]
    pub(crate) fn negated(self) -> Verdict {
        match self {
            Verdict::Yes => Verdict::No,
            Verdict::No => Verdict::Yes,
            Verdict::Unknown => Verdict::Unknown,
        }
    }

    #[inline]
    pub(crate) fn is_yes(self) -> bool {
        self == Verdict::Yes
    }
}

impl From<bool> for Verdict {
    #[inline]
    fn from(holds: bool) -> Verdict {
        if holds { Verdict::Yes } else { Verdict::No }
    }
}

impl From<Result<bool, Exhausted>> for Verdict {
    #[inline]
    fn from(holds: Result<bool, Exhausted>) -> Verdict {
        match holds {
            Ok(holds) => holds.into(),
            Err(Exhausted) => Verdict::Unknown,
        }
    }
}

/// How many of several alternatives hold, as far as is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) yes: u64,
    pub(crate) unknown: u64,
}

impl Tally {
    #[inline]
    pub(crate) fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Yes => self.yes += 1,
            Verdict::Unknown => self.unknown += 1,
            Verdict::No => {}
        }
    }

    /// Whether at least `minimum` hold.
    #[inline]
    pub(crate) fn at_least(self, minimum: u64) -> Verdict {
        if self.yes >= minimum {
            Verdict::Yes
        } else if self.yes + self.unknown < minimum {
            Verdict::No
        } else {
            Verdict::Unknown
        }
    }

    /// Whether at most `maximum` hold.
    #[inline]
    pub(crate) fn at_most(self, maximum: u64) -> Verdict {
        if self.yes > maximum {
            Verdict::No
        } else if self.yes + self.unknown <= maximum {
            Verdict::Yes
        } else {
            Verdict::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{No, Unknown, Yes};
    use super::*;

    #[test]
    fn unknown_combines_as_kleene_says() {
        for (a, b, and, or) in [
            (Yes, Yes, Yes, Yes),
            (Yes, No, No, Yes),
            (No, No, No, No),
            (Yes, Unknown, Unknown, Yes),
            (No, Unknown, No, Unknown),
            (Unknown, Unknown, Unknown, Unknown),
        ] {
            assert_eq!((a.and(b), b.and(a), a.or(b), b.or(a)), (and, and, or, or), "{a:?} {b:?}");
        }
        assert_eq!((Yes.negated(), No.negated(), Unknown.negated()), (No, Yes, Unknown));
    }

    #[test]
    fn a_tally_says_no_only_when_unknowns_cannot_change_it() {
        let tally = Tally { yes: 1, unknown: 1 };
        assert_eq!([tally.at_least(1), tally.at_least(2), tally.at_least(3)], [Yes, Unknown, No]);
        assert_eq!([tally.at_most(0), tally.at_most(1), tally.at_most(2)], [No, Unknown, Yes]);
    }
}
