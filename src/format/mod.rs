//! The formats: what `format` may name, and whether a text or a number respects it.
//!
//! In: a format's name at build, a text or a number at run time. Out: yes or no. Every format is held to the
//! document that defines it, named in its file; where that document leaves a choice, the file says what was
//! chosen.
//!
//! Cost: one pass over the text for every format, no allocation, no recursion; a text longer than its format
//! can be is refused by its length alone. `regex` costs what [`crate::pattern`] takes to read a pattern, and has a price
//! and a limit of its own.
//!
//! | file | formats |
//! |---|---|
//! | `time` | date-time, date, time, duration |
//! | `mail` | email, idn-email |
//! | `host` | hostname, idn-hostname; labels are judged in `idna` |
//! | `address` | ipv4, ipv6 |
//! | `uri` | uri, uri-reference, iri, iri-reference |
//! | `template` | uri-template |
//! | `pointer` | json-pointer, relative-json-pointer |
//! | `identifier` | uuid |
//! | `numeric` | int8 … uint128, float, double |
//! | `draft3` | color, phone |
//! | `style` | style |
//!
//! `content` judges what a string holds, which no `format` names.

mod address;
pub(crate) mod content;
mod draft3;
mod host;
mod identifier;
mod idna;
mod mail;
mod numeric;
mod pointer;
mod scan;
mod style;
mod template;
#[cfg(test)]
mod tests;
mod time;
mod uri;

use crate::limits::{Exhausted, FORMAT_TEXT_PER_STEP, Meter, SYNTAX_TEXT_PER_STEP};
use crate::value::Number;

/// A format that the crate knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    DateTime,
    Date,
    /// A time with its offset, as every dialect but draft 3 means `time`.
    Time,
    /// Draft 3's `time`: hours, minutes and seconds, no offset.
    LocalTime,
    Duration,
    Email,
    IdnEmail,
    Hostname,
    /// Draft 3's spelling of [`Format::Hostname`].
    HostName,
    IdnHostname,
    Ipv4,
    /// Draft 3's spelling of [`Format::Ipv4`].
    IpAddress,
    Ipv6,
    Uri,
    UriReference,
    Iri,
    IriReference,
    UriTemplate,
    JsonPointer,
    RelativeJsonPointer,
    /// 2020-12's `relative-json-pointer`, which may move along an array: `0+1/a`.
    AdjustableJsonPointer,
    Uuid,
    Regex,
    Color,
    Style,
    Phone,
    Int8,
    Int16,
    Int32,
    Int64,
    Int128,
    /// schemars' name for `isize`: as wide as the widest platform has it, 64 bits.
    Int,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Uint128,
    /// schemars' name for `usize`: as wide as the widest platform has it, 64 bits.
    Uint,
    Float,
    Double,
    UtcMillisec,
}

/// Which dialects' names a schema uses: a name may be unknown elsewhere, or mean something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// Draft 3: its own names, and all later ones.
    Draft3,
    /// Drafts 4, 6, 7 and 2019-09.
    Draft4To201909,
    /// 2020-12, v1, and dialects of one's own.
    From202012,
}

/// The type of value that a format is about; values of any other type respect it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    Text,
    Number,
}

impl Format {
    /// Every format, for the look-up by name.
    pub(crate) const ALL: [Format; 41] = [
        Format::DateTime,
        Format::Date,
        Format::Time,
        Format::LocalTime,
        Format::Duration,
        Format::Email,
        Format::IdnEmail,
        Format::Hostname,
        Format::HostName,
        Format::IdnHostname,
        Format::Ipv4,
        Format::IpAddress,
        Format::Ipv6,
        Format::Uri,
        Format::UriReference,
        Format::Iri,
        Format::IriReference,
        Format::UriTemplate,
        Format::JsonPointer,
        Format::RelativeJsonPointer,
        Format::AdjustableJsonPointer,
        Format::Uuid,
        Format::Regex,
        Format::Color,
        Format::Style,
        Format::Phone,
        Format::Int8,
        Format::Int16,
        Format::Int32,
        Format::Int64,
        Format::Int128,
        Format::Int,
        Format::Uint8,
        Format::Uint16,
        Format::Uint32,
        Format::Uint64,
        Format::Uint128,
        Format::Uint,
        Format::Float,
        Format::Double,
        Format::UtcMillisec,
    ];

