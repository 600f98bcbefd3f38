//! The compiler: the resolved form becomes a program.
//!
//! In: [`Resolved`], with formats and limits chosen. Out: a frozen [`Program`], or the first reason why there is
//! none. Each pair of a subschema and the dynamic scope it is met in becomes one node, from a worklist on the
//! heap; without `$dynamicRef` that is one node a subschema, so size and time are linear in the schema.
//!
//! [`Compiler::keyword`] is the one dispatch over keywords. What keywords share a walk meet in [`Parts`]. After
//! the nodes come the analyses: [`cycles`] refuses what reads no data, [`memo`] finds what must be remembered,
//! [`tag`] the unions that a property tells apart. Last, [`fuse`] prepares what a verdict runs.

mod array;
mod custom;
mod cycles;
mod fuse;
mod memo;
mod object;
mod scalar;
mod scope;
mod tag;
mod weight;

use std::collections::HashMap;

pub use fuse::Rewrite;
pub(crate) use fuse::Rewrites;
use scope::{ScopeId, Scopes};

use crate::keyword::CustomKeyword;
use crate::limits::{DYNAMIC_BYTES, DYNAMIC_LINKS, Exhausted, Limits};
use crate::program::{
    Builder, Conditional, CustomFormat, CustomFormatId, CustomKeywordId, Group, Instruction, Link, NodeDraft,
    NodeId, PatternId, Program, Rest, TooLarge, Union,
};
use crate::schema::error::BuildError;
use crate::schema::{Asks, Body, Keyword, Place, Registry, Resolved, Subschema, SubschemaId};
use crate::value::mixing::Mixing;

/// What a format that nobody knows does to its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownFormats {
    /// It refuses the schema: a check that was asked for would silently not happen.
    Refuse,
    /// It is an annotation.
    Annotate,
}

const TOO_MANY_COPIES: &str = "dynamic references would copy more schemas than the limit";

/// What is chosen for a build.
#[derive(Debug)]
pub(crate) struct Settings<'c> {
    pub(crate) limits: &'c Limits,
    pub(crate) assert_format: bool,
    pub(crate) unknown_formats: UnknownFormats,
    pub(crate) custom_formats: &'c [CustomFormat],
    pub(crate) custom_keywords: &'c [CustomKeyword],
    pub(crate) rewrites: Rewrites,
}

/// Compiles a schema. The registry gives places to errors.
pub(crate) fn compile<'s>(
    resolved: &Resolved<'s>,
    registry: &Registry<'s>,
    settings: &Settings<'_>,
) -> Result<(Builder, Link), BuildError> {
    let mut compiler = Compiler {
        resolved,
        registry,
        settings,
        builder: Builder::default(),
        scopes: Scopes::new(resolved),
        nodes: HashMap::default(),
        pending: Vec::new(),
        unevaluated: resolved.subschemas.iter().any(asks_unevaluated),
        copies_left: settings.limits.get_dynamic_copies(),
        copied_bytes_left: DYNAMIC_BYTES,
        links_left: resolved.subschemas.len().saturating_add(DYNAMIC_LINKS),
        seen: vec![false; resolved.subschemas.len()],
        patterns: HashMap::new(),
        pattern_bytes_left: settings.limits.get_patterns_bytes(),
        custom_formats: HashMap::new(),
        custom_keywords: HashMap::default(),
        ends: HashMap::default(),
    };
    let root = compiler.node(resolved.root, ScopeId::OUTERMOST)?.node;
    while let Some((subschema, scope, node)) = compiler.pending.pop() {
        compiler.fill(subschema, scope, node)?;
    }
    cycles::refuse(&compiler)?;
    tag::find(&mut compiler.builder);
    memo::mark(&mut compiler.builder, root);
    let root = fuse::rewrite(&mut compiler.builder, root, settings.rewrites);
    Ok((compiler.builder, root))
}

/// Freezes what [`compile`] built; the places come from the registry, which is no longer needed.
pub(crate) fn freeze(
    builder: Builder,
    root: Link,
    registry: Registry<'_>,
    rewrites: Rewrites,
) -> Result<Program, BuildError> {
    let mut program = builder.freeze(root, registry.into_locations()).map_err(|TooLarge| too_large())?;
    program.set_fused(fuse::emit(&program, rewrites));
    Ok(program)
}

fn asks_unevaluated(subschema: &Subschema<'_>) -> bool {
    match &subschema.body {
        Body::Always | Body::Never => false,
        Body::Keywords(keywords) => keywords.iter().any(|keyword| {
            matches!(keyword.asks, Asks::UnevaluatedItems(_) | Asks::UnevaluatedProperties(_))
        }),
    }
}

