//! Dates, times and durations: RFC 3339, section 5.6 and appendix A.
//!
//! In: a text. Out: yes or no. Cost: a date or a time has a few dozen bytes and a fraction of any length,
//! read once; so are a duration's digits, of which no number is made.
//!
//! - `T` and `Z` may be lower case (section 5.6); a space in place of `T` is an option of the reader there,
//!   not taken here. Digits are ASCII.
//! - Second 60 exists only in the last minute of a UTC day. A date-time knows the day and so is held to the
//!   last day of a month, where leap seconds are allowed to be (ITU-R TF.460, section 2.1; section 5.7 names
//!   only June and December, those used so far). Which months had one is announced half a year ahead, so no
//!   list of them decides. A `time` knows no day and may have it on any.
//! - Draft 3's `time` has no offset and so cannot tell whether second 60 exists: refused.

use super::scan::{AsciiSet, Cursor};

const MINUTES_PER_DAY: i32 = 24 * 60;

/// `2024-02-29T23:59:59.5+01:00`.
pub(super) fn is_date_time(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    let Some(date) = take_date(&mut cursor) else { return false };
    if cursor.take_one_of(AsciiSet::of(b"Tt")).is_none() {
        return false;
    }
    let Some(time) = take_time(&mut cursor) else { return false };
    cursor.is_at_end()
        && match time.leap_second() {
            LeapSecond::None => true,
            LeapSecond::InDay(shift) => date.ends_month_after(shift),
            LeapSecond::Impossible => false,
        }
}

/// `2024-02-29`.
pub(super) fn is_date(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    take_date(&mut cursor).is_some() && cursor.is_at_end()
}

/// `23:59:59.5+01:00`.
pub(super) fn is_time(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    let Some(time) = take_time(&mut cursor) else { return false };
    cursor.is_at_end() && time.leap_second() != LeapSecond::Impossible
}

/// Draft 3's `23:59:59`.
pub(super) fn is_local_time(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    take_clock(&mut cursor).is_some_and(|clock| clock.second < 60) && cursor.is_at_end()
}

/// `P1Y2M3DT4H5M6S` or `P7W`: units may be left out at either end, not in between (appendix A).
pub(super) fn is_duration(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    if !cursor.take(b'P') {
        return false;
    }
    let mut weeks = cursor;
    if weeks.take_while(AsciiSet::DIGIT) > 0 && weeks.take(b'W') {
        return weeks.is_at_end();
    }
    let Some(days) = take_amounts(&mut cursor, b"YMD") else { return false };
    if !cursor.take(b'T') {
        return days > 0 && cursor.is_at_end();
    }
    take_amounts(&mut cursor, b"HMS").is_some_and(|times| times > 0) && cursor.is_at_end()
}

/// Takes numbers with their units, the first unit any of `units` and each next one its neighbour. How many,
/// or `None` if a number has no such unit.
fn take_amounts(cursor: &mut Cursor<'_>, units: &[u8]) -> Option<usize> {
    let mut amounts = 0;
    let mut allowed = 0..units.len();
    while cursor.take_while(AsciiSet::DIGIT) > 0 {
        let taken = allowed.find(|&place| units.get(place).is_some_and(|&unit| cursor.take(unit)))?;
        let next = taken + 1;
        allowed = next..next + 1;
        amounts += 1;
    }
    Some(amounts)
}

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    /// Whether the day that lies `shift` days away (-1, 0 or 1) is the last of its month.
    fn ends_month_after(&self, shift: i32) -> bool {
        match shift {
            -1 => self.day == 1,
            0 => self.day == days_of(self.year, self.month),
            _ => self.day + 1 == days_of(self.year, self.month),
        }
    }
}

/// Days of a month of the proleptic Gregorian calendar (appendix C); none for a month that does not exist.
fn days_of(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    }
}

fn take_date(cursor: &mut Cursor<'_>) -> Option<Date> {
    let year = cursor.take_number(4)?;
    let month = take_after(cursor, b'-', 2)?;
    let day = take_after(cursor, b'-', 2)?;
    (1..=days_of(year, month)).contains(&day).then_some(Date { year, month, day })
}

struct Clock {
    hour: u32,
    minute: u32,
    /// 60 is a leap second.
    second: u32,
}

fn take_clock(cursor: &mut Cursor<'_>) -> Option<Clock> {
    let hour = cursor.take_number(2)?;
    let minute = take_after(cursor, b':', 2)?;
    let second = take_after(cursor, b':', 2)?;
    (hour < 24 && minute < 60 && second <= 60).then_some(Clock { hour, minute, second })
}

struct Time {
    clock: Clock,
    /// How far the clock is ahead of UTC, in minutes.
    offset: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeapSecond {
    None,
    /// At the end of the UTC day that lies so many days (-1, 0 or 1) from the local one.
    InDay(i32),
    Impossible,
}

impl Time {
    fn leap_second(&self) -> LeapSecond {
        if self.clock.second < 60 {
            return LeapSecond::None;
        }
        // Both are below 60, as `take_clock` saw to.
        let minutes = self.clock.hour.cast_signed() * 60 + self.clock.minute.cast_signed() - self.offset;
        if minutes.rem_euclid(MINUTES_PER_DAY) == MINUTES_PER_DAY - 1 {
            LeapSecond::InDay(minutes.div_euclid(MINUTES_PER_DAY))
        } else {
            LeapSecond::Impossible
        }
    }
}

fn take_time(cursor: &mut Cursor<'_>) -> Option<Time> {
    let clock = take_clock(cursor)?;
    if cursor.take(b'.') && cursor.take_while(AsciiSet::DIGIT) == 0 {
        return None;
    }
    let offset = match cursor.take_one_of(AsciiSet::of(b"Zz+-"))? {
        b'+' => take_offset(cursor)?,
        b'-' => -take_offset(cursor)?,
        _ => 0,
    };
    Some(Time { clock, offset })
}

/// Hours and minutes, in minutes.
fn take_offset(cursor: &mut Cursor<'_>) -> Option<i32> {
    let hours = cursor.take_number(2)?;
    let minutes = take_after(cursor, b':', 2)?;
    (hours < 24 && minutes < 60).then_some((hours * 60 + minutes).cast_signed())
}

fn take_after(cursor: &mut Cursor<'_>, separator: u8, digits: usize) -> Option<u32> {
    if cursor.take(separator) { cursor.take_number(digits) } else { None }
}
