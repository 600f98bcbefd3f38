//! Addresses: `ipv4` (RFC 2673, section 3.2), `ipv6` (RFC 4291, section 2.2), and mail's address literals
//! (RFC 5321, section 4.1.3), whose rules differ a little.
//!
//! In: a text. Out: yes or no. Cost: constant; a text longer than [`LONGEST_IPV6`] is refused unread.
//!
//! - An octet has no leading zero, since readers that take it for octal see another host. Mail's octets may
//!   have one: RFC 5321 bounds the value and three digits.
//! - No prefix length and no zone: neither is part of an address.
//! - `::` stands for one group at least; in mail for two.

use std::net::Ipv4Addr;

/// Bytes of the longest IPv6 address: six groups of four digits, their colons, and a dotted quad.
const LONGEST_IPV6: usize = 45;

/// Groups of 16 bits.
const GROUPS: usize = 8;

/// `192.0.2.1`.
pub(super) fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// `2001:db8::1`, `::ffff:192.0.2.1`.
pub(super) fn is_ipv6(text: &str) -> bool {
    is_ipv6_by(text, is_ipv4, 1)
}

/// What stands between the brackets of `user@[192.0.2.1]` and `user@[IPv6:2001:db8::1]`. No other tag than
/// `IPv6` is registered for the general form.
pub(super) fn is_mail_literal(text: &str) -> bool {
    const TAG: &str = "IPv6:";
    match text.split_at_checked(TAG.len()) {
        Some((tag, address)) if tag.eq_ignore_ascii_case(TAG) => is_ipv6_by(address, is_mail_quad, 2),
        Some(_) | None => is_mail_quad(text),
    }
}

/// RFC 5321's `IPv4-address-literal`: four numbers to 255, of three digits at most.
fn is_mail_quad(text: &str) -> bool {
    let mut numbers = 0;
    // The fifth part ends the walk, so its length is bounded too.
    for part in text.split('.').take(5) {
        numbers += 1;
        let digits = (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits || part.parse::<u8>().is_err() {
            return false;
        }
    }
    numbers == 4
}

/// An IPv6 address whose last 32 bits may be a quad that `is_quad` knows, and whose `::` stands for `least`
/// groups or more.
fn is_ipv6_by(text: &str, is_quad: fn(&str) -> bool, least: usize) -> bool {
    if text.len() > LONGEST_IPV6 {
        return false;
    }
    match text.split_once("::") {
        None => groups_in(text, Some(is_quad)) == Some(GROUPS),
        Some((front, back)) => {
            let front = if front.is_empty() { Some(0) } else { groups_in(front, None) };
            let back = if back.is_empty() { Some(0) } else { groups_in(back, Some(is_quad)) };
            front.zip(back).is_some_and(|(front, back)| front + back + least <= GROUPS)
        }
    }
}

/// How many groups a run of them has (a quad is two), or `None` if it is no such run.
fn groups_in(run: &str, is_quad: Option<fn(&str) -> bool>) -> Option<usize> {
    let (groups, last) = match run.rsplit_once(':') {
        Some((groups, last)) => (Some(groups), last),
        None => (None, run),
    };
    let mut count = 0;
    for group in groups.into_iter().flat_map(|groups| groups.split(':')) {
        count += is_group(group).then_some(1)?;
    }
    if is_group(last) {
        return Some(count + 1);
    }
    is_quad?(last).then_some(count + 2)
}

fn is_group(text: &str) -> bool {
    (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