fn too_large() -> BuildError {
    BuildError::new("#", "the schema is too large to be compiled")
}

struct Compiler<'c, 's> {
    resolved: &'c Resolved<'s>,
    registry: &'c Registry<'s>,
    settings: &'c Settings<'c>,
    builder: Builder,
    scopes: Scopes<'s>,
    nodes: HashMap<(SubschemaId, ScopeId), NodeId, Mixing>,
    pending: Vec<(SubschemaId, ScopeId, NodeId)>,
    /// Whether anything asks what is evaluated.
    unevaluated: bool,
    copies_left: usize,
    /// What further copies may weigh.
    copied_bytes_left: usize,
    /// Links of references that may still be followed.
    links_left: usize,
    /// Which subschemas have a node: a second one is a dynamic copy.
    seen: Vec<bool>,
    patterns: HashMap<&'s str, PatternId>,
    pattern_bytes_left: usize,
    custom_formats: HashMap<&'s str, CustomFormatId>,
    /// By the address of the keyword's value.
    custom_keywords: HashMap<usize, CustomKeywordId, Mixing>,
    /// Where chains of references end, for those that were followed.
    ends: HashMap<(SubschemaId, ScopeId), (SubschemaId, ScopeId), Mixing>,
}

/// The keywords of one schema that share a walk, collected until all are read.
#[derive(Default)]
struct Parts<'k, 's> {
    properties: Option<&'k [(&'s str, SubschemaId)]>,
    pattern_properties: Option<&'k [(&'s str, SubschemaId)]>,
    additional_properties: Option<SubschemaId>,
    prefix_items: Option<(&'static str, &'k [SubschemaId])>,
    items: Option<(&'static str, SubschemaId)>,
}

/// One schema while it is compiled.
#[derive(Clone, Copy)]
struct Here {
    scope: ScopeId,
    place: Place,
}

impl<'c, 's> Compiler<'c, 's> {
    /// Where a subschema met in `scope` leads to: a schema that is nothing but a reference is its target, so that
    /// references cost nothing at run time. Each link of a chain is followed once a build.
    fn end(&mut self, subschema: SubschemaId, scope: ScopeId) -> Result<(SubschemaId, ScopeId), BuildError> {
        let mut at = (subschema, scope);
        let mut passed = Vec::new();
        let end = loop {
            if let Some(known) = self.ends.get(&at) {
                break *known;
            }
            let (subschema, scope) = at;
            let found = self.subschema(subschema)?;
            let place = Place { resource: found.resource, location: found.location };
            let entered = self.scopes.enter(scope, found.resource, self.resolved);
            let scope = entered.map_err(|Exhausted| self.registry.error(place, "", TOO_MANY_COPIES))?;
            let here = Here { scope, place };
            let mut target = None;
            if let Body::Keywords(keywords) = &found.body
                && let [Keyword { asks, .. }] = keywords.as_slice()
            {
                if let Asks::Reference(reference) = asks {
                    target = Some(*reference);
                } else if let Asks::DynamicReference { target: unbound, anchor } = asks {
                    target = Some(self.dynamic(here, *unbound, anchor)?);
                }
            }
            let Some(target) = target else { break (subschema, here.scope) };
            if passed.len() > self.resolved.subschemas.len() {
                return Err(self.registry.error(here.place, "$ref", cycles::MESSAGE));
            }
            self.links_left = self
                .links_left
                .checked_sub(1)
                .ok_or_else(|| self.registry.error(here.place, "", TOO_MANY_COPIES))?;
            passed.push(at);
            at = (target, here.scope);
        };
        self.ends.extend(passed.into_iter().map(|link| (link, end)));
        Ok(end)
    }

    /// What a dynamic reference is bound to: by the scope, or else by its own first target.
    fn dynamic(
        &self,
        here: Here,
        target: Option<SubschemaId>,
        anchor: &str,
    ) -> Result<SubschemaId, BuildError> {
        self.scopes.bound(here.scope, anchor).or(target).ok_or_else(|| {
            let anchor = crate::bound::echo_str(anchor);
            let message = format!("\"{anchor}\" is no dynamic anchor of any schema on the way here");
            self.registry.error(here.place, "$dynamicRef", message)
        })
    }

    /// The node of a subschema met in `scope`: a new one is reserved and filled later.
    fn node(&mut self, subschema: SubschemaId, scope: ScopeId) -> Result<Link, BuildError> {
        let (subschema, scope) = self.end(subschema, scope)?;
        if let Some(node) = self.nodes.get(&(subschema, scope)) {
            return Ok(Link::from(*node));
        }
        let first = self.seen.get_mut(subschema.0).is_some_and(|seen| !std::mem::replace(seen, true));
        if !first {
            self.copy(subschema)?;
        }
        let node = self.builder.reserve().map_err(|TooLarge| too_large())?;
        self.nodes.insert((subschema, scope), node);
        self.pending.push((subschema, scope, node));
        Ok(Link::from(node))
    }

