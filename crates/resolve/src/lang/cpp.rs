//! C and C++: namespaces are open, files see what they include, declarations and definitions are one.

mod algorithms;
mod ambiguity;
mod constness;
mod conversions;
mod deduction;
mod explicit_template_args;
mod macro_members;
mod memo;
mod operators;
mod ranges;
mod redeclarations;
mod specialisations;
mod template_values;
mod tuples;
mod value_categories;
mod visibility;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{
    Def, DefId, DefKind, Expr, Literal, NONE, ScopeId, ScopeKind, flag, space,
};

use super::{
    ClassScope, InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules, angelscript,
};
use crate::file::File;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types::table::LibraryTypes;
use crate::lookup::result::LookupResult;
use crate::overrides;
use crate::resolver::Resolver;
use crate::this;
use crate::ty::{Ty, Typed, Tys, no_substitution, none};

/// The family of C and C++.
pub(super) const FAMILY: u8 = 8;

/// The rules of C and C++.
#[derive(Debug)]
pub(crate) struct Cpp;

impl LanguageRules for Cpp {
    fn family(&self) -> u8 {
        FAMILY
    }

    /// Its own names, and types of an engine that are described for the scripts of a game.
    fn sees(&self, family: u8) -> bool {
        family == FAMILY || family == angelscript::FAMILY
    }
}

impl ModuleRules for Cpp {
    fn class_scope(&self) -> ClassScope {
        ClassScope::Members
    }

    fn file_scope_is_global(&self, _file: &File) -> bool {
        true
    }

    fn module(&self, resolver: &Resolver<'_>, file: FileNo, name: &str, level: u8) -> LookupResult {
        match visibility::brought(resolver, file, name, level) {
            Some(file) => LookupResult::typed(Ty::Module(file, 0)),
            None => LookupResult::external(),
        }
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
            // What files include is seen by where it is, not step by step.
            Ty::Module(..) => Some(LookupResult::nothing()),
            // `using enum`.
            Ty::Type(def, _) => Some(enumerator(resolver, *def, name, spaces)),
            _ => None,
        }
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
        let bound = resolver.file(file)?;
        let of = bound.scope(scope);
        let path = match of.kind {
            ScopeKind::File => None,
            ScopeKind::Namespace => Some(bound.name(bound.def(of.owner).name)),
            _ => {
                let own = visibility::preferred(resolver, file, own.to_vec(), spaces);
                return (!own.is_empty()).then(|| LookupResult::defs(own));
            }
        };
        let found = visibility::in_namespace(resolver, file, path, name, spaces, own);
        if !found.is_empty() {
            return Some(found);
        }
        let found = visibility::in_glob_imports_of(resolver, file, path, name, spaces);
        if found.is_empty() && path.is_none() {
            return Some(visibility::in_opened(resolver, file, name, spaces));
        }
        Some(found)
    }

    fn can_mean(&self, resolver: &Resolver<'_>, from: FileNo, of: DefRef, spaces: u8) -> bool {
        !visibility::is_hidden_tag(resolver, from, of, spaces)
    }

    fn in_namespace(
        &self,
        resolver: &Resolver<'_>,
        from: FileNo,
        path: Name,
        name: Name,
        spaces: u8,
    ) -> Option<LookupResult> {
        let found = visibility::in_namespace(resolver, from, Some(path), name, spaces, &[]);
        if !found.is_empty() {
            return Some(found);
        }
        Some(visibility::in_glob_imports_of(
            resolver,
            from,
            Some(path),
            name,
            spaces,
        ))
    }

    fn in_container(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        function: DefId,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let Some(container) = resolver
            .file(file)
            .map(|bound| bound.def(function).container)
        else {
            return LookupResult::nothing();
        };
        let at = ExprRef {
            file,
            expr: container,
        };
        if let Ty::Instance(def, args) = resolver.lower_type(at).ty {
            let found = resolver.member_of_type(def, &args, name, spaces);
            if !found.is_empty() {
                return found;
            }
            let found = in_classes_around(resolver, def, name, spaces);
            if !found.is_empty() || is_parameter(resolver, file, function, name) {
                return found;
            }
            return in_namespaces_around(resolver, file, def, name, spaces);
        }
        if let Ty::Namespace(path) = resolver.type_of(at).ty {
            let found = self.in_namespace(resolver, file, path, name, spaces);
            return found.unwrap_or_else(LookupResult::nothing);
        }
        LookupResult::nothing()
    }

    fn by_form(&self, resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
        explicit_template_args::by_form(resolver, at, found)
    }

    fn is_ambiguous(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        found: &LookupResult,
        of: DefRef,
    ) -> bool {
        ambiguity::are_there(resolver, at, found, of)
    }

    fn find_elsewhere(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        name: Name,
    ) -> Option<LookupResult> {
        macro_members::named(resolver, at, name)
    }

    fn find_name(&self, resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
        let base = injected(resolver, at, name);
        if base.is_empty() {
            by_arguments(resolver, at, name)
        } else {
            base
        }
    }

    fn has_injected_class_name(&self, resolver: &Resolver<'_>, file: FileNo) -> bool {
        resolver.workspace.dialect(file) == Some(Dialect::Cpp)
    }

    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        redeclarations::redeclarations(resolver, of)
    }
}

