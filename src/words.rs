//! Eight bytes at a time: what a look at a run of bytes needs to look at a word of them.
//!
//! In: a byte. Out: words that a word of a text is compared with. Knows nothing of what is looked for; constant time and
//! size.

/// Bytes of a word.
pub(crate) const WORD: usize = 8;

/// The highest bit of each byte.
pub(crate) const HIGHEST: u64 = all(0x80);

/// A word whose bytes are all `byte`, in either order of bytes.
#[inline(always)]
pub(crate) const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; WORD])
}
