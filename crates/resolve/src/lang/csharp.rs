//! C#: open namespaces seen from inside out, partial types, extension methods, attributes by half their name.

use codecortex_bind::facts::{Def, DefKind, Expr, Literal, NONE, ScopeId, ScopeKind, flag, space};

use self::support::{named, outside};
use super::{ClassScope, InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules};
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types;
use crate::library_types::table::LibraryTypes;
use crate::lookup::result::LookupResult;
use crate::overloads::conversion::{Conversion, Variance};
use crate::overloads::{self, arity, by_conversion};
use crate::overrides;
use crate::resolution;
use crate::resolver::Resolver;
use crate::standard_library::results;
use crate::ty::{Ty, Typed, no_substitution};

mod conditional_compilation;
mod conversions;
mod delegates;
mod extensions;
mod library;
mod operators;
mod signatures;
mod support;
mod usings;
mod values;

/// The rules of C#.
#[derive(Debug)]
pub(crate) struct CSharp;

/// Operators' own space of names, that of macros elsewhere.
const OPERATOR: u8 = space::MACRO;

impl LanguageRules for CSharp {
    fn family(&self) -> u8 {
        support::FAMILY
    }

    fn words(&self) -> &'static [&'static str] {
        &library::WORDS
    }
}

impl ModuleRules for CSharp {
    fn class_scope(&self) -> ClassScope {
        ClassScope::Members
    }

    fn looks_in_enclosing_namespaces(&self) -> bool {
        true
    }

    fn types_differ_by_arity(&self) -> bool {
        true
    }

    fn hides_directives(&self) -> bool {
        true
    }

    fn tells_types_by_members(&self) -> bool {
        true
    }

    fn aliases_write_both(&self) -> bool {
        true
    }

    fn documentation_inherits(&self) -> bool {
        false
    }

    /// Of overloads that differ by what they take where nothing is known of an argument, any may be meant.
    fn is_ambiguous(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        found: &LookupResult,
        of: DefRef,
    ) -> bool {
        const FEW: std::ops::RangeInclusive<usize> = 2..=100;
        let call = resolver.call_of(at);
        let is_one_of_several = FEW.contains(&found.defs.len());
        call.filter(|_| is_one_of_several).is_some_and(|call| {
            by_conversion::is_guessed(resolver, of, &found.defs, &found.subst, call)
        })
    }

    fn attribute_ending(&self) -> &'static str {
        "Attribute"
    }

    fn compiled_together(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        found: LookupResult,
    ) -> LookupResult {
        conditional_compilation::compiled_together(resolver, at, found)
    }

    /// `global::Name`.
    fn module(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: &str,
        _level: u8,
    ) -> LookupResult {
        let Some(name) = resolver.workspace.name(name) else {
            return LookupResult::external();
        };
        let found = self.of_the_root(resolver, name, space::TYPE | space::NAMESPACE);
        let _ = file;
        if found.is_empty() {
            return LookupResult::external();
        }
        found
    }

    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let found = self.of_the_root(resolver, name, spaces & !space::NAMESPACE);
        if !found.is_empty() {
            return found;
        }
        let found = usings::global_usings(resolver, file, name, spaces);
        if !found.is_empty() {
            return found;
        }
        self.of_the_root(resolver, name, spaces)
    }

    fn file_scope_is_global(&self, _file: &BoundFile) -> bool {
        true
    }

    /// What other files have in the same namespace counts as much as what this one has: types of one name
    /// may differ in their parameters.
    fn in_open_scope(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
        own: &[DefRef],
    ) -> Option<LookupResult> {
        let are_types = |def: &DefRef| resolver.def(*def).is_some_and(|def| def.kind.is_type());
        if own.is_empty() || !own.iter().all(are_types) {
            return None;
        }
        let bound = resolver.file(file)?;
        let place = bound.scope(scope);
        let all = if scope == 0 {
            self.of_the_root(resolver, name, spaces & !space::NAMESPACE)
        } else if place.kind == ScopeKind::Namespace && place.owner != NONE {
            let path = bound.name(bound.def(place.owner).name);
            resolver.namespace_member(self.family(), path, name, spaces & !space::NAMESPACE)
        } else {
            return None;
        };
        (!all.is_empty()).then_some(all)
    }

    fn glob_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        _flags: u32,
    ) -> Option<LookupResult> {
        match of {
            // Namespaces in a namespace are not brought in with it.
            Ty::Namespace(path) => Some(resolver.namespace_member(
                self.family(),
                *path,
                name,
                spaces & !space::NAMESPACE,
            )),
            _ => None,
        }
    }

    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        let (Some(def), Some(owner), Some(name)) =
            (resolver.def(of), resolver.owner(of), resolver.name_of(of))
        else {
            return Vec::new();
        };
        if def.flags & flag::PARTIAL == 0 || def.kind.is_type() {
            return Vec::new();
        }
        let mut parts = resolver.own_members(&resolver.parts(owner), name, def.spaces);
        parts.retain(|other| {
            let is_part = |found: &Def| found.flags & flag::PARTIAL != 0;
            resolver.def(*other).is_some_and(is_part)
                && arity::arity(resolver, *other) == arity::arity(resolver, of)
        });
        parts
    }
}