    /// Counts a copy before it is made, and what it will hold.
    fn copy(&mut self, subschema: SubschemaId) -> Result<(), BuildError> {
        let found = self.subschema(subschema)?;
        let bytes = match &found.body {
            Body::Always | Body::Never => 0,
            Body::Keywords(keywords) => keywords.iter().map(|keyword| weight::weight(&keyword.asks)).sum(),
        };
        let left = self.copies_left.checked_sub(1).zip(self.copied_bytes_left.checked_sub(bytes));
        let place = Place { resource: found.resource, location: found.location };
        (self.copies_left, self.copied_bytes_left) =
            left.ok_or_else(|| self.registry.error(place, "", TOO_MANY_COPIES))?;
        Ok(())
    }

    fn subschema(&self, id: SubschemaId) -> Result<&'c Subschema<'s>, BuildError> {
        // Ids come from the reader that made the list.
        self.resolved.subschemas.get(id.0).ok_or_else(too_large)
    }

    fn is_never(&self, id: SubschemaId) -> bool {
        self.subschema(id).is_ok_and(|found| matches!(found.body, Body::Never))
    }

    fn is_always(&self, id: SubschemaId) -> bool {
        self.subschema(id).is_ok_and(|found| match &found.body {
            Body::Always => true,
            Body::Never => false,
            Body::Keywords(keywords) => keywords.is_empty(),
        })
    }

    /// A schema for what no other keyword took.
    fn rest(&mut self, id: SubschemaId, scope: ScopeId) -> Result<Rest, BuildError> {
        if self.is_never(id) { Ok(Rest::Never) } else { self.node(id, scope).map(Rest::Node) }
    }

    fn fill(&mut self, id: SubschemaId, scope: ScopeId, node: NodeId) -> Result<(), BuildError> {
        let subschema = self.subschema(id)?;
        let here =
            Here { scope, place: Place { resource: subschema.resource, location: subschema.location } };
        let mut draft = NodeDraft::new(subschema.location);
        match &subschema.body {
            Body::Always => {}
            Body::Never => draft.push(Group::Any, Instruction::Never, ""),
            Body::Keywords(keywords) => {
                let mut parts = Parts::default();
                for keyword in keywords {
                    self.keyword(here, keyword, &mut draft, &mut parts)?;
                }
                self.members(here, &parts, &mut draft)?;
                self.items(here, &parts, &mut draft)?;
            }
        }
        self.builder.fill(node, draft);
        Ok(())
    }

