//! TypeScript and JavaScript: a file is a module, imports are paths, types merge.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, Literal, NONE, ScopeId, ScopeKind, flag, space};

mod alike;
mod arrays;
mod augmented;
mod components;
mod functions;
mod globals;
mod hooks;
mod injected;
mod instances;
mod library;
mod modules;
mod promises;
mod receivers;

pub(crate) use modules::join;

use super::Policy;
use crate::containers::{self, Row, Table};
use crate::file::File;
use crate::query::{Found, Query};
use crate::ty::{Ty, Typed, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

pub(crate) struct TypeScript;

/// Types of the language that have the members of their argument.
const STANDING: [&str; 11] = [
    "Readonly",
    "Partial",
    "Required",
    "NonNullable",
    "Pick",
    "Omit",
    "Exclude",
    "Extract",
    "Awaited",
    "NoInfer",
    "ThisType",
];

impl Policy for TypeScript {
    fn links_use_imports(&self) -> bool {
        false
    }

    fn family(&self) -> u8 {
        1
    }

    fn class_scope(&self) -> super::ClassScope {
        // Members of an enum see one another; bodies of classes are blocks to what is in them.
        super::ClassScope::Direct
    }

    fn names_members(&self, of: DefKind) -> bool {
        of == DefKind::Enum
    }

    fn narrows_unions(&self) -> bool {
        true
    }

    fn private_is_of_type(&self) -> bool {
        true
    }

    fn reexports_are_local(&self) -> bool {
        false
    }

    fn module(&self, query: &Query<'_>, file: FileNo, name: &str, _level: u8) -> Found {
        match modules::resolve(query, file, name) {
            Some(file) => Found::typed(Ty::Module(file, 0)),
            None => modules::described(query, file, name).unwrap_or_else(Found::external),
        }
    }

    fn globals(&self, query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Found {
        globals::named(query, file, name, spaces)
    }

    fn in_open_scope(
        &self,
        query: &Query<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Sym,
        spaces: u8,
        own: &[DefRef],
    ) -> Option<Found> {
        // What one block of a namespace gives out, the others see.
        let bound = query.file(file)?;
        let of = bound.scope(scope);
        if of.kind != ScopeKind::Module || of.owner == NONE || !own.is_empty() {
            return None;
        }
        let def = of.owner;
        let parts = query.parts(DefRef { file, def });
        let others = parts.scopes.iter().filter(|part| **part != (file, scope));
        let defs = others
            .flat_map(|(file, scope)| query.module_member(*file, *scope, name, spaces).defs)
            .collect();
        let found = Found::defs(defs);
        (!found.is_empty()).then_some(found)
    }

    fn leaves_module(&self, file: &File, def: &Def, spaces: u8) -> bool {
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
        query: &Query<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Sym,
        spaces: u8,
    ) -> Found {
        let Some(bound) = query.file(file) else {
            return Found::nothing();
        };
        if scope != 0 {
            // A module of another package has more than programs say of it.
            let owner = bound.defs().get(bound.scope(scope).owner as usize);
            let is_described =
                |of: &&Def| of.kind == DefKind::Module && of.flags & flag::UNWRITTEN != 0;
            return match owner.filter(is_described) {
                Some(_) => Found::external(),
                None => Found::nothing(),
            };
        }
        match query.workspace.text(name) {
            "default" => {
                let defs = bound
                    .all_in(0)
                    .filter(|def| bound.def(*def).flags & flag::DEFAULT != 0);
                let found = Found::defs(defs.map(|def| DefRef { file, def }).collect());
                if found.is_empty() {
                    modules::exported_value(query, file)
                } else {
                    found
                }
            }
            // `module.exports = { a }`: what it has, the module has.
            "export=" => Found::typed(Ty::Module(file, 0)),
            _ => {
                let value = modules::exported_value(query, file);
                if value.is_empty() {
                    return value;
                }
                let ty = query.type_of_found(&value);
                query.member(&ty.ty, name, spaces, file)
            }
        }
    }

    fn is_one_type(
        &self,
        _file: &File,
        _a: DefRef,
        a_def: &Def,
        _b: DefRef,
        b_def: &Def,
        _query: &Query<'_>,
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

    fn more_parts(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        // Interfaces of scripts are global and merge across files.
        let (Some(file), Some(name)) = (query.file(of.file), query.name_of(of)) else {
            return Vec::new();
        };
        if !modules::is_script(file) || file.def(of.def).scope != 0 {
            return augmented::parts(query, of);
        }
        let all = query.globals(of.file, name);
        all.filter(|def| query.file(def.file).is_some_and(modules::is_script))
            .collect()
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

    fn awaited(&self, query: &Query<'_>, file: FileNo, of: &Typed) -> Option<Typed> {
        let ty = library::settled(query, file, of.ty.clone());
        Some(Typed { ty, sure: of.sure })
    }

    fn construct_member(&self) -> Option<&'static str> {
        Some("(new)")
    }

    fn call_member(&self) -> &'static str {
        "(call)"
    }

    fn result(&self, query: &Query<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        // `new () => T` and call signatures of interfaces are functions as all others; only constructors of
        // interfaces give what they declare.
        if def.kind == DefKind::Constructor && def.ty != NONE {
            return Some(query.denotes(ExprRef {
                file: at.file,
                expr: def.ty,
            }));
        }
        None
    }

    fn denoted_index(&self, query: &Query<'_>, file: FileNo, of: u32, by: u32) -> Option<Typed> {
        match query.expr(ExprRef { file, expr: by }) {
            Expr::Name { .. } => query.under_key(file, of, by),
            Expr::Member { .. } => None,
            _ => {
                let of = query.denotes(ExprRef { file, expr: of });
                Some(query.unwrapped(file, &of, "index"))
            }
        }
    }

    fn denoted_apply(&self, query: &Query<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let name = query.file(of.file)?.head_name(of.expr)?;
        let found = query.find(of);
        if !found.is_empty() {
            return None;
        }
        // Types of the language that stand for their argument.
        match query.workspace.text(name) {
            name if STANDING.contains(&name) => {
                let of = args.first()?.clone();
                Some(Typed::guess(of))
            }
            "Array" | "ReadonlyArray" => Some(Typed::sure(Ty::array(args.first()?.clone()))),
            "Record" => Some(Typed::sure(Ty::Map(
                (args.first()?.clone(), args.get(1)?.clone()).into(),
            ))),
            "ReturnType" => match args.first()? {
                Ty::Function(defs, env) => {
                    let result = query.declared_result(*defs.first()?);
                    Some(Typed::guess(result.ty.with(env)))
                }
                _ => None,
            },
            "Parameters" => library::parameters(query, of.file, args.first()?).map(Typed::guess),
            "ConstructorParameters" => match args.first()? {
                Ty::Type(def, given) => {
                    let made = Ty::Function(
                        query.constructors(*def).into_iter().take(1).collect(),
                        query.env_of(*def, given),
                    );
                    library::parameters(query, of.file, &made).map(Typed::guess)
                }
                _ => None,
            },
            "InstanceType" => match args.first()? {
                Ty::Type(def, args) => Some(Typed::guess(Ty::Instance(*def, args.clone()))),
                _ => None,
            },
            _ => None,
        }
    }

    fn find_member(&self, query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
        if let Some(found) = globals::global_member(query, at) {
            return Some(found);
        }
        match receiver {
            Ty::Instance(..) | Ty::Type(..) | Ty::Module(..) => None,
            // What instances have is not the function's own.
            Ty::Function(..) => {
                let mut found = instances::assigned_member(query, at)?;
                if found.defs.iter().any(|def| is_static(query, *def)) {
                    found.defs.retain(|def| is_static(query, *def));
                }
                Some(found)
            }
            _ => instances::assigned_member(query, at),
        }
    }

    /// `Omit<T, "a">`, under its own name or an alias, has what `T` has and is not derived from it.
    fn is_base(&self, query: &Query<'_>, base: ExprRef) -> bool {
        const MOST: usize = 8;
        let mut at = base;
        for _ in 0..MOST {
            let head = match query.expr(at) {
                Expr::Apply { of, .. } => ExprRef { expr: of, ..at },
                Expr::Name { .. } | Expr::Member { .. } => at,
                _ => return true,
            };
            let found = query.find(head);
            let Some(def) = found.defs.first() else {
                let name = query
                    .file(at.file)
                    .and_then(|bound| bound.head_name(head.expr));
                let name = name.map_or("", |name| query.workspace.text(name));
                return !STANDING.contains(&name);
            };
            let end = query.follow(*def).ends.first().copied().unwrap_or(*def);
            match query.def(end) {
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

    fn function_as_type(&self, _query: &Query<'_>, at: DefRef) -> Option<Typed> {
        Some(Typed::guess(Ty::Instance(at, none())))
    }

    fn distinct(&self, query: &Query<'_>, values: Vec<Typed>) -> Vec<Typed> {
        alike::first(query, values)
    }

    fn filled(&self, query: &Query<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        arrays::filled(query, at, def)
    }

    fn made_by_value(&self, query: &Query<'_>, value: &Ty) -> Option<Typed> {
        let Ty::Function(defs, _) = value else {
            return None;
        };
        let [function] = defs[..] else {
            return None;
        };
        let is_untyped = query.workspace.dialect(function.file) == Some(Dialect::JavaScript);
        let is_value = query.def(function)?.kind == DefKind::Lambda;
        (is_untyped && is_value).then(|| Typed::guess(Ty::Instance(function, none())))
    }

    fn find_name(&self, query: &Query<'_>, at: ExprRef, name: Sym) -> Found {
        // What a CommonJS module exports, seen from inside.
        let is_untyped = query.workspace.dialect(at.file) == Some(Dialect::JavaScript);
        match query.workspace.text(name) {
            "exports" if is_untyped => Found::typed(Ty::Module(at.file, 0)),
            // The object of everything global has what programs add to its interface.
            name if globals::OBJECTS.contains(&name) => globals::global_object(query, at.file),
            _ => Found::nothing(),
        }
    }

    fn this_is_declared(&self) -> bool {
        true
    }

    fn made_outside(&self, query: &Query<'_>, file: FileNo, of: &Ty, args: u32) -> Option<Ty> {
        library::collected(query, file, of, args)
    }

    fn has_own_this(&self, query: &Query<'_>, file: FileNo, scope: ScopeId) -> bool {
        instances::has_own_this(query, file, scope)
    }

    fn this_outside(&self, query: &Query<'_>, file: FileNo, scope: ScopeId) -> Typed {
        instances::this(query, file, scope)
    }

    fn unwrapped_instance(
        &self,
        query: &Query<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        match how {
            "iter" => iterated(query, file, of),
            _ => None,
        }
    }

    fn entry(&self, query: &Query<'_>, file: FileNo, of: &Ty, _index: u32) -> Option<Ty> {
        crate::containers::unwrap(query, file, of, "iter")
    }

    fn member_of_function(&self, query: &Query<'_>, of: DefRef, name: Sym, spaces: u8) -> Found {
        // What is assigned to the function, which its instances have not.
        let mut own = query.own_members(&query.parts(of), name, spaces);
        if own.iter().any(|def| is_static(query, *def)) {
            own.retain(|def| is_static(query, *def));
        }
        if !own.is_empty() {
            return Found::defs(own);
        }
        // A namespace that is merged with it.
        for part in query.parts(of).types.iter() {
            let Some(def) = query.def(*part) else {
                continue;
            };
            if def.kind == DefKind::Module {
                let found = query.module_member(part.file, def.inner, name, spaces);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Found::external()
    }

    fn other_member(
        &self,
        query: &Query<'_>,
        of: &Ty,
        name: Sym,
        spaces: u8,
        _from: FileNo,
    ) -> Found {
        // A namespace that is merged with the class or enum.
        let (Ty::Type(def, _) | Ty::Instance(def, _)) = of else {
            return Found::nothing();
        };
        let inner = query.def(*def).map_or(NONE, |def| def.inner);
        if let (Ty::Instance(_, args), Some(ty)) = (of, query.indexed(def.file, inner)) {
            return Found::typed(ty.with(&query.env_of(*def, args))).guessed();
        }
        self.member_of_function(query, *def, name, spaces)
    }

    fn overrides(&self, query: &Query<'_>, a: DefRef, b: DefRef) -> bool {
        is_static(query, a) == is_static(query, b)
    }

    fn seen_through(&self, query: &Query<'_>, receiver: &Ty, found: Found) -> Found {
        let wants_static = matches!(receiver, Ty::Type(..));
        let fits = |of: &DefRef| is_static(query, *of) == wants_static;
        if found.defs.iter().all(fits) {
            return found;
        }
        if found.defs.iter().any(fits) {
            let defs = found.defs.iter().copied().filter(fits).collect();
            return Found { defs, ..found };
        }
        // What belongs to the class alone hides nothing that instances have from its bases. The other way round,
        // enums and what is merged with a class have members that are not marked.
        if wants_static {
            return found;
        }
        let inherited = inherited(query, &found).unwrap_or_else(Found::nothing);
        if inherited.defs.is_empty() {
            found
        } else {
            inherited
        }
    }

    fn twins(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(def)) = (query.file(of.file), query.def(of)) else {
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

    fn type_of_call(
        &self,
        query: &Query<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        hooks::call(query, at.file, callee, args)
            .or_else(|| injected::call(query, at.file, callee, args))
            .or_else(|| library::call(query, at.file, callee, args))
            .or_else(|| promises::call(query, at.file, callee, args))
            .or_else(|| components::styled(query, callee))
            .or_else(|| functions::call(query, callee))
            .or_else(|| receivers::called(query, callee))
    }

    fn expected_by_call(
        &self,
        query: &Query<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        library::expected(query, callee, args, index)
            .or_else(|| promises::expected(query, callee, index))
            .or_else(|| components::expected(query, callee, index))
            .or_else(|| components::in_template(query, callee, index))
    }

    fn functional_param(
        &self,
        query: &Query<'_>,
        _file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        containers::given_param(of, index).or_else(|| components::given(query, of, index))
    }

    fn type_of_missing(&self, _query: &Query<'_>, receiver: &Ty, name: &str) -> Option<Typed> {
        // What instances of a class have.
        match receiver {
            Ty::Type(def, args) if name == "prototype" => {
                Some(Typed::sure(Ty::Instance(*def, args.clone())))
            }
            _ => None,
        }
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "RefObject",
            "Dispatch",
            "Context",
            "NamedExoticComponent",
            "Component",
            "PureComponent",
            "Promise",
            "IteratorResult",
            "PromiseSettledResult",
            "string",
            "number",
        ]
    }

    fn containers(&self) -> &'static Table {
        static TABLE: Table = Table::of(&CONTAINERS);
        &TABLE
    }
}

fn is_static(query: &Query<'_>, of: DefRef) -> bool {
    query
        .def(of)
        .is_some_and(|def| def.flags & flag::STATIC != 0)
}

/// What the bases have under the name of members that were found.
fn inherited(query: &Query<'_>, found: &Found) -> Option<Found> {
    let first = *found.defs.first()?;
    let (owner, name) = (query.owner(first)?, query.name_of(first)?);
    let bases = query.extended(&query.parts(owner), &found.env);
    let mut inherited = bases
        .iter()
        .map(|(base, _)| query.member(base, name, space::VALUE, first.file));
    inherited.find(|found| !found.defs.is_empty())
}

/// What an instance gives that says itself how it is iterated; of one that is an iterator as well, the value of
/// its steps.
fn iterated(query: &Query<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    let given = |name: &str| {
        let name = query.workspace.sym(name)?;
        let found = query.member(of, name, space::VALUE, file);
        let function = query.type_of_found(&found);
        (!found.defs.is_empty()).then(|| query.result_of(file, &function.ty, NONE).ty)
    };
    let iterator = given("[Symbol.iterator]").or_else(|| given("[Symbol.asyncIterator]"))?;
    if iterator != *of {
        return containers::unwrap(query, file, &iterator, "iter");
    }
    match given("next")? {
        Ty::External(_, args) => args.first().cloned(),
        _ => None,
    }
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

const CONTAINERS: [Row; 28] = [
    Row("{}", "*", "1", ""),
    Row("[] () Array", "push unshift", "_", "=0"),
    Row("Set WeakSet", "add", "self", "=0"),
    Row("Map WeakMap", "set", "self", "=1"),
    Row("[] () Array ReadonlyArray", "sort toSorted", "self", "0;0"),
    Row(
        "[] () Array ReadonlyArray",
        "filter slice concat reverse toReversed splice flat fill copyWithin",
        "self",
        "0;number",
    ),
    Row("[] () Array ReadonlyArray", "map", "[ret]", "0;number"),
    Row("[] () Array ReadonlyArray", "flatMap", "[flat]", "0;number"),
    Row(
        "[] () Array ReadonlyArray",
        "find findLast pop shift at",
        "0",
        "0;number",
    ),
    Row(
        "[] () Array ReadonlyArray",
        "forEach some every findIndex findLastIndex",
        "_",
        "0;number",
    ),
    Row("[] () Array ReadonlyArray", "reduce reduceRight", "ret", ""),
    Row(
        "[] Array ReadonlyArray Set ReadonlySet Iterable Iterator IterableIterator Generator AsyncIterable AsyncGenerator AsyncIterableIterator ArrayLike",
        "@iter @index values",
        "0",
        "",
    ),
    Row(
        "Iterator IterableIterator Generator AsyncIterator AsyncGenerator AsyncIterableIterator",
        "next",
        "IteratorResult<0>",
        "",
    ),
    Row(
        "IteratorResult IteratorYieldResult PromiseSettledResult PromiseFulfilledResult",
        "value",
        "0",
        "",
    ),
    Row("[] () Array ReadonlyArray", "entries", "[(number,0)]", ""),
    Row("Map WeakMap ReadonlyMap", "get @index", "1", ""),
    Row("Map ReadonlyMap", "values", "[1]", ""),
    Row("Map ReadonlyMap", "keys", "[0]", ""),
    Row("Map ReadonlyMap", "@iter", "(0,1)", ""),
    Row("Map ReadonlyMap", "entries", "[(0,1)]", ""),
    Row("Map ReadonlyMap", "forEach", "_", "1;0"),
    Row("Set ReadonlySet", "forEach", "_", "0;0"),
    Row("Promise PromiseLike", "@await", "0", ""),
    Row("RefObject MutableRefObject", "current", "0", ""),
    Row("AsyncLocalStorage", "getStore", "0", ""),
    Row("WeakRef", "deref", "0", ""),
    Row("Component PureComponent", "props", "0", ""),
    Row("Component PureComponent", "state", "1", ""),
];