impl MemberRules for Cpp {
    /// Scripts read and write by accessors' names what methods give and take.
    fn generated_names(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
        angelscript::accessor_of_method(resolver, of)
    }

    fn other_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        _from: FileNo,
    ) -> LookupResult {
        let (Ty::Type(def, _) | Ty::Instance(def, _)) = of else {
            return LookupResult::nothing();
        };
        // A class has its own name as a member.
        if spaces & space::TYPE != 0 && resolver.name_of(*def) == Some(name) {
            return LookupResult::defs(vec![*def]);
        }
        let is_enum = resolver
            .def(*def)
            .is_some_and(|def| def.kind == DefKind::Enum);
        if is_enum {
            return enumerator(resolver, *def, name, spaces);
        }
        LookupResult::nothing()
    }

    fn declarations_merge(
        &self,
        _file: &File,
        a: DefRef,
        a_def: &Def,
        b: DefRef,
        b_def: &Def,
        resolver: &Resolver<'_>,
    ) -> bool {
        let is_local = |def: &Def| def.flags & flag::INTERNAL != 0;
        if !a_def.kind.is_type() || !b_def.kind.is_type() {
            return false;
        }
        // Two of one name in one place of a file are in two branches of a condition.
        if a.file == b.file && a_def.scope == b_def.scope {
            return true;
        }
        (a_def.flags | b_def.flags) & flag::DECLARATION != 0
            && (a.file == b.file || !is_local(a_def) && !is_local(b_def))
            && redeclarations::is_meant(resolver, (a, a_def), (b, b_def))
    }

    fn best_of(&self, resolver: &Resolver<'_>, defs: Vec<DefRef>) -> Vec<DefRef> {
        visibility::inactive_last(resolver, defs)
    }

    fn augmentations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        redeclarations::nested(resolver, of)
    }

    fn overrides(&self, resolver: &Resolver<'_>, _derived: DefRef, base: DefRef) -> bool {
        let Some(def) = resolver.def(base) else {
            return false;
        };
        def.flags & (flag::OVERRIDE | flag::ABSTRACT) != 0
            || resolver
                .with_depth(|| !overrides::overridden(resolver, base).is_empty())
                .unwrap_or(false)
    }

    fn meant(&self, resolver: &Resolver<'_>, declaration: DefRef, of: &[DefRef]) -> DefRef {
        visibility::meant(resolver, declaration.file, of).unwrap_or(declaration)
    }

    fn specialised(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        args: &Tys,
    ) -> Option<(DefRef, Tys)> {
        resolver
            .with_depth(|| specialisations::chosen(resolver, of, args))
            .flatten()
    }

    fn shown(&self, resolver: &Resolver<'_>, of: DefRef) -> DefRef {
        specialisations::template_of(resolver, of).unwrap_or(of)
    }

    fn outer_params(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        let Some(bound) = resolver.file(of.file) else {
            return Vec::new();
        };
        let scopes = resolver.scopes_up(bound, bound.def(of.def).scope);
        let classes = scopes.filter_map(|id| {
            let scope = bound.scope(id);
            (scope.kind == ScopeKind::Class && scope.owner != NONE).then_some(scope.owner)
        });
        let params = classes.flat_map(|class| bound.type_params(class));
        params.map(|def| DefRef { file: of.file, def }).collect()
    }

    fn lists_overridden(&self) -> bool {
        true
    }

    fn call_member(&self) -> &'static str {
        "operator()"
    }
}

