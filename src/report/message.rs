//! The refusal in one line: the message, and the line for a log.
//!
//! In: a refusal's parts, each bounded already. Out: lines of at most [`MESSAGE_BYTES`] and [`LOG_LINE_BYTES`],
//! marks included. Both are scrubbed: a message ends up on terminals and in logs even where it travels in JSON, and
//! whoever has to find a key as it was sent finds it in the entry.
//!
//! Essentials first: how much of what, then place by place what is wrong, then how many places are not named. A
//! place that does not fit whole is not named, except the first, which is cut.

use std::borrow::Cow;

use super::cut;
use super::entry::Entry;
use super::joined::push;
use super::kind::RefusalKind;
use crate::bound::{BOUND, MARK, echo_str, scrub};

/// A message, in bytes, marks included: a screen's worth of text, enough for the first few places.
pub(crate) const MESSAGE_BYTES: usize = 1_024;

/// A line for a log, in bytes, marks included: half of what a receiver of syslog should take (RFC 5424 §6.1).
pub(crate) const LOG_LINE_BYTES: usize = 1_024;

/// What a line for a log keeps of a tool's or an action's name, in bytes, so that they leave room for the problems.
const LOG_NAME_BYTES: usize = 64;

/// What naming no more takes at most: its words and the digits of the largest number.
const REST_BYTES: usize = "; and  more".len() + u64::MAX.ilog10() as usize + 1;

/// The message of a refusal. `lead` opens it where the kind and a count would not say enough.
pub(super) fn message(
    kind: RefusalKind,
    lead: Option<&str>,
    entries: &[Entry],
    total: usize,
    is_complete: bool,
) -> String {
    let mut text = match lead {
        Some(lead) => echo_str(lead),
        None => {
            let mut text = String::with_capacity(MESSAGE_BYTES / 2);
            let least = if is_complete { "" } else { "at least " };
            push(&mut text, [least.into(), total.into(), " ".into(), kind.noun(total).into()]);
            text
        }
    };
    let mut named = 0;
    for entry in entries {
        let before = text.len();
        text.push_str(if named == 0 { ": " } else { "; " });
        let start = text.len();
        push_place(&mut text, entry);
        let rest = if named + 1 < total { REST_BYTES } else { 0 };
        if text.len() + rest <= MESSAGE_BYTES {
            named += 1;
            continue;
        }
        let place = text.split_off(start);
        if named == 0 {
            let room = MESSAGE_BYTES.saturating_sub(start + rest);
            text.push_str(&cut::end(&place, room.saturating_sub(MARK.len())));
            named = 1;
        } else {
            text.truncate(before);
        }
        break;
    }
    if named > 0 && named < total {
        push(&mut text, ["; and ".into(), (total - named).into(), " more".into()]);
    }
    match scrub(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(scrubbed) => scrubbed,
    }
}

/// Appends what is wrong at one place.
fn push_place(text: &mut String, entry: &Entry) {
    if entry.path().len() <= BOUND {
        text.push_str(entry.path());
    } else {
        text.push_str(&cut::middle(entry.path(), BOUND));
    }
    for (at, problem) in entry.problems().iter().enumerate() {
        text.push_str(if at == 0 { ": " } else { ", " });
        text.push_str(problem.text());
    }
    if entry.problems().is_empty() {
        text.push_str(": ");
    }
    if entry.more() > 0 {
        push(text, [" and ".into(), entry.more().into(), " more".into()]);
    }
    if let Some(suggestion) = entry.suggestion() {
        push(text, [" (did you mean \"".into(), suggestion.into(), "\"?)".into()]);
    }
}

/// The line for a log: kind, total, tool and action, message.
pub(super) fn log_line(
    kind: RefusalKind,
    total: usize,
    is_complete: bool,
    tool: Option<&str>,
    action: Option<&str>,
    message: &str,
) -> String {
    let mut line = format!("{kind} total={total}{}", if is_complete { "" } else { "+" });
    for (label, name) in [("tool", tool), ("action", action)] {
        if let Some(name) = name {
            line.push_str(&format!(" {label}={:?}", cut::end(name, LOG_NAME_BYTES)));
        }
    }
    line.push_str(": ");
    line.push_str(message);
    cut::end(&scrub(&line), LOG_LINE_BYTES - MARK.len())
}
