//! TypeScript and JavaScript: a file is a module, imports are paths, types merge.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, Literal, NONE, ScopeId, ScopeKind, flag, space};

mod call_apply_bind;
mod class_values;
mod components;
mod construct_signatures;
mod containers;
mod dependency_injection;
mod evolving_arrays;
mod globals;
mod hooks;
mod indexed_access;
mod instances;
mod iteration;
mod keyed;
mod library;
mod module_augmentation;
mod modules;
mod open_namespaces;
mod overload_choice;
mod polymorphic_this;
mod promises;
mod structural_identity;
mod support;
mod tables;

use super::{InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules};
use crate::contextual;
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types::ContainerCall;
use crate::library_types::table::LibraryTypes;
use crate::lookup::result::LookupResult;
use crate::mapped_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, none};

/// The rules of TypeScript and JavaScript.
#[derive(Debug)]
pub(crate) struct TypeScriptRules;

/// Types of the language that have the members of their argument.
const STANDING: [&str; 10] = [
    "Readonly",
    "Partial",
    "Required",
    "NonNullable",
    "Pick",
    "Omit",
    "Exclude",
    "Extract",
    "NoInfer",
    "ThisType",
];

/// Types of the language itself, and the interfaces that have their members.
const PRIMITIVES: [(&str, &str); 6] = [
    ("string", "String"),
    ("number", "Number"),
    ("boolean", "Boolean"),
    ("bigint", "BigInt"),
    ("symbol", "Symbol"),
    ("object", "Object"),
];

impl LanguageRules for TypeScriptRules {
    fn family(&self) -> u8 {
        1
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "RefObject",
            "Dispatch",
            "Context",
            "NamedExoticComponent",
            "Component",
            "PureComponent",
            "string",
            "number",
            "boolean",
            "RegExp",
            "Uint8Array",
            // What protocols of the language ask for.
            "[Symbol.iterator]",
            "[Symbol.asyncIterator]",
            "next",
            "value",
            "then",
            "(new)",
            "(call)",
            "(index)",
        ]
    }
}

impl ModuleRules for TypeScriptRules {
    fn links_use_imports(&self) -> bool {
        false
    }

    fn class_scope(&self) -> super::ClassScope {
        // Members of an enum see one another; bodies of classes are blocks to what is in them.
        super::ClassScope::Direct
    }

    fn names_members(&self, of: DefKind) -> bool {
        of == DefKind::Enum
    }

    fn reexports_are_local(&self) -> bool {
        false
    }

    fn module(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: &str,
        _level: u8,
    ) -> LookupResult {
        match modules::resolve(resolver, file, name) {
            Some(file) => LookupResult::typed(Ty::Module(file, 0)),
            None => modules::described(resolver, file, name).unwrap_or_else(|| {
                match modules::can_be_package(name) {
                    true => LookupResult::external(),
                    false => LookupResult::nothing(),
                }
            }),
        }
    }

    fn names_package(&self, name: &str) -> bool {
        modules::can_be_package(name) && !name.starts_with(['.', '/'])
    }

