//! Rust: crates and their trees of modules, `impl`s, traits, what the standard library's types hold.

mod associated_types;
mod blanket;
mod block_heads;
mod builtins;
mod explicit_results;
mod impl_selection;
mod inference_placeholders;
mod library;
mod library_functions;
mod library_modules;
mod library_receivers;
mod library_results;
mod library_traits;
mod members;
mod memo;
mod modules;
mod pattern_fields;
mod projections;
mod self_substitution;
mod support;
mod tables;
mod trait_bindings;
mod trait_scope;
mod variants;

use codecortex_bind::facts::{Def, DefKind, Expr, Literal, NONE, Role, ScopeId, space};

use self::support::POINTERS;
use super::{InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules, Relates};
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types::table::LibraryTypes;
use crate::lookup::request::LookupRequest;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, Typed, no_substitution, none};

/// The rules of Rust.
#[derive(Debug)]
pub(crate) struct Rust;

impl LanguageRules for Rust {
    fn family(&self) -> u8 {
        library_modules::FAMILY
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "Option",
            "Result",
            "Entry",
            "Vec",
            "str",
            "i32",
            "f64",
            "bool",
            "char",
            "u8",
            "usize",
            "Poll",
            "String",
            "JoinHandle",
            "ScopedJoinHandle",
            "Scope",
            "Sender",
            "Receiver",
            "Weak",
        ]
    }
}

/// Names that every file has: the primitive types and the prelude of the standard library.
const BUILTINS: &[&str] = &[
    "bool",
    "char",
    "str",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f32",
    "f64",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "Box",
    "String",
    "Vec",
    "Clone",
    "Copy",
    "Default",
    "Drop",
    "Eq",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Fn",
    "FnMut",
    "FnOnce",
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "FromIterator",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "AsRef",
    "AsMut",
    "ToOwned",
    "ToString",
    "Send",
    "Sync",
    "Sized",
    "Unpin",
    "drop",
];

impl ModuleRules for Rust {
    fn is_builtin(&self, name: &str) -> bool {
        BUILTINS.contains(&name)
    }

    fn modules_are_closed(&self) -> bool {
        true
    }

    fn module(&self, resolver: &Resolver<'_>, file: FileNo, name: &str, level: u8) -> LookupResult {
        modules::module(resolver, file, name, level)
    }

    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        if spaces & space::MACRO != 0 {
            let found = modules::macros(resolver, file, name);
            if !found.is_empty() {
                return found;
            }
        }
        let included = modules::around_include(resolver, file, name, spaces);
        if !included.is_empty() {
            return included;
        }
        if spaces & space::NAMESPACE != 0 {
            let found = modules::named_crate(resolver, file, resolver.workspace.text(name));
            if !found.is_empty() || spaces & !space::NAMESPACE == 0 {
                return found;
            }
            let found_in_prelude = library_modules::prelude(resolver, file, name, spaces);
            return match found_in_prelude.is_empty() {
                true => found,
                false => found_in_prelude,
            };
        }
        library_modules::prelude(resolver, file, name, spaces)
    }

    fn reexports_glob(&self, _flags: u32) -> bool {
        true
    }

    fn other_module_member(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        if resolver.workspace.text(name) == "super" {
            return modules::parent_of(resolver, file, scope);
        }
        if is_library(file) {
            return match spaces & space::NAMESPACE != 0 && scope == 0 {
                true => library_modules::submodule(resolver, file, name),
                false => LookupResult::nothing(),
            };
        }
        if spaces & space::MACRO != 0 {
            return modules::macros(resolver, file, name);
        }
        LookupResult::nothing()
    }

    fn in_namespace(
        &self,
        resolver: &Resolver<'_>,
        from: FileNo,
        path: Name,
        name: Name,
        _spaces: u8,
    ) -> Option<LookupResult> {
        Some(library_modules::in_folder(resolver, from, path, name))
    }

    fn beside_own(&self, resolver: &Resolver<'_>, own: &[DefRef], spaces: u8) -> u8 {
        // A function that is brought in may have the name of a module.
        let is_module = |of: &DefRef| {
            resolver
                .def(*of)
                .is_some_and(|def| def.kind == DefKind::Module)
        };
        match own {
            [] => spaces,
            _ if own.iter().all(is_module) => spaces & (space::VALUE | space::MACRO),
            _ => 0,
        }
    }

    fn by_form(&self, resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
        modules::without_hidden(resolver, at.file, found)
    }

    fn of_token(&self, resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
        without_rules(resolver, at, by_value(resolver, at, found))
    }

    fn imports_by_space(&self) -> bool {
        true
    }

    fn find_name(&self, resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
        members::of_macro(resolver, at, name)
    }

    fn renamed_uses_count(&self) -> bool {
        false
    }

    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        modules::redeclarations(resolver, of)
    }
}

