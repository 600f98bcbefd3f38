//! The dynamic scope, compiled away (JSON Schema core §8.2.3.2).
//!
//! In: the resources on the way to a schema. Out: an id for what each dynamic anchor is bound to there, so that a
//! node is compiled once a binding and the program has static edges only. A schema without `$dynamicRef` has one
//! scope. Scopes are at most the dynamic copies that [`crate::limits::DYNAMIC_COPIES`] allows, and two a node.

use std::collections::{BTreeMap, HashMap};

use crate::schema::{Asks, Body, Resolved, SubschemaId};

/// What every dynamic anchor is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(usize);

impl ScopeId {
    /// Before any resource is entered.
    pub(crate) const OUTERMOST: ScopeId = ScopeId(0);
}

/// All scopes of one build.
#[derive(Debug)]
pub(crate) struct Scopes {
    /// Whether anything asks; else every scope is the outermost.
    asked: bool,
    bindings: Vec<BTreeMap<String, SubschemaId>>,
    ids: HashMap<BTreeMap<String, SubschemaId>, ScopeId>,
    entered: HashMap<(ScopeId, usize), ScopeId>,
}

impl Scopes {
    pub(crate) fn new(resolved: &Resolved<'_>) -> Self {
        let asked = resolved.subschemas.iter().any(|subschema| match &subschema.body {
            Body::Always | Body::Never => false,
            Body::Keywords(keywords) => {
                keywords.iter().any(|keyword| matches!(keyword.asks, Asks::DynamicReference { .. }))
            }
        });
        Scopes {
            asked,
            bindings: vec![BTreeMap::new()],
            ids: HashMap::from([(BTreeMap::new(), ScopeId::OUTERMOST)]),
            entered: HashMap::new(),
        }
    }

    /// The scope after entering a resource from `scope`: the outermost binding of an anchor wins.
    pub(crate) fn enter(&mut self, scope: ScopeId, resource: usize, resolved: &Resolved<'_>) -> ScopeId {
        let anchors = resolved.dynamic_anchors.get(resource).map(Vec::as_slice).unwrap_or_default();
        if !self.asked || anchors.is_empty() {
            return scope;
        }
        if let Some(known) = self.entered.get(&(scope, resource)) {
            return *known;
        }
        let mut bindings = self.bindings.get(scope.0).cloned().unwrap_or_default();
        for (name, schema) in anchors {
            bindings.entry((*name).to_owned()).or_insert(*schema);
        }
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
        id
    }

    /// What `anchor` is bound to in `scope`.
    pub(crate) fn bound(&self, scope: ScopeId, anchor: &str) -> Option<SubschemaId> {
        self.bindings.get(scope.0)?.get(anchor).copied()
    }
}