    fn is_of_unknown_module(&self, resolver: &Resolver<'_>, alias: DefRef) -> bool {
        modules::is_of_unknown(resolver, alias)
    }

    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        globals::named(resolver, file, name, spaces)
    }

    fn in_open_scope(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
        own: &[DefRef],
    ) -> Option<LookupResult> {
        // What one block of a namespace gives out, the others see.
        let bound = resolver.file(file)?;
        let of = bound.scope(scope);
        if of.kind != ScopeKind::Module || of.owner == NONE || !own.is_empty() {
            return None;
        }
        let def = of.owner;
        let parts = resolver.parts(DefRef { file, def });
        let others = parts.scopes.iter().filter(|part| **part != (file, scope));
        let defs = others
            .flat_map(|(file, scope)| resolver.module_member(*file, *scope, name, spaces).defs)
            .collect();
        let found = LookupResult::defs(defs);
        (!found.is_empty()).then_some(found)
    }

    fn is_exported(&self, file: &BoundFile, def: &Def, spaces: u8) -> bool {
        let leaves = flag::EXPORTED | flag::DEFAULT;
        let is_ambient = file.path().ends_with(".d.ts") && def.kind != DefKind::Alias;
        let is_untyped = file.dialect() == Dialect::JavaScript;
        // What comments define is everybody's.
        let is_said = is_untyped && matches!(def.kind, DefKind::TypeAlias | DefKind::Interface);
        let leaves = def.flags & leaves != 0 || is_ambient || is_said || def.scope != 0;
        def.spaces & spaces != 0 && leaves
    }

    fn other_module_member(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let Some(bound) = resolver.file(file) else {
            return LookupResult::nothing();
        };
        if scope != 0 {
            // A module of another package has more than programs say of it.
            let owner = bound.defs().get(bound.scope(scope).owner as usize);
            let is_described =
                |of: &&Def| of.kind == DefKind::Module && of.flags & flag::UNWRITTEN != 0;
            return match owner.filter(is_described) {
                Some(_) => LookupResult::external(),
                None => open_namespaces::member_of_others(resolver, file, scope, name, spaces),
            };
        }
        match resolver.workspace.text(name) {
            "default" => {
                let defs = bound
                    .all_in(0)
                    .filter(|def| bound.def(*def).flags & flag::DEFAULT != 0);
                let found = LookupResult::defs(defs.map(|def| DefRef { file, def }).collect());
                if found.is_empty() {
                    modules::exported_value(resolver, file)
                } else {
                    found
                }
            }
            // `module.exports = { a }`: what it has, the module has.
            "export=" => LookupResult::typed(Ty::Module(file, 0)),
            _ => {
                let value = modules::exported_value(resolver, file);
                if value.is_empty() {
                    return value;
                }
                let ty = resolver.type_of_found(&value);
                resolver.member(&ty.ty, name, spaces, file)
            }
        }
    }

    fn find_name(&self, resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
        // What a CommonJS module exports, seen from inside.
        let is_untyped = resolver.workspace.dialect(at.file) == Some(Dialect::JavaScript);
        match resolver.workspace.text(name) {
            "exports" if is_untyped => LookupResult::typed(Ty::Module(at.file, 0)),
            // The object of everything global has what programs add to its interface.
            name if globals::OBJECTS.contains(&name) => globals::global_object(resolver, at.file),
            _ => LookupResult::nothing(),
        }
    }

    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
            return Vec::new();
        };
        if def.at == NONE || def.kind == DefKind::Alias {
            return Vec::new();
        }
        let same = bound.defs_in(def.scope, def.name).filter(|other| {
            let other = bound.def(*other);
            let both_functions = other.kind.is_callable()
                && def.kind.is_callable()
                && other.flags & flag::STATIC == def.flags & flag::STATIC;
            let accessors = flag::GETTER | flag::SETTER;
            let both_accessors = other.flags & accessors != 0 && def.flags & accessors != 0;
            let both_variables =
                other.kind == DefKind::Variable && def.kind == DefKind::Variable && other.from == 0;
            let merged = merges(other.kind) && merges(def.kind) && other.scope == def.scope;
            both_functions || both_accessors || both_variables || merged
        });
        same.map(|other| DefRef {
            file: of.file,
            def: other,
        })
        .collect()
    }
}

impl MemberRules for TypeScriptRules {
    fn members_of_alias(&self, resolver: &Resolver<'_>, alias: DefRef) -> Vec<DefRef> {
        indexed_access::members_of_alias(resolver, alias)
    }

    fn private_is_of_type(&self) -> bool {
        true
    }

    fn declarations_merge(
        &self,
        _file: &BoundFile,
        _a: DefRef,
        a_def: &Def,
        _b: DefRef,
        b_def: &Def,
        _query: &Resolver<'_>,
    ) -> bool {
        let merges = |def: &Def| {
            matches!(
                def.kind,
                DefKind::Class
                    | DefKind::Interface
                    | DefKind::Module
                    | DefKind::Enum
                    | DefKind::Function
            )
        };
        merges(a_def) && merges(b_def)
    }

