//! Python: files are modules of packages, classes are linearised, builtins give what they hold.

mod builtins;
mod classes;
mod descriptors;
mod generics;
mod injected_params;
mod metaclasses;
mod modules;
mod outside_bases;
mod self_types;
mod support;
mod tables;

use codecortex_bind::facts::{Def, DefKind, Expr, Literal, ScopeId, flag, space};

use super::{
    ClassScope, InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules, Relates,
};
use crate::contextual;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_functions::LibraryFunctions;
use crate::library_types::table::LibraryTypes;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The rules of Python.
#[derive(Debug)]
pub(crate) struct PythonRules;

impl LanguageRules for PythonRules {
    fn words(&self) -> &'static [&'static str] {
        &[
            "AbstractEventLoop",
            "AsyncContextManager",
            "AsyncResult",
            "Awaitable",
            "ContextManager",
            "Future",
        ]
    }

    fn family(&self) -> u8 {
        20
    }
}

impl ModuleRules for PythonRules {
    fn class_scope(&self) -> ClassScope {
        ClassScope::Direct
    }

    fn class_bodies_execute(&self) -> bool {
        true
    }

    fn is_builtin(&self, name: &str) -> bool {
        tables::BUILTINS.contains(&name)
    }

    fn module(&self, resolver: &Resolver<'_>, file: FileNo, name: &str, level: u8) -> LookupResult {
        modules::root(resolver, file, name, level)
    }

    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        LookupResult::defs(modules::builtin(resolver, file, name, spaces))
    }

    fn glob_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        _spaces: u8,
        _flags: u32,
    ) -> Option<LookupResult> {
        let Ty::Module(file, 0) = of else {
            return None;
        };
        let bound = resolver.file(*file)?;
        let listed = bound.exported();
        let is_given = if listed.is_empty() {
            !resolver.workspace.text(name).starts_with('_')
        } else {
            listed.iter().any(|listed| bound.name(*listed) == name)
        };
        (!is_given).then(LookupResult::nothing)
    }

    fn other_module_member(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        _spaces: u8,
    ) -> LookupResult {
        modules::submodule(resolver, file, scope, name)
    }

    fn renamed_uses_count(&self) -> bool {
        false
    }

    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        // Every definition of a name in one scope is one symbol: overloads, accessors, branches.
        let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
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
}

impl MemberRules for PythonRules {
    fn wrappers_forward(&self) -> bool {
        false
    }

    fn find_member(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        if let Ty::Module(file, scope) = receiver
            && let Expr::Member { name, spaces, .. } = resolver.expr(at)
            && spaces == space::NAMESPACE
        {
            // The path of an import leads by files, whatever else the packages on the way have of a name.
            let name = resolver.file(at.file)?.name(name);
            let found = modules::submodule(resolver, *file, *scope, name);
            return (!found.is_empty()).then_some(found);
        }
        if let Ty::Module(file, 0) = receiver
            && let Expr::Member { name, spaces, .. } = resolver.expr(at)
        {
            let name = resolver.file(at.file)?.name(name);
            return modules::beside_stub(resolver, *file, name, spaces);
        }
        classes::declared_member(resolver, at, receiver)
    }

    fn order_bases(&self, resolver: &Resolver<'_>, of: DefRef, bases: &mut Vec<(Ty, bool)>) {
        classes::linearise(resolver, of, bases);
    }

    fn linearises(&self) -> bool {
        true
    }

    fn constructors(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        classes::constructors(resolver, of)
    }

    fn named_field(&self, resolver: &Resolver<'_>, of: DefRef, name: Name) -> Option<DefRef> {
        classes::named_field(resolver, of, name)
    }

    fn assumed_field(&self, resolver: &Resolver<'_>, function: &Ty, name: Name) -> Option<DefRef> {
        outside_bases::assumed_field(resolver, function, name)
    }

    fn other_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        let of_class = metaclasses::member(resolver, of, name, spaces, from);
        if !of_class.is_empty() {
            return of_class;
        }
        // `__name__`, `__dict__` …: every object has them.
        let name = resolver.workspace.text(name);
        if name.starts_with("__") && name.ends_with("__") {
            return LookupResult::external();
        }
        LookupResult::nothing()
    }

    fn member_of_param(
        &self,
        resolver: &Resolver<'_>,
        _of: DefRef,
        name: Name,
        _spaces: u8,
        _from: FileNo,
    ) -> LookupResult {
        // Of a `ParamSpec`.
        if matches!(resolver.workspace.text(name), "args" | "kwargs") {
            return LookupResult::external();
        }
        LookupResult::nothing()
    }

    fn undeclared_params(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        generics::undeclared(resolver, of)
    }

    fn call_member(&self) -> &'static str {
        "__call__"
    }

    fn relates_uses(&self) -> Relates {
        // Any two classes may have attributes of one name; language servers keep those of a class and its
        // ancestors apart.
        Relates::None
    }
}

