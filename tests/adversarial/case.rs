//! A case of `corpus/adversarial/`: an attack with a size, and what it may cost.
//!
//! In: a file of the corpus. Out: a [`Case`] that builds its schema and instance for a size. The members of a file:
//!
//! | member | meaning |
//! |---|---|
//! | `why` | what it attacks |
//! | `schema`, `instance` | templates ([`super::template`]) |
//! | `accepted` | a template of a value as like the instance as can be that passes, where changing scalars does not make one with the same work before it; null where none like it passes (only the bench reads it) |
//! | `sizes` | a size, and its double |
//! | `valid`, `total` | the verdict, and the count of failing places (an expression; absent where valid) |
//! | `steps` | the most steps of a refusal, or of an accept, for each unit of the size |
//! | `bytes` | the most bytes at the peak beyond what is flat: `place` a failing place, `unit` a unit of the size, `schema` for a large one |
//! | `allocations` | the most allocations of one check with a new scratch, where [`ALLOCATIONS`] does not do |
//! | `warm` | the most allocations of an accept with a warm scratch, where it is not none: the pattern behind the format `regex` |
//! | `depth`, `limit` | `Limits::depth` and `Limits::steps`, where the defaults do not do |
//! | `complete` | false where a limit leaves something unchecked |
//! | `exact` | true where the instance needs serde_json's `arbitrary_precision` |

use std::path::Path;

use portcullis::{Limits, Validator};
use serde_json::Value;

use super::template;

/// What a check allocates at most where a case says nothing else: ten entries with ten problems each.
pub(crate) const ALLOCATIONS: u64 = 1_000;

pub(crate) struct Case {
    pub(crate) name: String,
    file: Value,
}

impl Case {
    /// All cases of the corpus, by name.
    pub(crate) fn all() -> Vec<Case> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
        let mut cases: Vec<Case> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| Case::read(&entry.expect("an entry").path()))
            .collect();
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        cases
    }

    fn read(path: &Path) -> Case {
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a readable file");
        let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        const MEMBERS: &[&str] = &[
            "why",
            "schema",
            "instance",
            "accepted",
            "sizes",
            "valid",
            "total",
            "steps",
            "bytes",
            "allocations",
            "warm",
            "depth",
            "limit",
            "complete",
            "exact",
        ];
        let strange =
            file.as_object().expect("an object").keys().find(|key| !MEMBERS.contains(&key.as_str()));
        assert_eq!(strange, None, "{name}");
        Case { name, file }
    }

    /// Whether this build can hold the instance.
    pub(crate) fn runs_here(&self) -> bool {
        let exact = serde_json::from_str::<Value>("1e400").is_ok();
        exact || self.file["exact"] != true
    }

    /// A size, and its double.
    pub(crate) fn sizes(&self) -> [u64; 2] {
        let sizes = [0, 1].map(|index| self.file["sizes"][index].as_u64().expect("two sizes"));
        assert_eq!(sizes[1], 2 * sizes[0], "{}", self.name);
        sizes
    }

    pub(crate) fn schema(&self, size: u64) -> Value {
        template::build(&self.file["schema"], size)
    }

    pub(crate) fn instance(&self, size: u64) -> Value {
        template::build(&self.file["instance"], size)
    }

    /// A value like the instance that passes: nothing where the file does not say, `null` where it says that none does.
    pub(crate) fn accepted(&self, size: u64) -> Option<Value> {
        self.file.get("accepted").map(|accepted| template::build(accepted, size))
    }

    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if let Some(depth) = self.file["depth"].as_u64() {
            limits = limits.depth(depth as usize);
        }
        if let Some(steps) = self.file["limit"].as_u64() {
            limits = limits.steps(steps);
        }
        limits
    }

    pub(crate) fn validator(&self, size: u64) -> Validator {
        let built = Validator::options().limits(self.limits()).build(&self.schema(size));
        built.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub(crate) fn valid(&self) -> bool {
        self.file["valid"].as_bool().expect("a verdict")
    }

    /// How many places fail.
    pub(crate) fn total(&self, size: u64) -> usize {
        if self.valid() { 0 } else { template::number(&self.file["total"], size) as usize }
    }

    pub(crate) fn complete(&self) -> bool {
        self.file["complete"] != false
    }

    /// The most steps of a check.
    pub(crate) fn steps(&self, size: u64) -> u64 {
        self.file["steps"].as_u64().expect("a limit on steps") * size
    }

    pub(crate) fn bytes_a_place(&self) -> u64 {
        self.file["bytes"]["place"].as_u64().unwrap_or(0)
    }

    pub(crate) fn bytes_a_unit(&self) -> u64 {
        self.file["bytes"]["unit"].as_u64().unwrap_or(0)
    }

    pub(crate) fn bytes_of_schema(&self) -> u64 {
        self.file["bytes"]["schema"].as_u64().unwrap_or(0)
    }

    pub(crate) fn warm_allocations(&self) -> u64 {
        self.file["warm"].as_u64().unwrap_or(0)
    }

    pub(crate) fn allocations(&self) -> u64 {
        self.file["allocations"].as_u64().unwrap_or(ALLOCATIONS)
    }
}

/// Where the cases lie, from the package that reads them.
const FOLDER: &str = super::CASES;