    fn augmentations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        // Interfaces of scripts are global and merge across files.
        let (Some(file), Some(name)) = (resolver.file(of.file), resolver.name_of(of)) else {
            return Vec::new();
        };
        if !modules::is_script(file) || file.def(of.def).scope != 0 {
            let mut parts = module_augmentation::parts(resolver, of);
            parts.extend(open_namespaces::merged(resolver, of));
            return parts;
        }
        globals::parts(resolver, of.file, name)
    }

    fn construct_member(&self) -> Option<&'static str> {
        Some("(new)")
    }

    fn call_member(&self) -> &'static str {
        "(call)"
    }

    fn outer_params(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        class_values::outer_params(resolver, of)
    }

    fn find_member(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        if let Some(found) = globals::global_member(resolver, at) {
            return Some(found);
        }
        match receiver {
            Ty::Instance(..) | Ty::Type(..) | Ty::Module(..) => None,
            // What instances have is not the function's own.
            Ty::Function(..) => {
                let mut found = instances::assigned_member(resolver, at)?;
                if found.defs.iter().any(|def| is_static(resolver, *def)) {
                    found.defs.retain(|def| is_static(resolver, *def));
                }
                Some(found)
            }
            _ => instances::assigned_member(resolver, at),
        }
    }

    /// `Omit<T, "a">`, under its own name or an alias, has what `T` has and is not derived from it.
    fn is_base(&self, resolver: &Resolver<'_>, base: ExprRef) -> bool {
        const MAX: usize = 8;
        let mut at = base;
        for _ in 0..MAX {
            let head = match resolver.expr(at) {
                Expr::Apply { of, .. } => ExprRef { expr: of, ..at },
                Expr::Name { .. } | Expr::Member { .. } => at,
                _ => return true,
            };
            let found = resolver.find(head);
            let Some(def) = found.defs.first().filter(|_| !support::leads_out(&found)) else {
                let name = resolver
                    .file(at.file)
                    .and_then(|bound| bound.head_name(head.expr));
                let name = name.map_or("", |name| resolver.workspace.text(name));
                return !STANDING.contains(&name);
            };
            let end = resolver
                .resolve_alias(*def)
                .ends
                .first()
                .copied()
                .unwrap_or(*def);
            match resolver.def(end) {
                Some(def) if def.kind == DefKind::TypeAlias => {
                    at = ExprRef {
                        file: end.file,
                        expr: def.ty,
                    };
                }
                _ => return true,
            }
        }
        true
    }

    fn member_of_function(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        name: Name,
        spaces: u8,
        _from: FileNo,
    ) -> LookupResult {
        // What is assigned to the function, which its instances have not.
        let mut own = resolver.own_members(&resolver.parts(of), name, spaces);
        if own.iter().any(|def| is_static(resolver, *def)) {
            own.retain(|def| is_static(resolver, *def));
        }
        if !own.is_empty() {
            return LookupResult::defs(own);
        }
        // A namespace that is merged with it.
        for part in resolver.parts(of).types.iter() {
            let Some(def) = resolver.def(*part) else {
                continue;
            };
            if def.kind == DefKind::Module {
                let found = resolver.module_member(part.file, def.inner, name, spaces);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        LookupResult::external()
    }

    fn other_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        // A namespace that is merged with the class or enum.
        let (Ty::Type(def, _) | Ty::Instance(def, _)) = of else {
            return LookupResult::nothing();
        };
        let inner = resolver.def(*def).map_or(NONE, |def| def.inner);
        if let (Ty::Instance(_, args), Some(ty)) = (of, resolver.indexed(def.file, inner)) {
            return LookupResult::typed(ty.with(&resolver.substitution_of(*def, args))).inferred();
        }
        self.member_of_function(resolver, *def, name, spaces, from)
    }

    fn overrides(&self, resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
        is_static(resolver, a) == is_static(resolver, b)
    }

    fn accessible_on(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        found: LookupResult,
    ) -> LookupResult {
        let wants_static = matches!(receiver, Ty::Type(..));
        let fits = |of: &DefRef| is_static(resolver, *of) == wants_static;
        if found.defs.iter().all(fits) {
            return found;
        }
        if found.defs.iter().any(fits) {
            let defs = found.defs.iter().copied().filter(fits).collect();
            return LookupResult { defs, ..found };
        }
        // What belongs to the class alone hides nothing that instances have from its bases. The other way round,
        // enums and what is merged with a class have members that are not marked.
        if wants_static {
            return found;
        }
        let inherited = inherited(resolver, &found).unwrap_or_else(LookupResult::nothing);
        if inherited.defs.is_empty() {
            found
        } else {
            inherited
        }
    }
}

