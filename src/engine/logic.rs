//! The in-place applicators (JSON Schema core §10.2): what they decide, and what they report.
//!
//! In: branches and a value. Out: a verdict, and the problems of the branches that explain it. While a report is
//! made, a branch is first decided and walked again only where its problems are the answer; such verdicts are
//! remembered where they can nest, so the walk stays linear. Where the kind of the value leaves one branch, nothing has to be
//! decided.

use super::memo::Kind;
use super::sink::{Fault, Mode, NoSink, Sink, Token};
use super::verdict::{Tally, Verdict};
use super::walk::Walk;
use crate::limits::{Meter, search_steps};
use crate::program::{Conditional, InstructionId, Link, Tag, Union};
use crate::value::{Instance, Object, View};

/// What a union's tag says of a value.
enum Tagged<I> {
    /// No object, or no such member: nothing.
    Silent,
    /// Only this branch can pass.
    Branch(Link),
    /// No branch can pass; the member's value is to blame.
    Unknown(I),
    /// The steps ran out.
    Unchecked,
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    pub(super) fn all_of<I: Instance<'v>>(&mut self, branches: &[Link], value: I) -> Verdict {
        let mut verdict = Verdict::Yes;
        for branch in branches {
            verdict = verdict.and(self.link(*branch, value));
            if self.ends(verdict) {
                break;
            }
        }
        verdict
    }

    pub(super) fn any_of<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        union: &Union,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        if let Some(verdict) = self.tagged(id, union, view, value) {
            return verdict;
        }
        if let Some(verdict) = self.by_kind(union, value) {
            return verdict;
        }
        match self.known(id, value, |walk, links, value| walk.any_link(links, value)) {
            Some(Verdict::No) => {
                self.report_branches(id, union, value);
                return Verdict::No;
            }
            Some(Verdict::Yes) => return Verdict::Yes,
            Some(Verdict::Unknown) | None => {}
        }
        let mut verdict = Verdict::No;
        for branch in &union.branches {
            verdict = verdict.or(self.decide(*branch, value));
            if verdict.is_yes() {
                return self.walk_passed(*branch, value);
            }
            if self.state.meter.is_exhausted() {
                return self.unchecked(id, value.identity());
            }
        }
        self.report_branches(id, union, value);
        verdict
    }

    pub(super) fn one_of_branches<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        union: &Union,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        if let Some(verdict) = self.tagged(id, union, view, value) {
            return verdict;
        }
        if let Some(verdict) = self.by_kind(union, value) {
            return verdict;
        }
        let known = self.known(id, value, |walk, links, value| walk.one_link(links, value));
        if known == Some(Verdict::Yes) {
            return Verdict::Yes;
        }
        let mut tally = Tally::default();
        let mut passed = None;
        for (index, branch) in union.branches.iter().enumerate() {
            // If the union fails it may be for two branches that pass; but the last does not pass alone.
            if known == Some(Verdict::No)
                && index + 1 == union.branches.len()
                && (tally.yes, tally.unknown) == (0, 0)
            {
                break;
            }
            let verdict = self.decide(*branch, value);
            tally.add(verdict);
            if verdict.is_yes() {
                passed.get_or_insert(*branch);
            }
            if self.state.meter.is_exhausted() {
                return self.unchecked(id, value.identity());
            }
            if tally.yes > 1 {
                return self.failed(id, value.identity(), Fault::TooMany);
            }
        }
        match (passed, tally.unknown) {
            (Some(branch), 0) => self.walk_passed(branch, value),
            (Some(_), _) => self.unchecked(id, value.identity()),
            (None, _) => {
                self.report_branches(id, union, value);
                tally.at_least(1)
            }
        }
    }

    /// A report on a union of which at most one branch admits values of this kind: what that branch says is what the union
    /// says, and it says nothing where it passes. So it is walked at once, and need not be decided first.
    fn by_kind<I: Instance<'v>>(&mut self, union: &Union, value: I) -> Option<Verdict> {
        /// Branches that are told by their kind in the time of a step.
        const PER_STEP: usize = 8;
        if S::MODE != Mode::Report {
            return None;
        }
        let kind = value.kind();
        let mut open = None;
        for branch in union.branches.iter().filter(|branch| !branch.fails.has(kind)) {
            if open.replace(*branch).is_some() {
                return None;
            }
        }
        // Found out by whoever asks next.
        let _ = self.state.meter.charge((union.branches.len() / PER_STEP) as u64);
        let verdict = open.map_or(Verdict::No, |branch| self.link(branch, value));
        if verdict.is_yes() {
            return Some(verdict);
        }
        for branch in union.branches.iter().filter(|branch| branch.fails.has(kind)) {
            if self.ends(verdict) {
                break;
            }
            self.link(*branch, value);
        }
        Some(verdict)
    }

    /// What a union says of a value, for a report that has not to ask its branches one by one: an accept may have
    /// remembered it, or a switch tells.
    fn known<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        value: I,
        decide: impl FnOnce(&mut Walk<'_, '_, 'v, NoSink>, &[Link], I) -> Verdict,
    ) -> Option<Verdict> {
        if S::MODE != Mode::Report {
            return None;
        }
        let program = self.program;
        if let Some(owner) = program.owner(id)
            && program.node(owner).shared
            && program.node(owner).len() == 1
            && let Some(verdict) = self.state.memo.recall(Kind::Verdict, owner, value.identity())
        {
            return Some(verdict);
        }
        let View::Object(_) = value.view() else { return None };
        let switch = program.fused().switch_of(id)?;
        Some(Walk::new(program, self.limits, self.state, &mut NoSink).switched(switch, value, decide))
    }

    /// What the tag decides, if it decides anything.
    fn tagged<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        union: &Union,
        view: View<'v, I>,
        value: I,
    ) -> Option<Verdict> {
        let tag = union.tag.as_ref()?;
        match read_tag(tag, union, view, &mut self.state.meter) {
            Tagged::Unchecked => Some(self.unchecked(id, value.identity())),
            Tagged::Silent => None,
            Tagged::Branch(branch) => Some(self.link(branch, value)),
            Tagged::Unknown(member) => {
                if S::MODE == Mode::Report {
                    // The walk outlives the tag's name but the token must live as long as the instance: the key
                    // is looked up in the instance itself.
                    if let View::Object(members) = view
                        && let Some((key, _)) = members.get_entry(&tag.name)
                    {
                        let token = Token::Key(key);
                        let past = self.is_past(token);
                        self.below(token, false, past, |walk| {
                            walk.failed(id, member.identity(), Fault::Tag);
                        });
                    }
                }
                Some(Verdict::No)
            }
        }
    }

    /// The branch that passed: walked once more only for what it casts.
    fn walk_passed<I: Instance<'v>>(&mut self, branch: Link, value: I) -> Verdict {
        match S::MODE {
            Mode::Accept | Mode::Report => Verdict::Yes,
            Mode::Cast => self.link(branch, value),
        }
    }

    fn report_branches<I: Instance<'v>>(&mut self, id: InstructionId, union: &Union, value: I) {
        if S::MODE != Mode::Report {
            return;
        }
        if !self.count_common(id, value) {
            self.each_link(&union.branches, value);
        }
    }

    pub(super) fn each_link<I: Instance<'v>>(&mut self, links: &[Link], value: I) {
        for link in links {
            let verdict = self.link(*link, value);
            if self.ends(verdict) {
                return;
            }
        }
    }

    pub(super) fn conditional<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        conditional: &Conditional,
        value: I,
    ) -> Verdict {
        let chosen = match self.decide(conditional.condition, value) {
            Verdict::Yes => conditional.then,
            Verdict::No => conditional.otherwise,
            Verdict::Unknown => {
                let mut both = Verdict::Yes;
                for branch in [conditional.then, conditional.otherwise].into_iter().flatten() {
                    both = both.and(self.decide(branch, value));
                }
                // Where both hold, the condition does not matter; else everything hangs on it.
                return if both.is_yes() { Verdict::Yes } else { self.unchecked(id, value.identity()) };
            }
        };
        chosen.map_or(Verdict::Yes, |branch| self.link(branch, value))
    }
}

fn read_tag<'v, I: Instance<'v>>(
    tag: &Tag,
    union: &Union,
    view: View<'v, I>,
    meter: &mut Meter,
) -> Tagged<I> {
    let View::Object(members) = view else { return Tagged::Silent };
    let Some(member) = members.get(&tag.name) else { return Tagged::Silent };
    let View::String(text) = member.view() else { return Tagged::Unknown(member) };
    if meter.charge(search_steps(tag.branches.len(), text.len())).is_err() {
        return Tagged::Unchecked;
    }
    let branch = tag
        .branches
        .binary_search_by(|(name, _)| (**name).cmp(text))
        .ok()
        .and_then(|found| tag.branches.get(found))
        .and_then(|(_, branch)| union.branches.get(*branch as usize));
    branch.map_or(Tagged::Unknown(member), |branch| Tagged::Branch(*branch))
}
