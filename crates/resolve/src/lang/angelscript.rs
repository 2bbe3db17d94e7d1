//! AngelScript (Unreal dialect): every module sees every other, types double as namespaces, accessors stand for
//! functions (SPEC AS1).

mod generated;
mod headers;
mod imports;
mod operators;

use codecortex_bind::facts::{
    Def, DefKind, Expr, Literal, NONE, NameId, Role, ScopeId, ScopeKind, flag, space,
};

use super::{ClassScope, InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules, cpp};
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types::table::{LibraryMember, LibraryTypes};
use crate::lookup::request::LookupRequest;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The family of the language.
pub(super) const FAMILY: u8 = 24;

/// The rules of AngelScript.
#[derive(Debug)]
pub(crate) struct AngelScript;

/// What the engine's templates give. A pair that iterating a map gives is made over its value.
static ROWS: [LibraryMember; 8] = [
    LibraryMember("TArray TSet", "@iter @index", "0", ""),
    LibraryMember("TArray", "Last Top FindOrAdd Pop", "0", ""),
    LibraryMember("TMap", "@index FindOrAdd", "1", ""),
    LibraryMember("TMap", "@iter", "TMapIterator<0,1>", ""),
    LibraryMember("TMapIterator", "Key GetKey", "0", ""),
    LibraryMember("TMapIterator", "Value GetValue SetValue", "1", ""),
    LibraryMember(
        "TSubclassOf TSoftObjectPtr TWeakObjectPtr TObjectPtr TOptional",
        "Get GetValue GetDefaultObject LoadSynchronous Value",
        "0",
        "",
    ),
    LibraryMember("TListedActors", "@iter @index", "0", ""),
];

/// Of what an engine makes members.
const MADE_OF: u8 = space::VALUE | space::MACRO;

/// Prefixes of functions that stand for a value: what is read, what is written.
const GETTER: &str = "Get";
const SETTER: &str = "Set";

impl LanguageRules for AngelScript {
    fn family(&self) -> u8 {
        FAMILY
    }

    fn sees(&self, family: u8) -> bool {
        family == self.family() || family == cpp::FAMILY
    }

    fn words(&self) -> &'static [&'static str] {
        &["TArray", "TMap", "TSet", "TMapIterator", "TSubclassOf"]
    }
}

impl AngelScript {
    /// What is global under exactly this name.
    fn globals_of(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let defs = resolver.workspace.globals(name).iter().copied();
        let mut defs: Vec<DefRef> = defs
            .filter(|def| resolver.rules(def.file).family() == self.family())
            .filter(|def| {
                let is_meant = |def: &Def| {
                    def.spaces & spaces != 0
                        && !matches!(def.kind, DefKind::Alias | DefKind::Namespace)
                };
                resolver.def(*def).is_some_and(is_meant)
            })
            .collect();
        // What the workspace declares itself, it does not mean from outside.
        let is_own = |def: &DefRef| !resolver.workspace.is_external(def.file);
        if defs.iter().any(is_own) {
            defs.retain(is_own);
        } else if !defs.is_empty() && spaces & space::TYPE != 0 {
            let in_headers = headers::types_of(resolver, name);
            if !in_headers.is_empty() {
                return LookupResult::defs(in_headers);
            }
        }
        imports::keep_seen(resolver, file, &mut defs);
        if !defs.is_empty() {
            return LookupResult::defs(defs);
        }
        if spaces & space::NAMESPACE != 0 && resolver.is_namespace(self.family(), name) {
            return LookupResult::typed(Ty::Namespace(name));
        }
        LookupResult::defs(headers::types(resolver, name, spaces))
    }

    /// The type whose name differs in case alone: the engine looks for classes so.
    fn type_in_other_case(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
    ) -> LookupResult {
        let is_type = |def: &DefRef| resolver.def(*def).is_some_and(|def| def.kind.is_type());
        let others = resolver.workspace.names_in_other_case(name);
        for other in others {
            let mut found = self.globals_of(resolver, file, other, space::TYPE);
            found.defs.retain(is_type);
            if !found.defs.is_empty() {
                return found;
            }
        }
        LookupResult::nothing()
    }
}

