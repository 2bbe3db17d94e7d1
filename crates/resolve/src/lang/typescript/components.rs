//! What components of React are given, by the types that declare them and the functions that make them.

use codecortex_bind::facts::{Expr, NONE, space};

use super::support;
use crate::contextual;
use crate::ids::{DefRef, ExprRef};
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, Tys, none};

/// Types of components, and which of their arguments their properties are.
const COMPONENTS: [(&str, usize); 9] = [
    ("FC", 0),
    ("FunctionComponent", 0),
    ("VFC", 0),
    ("ComponentType", 0),
    ("ComponentClass", 0),
    ("ExoticComponent", 0),
    ("NamedExoticComponent", 0),
    ("ForwardRefExoticComponent", 0),
    ("ForwardRefRenderFunction", 1),
];

/// Functions that make a component of another one, and which of their type arguments its properties are.
const MAKERS: [(&str, usize); 2] = [("forwardRef", 1), ("memo", 0)];

/// Types of React that add something to the properties that they are given.
const WITH_PROPERTIES: [&str; 3] = ["PropsWithChildren", "PropsWithRef", "PropsWithoutRef"];

/// Whether a type is one of React's that has the members of its argument.
pub(super) fn adds_to_properties(resolver: &Resolver<'_>, of: ExprRef) -> bool {
    let bound = resolver.file(of.file);
    let name = bound.and_then(|bound| bound.head_name(of.expr));
    let name = name.map_or("", |name| resolver.workspace.text(name));
    WITH_PROPERTIES.contains(&name) && support::is_outside(resolver, of)
}

/// What a component of such a type is given.
pub(super) fn contextual_param(resolver: &Resolver<'_>, of: &Ty, index: u32) -> Option<Ty> {
    if let Ty::Type(class, args) = of {
        return (index == 0)
            .then(|| properties_of_class(resolver, *class, args))
            .flatten();
    }
    let Ty::External(Some(name), args) = of else {
        return None;
    };
    let name = resolver.workspace.text(*name);
    let (_, place) = COMPONENTS.iter().find(|(known, _)| *known == name)?;
    args.get(*place).filter(|_| index == 0).cloned()
}

/// What a component is given that is a class: the type of its `props`, which it mostly has from a base.
fn properties_of_class(resolver: &Resolver<'_>, class: DefRef, args: &Tys) -> Option<Ty> {
    const NAME: &str = "props";
    let instance = Ty::Instance(class, args.clone());
    if let Some(name) = resolver.workspace.name(NAME) {
        let found = resolver.member(&instance, name, space::VALUE, class.file);
        if !found.defs.is_empty() {
            return Some(resolver.type_of_found(&found).ty);
        }
    }
    library_types::property(resolver, class.file, &instance, NAME)
}

/// What such a function makes, of the type arguments that it is called with.
pub(super) fn made(resolver: &Resolver<'_>, name: &str, given: &[Ty]) -> Option<Ty> {
    let properties = properties(name, given)?;
    let component = resolver.workspace.name("NamedExoticComponent");
    Some(Ty::External(component, [properties].into()))
}

/// The function that it expects: `forwardRef<R, P>((properties, ref) => …)`.
pub(super) fn contextual_type(resolver: &Resolver<'_>, callee: ExprRef, index: u32) -> Option<Ty> {
    let Expr::Apply { of, args } = resolver.expr(callee) else {
        return None;
    };
    let made_by = ExprRef { expr: of, ..callee };
    let name = resolver.file(callee.file)?.head_name(made_by.expr)?;
    let name = resolver.workspace.text(name);
    let is_maker = MAKERS.iter().any(|(known, _)| *known == name);
    if index != 0 || !is_maker || !support::is_outside(resolver, made_by) {
        return None;
    }
    let given = resolver.each(callee.file, args, |at| resolver.lower_type(at).ty);
    let reference = Ty::External(resolver.workspace.name("RefObject"), none());
    Some(Ty::External(
        None,
        [properties(name, &given)?, reference].into(),
    ))
}

/// ``styled.div<P>`…` `` and ``styled(Button)<P>`…` ``: a component that is given `P`, besides what `Button` is.
pub(super) fn styled(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Typed> {
    let component = resolver.workspace.name("NamedExoticComponent");
    let given = styled_properties(resolver, callee)?;
    Some(Typed::inferred(Ty::External(component, [given].into())))
}

/// What the functions are given that stand in its template.
pub(super) fn in_template(resolver: &Resolver<'_>, callee: ExprRef, index: u32) -> Option<Ty> {
    let given = styled_properties(resolver, callee).filter(|_| index > 0)?;
    Some(Ty::External(None, [given].into()))
}

fn styled_properties(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Ty> {
    const LONGEST: u32 = 8;
    let file = callee.file;
    let at = |expr| ExprRef { file, expr };
    let (mut types, mut inner, mut link) = (NONE, NONE, callee);
    for _ in 0..LONGEST {
        match resolver.expr(link) {
            Expr::Apply { of, args } => (types, link) = (args, at(of)),
            Expr::Call { of, args } => (inner, link) = (args, at(of)),
            Expr::Member { of, .. } => link = at(of),
            _ => break,
        }
    }
    let name = resolver.file(file)?.head_name(link.expr)?;
    if resolver.workspace.text(name) != "styled" || !support::is_outside(resolver, link) {
        return None;
    }
    let types = resolver.each(file, types, |at| resolver.lower_type(at).ty);
    let inner = resolver
        .each(file, inner, |at| resolver.type_of(at))
        .into_iter();
    let inner = inner.map(|inner| contextual::contextual_param(resolver, file, &inner, 0).ty);
    let given = types.into_iter().take(1).chain(inner.take(1));
    let given: Vec<Ty> = given.filter(|ty| !ty.is_unknown()).collect();
    (!given.is_empty()).then(|| Ty::union(given))
}

fn properties(name: &str, given: &[Ty]) -> Option<Ty> {
    let (_, place) = MAKERS.iter().find(|(known, _)| *known == name)?;
    given.get(*place).cloned()
}
