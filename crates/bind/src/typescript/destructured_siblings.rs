//! Which names patterns take of one value (`const { kind, data } = x`): what is told of one says something of the
//! others.

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::{Kind, Walk};
use crate::facts::{ExprId, NONE, Role, ScopeId, space};
use crate::nodes::children;

/// Of patterns that bind the same name the latest so many are looked at.
const MOST: usize = 16;

/// A name that a pattern binds.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    /// The name.
    name: &'t str,
    /// What the member is called that it is.
    member: &'t str,
    /// That member.
    value: ExprId,
}

/// The patterns that take several members of a value.
#[derive(Default)]
pub(super) struct DestructuredSiblings<'t> {
    patterns: Vec<Vec<Part<'t>>>,
    /// By name: the scope that it is bound in and the pattern, the last one last.
    by_name: FxHashMap<&'t str, Vec<(ScopeId, usize)>>,
}

impl DestructuredSiblings<'_> {
    /// Whether some pattern binds this name.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

impl<'t> Walk<'t> {
    /// A name that a part of an object pattern binds to a member.
    fn destructured_part(&self, part: Node<'_>, value: ExprId) -> Option<Part<'t>> {
        let (name, key) = match self.kind(part) {
            Kind::ShorthandPropertyIdentifierPattern => (part, part),
            Kind::PairPattern => {
                let bound = self.field(part, |table| table.value)?;
                let key = self.field(part, |table| table.key)?;
                (self.kind(bound) == Kind::Identifier).then_some((bound, key))?
            }
            _ => return None,
        };
        let (member, _) = self.key(key).filter(|_| value != NONE)?;
        Some(Part {
            name: self.text(name),
            member,
            value,
        })
    }

    /// Notes what one pattern takes.
    fn takes(&mut self, parts: Vec<Part<'t>>, scope: ScopeId) {
        if parts.len() < 2 {
            return;
        }
        let pattern = self.siblings.patterns.len();
        for part in &parts {
            let known = self.siblings.by_name.entry(part.name).or_default();
            known.push((scope, pattern));
        }
        self.siblings.patterns.push(parts);
    }

    /// The member that a name stands for, and the names that were taken with it, each with its member.
    pub(super) fn taken_with(
        &mut self,
        name: &str,
        scope: ScopeId,
    ) -> Option<(&'t str, Vec<(ExprId, ExprId)>)> {
        let known = self.siblings.by_name.get(name)?;
        let outwards = |at: &ScopeId| {
            let scope = self.builder.facts.scopes.get(*at as usize)?;
            (scope.parent != NONE).then_some(scope.parent)
        };
        let is_seen = |of| std::iter::successors(Some(scope), outwards).any(|at| at == of);
        let mut latest = known.iter().rev().take(MOST);
        let (_, pattern) = latest.find(|(of, _)| is_seen(*of))?;
        let parts = self.siblings.patterns[*pattern].clone();
        let member = parts.iter().find(|part| part.name == name)?.member;
        let others = parts.into_iter().filter(|part| part.name != name);
        let mut beside = Vec::new();
        for part in others {
            let other = self
                .builder
                .name_use(part.name, scope, NONE, Role::Read, space::ANY);
            beside.push((other, part.value));
        }
        Some((member, beside))
    }

    /// Notes what an object pattern takes, by what its parts stand for.
    pub(super) fn pattern_takes(&mut self, pattern: Node<'_>, values: &[ExprId], scope: ScopeId) {
        let parts = children(pattern).into_iter().zip(values);
        let parts = parts.filter_map(|(part, value)| self.destructured_part(part, *value));
        let parts = parts.collect();
        self.takes(parts, scope);
    }
}
