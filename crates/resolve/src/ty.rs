//! Types of expressions, as far as they can be inferred without a compiler.

use std::rc::Rc;

use codecortex_bind::facts::ScopeId;

use crate::ids::{DefRef, FileNo, Name};
use crate::list::SharedList;

/// Type arguments and the like.
pub(crate) type Tys = SharedList<Ty>;

/// A substitution: the types of type parameters.
pub(crate) type Substitution = SharedList<(DefRef, Ty)>;

/// A type, or something that members can be looked up in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    /// Nothing is known.
    Unknown,
    /// Something from outside of the workspace; its name, if it was written.
    External(Option<Name>, Tys),
    /// A type from outside as a value: what static members are looked up in.
    ExternalType(Option<Name>, Tys),
    /// A value of a type of the workspace.
    Instance(DefRef, Tys),
    /// The type itself.
    Type(DefRef, Tys),
    /// A function, or several that bear one name.
    Function(SharedList<DefRef>, Substitution),
    /// The outermost scope of a file, or a module inside of one.
    Module(FileNo, ScopeId),
    /// An open namespace.
    Namespace(Name),
    /// An object literal or type.
    Object(FileNo, ScopeId, Substitution),
    /// A tuple.
    Tuple(Tys),
    /// An array or list.
    Array(Rc<Ty>),
    /// A map.
    Map(Rc<(Ty, Ty)>),
    /// A type parameter.
    Param(DefRef),
    /// One of several.
    Union(Tys),
    /// What languages write to a pointer where that makes a difference.
    Pointer(Rc<Ty>),
}

/// A type and whether every step to it was declared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Typed {
    pub(crate) ty: Ty,
    pub(crate) is_declared: bool,
}

impl Typed {
    /// Nothing is known.
    pub(crate) fn unknown() -> Self {
        Self {
            ty: Ty::Unknown,
            is_declared: false,
        }
    }

    /// A type of which every step was declared.
    pub(crate) fn declared(ty: Ty) -> Self {
        Self {
            ty,
            is_declared: true,
        }
    }

    /// A type of which some step was guessed.
    pub(crate) fn inferred(ty: Ty) -> Self {
        Self {
            ty,
            is_declared: false,
        }
    }

    /// The same type, declared only if something else is declared too.
    pub(crate) fn and(self, is_declared: bool) -> Self {
        Self {
            is_declared: self.is_declared && is_declared,
            ..self
        }
    }
}

/// One of several types; declared if all are and there is one.
pub(crate) fn union(of: Vec<Typed>) -> Typed {
    join_typed(of, Ty::union)
}

/// The same of types that somebody wrote down together: [`Ty::choice`].
pub(crate) fn choice(of: Vec<Typed>) -> Typed {
    join_typed(of, Ty::choice)
}

fn join_typed(mut of: Vec<Typed>, join: impl FnOnce(Vec<Ty>) -> Ty) -> Typed {
    if of.len() < 2 {
        return of.pop().unwrap_or_else(Typed::unknown);
    }
    let is_declared = of.iter().all(|typed| typed.is_declared);
    let ty = join(of.into_iter().map(|typed| typed.ty).collect());
    Typed { ty, is_declared }
}

/// No type arguments.
pub(crate) fn none() -> Tys {
    SharedList::default()
}

/// The empty substitution.
pub(crate) fn no_substitution() -> Substitution {
    SharedList::default()
}

impl Ty {
    /// Something from outside that is not named.
    pub(crate) fn external() -> Self {
        Self::External(None, none())
    }

    /// An array of this.
    pub(crate) fn array(of: Self) -> Self {
        Self::Array(Rc::new(of))
    }

    /// One of several; flat, each once, at most eight, or as many as one of them has.
    pub(crate) fn union(of: Vec<Self>) -> Self {
        const MAX: usize = 8;
        let count = |ty: &Self| match ty {
            Self::Union(parts) => parts.len(),
            _ => 1,
        };
        let most = of.iter().map(count).max().unwrap_or(1).max(MAX);
        Self::of_at_most(of, most)
    }

    /// One of those that somebody wrote down, or some of them: at most 64.
    pub(crate) fn choice(of: Vec<Self>) -> Self {
        Self::of_at_most(of, 64)
    }