impl OverloadRules for TypeScriptRules {
    fn applicable(
        &self,
        resolver: &Resolver<'_>,
        overloads: Vec<DefRef>,
        given: &[ExprRef],
    ) -> Vec<DefRef> {
        overload_choice::applicable(resolver, overloads, given)
    }

    fn is_value_type(&self, name: &str) -> bool {
        PRIMITIVES.iter().any(|(primitive, _)| *primitive == name)
    }
}

impl InferRules for TypeScriptRules {
    fn narrows_unions(&self) -> bool {
        true
    }

    fn is_dynamic(&self, name: &str) -> bool {
        matches!(name, "any" | "unknown" | "object" | "Object" | "Function")
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text | Literal::Character => "string",
            Literal::Integer | Literal::Float => "number",
            Literal::Boolean => "boolean",
            Literal::Null => "null",
            Literal::Regex => "RegExp",
            Literal::Bytes => "Uint8Array",
        }
    }

    fn iterated_map(&self, of: &(Ty, Ty)) -> Ty {
        of.1.clone()
    }

    fn awaited(&self, resolver: &Resolver<'_>, file: FileNo, of: &Typed) -> Option<Typed> {
        let ty = library::settled(resolver, file, of.ty.clone());
        Some(Typed {
            ty,
            is_declared: of.is_declared,
        })
    }

    fn result(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        // `new () => T` and call signatures of interfaces are functions as all others; only constructors of
        // interfaces give what they declare.
        if def.kind == DefKind::Constructor && def.ty != NONE {
            return Some(resolver.lower_type(ExprRef {
                file: at.file,
                expr: def.ty,
            }));
        }
        promises::implied_result(resolver, at, def)
    }

    fn lower_index(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: u32,
        by: u32,
    ) -> Option<Typed> {
        let part = |expr| ExprRef { file, expr };
        let keyed = || indexed_access::lower(resolver, part(of), part(by));
        match resolver.expr(part(by)) {
            Expr::Name { .. } => mapped_types::under_key(resolver, file, of, by).or_else(keyed),
            Expr::Member { .. } => keyed(),
            _ => keyed().or_else(|| {
                let of = resolver.lower_type(part(of));
                Some(resolver.unwrapped(file, &of, "index"))
            }),
        }
    }

    fn lower_value(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        class_values::lower(resolver, at)
    }

    fn type_of_def(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        class_values::type_of_class(resolver, at, def)
    }

    fn defaults_fill_types(&self) -> bool {
        true
    }

    fn made_by_class_value(&self, resolver: &Resolver<'_>, class: &Ty) -> Option<Ty> {
        class_values::made_by(resolver, class)
    }

    fn base_by_bound(&self, resolver: &Resolver<'_>, param: DefRef) -> Option<Ty> {
        class_values::base_by_bound(resolver, param)
    }

    fn lower_apply(&self, resolver: &Resolver<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let name = resolver.file(of.file)?.head_name(of.expr)?;
        if components::adds_to_properties(resolver, of) {
            return args.first().cloned().map(Typed::inferred);
        }
        if !support::leads_out(&resolver.find(of)) {
            return None;
        }
        // Types of the language that stand for their argument.
        match resolver.workspace.text(name) {
            name if STANDING.contains(&name) => {
                let of = args.first()?.clone();
                Some(Typed::inferred(of))
            }
            "Awaited" => {
                let settled = library::settled(resolver, of.file, args.first()?.clone());
                Some(Typed::inferred(settled))
            }
            "Array" | "ReadonlyArray" => Some(Typed::declared(Ty::array(args.first()?.clone()))),
            "Record" => Some(Typed::declared(Ty::Map(
                (args.first()?.clone(), args.get(1)?.clone()).into(),
            ))),
            "ReturnType" => match args.first()? {
                Ty::Function(defs, subst) => {
                    let result = resolver.declared_result(*defs.first()?);
                    Some(Typed::inferred(result.ty.with(subst)))
                }
                _ => None,
            },
            "Parameters" => {
                library::parameters(resolver, of.file, args.first()?).map(Typed::inferred)
            }
            "ConstructorParameters" => match args.first()? {
                Ty::Type(def, given) => {
                    let made = Ty::Function(
                        resolver.constructors(*def).into_iter().take(1).collect(),
                        resolver.substitution_of(*def, given),
                    );
                    library::parameters(resolver, of.file, &made).map(Typed::inferred)
                }
                _ => None,
            },
            "InstanceType" => match args.first()? {
                Ty::Type(def, args) => Some(Typed::inferred(Ty::Instance(*def, args.clone()))),
                _ => None,
            },
            _ => None,
        }
    }

    fn function_as_type(&self, _query: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        Some(Typed::inferred(Ty::Instance(at, none())))
    }

    fn distinct(&self, resolver: &Resolver<'_>, values: Vec<Typed>) -> Vec<Typed> {
        let values = structural_identity::without_expected(resolver, values);
        structural_identity::first(resolver, values)
    }

    fn evolving_array(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        evolving_arrays::evolving_array(resolver, at, def)
    }

    fn instance_of_value(&self, resolver: &Resolver<'_>, value: &Ty) -> Option<Typed> {
        let Ty::Function(defs, _) = value else {
            return None;
        };
        let [function] = defs[..] else {
            return None;
        };
        let is_untyped = resolver.workspace.dialect(function.file) == Some(Dialect::JavaScript);
        let is_value = resolver.def(function)?.kind == DefKind::Lambda;
        (is_untyped && is_value).then(|| Typed::inferred(Ty::Instance(function, none())))
    }

    fn this_is_declared(&self) -> bool {
        true
    }

    fn has_own_this(&self, resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> bool {
        instances::has_own_this(resolver, file, scope)
    }

    fn this_outside(&self, resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Typed {
        instances::this(resolver, file, scope)
    }

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        iteration::unwrapped(resolver, file, of, how)
    }

    fn unwrapped_outside(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        iteration::unwrapped_outside(resolver, file, of, how)
    }

    fn args_by_form(&self, resolver: &Resolver<'_>, of: DefRef, value: &Ty) -> Option<Vec<Ty>> {
        iteration::args_by_form(resolver, of, value)
    }

    fn handed_by_container(
        &self,
        resolver: &Resolver<'_>,
        held: &Ty,
        call: ContainerCall<'_>,
    ) -> Option<Ty> {
        containers::handed(resolver, held, call)
    }

    fn given_by_container(
        &self,
        resolver: &Resolver<'_>,
        held: &Ty,
        call: ContainerCall<'_>,
    ) -> Option<Ty> {
        containers::given(resolver, held, call)
    }

    fn is_of_containers(&self, resolver: &Resolver<'_>, file: FileNo, member: &str) -> bool {
        containers::have(resolver, file, member)
    }

    fn type_beside(&self, resolver: &Resolver<'_>, value: DefRef) -> Option<DefRef> {
        let name = resolver.workspace.text(resolver.name_of(value)?);
        let is_value = resolver.def(value)?.spaces & space::TYPE == 0;
        is_value
            .then(|| globals::library_type(resolver, value.file, name))
            .flatten()
    }

    fn constructor_of_value(&self, resolver: &Resolver<'_>, of: ExprRef) -> Option<Ty> {
        construct_signatures::signatures(resolver, of)
    }

    fn constructed_by_value(
        &self,
        resolver: &Resolver<'_>,
        of: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        construct_signatures::constructed(resolver, of, args)
    }

    fn lower_external(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        let name = resolver.file(at.file)?.head_name(at.expr)?;
        // No value is one.
        (resolver.workspace.text(name) == "never").then(|| Typed::declared(Ty::Unknown))
    }

    fn entry(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, _index: u32) -> Option<Ty> {
        crate::library_types::unwrap(resolver, file, of, "iter")
    }

    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        hooks::call(resolver, at.file, callee, args)
            .or_else(|| dependency_injection::call(resolver, at.file, callee, args))
            .or_else(|| library::call(resolver, at.file, callee, args))
            .or_else(|| promises::call(resolver, at.file, callee, args))
            .or_else(|| components::styled(resolver, callee))
            .or_else(|| call_apply_bind::call(resolver, callee))
            .or_else(|| polymorphic_this::called(resolver, callee))
            .or_else(|| keyed::called(resolver, callee, args))
    }

    fn written_keys(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Vec<Name>> {
        indexed_access::written_keys(resolver, at)
    }

    fn lower_applied_alias(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        keyed::applied(resolver, at)
    }

    fn contextual_argument_by_call(
        &self,
        resolver: &Resolver<'_>,
        callee: ExprRef,
        _args: u32,
        index: u32,
    ) -> Option<Ty> {
        promises::contextual_type(resolver, callee, index)
            .or_else(|| components::contextual_type(resolver, callee, index))
            .or_else(|| components::in_template(resolver, callee, index))
    }

    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        of.contextual_param(index)
            .or_else(|| components::contextual_param(resolver, of, index))
            .or_else(|| called_with(resolver, file, of, index))
    }

    fn type_of_missing(&self, resolver: &Resolver<'_>, receiver: &Ty, name: &str) -> Option<Typed> {
        // What instances of a class have.
        match receiver {
            Ty::Type(def, args) if name == "prototype" => {
                Some(Typed::declared(Ty::Instance(*def, args.clone())))
            }
            Ty::Function(..) | Ty::Type(..) => library::apparent(resolver, "Function", name),
            Ty::Object(..) => library::apparent(resolver, "Object", name),
            // `Record<string, T>` has every member.
            Ty::Map(of) => library::apparent(resolver, "Object", name)
                .or_else(|| Some(Typed::inferred(of.1.clone()))),
            _ => None,
        }
    }

    fn library_ending(&self) -> &'static str {
        ".d.ts"
    }

    fn library_namespaces(&self) -> &'static [&'static str] {
        &[""]
    }

    fn library_name<'n>(&self, name: &'n str) -> &'n str {
        let known = PRIMITIVES.iter().find(|(primitive, _)| *primitive == name);
        known.map_or(name, |(_, name)| name)
    }

    fn library_form(&self, of: &Ty) -> Option<(&'static str, Vec<Ty>)> {
        match of {
            Ty::Array(of) => Some(("Array", vec![(**of).clone()])),
            Ty::Tuple(of) => Some(("Array", vec![Ty::union(of.to_vec())])),
            _ => None,
        }
    }

    fn root_type(&self) -> Option<&'static &'static str> {
        Some(&"Object")
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&tables::LIBRARY);
        &TABLE
    }
}