impl ModuleRules for AngelScript {
    fn class_scope(&self) -> ClassScope {
        ClassScope::Members
    }

    fn looks_in_enclosing_namespaces(&self) -> bool {
        true
    }

    fn file_scope_is_global(&self, _file: &BoundFile) -> bool {
        true
    }

    /// What is imported is seen by way of what is global.
    fn reexports_are_local(&self) -> bool {
        false
    }

    fn module(
        &self,
        resolver: &Resolver<'_>,
        _file: FileNo,
        name: &str,
        _level: u8,
    ) -> LookupResult {
        let files = imports::files_of(resolver, name);
        let found = files
            .first()
            .map(|file| LookupResult::typed(Ty::Module(*file, 0)));
        found.unwrap_or_else(LookupResult::external)
    }

    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let found = self.globals_of(resolver, file, name, spaces);
        // A name in an expression may be of something that nobody knows of.
        let is_type = spaces & space::TYPE != 0 && spaces & space::VALUE == 0;
        match is_type && found.defs.is_empty() && found.ty.is_none() {
            true => self.type_in_other_case(resolver, file, name),
            false => found,
        }
    }

    /// A type comes before a namespace of its name, which adds to it.
    fn in_open_scope(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
        own: &[DefRef],
    ) -> Option<LookupResult> {
        let is_namespace = |def: &DefRef| {
            let def = resolver.def(*def);
            def.is_some_and(|def| def.kind == DefKind::Namespace)
        };
        if spaces & space::TYPE == 0 || !own.iter().any(is_namespace) {
            return None;
        }
        let others: Vec<DefRef> = own
            .iter()
            .copied()
            .filter(|def| !is_namespace(def))
            .collect();
        if !others.is_empty() {
            return Some(LookupResult::defs(others));
        }
        let place = resolver.file(file)?.scope(scope);
        let types = match place.kind {
            ScopeKind::File => self.globals(resolver, file, name, space::TYPE),
            _ => LookupResult::nothing(),
        };
        (!types.is_empty()).then_some(types)
    }

    /// An accessor of the type around, or a global one: `Count` for `GetCount()`.
    fn find_name(&self, resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
        let Expr::Name {
            scope,
            at: place,
            role,
            spaces,
            ..
        } = resolver.expr(at)
        else {
            return LookupResult::nothing();
        };
        let find = |name, spaces| {
            let request = LookupRequest::any(name, place, spaces);
            resolver.lookup(at.file, scope, request)
        };
        let found = match spaces & space::VALUE == 0 || role == Role::Call {
            true => LookupResult::nothing(),
            false => self.accessors(resolver, name, role, |name| {
                self.functions(resolver, |spaces| find(name, spaces))
            }),
        };
        match found.is_empty() {
            true => generated::made_of(resolver, name, |name| find(name, MADE_OF)),
            false => found,
        }
    }

    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
            return Vec::new();
        };
        if !matches!(def.kind, DefKind::Function | DefKind::Method) || def.at == NONE {
            return Vec::new();
        }
        let scope = bound.scope(def.scope);
        let name = bound.name(def.name);
        let candidates: Vec<DefRef> = match scope.kind {
            ScopeKind::Namespace if scope.owner != NONE => {
                let path = bound.name(bound.def(scope.owner).name);
                resolver.workspace.in_namespace(path, name).to_vec()
            }
            ScopeKind::File => resolver.workspace.globals(name).to_vec(),
            _ => bound
                .defs_in(def.scope, def.name)
                .map(|def| DefRef { file: of.file, def })
                .collect(),
        };
        let is_local = |def: &Def| def.flags & flag::INTERNAL != 0;
        let receiver = mixin_receiver(resolver, of);
        let is_overload = |other: &DefRef| {
            *other != of
                && resolver.rules(other.file).family() == self.family()
                && mixin_receiver(resolver, *other) == receiver
                && resolver.def(*other).is_some_and(|found| {
                    found.kind == def.kind
                        && (other.file == of.file || !is_local(found) && !is_local(def))
                })
        };
        candidates.into_iter().filter(is_overload).collect()
    }
}

