//! The alternatives of a union as they are written: `Typed<"a", A> | Typed<"b", B>`, where what tells them apart is an
//! argument.
//!
//! A type that was lowered has no constants any more, and of an intersection only its parts. So what a key of an object
//! literal excludes is looked for in what somebody wrote: through aliases, with what their parameters stand for.

use codecortex_bind::facts::{DefKind, Expr, NONE, NameId, flag, space};

use super::discriminant::{UnionChoice, choices, choices_of};
use crate::ids::{DefRef, ExprRef, Name};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::standard_library::results::leads_into_library;
use crate::ty::{Substitution, Ty, Typed, choice};

/// Aliases and the like are followed this far.
const FARTHEST: u32 = 8;

/// Alternatives of one union are told apart up to this many.
const MAX: usize = 64;

/// Types of the language that have what their argument has.
const SAME_MEMBERS: [&str; 4] = ["Readonly", "Partial", "Required", "NoInfer"];

/// One type among several, as it is written, and what type parameters stand for there.
#[derive(Clone)]
struct Alternative {
    at: ExprRef,
    given: Vec<(DefRef, ExprRef)>,
}

/// Of the type that is expected at a place those alternatives that can have all of these values of members. None where
/// it is not written as several, or all of them can.
pub(crate) fn having_all(
    resolver: &Resolver<'_>,
    expected: ExprRef,
    values: &[(NameId, ExprRef)],
) -> Option<Typed> {
    let written = written_type(resolver, expected, FARTHEST)?;
    let mut all = Vec::new();
    add_alternatives(resolver, Alternative::plain(written), &mut all, FARTHEST);
    if all.len() < 2 {
        return None;
    }
    let tests = values.iter().filter_map(|(member, value)| {
        let member = resolver.file(value.file)?.name(*member);
        Some((member, choices(resolver, *value, FARTHEST)?))
    });
    let tests: Vec<(Name, Vec<UnionChoice>)> = tests.collect();
    let can_have = |of: &&Alternative| {
        tests.iter().all(|(member, values)| {
            let can = of.choices_of(resolver, *member, FARTHEST);
            can.is_none_or(|can| can.iter().any(|value| values.contains(value)))
        })
    };
    let kept: Vec<&Alternative> = all.iter().filter(can_have).collect();
    if kept.is_empty() || kept.len() == all.len() {
        return None;
    }
    Some(choice(kept.iter().map(|of| of.lowered(resolver)).collect()))
}

/// Where the type is written that is expected somewhere.
fn written_type(resolver: &Resolver<'_>, expected: ExprRef, depth: u32) -> Option<ExprRef> {
    let depth = depth.checked_sub(1)?;
    let part = |expr| ExprRef { expr, ..expected };
    match resolver.expr(expected) {
        Expr::Value { of } => Some(part(of)),
        Expr::Iter { of, .. } => {
            let list = written_type(resolver, part(of), depth)?;
            let list = behind_names(resolver, list, depth)?;
            match resolver.expr(list) {
                Expr::Array { of } => Some(ExprRef { expr: of, ..list }),
                Expr::Apply { args, .. } => match resolver.each(list.file, args, |at| at)[..] {
                    [only] => Some(only),
                    _ => None,
                },
                _ => None,
            }
        }
        Expr::Member { of, at: NONE, .. } => {
            let found = resolver.find(expected);
            match found.defs[..] {
                [def] => declared(resolver, def),
                [] => under_any_key(resolver, written_type(resolver, part(of), depth)?, depth),
                _ => None,
            }
        }
        Expr::ContextualType { call, index } => {
            let (Expr::Call { of, .. } | Expr::New { of, .. }) = resolver.expr(part(call)) else {
                return None;
            };
            let defs = match resolver.type_of(part(of)).ty {
                Ty::Function(defs, _) => defs.to_vec(),
                Ty::Type(def, _) => resolver.constructors(def),
                _ => return None,
            };
            let [def] = defs[..] else {
                return None;
            };
            let bound = resolver.file(def.file)?;
            let is_given = |param: &u32| bound.def(*param).flags & flag::RECEIVER == 0;
            let param = bound.params(def.def).filter(is_given).nth(index as usize)?;
            declared(resolver, DefRef { def: param, ..def })
        }
        _ => None,
    }
}

