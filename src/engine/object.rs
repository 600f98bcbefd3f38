//! The object keywords (JSON Schema core §10.3.2, validation §6.5).
//!
//! In: a view and the schema's side. Out: a verdict; what is no object passes. One walk over the members for
//! `properties`, `patternProperties` and `additionalProperties` together: a step a member, which covers the look-up in
//! the key table (a few loads, and for a long key that is declared one comparison at the speed of memory), and each
//! pattern's own charge.

use super::key::Key;
use super::place::Counted;
use super::scratch::State;
use super::sink::{Fault, Mode, Sink, Token};
use super::verdict::Verdict;
use super::walk::Walk;
use crate::limits::{Meter, text_steps};
use crate::program::{Dependents, InstructionId, Link, Members, PropertyDependents, Rest};
use crate::value::{Instance, Object, View};

pub(super) fn min_properties<'v, I: Instance<'v>>(view: View<'v, I>, minimum: u64) -> Verdict {
    let View::Object(members) = view else { return Verdict::Yes };
    (members.len() as u64 >= minimum).into()
}

pub(super) fn max_properties<'v, I: Instance<'v>>(view: View<'v, I>, maximum: u64) -> Verdict {
    let View::Object(members) = view else { return Verdict::Yes };
    (members.len() as u64 <= maximum).into()
}

pub(super) fn required<'v, I: Instance<'v>>(
    view: View<'v, I>,
    names: &[Box<str>],
    meter: &mut Meter,
) -> Verdict {
    let View::Object(members) = view else { return Verdict::Yes };
    all_present::<I>(members, names, meter)
}

pub(super) fn dependent_required<'v, I: Instance<'v>>(
    view: View<'v, I>,
    dependents: &[Dependents],
    meter: &mut Meter,
) -> Verdict {
    let View::Object(members) = view else { return Verdict::Yes };
    let mut verdict = Verdict::Yes;
    for Dependents { name, required } in dependents {
        if meter.charge(1 + text_steps(name.len())).is_err() {
            return Verdict::Unknown;
        }
        if members.get(name).is_some() {
            verdict = verdict.and(all_present::<I>(members, required, meter));
        }
    }
    verdict
}

fn all_present<'v, I: Instance<'v>>(members: I::Object, names: &[Box<str>], meter: &mut Meter) -> Verdict {
    let mut verdict = Verdict::Yes;
    for name in names {
        if meter.charge(1 + text_steps(name.len())).is_err() {
            return Verdict::Unknown;
        }
        verdict = members.get(name).is_some().into();
        if verdict == Verdict::No {
            break;
        }
    }
    verdict
}