    /// The format that `name` means among `names`, or `None`: what an unknown format does is the caller's to
    /// say.
    ///
    /// Names are case-sensitive.
    pub(crate) fn from_name(name: &str, names: Names) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name && format.is_among(names))
    }

    /// The name as a schema writes it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::DateTime => "date-time",
            Format::Date => "date",
            Format::Time | Format::LocalTime => "time",
            Format::Duration => "duration",
            Format::Email => "email",
            Format::IdnEmail => "idn-email",
            Format::Hostname => "hostname",
            Format::HostName => "host-name",
            Format::IdnHostname => "idn-hostname",
            Format::Ipv4 => "ipv4",
            Format::IpAddress => "ip-address",
            Format::Ipv6 => "ipv6",
            Format::Uri => "uri",
            Format::UriReference => "uri-reference",
            Format::Iri => "iri",
            Format::IriReference => "iri-reference",
            Format::UriTemplate => "uri-template",
            Format::JsonPointer => "json-pointer",
            Format::RelativeJsonPointer | Format::AdjustableJsonPointer => "relative-json-pointer",
            Format::Uuid => "uuid",
            Format::Regex => "regex",
            Format::Color => "color",
            Format::Style => "style",
            Format::Phone => "phone",
            Format::Int8 => "int8",
            Format::Int16 => "int16",
            Format::Int32 => "int32",
            Format::Int64 => "int64",
            Format::Int128 => "int128",
            Format::Int => "int",
            Format::Uint8 => "uint8",
            Format::Uint16 => "uint16",
            Format::Uint32 => "uint32",
            Format::Uint64 => "uint64",
            Format::Uint128 => "uint128",
            Format::Uint => "uint",
            Format::Float => "float",
            Format::Double => "double",
            Format::UtcMillisec => "utc-millisec",
        }
    }

    /// Whether this is what its name means among `names`.
    fn is_among(self, names: Names) -> bool {
        match self {
            Format::LocalTime
            | Format::HostName
            | Format::IpAddress
            | Format::Color
            | Format::Style
            | Format::Phone
            | Format::UtcMillisec => names == Names::Draft3,
            Format::Time => names != Names::Draft3,
            Format::RelativeJsonPointer => names != Names::From202012,
            Format::AdjustableJsonPointer => names == Names::From202012,
            Format::DateTime
            | Format::Date
            | Format::Duration
            | Format::Email
            | Format::IdnEmail
            | Format::Hostname
            | Format::IdnHostname
            | Format::Ipv4
            | Format::Ipv6
            | Format::Uri
            | Format::UriReference
            | Format::Iri
            | Format::IriReference
            | Format::UriTemplate
            | Format::JsonPointer
            | Format::Uuid
            | Format::Regex
            | Format::Int8
            | Format::Int16
            | Format::Int32
            | Format::Int64
            | Format::Int128
            | Format::Int
            | Format::Uint8
            | Format::Uint16
            | Format::Uint32
            | Format::Uint64
            | Format::Uint128
            | Format::Uint
            | Format::Float
            | Format::Double => true,
        }
    }

    /// What type of value the format is about.
    pub(crate) fn concerns(self) -> Concern {
        match self.rule() {
            Rule::Text(_) | Rule::Syntax(_) => Concern::Text,
            Rule::Number(_) => Concern::Number,
        }
    }

    /// Whether `text` respects the format; a format of numbers accepts every text. One pass, charged before it is
    /// made; no allocation, but for what [`crate::pattern::is_valid`] names.
    pub(crate) fn accepts_text(self, text: &str, meter: &mut Meter) -> Result<bool, Exhausted> {
        match self.rule() {
            Rule::Text(accepts) => {
                meter.charge((text.len() / FORMAT_TEXT_PER_STEP) as u64)?;
                Ok(accepts(text))
            }
            Rule::Syntax(accepts) => {
                meter.charge((text.len() / SYNTAX_TEXT_PER_STEP) as u64)?;
                accepts(text)
            }
            Rule::Number(_) => Ok(true),
        }
    }

    /// Whether `number` respects the format; a format of texts accepts every number. Costs two comparisons.
    pub(crate) fn accepts_number(self, number: Number<'_>) -> bool {
        match self.rule() {
            Rule::Text(_) | Rule::Syntax(_) => true,
            Rule::Number(range) => range.contains(number),
        }
    }

    /// The one place that ties a format to its judge.
    fn rule(self) -> Rule {
        match self {
            Format::DateTime => Rule::Text(time::is_date_time),
            Format::Date => Rule::Text(time::is_date),
            Format::Time => Rule::Text(time::is_time),
            Format::LocalTime => Rule::Text(time::is_local_time),
            Format::Duration => Rule::Text(time::is_duration),
            Format::Email => Rule::Text(mail::is_email),
            Format::IdnEmail => Rule::Text(mail::is_idn_email),
            Format::Hostname | Format::HostName => Rule::Text(host::is_hostname),
            Format::IdnHostname => Rule::Text(host::is_idn_hostname),
            Format::Ipv4 | Format::IpAddress => Rule::Text(address::is_ipv4),
            Format::Ipv6 => Rule::Text(address::is_ipv6),
            Format::Uri => Rule::Text(uri::is_uri),
            Format::UriReference => Rule::Text(uri::is_uri_reference),
            Format::Iri => Rule::Text(uri::is_iri),
            Format::IriReference => Rule::Text(uri::is_iri_reference),
            Format::UriTemplate => Rule::Text(template::is_uri_template),
            Format::JsonPointer => Rule::Text(pointer::is_json_pointer),
            Format::RelativeJsonPointer => Rule::Text(pointer::is_relative_json_pointer),
            Format::AdjustableJsonPointer => Rule::Text(pointer::is_adjustable_json_pointer),
            Format::Uuid => Rule::Text(identifier::is_uuid),
            Format::Regex => Rule::Syntax(crate::pattern::is_valid),
            Format::Color => Rule::Text(draft3::is_color),
            Format::Style => Rule::Text(style::is_style),
            Format::Phone => Rule::Text(draft3::is_phone),
            Format::Int8 => Rule::Number(numeric::INT8),
            Format::Int16 => Rule::Number(numeric::INT16),
            Format::Int32 => Rule::Number(numeric::INT32),
            Format::Int64 | Format::Int => Rule::Number(numeric::INT64),
            Format::Int128 => Rule::Number(numeric::INT128),
            Format::Uint8 => Rule::Number(numeric::UINT8),
            Format::Uint16 => Rule::Number(numeric::UINT16),
            Format::Uint32 => Rule::Number(numeric::UINT32),
            Format::Uint64 | Format::Uint => Rule::Number(numeric::UINT64),
            Format::Uint128 => Rule::Number(numeric::UINT128),
            Format::Float => Rule::Number(numeric::FLOAT),
            Format::Double => Rule::Number(numeric::DOUBLE),
            Format::UtcMillisec => Rule::Number(numeric::ANY),
        }
    }
}

/// How a format is judged.
enum Rule {
    Text(fn(&str) -> bool),
    /// Of a text that is parsed, which may need more memory than there is a limit for.
    Syntax(fn(&str) -> Result<bool, Exhausted>),
    Number(numeric::Range),
}