impl OverloadRules for PythonRules {}

impl InferRules for PythonRules {
    fn class_of(&self, of: &Ty) -> Ty {
        match of {
            Ty::Instance(def, args) => Ty::Type(*def, args.clone()),
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.class_of(part)).collect()),
            of => of.clone(),
        }
    }

    fn type_of_def(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        let is_open = def.kind == DefKind::Parameter
            && def.ty == codecortex_bind::facts::NONE
            && def.flags & (flag::RECEIVER | flag::VARIADIC | flag::KEYWORDS) == 0;
        if is_open {
            return classes::inherited_param(resolver, at, def)
                .or_else(|| injected_params::injected(resolver, at, def));
        }
        descriptors::decorated(resolver, at, def)
            .or_else(|| descriptors::described(resolver, at, def))
    }

    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        builtins::call(resolver, at.file, callee, args)
            .or_else(|| self_types::called(resolver, callee))
            .or_else(|| metaclasses::called(resolver, callee))
    }

    fn operator(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        builtins::operator(resolver, file, operator, left, right)
    }

    fn entry(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        classes::entry(resolver, file, of, index)
    }

    fn iterated_map(&self, of: &(Ty, Ty)) -> Ty {
        of.0.clone()
    }

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        resolver
            .with_depth(|| classes::unwrapped(resolver, file, of, how))
            .flatten()
    }

    fn made_by_class_value(&self, _resolver: &Resolver<'_>, class: &Ty) -> Option<Ty> {
        classes::made_by(class)
    }

    fn is_dynamic(&self, name: &str) -> bool {
        matches!(name, "Any" | "object")
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

    fn lower_apply(&self, resolver: &Resolver<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let name = resolver.file(of.file)?.head_name(of.expr)?;
        match resolver.workspace.text(name) {
            // A class as a value.
            "Type" | "type" => match args.first()? {
                Ty::Instance(def, args) => Some(Typed::declared(Ty::Type(*def, args.clone()))),
                Ty::External(name, args) => {
                    Some(Typed::declared(Ty::ExternalType(*name, args.clone())))
                }
                _ => None,
            },
            "list" | "List" => Some(Typed::declared(Ty::array(args.first()?.clone()))),
            "dict" | "Dict" => Some(Typed::declared(Ty::Map(
                (args.first()?.clone(), args.get(1)?.clone()).into(),
            ))),
            _ => None,
        }
    }

    fn functional_result(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        builtins::called(resolver, of)
    }

    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        // A protocol with `__call__`.
        let known = of.contextual_param(index);
        if known.is_some() {
            return known;
        }
        if !matches!(of, Ty::Instance(..)) {
            return None;
        }
        let call = resolver.workspace.name("__call__")?;
        let found = resolver.member(of, call, space::ANY, file);
        let function = resolver.type_of_found(&found);
        if !matches!(function.ty, Ty::Function(..)) {
            return None;
        }
        let given = contextual::contextual_param(resolver, file, &function, index);
        (!given.ty.is_unknown()).then_some(given.ty)
    }

    fn library_name<'n>(&self, name: &'n str) -> &'n str {
        let known = tables::OTHER_NAMES.iter().find(|(other, _)| *other == name);
        known.map_or(name, |(_, name)| name)
    }

    fn library_modules(&self) -> &'static [&'static str] {
        &tables::MODULES
    }

    fn library_form(&self, of: &Ty) -> Option<(&'static str, Vec<Ty>)> {
        match of {
            Ty::Array(of) => Some(("list", vec![(**of).clone()])),
            Ty::Map(of) => Some(("dict", vec![of.0.clone(), of.1.clone()])),
            Ty::Tuple(of) => Some(("tuple", vec![Ty::union(of.to_vec())])),
            _ => None,
        }
    }

    fn library_functions(&self) -> Option<&'static LibraryFunctions> {
        Some(&tables::FUNCTIONS)
    }

    fn type_of_missing(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        _name: &str,
    ) -> Option<Typed> {
        outside_bases::attribute(resolver, receiver)
    }

    fn lower_value(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        classes::base_of_call(resolver, at)
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&tables::LIBRARY);
        &TABLE
    }
}