impl PropertyDependents {
    /// The node that the member's text names, if it has the member and the text is named.
    pub(super) fn chosen<'v, I: Instance<'v>>(&self, members: I::Object) -> Option<Link> {
        let member = members.get(&self.name)?;
        let View::String(text) = member.view() else { return None };
        let found = self.nodes.binary_search_by(|(name, _)| (**name).cmp(text)).ok()?;
        self.nodes.get(found).map(|(_, node)| *node)
    }
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    pub(super) fn members<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        members: &Members,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        let View::Object(object) = view else { return Verdict::Yes };
        let place = value.identity();
        let mut verdict = Verdict::Yes;
        let mut required = 0;
        let mut left = object.len();
        let mut all = object.iter();
        while let Some((key, child)) = all.next() {
            if S::MODE == Mode::Report
                && verdict == Verdict::No
                && members.patterns.is_empty()
                && self.is_past_from(object, key)
            {
                let rest = std::iter::once((key, child)).chain(all);
                return self.counted_members(id, members, value, left, rest);
            }
            left -= 1;
            if self.state.meter.charge(1).is_err() {
                return verdict.and(self.unchecked(id, place));
            }
            let mut taken = Verdict::No;
            if let Some(node) = members.named.get(key) {
                taken = Verdict::Yes;
                required += node.required();
                verdict = verdict.and(self.child(*node, Token::Key(key), child));
            }
            for (pattern, rest) in &members.patterns {
                let State { meter, caches, .. } = &mut *self.state;
                let matches: Verdict =
                    self.program.pattern(*pattern).is_match(key, meter, caches, self.limits).into();
                taken = taken.or(matches);
                verdict = verdict.and(match (matches, rest) {
                    (Verdict::No, _) => Verdict::Yes,
                    (Verdict::Unknown, _) => self.unchecked(id, place),
                    (Verdict::Yes, Rest::Never) => self.failed(id, place, Fault::Pattern),
                    (Verdict::Yes, Rest::Node(node)) => self.child(*node, Token::Key(key), child),
                });
            }
            if taken == Verdict::No {
                verdict = verdict.and(match members.additional() {
                    None => Verdict::Yes,
                    Some(Rest::Never) => self.failed(id, place, Fault::Failed),
                    Some(Rest::Node(node)) => self.child(node, Token::Key(key), child),
                });
            }
            if self.ends(verdict) {
                return verdict;
            }
        }
        // A report asks `required` itself, which names what is missing.
        if S::MODE == Mode::Accept && S::FUSED && required < members.required() {
            Verdict::No
        } else {
            verdict
        }
    }

    /// Whether nothing is kept of the member with this key or of any that comes after it: members that come in order of
    /// their bytes do so in the order of paths, too, unless numbers are among them, which come first there.
    fn is_past_from<O: Object<'v>>(&mut self, object: O, key: &'v str) -> bool {
        let Some(last) = object.last_in_order() else { return false };
        let first_byte = |key: &str| key.as_bytes().first().copied().unwrap_or(0);
        let names_only = first_byte(key) > b'9' || first_byte(last) < b'0';
        names_only && self.is_past(Token::Key(key))
    }

    /// Members of which nothing is kept, to the end of their object: those that fail are counted, and no key is read but
    /// to look it up. There are `left` of them.
    #[inline(never)]
    fn counted_members<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        members: &Members,
        object: I,
        left: usize,
        all: impl Iterator<Item = (&'v str, I)>,
    ) -> Verdict {
        // Whoever asks for them has met a member that fails.
        let mut verdict = Verdict::No;
        if self.state.meter.charge(left as u64).is_err() {
            return verdict.and(self.unchecked(id, object.identity()));
        }
        let mut counted = Counted::default();
        let outer = self.turn_past();
        for (key, child) in all {
            let named = if members.named.len() == 0 { None } else { members.named.get(key) };
            let told = match (named, members.additional()) {
                (Some(link), _) => self.counted(*link, child, &mut counted),
                (None, Some(Rest::Node(link))) => self.counted(link, child, &mut counted),
                (None, Some(Rest::Never)) => Some(self.failed(id, object.identity(), Fault::Failed)),
                (None, None) => None,
            };
            if let Some(told) = told {
                verdict = verdict.and(told);
                if self.ends(verdict) {
                    break;
                }
            }
        }
        self.turn_back(outer, counted);
        verdict
    }

    pub(super) fn property_names<I: Instance<'v>>(&mut self, node: Link, view: View<'v, I>) -> Verdict {
        let View::Object(members) = view else { return Verdict::Yes };
        let mut verdict = Verdict::Yes;
        for (text, _) in members.iter() {
            if self.state.meter.charge(1).is_err() {
                return Verdict::Unknown;
            }
            let identity = self.state.key_identity();
            let remembered = self.state.memo.remembered();
            verdict = verdict.and(self.decide(node, Key { text, identity }));
            // The identity was for this once.
            self.state.memo.forget(remembered);
            if verdict == Verdict::No {
                break;
            }
        }
        verdict
    }

    pub(super) fn property_dependencies<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        dependents: &[PropertyDependents],
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        let View::Object(members) = view else { return Verdict::Yes };
        let mut verdict = Verdict::Yes;
        for dependents in dependents {
            if self.state.meter.charge(1 + text_steps(dependents.name.len())).is_err() {
                return verdict.and(self.unchecked(id, value.identity()));
            }
            if let Some(node) = dependents.chosen::<I>(members) {
                verdict = verdict.and(self.link(node, value));
            }
            if self.ends(verdict) {
                break;
            }
        }
        verdict
    }

    pub(super) fn dependent_schemas<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        dependents: &[(Box<str>, Link)],
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        let View::Object(members) = view else { return Verdict::Yes };
        let mut verdict = Verdict::Yes;
        for (name, node) in dependents {
            if self.state.meter.charge(1 + text_steps(name.len())).is_err() {
                return verdict.and(self.unchecked(id, value.identity()));
            }
            if members.get(name).is_some() {
                verdict = verdict.and(self.link(*node, value));
            }
            if self.ends(verdict) {
                break;
            }
        }
        verdict
    }
}
