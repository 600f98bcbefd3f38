//! References resolved against a base: RFC 3986 §5.2, without normalising more than it asks for.

/// The absolute form of `reference`, fragment included.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    let (reference, fragment) = match reference.split_once('#') {
        Some((reference, fragment)) => (reference, format!("#{fragment}")),
        None => (reference, String::new()),
    };
    let (scheme, authority, path, query) = parts(base);
    let absolute = match parts(reference) {
        (Some(_), _, _, _) => reference.to_owned(),
        (None, Some(_), _, _) => format!("{}{reference}", scheme.unwrap_or("")),
        (None, None, "", new_query) => {
            let query = if new_query.is_empty() { query } else { new_query };
            format!("{}{}{path}{query}", scheme.unwrap_or(""), authority.unwrap_or(""))
        }
        (None, None, new_path, new_query) => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let merged =
                if new_path.starts_with('/') { new_path.to_owned() } else { format!("{folder}/{new_path}") };
            let path = without_dots(&merged);
            format!("{}{}{path}{new_query}", scheme.unwrap_or(""), authority.unwrap_or(""))
        }
    };
    absolute + &fragment
}

/// `(scheme:, //authority, path, ?query)`.
fn parts(uri: &str) -> (Option<&str>, Option<&str>, &str, &str) {
    let scheme_end = uri.find([':', '/', '?']).filter(|&end| uri[end..].starts_with(':') && end > 0);
    let (scheme, rest) = match scheme_end {
        Some(end) => (Some(&uri[..=end]), &uri[end + 1..]),
        None => (None, uri),
    };
    let (authority, rest) = match rest.strip_prefix("//") {
        Some(host) => {
            let end = host.find(['/', '?']).unwrap_or(host.len());
            (Some(&rest[..end + 2]), &host[end..])
        }
        None => (None, rest),
    };
    let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
    (scheme, authority, path, query)
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = path.split('/').collect();
    for (place, &segment) in segments.iter().enumerate() {
        let last = place + 1 == segments.len();
        match segment {
            "." if last => kept.push(""),
            "." => {}
            ".." => {
                if kept.len() > 1 {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    kept.join("/")
}

/// The text of a fragment, its percent escapes undone; `None` where they are no UTF-8.
pub(super) fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
