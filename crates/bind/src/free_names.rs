//! Names of a file whose uses may lead out of it: all but those that only ever mean a local.
//!
//! Who looks for the uses of a declaration in other files need not read a file in which the name is that of
//! parameters and variables alone. Whatever is not clear leads outwards.

use rustc_hash::FxHashMap;

use crate::facts::{
    Bindings, Def, DefKind, Expr, NONE, NameId, Role, Scope, ScopeId, ScopeKind, flag,
};

/// A bit for each name, the lowest first: whether a use of it may lead to another file.
pub(crate) fn free_names(bindings: &Bindings) -> Vec<u8> {
    let mut names = FreeNames {
        bits: vec![0; bindings.names.len().div_ceil(8)],
    };
    let locals = locals(bindings, &mut names);
    for expr in &bindings.exprs {
        let Some((name, at, _)) = expr.written() else {
            continue;
        };
        if !names.has(name) && !is_local(bindings, &locals, expr, at) {
            names.add(name);
        }
    }
    names.bits
}

struct FreeNames {
    bits: Vec<u8>,
}

impl FreeNames {
    fn add(&mut self, name: NameId) {
        if let Some(byte) = self.bits.get_mut(name as usize / 8) {
            *byte |= 1 << (name % 8);
        }
    }

    fn has(&self, name: NameId) -> bool {
        let byte = self.bits.get(name as usize / 8);
        byte.is_some_and(|byte| byte & (1 << (name % 8)) != 0)
    }
}

/// Definitions inside of functions by scope and name. Names of what stands for something else, and keys of
/// objects, are outward by being defined.
fn locals<'b>(
    bindings: &'b Bindings,
    outward: &mut FreeNames,
) -> FxHashMap<(ScopeId, NameId), Vec<&'b Def>> {
    let mut locals: FxHashMap<(ScopeId, NameId), Vec<&Def>> = FxHashMap::default();
    for def in &bindings.defs {
        let scope = bindings.scopes.get(def.scope as usize);
        if def.kind == DefKind::Alias || scope.is_some_and(|of| of.kind == ScopeKind::Object) {
            outward.add(def.name);
        } else if scope.is_some_and(holds_locals) && def.at != NONE && def.flags & flag::HIDDEN == 0
        {
            locals.entry((def.scope, def.name)).or_default().push(def);
        }
    }
    locals
}

fn holds_locals(scope: &Scope) -> bool {
    matches!(
        scope.kind,
        ScopeKind::Function | ScopeKind::Block | ScopeKind::Header
    )
}

/// Whether a use means what is defined inside of the function around, wherever else there is one of its name.
fn is_local(
    bindings: &Bindings,
    locals: &FxHashMap<(ScopeId, NameId), Vec<&Def>>,
    of: &Expr,
    at: u32,
) -> bool {
    // Attributes may mean a longer name.
    let Expr::Name {
        name,
        scope,
        role: Role::Read | Role::Write | Role::ReadWrite | Role::Call | Role::Type,
        spaces,
        ..
    } = *of
    else {
        return false;
    };
    let mut next = scope;
    while let Some(scope) = bindings.scopes.get(next as usize) {
        if !holds_locals(scope) {
            return false;
        }
        let defs = locals.get(&(next, name)).into_iter().flatten();
        let mut seen = defs.filter(|def| def.spaces & spaces != 0 && def.from <= at);
        if seen.next().is_some() {
            return true;
        }
        next = scope.parent;
    }
    false
}