impl MemberRules for Rust {
    fn find_member(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        members::find(resolver, at, receiver)
    }

    fn other_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        members::behind(resolver, of, name, spaces, from)
    }

    fn member_of_param(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        let bounds = support::bound_of(resolver, of).alternatives();
        let mut pointed = bounds
            .iter()
            .filter_map(|bound| members::pointed_to(resolver, bound));
        let found = pointed.find_map(|target| {
            let found = resolver.member(&target, name, spaces, from);
            (!found.is_empty()).then(|| found.inferred())
        });
        found.unwrap_or_else(|| blanket::member(resolver, &Ty::Param(of), name, spaces, from))
    }

    fn member_of_function(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        let function = Ty::Function([of].into(), no_substitution());
        let found = blanket::member(resolver, &function, name, spaces, from);
        if found.is_empty() {
            return LookupResult::external();
        }
        found
    }

    fn member_of_external(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> Option<LookupResult> {
        if let Some(target) = members::pointed_to(resolver, of) {
            let found = resolver.member(&target, name, spaces, from);
            if !found.is_empty() {
                return Some(found.inferred());
            }
        }
        members::of_external(resolver, of, name, spaces, from)
    }

    fn as_library_type(&self, resolver: &Resolver<'_>, _file: FileNo, of: &Ty) -> Option<Ty> {
        members::as_library_type(resolver, of)
    }

    fn undeclared_params(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        trait_bindings::associated_types(resolver, of)
    }

    fn overrides(&self, resolver: &Resolver<'_>, derived: DefRef, base: DefRef) -> bool {
        impl_selection::implements(resolver, derived, base)
    }

    fn leads_back(&self, name: &str) -> bool {
        // The library says of its own types what they lead to; of those of packages nobody does here.
        !library::PRIMITIVES.contains(&name)
    }

    fn may_implement_outside(&self, resolver: &Resolver<'_>, member: DefRef) -> bool {
        support::is_of_trait(resolver, member)
    }

    fn lists_all_bases(&self) -> bool {
        true
    }

    fn bounds_are_traits(&self) -> bool {
        true
    }

    fn private_hides(&self) -> bool {
        // Nobody writes `pub` at what implements a trait.
        false
    }

    fn binds_fields_apart(&self) -> bool {
        true
    }

    fn says_all(&self, resolver: &Resolver<'_>, of: &Ty) -> bool {
        library_receivers::says_all(resolver, of)
    }

    fn may_dispatch(&self, resolver: &Resolver<'_>, at: ExprRef) -> bool {
        library_receivers::may_dispatch(resolver, at)
    }

    fn relates_uses(&self) -> Relates {
        // A call by the trait means any implementation, or one of another crate: language servers list it with
        // the trait's method alone.
        Relates::Below
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
        a_def.kind.is_type() && b_def.kind.is_type()
    }
}

impl OverloadRules for Rust {
    fn checks_arity(&self) -> bool {
        true
    }
}

impl InferRules for Rust {
    /// A constant of a type from outside, by the case of both names: `StatusCode::OK` is a `StatusCode`.
    fn type_of_missing(&self, resolver: &Resolver<'_>, receiver: &Ty, name: &str) -> Option<Typed> {
        let Ty::ExternalType(Some(of), args) = receiver else {
            return None;
        };
        let is_type = resolver.workspace.text(*of).starts_with(char::is_uppercase);
        let is_constant = name.len() > 1
            && name.starts_with(char::is_uppercase)
            && !name.contains(char::is_lowercase);
        (is_type && is_constant).then(|| Typed::inferred(Ty::External(Some(*of), args.clone())))
    }

    fn type_of_def(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        if def.kind != DefKind::Module || def.inner != NONE {
            return inference_placeholders::filled(resolver, at, def);
        }
        let found = resolver.find(ExprRef {
            file: at.file,
            expr: def.value,
        });
        Some(resolver.type_of_found(&found))
    }