/// What a type has under whichever key: `Record<string, A>`, `{ [key: string]: A }`.
fn under_any_key(resolver: &Resolver<'_>, of: ExprRef, depth: u32) -> Option<ExprRef> {
    let of = behind_names(resolver, of, depth)?;
    match resolver.expr(of) {
        Expr::Apply { of: head, args } => {
            let bound = resolver.file(of.file)?;
            let name = resolver.workspace.text(bound.head_name(head)?);
            let args = resolver.each(of.file, args, |at| at);
            let found = resolver.find(ExprRef { expr: head, ..of });
            let is_known = found.is_empty() || leads_into_library(&found.defs);
            args.get(1)
                .copied()
                .filter(|_| name == "Record" && is_known)
        }
        Expr::Object { scope, .. } => {
            let bound = resolver.file(of.file)?;
            let index = bound.local(resolver.workspace.name("(index)")?)?;
            let def = bound.defs_in(scope, index).next()?;
            declared(resolver, DefRef { file: of.file, def })
        }
        _ => None,
    }
}

fn declared(resolver: &Resolver<'_>, def: DefRef) -> Option<ExprRef> {
    let expr = resolver.def(def)?.ty;
    (expr != NONE).then_some(ExprRef {
        file: def.file,
        expr,
    })
}

/// What an alias without parameters stands for, and what that does.
fn behind_names(resolver: &Resolver<'_>, mut at: ExprRef, depth: u32) -> Option<ExprRef> {
    for _ in 0..depth {
        match alias_of(resolver, at) {
            Some(alias) => at = declared(resolver, alias)?,
            None => return Some(at),
        }
    }
    None
}

/// The alias that a written type names.
fn alias_of(resolver: &Resolver<'_>, at: ExprRef) -> Option<DefRef> {
    let head = match resolver.expr(at) {
        Expr::Apply { of, .. } => ExprRef { expr: of, ..at },
        Expr::Name { .. } | Expr::Member { .. } => at,
        _ => return None,
    };
    let found = resolver.find(head);
    let [end] = resolver.resolve_alias(*found.defs.first()?).ends[..] else {
        return None;
    };
    // What those of the library stand for, rules say.
    let is_alias = resolver.def(end)?.kind == DefKind::TypeAlias && !is_library(end.file);
    is_alias.then_some(end)
}

fn add_alternatives(
    resolver: &Resolver<'_>,
    of: Alternative,
    all: &mut Vec<Alternative>,
    depth: u32,
) {
    if all.len() >= MAX {
        return;
    }
    let of = of.resolved(resolver);
    if let (Expr::Union { of: parts }, Some(depth)) = (resolver.expr(of.at), depth.checked_sub(1)) {
        for at in resolver.each(of.at.file, parts, |at| at) {
            let given = of.given.clone();
            add_alternatives(resolver, Alternative { at, given }, all, depth);
        }
        return;
    }
    let through = depth
        .checked_sub(1)
        .and_then(|depth| Some((of.through_alias(resolver)?, depth)));
    match through {
        // An alias of several types; of one it is an alternative itself.
        Some((target, depth)) if target.is_several(resolver, depth) => {
            add_alternatives(resolver, target, all, depth);
        }
        _ => all.push(of),
    }
}

impl Alternative {
    fn plain(at: ExprRef) -> Self {
        Self {
            at,
            given: Vec::new(),
        }
    }

    /// What stands here for a type parameter that is named.
    fn resolved(mut self, resolver: &Resolver<'_>) -> Self {
        for _ in 0..FARTHEST {
            if !matches!(resolver.expr(self.at), Expr::Name { .. }) {
                break;
            }
            let found = resolver.find(self.at);
            let [param] = found.defs[..] else {
                break;
            };
            let known = self.given.iter().rev();
            let Some((_, at)) = known.clone().find(|(known, _)| *known == param) else {
                break;
            };
            self.at = *at;
        }
        self
    }