/// What an object is called with that has call signatures: `interface Handle { (event: Event): void }`.
fn called_with(resolver: &Resolver<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
    if !matches!(of, Ty::Instance(..) | Ty::Object(..)) {
        return None;
    }
    let name = resolver.workspace.name("(call)")?;
    let found = resolver.member(of, name, space::ANY, file);
    if found.defs.is_empty() {
        return None;
    }
    let function = Typed::inferred(Ty::Function(found.defs.into(), found.subst));
    let given = resolver
        .with_depth(|| contextual::contextual_param(resolver, file, &function, index).ty)?;
    (!given.is_unknown()).then_some(given)
}

fn is_static(resolver: &Resolver<'_>, of: DefRef) -> bool {
    resolver
        .def(of)
        .is_some_and(|def| def.flags & flag::STATIC != 0)
}

/// What the bases have under the name of members that were found.
fn inherited(resolver: &Resolver<'_>, found: &LookupResult) -> Option<LookupResult> {
    let first = *found.defs.first()?;
    let (owner, name) = (resolver.owner(first)?, resolver.name_of(first)?);
    let bases = resolver.extended_bases(&resolver.parts(owner), &found.subst);
    let mut inherited = bases
        .iter()
        .map(|(base, _)| resolver.member(base, name, space::VALUE, first.file));
    inherited.find(|found| !found.defs.is_empty())
}

/// What declarations of one name are one symbol.
fn merges(kind: DefKind) -> bool {
    matches!(
        kind,
        DefKind::Class
            | DefKind::Interface
            | DefKind::Module
            | DefKind::Enum
            | DefKind::Function
            | DefKind::Variable
            | DefKind::TypeAlias
            | DefKind::Constant
    )
}
