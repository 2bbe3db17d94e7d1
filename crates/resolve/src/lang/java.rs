//! Java: packages are open namespaces, members are seen in their types, overloads are symbols of their own.

use codecortex_bind::facts::{Def, DefKind, Expr, Literal, ScopeKind, flag, space};

use super::{ClassScope, Policy};
use crate::containers::{self, Table};
use crate::file::File;
use crate::overloads::Fit;
use crate::query::{Found, Query};
use crate::ty::{Env, Ty, Typed, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym, split_path};

mod collectors;
mod conversions;
mod handed;
mod library;

pub(crate) struct Java;

impl Policy for Java {
    fn uses_constructors(&self) -> bool {
        true
    }

    fn family(&self) -> u8 {
        23
    }

    fn class_scope(&self) -> ClassScope {
        ClassScope::Members
    }

    fn private_is_of_type(&self) -> bool {
        true
    }

    fn overloads_are_separate(&self) -> bool {
        true
    }

    fn chooses_by_types(&self) -> bool {
        true
    }

    fn overrides(&self, query: &Query<'_>, derived: DefRef, base: DefRef) -> bool {
        // Static methods are called by their own type; one of the same name hides them.
        let is_static = |of: DefRef| {
            query
                .def(of)
                .is_some_and(|def| def.flags & flag::STATIC != 0)
        };
        !is_static(base) && !is_static(derived)
    }

    fn implied_bases(&self, kind: DefKind) -> &'static [&'static str] {
        match kind {
            DefKind::Enum => &["Enum", "Comparable", "Serializable"],
            DefKind::Record => &["Record"],
            _ => &[],
        }
    }

    fn is_top_type(&self, name: &str) -> bool {
        name == "Object"
    }

    fn is_value_type(&self, name: &str) -> bool {
        conversions::is_primitive(name)
    }

    fn refers_to_methods(&self) -> bool {
        true
    }

    fn params_are_objects(&self) -> bool {
        true
    }

    fn outside_fit(&self, takes: &str, actual: &str) -> Fit {
        conversions::fit(takes, actual)
    }

    fn functional_arity(&self, query: &Query<'_>, of: &Ty) -> Option<Option<usize>> {
        if let Ty::Instance(..) = of {
            let (method, _) = functional_method(query, of)?;
            return Some(Some(query.arity(method)));
        }
        match of {
            Ty::External(Some(name), _) => library::functional_arity(query.workspace.text(*name)),
            _ => Some(None),
        }
    }

    fn module(&self, query: &Query<'_>, file: FileNo, name: &str, _level: u8) -> Found {
        let Some(name) = query.workspace.sym(name) else {
            return Found::external();
        };
        let found = self.globals(query, file, name, space::NAMESPACE);
        if found.is_empty() {
            return Found::external();
        }
        found
    }

    /// Types of the unnamed package, then the outermost packages.
    fn globals(&self, query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Found {
        let unnamed = query.file(file).filter(|file| is_unnamed(file));
        if let Some(from) = unnamed {
            let (folder, _) = split_path(from.path());
            let defs = query.workspace.globals(name).iter().copied();
            let defs = defs.filter(|def| {
                query.file(def.file).is_some_and(|file| {
                    let def = file.def(def.def);
                    let is_seen = def.kind.is_type() && def.spaces & spaces != 0;
                    is_seen && is_unnamed(file) && split_path(file.path()).0 == folder
                })
            });
            let defs: Vec<DefRef> = defs.collect();
            if !defs.is_empty() {
                return Found::defs(defs);
            }
        }
        if spaces & space::NAMESPACE != 0 && query.is_namespace(self.family(), name) {
            return Found::typed(Ty::Namespace(name));
        }
        Found::nothing()
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text | Literal::Regex => "String",
            Literal::Character => "char",
            Literal::Integer | Literal::Bytes => "int",
            Literal::Float => "double",
            Literal::Boolean => "boolean",
            Literal::Null => "null",
        }
    }

    fn operator(
        &self,
        query: &Query<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        let of = |expr| query.type_of(ExprRef { file, expr });
        let (left, right) = (of(left), of(right));
        if operator == "+"
            && (is_named(query, &left.ty, "String") || is_named(query, &right.ty, "String"))
        {
            return outside(query, "String");
        }
        let wider = ["double", "float", "long"]
            .into_iter()
            .find(|wide| is_named(query, &left.ty, wide) || is_named(query, &right.ty, wide));
        match wider {
            Some(wide) => outside(query, wide),
            None if left.ty.is_external() => widened(query, left),
            None => Typed::unknown(),
        }
    }

    fn type_of_call(
        &self,
        query: &Query<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        let found = query.find(callee);
        let component = |def: &DefRef| {
            let def = query.def(*def);
            def.is_some_and(|def| def.flags & flag::MEMBER != 0)
        };
        let leads_out = |def: &DefRef| {
            let followed = query.follow(*def);
            followed.ends.is_empty() && followed.external
        };
        if found.ty.is_none()
            && let Some(giver) = handed::giver(query, callee)
            && found.defs.iter().all(leads_out)
            && let Some(typed) = handed::call(query, (callee, giver), args)
        {
            return Some(typed);
        }
        if !found.defs.is_empty() {
            // A record's component is read by a call.
            let all = found.defs.iter().all(component);
            return all.then(|| query.type_of_found(&found));
        }
        library::call(query, at, callee, args)
    }

    fn expected_by_call(
        &self,
        query: &Query<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        collectors::expected(query, callee, args, index)
    }

    fn referred(&self, query: &Query<'_>, method: ExprRef, of: &Ty) -> Option<Ty> {
        collectors::referred(query, method, of)
    }

    fn entry(&self, query: &Query<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        let Ty::Instance(def, args) = of else {
            return None;
        };
        let _ = file;
        let bound = query.file(def.file)?;
        let inner = bound.def(def.def).inner;
        let mut components: Vec<u32> = bound
            .all_in(inner)
            .filter(|def| bound.def(*def).flags & flag::MEMBER != 0)
            .collect();
        components.sort_unstable();
        let component = DefRef {
            file: def.file,
            def: *components.get(index as usize)?,
        };
        let env = query.env_of(*def, args);
        Some(query.type_of_def(component).ty.with(&env))
    }

    fn unwrapped_instance(
        &self,
        query: &Query<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        if how != "iter" {
            return None;
        }
        if let Ty::Param(param) = of {
            let bound = query.def(*param)?.ty;
            let bound = query.denotes(ExprRef {
                file: param.file,
                expr: bound,
            });
            return containers::unwrap(query, file, &bound.ty, how);
        }
        if let Some(name) = query.workspace.sym("iterator") {
            let found = query.member(of, name, space::ANY, file);
            if let Some(def) = found.defs.first() {
                let iterator = query.declared_result(*def).ty.with(&found.env);
                return element_of_iterator(query, file, &iterator);
            }
        }
        let bases = query.outside_bases(of);
        bases
            .iter()
            .find_map(|base| containers::unwrap(query, file, base, how))
    }

    fn functional_param(&self, query: &Query<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        if let Some((method, env)) = functional_method(query, of) {
            let bound = query.file(method.file)?;
            let param = bound.params(method.def).nth(index as usize)?;
            let typed = query.type_of_def(DefRef {
                file: method.file,
                def: param,
            });
            return Some(typed.ty.with(&env));
        }
        let _ = file;
        library::functional_param(query, of, index)
    }

    fn functional_result(&self, query: &Query<'_>, of: &Ty) -> Option<Ty> {
        if let Some((method, env)) = functional_method(query, of) {
            return Some(query.declared_result(method).ty.with(&env));
        }
        library::functional_result(query, of)
    }

    fn words(&self) -> &'static [&'static str] {
        &library::WORDS
    }

    fn containers(&self) -> &'static Table {
        static TABLE: Table = Table::of(&library::ROWS);
        &TABLE
    }
}