impl AngelScript {
    /// `GetX` where a value is read, `SetX` where it is written, by what finds functions; only of those that have as
    /// many parameters as that needs. Where both are meant, the getter comes first.
    fn accessors(
        &self,
        resolver: &Resolver<'_>,
        name: Name,
        role: Role,
        find: impl Fn(Name) -> LookupResult,
    ) -> LookupResult {
        let text = resolver.workspace.text(name);
        let prefixes: &[(&str, usize)] = match role {
            Role::Write => &[(SETTER, 1)],
            Role::ReadWrite => &[(GETTER, 0), (SETTER, 1)],
            _ => &[(GETTER, 0)],
        };
        let mut all = LookupResult::nothing();
        for (prefix, count) in prefixes {
            let Some(name) = resolver.workspace.name(&format!("{prefix}{text}")) else {
                continue;
            };
            let mut found = find(name);
            found.defs.retain(|def| {
                let params = resolver.file(def.file).map(|file| file.params(def.def));
                let is_function = resolver.def(*def).is_some_and(|def| def.kind.is_callable());
                is_function && params.is_some_and(|params| params.count() == *count)
            });
            all.defs.extend(found.defs);
            if all.subst.is_empty() {
                all.subst = found.subst;
            }
            all.is_declared &= found.is_declared;
        }
        all
    }
}

impl AngelScript {
    /// Functions of a name: scripts' own, or methods of the C++ classes that scripts see.
    fn functions(
        &self,
        resolver: &Resolver<'_>,
        find: impl Fn(u8) -> LookupResult,
    ) -> LookupResult {
        let own = find(space::MACRO);
        if !own.is_empty() {
            return own;
        }
        let mut found = find(space::VALUE);
        found.defs.retain(|def| {
            let is_of_cpp = resolver.rules(def.file).family() == cpp::FAMILY;
            is_of_cpp && resolver.owner(*def).is_some()
        });
        found
    }
}

impl AngelScript {
    /// A member, or its accessors. A name literal means functions alone. Nothing where the rules of all languages do.
    fn member_or_accessor(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        let Expr::Member {
            name, spaces, role, ..
        } = resolver.expr(at)
        else {
            return None;
        };
        let is_unknown = match receiver {
            Ty::Unknown => true,
            Ty::External(None, args) => args.is_empty(),
            _ => false,
        };
        if is_unknown && spaces & space::VALUE != 0 {
            let name = resolver.file(at.file)?.name(name);
            return self.only_mixin(resolver, name);
        }
        let may_have = matches!(
            receiver,
            Ty::Instance(..) | Ty::External(..) | Ty::Union(_) | Ty::Namespace(_) | Ty::Type(..)
        );
        if role == Role::Call || spaces & space::VALUE == 0 || !may_have {
            return None;
        }
        let name = resolver.file(at.file)?.name(name);
        let found = resolver.member(receiver, name, spaces, at.file);
        if !found.is_empty() {
            return Some(found);
        }
        let accessors = self.accessors(resolver, name, role, |name| {
            self.functions(resolver, |spaces| {
                resolver.member(receiver, name, spaces, at.file)
            })
        });
        Some(if accessors.is_empty() {
            found
        } else {
            accessors
        })
    }

    /// The mixin function of a name, if there is one alone.
    fn only_mixin(&self, resolver: &Resolver<'_>, name: Name) -> Option<LookupResult> {
        let mixins = resolver.workspace.extensions(name).iter().copied();
        let mixins: Vec<DefRef> = mixins
            .filter(|def| resolver.rules(def.file).family() == self.family())
            .collect();
        (mixins.len() == 1).then(|| LookupResult::defs(mixins).inferred())
    }
}