    /// One keyword: the one dispatch.
    fn keyword<'k>(
        &mut self,
        here: Here,
        keyword: &'k Keyword<'s>,
        draft: &mut NodeDraft,
        parts: &mut Parts<'k, 's>,
    ) -> Result<(), BuildError> {
        let name = keyword.name;
        let (group, instruction) = match &keyword.asks {
            Asks::Reference(target) => (Group::Any, Instruction::Reference(self.node(*target, here.scope)?)),
            Asks::DynamicReference { target, anchor } => {
                let target = self.dynamic(here, *target, anchor)?;
                (Group::Any, Instruction::Reference(self.node(target, here.scope)?))
            }
            Asks::AllOf(branches) => (Group::Any, Instruction::AllOf(self.nodes(branches, here)?.into())),
            Asks::AnyOf(branches) => (Group::Any, Instruction::AnyOf(self.union(branches, here)?)),
            Asks::OneOf(branches) => (Group::Any, Instruction::OneOf(self.union(branches, here)?)),
            Asks::Not(schema) => (Group::Any, Instruction::Not(self.node(*schema, here.scope)?)),
            Asks::If { condition, then, otherwise } => {
                // Alone it asks nothing, but what it evaluates counts for `unevaluated*`.
                if then.is_none() && otherwise.is_none() && !self.unevaluated {
                    return Ok(());
                }
                let mut branch =
                    |id: &Option<SubschemaId>| id.as_ref().map(|id| self.node(*id, here.scope)).transpose();
                let (then, otherwise) = (branch(then)?, branch(otherwise)?);
                let condition = self.node(*condition, here.scope)?;
                let conditional = Conditional { condition, then, otherwise };
                (Group::Any, Instruction::If(Box::new(conditional)))
            }
            Asks::Type(types) if types.is_all() => return Ok(()),
            Asks::Type(types) => (Group::Any, Instruction::Type(*types)),
            Asks::Enum(values) => (Group::Any, scalar::choices(values)),
            Asks::Const(value) => (Group::Any, Instruction::Const(Box::new((*value).clone()))),
            Asks::Format { name, names, asserted } => match self.format(here, name, *names, *asserted)? {
                Some(found) => found,
                None => return Ok(()),
            },
            Asks::Custom(number, value) => {
                (Group::Any, Instruction::CustomKeyword(self.custom_keyword(here, *number, value)?))
            }

            Asks::MultipleOf(number) => (Group::Number, Instruction::MultipleOf(scalar::exact(number)?)),
            Asks::Minimum(number) => (Group::Number, Instruction::Minimum(scalar::exact(number)?)),
            Asks::Maximum(number) => (Group::Number, Instruction::Maximum(scalar::exact(number)?)),
            Asks::ExclusiveMinimum(number) => {
                (Group::Number, Instruction::ExclusiveMinimum(scalar::exact(number)?))
            }
            Asks::ExclusiveMaximum(number) => {
                (Group::Number, Instruction::ExclusiveMaximum(scalar::exact(number)?))
            }

            Asks::MinLength(0) | Asks::MinItems(0) | Asks::MinProperties(0) => return Ok(()),
            Asks::MinLength(count) => (Group::String, Instruction::MinLength(*count)),
            Asks::MaxLength(count) => (Group::String, Instruction::MaxLength(*count)),
            Asks::Content(content) => (Group::String, Instruction::Content(*content)),
            Asks::Pattern(source) => (Group::String, Instruction::Pattern(self.pattern(here, name, source)?)),

            Asks::MinItems(count) => (Group::Array, Instruction::MinItems(*count)),
            Asks::MaxItems(count) => (Group::Array, Instruction::MaxItems(*count)),
            Asks::UniqueItems => (Group::Array, Instruction::UniqueItems),
            Asks::Contains { .. } => (Group::Array, self.contains(here, &keyword.asks)?),
            Asks::UnevaluatedItems(schema) => {
                (Group::Array, Instruction::UnevaluatedItems(self.rest(*schema, here.scope)?))
            }
            Asks::PrefixItems(schemas) => {
                parts.prefix_items = Some((name, schemas));
                return Ok(());
            }
            Asks::Items(schema) => {
                parts.items = Some((name, *schema));
                return Ok(());
            }

            Asks::MinProperties(count) => (Group::Object, Instruction::MinProperties(*count)),
            Asks::MaxProperties(count) => (Group::Object, Instruction::MaxProperties(*count)),
            Asks::Required(names) if names.is_empty() => return Ok(()),
            Asks::Required(names) => (Group::Object, object::required(names)),
            Asks::RequiredBySchema(member, schema) => {
                let (end, _) = self.end(*schema, here.scope)?;
                if self.subschema(end)?.required {
                    let location = self.subschema(*schema)?.location;
                    let required = object::required(&[member]);
                    draft.push_at(location, Group::Object, required, name);
                }
                return Ok(());
            }
            Asks::PropertyNames(schema) => {
                (Group::Object, Instruction::PropertyNames(self.node(*schema, here.scope)?))
            }
            Asks::DependentRequired(dependents) => (Group::Object, object::dependent_required(dependents)),
            Asks::DependentSchemas(dependents) => {
                (Group::Object, Instruction::DependentSchemas(self.named_nodes(here, dependents)?))
            }
            Asks::PropertyDependencies(dependents) => {
                (Group::Object, self.property_dependencies(here, dependents)?)
            }
            Asks::UnevaluatedProperties(schema) => {
                (Group::Object, Instruction::UnevaluatedProperties(self.rest(*schema, here.scope)?))
            }
            Asks::Properties(schemas) => {
                parts.properties = Some(schemas);
                return Ok(());
            }
            Asks::PatternProperties(schemas) => {
                parts.pattern_properties = Some(schemas);
                return Ok(());
            }
            Asks::AdditionalProperties(schema) => {
                parts.additional_properties = Some(*schema);
                return Ok(());
            }
        };
        draft.push(group, instruction, name);
        Ok(())
    }

    fn nodes(&mut self, ids: &[SubschemaId], here: Here) -> Result<Vec<Link>, BuildError> {
        ids.iter().map(|id| self.node(*id, here.scope)).collect()
    }

    fn union(&mut self, ids: &[SubschemaId], here: Here) -> Result<Box<Union>, BuildError> {
        Ok(Box::new(Union { branches: self.nodes(ids, here)?.into(), tag: None }))
    }
}
