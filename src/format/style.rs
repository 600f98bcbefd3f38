//! Draft 3's `style`: the declarations of a CSS 2.1 `style` attribute (CSS Style Attributes §3, CSS 2.1 §4.1).
//!
//! In: a text. Out: yes or no. Whether a property is known and has such a value is left to CSS. Cost: one pass, no
//! allocation; brackets nested deeper than [`LEVELS`] are refused.

/// Brackets open at once: two bits each in a word. Real declarations open two.
const LEVELS: u32 = 64;

/// `color: red; background: #FFF url(a.png)`.
pub(super) fn is_style(text: &str) -> bool {
    let mut css = Css { rest: text };
    loop {
        if !css.skip_space() {
            return false;
        }
        if css.rest.is_empty() {
            return true;
        }
        if css.take(';') {
            continue;
        }
        if css.identifier().is_none() || !css.skip_space() || !css.take(':') || !css.value() {
            return false;
        }
    }
}

struct Css<'t> {
    rest: &'t str,
}

impl<'t> Css<'t> {
    fn take(&mut self, wanted: char) -> bool {
        self.take_if(|next| next == wanted)
    }

    fn take_if(&mut self, fits: impl Fn(char) -> bool) -> bool {
        match self.rest.strip_prefix(fits) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Skips space and comments; false where a comment does not end.
    fn skip_space(&mut self) -> bool {
        loop {
            self.rest = self.rest.trim_start_matches(is_space);
            let Some(comment) = self.rest.strip_prefix("/*") else { return true };
            let Some((_, rest)) = comment.split_once("*/") else { return false };
            self.rest = rest;
        }
    }

    /// A backslash with what it escapes, which is no newline.
    fn escape(&mut self) -> bool {
        match self.rest.strip_prefix('\\').and_then(|rest| rest.strip_prefix(|next| !is_newline(next))) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn identifier(&mut self) -> Option<&'t str> {
        let text = self.rest;
        self.take('-');
        if !self.take_if(|next| is_name(next) && next != '-' && !next.is_ascii_digit()) && !self.escape() {
            self.rest = text;
            return None;
        }
        while self.take_if(is_name) || self.escape() {}
        text.strip_suffix(self.rest)
    }

    /// A quoted string, whose quote has been taken.
    fn string(&mut self, quote: char) -> bool {
        while !self.take(quote) {
            // A newline may be escaped, and nothing may be left open.
            let escaped = self.take('\\');
            if escaped && self.rest.starts_with("\r\n") {
                self.take('\r');
            }
            if !self.take_if(|next| escaped || !is_newline(next)) {
                return false;
            }
        }
        true
    }

    /// What is within `url(`: quoted, or a run that no quote, bracket or space breaks.
    fn address(&mut self) -> bool {
        self.rest = self.rest.trim_start_matches(is_space);
        if let Some(quote) = ['"', '\''].into_iter().find(|quote| self.take(*quote)) {
            if !self.string(quote) {
                return false;
            }
        } else {
            let plain = |next: char| !is_space(next) && !matches!(next, '"' | '\'' | '(' | ')' | '\\');
            while self.take_if(plain) || self.escape() {}
        }
        self.rest = self.rest.trim_start_matches(is_space);
        self.take(')')
    }

    /// A value up to the `;` that ends its declaration, which is left.
    fn value(&mut self) -> bool {
        let mut any = false;
        // The innermost bracket is in the last two bits.
        let (mut open, mut depth) = (0_u128, 0);
        loop {
            if !self.skip_space() {
                return false;
            }
            let Some(next) = self.rest.chars().next() else { return any && depth == 0 };
            if next == ';' && depth == 0 {
                return any;
            }
            any = true;
            if let Some(name) = self.identifier() {
                if name.eq_ignore_ascii_case("url") && self.take('(') && !self.address() {
                    return false;
                }
                continue;
            }
            self.take(next);
            if let Some(bracket) = "([{".find(next) {
                if depth == LEVELS {
                    return false;
                }
                depth += 1;
                open = open << 2 | bracket as u128;
            } else if let Some(bracket) = ")]}".find(next) {
                if depth == 0 || open & 3 != bracket as u128 {
                    return false;
                }
                depth -= 1;
                open >>= 2;
            } else if next == '"' || next == '\'' {
                if !self.string(next) {
                    return false;
                }
            } else if next == '\\' || (next == ';' && open & 3 != 2) {
                // Only a block has declarations of its own.
                return false;
            }
        }
    }
}

fn is_space(next: char) -> bool {
    next == ' ' || next == '\t' || is_newline(next)
}

fn is_newline(next: char) -> bool {
    matches!(next, '\n' | '\r' | '\x0C')
}

fn is_name(next: char) -> bool {
    next == '_' || next == '-' || next.is_ascii_alphanumeric() || !next.is_ascii()
}