impl MemberRules for AngelScript {
    /// A namespace of a type's name adds to the type: `namespace ALamp { int Count(); }`.
    fn other_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        _from: FileNo,
    ) -> LookupResult {
        let Ty::Type(def, _) = of else {
            return LookupResult::nothing();
        };
        let path = whole_path(resolver, *def).and_then(|path| resolver.workspace.name(&path));
        match path {
            Some(path) => resolver.namespace_member(self.family(), path, name, spaces),
            None => LookupResult::nothing(),
        }
    }

    /// What has no member of a name may have accessors of it, or what an engine makes such a member of.
    fn find_member(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        let found = self.member_or_accessor(resolver, at, receiver);
        let Expr::Member { name, spaces, .. } = resolver.expr(at) else {
            return found;
        };
        let is_found = found.as_ref().is_some_and(|found| !found.is_empty());
        if is_found || resolver.workspace.scripts().generated.is_empty() {
            return found;
        }
        let name = resolver.file(at.file)?.name(name);
        let find = |name, spaces| resolver.member(receiver, name, spaces, at.file);
        if found.is_none() && !find(name, spaces).is_empty() {
            return None;
        }
        let made = generated::made_of(resolver, name, |name| find(name, MADE_OF));
        match made.is_empty() {
            true => found,
            false => Some(made),
        }
    }

    fn generated_names(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
        let mut names = generated::names_made(resolver, of);
        if resolver.def(of).is_some_and(|def| def.kind.is_type()) {
            let name = resolver.name_of(of);
            names.extend(
                name.into_iter()
                    .flat_map(|name| resolver.workspace.names_in_other_case(name)),
            );
        }
        names
    }

    /// A mixin function is called on something of which nobody knows what it is, where there is no other of its name.
    fn member_of_external(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        _spaces: u8,
        _from: FileNo,
    ) -> Option<LookupResult> {
        let is_unknown = matches!(of, Ty::External(None, args) if args.is_empty());
        is_unknown
            .then(|| self.only_mixin(resolver, name))
            .flatten()
    }

    /// `opCall`, by which instances are called.
    fn call_member(&self) -> &'static str {
        operators::CALL
    }

    fn accessor_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = name
            .strip_prefix(GETTER)
            .or_else(|| name.strip_prefix(SETTER))?;
        rest.starts_with(|c: char| c.is_uppercase() || c == '_')
            .then_some(rest)
    }
}

/// The name by which scripts read what a method of a C++ class gives, or write what it takes.
pub(super) fn accessor_of_method(resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
    let is_method = resolver.def(of).is_some_and(|def| def.kind.is_callable());
    let name = resolver
        .name_of(of)
        .filter(|_| is_method && resolver.owner(of).is_some());
    let accessor = name.and_then(|name| AngelScript.accessor_name(resolver.workspace.text(name)));
    let accessor = accessor.and_then(|name| resolver.workspace.name(name));
    accessor.into_iter().collect()
}

/// The type that a mixin function adds itself to; nothing for other functions. Those of two types are two functions.
fn mixin_receiver(resolver: &Resolver<'_>, of: DefRef) -> Option<Ty> {
    let file = of.file;
    let bound = resolver.file(file)?;
    if bound.def(of.def).flags & flag::EXTENSION == 0 {
        return None;
    }
    let def = bound.params(of.def).next()?;
    Some(resolver.type_of_def(DefRef { file, def }).ty)
}

