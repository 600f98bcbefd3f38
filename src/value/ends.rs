//! The ends of a text as two words: what tells most texts apart in a few loads.
//!
//! In: bytes. Out: words that are the same for the same bytes; with the length they are all of a text of up to sixteen
//! bytes. Constant time and size, and no call that compares memory, which costs more than all else.

/// The first eight bytes and the last, little end first; of fewer than eight the first four and the last, and of fewer
/// than four all of them.
#[inline(always)]
pub(crate) fn ends(bytes: &[u8]) -> (u64, u64) {
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)))
            }
            _ => (few(bytes), 0),
        },
    }
}

/// Up to three bytes as a word: with the length, all of them.
#[inline(always)]
fn few(bytes: &[u8]) -> u64 {
    match (bytes.first(), bytes.get(bytes.len() / 2), bytes.last()) {
        (Some(first), Some(middle), Some(last)) => {
            u64::from(*first) | u64::from(*middle) << 8 | u64::from(*last) << 16
        }
        _ => 0,
    }
}