    fn of_at_most(of: Vec<Self>, most: usize) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for ty in of {
            let parts = match ty {
                Self::Union(parts) => parts.to_vec(),
                ty => vec![ty],
            };
            for part in parts {
                if part != Self::Unknown && !flat.contains(&part) && flat.len() < most {
                    flat.push(part);
                }
            }
        }
        match flat.len() {
            0 => Self::Unknown,
            1 => flat.swap_remove(0),
            _ => Self::Union(flat.into()),
        }
    }

    /// What a function from a table of library types gets as a parameter: its parameters are handed on as arguments.
    pub(crate) fn contextual_param(&self, index: u32) -> Option<Self> {
        match self {
            Self::External(None, params) => params.get(index as usize).cloned(),
            _ => None,
        }
    }

    /// What a value of this type may be: the parts of a union, or itself alone.
    pub(crate) fn alternatives(&self) -> Vec<Self> {
        match self {
            Self::Union(parts) => parts.to_vec(),
            of => vec![of.clone()],
        }
    }

    /// Whether nothing is known.
    pub(crate) fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }

    /// Whether a type parameter occurs in it.
    pub(crate) fn mentions(&self, param: DefRef) -> bool {
        let any = |types: &[Self]| types.iter().any(|ty| ty.mentions(param));
        match self {
            Self::Param(of) => *of == param,
            Self::External(_, types)
            | Self::ExternalType(_, types)
            | Self::Instance(_, types)
            | Self::Type(_, types)
            | Self::Tuple(types)
            | Self::Union(types) => any(types),
            Self::Array(of) | Self::Pointer(of) => of.mentions(param),
            Self::Map(of) => of.0.mentions(param) || of.1.mentions(param),
            // What stands behind these is not written out.
            Self::Function(..) | Self::Object(..) | Self::Unknown => true,
            Self::Module(..) | Self::Namespace(_) => false,
        }
    }

    /// Whether it is known not to be of the workspace.
    pub(crate) fn is_external(&self) -> bool {
        match self {
            Self::External(..) | Self::ExternalType(..) => true,
            Self::Union(parts) => parts.iter().all(Self::is_external),
            Self::Pointer(of) => of.is_external(),
            _ => false,
        }
    }

    /// The same with type parameters replaced.
    pub(crate) fn with(&self, subst: &[(DefRef, Self)]) -> Self {
        if subst.is_empty() {
            return self.clone();
        }
        self.replaced(subst, 8).unwrap_or_else(|| self.clone())
    }

    /// The type where something in it is replaced. Most are as they were, and to copy them all the same was half of the
    /// time that uses of common names take in programs with large unions.
    fn replaced(&self, subst: &[(DefRef, Self)], depth: u32) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        let all = |tys: &Tys| tys.changed(|ty| ty.replaced(subst, depth));
        Some(match self {
            Self::Param(param) => subst.iter().find(|(known, _)| known == param)?.1.clone(),
            Self::External(name, args) => Self::External(*name, all(args)?),
            Self::ExternalType(name, args) => Self::ExternalType(*name, all(args)?),
            Self::Instance(def, args) => Self::Instance(*def, all(args)?),
            Self::Type(def, args) => Self::Type(*def, all(args)?),
            Self::Function(defs, inner) => {
                Self::Function(defs.clone(), joined(inner, subst, depth, |_| true)?)
            }
            Self::Object(file, scope, inner) => {
                let subst = joined(inner, subst, depth, |param| param.file == *file)?;
                Self::Object(*file, *scope, subst)
            }
            Self::Tuple(tys) => Self::Tuple(all(tys)?),
            Self::Array(of) => Self::array(of.replaced(subst, depth)?),
            Self::Map(of) => {
                let (key, value) = (of.0.replaced(subst, depth), of.1.replaced(subst, depth));
                if key.is_none() && value.is_none() {
                    return None;
                }
                let key = key.unwrap_or_else(|| of.0.clone());
                let value = value.unwrap_or_else(|| of.1.clone());
                Self::Map(Rc::new((key, value)))
            }
            Self::Union(tys) => Self::choice(all(tys)?.to_vec()),
            Self::Pointer(of) => Self::Pointer(Rc::new(of.replaced(subst, depth)?)),
            Self::Unknown | Self::Module(..) | Self::Namespace(_) => return None,
        })
    }
}

/// What an inner environment says, then what the outer one adds of those that can be meant inside: where somebody
/// writes an object, the type parameters of its own file. None if that is what the inner one says already.
fn joined(
    inner: &Substitution,
    outer: &[(DefRef, Ty)],
    depth: u32,
    can_be_meant: impl Fn(DefRef) -> bool,
) -> Option<Substitution> {
    const MAX: usize = 24;
    let changed = inner.changed(|(param, ty)| Some((*param, ty.replaced(outer, depth)?)));
    let said = changed.as_ref().unwrap_or(inner);
    let mut joined: Vec<(DefRef, Ty)> = Vec::new();
    for (param, ty) in outer {
        let is_new = || !said.iter().chain(&joined).any(|(known, _)| known == param);
        if said.len() + joined.len() < MAX && can_be_meant(*param) && is_new() {
            joined.push((*param, ty.clone()));
        }
    }
    if joined.is_empty() {
        return changed;
    }
    Some(said.iter().cloned().chain(joined).collect())
}