impl MemberRules for CSharp {
    fn wrappers_forward(&self) -> bool {
        false
    }

    fn uses_constructors(&self) -> bool {
        true
    }

    fn private_is_of_type(&self) -> bool {
        true
    }

    fn prefers_members_to_extensions(&self) -> bool {
        true
    }

    fn members_of_all(&self) -> &'static [&'static str] {
        &[
            "Equals",
            "ReferenceEquals",
            "ToString",
            "GetHashCode",
            "GetType",
        ]
    }

    /// What says `override` replaces a member of a class; what is public and has the name and shape of an interface's
    /// member implements it where its type names the interface itself, unless that has another one that says so. What a
    /// base class has of an interface stays the base class's. An interface's member replaces nothing, and nothing
    /// overrides an explicit implementation.
    fn overrides(&self, resolver: &Resolver<'_>, derived: DefRef, base: DefRef) -> bool {
        let (Some(def), Some(owner), Some(of)) = (
            resolver.def(derived),
            resolver.owner(derived),
            resolver.owner(base),
        ) else {
            return true;
        };
        if !is_interface(resolver, of) {
            let is_explicit = |def: &Def| def.flags & flag::EXPLICIT != 0;
            return def.flags & flag::OVERRIDE != 0 && !resolver.def(base).is_some_and(is_explicit);
        }
        let Some(name) = resolver.name_of(base) else {
            return false;
        };
        let said = overrides::explicit_implementations(resolver, of, name);
        if def.flags & flag::EXPLICIT != 0 {
            return said.contains(&derived);
        }
        let is_said = said.iter().any(|other| {
            resolver.owner(*other) == Some(owner)
                && overrides::same_params(resolver, *other, derived)
        });
        let is_public = def.flags & (flag::PRIVATE | flag::PROTECTED | flag::INTERNAL) == 0;
        is_public
            && !is_interface(resolver, owner)
            && !is_said
            && names_interface(resolver, owner, of)
    }

    /// Interfaces after the class: a class has the members of its base, whichever part names that.
    fn order_bases(&self, resolver: &Resolver<'_>, _of: DefRef, bases: &mut Vec<(Ty, bool)>) {
        bases.sort_by_key(|(base, _)| match base {
            Ty::Instance(of, _) | Ty::Type(of, _) => is_interface(resolver, *of),
            _ => false,
        });
    }

    fn is_static_outside(&self, of: &str, member: &str) -> bool {
        library::is_static(of, member)
    }

    fn classes_hide_interfaces(&self) -> bool {
        true
    }

    fn implied_bases(&self, kind: DefKind) -> &'static [&'static str] {
        match kind {
            DefKind::Enum => &[
                "Enum",
                "ValueType",
                "IComparable",
                "IConvertible",
                "IFormattable",
            ],
            DefKind::Struct => &["ValueType"],
            DefKind::Delegate => &["Delegate", "MulticastDelegate"],
            _ => &[],
        }
    }

    fn extension_distance(
        &self,
        resolver: &Resolver<'_>,
        def: DefRef,
        from: FileNo,
    ) -> Option<u32> {
        extensions::distance(resolver, def, from)
    }

    fn declarations_merge(
        &self,
        file: &BoundFile,
        a: DefRef,
        a_def: &Def,
        b: DefRef,
        b_def: &Def,
        resolver: &Resolver<'_>,
    ) -> bool {
        let arity = |of: DefRef| {
            resolver
                .file(of.file)
                .map(|file| file.type_params(of.def).len())
        };
        let is_part = a_def.flags & b_def.flags & flag::PARTIAL != 0;
        // Both arms of `#if` declare one type.
        let are_arms = a.file == b.file && a_def.scope == b_def.scope;
        let _ = file;
        a_def.kind.is_type()
            && b_def.kind.is_type()
            && (is_part || are_arms)
            && arity(a) == arity(b)
    }

    /// Parts of a type in a type that has parts itself.
    fn augmentations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(name)) = (resolver.file(of.file), resolver.name_of(of)) else {
            return Vec::new();
        };
        let def = bound.def(of.def);
        let around = bound.scope(def.scope);
        let is_nested = around.kind == ScopeKind::Class && around.owner != NONE;
        if !is_nested || def.flags & flag::PARTIAL == 0 {
            return Vec::new();
        }
        let outer = DefRef {
            file: of.file,
            def: around.owner,
        };
        let in_part = |part: DefRef| {
            let bound = resolver.file(part.file)?;
            let inner = bound.def(part.def).inner;
            let local = bound.local(name).filter(|_| inner != NONE)?;
            let defs = bound.defs_in(inner, local);
            Some(defs.map(move |def| DefRef {
                file: part.file,
                def,
            }))
        };
        let parts = resolver.merged_declarations(outer).into_iter();
        parts.filter_map(in_part).flatten().collect()
    }

    fn constructors(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        let parts = resolver.parts(of);
        let mut found = Vec::new();
        for (file, scope) in &parts.scopes {
            let Some(bound) = resolver.file(*file) else {
                continue;
            };
            let defs = bound.all_in(*scope).filter(|def| {
                let def = bound.def(*def);
                def.kind == DefKind::Constructor && def.flags & flag::STATIC == 0
            });
            found.extend(defs.map(|def| DefRef { file: *file, def }));
        }
        found
    }

    fn constructor_words(&self) -> &'static [&'static str] {
        &["new", "this", "base"]
    }

    /// `new(…)`, `: this(…)`, `: base(…)`: the constructor that is called. Else what others add to a type, if it
    /// has nothing itself that the call can mean.
    fn find_member(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        let of = match resolver.expr(at) {
            Expr::Member { of, spaces: 0, .. } => ExprRef { expr: of, ..at },
            _ => return extensions::instead(resolver, at, receiver),
        };
        let call = match resolver.expr(of) {
            Expr::New { .. } => of,
            _ => resolver.call_of(of)?,
        };
        let (Expr::New { args, .. } | Expr::Call { args, .. }) = resolver.expr(call) else {
            return None;
        };
        let types = match receiver {
            Ty::Union(types) => types,
            one => std::slice::from_ref(one),
        };
        let made = types.iter().filter_map(|ty| match ty {
            Ty::Instance(def, _) => Some(*def),
            _ => None,
        });
        let all: Vec<DefRef> = made
            .flat_map(|def| self.constructors(resolver, def))
            .collect();
        if all.is_empty() {
            // Nobody has written it.
            return Some(LookupResult::external());
        }
        Some(LookupResult::defs(overloads::resolve_overloads(
            resolver,
            at.file,
            &all,
            &no_substitution(),
            args,
        )))
    }
}

