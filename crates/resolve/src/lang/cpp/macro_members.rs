//! Arguments of macros that name members: `container_of(at, struct node, next)`. Which they are and of what the macro's text says
//! (`bind/cpp/macro_members.rs`).

use std::rc::Rc;

use codecortex_bind::MEMBER_MACROS;
use codecortex_bind::facts::{DefKind, Expr, ExprId, FILE_SCOPE, NONE, space};
use rustc_hash::FxHashMap;

use super::memo::{ArgumentNames, CppMemo};
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Macros that pass their arguments on to one another are followed this deep.
const DEEPEST: u32 = 8;

/// The type of an argument of a macro: of its value, or the one that it writes.
type ArgumentType<'a> = dyn Fn(u32, bool) -> Ty + 'a;

/// The member that an argument of a macro names.
pub(super) fn named(resolver: &Resolver<'_>, at: ExprRef, name: Name) -> Option<LookupResult> {
    if all(resolver).is_empty() {
        return None;
    }
    let (call, place) = *arguments(resolver, at.file).get(&at.expr)?;
    let Expr::Call { of, args } = resolver.expr(ExprRef { expr: call, ..at }) else {
        return None;
    };
    let called = macro_at(resolver, ExprRef { expr: of, ..at })?;
    let given = resolver.each(at.file, args, |at| at);
    let type_of = |index: u32, is_type: bool| {
        let Some(at) = given.get(index as usize) else {
            return Ty::Unknown;
        };
        match is_type {
            true => resolver.lower_type(*at).ty,
            false => resolver.type_of(*at).ty,
        }
    };
    let of = member_of(resolver, called, place, &type_of, DEEPEST)?;
    if of.is_unknown() {
        return Some(LookupResult::nothing().inferred());
    }
    Some(resolver.member(&of, name, space::VALUE, at.file))
}

/// All macros of which an argument names a member, by name.
fn all<'q>(resolver: &'q Resolver<'_>) -> &'q FxHashMap<Name, Vec<DefRef>> {
    let memo = resolver.languages.get::<CppMemo>();
    memo.member_macros.get_or_init(|| {
        let workspace = resolver.workspace;
        let parts = workspace
            .name(MEMBER_MACROS)
            .map(|all| workspace.parts_of_namespace(all));
        let mut found: FxHashMap<Name, Vec<DefRef>> = FxHashMap::default();
        for (file, scope) in parts.into_iter().flatten() {
            let Some(bound) = resolver.file(*file).filter(|_| *scope != NONE) else {
                continue;
            };
            for marked in bound.all_in(*scope) {
                let name = bound.def(marked).name;
                let is_one = |def: &u32| {
                    let def = bound.def(*def);
                    def.kind == DefKind::Macro && def.ty != NONE
                };
                let all = found.entry(bound.name(name)).or_default();
                for def in bound.defs_in(FILE_SCOPE, name).filter(is_one) {
                    let def = DefRef { file: *file, def };
                    if !all.contains(&def) {
                        all.push(def);
                    }
                }
            }
        }
        found
    })
}

/// The names in a file that are given to such macros, or that what is given begins with.
fn arguments(resolver: &Resolver<'_>, file: FileNo) -> Rc<ArgumentNames> {
    const LONGEST: u32 = 16;
    let memo = resolver.languages.get::<CppMemo>();
    if let Some(known) = memo.member_arguments.borrow().get(&file) {
        return known.clone();
    }
    let mut found = ArgumentNames::default();
    let macros = all(resolver);
    if let Some(bound) = resolver.file(file)
        && bound.names().iter().any(|name| macros.contains_key(name))
    {
        let first_name = |mut expr: ExprId| {
            for _ in 0..LONGEST {
                match bound.expr(expr) {
                    Expr::Name { .. } => return Some(expr),
                    Expr::Member { of, .. } | Expr::Index { of, .. } => expr = of,
                    _ => return None,
                }
            }
            None
        };
        for (expr, call) in (0..).zip(bound.exprs()) {
            let Expr::Call { of, args } = call else {
                continue;
            };
            let Expr::Name { name, .. } = bound.expr(of) else {
                continue;
            };
            if macros.contains_key(&bound.name(name)) {
                for (place, arg) in (0..).zip(bound.list(args)) {
                    found.extend(first_name(*arg).map(|name| (name, (expr, place))));
                }
            }
        }
    }
    let found = Rc::new(found);
    memo.member_arguments
        .borrow_mut()
        .insert(file, found.clone());
    found
}

/// The macro that a name means, if arguments of it name members.
fn macro_at(resolver: &Resolver<'_>, at: ExprRef) -> Option<DefRef> {
    let found = resolver.find(at).defs;
    found.into_iter().find(|of| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.kind == DefKind::Macro && def.ty != NONE)
    })
}

/// What an argument of a macro is a member of; none if it is no member.
fn member_of(
    resolver: &Resolver<'_>,
    of: DefRef,
    place: u32,
    type_of: &ArgumentType<'_>,
    depth: u32,
) -> Option<Ty> {
    let depth = depth.checked_sub(1)?;
    let bound = resolver.file(of.file)?;
    let Expr::Tuple { of: list } = bound.expr(bound.def(of.def).ty) else {
        return None;
    };
    let expr = *bound.list(list).get(place as usize)?;
    let at = ExprRef {
        file: of.file,
        expr,
    };
    if expr == NONE {
        return None;
    }
    let Expr::Call { of: other, args } = bound.expr(expr) else {
        return Some(type_in_macro(resolver, at, false, type_of));
    };
    let called = macro_at(resolver, ExprRef { expr: other, ..at })?;
    let given = bound.list(args).to_vec();
    let is_passed =
        |arg: &u32| matches!(bound.expr(*arg), Expr::Entry { index, .. } if index == place);
    let place = given.iter().position(is_passed)?;
    let passed = |index: u32, is_type: bool| match given.get(index as usize) {
        Some(expr) => type_in_macro(resolver, ExprRef { expr: *expr, ..at }, is_type, type_of),
        None => Ty::Unknown,
    };
    member_of(resolver, called, place as u32, &passed, depth)
}

/// The type of an expression in the text of a macro, by those of its arguments.
fn type_in_macro(
    resolver: &Resolver<'_>,
    at: ExprRef,
    is_type: bool,
    type_of: &ArgumentType<'_>,
) -> Ty {
    match resolver.expr(at) {
        Expr::Entry { of: NONE, index } => type_of(index, is_type),
        Expr::ContextualParam { of: NONE, index } => type_of(index, true),
        Expr::Value { .. } => resolver.lower_type(at).ty,
        Expr::Pointer { of } | Expr::Deref { of } => {
            type_in_macro(resolver, ExprRef { expr: of, ..at }, is_type, type_of)
        }
        Expr::Call { .. } => resolver.type_of(at).ty,
        Expr::TypeOf { of } => type_in_macro(resolver, ExprRef { expr: of, ..at }, false, type_of),
        Expr::Name { .. } => resolver.type_of(at).ty,
        Expr::Member { of, name, .. } => {
            let of = ExprRef { expr: of, ..at };
            let inner = resolver.with_depth(|| type_in_macro(resolver, of, is_type, type_of));
            let (Some(of), Some(bound)) = (inner, resolver.file(at.file)) else {
                return Ty::Unknown;
            };
            let found = resolver.member(&of, bound.name(name), space::VALUE, at.file);
            resolver.type_of_found(&found).ty
        }
        _ => Ty::Unknown,
    }
}
