//! Every limit: one named const, its unit, and why that number; [`Limits`] to choose others; a meter to charge.
//!
//! In: nothing. Out: numbers that every stage reads from here, so that a bound stands in one place. A lower
//! default is a breaking change.

/// Depth of an instance plus the schema nesting applied to one value, in nodes entered and not yet left.
///
/// Real calls and documents stay below 30. 256 levels of the engine's largest frames fit a 2 MiB thread in a
/// debug build with more than half to spare (`tests/depth.rs` runs it).
pub const DEPTH: usize = 256;

/// The most that [`Limits::depth`] accepts, in the same unit; a larger wish is taken as this.
///
/// What still fits a 2 MiB thread in a debug build: the caller's data must not overflow the stack, whatever the
/// server's author asks for.
pub const DEPTH_CEILING: usize = 512;

/// Steps one check may take. A step is one instruction on one value, one member or item visited, or
/// [`TEXT_PER_STEP`] bytes of text read.
///
/// About a second on one core; the largest real document measured takes under a million.
pub const STEPS: u64 = 100_000_000;

/// Bytes of text that are read for the price of one step.
///
/// About what an instruction costs beside a memory scan.
pub const TEXT_PER_STEP: usize = 64;

/// Bytes of text that a format reads for the price of one step, and of a body that is checked as bytes.
///
/// Each byte is looked at by itself: one to three nanoseconds a byte beside a step's ten.
pub const FORMAT_TEXT_PER_STEP: usize = 8;

/// Bytes of a pattern's text that the format `regex` reads for the price of one step: it parses, at five to ten
/// nanoseconds a byte where names of groups and of properties are looked up.
pub const SYNTAX_TEXT_PER_STEP: usize = 1;

/// What the syntax of one pattern may need in memory, in bytes, for the names of its groups and for its nesting. A
/// pattern past it is refused at build, and is "not checked" where the format `regex` meets it.
///
/// Four thousand named groups, or four million levels; a pattern of [`PATTERN_SOURCE`] bytes has no room for as many.
pub const SYNTAX_BYTES: usize = 512 << 10;

/// Entries that the memo of one check may hold at a time: verdicts remembered per (node, value).
///
/// Four million entries are about 200 MB; a check that needs more is out of proportion to its instance.
pub const MEMO_ENTRIES: usize = 4_000_000;

/// Items that the set behind one `uniqueItems` may hold.
///
/// Sixteen bytes each: 64 MB for an array that would itself take 128 MB as `serde_json::Value`.
pub const UNIQUE_ITEMS: usize = 4_000_000;

/// Nesting of a schema document, in JSON levels.
///
/// Real tools reach 11 and real configuration schemas 25.
pub const SCHEMA_DEPTH: usize = 256;

/// All documents of one validator together, in bytes of JSON: the schema, and every resource given to its build or
/// fetched for it.
///
/// The largest real schema measured has 393 KB. A build takes up to ten bytes for each byte of an `enum` or a `const`,
/// about as much as the document itself takes as `serde_json::Value`; what grows faster is limited by itself
/// ([`SUBSCHEMAS`], [`PATTERNS_BYTES`]).
pub const SCHEMA_BYTES: usize = 16 << 20;

/// Absolute URI of one resource, in bytes. Every reference in the resource is resolved against it.
///
/// Real ones stay below 200.
pub const IDENTITY_BYTES: usize = 8 << 10;

/// Absolute URIs of all resources of one validator together, in bytes.
///
/// A relative `$id` takes its base's length anew, so that many short ones under a long base would outgrow their
/// schema; the largest real schema measured has three.
pub const IDENTITIES_BYTES: usize = 4 << 20;

/// Subschemas that one validator may have, over all its documents.
///
/// The largest real schema measured has about 6,000.
pub const SUBSCHEMAS: usize = 100_000;

/// Copies of nodes that dynamic references may cause in one validator, beyond one node a subschema.
///
/// A copy is a schema under another binding of its dynamic anchors; the metaschemas need none, since they bind
/// each anchor once.
pub const DYNAMIC_COPIES: usize = 10_000;

