//! What the targets share: how a fuzzer's bytes become a case of theirs.
//!
//! In: bytes, of which at most [`BYTES`] are taken. Out: a case, whose `Debug` is a reproduction to paste into a test;
//! `cargo fuzz` prints it beside what crashes. Nothing grows here: longer attacks have `corpus/adversarial/`.

use std::fmt;

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};

/// The most bytes of an input: what libFuzzer mutates well, and more than any seed has.
pub const BYTES: usize = 8_192;

/// What a target runs.
pub trait Case: Sized + fmt::Debug {
    /// The case that these bytes stand for; none where they stand for nothing, which the fuzzer then forgets.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// A case that was read from a fuzzer's bytes.
pub struct Input<C>(pub C);

impl<C: Case> Arbitrary<'_> for Input<C> {
    fn arbitrary(unread: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unread.bytes(unread.len())?;
        if bytes.len() > BYTES {
            return Err(arbitrary::Error::IncorrectFormat);
        }
        C::read(bytes).map(Input).ok_or(arbitrary::Error::IncorrectFormat)
    }
}

impl<C: Case> fmt::Debug for Input<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