/// Whether a file is in no package.
fn is_unnamed(file: &File) -> bool {
    let mut scopes = file.scopes().iter();
    !scopes.any(|scope| scope.kind == ScopeKind::Namespace)
}

fn is_named(query: &Query<'_>, ty: &Ty, name: &str) -> bool {
    matches!(ty, Ty::External(Some(sym), _) if query.workspace.text(*sym) == name)
}

fn outside(query: &Query<'_>, name: &str) -> Typed {
    Typed::sure(Ty::External(query.workspace.sym(name), none()))
}

/// Arithmetic on small integers gives an `int`.
fn widened(query: &Query<'_>, of: Typed) -> Typed {
    let is_small = ["char", "byte", "short"]
        .iter()
        .any(|small| is_named(query, &of.ty, small));
    if is_small { outside(query, "int") } else { of }
}

/// What an iterator gives, of the workspace or not.
fn element_of_iterator(query: &Query<'_>, file: FileNo, iterator: &Ty) -> Option<Ty> {
    if let Ty::Instance(..) = iterator {
        let next = query.workspace.sym("next")?;
        let found = query.member(iterator, next, space::ANY, file);
        if let Some(def) = found.defs.first() {
            return Some(query.declared_result(*def).ty.with(&found.env));
        }
        let bases = query.outside_bases(iterator);
        return bases
            .iter()
            .find_map(|base| containers::unwrap(query, file, base, "iter"));
    }
    containers::unwrap(query, file, iterator, "iter")
}

/// The one abstract method of an interface, and what type parameters stand for in it.
fn functional_method(query: &Query<'_>, of: &Ty) -> Option<(DefRef, Env)> {
    const MOST: usize = 32;
    let mut open = vec![of.clone()];
    let mut seen = 0;
    while let Some(ty) = open.pop() {
        seen += 1;
        let Ty::Instance(def, args) = &ty else {
            continue;
        };
        let found = query.def(*def)?;
        if seen > MOST || found.kind != DefKind::Interface {
            continue;
        }
        let env = query.env_of(*def, args);
        let bound = query.file(def.file)?;
        let mut own = bound
            .all_in(found.inner)
            .filter(|def| is_abstract(query, bound, bound.def(*def)));
        if let Some(method) = own.next() {
            let method = DefRef {
                file: def.file,
                def: method,
            };
            return Some((method, env));
        }
        let bases = query.bases(&query.parts(*def), &env);
        open.extend(bases.into_iter().map(|(ty, _)| ty));
    }
    None
}

/// Whether a method has to be implemented; what every object has has been.
fn is_abstract(query: &Query<'_>, file: &File, def: &Def) -> bool {
    let name = query.workspace.text(file.sym(def.name));
    def.kind == DefKind::Method
        && def.flags & flag::ABSTRACT != 0
        && !matches!(name, "equals" | "hashCode" | "toString")
}

/// The member and receiver of a callee `a.b` or `a.<T>b`.
pub(super) fn receiver(query: &Query<'_>, callee: ExprRef) -> Option<(ExprRef, Sym)> {
    let file = callee.file;
    let plain = match query.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    match query.expr(plain) {
        Expr::Member { of, name, .. } => {
            Some((ExprRef { file, expr: of }, query.file(file)?.sym(name)))
        }
        _ => None,
    }
}