    /// What the alias stands for that is named here, with its parameters.
    fn through_alias(&self, resolver: &Resolver<'_>) -> Option<Self> {
        let alias = alias_of(resolver, self.at)?;
        let at = declared(resolver, alias)?;
        let mut given = self.given.clone();
        if let Expr::Apply { args, .. } = resolver.expr(self.at) {
            let args = resolver.each(self.at.file, args, |at| at).into_iter();
            // Before the alias's own names those of around have to be gone.
            let args = args.map(|at| {
                let given = self.given.clone();
                Self { at, given }.resolved(resolver).at
            });
            given.extend(resolver.params_of(alias).into_iter().zip(args));
        }
        Some(Self { at, given })
    }

    fn is_several(&self, resolver: &Resolver<'_>, depth: u32) -> bool {
        let of = self.clone().resolved(resolver);
        let is_union = matches!(resolver.expr(of.at), Expr::Union { .. });
        let target = || Some((of.through_alias(resolver)?, depth.checked_sub(1)?));
        is_union || target().is_some_and(|(target, depth)| target.is_several(resolver, depth))
    }

    fn lowered(&self, resolver: &Resolver<'_>) -> Typed {
        let typed = resolver.lower_type(self.at);
        let mut subst: Vec<(DefRef, Ty)> = Vec::new();
        for (param, at) in &self.given {
            let ty = resolver.lower_type(*at).ty.with(&subst);
            subst.push((*param, ty));
        }
        Typed {
            ty: typed.ty.with(&Substitution::from(subst)),
            ..typed
        }
    }

    /// The values that a member can have; none where that is not known, or the type has no such member.
    fn choices_of(
        &self,
        resolver: &Resolver<'_>,
        member: Name,
        depth: u32,
    ) -> Option<Vec<UnionChoice>> {
        let depth = depth.checked_sub(1)?;
        let of = self.clone().resolved(resolver);
        let inner = |expr| Self {
            at: ExprRef { expr, ..of.at },
            given: of.given.clone(),
        };
        if let Some(target) = of.through_alias(resolver) {
            return target.choices_of(resolver, member, depth);
        }
        match resolver.expr(of.at) {
            // An intersection: whichever part says something.
            Expr::Operator { left, .. } => {
                let Expr::Union { of: parts } = resolver.expr(inner(left).at) else {
                    return None;
                };
                let parts = resolver.each(of.at.file, parts, |at| at.expr).into_iter();
                let mut said =
                    parts.filter_map(|part| inner(part).choices_of(resolver, member, depth));
                said.next()
            }
            Expr::Object { scope, .. } => {
                let bound = resolver.file(of.at.file)?;
                let key = bound.defs_in(scope, bound.local(member)?).next()?;
                let def = bound.def(key);
                if def.flags & flag::OPTIONAL != 0 {
                    return None;
                }
                let ty = inner(def.ty).resolved(resolver);
                choices(resolver, ty.at, depth)
            }
            Expr::Apply { of: head, args } => {
                let name = resolver.file(of.at.file)?.head_name(head)?;
                let name = resolver.workspace.text(name);
                let args = resolver.each(of.at.file, args, |at| at.expr);
                let first = *args.first()?;
                let takes = |keys: u32| names_key(resolver, inner(keys).at, member, depth);
                let has_it = match (name, args.get(1)) {
                    ("Omit", Some(keys)) => !takes(*keys)?,
                    ("Pick", Some(keys)) => takes(*keys)?,
                    (name, _) => SAME_MEMBERS.contains(&name),
                };
                let says = has_it && resolver.find(inner(head).at).is_empty();
                says.then(|| inner(first).choices_of(resolver, member, depth))?
            }
            Expr::Name { .. } | Expr::Member { .. } => {
                let Ty::Instance(def, args) = resolver.lower_type(of.at).ty else {
                    return None;
                };
                let found = resolver.member_of_type(def, &args, member, space::VALUE);
                let [def] = found.defs[..] else {
                    return None;
                };
                let is_optional = resolver.def(def)?.flags & flag::OPTIONAL != 0;
                (!is_optional).then(|| choices_of(resolver, def, depth))?
            }
            _ => None,
        }
    }
}

/// Whether a type of keys names a member; none where that is not known.
fn names_key(resolver: &Resolver<'_>, keys: ExprRef, member: Name, depth: u32) -> Option<bool> {
    let named = choices(resolver, keys, depth)?;
    let is_it = |of: &UnionChoice| matches!(of, UnionChoice::Constant(_, name) if *name == member);
    Some(named.iter().any(is_it))
}
