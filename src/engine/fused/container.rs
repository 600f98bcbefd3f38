//! Objects and arrays in a walk that only wants a verdict.
//!
//! In: operations and a container. Out: a verdict. Cost: a step a member or item, charged before they are looked at; a
//! key is looked up in a table that the schema alone fills.

use super::super::scratch::State;
use super::super::sink::Sink;
use super::super::verdict::Verdict;
use super::super::walk::Walk;
use crate::limits::Exhausted;
use crate::program::{Link, Members, Operation, Rest};
use crate::value::{Array, Instance, Object};

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    /// An object meets named members. `steps` are charged beside the members'.
    #[inline(never)]
    pub(super) fn named_members<I: Instance<'v>>(
        &mut self,
        index: u32,
        object: I::Object,
        steps: u64,
    ) -> Verdict {
        let count = object.len();
        let Some(members) = self.program.fused().members(index) else { return Verdict::Unknown };
        if self.state.meter.charge(steps + count as u64).is_err() {
            return Verdict::Unknown;
        }
        let Some(left) = self.state.depth_left.checked_sub(1) else { return Verdict::Unknown };
        if count < members.required() {
            return Verdict::No;
        }
        self.state.depth_left = left;
        let open = members.otherwise.is_always();
        let mut required = 0;
        let mut verdict = Verdict::Yes;
        for (key, child) in object.iter_bytes() {
            let link = match members.named.probe(key) {
                Some(link) => {
                    required += link.required();
                    link
                }
                None if open => continue,
                None => &members.otherwise,
            };
            match self.run_child(link, child) {
                Verdict::Yes => {}
                Verdict::No => {
                    verdict = Verdict::No;
                    break;
                }
                Verdict::Unknown => {
                    verdict = Verdict::Unknown;
                    if self.state.meter.is_exhausted() {
                        break;
                    }
                }
            }
        }
        self.state.depth_left += 1;
        // A walk that broke off has said no, or has not counted all.
        if required < members.required() && verdict == Verdict::Yes { Verdict::No } else { verdict }
    }

    /// An object meets several operations.
    #[inline(never)]
    pub(super) fn run_object<I: Instance<'v>>(
        &mut self,
        operations: &[Operation],
        object: I::Object,
        value: I,
    ) -> Verdict {
        self.state.depth_left -= 1;
        let verdict = self.object_operations(operations, object, value);
        self.state.depth_left += 1;
        verdict
    }

    #[inline(always)]
    fn object_operations<I: Instance<'v>>(
        &mut self,
        operations: &[Operation],
        object: I::Object,
        value: I,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let found = match operation {
                Operation::Members(index) => self.members_here::<I>(*index, object),
                Operation::Patterned(index) => self.patterned_members::<I>(*index, object),
                Operation::EachMember(link) => self.each_member::<I>(link, object),
                other => self.in_place(other, value),
            };
            and!(self, verdict, found);
        }
        verdict
    }

    /// Named members of an object whose level is counted already.
    #[inline(always)]
    fn members_here<I: Instance<'v>>(&mut self, index: u32, object: I::Object) -> Verdict {
        self.state.depth_left += 1;
        let verdict = self.named_members::<I>(index, object, 0);
        self.state.depth_left -= 1;
        verdict
    }

    #[inline(never)]
    fn each_member<I: Instance<'v>>(&mut self, link: &Link, object: I::Object) -> Verdict {
        if self.state.meter.charge(object.len() as u64).is_err() {
            return Verdict::Unknown;
        }
        let mut verdict = Verdict::Yes;
        for (_, child) in object.iter() {
            and!(self, verdict, self.run_child(link, child));
        }
        verdict
    }

    #[inline(never)]
    fn patterned_members<I: Instance<'v>>(&mut self, index: u32, object: I::Object) -> Verdict {
        let count = object.len();
        let Some(members) = self.program.fused().members(index) else { return Verdict::Unknown };
        if count < members.required() {
            return Verdict::No;
        }
        if self.state.meter.charge(count as u64).is_err() {
            return Verdict::Unknown;
        }
        let mut required = 0;
        let mut verdict = Verdict::Yes;
        for (key, child) in object.iter() {
            and!(self, verdict, self.patterned(members, key, child, &mut required));
        }
        if required < members.required() { Verdict::No } else { verdict }
    }

    /// A member whose name patterns look at too.
    #[inline(always)]
    fn patterned<I: Instance<'v>>(
        &mut self,
        members: &Members,
        key: &'v str,
        child: I,
        required: &mut usize,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        let mut taken = false;
        if let Some(link) = members.named.probe(key.as_bytes()) {
            *required += link.required();
            taken = true;
            and!(self, verdict, self.run_child(link, child));
        }
        for (pattern, rest) in &members.patterns {
            let pattern = self.program.pattern(*pattern);
            let State { meter, caches, .. } = &mut *self.state;
            let found = match (pattern.is_match(key, meter, caches, self.limits), rest) {
                (Ok(false), _) => continue,
                // Whether others may have the member is not known, so that it is not asked of them.
                (Err(Exhausted), _) => Verdict::Unknown,
                (Ok(true), Rest::Never) => Verdict::No,
                (Ok(true), Rest::Node(link)) => self.run_child(link, child),
            };
            taken = true;
            and!(self, verdict, found);
        }
        if !taken {
            and!(self, verdict, self.run_child(&members.otherwise, child));
        }
        verdict
    }

    /// An array meets several operations.
    #[inline(never)]
    pub(super) fn run_array<I: Instance<'v>>(
        &mut self,
        operations: &[Operation],
        items: I::Array,
        value: I,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        for operation in operations {
            let found = match operation {
                Operation::Items(link) => self.items_of::<I>(link, items, 0),
                Operation::MinItems(least) => (items.len() >= *least as usize).into(),
                Operation::MaxItems(most) => (items.len() <= *most as usize).into(),
                other => self.deeper(other, value),
            };
            and!(self, verdict, found);
        }
        verdict
    }

    /// Every item of an array meets a link. `steps` are charged beside the items'.
    #[inline(always)]
    pub(super) fn items_of<I: Instance<'v>>(&mut self, link: &Link, items: I::Array, steps: u64) -> Verdict {
        if self.state.meter.charge(steps + items.len() as u64).is_err() || self.state.depth_left == 0 {
            return Verdict::Unknown;
        }
        // Most arrays hold scalars that pass by what they are: no more is made ready than they need.
        if items.iter().all(|item| link.passes_at(item.glance())) {
            return Verdict::Yes;
        }
        self.unsure_items::<I>(link, items)
    }

    /// Items of which a glance does not say that all pass; they are charged already.
    #[inline(never)]
    fn unsure_items<I: Instance<'v>>(&mut self, link: &Link, items: I::Array) -> Verdict {
        self.state.depth_left -= 1;
        let mut verdict = Verdict::Yes;
        for (index, item) in items.iter().enumerate() {
            let found = self.run_child(link, item);
            if found != Verdict::Yes {
                verdict = verdict.and(found);
                if verdict == Verdict::No || self.state.meter.is_exhausted() {
                    self.state.meter.give_back((items.len() - index - 1) as u64);
                    break;
                }
            }
        }
        self.state.depth_left += 1;
        verdict
    }
}