impl OverloadRules for Cpp {
    fn overloads_are_separate(&self) -> bool {
        true
    }

    fn resolves_by_receiver(&self) -> bool {
        true
    }

    fn by_receiver(&self, resolver: &Resolver<'_>, at: ExprRef, defs: Vec<DefRef>) -> Vec<DefRef> {
        constness::chosen(resolver, at, defs)
    }

    fn by_value_category(
        &self,
        resolver: &Resolver<'_>,
        defs: Vec<DefRef>,
        given: &[ExprRef],
    ) -> Vec<DefRef> {
        constness::of_arguments(
            resolver,
            value_categories::chosen(resolver, defs, given),
            given,
        )
    }

    fn conversion_rank(&self, resolver: &Resolver<'_>, expected: &Ty, actual: &Ty) -> Option<i32> {
        Some(conversions::conversion_rank(resolver, expected, actual))
    }
}

impl InferRules for Cpp {
    fn entry(&self, _query: &Resolver<'_>, _file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        match of {
            // Pairs and tuples.
            Ty::External(_, args) => args.get(index as usize).cloned(),
            _ => None,
        }
    }

    fn this_outside(&self, resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Typed {
        let Some(bound) = resolver.file(file) else {
            return Typed::unknown();
        };
        for id in resolver.scopes_up(bound, scope) {
            let scope = bound.scope(id);
            if scope.kind != ScopeKind::Function || scope.owner == NONE {
                continue;
            }
            let container = bound.def(scope.owner).container;
            if container != NONE {
                return resolver.lower_type(ExprRef {
                    file,
                    expr: container,
                });
            }
        }
        Typed::unknown()
    }

    fn literal_type(&self, resolver: &Resolver<'_>, of: Literal) -> Option<Ty> {
        let name = resolver.workspace.name("char");
        (of == Literal::Text).then(|| Ty::Pointer(Ty::External(name, none()).into()))
    }

    fn indexes_pointers(&self) -> bool {
        true
    }

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        operators::unwrapped(resolver, file, of, how)
    }

    fn operator(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        if operator == "|"
            && let Some(view) = ranges::piped(resolver, file, left, right)
        {
            return view;
        }
        operators::applied(resolver, file, operator, left, right)
    }

    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        operators::known_call(resolver, at, callee, args)
    }

    fn result(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        // What its arguments name is kept where other functions have their result.
        (def.kind == DefKind::Macro).then(|| {
            let expr = def.value;
            resolver
                .type_of(ExprRef {
                    file: at.file,
                    expr,
                })
                .and(false)
        })
    }

    fn contextual_argument_by_call(
        &self,
        resolver: &Resolver<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        algorithms::given_to_function(resolver, callee, args, index)
    }

    fn deduced(&self, resolver: &Resolver<'_>, file: FileNo, of: DefRef, args: u32) -> Option<Ty> {
        deduction::of_own(resolver, file, of, args)
    }

    fn constructed_external(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        args: u32,
    ) -> Option<Ty> {
        deduction::of_outside(resolver, file, of, args)
    }

    fn lower_apply(&self, resolver: &Resolver<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let chosen = resolver.with_depth(|| specialisations::chosen_as_written(resolver, of));
        if let Some((special, args)) = chosen.flatten() {
            return Some(Typed::declared(Ty::Instance(special, args)));
        }
        let name = resolver.file(of.file)?.head_name(of.expr)?;
        match resolver.workspace.text(name) {
            "tuple_element_t" | "variant_alternative_t" if resolver.find(of).is_empty() => {
                tuples::element_type(resolver, of, args)
            }
            "function" | "move_only_function" if resolver.find(of).is_empty() => {
                Some(Typed::declared(args.first()?.clone()))
            }
            // A pointer to an array is indexed: it holds the elements.
            "unique_ptr" | "shared_ptr" if resolver.find(of).is_empty() => match args.first()? {
                Ty::Array(of) => {
                    let args = [(**of).clone()]
                        .into_iter()
                        .chain(args[1..].iter().cloned());
                    Some(Typed::declared(Ty::External(Some(name), args.collect())))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn lower_external(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        operators::nested_type(resolver, at)
    }

    fn type_of_def(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        match def.kind {
            DefKind::EnumMember if def.ty != NONE => Some(resolver.lower_type(ExprRef {
                file: at.file,
                expr: def.ty,
            })),
            // What a macro's text gives, or a call of it.
            DefKind::Macro if def.value != NONE && def.flags & flag::GETTER == 0 => Some(
                Typed::declared(Ty::Function([at].into(), no_substitution())),
            ),
            DefKind::Macro if def.value != NONE => Some(
                resolver
                    .type_of(ExprRef {
                        file: at.file,
                        expr: def.value,
                    })
                    .and(false),
            ),
            DefKind::Variable | DefKind::Field if def.ty != NONE && def.value != NONE => {
                deduction::of_variable(resolver, at, def)
            }
            // A template's parameter that is a value.
            DefKind::TypeParam if def.spaces == space::VALUE => {
                Some(resolver.lower_type(ExprRef {
                    file: at.file,
                    expr: def.ty,
                }))
            }
            _ => None,
        }
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text => "char",
            Literal::Character => "char",
            Literal::Integer => "int",
            Literal::Float => "double",
            Literal::Boolean => "bool",
            Literal::Null => "nullptr_t",
            Literal::Regex | Literal::Bytes => "",
        }
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::of(&operators::LIBRARY);
        &TABLE
    }
}

/// The members of an enum are beside it.
fn enumerator(resolver: &Resolver<'_>, of: DefRef, name: Name, spaces: u8) -> LookupResult {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return LookupResult::nothing();
    };
    let Some(local) = bound.local(name) else {
        return LookupResult::nothing();
    };
    let is_its = |id: &DefId| {
        let found = bound.def(*id);
        found.kind == DefKind::EnumMember
            && found.spaces & spaces != 0
            && def.start <= found.start
            && found.end <= def.end
    };
    let scopes = [def.scope, def.inner];
    let found = scopes
        .into_iter()
        .flat_map(|scope| bound.defs_in(scope, local))
        .filter(is_its);
    let found = found.map(|def| DefRef { file: of.file, def });
    LookupResult::defs(found.collect())
}

/// A name in the classes that a class is nested in.
fn in_classes_around(resolver: &Resolver<'_>, of: DefRef, name: Name, spaces: u8) -> LookupResult {
    const DEEPEST: u32 = 8;
    let mut class = of;
    for _ in 0..DEEPEST {
        let Some(outer) = resolver.owner(class) else {
            break;
        };
        let found = resolver.member_of_own_type(outer, name, spaces);
        if !found.is_empty() {
            return found;
        }
        class = outer;
    }
    LookupResult::nothing()
}

/// Whether a name is that of a template's parameter where something is defined: what namespaces have comes after.
fn is_parameter(resolver: &Resolver<'_>, file: FileNo, of: DefId, name: Name) -> bool {
    let Some(bound) = resolver.file(file) else {
        return false;
    };
    let Some(local) = bound.local(name) else {
        return false;
    };
    let headers = resolver
        .scopes_up(bound, bound.def(of).inner)
        .filter(|scope| bound.scope(*scope).kind == ScopeKind::Header);
    headers
        .into_iter()
        .any(|scope| bound.defs_in(scope, local).next().is_some())
}

/// A name in the namespaces around a class, the global one excepted: that one is around every place.
fn in_namespaces_around(
    resolver: &Resolver<'_>,
    from: FileNo,
    of: DefRef,
    name: Name,
    spaces: u8,
) -> LookupResult {
    const DEEPEST: usize = 16;
    let mut around = namespace_around(resolver, of);
    for _ in 0..DEEPEST {
        let Some(path) = around else {
            break;
        };
        let mut found = visibility::in_namespace(resolver, from, Some(path), name, spaces, &[]);
        if found.is_empty() {
            found = visibility::in_glob_imports_of(resolver, from, Some(path), name, spaces);
        }
        if !found.is_empty() {
            return found;
        }
        let outer = resolver.workspace.text(path).rsplit_once('.');
        around = outer.and_then(|(outer, _)| resolver.workspace.name(outer));
    }
    LookupResult::nothing()
}

/// In a class its own name and those of its bases mean them, wherever they are declared; of a template whose members
/// are written outside those of its specialisations' bases as well.
fn injected(resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
    const MOST: usize = 32;
    let Expr::Name { scope, spaces, .. } = resolver.expr(at) else {
        return LookupResult::nothing();
    };
    if spaces & space::TYPE == 0 {
        return LookupResult::nothing();
    }
    let mut open = vec![this::instance(resolver, at.file, scope).ty];
    let (mut seen, mut special_bases) = (Vec::new(), Vec::new());
    while let Some(ty) = open.pop() {
        let Ty::Instance(def, args) = ty else {
            continue;
        };
        if seen.contains(&def) || seen.len() >= MOST {
            continue;
        }
        if resolver.name_of(def) == Some(name) {
            return LookupResult::defs(vec![def]);
        }
        seen.push(def);
        let bases = resolver.bases(&resolver.parts(def), &resolver.substitution_of(def, &args));
        open.extend(bases.into_iter().map(|(base, _)| base));
        if seen.len() == 1 {
            let special = ambiguity::specialisations(resolver, def);
            let bases =
                special.flat_map(|of| resolver.bases(&resolver.parts(of), &no_substitution()));
            special_bases.extend(bases.map(|(base, _)| base));
        }
    }
    let base = special_bases.into_iter().find_map(|base| match base {
        Ty::Instance(def, _) if resolver.name_of(def) == Some(name) => Some(def),
        _ => None,
    });
    base.map_or_else(LookupResult::nothing, |def| {
        LookupResult::defs(vec![def]).inferred()
    })
}

/// A function that is called without a qualifier is looked for in its arguments' namespaces too.
fn by_arguments(resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
    let Some(call) = resolver.call_of(at) else {
        return LookupResult::nothing();
    };
    let Expr::Call { args, .. } = resolver.expr(call) else {
        return LookupResult::nothing();
    };
    let mut found = Vec::new();
    for ty in resolver.each(at.file, args, |at| resolver.type_of(at).ty) {
        let mut ty = &ty;
        while let Ty::Pointer(of) = ty {
            ty = of;
        }
        let Ty::Instance(def, _) = ty else {
            continue;
        };
        let Some(path) = namespace_around(resolver, *def) else {
            continue;
        };
        let more = visibility::in_namespace(resolver, at.file, Some(path), name, space::VALUE, &[]);
        found.extend(more.defs.into_iter().filter(|def| {
            resolver
                .def(*def)
                .is_some_and(|def| def.kind == DefKind::Function)
        }));
    }
    found.dedup();
    LookupResult::defs(found).inferred()
}

/// The path of the namespace that a definition is in.
fn namespace_around(resolver: &Resolver<'_>, of: DefRef) -> Option<Name> {
    let bound = resolver.file(of.file)?;
    let mut scopes = resolver.scopes_up(bound, bound.def(of.def).scope);
    scopes.find_map(|id| {
        let scope = bound.scope(id);
        (scope.kind == ScopeKind::Namespace && scope.owner != NONE)
            .then(|| bound.name(bound.def(scope.owner).name))
    })
}