/// An instance of the one class that a call is given as a value: `SpawnActor(ALamp, Tip)`.
fn class_given(resolver: &Resolver<'_>, file: FileNo, args: u32) -> Option<Ty> {
    let given = resolver.each(file, args, |at| {
        match resolver.expr(at) {
            // a name or path alone: what is inferred of all others would be asked in a circle
            Expr::Name { .. } | Expr::Member { .. } => resolver.type_of(at).ty,
            _ => Ty::Unknown,
        }
    });
    let mut classes = given.into_iter().filter_map(|of| match of {
        Ty::Type(def, args) => Some(Ty::Instance(def, args)),
        _ => None,
    });
    let class = classes.next()?;
    classes.next().is_none().then_some(class)
}

/// What a delegate gives that is executed.
fn given_by_delegate(
    resolver: &Resolver<'_>,
    of: DefRef,
    file: FileNo,
    called: NameId,
) -> Option<Typed> {
    let called = resolver.workspace.text(resolver.file(file)?.name(called));
    let is_delegate = resolver.def(of)?.kind == DefKind::Delegate;
    (is_delegate && matches!(called, "Execute" | "ExecuteIfBound"))
        .then(|| resolver.declared_result(of))
}

/// The whole path of a type, joined by `.`.
fn whole_path(resolver: &Resolver<'_>, of: DefRef) -> Option<String> {
    let (bound, def) = (resolver.file(of.file)?, resolver.def(of)?);
    let name = resolver.workspace.text(bound.name(def.name));
    let scope = bound.scope(def.scope);
    if scope.kind != ScopeKind::Namespace || scope.owner == NONE {
        return Some(name.to_owned());
    }
    let around = bound.name(bound.def(scope.owner).name);
    Some(format!("{}.{name}", resolver.workspace.text(around)))
}

impl OverloadRules for AngelScript {}

impl InferRules for AngelScript {
    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Integer | Literal::Bytes => "int",
            Literal::Float => "float",
            Literal::Boolean => "bool",
            Literal::Text | Literal::Regex | Literal::Character => "FString",
            Literal::Null => "nullptr",
        }
    }

    /// What an engine function is given a class for, it gives an instance of. So do functions that the engine makes for
    /// each type: `ULampComp::Get(Actor)`, `ALamp::Spawn(…)`. What is asked of a type that neither it nor a base has is
    /// one of them.
    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        _at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        let file = callee.file;
        let is_outside = || resolver.find(callee).is_empty();
        let Expr::Member { of, name, .. } = resolver.expr(callee) else {
            let is_name = matches!(resolver.expr(callee), Expr::Name { .. });
            let made = class_given(resolver, file, args).filter(|_| is_name && is_outside());
            return made.map(Typed::inferred);
        };
        let receiver = resolver.type_of(ExprRef { file, expr: of }).ty;
        if let Ty::Instance(def, _) = receiver
            && let Some(given) = given_by_delegate(resolver, def, file, name)
        {
            return Some(given);
        }
        let Ty::Type(def, args) = receiver else {
            let made = class_given(resolver, file, args).filter(|_| is_outside());
            return made.map(Typed::inferred);
        };
        if !is_outside() {
            return None;
        }
        let name = resolver.workspace.text(resolver.file(file)?.name(name));
        let made = Ty::Instance(def, args);
        Some(Typed::inferred(match name {
            "StaticClass" => Ty::External(resolver.workspace.name("TSubclassOf"), [made].into()),
            _ => made,
        }))
    }

    fn operator(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        if operators::is_logical(operator) {
            return resolver.type_of_literal(file, Literal::Boolean);
        }
        let of = |expr| resolver.type_of(ExprRef { file, expr });
        let is_unary = right == NONE;
        let (left, right) = (of(left), of(right));
        let given = match is_unary {
            true => operators::of_unary(resolver, file, operator, &left.ty),
            false => operators::of_binary(resolver, file, operator, &left.ty, &right.ty),
        };
        if let Some(given) = given {
            return given;
        }
        if left.ty.is_external() {
            return left;
        }
        Typed::unknown()
    }

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        match how {
            "index" => operators::indexed(resolver, file, of),
            "iter" => operators::iterated(resolver, file, of),
            _ => None,
        }
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&ROWS);
        &TABLE
    }
}
