//! The progress bar of a long input.
//!
//! In: how many bytes were read. Out: a bar on standard error, if that is a terminal and the input is long; a
//! spinner where nobody knows how long. Nothing that came from a file is shown.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// An input that is worth a bar, in bytes: what is shorter is done before a person looks.
const LONG_BYTES: u64 = 16 << 20;

/// A bar that shows itself once it is worth it.
pub(crate) struct Progress {
    bar: ProgressBar,
    total: Option<u64>,
}

impl Progress {
    /// For an input of `total` bytes, if that is known.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let mut progress = Progress { bar: ProgressBar::hidden(), total };
        if total.is_some_and(|total| total >= LONG_BYTES) {
            progress.show();
        }
        progress
    }

    /// Tells that `position` bytes have been read.
    pub(crate) fn at(&mut self, position: u64) {
        if self.total.is_none() && self.bar.is_hidden() && position >= LONG_BYTES {
            self.show();
        }
        self.bar.set_position(position);
    }

    /// Writes with the bar out of the way.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn show(&mut self) {
        if !io::stderr().is_terminal() {
            return;
        }
        let template = match self.total {
            Some(_) => "{bar:40} {bytes}/{total_bytes}, {eta} left",
            None => "{spinner} {bytes} in {elapsed}, {bytes_per_sec}",
        };
        // A template that did not parse would be a defect of ours: then the bar looks as indicatif has it.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar = ProgressBar::with_draw_target(self.total, ProgressDrawTarget::stderr()).with_style(style);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
