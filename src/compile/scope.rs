//! The dynamic scope, compiled away (JSON Schema core §8.2.3.2).
//!
//! In: the resources on the way to a schema. Out: an id for what each dynamic anchor is bound to there, so that a
//! node is compiled once a binding and the program has static edges only. A schema without dynamic references has
//! one scope, and anchors that none names bind nothing. All scopes together hold at most
//! [`BINDINGS`](crate::limits::BINDINGS) bindings.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::limits::{BINDINGS, Exhausted};
use crate::schema::{Asks, Body, Resolved, SubschemaId};

/// What every dynamic anchor is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(usize);

impl ScopeId {
    /// Before any resource is entered.
    pub(crate) const OUTERMOST: ScopeId = ScopeId(0);
}

/// What each anchor is bound to.
type Bindings<'s> = BTreeMap<&'s str, SubschemaId>;

/// All scopes of one build.
#[derive(Debug)]
pub(crate) struct Scopes<'s> {
    /// The anchors that a dynamic reference names.
    asked: BTreeSet<&'s str>,
    bindings: Vec<Bindings<'s>>,
    ids: HashMap<Bindings<'s>, ScopeId>,
    entered: HashMap<(ScopeId, usize), ScopeId>,
    bindings_left: usize,
}

impl<'s> Scopes<'s> {
    pub(crate) fn new(resolved: &Resolved<'s>) -> Self {
        let mut asked = BTreeSet::new();
        for subschema in &resolved.subschemas {
            let Body::Keywords(keywords) = &subschema.body else { continue };
            for keyword in keywords {
                if let Asks::DynamicReference { anchor, .. } = keyword.asks {
                    asked.insert(anchor);
                }
            }
        }
        Scopes {
            asked,
            bindings: vec![Bindings::new()],
            ids: HashMap::from([(Bindings::new(), ScopeId::OUTERMOST)]),
            entered: HashMap::new(),
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
        let mut bindings = self.bindings.get(scope.0).cloned().unwrap_or_default();
        for (name, schema) in resolved.dynamic_anchors.get(resource).into_iter().flatten() {
            if self.asked.contains(name) {
                bindings.entry(name).or_insert(*schema);
            }
        }
        let cost = bindings.len() + 1;
        self.bindings_left = self.bindings_left.checked_sub(cost).ok_or(Exhausted)?;
        let id = match self.ids.get(&bindings) {
            Some(id) => *id,
            None => {
                let id = ScopeId(self.bindings.len());
                self.bindings.push(bindings.clone());
                self.ids.insert(bindings, id);
                id
            }
        };
        self.entered.insert((scope, resource), id);
        Ok(id)
    }

    /// What `anchor` is bound to in `scope`.
    pub(crate) fn bound(&self, scope: ScopeId, anchor: &str) -> Option<SubschemaId> {
        self.bindings.get(scope.0)?.get(anchor).copied()
    }
}
