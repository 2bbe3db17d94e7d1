//! What of a file can be found from other files: the little that joining a million lines looks at.

use crate::class_values;
use crate::facts::{
    Bindings, Def, DefId, DefKind, Expr, ExprId, NONE, NameId, ScopeId, ScopeKind, flag,
};
use crate::free_names::free_names;

/// Names of a file that lead into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exports {
    /// What is in an open namespace: the namespace's whole path, the name, the definition.
    pub members: Vec<(NameId, NameId, DefId)>,
    /// Open namespaces: whole path and scope.
    pub namespaces: Vec<(NameId, ScopeId)>,
    /// Definitions in the file's outermost scope.
    pub globals: Vec<(NameId, DefId)>,
    /// What is written outside of its type, by the type's last name: `impl`s and loose members.
    pub outside: Vec<(NameId, DefId)>,
    /// Functions that add themselves to a type, by their name.
    pub extensions: Vec<(NameId, DefId)>,
    /// Bases by their last name: places in [`Bindings::bases`]. One that a call gives is there by what that is given, too.
    pub derived: Vec<(NameId, u32)>,
    /// Aliases that give another name, by the name of what they stand for; of types those by which bases may be named, also
    /// variables that hold a class and functions that give one.
    pub renamed: Vec<(NameId, DefId)>,
    /// A bit for each name, the lowest first: whether a use of it may lead to another file.
    pub free_names: Vec<u8>,
}

impl Exports {
    /// Those of a file.
    #[must_use]
    pub fn of(bindings: &Bindings) -> Self {
        let mut entries = Self {
            free_names: free_names(bindings),
            ..Self::default()
        };
        for (index, scope) in bindings.scopes.iter().enumerate() {
            if let Some(path) = namespace(bindings, index as ScopeId)
                && scope.kind == ScopeKind::Namespace
            {
                entries.namespaces.push((path, index as ScopeId));
            }
        }
        for (index, def) in bindings.defs.iter().enumerate() {
            entries.add(bindings, index as DefId, def);
        }
        entries.add_aliases_with_blocks(bindings);
        entries.add_aliases_of_bases(bindings);
        entries.renamed.extend(class_values::renamed(bindings));
        for (index, base) in bindings.bases.iter().enumerate() {
            let names = class_values::names_in_base(bindings, base.of).into_iter();
            entries
                .derived
                .extend(names.map(|name| (name, index as u32)));
        }
        entries
    }

    fn add(&mut self, bindings: &Bindings, index: DefId, def: &Def) {
        if def.at != NONE {
            if let Some(path) = namespace(bindings, def.scope) {
                self.members.push((path, def.name, index));
            }
            if def.scope == 0 {
                self.globals.push((def.name, index));
            }
        }
        let written = match def.kind {
            DefKind::Impl => def.ty,
            _ => def.container,
        };
        if let Some(name) = head_name(bindings, written) {
            self.outside.push((name, index));
        } else if def.kind == DefKind::Impl && !bindings.name(def.name).is_empty() {
            self.outside.push((def.name, index));
        }
        // A specialisation has no name of its own, but that of its template.
        let is_special = || match def.kind {
            DefKind::Function | DefKind::Method => !bindings.name(def.name).is_empty(),
            kind => kind.is_type() && kind != DefKind::Impl,
        };
        if def.at == NONE && is_special() {
            self.outside.push((def.name, index));
        }
        if def.flags & flag::EXTENSION != 0 {
            self.extensions.push((def.name, index));
        }
        let target = match bindings.expr(def.value) {
            // What stands for a type with its arguments gives the type another name as well.
            Expr::Apply { of, .. } => bindings.expr(of),
            target => target,
        };
        if def.kind == DefKind::Alias
            && let Expr::Name { name, .. } | Expr::Member { name, .. } = target
            && name != def.name
        {
            self.renamed.push((name, index));
        }
    }

    /// Aliases of types that something is written outside of by: `type A = B; impl A {}` adds to `B`.
    fn add_aliases_with_blocks(&mut self, bindings: &Bindings) {
        for (index, def) in bindings.defs.iter().enumerate() {
            let target = match def.kind {
                DefKind::TypeAlias => head_name(bindings, def.ty),
                _ => None,
            };
            if let Some(name) = target.filter(|name| *name != def.name)
                && self.outside.iter().any(|(of, _)| *of == def.name)
            {
                self.renamed.push((name, index as DefId));
            }
        }
    }

    /// Aliases by which bases may be named, by the name of each type that they stand for: what implements `A` of
    /// `type A = B & C` implements `B` and `C`.
    fn add_aliases_of_bases(&mut self, bindings: &Bindings) {
        for (index, def) in bindings.defs.iter().enumerate() {
            if def.kind != DefKind::TypeAlias || def.flags & flag::NAMES_BASES == 0 {
                continue;
            }
            let parts = match bindings.expr(def.ty) {
                Expr::Operator { left, .. } => left,
                _ => def.ty,
            };
            let parts = match bindings.expr(parts) {
                Expr::Union { of } => bindings.list(of).to_vec(),
                _ => vec![parts],
            };
            for part in parts {
                let name = head_name(bindings, part).filter(|name| *name != def.name);
                self.renamed.extend(name.map(|name| (name, index as DefId)));
            }
        }
    }

    /// Whether every name is one of so many.
    pub(crate) fn is_sound(&self, names: usize) -> bool {
        let known = |name: &NameId| (*name as usize) < names;
        let pairs = [
            &self.namespaces,
            &self.globals,
            &self.outside,
            &self.extensions,
            &self.derived,
            &self.renamed,
        ];
        self.free_names.len() == names.div_ceil(8)
            && self
                .members
                .iter()
                .all(|(path, name, _)| known(path) && known(name))
            && pairs
                .iter()
                .all(|pairs| pairs.iter().all(|(name, _)| known(name)))
    }
}

/// The whole path of an open namespace's scope.
fn namespace(bindings: &Bindings, scope: ScopeId) -> Option<NameId> {
    let scope = bindings.scopes.get(scope as usize)?;
    let is_open = scope.kind == ScopeKind::Namespace && scope.owner != NONE;
    is_open.then(|| bindings.defs.get(scope.owner as usize).map(|def| def.name))?
}

/// The last name of a written type: `C` of `a.b.C<D>`.
fn head_name(bindings: &Bindings, expr: ExprId) -> Option<NameId> {
    let mut at = expr;
    for _ in 0..16 {
        match bindings.expr(at) {
            Expr::Name { name, .. } | Expr::Member { name, .. } => return Some(name),
            Expr::Apply { of, .. }
            | Expr::Pointer { of }
            | Expr::Index { of, .. }
            | Expr::Call { of, .. }
            | Expr::New { of, .. }
            | Expr::Value { of } => at = of,
            _ => return None,
        }
    }
    None
}