/// References that dynamic copies may lead through in one validator, beyond one for each subschema.
///
/// A copy of a schema that only refers is no node, so [`DYNAMIC_COPIES`] does not count it; each is remembered, in 80
/// bytes at most, and stands in a list of its copy's.
pub const DYNAMIC_LINKS: usize = 100_000;

/// What the keywords of dynamic copies may hold in one validator, in bytes: their names, values and branches, each copy
/// its own.
///
/// The dynamic copies limit how many there are, not how large each is: an `enum` of 2,000 strings in 8,000 scopes took
/// 450 MB.
pub const DYNAMIC_BYTES: usize = 4 << 20;

/// Bindings of dynamic anchors that all scopes of one build may hold together, and the resources entered to make them.
///
/// The dynamic copies limit how many scopes are of use, not how many anchors each binds; real schemas bind one.
pub const BINDINGS: usize = 1_000_000;

/// Documents that one build may fetch through its [`Retrieve`](crate::Retrieve).
///
/// A schema names them, so a hostile one could name any number; real schemas spread over a few dozen files.
pub const RETRIEVED: usize = 1_000;

/// Metaschemas of the caller's own that the schemas of one build may name.
///
/// Each is compiled once a build that uses it. Real builds use one.
pub const METASCHEMAS: usize = 16;

/// Metaschemas that lie between a metaschema of the caller's and a known dialect, each the `$schema` of the one
/// before.
///
/// Real ones name a known dialect at once; past this it is taken for a cycle.
pub const METASCHEMA_CHAIN: usize = 8;

/// Compiled size of one pattern, in bytes as the `regex` crate counts them.
///
/// A match costs time in proportion to its states, and a state takes about 72 bytes.
pub const PATTERN_BYTES: usize = 1 << 20;

/// Compiled size of all patterns of one validator, in bytes, with some 5 KB for each that needs an automaton.
pub const PATTERNS_BYTES: usize = 16 << 20;

/// Source text of one pattern, in bytes. The compiled limit does not bound parsing, so the text has its own.
pub const PATTERN_SOURCE: usize = 16 << 10;

/// Longest string that a backtracking pattern is tried on, in bytes.
///
/// Such a match can cost the square of the length, in moves that are charged as they are made ([`BACKTRACK_STEPS`]). What
/// a regular pattern tells of a string is told whatever its length.
pub const BACKTRACK_BYTES: usize = 4_096;

/// Steps that all tries of backtracking patterns may take together in one walk over a value, however many strings meet
/// them, beyond those that each try needs to read its string a few times. What needs more is not checked.
///
/// Some five milliseconds, and as much again to report: less in all than another engine takes for one string that makes
/// it give up (`benches/peers`, `bombs`). An ordinary pattern that looks from every place to the end of a word, as
/// `(\w+) \1` does, needs a twentieth of it for a string of [`BACKTRACK_BYTES`].
pub const BACKTRACK_STEPS: u64 = 400_000;

/// Choices, and slots to restore, that may wait in one try of a backtracking pattern. What needs more is not checked.
///
/// 64 for each byte of the longest string that is tried by default; at 16 bytes each they take 4 MiB.
pub const BACKTRACK_FRAMES: usize = 64 * BACKTRACK_BYTES;

/// What one [`Scratch`](crate::Scratch) keeps of the automata of all patterns that it has run, in bytes. Where a match
/// takes them past it they are dropped, and made anew, and paid for, as they are needed.
///
/// The patterns of the largest real schemas measured take a tenth of it. A single match adds what one automaton may
/// take before it is looked at: under a megabyte.
pub const PATTERN_CACHES: usize = 2 << 20;

/// One body of JSON that is checked as bytes, in bytes.
///
/// Beyond what servers take as a request. Its tape takes 1.2 bytes a byte on real documents, and nine at most.
pub const INSTANCE_BYTES: usize = 64 << 20;

/// The most that [`Limits::instance_bytes`] accepts, in the same unit; a larger wish is taken as this.
///
/// The tape's positions are 32 bits wide.
pub const INSTANCE_BYTES_CEILING: usize = u32::MAX as usize - 1;

