//! Type lowering: from a type as it is written to the type that it means.

use codecortex_bind::facts::{DefKind, Expr, ListId, Literal, NONE, flag, space};

use crate::conditional;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::lookup::result::LookupResult;
use crate::outside;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::this;
use crate::ty::{Ty, Typed, Tys, choice, no_substitution, none, union};

impl Resolver<'_> {
    /// A value of the type that an expression lowers to.
    pub(crate) fn lower_type(&self, at: ExprRef) -> Typed {
        if at.expr == NONE {
            return Typed::unknown();
        }
        self.memoize_type(&self.lowered, at, || self.lower_type_now(at))
    }

    fn lower_type_now(&self, at: ExprRef) -> Typed {
        let file = at.file;
        let part = |expr| self.lower_type(ExprRef { file, expr });
        match self.expr(at) {
            Expr::Name { .. } | Expr::Member { .. } => self.lower_use(at),
            // A boolean that tells a type is a boolean.
            Expr::Apply { of, .. } if self.is_literal(ExprRef { file, expr: of }) => part(of),
            Expr::Apply { args, .. } if conditional::is_conditional(self, at) => {
                self.lower_union(file, args)
            }
            Expr::Apply { of, args } => {
                if let Some(typed) = self.rules(file).lower_applied_alias(self, at) {
                    return typed;
                }
                let args = self.each(file, args, |at| self.lower_type(at).ty);
                let args = self.rules(file).arranged_type_args(self, at, args);
                self.lower_applied(file, of, args)
            }
            Expr::Index { of, by } => self
                .rules(file)
                .lower_index(self, file, of, by)
                .unwrap_or_else(Typed::unknown),
            Expr::Array { of } => {
                let of = part(of);
                Typed {
                    ty: Ty::array(of.ty),
                    is_declared: of.is_declared,
                }
            }
            Expr::Map { key, value } => {
                Typed::declared(Ty::Map((part(key).ty, part(value).ty).into()))
            }
            Expr::Tuple { of } => {
                let parts = self.each(file, of, |at| self.lower_type(at).ty);
                Typed::declared(Ty::Tuple(parts.into()))
            }
            Expr::Union { of } => self.lower_union(file, of),
            Expr::Function { def } => Typed::declared(Ty::Function(
                [DefRef { file, def }].into(),
                no_substitution(),
            )),
            Expr::Object { scope, .. } => {
                Typed::declared(Ty::Object(file, scope, no_substitution()))
            }
            Expr::TypeOf { of } => self.type_of(ExprRef { file, expr: of }),
            Expr::SelfType { scope } | Expr::This { scope } => this::instance(self, file, scope),
            Expr::Pointer { of } => {
                let of = part(of);
                Typed {
                    ty: Ty::Pointer(of.ty.into()),
                    is_declared: of.is_declared,
                }
            }
            Expr::Value { of } | Expr::Deref { of } => part(of),
            Expr::Literal { of: Literal::Null } => Typed::unknown(),
            Expr::Literal { of } | Expr::Constant { of, .. } => {
                let sym = self.workspace.name(self.rules(file).literal(of));
                Typed::declared(Ty::External(sym, none()))
            }
            _ => self
                .rules(file)
                .lower_value(self, at)
                .unwrap_or_else(Typed::unknown),
        }
    }

    fn lower_union(&self, file: FileNo, of: ListId) -> Typed {
        let parts: Vec<Typed> = self
            .each(file, of, |at| {
                let is_null = matches!(self.expr(at), Expr::Literal { of: Literal::Null });
                (!is_null).then(|| self.lower_type(at))
            })
            .into_iter()
            .flatten()
            .collect();
        choice(parts)
    }

    fn lower_use(&self, at: ExprRef) -> Typed {
        let found = self.find(at);
        if found.is_empty() {
            return self.lower_external(at, &found);
        }
        self.lower_found(at, found, Vec::new())
    }

    /// A type from outside, by the name that is written.
    fn lower_external(&self, at: ExprRef, found: &LookupResult) -> Typed {
        if !found.external {
            return Typed::unknown();
        }
        if let Some(typed) = self.rules(at.file).lower_external(self, at) {
            return typed;
        }
        let name = self
            .file(at.file)
            .and_then(|bound| bound.head_name(at.expr));
        Typed::declared(Ty::External(name, none()))
    }

    fn lower_applied(&self, file: FileNo, of: u32, args: Vec<Ty>) -> Typed {
        let at = ExprRef { file, expr: of };
        if let Some(typed) = self.rules(file).lower_apply(self, at, &args) {
            return typed;
        }
        let found = self.find(at);
        if found.is_empty() {
            let outside = self.lower_external(at, &found);
            return match outside.ty {
                Ty::External(name, _) => Typed {
                    ty: Ty::External(name, args.into()),
                    is_declared: outside.is_declared,
                },
                _ => outside,
            };
        }
        self.lower_found(at, found, args)
    }

    /// What a found type lowers to with these arguments.
    fn lower_found(&self, at: ExprRef, found: LookupResult, args: Vec<Ty>) -> Typed {
        if let Some(constructed) = self.aliased_construction(&found) {
            return constructed;
        }
        let mut ends = Vec::new();
        let mut is_declared = found.is_declared;
        let mut external = found.external;
        for def in &found.defs {
            let followed = self.resolve_alias(*def);
            is_declared &= followed.is_declared;
            external |= followed.external;
            ends.extend(followed.ends);
        }
        ends.dedup();
        // Of a type of the library to which programs add members all are parts.
        if ends.iter().any(|end| is_library(end.file)) {
            ends.retain(|end| is_library(end.file));
            for end in &mut ends {
                let beside = self.rules(end.file).type_beside(self, *end);
                *end = beside.unwrap_or(*end);
            }
            ends.dedup();
        }
        if ends.is_empty() {
            if !external {
                return Typed::unknown();
            }
            let aliased = found.defs.first().and_then(|def| {
                let value = self.def(*def)?.value;
                self.file(def.file)?.head_name(value)
            });
            let written = self
                .file(at.file)
                .and_then(|bound| bound.head_name(at.expr));
            return Typed {
                ty: Ty::External(aliased.or(written), args.into()),
                is_declared,
            };
        }
        let types: Vec<Typed> = self
            .those_in(&ends, space::TYPE)
            .iter()
            .filter_map(|def| self.lower_def(*def, &args))
            .collect();
        let joined = match types.split_first() {
            // Parts of one type lower to one type.
            Some((first, rest)) if rest.iter().all(|other| self.is_one(first, other)) => {
                first.clone()
            }
            _ => union(types),
        };
        Typed {
            ty: joined.ty.with(&found.subst),
            is_declared: joined.is_declared && is_declared,
        }
    }

    /// What an alias of a constructed type lowers to: `using Rows = List<Row>;`, `using Pair = (A First, B Second);`.
    fn aliased_construction(&self, found: &LookupResult) -> Option<Typed> {
        let [alias] = found.defs[..] else {
            return None;
        };
        let value = self.constructed_by_alias(alias)?;
        let lowered = self.lower_type(value);
        (!lowered.ty.is_unknown()).then(|| lowered.and(found.is_declared))
    }

    /// The type that an alias is another name of, where that is more than a name.
    pub(crate) fn constructed_by_alias(&self, alias: DefRef) -> Option<ExprRef> {
        let def = self.def(alias)?;
        let value = ExprRef {
            file: alias.file,
            expr: def.value,
        };
        let is_constructed = matches!(
            self.expr(value),
            Expr::Apply { .. } | Expr::Array { .. } | Expr::Tuple { .. } | Expr::Object { .. }
        );
        let is_type = self.rules(alias.file).aliases_write_both();
        (def.kind == DefKind::Alias && is_type && is_constructed).then_some(value)
    }

    fn is_one(&self, a: &Typed, b: &Typed) -> bool {
        match (&a.ty, &b.ty) {
            (Ty::Instance(a, _), Ty::Instance(b, _)) => {
                a == b || self.merged_declarations(*a).contains(b)
            }
            _ => a.ty == b.ty,
        }
    }

    /// What a definition lowers to in the place of a type.
    fn lower_def(&self, at: DefRef, args: &[Ty]) -> Option<Typed> {
        let def = self.def(at)?;
        match def.kind {
            DefKind::TypeAlias if def.ty == NONE => self.rules(at.file).associated_type(self, at),
            DefKind::TypeAlias => {
                let target = ExprRef {
                    file: at.file,
                    expr: def.ty,
                };
                let subst = self.substitution_of(at, &self.with_defaults(at, args));
                if let Some(decided) = conditional::decided(self, at, target, &subst) {
                    return Some(decided);
                }
                let target = self.lower_type(target);
                Some(Typed {
                    ty: target.ty.with(&subst),
                    is_declared: target.is_declared,
                })
            }
            DefKind::TypeParam => Some(Typed::declared(Ty::Param(at))),
            DefKind::EnumMember => Some(self.type_of_def(at)),
            kind if kind.is_type() => {
                let at = self.defined(at);
                if outside::is_told_by_tables(self, at) {
                    let name = self.file(at.file)?.name(def.name);
                    return Some(Typed::declared(Ty::External(Some(name), args.into())));
                }
                let filled = match self.rules(at.file).defaults_fill_types() {
                    true => self.with_defaults(at, args),
                    false => Vec::new(),
                };
                let args = if filled.is_empty() { args } else { &filled[..] };
                let given: Tys = args.into();
                if !args.is_empty()
                    && let Some((of, args)) = self.rules(at.file).specialised(self, at, &given)
                {
                    return Some(Typed::declared(Ty::Instance(of, args)));
                }
                let outer = self.rules(at.file).outer_params(self, at);
                if outer.is_empty() {
                    return Some(Typed::declared(Ty::Instance(at, args.into())));
                }
                let mut args = args.to_vec();
                args.resize(self.params_of(at).len(), Ty::Unknown);
                args.extend(outer.into_iter().map(Ty::Param));
                Some(Typed::declared(Ty::Instance(at, args.into())))
            }
            DefKind::Variable | DefKind::Field | DefKind::Constant if def.value != NONE => {
                let is_fixed = def.flags & flag::IMPLICIT == 0 || def.ty != NONE;
                let value = self.lower_type(ExprRef {
                    file: at.file,
                    expr: def.value,
                });
                if value.ty.is_unknown() {
                    return self.of_variable(at);
                }
                let made = self.rules(at.file).instance_of_value(self, &value.ty);
                let mut made = made.unwrap_or(value).and(is_fixed);
                // Another name of a generic class takes its arguments.
                if let Ty::Instance(_, own) = &mut made.ty
                    && own.is_empty()
                    && !args.is_empty()
                {
                    *own = args.into();
                }
                Some(made)
            }
            DefKind::Variable | DefKind::Field | DefKind::Constant | DefKind::Parameter => {
                self.of_variable(at)
            }
            DefKind::Function | DefKind::Method => self.rules(at.file).function_as_type(self, at),
            _ => None,
        }
    }

    /// What a variable or parameter lowers to in the place of a type.
    fn of_variable(&self, at: DefRef) -> Option<Typed> {
        self.made_by_class_value(at)
            .or_else(|| self.rules(at.file).variable_as_type(self, at))
    }

    /// What the class makes that a variable holds.
    fn made_by_class_value(&self, at: DefRef) -> Option<Typed> {
        let class = self.type_of_def(at);
        let made = self.rules(at.file).made_by_class_value(self, &class.ty)?;
        Some(Typed {
            ty: made,
            is_declared: class.is_declared,
        })
    }

    /// The arguments of an alias with what its further parameters are by default: `type Result<T, E = Error>`.
    fn with_defaults(&self, of: DefRef, args: &[Ty]) -> Vec<Ty> {
        let mut args = args.to_vec();
        let params = self.params_of(of);
        for param in params.get(args.len()..).unwrap_or_default() {
            let value = self.def(*param).map_or(NONE, |param| param.value);
            if value == NONE {
                break;
            }
            let default = self.lower_type(ExprRef {
                file: param.file,
                expr: value,
            });
            let subst = self.substitution_of(of, &args);
            args.push(default.ty.with(&subst));
        }
        args
    }
}
