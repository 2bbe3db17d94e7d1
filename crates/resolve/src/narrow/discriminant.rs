//! Discriminated unions, narrowed by the value of a member: `x.kind === "circle"`, `"radius" in x`, `if (x.ok)`.
//!
//! Of each part of a union it is asked which values the member can have there. Where all are among those of the test,
//! it holds; where none is, it does not; where that is not known, it may. Parts for which a test may hold stay where
//! it does, and those for which it may not hold where it does not.

use codecortex_bind::facts::{DefKind, Expr, Literal, NONE, NameId, flag, space};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Names are followed this far.
const FARTHEST: u32 = 8;

/// What a value is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnionChoice {
    /// A literal by what it says.
    Constant(Literal, Name),
    /// An enumerator.
    Enumerator(DefRef),
    /// A member of a constant, whose value is not known: `Code.invalid` of `const Code = toEnum(["invalid"])`.
    MemberOf(DefRef, Name),
    /// `null` or `undefined`.
    Nothing,
    /// An object or a function.
    Object,
}

impl UnionChoice {
    /// Whether two that are not the same are different values. Of a member with an unknown value only other members of
    /// its constant are.
    fn is_comparable(self, other: Self) -> bool {
        match (self, other) {
            (Self::MemberOf(of, _), Self::MemberOf(other, _)) => of == other,
            (Self::MemberOf(..), _) | (_, Self::MemberOf(..)) => false,
            _ => true,
        }
    }
}

/// Those parts of a type for which a test of a member can hold, or can fail where it is denied; all where none can.
pub(super) fn keep(
    resolver: &Resolver<'_>,
    typed: Typed,
    member: NameId,
    value: ExprRef,
    denied: bool,
) -> Typed {
    let Ty::Union(_) = typed.ty else {
        return typed;
    };
    let Some(bound) = resolver.file(value.file) else {
        return typed;
    };
    let test = Test {
        member: bound.name(member),
        of: DiscriminantTest::read(resolver, value),
        from: value.file,
    };
    let is_kept = |part: &Ty| test.holds(resolver, part) != Some(denied);
    let kept: Vec<Ty> = typed
        .ty
        .alternatives()
        .into_iter()
        .filter(is_kept)
        .collect();
    if kept.is_empty() {
        return typed;
    }
    Typed {
        ty: Ty::choice(kept),
        ..typed
    }
}

/// What a member is tested for.
enum DiscriminantTest {
    /// That it is there.
    Presence,
    /// That it is true.
    Truth,
    /// That it is one of these.
    Values(Vec<UnionChoice>),
    /// Something that is not known.
    Unknown,
}

impl DiscriminantTest {
    fn read(resolver: &Resolver<'_>, value: ExprRef) -> Self {
        if value.expr == NONE {
            return Self::Presence;
        }
        if let Expr::Literal {
            of: Literal::Boolean,
        } = resolver.expr(value)
        {
            return Self::Truth;
        }
        choices(resolver, value, FARTHEST).map_or(Self::Unknown, Self::Values)
    }

    /// Whether a value is one that is tested for; none where either may be.
    fn is(&self, resolver: &Resolver<'_>, choice: UnionChoice) -> Option<bool> {
        match self {
            Self::Values(values) if values.contains(&choice) => Some(true),
            Self::Values(values) => {
                let mut values = values.iter();
                values
                    .all(|value| value.is_comparable(choice))
                    .then_some(false)
            }
            Self::Truth => match choice {
                UnionChoice::Nothing => Some(false),
                UnionChoice::Object => Some(true),
                UnionChoice::Constant(Literal::Boolean, value) => {
                    Some(resolver.workspace.text(value) == "true")
                }
                UnionChoice::Constant(..)
                | UnionChoice::Enumerator(_)
                | UnionChoice::MemberOf(..) => None,
            },
            Self::Presence | Self::Unknown => None,
        }
    }
}

struct Test {
    member: Name,
    of: DiscriminantTest,
    from: FileNo,
}