/// Values, and keys of members, that one body of JSON may have that is checked as bytes.
///
/// Sixteen bytes each: 64 MB. The largest real document measured has under a hundred thousand.
pub const INSTANCE_VALUES: usize = 4_000_000;

/// One key of a body of JSON that is checked as bytes, in bytes, decoded.
///
/// Real ones stay below 200. A key is compared and cut where it stands, so that a long one costs its bytes and no more; a
/// server that copies or indexes keys may want less.
pub const KEY_BYTES: usize = 1 << 20;

/// What a caller may choose. Every field is a maximum; the defaults are the consts of this module.
///
/// ```
/// use portcullis::Limits;
/// let limits = Limits::default().steps(1_000_000).depth(64);
/// assert_eq!(limits.get_steps(), 1_000_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    depth: usize,
    steps: u64,
    memo_entries: usize,
    unique_items: usize,
    schema_depth: usize,
    schema_bytes: usize,
    subschemas: usize,
    dynamic_copies: usize,
    pattern_bytes: usize,
    patterns_bytes: usize,
    pattern_source: usize,
    backtrack_bytes: usize,
    backtrack_steps: u64,
    backtracking: bool,
    instance_bytes: usize,
    instance_values: usize,
    key_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: DEPTH,
            steps: STEPS,
            memo_entries: MEMO_ENTRIES,
            unique_items: UNIQUE_ITEMS,
            schema_depth: SCHEMA_DEPTH,
            schema_bytes: SCHEMA_BYTES,
            subschemas: SUBSCHEMAS,
            dynamic_copies: DYNAMIC_COPIES,
            pattern_bytes: PATTERN_BYTES,
            patterns_bytes: PATTERNS_BYTES,
            pattern_source: PATTERN_SOURCE,
            backtrack_bytes: BACKTRACK_BYTES,
            backtrack_steps: BACKTRACK_STEPS,
            backtracking: true,
            instance_bytes: INSTANCE_BYTES,
            instance_values: INSTANCE_VALUES,
            key_bytes: KEY_BYTES,
        }
    }
}

impl Limits {
    /// Depth of an instance plus the schema nesting applied to one value, in nodes; see [`DEPTH`]. At most
    /// [`DEPTH_CEILING`], which a larger number is taken as. What lies deeper is refused, not passed.
    #[must_use]
    pub fn depth(mut self, nodes: usize) -> Self {
        self.depth = nodes.min(DEPTH_CEILING);
        self
    }

    /// Steps that one check may take; see [`STEPS`]. It bounds time, not memory. The report that follows a
    /// failed check has the same number again for itself.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// Verdicts that one check may remember; see [`MEMO_ENTRIES`].
    #[must_use]
    pub fn memo_entries(mut self, entries: usize) -> Self {
        self.memo_entries = entries;
        self
    }

    /// Items that one `uniqueItems` may compare by its set; see [`UNIQUE_ITEMS`].
    #[must_use]
    pub fn unique_items(mut self, items: usize) -> Self {
        self.unique_items = items;
        self
    }

    /// Nesting of a schema document, in JSON levels; see [`SCHEMA_DEPTH`]. At most that number, which a larger
    /// one is taken as.
    #[must_use]
    pub fn schema_depth(mut self, levels: usize) -> Self {
        self.schema_depth = levels.min(SCHEMA_DEPTH);
        self
    }

    /// All documents of one validator together, in bytes of JSON; see [`SCHEMA_BYTES`].
    #[must_use]
    pub fn schema_bytes(mut self, bytes: usize) -> Self {
        self.schema_bytes = bytes;
        self
    }

    /// Subschemas of one validator; see [`SUBSCHEMAS`].
    #[must_use]
    pub fn subschemas(mut self, count: usize) -> Self {
        self.subschemas = count;
        self
    }

    /// Copies that dynamic references may cause; see [`DYNAMIC_COPIES`].
    #[must_use]
    pub fn dynamic_copies(mut self, count: usize) -> Self {
        self.dynamic_copies = count;
        self
    }

    /// Compiled size of one pattern, in bytes; see [`PATTERN_BYTES`].
    #[must_use]
    pub fn pattern_bytes(mut self, bytes: usize) -> Self {
        self.pattern_bytes = bytes;
        self
    }

