//! Unicode properties by the names that ECMA-262 gives them (tables 67 to 70 and the value aliases of Unicode).
//!
//! In: the text between the braces of `\p{…}`. Out: a [`Property`], if the name is spelled as ECMA-262 wants
//! it (`regex-syntax` would also take loose spellings), and its code points from `regex-syntax`'s tables. A
//! look-up halves a table of about 350 names, sorted once a process; a set of code points has at most about 750 ranges,
//! and is made only where a pattern is built.

use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::error::Reason;
use super::set::Set;

/// A property that ECMA-262 knows: its kind, and its value's first name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Property {
    kind: Kind,
    name: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Category,
    Script,
    ScriptExtensions,
    Binary,
}

impl Property {
    /// Reads `Name=Value`, a general category's value alone, or a binary property's name.
    pub(super) fn parse(text: &str) -> Option<Property> {
        match text.split_once('=') {
            Some(("General_Category" | "gc", value)) => find(&CATEGORIES, Kind::Category, value),
            Some(("Script" | "sc", value)) => find(&SCRIPTS, Kind::Script, value),
            Some(("Script_Extensions" | "scx", value)) => find(&SCRIPTS, Kind::ScriptExtensions, value),
            Some(_) => None,
            None => find(&CATEGORIES, Kind::Category, text).or_else(|| find(&BINARY, Kind::Binary, text)),
        }
    }

    /// Its code points.
    pub(super) fn class(self) -> Result<ClassUnicode, Reason> {
        // No string holds a surrogate, and no character belongs to this script.
        if self.name == "Surrogate" || self.name == "Katakana_Or_Hiragana" {
            return Ok(ClassUnicode::empty());
        }
        let kind = match self.kind {
            Kind::Category => "gc=",
            Kind::Script => "sc=",
            Kind::ScriptExtensions => "scx=",
            Kind::Binary => "",
        };
        let hir = regex_syntax::parse(&format!(r"\p{{{kind}{}}}", self.name)).map_err(|_| Reason::NoTable)?;
        match hir.into_kind() {
            HirKind::Class(Class::Unicode(class)) => Ok(class),
            // A set of one.
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|_| Reason::NoTable)?;
                Ok(ClassUnicode::new(text.chars().map(|c| ClassUnicodeRange::new(c, c))))
            }
            HirKind::Empty
            | HirKind::Class(Class::Bytes(_))
            | HirKind::Look(_)
            | HirKind::Repetition(_)
            | HirKind::Capture(_)
            | HirKind::Concat(_)
            | HirKind::Alternation(_) => Err(Reason::NoTable),
        }
    }
}

fn find(table: &'static Table, kind: Kind, name: &str) -> Option<Property> {
    let sorted = table.sorted();
    let at = sorted.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    sorted.get(at).map(|&(_, first)| Property { kind, name: first })
}

/// Names of properties.
struct Table {
    /// Each line has one property's names, separated by spaces.
    lines: &'static [&'static str],
    sorted: OnceLock<Box<[(&'static str, &'static str)]>>,
}

impl Table {
    const fn new(lines: &'static [&'static str]) -> Table {
        Table { lines, sorted: OnceLock::new() }
    }

    /// Every name, and the first of its line.
    fn sorted(&self) -> &[(&'static str, &'static str)] {
        self.sorted.get_or_init(|| {
            let line = |names: &&'static str| {
                let (first, _) = names.split_once(' ').unwrap_or((names, ""));
                names.split(' ').map(move |name| (name, first))
            };
            let mut sorted: Vec<_> = self.lines.iter().flat_map(line).collect();
            sorted.sort_unstable();
            sorted.into()
        })
    }
}

/// Whether an identifier may begin with `c`.
pub(super) fn starts_name(c: char) -> bool {
    static TABLE: OnceLock<Set> = OnceLock::new();
    c == '$' || c == '_' || identifier_set(&TABLE, "ID_Start").contains(c)
}

/// Whether an identifier may go on with `c`.
pub(super) fn continues_name(c: char) -> bool {
    static TABLE: OnceLock<Set> = OnceLock::new();
    matches!(c, '$' | '\u{200c}' | '\u{200d}') || identifier_set(&TABLE, "ID_Continue").contains(c)
}

fn identifier_set(table: &'static OnceLock<Set>, name: &'static str) -> &'static Set {
    table.get_or_init(|| {
        // Without its table no such name would be accepted: the safe side.
        let class = Property { kind: Kind::Binary, name }.class().unwrap_or_else(|_| ClassUnicode::empty());
        Set::new(&class)
    })
}

