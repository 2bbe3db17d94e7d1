//! What a type denotes that somebody wrote.

use codecortex_bind::facts::{DefKind, Expr, ListId, Literal, NONE, flag, space};

use crate::infer::{choice, union};
use crate::query::{Found, Query};
use crate::ty::{Ty, Typed, no_env, none};
use crate::workspace::{DefRef, ExprRef, FileNo};

impl Query<'_> {
    /// A value of the type that an expression denotes.
    pub(crate) fn denotes(&self, at: ExprRef) -> Typed {
        if at.expr == NONE {
            return Typed::unknown();
        }
        self.remembered(&self.denoted, at, || self.denotes_now(at))
    }

    fn denotes_now(&self, at: ExprRef) -> Typed {
        let file = at.file;
        let part = |expr| self.denotes(ExprRef { file, expr });
        match self.expr(at) {
            Expr::Name { .. } | Expr::Member { .. } => self.denoted_use(at),
            // A boolean that tells a type is a boolean.
            Expr::Apply { of, .. } if self.is_literal(ExprRef { file, expr: of }) => part(of),
            Expr::Apply { args, .. } if self.is_conditional(at) => self.denoted_union(file, args),
            Expr::Apply { of, args } => {
                let args = self.each(file, args, |at| self.denotes(at).ty);
                self.denoted_with(file, of, args)
            }
            Expr::Index { of, by } => self
                .policy(file)
                .denoted_index(self, file, of, by)
                .unwrap_or_else(Typed::unknown),
            Expr::Array { of } => {
                let of = part(of);
                Typed {
                    ty: Ty::array(of.ty),
                    sure: of.sure,
                }
            }
            Expr::Map { key, value } => Typed::sure(Ty::Map((part(key).ty, part(value).ty).into())),
            Expr::Tuple { of } => {
                let parts = self.each(file, of, |at| self.denotes(at).ty);
                Typed::sure(Ty::Tuple(parts.into()))
            }
            Expr::Union { of } => self.denoted_union(file, of),
            Expr::Function { def } => {
                Typed::sure(Ty::Function([DefRef { file, def }].into(), no_env()))
            }
            Expr::Object { scope, .. } => Typed::sure(Ty::Object(file, scope, no_env())),
            Expr::TypeOf { of } => self.type_of(ExprRef { file, expr: of }),
            Expr::SelfType { scope } | Expr::This { scope } => self.this(file, scope),
            Expr::Pointer { of } => {
                let of = part(of);
                Typed {
                    ty: Ty::Pointer(of.ty.into()),
                    sure: of.sure,
                }
            }
            Expr::Value { of } | Expr::Deref { of } => part(of),
            Expr::Literal { of: Literal::Null } => Typed::unknown(),
            Expr::Literal { of } | Expr::Constant { of, .. } => {
                let sym = self.workspace.sym(self.policy(file).literal(of));
                Typed::sure(Ty::External(sym, none()))
            }
            _ => self
                .policy(file)
                .denoted_value(self, at)
                .unwrap_or_else(Typed::unknown),
        }
    }

    fn denoted_union(&self, file: FileNo, of: ListId) -> Typed {
        let parts: Vec<Typed> = self
            .each(file, of, |at| {
                let is_null = matches!(self.expr(at), Expr::Literal { of: Literal::Null });
                (!is_null).then(|| self.denotes(at))
            })
            .into_iter()
            .flatten()
            .collect();
        choice(parts)
    }

    fn denoted_use(&self, at: ExprRef) -> Typed {
        let found = self.find(at);
        if found.is_empty() {
            return self.denoted_outside(at, &found);
        }
        self.denoted_found(at, found, Vec::new())
    }

    /// A type from outside, by the name that is written.
    fn denoted_outside(&self, at: ExprRef, found: &Found) -> Typed {
        if !found.external {
            return Typed::unknown();
        }
        if let Some(typed) = self.policy(at.file).denoted_outside(self, at) {
            return typed;
        }
        let name = self
            .file(at.file)
            .and_then(|bound| bound.head_name(at.expr));
        Typed::sure(Ty::External(name, none()))
    }

    fn denoted_with(&self, file: FileNo, of: u32, args: Vec<Ty>) -> Typed {
        let at = ExprRef { file, expr: of };
        if let Some(typed) = self.policy(file).denoted_apply(self, at, &args) {
            return typed;
        }
        let found = self.find(at);
        if found.is_empty() {
            let outside = self.denoted_outside(at, &found);
            return match outside.ty {
                Ty::External(name, _) => Typed {
                    ty: Ty::External(name, args.into()),
                    sure: outside.sure,
                },
                _ => outside,
            };
        }
        self.denoted_found(at, found, args)
    }

    /// What a found type denotes with these arguments.
    fn denoted_found(&self, at: ExprRef, found: Found, args: Vec<Ty>) -> Typed {
        let mut ends = Vec::new();
        let mut sure = found.sure;
        let mut external = found.external;
        for def in &found.defs {
            let followed = self.follow(*def);
            sure &= followed.sure;
            external |= followed.external;
            ends.extend(followed.ends);
        }
        ends.dedup();
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
                sure,
            };
        }
        let types: Vec<Typed> = self
            .those_in(&ends, space::TYPE)
            .iter()
            .filter_map(|def| self.denoted_def(*def, &args))
            .collect();
        let joined = match types.split_first() {
            // Parts of one type denote one type.
            Some((first, rest)) if rest.iter().all(|other| self.is_one(first, other)) => {
                first.clone()
            }
            _ => union(types),
        };
        Typed {
            ty: joined.ty.with(&found.env),
            sure: joined.sure && sure,
        }
    }

    fn is_one(&self, a: &Typed, b: &Typed) -> bool {
        match (&a.ty, &b.ty) {
            (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b || self.same_types(*a).contains(b),
            _ => a.ty == b.ty,
        }
    }

    /// What a definition denotes in the place of a type.
    fn denoted_def(&self, at: DefRef, args: &[Ty]) -> Option<Typed> {
        let def = self.def(at)?;
        match def.kind {
            DefKind::TypeAlias if def.ty == NONE => self.policy(at.file).associated_type(self, at),
            DefKind::TypeAlias => {
                let target = ExprRef {
                    file: at.file,
                    expr: def.ty,
                };
                let env = self.env_of(at, &self.with_defaults(at, args));
                if let Some(decided) = self.decided(at, target, &env) {
                    return Some(decided);
                }
                let target = self.denotes(target);
                Some(Typed {
                    ty: target.ty.with(&env),
                    sure: target.sure,
                })
            }
            DefKind::TypeParam => Some(Typed::sure(Ty::Param(at))),
            DefKind::EnumMember => Some(self.type_of_def(at)),
            kind if kind.is_type() => {
                let at = self.defined(at);
                let outer = self.policy(at.file).outer_params(self, at);
                if outer.is_empty() {
                    return Some(Typed::sure(Ty::Instance(at, args.into())));
                }
                let mut args = args.to_vec();
                args.resize(self.params_of(at).len(), Ty::Unknown);
                args.extend(outer.into_iter().map(Ty::Param));
                Some(Typed::sure(Ty::Instance(at, args.into())))
            }
            DefKind::Variable | DefKind::Field | DefKind::Constant if def.value != NONE => {
                let is_fixed = def.flags & flag::IMPLICIT == 0 || def.ty != NONE;
                let value = self.denotes(ExprRef {
                    file: at.file,
                    expr: def.value,
                });
                let made = self.policy(at.file).made_by_value(self, &value.ty);
                Some(made.unwrap_or(value).and(is_fixed))
            }
            DefKind::Function | DefKind::Method => self.policy(at.file).function_as_type(self, at),
            _ => None,
        }
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
            let default = self.denotes(ExprRef {
                file: param.file,
                expr: value,
            });
            let env = self.env_of(of, &args);
            args.push(default.ty.with(&env));
        }
        args
    }
}
