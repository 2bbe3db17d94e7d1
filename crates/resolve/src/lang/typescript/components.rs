//! What components of React are given, by the types that declare them and the functions that make them.

use codecortex_bind::facts::{Expr, NONE};

use crate::query::Query;
use crate::ty::{Ty, Typed, none};
use crate::workspace::ExprRef;

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

/// What a component of such a type is given.
pub(super) fn given(query: &Query<'_>, of: &Ty, index: u32) -> Option<Ty> {
    let Ty::External(Some(name), args) = of else {
        return None;
    };
    let name = query.workspace.text(*name);
    let (_, place) = COMPONENTS.iter().find(|(known, _)| *known == name)?;
    args.get(*place).filter(|_| index == 0).cloned()
}

/// What such a function makes, of the type arguments that it is called with.
pub(super) fn made(query: &Query<'_>, name: &str, given: &[Ty]) -> Option<Ty> {
    let properties = properties(name, given)?;
    let component = query.workspace.sym("NamedExoticComponent");
    Some(Ty::External(component, [properties].into()))
}

/// The function that it expects: `forwardRef<R, P>((properties, ref) => …)`.
pub(super) fn expected(query: &Query<'_>, callee: ExprRef, index: u32) -> Option<Ty> {
    let Expr::Apply { of, args } = query.expr(callee) else {
        return None;
    };
    let made_by = ExprRef { expr: of, ..callee };
    let name = query.file(callee.file)?.head_name(made_by.expr)?;
    let name = query.workspace.text(name);
    let is_maker = MAKERS.iter().any(|(known, _)| *known == name);
    if index != 0 || !is_maker || !super::hooks::is_outside(query, made_by) {
        return None;
    }
    let given = query.each(callee.file, args, |at| query.denotes(at).ty);
    let reference = Ty::External(query.workspace.sym("RefObject"), none());
    Some(Ty::External(
        None,
        [properties(name, &given)?, reference].into(),
    ))
}

/// ``styled.div<P>`…` `` and ``styled(Button)<P>`…` ``: a component that is given `P`, besides what `Button` is.
pub(super) fn styled(query: &Query<'_>, callee: ExprRef) -> Option<Typed> {
    let component = query.workspace.sym("NamedExoticComponent");
    let given = styled_properties(query, callee)?;
    Some(Typed::guess(Ty::External(component, [given].into())))
}

/// What the functions are given that stand in its template.
pub(super) fn in_template(query: &Query<'_>, callee: ExprRef, index: u32) -> Option<Ty> {
    let given = styled_properties(query, callee).filter(|_| index > 0)?;
    Some(Ty::External(None, [given].into()))
}

fn styled_properties(query: &Query<'_>, callee: ExprRef) -> Option<Ty> {
    const LONGEST: u32 = 8;
    let file = callee.file;
    let at = |expr| ExprRef { file, expr };
    let (mut types, mut inner, mut link) = (NONE, NONE, callee);
    for _ in 0..LONGEST {
        match query.expr(link) {
            Expr::Apply { of, args } => (types, link) = (args, at(of)),
            Expr::Call { of, args } => (inner, link) = (args, at(of)),
            Expr::Member { of, .. } => link = at(of),
            _ => break,
        }
    }
    let name = query.file(file)?.head_name(link.expr)?;
    if query.workspace.text(name) != "styled" || !super::hooks::is_outside(query, link) {
        return None;
    }
    let types = query.each(file, types, |at| query.denotes(at).ty);
    let inner = query.each(file, inner, |at| query.type_of(at)).into_iter();
    let inner = inner.map(|inner| query.given(file, &inner, 0).ty);
    let given = types.into_iter().take(1).chain(inner.take(1));
    let given: Vec<Ty> = given.filter(|ty| !ty.is_unknown()).collect();
    (!given.is_empty()).then(|| Ty::union(given))
}

fn properties(name: &str, given: &[Ty]) -> Option<Ty> {
    let (_, place) = MAKERS.iter().find(|(known, _)| *known == name)?;
    given.get(*place).cloned()
}