    /// Compiled size of all patterns together, in bytes; see [`PATTERNS_BYTES`].
    #[must_use]
    pub fn patterns_bytes(mut self, bytes: usize) -> Self {
        self.patterns_bytes = bytes;
        self
    }

    /// Source text of one pattern, in bytes; see [`PATTERN_SOURCE`].
    #[must_use]
    pub fn pattern_source(mut self, bytes: usize) -> Self {
        self.pattern_source = bytes;
        self
    }

    /// Longest string that a backtracking pattern is tried on, in bytes; see [`BACKTRACK_BYTES`]. A longer one
    /// is refused as not checked.
    #[must_use]
    pub fn backtrack_bytes(mut self, bytes: usize) -> Self {
        self.backtrack_bytes = bytes;
        self
    }

    /// Steps that all tries of backtracking patterns may take together in a walk, beyond what each has free; see
    /// [`BACKTRACK_STEPS`]. They are taken
    /// from [`Limits::steps`] too. A string that needs more is refused as "could not be checked against pattern", and
    /// so is every string that such a pattern meets later.
    #[must_use]
    pub fn backtrack_steps(mut self, steps: u64) -> Self {
        self.backtrack_steps = steps;
        self
    }

    /// Whether a pattern that no linear engine can run may be used at all; with `false` it refuses its schema.
    #[must_use]
    pub fn backtracking(mut self, allowed: bool) -> Self {
        self.backtracking = allowed;
        self
    }

    /// One body that is checked as bytes, in bytes; see [`INSTANCE_BYTES`]. At most [`INSTANCE_BYTES_CEILING`]. Does not
    /// bound a `serde_json::Value`, which exists before it is checked.
    #[must_use]
    pub fn instance_bytes(mut self, bytes: usize) -> Self {
        self.instance_bytes = bytes.min(INSTANCE_BYTES_CEILING);
        self
    }

    /// Values and keys of one body that is checked as bytes; see [`INSTANCE_VALUES`].
    #[must_use]
    pub fn instance_values(mut self, count: usize) -> Self {
        self.instance_values = count;
        self
    }

    /// One key of a body that is checked as bytes, in bytes; see [`KEY_BYTES`].
    #[must_use]
    pub fn key_bytes(mut self, bytes: usize) -> Self {
        self.key_bytes = bytes;
        self
    }

    /// The depth in force, in nodes.
    pub fn get_depth(&self) -> usize {
        self.depth
    }
    /// The steps in force.
    pub fn get_steps(&self) -> u64 {
        self.steps
    }
    /// The memo entries in force.
    pub fn get_memo_entries(&self) -> usize {
        self.memo_entries
    }
    /// The items of a `uniqueItems` set in force.
    pub fn get_unique_items(&self) -> usize {
        self.unique_items
    }
    /// The schema depth in force, in JSON levels.
    pub fn get_schema_depth(&self) -> usize {
        self.schema_depth
    }
    /// The size of all documents in force, in bytes of JSON.
    pub fn get_schema_bytes(&self) -> usize {
        self.schema_bytes
    }
    /// The number of subschemas in force.
    pub fn get_subschemas(&self) -> usize {
        self.subschemas
    }
    /// The number of dynamic copies in force.
    pub fn get_dynamic_copies(&self) -> usize {
        self.dynamic_copies
    }
    /// The compiled size of one pattern in force, in bytes.
    pub fn get_pattern_bytes(&self) -> usize {
        self.pattern_bytes
    }
    /// The compiled size of all patterns in force, in bytes.
    pub fn get_patterns_bytes(&self) -> usize {
        self.patterns_bytes
    }
    /// The source size of one pattern in force, in bytes.
    pub fn get_pattern_source(&self) -> usize {
        self.pattern_source
    }
    /// The steps of all backtracking tries in force.
    pub fn get_backtrack_steps(&self) -> u64 {
        self.backtrack_steps
    }