impl OverloadRules for CSharp {
    fn checks_arity(&self) -> bool {
        true
    }

    fn overloads_are_separate(&self) -> bool {
        true
    }

    fn resolves_by_conversion(&self) -> bool {
        true
    }

    fn passes_variables(&self) -> bool {
        true
    }

    fn has_implicit_conversions(&self) -> bool {
        true
    }

    fn is_top_type(&self, name: &str) -> bool {
        matches!(name, "object" | "Object" | "dynamic")
    }

    fn variance(&self, of: &str, is_last: bool) -> Variance {
        delegates::variance(of, is_last)
    }

    fn converts_constant(&self, takes: &str, actual: &str) -> bool {
        conversions::converts_constant(takes, actual)
    }

    fn is_value_type(&self, name: &str) -> bool {
        conversions::is_value(name)
    }

    fn is_better_target(&self, a: &str, b: &str) -> bool {
        conversions::is_better_target(a, b)
    }

    fn arrays_are_sequences(&self) -> bool {
        true
    }

    fn external_conversion(&self, takes: &str, actual: &str) -> Conversion {
        conversions::conversion(takes, actual)
    }

    fn functional_arity(
        &self,
        resolver: &Resolver<'_>,
        _from: FileNo,
        of: &Ty,
    ) -> Option<Option<usize>> {
        delegates::arity(resolver, of)
    }
}

