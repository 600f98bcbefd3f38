//! The dynamic scope, compiled away (JSON Schema core §8.2.3.2).
//!
//! In: the resources on the way to a schema. Out: an id for what each dynamic anchor is bound to there, so that a
//! node is compiled once a binding and the program has static edges only. A schema without dynamic references has
//! one scope, and anchors that none names bind nothing. All scopes together hold at most
//! [`BINDINGS`](crate::limits::BINDINGS) bindings, of eight bytes each.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::limits::{BINDINGS, Exhausted};
use crate::schema::{Asks, Body, Resolved, SubschemaId};
use crate::value::mixing::Mixing;

/// What every dynamic anchor is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(usize);

impl ScopeId {
    /// Before any resource is entered.
    pub(crate) const OUTERMOST: ScopeId = ScopeId(0);
}

/// The anchors that are bound, by their numbers in ascending order, and to what.
type Bindings = Rc<[(u32, u32)]>;

/// All scopes of one build.
#[derive(Debug)]
pub(crate) struct Scopes<'s> {
    /// The anchors that a dynamic reference names, numbered.
    asked: BTreeMap<&'s str, u32>,
    bindings: Vec<Bindings>,
    ids: HashMap<Bindings, ScopeId>,
    entered: HashMap<(ScopeId, usize), ScopeId, Mixing>,
    bindings_left: usize,
}

impl<'s> Scopes<'s> {
    pub(crate) fn new(resolved: &Resolved<'s>) -> Self {
        let mut asked = BTreeMap::new();
        for subschema in &resolved.subschemas {
            let Body::Keywords(keywords) = &subschema.body else { continue };
            for keyword in keywords {
                if let Asks::DynamicReference { anchor, .. } = keyword.asks {
                    // A number past `u32` would come after as many keywords.
                    let next = u32::try_from(asked.len()).unwrap_or(u32::MAX);
                    asked.entry(anchor).or_insert(next);
                }
            }
        }
        Scopes {
            asked,
            bindings: vec![Bindings::default()],
            ids: HashMap::from([(Bindings::default(), ScopeId::OUTERMOST)]),
            entered: HashMap::default(),
            bindings_left: BINDINGS,
        }
    }

    /// The scope after entering a resource from `scope`: the outermost binding of an anchor wins.
    pub(crate) fn enter(
        &mut self,
        scope: ScopeId,
        resource: usize,
        resolved: &Resolved<'s>,
    ) -> Result<ScopeId, Exhausted> {
        if self.asked.is_empty() {
            return Ok(scope);
        }
        if let Some(known) = self.entered.get(&(scope, resource)) {
            return Ok(*known);
        }
        let outer = self.bindings.get(scope.0).cloned().unwrap_or_default();
        let mut own = Vec::new();
        for (name, schema) in resolved.dynamic_anchors.get(resource).into_iter().flatten() {
            if let Some(&anchor) = self.asked.get(name)
                && outer.binary_search_by_key(&anchor, |(anchor, _)| *anchor).is_err()
            {
                own.push((anchor, u32::try_from(schema.0).map_err(|_| Exhausted)?));
            }
        }
        let cost = outer.len() + own.len() + 1;
        self.bindings_left = self.bindings_left.checked_sub(cost).ok_or(Exhausted)?;
        let id = if own.is_empty() {
            scope
        } else {
            // Of two in one resource the first is bound.
            own.sort_by_key(|(anchor, _)| *anchor);
            own.dedup_by_key(|(anchor, _)| *anchor);
            own.extend_from_slice(&outer);
            own.sort_unstable();
            let bindings = Bindings::from(own);
            match self.ids.get(&bindings) {
                Some(id) => *id,
                None => {
                    let id = ScopeId(self.bindings.len());
                    self.bindings.push(Rc::clone(&bindings));
                    self.ids.insert(bindings, id);
                    id
                }
            }
        };
        self.entered.insert((scope, resource), id);
        Ok(id)
    }

    /// What `anchor` is bound to in `scope`.
    pub(crate) fn bound(&self, scope: ScopeId, anchor: &str) -> Option<SubschemaId> {
        let anchor = self.asked.get(anchor)?;
        let bindings = self.bindings.get(scope.0)?;
        let at = bindings.binary_search_by_key(anchor, |(anchor, _)| *anchor).ok()?;
        bindings.get(at).map(|&(_, schema)| SubschemaId(schema as usize))
    }
}
