//! Binding the type variables of a signature by the types of a call's arguments.

use codecortex_bind::facts::{Expr, NONE};

use super::Argument;
use super::signature::{LibrarySignature, TypePattern};
use crate::call;
use crate::ids::ExprRef;
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, none};

/// As many as there are capital letters.
const LETTERS: usize = 26;

/// The types of a signature's variables.
pub(super) struct Bindings {
    types: [Ty; LETTERS],
}

impl Bindings {
    /// Nothing is bound but what a call says itself.
    pub(super) fn of_type_args(signature: &LibrarySignature, given: Vec<Ty>) -> Self {
        let mut bindings = Self {
            types: [const { Ty::Unknown }; LETTERS],
        };
        for (letter, ty) in signature.type_params.iter().zip(given) {
            bindings.bind(*letter, ty);
        }
        bindings
    }

    /// Binds by the arguments that are no functions: what a function is given depends on them.
    pub(super) fn take_values(
        &mut self,
        resolver: &Resolver<'_>,
        signature: &LibrarySignature,
        arguments: &[Argument<'_>],
    ) {
        for (index, argument) in arguments.iter().enumerate() {
            let pattern = signature.pattern_of(arguments, index);
            if let Some(pattern) = pattern.filter(|of| !matches!(of, TypePattern::Function(..))) {
                let is_lambda = matches!(resolver.expr(argument.value), Expr::Function { .. });
                if !is_lambda {
                    let ty = resolver.type_of(argument.value).ty;
                    self.unify(resolver, argument.value, pattern, &ty);
                }
            }
        }
    }

    /// Binds by what functions among the arguments return, and by lambdas that are passed on as they are.
    pub(super) fn take_functions(
        &mut self,
        resolver: &Resolver<'_>,
        signature: &LibrarySignature,
        arguments: &[Argument<'_>],
    ) {
        for (index, argument) in arguments.iter().enumerate() {
            let function = || resolver.type_of(argument.value).ty;
            match signature.pattern_of(arguments, index) {
                Some(TypePattern::Function(_, result)) if **result != TypePattern::Any => {
                    let file = argument.value.file;
                    let returned = call::result_of(resolver, file, &function(), NONE).ty;
                    self.unify(resolver, argument.value, result, &returned);
                }
                Some(pattern @ TypePattern::Variable(_))
                    if matches!(resolver.expr(argument.value), Expr::Function { .. }) =>
                {
                    self.unify(resolver, argument.value, pattern, &function());
                }
                _ => {}
            }
        }
    }

    fn bind(&mut self, letter: u8, ty: Ty) {
        let Some(slot) = self.types.get_mut(usize::from(letter.wrapping_sub(b'A'))) else {
            return;
        };
        let known = std::mem::replace(slot, Ty::Unknown);
        *slot = match known {
            Ty::Unknown => ty,
            // `None` and `nil` beside a value say nothing of its type.
            known if is_outside(&ty) => known,
            known if is_outside(&known) => ty,
            known => Ty::union(vec![known, ty]),
        };
    }

    fn unify(&mut self, resolver: &Resolver<'_>, at: ExprRef, pattern: &TypePattern, ty: &Ty) {
        let unwrapped = |how: &str| {
            let ty = resolver.with_depth(|| library_types::unwrap(resolver, at.file, ty, how));
            ty.flatten().unwrap_or(Ty::Unknown)
        };
        match pattern {
            TypePattern::Any => {}
            TypePattern::Variable(letter) => self.bind(*letter, ty.clone()),
            TypePattern::Sequence(of) => self.unify(resolver, at, of, &unwrapped("iter")),
            TypePattern::Awaitable(of) => self.unify(resolver, at, of, &unwrapped("await")),
            TypePattern::Pointer(of) => self.unify(resolver, at, of, &unwrapped("deref")),
            TypePattern::Map(key, value) => match ty {
                Ty::Map(of) => {
                    self.unify(resolver, at, key, &of.0);
                    self.unify(resolver, at, value, &of.1);
                }
                _ => {
                    self.unify(resolver, at, key, &unwrapped("key"));
                    self.unify(resolver, at, value, &unwrapped("index"));
                }
            },
            TypePattern::Tuple(parts) => {
                if let Ty::Tuple(given) = ty {
                    for (part, ty) in parts.iter().zip(given.iter()) {
                        self.unify(resolver, at, part, ty);
                    }
                }
            }
            TypePattern::Class(of) => {
                if let Ty::Type(def, args) = ty {
                    let instance = Ty::Instance(*def, args.clone());
                    self.unify(resolver, at, of, &instance);
                }
            }
            TypePattern::Function(_, result) => {
                let returned = call::result_of(resolver, at.file, ty, NONE).ty;
                self.unify(resolver, at, result, &returned);
            }
            TypePattern::Named(name, args) => {
                if let Ty::External(Some(written), given) = ty
                    && resolver.workspace.text(*written) == *name
                {
                    for (arg, ty) in args.iter().zip(given.iter()) {
                        self.unify(resolver, at, arg, ty);
                    }
                }
            }
        }
    }

    /// The type that a pattern stands for.
    pub(super) fn instantiate(&self, resolver: &Resolver<'_>, pattern: &TypePattern) -> Ty {
        let part = |pattern: &TypePattern| self.instantiate(resolver, pattern);
        let named =
            |name: &str, args: Vec<Ty>| Ty::External(resolver.workspace.name(name), args.into());
        match pattern {
            TypePattern::Any => Ty::external(),
            TypePattern::Variable(letter) => {
                let slot = self.types.get(usize::from(letter.wrapping_sub(b'A')));
                slot.cloned().unwrap_or(Ty::Unknown)
            }
            TypePattern::Sequence(of) => Ty::array(part(of)),
            TypePattern::Map(key, value) => Ty::Map((part(key), part(value)).into()),
            TypePattern::Tuple(parts) => Ty::Tuple(parts.iter().map(part).collect()),
            TypePattern::Pointer(of) => Ty::Pointer(part(of).into()),
            TypePattern::Function(_, result) => named(FUNCTION, vec![part(result)]),
            TypePattern::Awaitable(of) => named("Awaitable", vec![part(of)]),
            TypePattern::Class(of) => match part(of) {
                Ty::Instance(def, args) => Ty::Type(def, args),
                Ty::External(name, args) => Ty::ExternalType(name, args),
                of => of,
            },
            TypePattern::Named(name, args) if args.is_empty() => {
                Ty::External(resolver.workspace.name(name), none())
            }
            TypePattern::Named(name, args) => named(name, args.iter().map(part).collect()),
        }
    }
}

/// The name of a type from outside that is a function: its only argument is what a call returns.
pub(super) const FUNCTION: &str = "func";

/// Whether a type is one from outside that says nothing of types of the workspace.
fn is_outside(ty: &Ty) -> bool {
    matches!(ty, Ty::External(_, args) | Ty::ExternalType(_, args) if args.is_empty())
        || ty.is_unknown()
}