impl InferRules for CSharp {
    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        _file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        delegates::param(resolver, of, index)
    }

    fn functional_result(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        delegates::result(resolver, of)
    }

    fn call_of_instance(
        &self,
        resolver: &Resolver<'_>,
        _file: FileNo,
        of: &Ty,
        _args: u32,
    ) -> Typed {
        delegates::result(resolver, of).map_or_else(Typed::unknown, Typed::declared)
    }

    fn is_dynamic(&self, name: &str) -> bool {
        matches!(name, "dynamic" | "object" | "Object")
    }

    /// What makes an instance says `new`.
    fn call_constructs(&self, _name: &str) -> bool {
        false
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text | Literal::Regex => "string",
            Literal::Character => "char",
            Literal::Integer => "int",
            Literal::Float => "double",
            Literal::Boolean => "bool",
            Literal::Null => "null",
            Literal::Bytes => "byte",
        }
    }

    fn operator(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=") {
            return resolver.type_of_literal(file, Literal::Boolean);
        }
        let of = |expr| resolver.type_of(ExprRef { file, expr });
        let is_unary = right == NONE;
        let (left, right) = (of(left), of(right));
        let operands: &[&Ty] = match is_unary {
            true => &[&left.ty],
            false => &[&left.ty, &right.ty],
        };
        if let Some(given) = operators::result(resolver, file, operator, operands) {
            return given;
        }
        let is_text = |ty: &Ty| named(resolver, ty) == "string";
        if operator == "+" && (is_text(&left.ty) || is_text(&right.ty)) {
            return resolver.type_of_literal(file, Literal::Text);
        }
        if left.ty.is_external() && right.ty.is_external() {
            let wider = conversions::wider(named(resolver, &left.ty), named(resolver, &right.ty));
            return if wider { right } else { left };
        }
        if left.ty.is_external() {
            left
        } else {
            Typed::unknown()
        }
    }

    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        let found = resolver.find(callee);
        if results::is_of_library(&found) {
            let by_rows = || library::call(resolver, at.file, callee, args);
            return results::call(resolver, at.file, &found, args, by_rows);
        }
        let may_be_meant = |def: &DefRef| {
            !resolution::is_extension(resolver, *def)
                || by_conversion::can_take(resolver, *def, &found.subst, callee, args)
        };
        if found.ty.is_some() || found.defs.iter().any(may_be_meant) {
            return None;
        }
        library::call(resolver, at.file, callee, args)
            .or_else(|| values::sliced_by_indexer(resolver, callee))
    }

    fn type_of_missing(&self, resolver: &Resolver<'_>, receiver: &Ty, name: &str) -> Option<Typed> {
        match (receiver, name) {
            // A nullable value is what it holds.
            (Ty::Instance(..) | Ty::Param(_), "Value") => Some(Typed::inferred(receiver.clone())),
            (Ty::External(..), "Value") => library::held(resolver, receiver).map(Typed::inferred),
            _ => {
                let number: usize = name.strip_prefix("Item")?.parse().ok()?;
                let element = element(resolver, receiver, number.checked_sub(1)?)?;
                Some(Typed::inferred(element))
            }
        }
    }

    fn contextual_argument(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        member: &str,
        index: u32,
    ) -> Option<Ty> {
        library::contextual_type(resolver, receiver, member, index)
    }

    fn sliced(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, by: u32) -> Option<Ty> {
        let is_held = matches!(
            resolver.expr(ExprRef { file, expr: by }),
            Expr::Name { .. } | Expr::Member { .. }
        );
        let by = is_held.then(|| resolver.type_of(ExprRef { file, expr: by }).ty)?;
        match named(resolver, &by) {
            "Range" => library_types::property(resolver, file, of, "Slice"),
            _ => None,
        }
    }

    fn contextual_argument_by_call(
        &self,
        resolver: &Resolver<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        signatures::argument(resolver, callee, args, index)
            .or_else(|| library::written_into(resolver, callee))
    }

    fn entry(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        match of {
            Ty::Object(..) => element(resolver, of, index as usize),
            Ty::Instance(def, args) => values::taken_apart(resolver, file, of, *def, args, index),
            Ty::External(_, args) if named(resolver, of) == "KeyValuePair" => {
                args.get(index as usize).cloned()
            }
            _ => None,
        }
    }

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        let own = match how {
            "iter" => values::element(resolver, file, of),
            "index" => values::member_type(resolver, file, of, "this"),
            "await" => values::awaited(resolver, file, of),
            _ => None,
        };
        let by_bases = || {
            let bases = resolver.external_bases(of);
            let known = bases
                .iter()
                .filter(|base| !named(resolver, base).is_empty());
            known
                .filter_map(|base| library_types::unwrap(resolver, file, base, how))
                .find(|ty| !matches!(ty, Ty::External(None, _)))
        };
        match own {
            Some(own) if results::is_whole(&own) => Some(own),
            own => by_bases().or(own),
        }
    }

    fn iterated_map(&self, of: &(Ty, Ty)) -> Ty {
        Ty::Tuple([of.0.clone(), of.1.clone()].into())
    }

    /// What an asynchronous lambda gives is a task.
    fn result(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        if def.kind != DefKind::Lambda || def.flags & flag::ASYNC == 0 {
            return None;
        }
        let args = match def.value {
            NONE => vec![],
            value => {
                let value = ExprRef {
                    file: at.file,
                    expr: value,
                };
                if values::gives_nothing(resolver, value) {
                    vec![]
                } else {
                    vec![resolver.type_of(value).ty]
                }
            }
        };
        Some(Typed::inferred(outside(resolver, "Task", args)))
    }

    fn described_without_results(&self) -> bool {
        true
    }

    fn library_ending(&self) -> &'static str {
        ".cs"
    }

    fn library_name<'n>(&self, name: &'n str) -> &'n str {
        conversions::library_name(name)
    }

    fn library_namespaces(&self) -> &'static [&'static str] {
        &library::NAMESPACES
    }

    fn speaks_of_all_library_types(&self) -> bool {
        true
    }

    fn root_type(&self) -> Option<&'static &'static str> {
        Some(&"Object")
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&library::ROWS);
        &TABLE
    }
}