impl Test {
    /// Whether the test holds for values of a type; none where it may.
    fn holds(&self, resolver: &Resolver<'_>, part: &Ty) -> Option<bool> {
        let found = match part {
            Ty::Instance(def, args) => {
                resolver.member_of_type(*def, args, self.member, space::VALUE)
            }
            Ty::Object(..) => resolver.member(part, self.member, space::VALUE, self.from),
            _ => return None,
        };
        let is_optional = |def: &DefRef| {
            let def = resolver.def(*def);
            def.is_none_or(|def| def.flags & flag::OPTIONAL != 0)
        };
        if matches!(self.of, DiscriminantTest::Presence) {
            let is_missing = found.defs.is_empty() && !found.external && found.ty.is_none();
            let is_there = !found.defs.is_empty() && !found.defs.iter().any(is_optional);
            return (is_missing || is_there).then_some(is_there);
        }
        let mut verdict = None;
        for def in &found.defs {
            let mut all = choices_of(resolver, *def, FARTHEST)?;
            if is_optional(def) {
                all.push(UnionChoice::Nothing);
            }
            for choice in all {
                let is = self.of.is(resolver, choice)?;
                if verdict.is_some_and(|verdict| verdict != is) {
                    return None;
                }
                verdict = Some(is);
            }
        }
        verdict
    }
}

/// The values that a member or variable can have; none where that is not known.
pub(super) fn choices_of(
    resolver: &Resolver<'_>,
    at: DefRef,
    depth: u32,
) -> Option<Vec<UnionChoice>> {
    let def = resolver.def(at)?;
    let file = at.file;
    match def.kind {
        DefKind::EnumMember => Some(vec![UnionChoice::Enumerator(at)]),
        DefKind::Class | DefKind::Interface => Some(vec![UnionChoice::Object]),
        DefKind::TypeAlias => choices(resolver, ExprRef { file, expr: def.ty }, depth),
        DefKind::Field | DefKind::Property | DefKind::Variable | DefKind::Constant => {
            let expr = if def.ty == NONE { def.value } else { def.ty };
            choices(resolver, ExprRef { file, expr }, depth)
        }
        kind if kind.is_callable() => Some(vec![UnionChoice::Object]),
        _ => None,
    }
}

/// The values that a type has, or that an expression is; none where that is not known.
pub(super) fn choices(
    resolver: &Resolver<'_>,
    at: ExprRef,
    depth: u32,
) -> Option<Vec<UnionChoice>> {
    let depth = depth.checked_sub(1)?;
    let file = at.file;
    match resolver.expr(at) {
        Expr::Constant { of, value } => {
            let value = resolver.file(file)?.name(value);
            Some(vec![UnionChoice::Constant(of, value)])
        }
        Expr::Literal { of: Literal::Null } => Some(vec![UnionChoice::Nothing]),
        Expr::Object { .. } | Expr::Array { .. } | Expr::Function { .. } | Expr::Tuple { .. } => {
            Some(vec![UnionChoice::Object])
        }
        Expr::Union { of } => {
            let parts = resolver.each(file, of, |part| choices(resolver, part, depth));
            let parts: Option<Vec<Vec<UnionChoice>>> = parts.into_iter().collect();
            Some(parts?.concat())
        }
        Expr::TypeOf { of } => choices(resolver, ExprRef { file, expr: of }, depth),
        Expr::Name { .. } => choices_of(resolver, meant(resolver, at)?, depth),
        Expr::Member { of, name, .. } => {
            let known = meant(resolver, at).and_then(|end| choices_of(resolver, end, depth));
            known.or_else(|| {
                let constant = meant_value(resolver, ExprRef { file, expr: of })?;
                let kind = resolver.def(constant)?.kind;
                let is_variable = matches!(kind, DefKind::Variable | DefKind::Constant);
                let name = resolver.file(file)?.name(name);
                is_variable.then(|| vec![UnionChoice::MemberOf(constant, name)])
            })
        }
        _ => None,
    }
}

/// The one definition that a written name means.
fn meant(resolver: &Resolver<'_>, at: ExprRef) -> Option<DefRef> {
    match meant_all(resolver, at)?[..] {
        [end] => Some(end),
        _ => None,
    }
}

/// The one definition of a value that a written name means; a type may have the same name.
fn meant_value(resolver: &Resolver<'_>, at: ExprRef) -> Option<DefRef> {
    let mut all = meant_all(resolver, at)?;
    let is_type = |kind| matches!(kind, DefKind::TypeAlias | DefKind::Interface);
    all.retain(|end| resolver.def(*end).is_some_and(|def| !is_type(def.kind)));
    match all[..] {
        [end] => Some(end),
        _ => None,
    }
}

fn meant_all(resolver: &Resolver<'_>, at: ExprRef) -> Option<Vec<DefRef>> {
    let found = resolver.find(at);
    Some(resolver.resolve_alias(*found.defs.first()?).ends.to_vec())
}
