//! Which names patterns take of one value (`const { kind, data } = x`): what is told of one says something of the
//! others.

use tree_sitter::Node;

use super::kinds::Kind;
use super::state::DestructuredPart;
use super::walk::TypeScriptWalk;
use crate::facts::{ExprId, NONE, Role, ScopeId, space};
use crate::nodes::named_children;

/// Of patterns that bind the same name the latest so many are looked at.
const MAX: usize = 16;

impl<'t> TypeScriptWalk<'t> {
    /// A name that a part of an object pattern binds to a member.
    fn destructured_part(&self, part: Node<'t>, value: ExprId) -> Option<DestructuredPart<'t>> {
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
        Some(DestructuredPart {
            name: self.text(name),
            member,
            value,
        })
    }

    /// Notes what one pattern takes.
    fn takes(&mut self, parts: Vec<DestructuredPart<'t>>, scope: ScopeId) {
        if parts.len() < 2 {
            return;
        }
        let pattern = self.lang.siblings.patterns.len();
        for part in &parts {
            let known = self.lang.siblings.by_name.entry(part.name).or_default();
            known.push((scope, pattern));
        }
        self.lang.siblings.patterns.push(parts);
    }

    /// The member that a name stands for, and the names that were taken with it, each with its member.
    pub(super) fn taken_with(
        &mut self,
        name: &str,
        scope: ScopeId,
    ) -> Option<(&'t str, Vec<(ExprId, ExprId)>)> {
        let known = self.lang.siblings.by_name.get(name)?;
        let outwards = |at: &ScopeId| {
            let scope = self.b.facts.scopes.get(*at as usize)?;
            (scope.parent != NONE).then_some(scope.parent)
        };
        let is_seen = |of| std::iter::successors(Some(scope), outwards).any(|at| at == of);
        let mut latest = known.iter().rev().take(MAX);
        let (_, pattern) = latest.find(|(of, _)| is_seen(*of))?;
        let parts = self.lang.siblings.patterns[*pattern].clone();
        let member = parts.iter().find(|part| part.name == name)?.member;
        let others = parts.into_iter().filter(|part| part.name != name);
        let mut beside = Vec::new();
        for part in others {
            let other = self
                .b
                .name_use(part.name, scope, NONE, Role::Read, space::ANY);
            beside.push((other, part.value));
        }
        Some((member, beside))
    }

    /// Notes what an object pattern takes, by what its parts stand for.
    pub(super) fn pattern_takes(&mut self, pattern: Node<'t>, values: &[ExprId], scope: ScopeId) {
        let parts = named_children(pattern).into_iter().zip(values);
        let parts = parts.filter_map(|(part, value)| self.destructured_part(part, *value));
        let parts = parts.collect();
        self.takes(parts, scope);
    }
}