impl CSharp {
    /// Types in no namespace, and outermost namespaces.
    fn of_the_root(&self, resolver: &Resolver<'_>, name: Name, spaces: u8) -> LookupResult {
        let defs = resolver.workspace.globals(name).iter().copied();
        let defs = defs.filter(|def| {
            let is_wanted = |def: &Def| def.kind.is_type() && def.spaces & spaces != 0;
            // Looking at a definition reads the bindings of its file.
            resolver.rules(def.file).family() == self.family()
                && resolver.def(*def).is_some_and(is_wanted)
        });
        let defs: Vec<DefRef> = defs.collect();
        if !defs.is_empty() {
            return LookupResult::defs(defs);
        }
        if spaces & space::NAMESPACE != 0 && resolver.is_namespace(self.family(), name) {
            return LookupResult::typed(Ty::Namespace(name));
        }
        LookupResult::nothing()
    }
}

/// Whether an interface is among those that a type itself names, or one of their bases.
fn names_interface(resolver: &Resolver<'_>, ty: DefRef, interface: DefRef) -> bool {
    let bases = resolver.bases(&resolver.parts(ty), &no_substitution());
    bases.iter().any(|(base, _)| match base {
        Ty::Instance(of, _) | Ty::Type(of, _) => {
            is_interface(resolver, *of) && resolver.is_subtype(*of, interface)
        }
        _ => false,
    })
}

fn is_interface(resolver: &Resolver<'_>, ty: DefRef) -> bool {
    let def = resolver.def(ty);
    def.is_some_and(|def| def.kind == DefKind::Interface)
}

/// An element of a tuple, from 0, whatever it is called.
fn element(resolver: &Resolver<'_>, of: &Ty, index: usize) -> Option<Ty> {
    match of {
        Ty::Tuple(parts) => parts.get(index).cloned(),
        Ty::External(_, args) if matches!(named(resolver, of), "Tuple" | "ValueTuple") => {
            args.get(index).cloned()
        }
        Ty::Object(file, scope, subst) => {
            let bound = resolver.file(*file)?;
            let is_in = |def: &u32| bound.def(*def).scope == *scope;
            let mut elements = (0..bound.defs().len() as u32).filter(is_in);
            let def = elements.nth(index)?;
            Some(
                resolver
                    .type_of_def(DefRef { file: *file, def })
                    .ty
                    .with(subst),
            )
        }
        _ => None,
    }
}
