//! The text of a number that is at hand only through `Display`, without allocating.
//!
//! In: a native number, or a `serde_json::Number` that keeps text to itself. Out: its bytes, in a fixed buffer or
//! lent to a closure.

use std::fmt::{self, Write as _};

/// The text of a native number, on the stack.
pub(super) struct NativeText {
    bytes: [u8; Self::CAPACITY],
    length: usize,
}

impl NativeText {
    /// The longest is a float: sign, seventeen digits, a point, and an exponent such as e-308 make 24.
    const CAPACITY: usize = 32;

    pub(super) fn of(text: fmt::Arguments<'_>) -> Self {
        let mut this = NativeText { bytes: [0; Self::CAPACITY], length: 0 };
        if this.write_fmt(text).is_err() {
            this.length = 0;
        }
        this
    }

    /// Empty, and so malformed, had it not fitted.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&[])
    }
}

impl fmt::Write for NativeText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.length..self.length + text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

/// Shows the text of `number` to `read` without a buffer: `serde_json` writes it in one piece. `None`, which is
/// malformed, should it ever come in several.
pub(super) fn with_display<R>(number: &impl fmt::Display, read: impl FnOnce(&str) -> R) -> Option<R> {
    struct Piece<R, F> {
        read: Option<F>,
        answer: Option<R>,
    }

    impl<R, F: FnOnce(&str) -> R> fmt::Write for Piece<R, F> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let read = self.read.take().ok_or(fmt::Error)?;
            self.answer = Some(read(text));
            Ok(())
        }
    }

    let mut piece = Piece { read: Some(read), answer: None };
    write!(piece, "{number}").ok()?;
    piece.answer
}
