//! Strings, numbers, booleans and null in a walk that only wants a verdict.
//!
//! In: operations and a value. Out: a verdict. Cost: that of the keywords, which charge what they read.

use super::super::scratch::State;
use super::super::sink::Sink;
use super::super::verdict::Verdict;
use super::super::walk::Walk;
use super::super::{number, string};
use super::FIRST;
use crate::program::{Instruction, InstructionId, Operation, PatternId};
use crate::value::{Instance, View};

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    /// A string meets the strings of an `enum`, and nothing else.
    #[inline(never)]
    pub(super) fn listed(&mut self, id: InstructionId, text: &str) -> Verdict {
        if self.state.meter.charge(FIRST).is_err() || self.state.depth_left == 0 {
            return Verdict::Unknown;
        }
        self.is_listed(id, text)
    }

    /// A string meets a pattern, and nothing else.
    #[inline(never)]
    pub(super) fn matching(&mut self, id: PatternId, text: &str) -> Verdict {
        let State { meter, caches, depth_left, .. } = &mut *self.state;
        if meter.charge(FIRST).is_err() || *depth_left == 0 {
            return Verdict::Unknown;
        }
        self.program.pattern(id).is_match(text, meter, caches, self.limits).into()
    }

    /// A string meets `minLength`, and nothing else.
    #[inline(always)]
    pub(super) fn long_enough<I: Instance<'v>>(&mut self, least: u32, text: &'v str) -> Verdict {
        if self.state.meter.charge(FIRST).is_err() || self.state.depth_left == 0 {
            return Verdict::Unknown;
        }
        string::min_length(View::<I>::String(text), u64::from(least), &mut self.state.meter)
    }

    #[inline(always)]
    fn is_listed(&self, id: InstructionId, text: &str) -> Verdict {
        match self.program.instruction(id) {
            Instruction::Enum(choices) => choices.strings.probe(text.as_bytes()).is_some().into(),
            _ => Verdict::Unknown,
        }
    }

    #[inline(never)]
    pub(super) fn run_string<I: Instance<'v>>(
        &mut self,
        operations: &[Operation],
        text: &'v str,
        value: I,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let view = View::<I>::String(text);
            let found = match operation {
                Operation::Strings(id) => self.is_listed(*id, text),
                Operation::Text(id) => match self.program.instruction(*id) {
                    Instruction::Const(expected) => (expected.as_str() == Some(text)).into(),
                    _ => Verdict::Unknown,
                },
                Operation::MinLength(least) => {
                    string::min_length(view, u64::from(*least), &mut self.state.meter)
                }
                Operation::MaxLength(most) => {
                    string::max_length(view, u64::from(*most), &mut self.state.meter)
                }
                Operation::Pattern(id) => {
                    let State { meter, caches, .. } = &mut *self.state;
                    string::pattern(view, self.program.pattern(*id), meter, caches, self.limits)
                }
                other => self.deeper(other, value),
            };
            and!(self, verdict, found);
        }
        verdict
    }

    /// Numbers, booleans and null.
    #[inline(never)]
    pub(super) fn run_other<I: Instance<'v>>(&mut self, operations: &[Operation], value: I) -> Verdict {
        if let View::Number(number) = value.view() {
            // What is no JSON number has no value to judge, and one that is held as text has to be read.
            if number.is_malformed() || self.state.meter.charge_text(number.text_len()).is_err() {
                return Verdict::Unknown;
            }
        }
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let found = match operation {
                Operation::Number(types) => match value.view() {
                    View::Number(number) => types.admits_number(number).into(),
                    View::Null | View::Boolean(_) | View::String(_) | View::Array(_) | View::Object(_) => {
                        Verdict::No
                    }
                },
                Operation::Bound(id) => {
                    let (view, meter) = (value.view(), &mut self.state.meter);
                    match self.program.instruction(*id) {
                        Instruction::Minimum(bound) => number::minimum(view, bound, meter),
                        Instruction::Maximum(bound) => number::maximum(view, bound, meter),
                        Instruction::ExclusiveMinimum(bound) => number::exclusive_minimum(view, bound, meter),
                        Instruction::ExclusiveMaximum(bound) => number::exclusive_maximum(view, bound, meter),
                        _ => Verdict::Unknown,
                    }
                }
                Operation::Only(kind) => (value.kind() == *kind).into(),
                other => self.deeper(other, value),
            };
            and!(self, verdict, found);
        }
        verdict
    }
}