/// General_Category's values.
static CATEGORIES: Table = Table::new(&[
    "Cased_Letter LC",
    "Close_Punctuation Pe",
    "Connector_Punctuation Pc",
    "Control Cc cntrl",
    "Currency_Symbol Sc",
    "Dash_Punctuation Pd",
    "Decimal_Number Nd digit",
    "Enclosing_Mark Me",
    "Final_Punctuation Pf",
    "Format Cf",
    "Initial_Punctuation Pi",
    "Letter L",
    "Letter_Number Nl",
    "Line_Separator Zl",
    "Lowercase_Letter Ll",
    "Mark M Combining_Mark",
    "Math_Symbol Sm",
    "Modifier_Letter Lm",
    "Modifier_Symbol Sk",
    "Nonspacing_Mark Mn",
    "Number N",
    "Open_Punctuation Ps",
    "Other C",
    "Other_Letter Lo",
    "Other_Number No",
    "Other_Punctuation Po",
    "Other_Symbol So",
    "Paragraph_Separator Zp",
    "Private_Use Co",
    "Punctuation P punct",
    "Separator Z",
    "Space_Separator Zs",
    "Spacing_Mark Mc",
    "Surrogate Cs",
    "Symbol S",
    "Titlecase_Letter Lt",
    "Unassigned Cn",
    "Uppercase_Letter Lu",
]);

/// The binary properties of table 69.
static BINARY: Table = Table::new(&[
    "ASCII",
    "ASCII_Hex_Digit AHex",
    "Alphabetic Alpha",
    "Any",
    "Assigned",
    "Bidi_Control Bidi_C",
    "Bidi_Mirrored Bidi_M",
    "Case_Ignorable CI",
    "Cased",
    "Changes_When_Casefolded CWCF",
    "Changes_When_Casemapped CWCM",
    "Changes_When_Lowercased CWL",
    "Changes_When_NFKC_Casefolded CWKCF",
    "Changes_When_Titlecased CWT",
    "Changes_When_Uppercased CWU",
    "Dash",
    "Default_Ignorable_Code_Point DI",
    "Deprecated Dep",
    "Diacritic Dia",
    "Emoji",
    "Emoji_Component EComp",
    "Emoji_Modifier EMod",
    "Emoji_Modifier_Base EBase",
    "Emoji_Presentation EPres",
    "Extended_Pictographic ExtPict",
    "Extender Ext",
    "Grapheme_Base Gr_Base",
    "Grapheme_Extend Gr_Ext",
    "Hex_Digit Hex",
    "IDS_Binary_Operator IDSB",
    "IDS_Trinary_Operator IDST",
    "ID_Continue IDC",
    "ID_Start IDS",
    "Ideographic Ideo",
    "Join_Control Join_C",
    "Logical_Order_Exception LOE",
    "Lowercase Lower",
    "Math",
    "Noncharacter_Code_Point NChar",
    "Pattern_Syntax Pat_Syn",
    "Pattern_White_Space Pat_WS",
    "Quotation_Mark QMark",
    "Radical",
    "Regional_Indicator RI",
    "Sentence_Terminal STerm",
    "Soft_Dotted SD",
    "Terminal_Punctuation Term",
    "Unified_Ideograph UIdeo",
    "Uppercase Upper",
    "Variation_Selector VS",
    "White_Space space",
    "XID_Continue XIDC",
    "XID_Start XIDS",
]);