    fn call_of_instance(
        &self,
        resolver: &Resolver<'_>,
        _file: FileNo,
        of: &Ty,
        _args: u32,
    ) -> Typed {
        // `Variant(…)` is of the enum.
        let is_enum = matches!(of, Ty::Instance(def, _) if resolver
            .def(*def)
            .is_some_and(|def| def.kind == DefKind::Enum));
        if is_enum {
            return Typed::declared(of.clone());
        }
        Typed::unknown()
    }

    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        builtins::call(resolver, at.file, callee, args)
    }

    fn infer_from_bounds(
        &self,
        resolver: &Resolver<'_>,
        params: &[DefRef],
        bindings: &mut Vec<(DefRef, Ty)>,
    ) {
        associated_types::bind_by_bounds(resolver, params, bindings);
    }

    fn params_around(&self, resolver: &Resolver<'_>, function: DefRef) -> Vec<DefRef> {
        library_results::params_around(resolver, function)
    }

    fn callable_bound(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        members::callable_bound(resolver, of)
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

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        resolver
            .with_depth(|| members::unwrapped(resolver, file, of, how))
            .flatten()
    }

    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        members::contextual_param(resolver, file, of, index)
    }

    fn contextual_argument(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        member: &str,
        _index: u32,
    ) -> Option<Ty> {
        library_receivers::lent(resolver, receiver, member)
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text | Literal::Regex => "str",
            Literal::Character => "char",
            Literal::Integer => "i32",
            Literal::Float => "f64",
            Literal::Boolean => "bool",
            Literal::Null => "()",
            Literal::Bytes => "u8",
        }
    }

    fn literal_type(&self, resolver: &Resolver<'_>, of: Literal) -> Option<Ty> {
        let byte = || Ty::External(resolver.workspace.name("u8"), none());
        (of == Literal::Bytes).then(|| Ty::array(byte()))
    }

    fn lower_index(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: u32,
        _by: u32,
    ) -> Option<Typed> {
        // What a pattern says that a value is.
        Some(resolver.lower_type(ExprRef { file, expr: of }))
    }

    fn lower_apply(&self, resolver: &Resolver<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let name = resolver.file(of.file)?.head_name(of.expr)?;
        let is_outside = || {
            resolver
                .find(of)
                .defs
                .iter()
                .all(|def| is_outside(resolver, *def))
        };
        let name = resolver.workspace.text(name);
        // What is reached through a pointer without being asked for.
        if POINTERS.contains(&name) {
            if library::is_head_of_block(resolver, of) {
                return None;
            }
            // Guards of some packages say first how they are locked; what is made late says last by what.
            let held = if name.ends_with("Guard") {
                args.last()
            } else {
                args.first()
            };
            let held = held.filter(|_| is_outside())?;
            return Some(Typed::declared(held.clone()));
        }
        None
    }

    fn arranged_type_args(&self, resolver: &Resolver<'_>, at: ExprRef, args: Vec<Ty>) -> Vec<Ty> {
        trait_bindings::arranged(resolver, at, args)
    }

    fn awaited(&self, _query: &Resolver<'_>, _file: FileNo, of: &Typed) -> Option<Typed> {
        // Calling an `async fn` gives what it gives at last: no more is awaited then.
        matches!(of.ty, Ty::Tuple(_) | Ty::Array(_) | Ty::Map(_)).then(|| of.clone())
    }

    fn method_reference_result(
        &self,
        resolver: &Resolver<'_>,
        method: ExprRef,
        _of: &Ty,
    ) -> Option<Ty> {
        builtins::given_by_path(resolver, method)
    }

    fn associated_type(&self, _query: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        Some(Typed::declared(Ty::Param(at)))
    }

    fn library_modules(&self) -> &'static [&'static str] {
        &library_modules::MODULES
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&tables::LIBRARY);
        &TABLE
    }
}

/// A name among the tokens of a macro that leads to a type alone: a value that is seen by that name, if there is one,
/// is as likely meant.
fn by_value(resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
    let (
        Some(bound),
        Expr::Name {
            name,
            scope,
            at: place,
            role,
            spaces: space::ANY,
        },
    ) = (resolver.file(at.file), resolver.expr(at))
    else {
        return found;
    };
    let is_type = |of: &DefRef| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.kind.is_type() && def.spaces & space::VALUE == 0)
    };
    if role == Role::Import || found.defs.is_empty() || !found.defs.iter().all(is_type) {
        return found;
    }
    let request = LookupRequest::any(bound.name(name), place, space::VALUE);
    let value = resolver.lookup(at.file, scope, request);
    if value.defs.is_empty() {
        return found;
    }
    value.inferred()
}

/// What is left of an attribute's or derived trait's name: `macro_rules!` makes neither, so `#[error(…)]` beside a macro `error!` means
/// the helper of a derived trait.
fn without_rules(resolver: &Resolver<'_>, at: ExprRef, mut found: LookupResult) -> LookupResult {
    let is_attribute = matches!(
        resolver.expr(at),
        Expr::Name {
            role: Role::Attribute,
            spaces: space::MACRO,
            ..
        }
    );
    if is_attribute {
        let is_rules = |def: &DefRef| {
            let def = resolver.def(*def);
            def.is_some_and(|def| def.kind == DefKind::Macro)
        };
        found.defs.retain(|def| !is_rules(def));
    }
    found
}

/// Whether a definition stands for something outside.
fn is_outside(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let followed = resolver.resolve_alias(def);
    match followed.ends.as_slice() {
        [] => followed.external,
        ends => ends.iter().all(|end| is_library(end.file)),
    }
}
