//! Classes of the workspace with a base from outside, which gives them attributes and parameters that nobody sees:
//! Django's `Document.objects`, `Document(title=…)`, factories that make a model.

use codecortex_bind::facts::{DefKind, NONE, flag, space};

use crate::ids::{DefRef, Name};
use crate::outside;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, none};

/// An attribute of a class that its base from outside may have: what it gives is over the class.
pub(super) fn attribute(resolver: &Resolver<'_>, receiver: &Ty) -> Option<Typed> {
    let Ty::Type(def, args) = receiver else {
        return None;
    };
    if resolver.external_bases(receiver).is_empty() {
        return None;
    }
    let instance = Ty::Instance(*def, args.clone());
    Some(Typed::inferred(outside::instantiate(Some(instance))))
}

/// The attribute that a named argument sets, where nobody knows the parameters: `Document(title=…)`,
/// `Document.objects.create(title=…)`.
pub(super) fn assumed_field(resolver: &Resolver<'_>, function: &Ty, name: Name) -> Option<DefRef> {
    let made = match function {
        Ty::Type(def, args) => {
            if resolver.external_bases(function).is_empty() {
                return None;
            }
            let made = made_by(resolver, *def);
            made.unwrap_or_else(|| Ty::Instance(*def, args.clone()))
        }
        Ty::External(None, _) => outside::element_type(resolver, function)?,
        _ => return None,
    };
    let Ty::Instance(def, args) = &made else {
        return None;
    };
    let found = resolver.member_of_type(*def, args, name, space::VALUE);
    let is_field = |of: &&DefRef| {
        let def = resolver.def(**of);
        // What methods add to `self` is no parameter of a constructor from outside.
        def.filter(|def| def.from != u32::MAX).is_some_and(|def| {
            def.kind == DefKind::Field
                || def.kind == DefKind::Variable
                || def.flags & flag::SETTER != 0
        })
    };
    found.defs.iter().find(is_field).copied()
}

/// The type that a class makes instances of, where an inner class of it names exactly one class of the workspace: the
/// model of a factory, a form or a serializer.
fn made_by(resolver: &Resolver<'_>, of: DefRef) -> Option<Ty> {
    let bound = resolver.file(of.file)?;
    let inner = resolver.def(of)?.inner;
    let mut made: Option<Ty> = None;
    for class in bound.all_in(inner) {
        let class = bound.def(class);
        if class.kind != DefKind::Class || class.inner == NONE {
            continue;
        }
        for attribute in bound.all_in(class.inner) {
            let def = DefRef {
                def: attribute,
                ..of
            };
            if let Ty::Type(model, _) = resolver.type_of_def(def).ty {
                let instance = Ty::Instance(model, none());
                if made.as_ref().is_some_and(|made| *made != instance) {
                    return None;
                }
                made = Some(instance);
            }
        }
    }
    made
}