/// Script's and Script_Extensions' values.
#[rustfmt::skip]
static SCRIPTS: Table = Table::new(&[
    "Adlam Adlm", "Ahom", "Anatolian_Hieroglyphs Hluw", "Arabic Arab", "Armenian Armn", "Avestan Avst",
    "Balinese Bali", "Bamum Bamu", "Bassa_Vah Bass", "Batak Batk", "Bengali Beng", "Beria_Erfe Berf",
    "Bhaiksuki Bhks", "Bopomofo Bopo", "Brahmi Brah", "Braille Brai", "Buginese Bugi", "Buhid Buhd",
    "Canadian_Aboriginal Cans", "Carian Cari", "Caucasian_Albanian Aghb", "Chakma Cakm", "Cham",
    "Cherokee Cher", "Chorasmian Chrs", "Common Zyyy", "Coptic Copt Qaac", "Cuneiform Xsux", "Cypriot Cprt",
    "Cypro_Minoan Cpmn", "Cyrillic Cyrl", "Deseret Dsrt", "Devanagari Deva", "Dives_Akuru Diak",
    "Dogra Dogr", "Duployan Dupl", "Egyptian_Hieroglyphs Egyp", "Elbasan Elba", "Elymaic Elym",
    "Ethiopic Ethi", "Garay Gara", "Georgian Geor", "Glagolitic Glag", "Gothic Goth", "Grantha Gran",
    "Greek Grek", "Gujarati Gujr", "Gunjala_Gondi Gong", "Gurmukhi Guru", "Gurung_Khema Gukh", "Han Hani",
    "Hangul Hang", "Hanifi_Rohingya Rohg", "Hanunoo Hano", "Hatran Hatr", "Hebrew Hebr", "Hiragana Hira",
    "Imperial_Aramaic Armi", "Inherited Qaai Zinh", "Inscriptional_Pahlavi Phli",
    "Inscriptional_Parthian Prti", "Javanese Java", "Kaithi Kthi", "Kannada Knda", "Katakana Kana",
    "Katakana_Or_Hiragana Hrkt", "Kawi", "Kayah_Li Kali", "Kharoshthi Khar", "Khitan_Small_Script Kits",
    "Khmer Khmr", "Khojki Khoj", "Khudawadi Sind", "Kirat_Rai Krai", "Lao Laoo", "Latin Latn",
    "Lepcha Lepc", "Limbu Limb", "Linear_A Lina", "Linear_B Linb", "Lisu", "Lycian Lyci", "Lydian Lydi",
    "Mahajani Mahj", "Makasar Maka", "Malayalam Mlym", "Mandaic Mand", "Manichaean Mani", "Marchen Marc",
    "Masaram_Gondi Gonm", "Medefaidrin Medf", "Meetei_Mayek Mtei", "Mende_Kikakui Mend",
    "Meroitic_Cursive Merc", "Meroitic_Hieroglyphs Mero", "Miao Plrd", "Modi", "Mongolian Mong", "Mro Mroo",
    "Multani Mult", "Myanmar Mymr", "Nabataean Nbat", "Nag_Mundari Nagm", "Nandinagari Nand",
    "New_Tai_Lue Talu", "Newa", "Nko Nkoo", "Nushu Nshu", "Nyiakeng_Puachue_Hmong Hmnp", "Ogham Ogam",
    "Ol_Chiki Olck", "Ol_Onal Onao", "Old_Hungarian Hung", "Old_Italic Ital", "Old_North_Arabian Narb",
    "Old_Permic Perm", "Old_Persian Xpeo", "Old_Sogdian Sogo", "Old_South_Arabian Sarb", "Old_Turkic Orkh",
    "Old_Uyghur Ougr", "Oriya Orya", "Osage Osge", "Osmanya Osma", "Pahawh_Hmong Hmng", "Palmyrene Palm",
    "Pau_Cin_Hau Pauc", "Phags_Pa Phag", "Phoenician Phnx", "Psalter_Pahlavi Phlp", "Rejang Rjng",
    "Runic Runr", "Samaritan Samr", "Saurashtra Saur", "Sharada Shrd", "Shavian Shaw", "Siddham Sidd",
    "Sidetic Sidt", "SignWriting Sgnw", "Sinhala Sinh", "Sogdian Sogd", "Sora_Sompeng Sora", "Soyombo Soyo",
    "Sundanese Sund", "Sunuwar Sunu", "Syloti_Nagri Sylo", "Syriac Syrc", "Tagalog Tglg", "Tagbanwa Tagb",
    "Tai_Le Tale", "Tai_Tham Lana", "Tai_Viet Tavt", "Tai_Yo Tayo", "Takri Takr", "Tamil Taml",
    "Tangsa Tnsa", "Tangut Tang", "Telugu Telu", "Thaana Thaa", "Thai", "Tibetan Tibt", "Tifinagh Tfng",
    "Tirhuta Tirh", "Todhri Todr", "Tolong_Siki Tols", "Toto", "Tulu_Tigalari Tutg", "Ugaritic Ugar",
    "Unknown Zzzz", "Vai Vaii", "Vithkuqi Vith", "Wancho Wcho", "Warang_Citi Wara", "Yezidi Yezi",
    "Yi Yiii", "Zanabazar_Square Zanb",
]);

#[cfg(test)]
mod tests {
    use super::*;

    /// Known to ECMA-262, and not to `regex-syntax`: its tables are those of Unicode 16.
    const WITHOUT_TABLE: [&str; 6] =
        ["Changes_When_NFKC_Casefolded", "Unknown", "Sidetic", "Tai_Yo", "Tolong_Siki", "Beria_Erfe"];

    #[test]
    fn every_name_has_its_code_points() {
        for (table, kind) in [
            (&CATEGORIES, Kind::Category),
            (&SCRIPTS, Kind::Script),
            (&SCRIPTS, Kind::ScriptExtensions),
            (&BINARY, Kind::Binary),
        ] {
            for line in table.lines {
                for name in line.split(' ') {
                    let property = find(table, kind, name).unwrap();
                    let known = !WITHOUT_TABLE.contains(&property.name);
                    assert_eq!(property.class().is_ok(), known, "{kind:?} {name}");
                }
            }
        }
    }

    #[test]
    fn only_the_exact_spelling_counts() {
        for good in ["L", "Letter", "gc=Lu", "General_Category=Decimal_Number", "digit", "Script=Greek"] {
            assert!(Property::parse(good).is_some(), "{good}");
        }
        for good in ["sc=Grek", "scx=Latn", "Script_Extensions=Latin", "Alpha", "space", "Any", "ASCII"] {
            assert!(Property::parse(good).is_some(), "{good}");
        }
        for bad in ["", "letter", "l", "Greek", "script=Greek", "sc=greek", "gc=", "=L", "IsL", "^L", "L "] {
            assert!(Property::parse(bad).is_none(), "{bad}");
        }
        for bad in ["Alphabetic=Y", "Block=Thai", "RGI_Emoji", "Line_Break", "gc=Alpha", "L Letter"] {
            assert!(Property::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn surrogates_are_an_empty_set() {
        assert!(Property::parse("Cs").unwrap().class().unwrap().ranges().is_empty());
    }
}