    /// The longest string for a backtracking pattern in force, in bytes.
    pub fn get_backtrack_bytes(&self) -> usize {
        self.backtrack_bytes
    }
    /// Whether backtracking patterns are allowed.
    pub fn get_backtracking(&self) -> bool {
        self.backtracking
    }
    /// The size of a body of bytes in force, in bytes.
    pub fn get_instance_bytes(&self) -> usize {
        self.instance_bytes
    }
    /// The number of values and keys of a body of bytes in force.
    pub fn get_instance_values(&self) -> usize {
        self.instance_values
    }
    /// The size of a key of a body of bytes in force, in bytes.
    pub fn get_key_bytes(&self) -> usize {
        self.key_bytes
    }
}

/// A limit ran out: what was asked is neither yes nor no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// The steps of one walk: charged where work happens, and never refilled within the walk, but by what was charged
/// ahead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    left: u64,
    given: u64,
    exhausted: bool,
}

impl Meter {
    pub(crate) fn new(steps: u64) -> Self {
        Meter { left: steps, given: steps, exhausted: false }
    }

    /// Takes `steps` off, or all that is left and says so. Once exhausted it stays so.
    #[inline]
    pub(crate) fn charge(&mut self, steps: u64) -> Result<(), Exhausted> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                self.exhausted = true;
                Err(Exhausted)
            }
        }
    }

    /// Gives back what was charged ahead for work that was not done. What has run out stays so.
    #[inline]
    pub(crate) fn give_back(&mut self, steps: u64) {
        if !self.exhausted {
            self.left = self.left.saturating_add(steps).min(self.given);
        }
    }

    /// Charges for reading `bytes` of text.
    #[inline]
    pub(crate) fn charge_text(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.charge(text_steps(bytes))
    }

    /// Steps taken so far.
    pub(crate) fn used(&self) -> u64 {
        self.given - self.left
    }

    /// Whether a charge was refused.
    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Steps left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }
}

/// What reading `bytes` of text costs, in steps: nothing below [`TEXT_PER_STEP`], since the instruction that
/// reads it is charged already.
#[inline]
pub(crate) fn text_steps(bytes: usize) -> u64 {
    (bytes / TEXT_PER_STEP) as u64
}

/// What a search by halves for a text of `bytes` among `entries` costs, in steps: nothing for a few short ones,
/// since the instruction that searches is charged already. Four comparisons of ordinary names take a step's time.
#[inline]
pub(crate) fn search_steps(entries: usize, bytes: usize) -> u64 {
    let halvings = u64::from(usize::BITS - entries.leading_zeros());
    (halvings * (1 + text_steps(bytes))).div_ceil(4) - u64::from(halvings > 0)
}

/// What telling a problem costs, in steps: the `tokens` of its path are compared with those of the paths kept, eight of
/// them in a step's time.
#[inline]
pub(crate) fn problem_steps(tokens: usize) -> u64 {
    1 + tokens as u64 / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_stops_at_its_limit_and_stays_stopped() {
        let mut meter = Meter::new(10);
        assert_eq!(meter.charge(10), Ok(()));
        assert_eq!(meter.used(), 10);
        assert_eq!(meter.charge(1), Err(Exhausted));
        let mut meter = Meter::new(10);
        assert_eq!(meter.charge(11), Err(Exhausted));
        assert_eq!(meter.charge(1), Err(Exhausted));
        assert_eq!((meter.used(), meter.left()), (10, 0));
    }

    #[test]
    fn what_was_charged_ahead_is_given_back_unless_it_ran_out() {
        let mut meter = Meter::new(10);
        assert_eq!(meter.charge(8), Ok(()));
        meter.give_back(5);
        assert_eq!((meter.used(), meter.left()), (3, 7));
        meter.give_back(100);
        assert_eq!((meter.used(), meter.left()), (0, 10));
        assert_eq!(meter.charge(11), Err(Exhausted));
        meter.give_back(5);
        assert_eq!((meter.left(), meter.is_exhausted()), (0, true));
    }

    #[test]
    fn depth_is_clamped_to_what_the_stack_bears() {
        assert_eq!(Limits::default().depth(usize::MAX).get_depth(), DEPTH_CEILING);
        assert_eq!(Limits::default().depth(3).get_depth(), 3);
    }
}
