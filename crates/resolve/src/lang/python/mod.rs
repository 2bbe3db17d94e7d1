//! Python: files are modules of packages, classes are linearised, builtins give what they hold.

mod builtins;
mod classes;
mod generics;
mod metaclasses;
mod modules;
mod receivers;
mod tables;

use codecortex_bind::facts::{Def, DefKind, Expr, Literal, ScopeId, flag, space};

use super::{ClassScope, Policy, Relates};
use crate::containers::{self, Table};
use crate::query::{Found, Query};
use crate::ty::{Ty, Typed};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

pub(crate) struct Python;

impl Policy for Python {
    fn words(&self) -> &'static [&'static str] {
        &["Awaitable"]
    }

    fn family(&self) -> u8 {
        20
    }

    fn class_scope(&self) -> ClassScope {
        ClassScope::Direct
    }

    fn class_bodies_run(&self) -> bool {
        true
    }

    fn is_builtin(&self, name: &str) -> bool {
        tables::BUILTINS.contains(&name)
    }

    fn module(&self, query: &Query<'_>, file: FileNo, name: &str, level: u8) -> Found {
        modules::root(query, file, name, level)
    }

    fn star_member(
        &self,
        query: &Query<'_>,
        of: &Ty,
        name: Sym,
        _spaces: u8,
        _flags: u32,
    ) -> Option<Found> {
        let Ty::Module(file, 0) = of else {
            return None;
        };
        let bound = query.file(*file)?;
        let listed = bound.exported();
        let is_given = if listed.is_empty() {
            !query.workspace.text(name).starts_with('_')
        } else {
            listed.iter().any(|listed| bound.sym(*listed) == name)
        };
        (!is_given).then(Found::nothing)
    }

    fn other_module_member(
        &self,
        query: &Query<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Sym,
        _spaces: u8,
    ) -> Found {
        modules::submodule(query, file, scope, name)
    }

    fn class_of(&self, of: &Ty) -> Ty {
        match of {
            Ty::Instance(def, args) => Ty::Type(*def, args.clone()),
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.class_of(part)).collect()),
            of => of.clone(),
        }
    }

    fn find_member(&self, query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
        if let Ty::Module(file, scope) = receiver
            && let Expr::Member { name, spaces, .. } = query.expr(at)
            && spaces == space::NAMESPACE
        {
            // The path of an import leads by files, whatever else the packages on the way have of a name.
            let name = query.file(at.file)?.sym(name);
            let found = modules::submodule(query, *file, *scope, name);
            return (!found.is_empty()).then_some(found);
        }
        if let Ty::Module(file, 0) = receiver
            && let Expr::Member { name, spaces, .. } = query.expr(at)
        {
            let name = query.file(at.file)?.sym(name);
            return modules::beside_stub(query, *file, name, spaces);
        }
        classes::declared_member(query, at, receiver)
    }

    fn type_of_def(&self, query: &Query<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        let is_open = def.kind == DefKind::Parameter
            && def.ty == codecortex_bind::facts::NONE
            && def.flags & (flag::RECEIVER | flag::VARIADIC | flag::KEYWORDS) == 0;
        if is_open {
            return classes::inherited_param(query, at, def);
        }
        receivers::decorated(query, at, def).or_else(|| receivers::described(query, at, def))
    }

    fn order_bases(&self, query: &Query<'_>, of: DefRef, bases: &mut Vec<(Ty, bool)>) {
        classes::linearise(query, of, bases);
    }

    fn linearises(&self) -> bool {
        true
    }

    fn constructors(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        classes::constructors(query, of)
    }

    fn named_field(&self, query: &Query<'_>, of: DefRef, name: Sym) -> Option<DefRef> {
        classes::named_field(query, of, name)
    }

    fn other_member(
        &self,
        query: &Query<'_>,
        of: &Ty,
        name: Sym,
        spaces: u8,
        from: FileNo,
    ) -> Found {
        let of_class = metaclasses::member(query, of, name, spaces, from);
        if !of_class.is_empty() {
            return of_class;
        }
        // `__name__`, `__dict__` …: every object has them.
        let name = query.workspace.text(name);
        if name.starts_with("__") && name.ends_with("__") {
            return Found::external();
        }
        Found::nothing()
    }

    fn member_of_param(
        &self,
        query: &Query<'_>,
        _of: DefRef,
        name: Sym,
        _spaces: u8,
        _from: FileNo,
    ) -> Found {
        // Of a `ParamSpec`.
        if matches!(query.workspace.text(name), "args" | "kwargs") {
            return Found::external();
        }
        Found::nothing()
    }

    fn expected_by_call(
        &self,
        query: &Query<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        builtins::expected(query, callee, args, index)
    }

    fn undeclared_params(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        generics::undeclared(query, of)
    }

    fn call_member(&self) -> &'static str {
        "__call__"
    }

    fn type_of_call(
        &self,
        query: &Query<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        builtins::call(query, at.file, callee, args)
            .or_else(|| receivers::called(query, callee))
            .or_else(|| metaclasses::called(query, callee))
    }

    fn relates_uses(&self) -> Relates {
        // Any two classes may have attributes of one name; language servers keep those of a class and its
        // ancestors apart.
        Relates::None
    }

    fn renamed_uses_count(&self) -> bool {
        false
    }

    fn operator(
        &self,
        query: &Query<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        builtins::operator(query, file, operator, left, right)
    }

    fn entry(&self, query: &Query<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        classes::entry(query, file, of, index)
    }

    fn iterated_map(&self, of: &(Ty, Ty)) -> Ty {
        of.0.clone()
    }

    fn unwrapped_instance(
        &self,
        query: &Query<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        query
            .deeper(|| classes::unwrapped(query, file, of, how))
            .flatten()
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text | Literal::Character | Literal::Regex => "str",
            Literal::Integer => "int",
            Literal::Float => "float",
            Literal::Boolean => "bool",
            Literal::Null => "None",
            Literal::Bytes => "bytes",
        }
    }

    fn denoted_apply(&self, query: &Query<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let name = query.file(of.file)?.head_name(of.expr)?;
        match query.workspace.text(name) {
            // A class as a value.
            "Type" | "type" => match args.first()? {
                Ty::Instance(def, args) => Some(Typed::sure(Ty::Type(*def, args.clone()))),
                Ty::External(name, args) => {
                    Some(Typed::sure(Ty::ExternalType(*name, args.clone())))
                }
                _ => None,
            },
            "list" | "List" => Some(Typed::sure(Ty::array(args.first()?.clone()))),
            "dict" | "Dict" => Some(Typed::sure(Ty::Map(
                (args.first()?.clone(), args.get(1)?.clone()).into(),
            ))),
            _ => None,
        }
    }

    fn functional_result(&self, query: &Query<'_>, of: &Ty) -> Option<Ty> {
        builtins::called(query, of)
    }

    fn functional_param(&self, query: &Query<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        // A protocol with `__call__`.
        let known = containers::given_param(of, index);
        if known.is_some() {
            return known;
        }
        if !matches!(of, Ty::Instance(..)) {
            return None;
        }
        let call = query.workspace.sym("__call__")?;
        let found = query.member(of, call, space::ANY, file);
        let function = query.type_of_found(&found);
        if !matches!(function.ty, Ty::Function(..)) {
            return None;
        }
        let given = query.given(file, &function, index);
        (!given.ty.is_unknown()).then_some(given.ty)
    }

    fn twins(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        // Every definition of a name in one scope is one symbol: overloads, accessors, branches.
        let (Some(bound), Some(def)) = (query.file(of.file), query.def(of)) else {
            return Vec::new();
        };
        if def.at == codecortex_bind::facts::NONE || def.kind == DefKind::Alias {
            return Vec::new();
        }
        let same = bound.defs_in(def.scope, def.name);
        let same = same.filter(|other| bound.def(*other).kind != DefKind::Alias);
        same.map(|other| DefRef {
            file: of.file,
            def: other,
        })
        .collect()
    }

    fn containers(&self) -> &'static Table {
        static TABLE: Table = Table::of(&tables::CONTAINERS);
        &TABLE
    }
}

/// Whether a value is an enumeration's class.
fn is_enumeration(query: &Query<'_>, of: DefRef) -> bool {
    query
        .def(of)
        .is_some_and(|def| def.kind == DefKind::Enum && def.flags & flag::ABSTRACT == 0)
}

/// The name that is called: `f` of `f(…)` and of `a.f(…)`.
fn called_name<'w>(query: &Query<'w>, callee: ExprRef) -> Option<&'w str> {
    let bound = query.file(callee.file)?;
    match bound.expr(callee.expr) {
        Expr::Name { name, .. } | Expr::Member { name, .. } => {
            Some(query.workspace.text(bound.sym(name)))
        }
        _ => None,
    }
}
