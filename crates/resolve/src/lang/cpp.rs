//! C and C++: namespaces are open, files see what they include, declarations and definitions are one.

mod applied;
mod constness;
mod conversions;
mod doubts;
mod operators;
mod seen;
mod twins;
mod values;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{
    Def, DefId, DefKind, Expr, Literal, NONE, ScopeId, ScopeKind, flag, space,
};

use super::{ClassScope, Policy};
use crate::containers::Table;
use crate::file::File;
use crate::query::{Found, Query};
use crate::ty::{Ty, Typed, no_env, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

pub(crate) use seen::Opened;

pub(crate) struct Cpp;

impl Policy for Cpp {
    fn family(&self) -> u8 {
        8
    }

    fn class_scope(&self) -> ClassScope {
        ClassScope::Members
    }

    fn overloads_are_separate(&self) -> bool {
        true
    }

    fn file_scope_is_global(&self, _file: &File) -> bool {
        true
    }

    fn module(&self, query: &Query<'_>, file: FileNo, name: &str, _level: u8) -> Found {
        match seen::included(query, file, name) {
            Some(file) => Found::typed(Ty::Module(file, 0)),
            None => Found::external(),
        }
    }

    fn star_member(
        &self,
        query: &Query<'_>,
        of: &Ty,
        name: Sym,
        spaces: u8,
        _flags: u32,
    ) -> Option<Found> {
        match of {
            // What files include is seen by where it is, not step by step.
            Ty::Module(..) => Some(Found::nothing()),
            // `using enum`.
            Ty::Type(def, _) => Some(enumerator(query, *def, name, spaces)),
            _ => None,
        }
    }

    fn entry(&self, _query: &Query<'_>, _file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        match of {
            // Pairs and tuples.
            Ty::External(_, args) => args.get(index as usize).cloned(),
            _ => None,
        }
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
        let bound = query.file(file)?;
        let of = bound.scope(scope);
        let path = match of.kind {
            ScopeKind::File => None,
            ScopeKind::Namespace => Some(bound.sym(bound.def(of.owner).name)),
            _ => {
                let own = seen::preferred(query, file, own.to_vec(), spaces);
                return (!own.is_empty()).then(|| Found::defs(own));
            }
        };
        let found = seen::in_namespace(query, file, path, name, spaces, own);
        if !found.is_empty() {
            return Some(found);
        }
        let found = seen::in_stars_of(query, file, path, name, spaces);
        if found.is_empty() && path.is_none() {
            return Some(seen::in_opened(query, file, name, spaces));
        }
        Some(found)
    }

    fn can_mean(&self, query: &Query<'_>, from: FileNo, of: DefRef, spaces: u8) -> bool {
        !seen::is_hidden_tag(query, from, of, spaces)
    }

    fn in_namespace(
        &self,
        query: &Query<'_>,
        from: FileNo,
        path: Sym,
        name: Sym,
        spaces: u8,
    ) -> Option<Found> {
        let found = seen::in_namespace(query, from, Some(path), name, spaces, &[]);
        if !found.is_empty() {
            return Some(found);
        }
        Some(seen::in_stars_of(query, from, Some(path), name, spaces))
    }

    fn in_container(
        &self,
        query: &Query<'_>,
        file: FileNo,
        function: DefId,
        name: Sym,
        spaces: u8,
    ) -> Found {
        let Some(container) = query.file(file).map(|bound| bound.def(function).container) else {
            return Found::nothing();
        };
        let at = ExprRef {
            file,
            expr: container,
        };
        if let Ty::Instance(def, args) = query.denotes(at).ty {
            let found = query.member_of_type(def, &args, name, spaces);
            if !found.is_empty() {
                return found;
            }
            let found = in_classes_around(query, def, name, spaces);
            if !found.is_empty() || is_parameter(query, file, function, name) {
                return found;
            }
            return in_namespaces_around(query, file, def, name, spaces);
        }
        if let Ty::Namespace(path) = query.type_of(at).ty {
            let found = self.in_namespace(query, file, path, name, spaces);
            return found.unwrap_or_else(Found::nothing);
        }
        Found::nothing()
    }

    fn of_form(&self, query: &Query<'_>, at: ExprRef, found: Found) -> Found {
        applied::of_form(query, at, found)
    }

    fn chooses_by_receiver(&self) -> bool {
        true
    }

    fn of_receiver(&self, query: &Query<'_>, at: ExprRef, defs: Vec<DefRef>) -> Vec<DefRef> {
        constness::chosen(query, at, defs)
    }

    fn of_values(&self, query: &Query<'_>, defs: Vec<DefRef>, given: &[ExprRef]) -> Vec<DefRef> {
        constness::of_arguments(query, values::chosen(query, defs, given), given)
    }

    fn may_mean_another(&self, query: &Query<'_>, at: ExprRef, found: &Found, of: DefRef) -> bool {
        doubts::are_there(query, at, found, of)
    }

    fn find_name(&self, query: &Query<'_>, at: ExprRef, name: Sym) -> Found {
        let base = injected(query, at, name);
        if base.is_empty() {
            by_arguments(query, at, name)
        } else {
            base
        }
    }

    fn this_outside(&self, query: &Query<'_>, file: FileNo, scope: ScopeId) -> Typed {
        let Some(bound) = query.file(file) else {
            return Typed::unknown();
        };
        for id in query.scopes_up(bound, scope) {
            let scope = bound.scope(id);
            if scope.kind != ScopeKind::Function || scope.owner == NONE {
                continue;
            }
            let container = bound.def(scope.owner).container;
            if container != NONE {
                return query.denotes(ExprRef {
                    file,
                    expr: container,
                });
            }
        }
        Typed::unknown()
    }

    fn other_member(
        &self,
        query: &Query<'_>,
        of: &Ty,
        name: Sym,
        spaces: u8,
        _from: FileNo,
    ) -> Found {
        let (Ty::Type(def, _) | Ty::Instance(def, _)) = of else {
            return Found::nothing();
        };
        // A class has its own name as a member.
        if spaces & space::TYPE != 0 && query.name_of(*def) == Some(name) {
            return Found::defs(vec![*def]);
        }
        let is_enum = query.def(*def).is_some_and(|def| def.kind == DefKind::Enum);
        if is_enum {
            return enumerator(query, *def, name, spaces);
        }
        Found::nothing()
    }

    fn is_one_type(
        &self,
        _file: &File,
        a: DefRef,
        a_def: &Def,
        b: DefRef,
        b_def: &Def,
        query: &Query<'_>,
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
            && twins::is_meant(query, (a, a_def), (b, b_def))
    }

    fn best_of(&self, query: &Query<'_>, defs: Vec<DefRef>) -> Vec<DefRef> {
        seen::woken(query, defs)
    }

    fn more_parts(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        twins::nested(query, of)
    }

    fn overrides(&self, query: &Query<'_>, _derived: DefRef, base: DefRef) -> bool {
        let Some(def) = query.def(base) else {
            return false;
        };
        def.flags & (flag::OVERRIDE | flag::ABSTRACT) != 0
            || query
                .deeper(|| !query.overridden(base).is_empty())
                .unwrap_or(false)
    }

    fn meant(&self, query: &Query<'_>, declaration: DefRef, of: &[DefRef]) -> DefRef {
        seen::meant(query, declaration.file, of).unwrap_or(declaration)
    }

    fn outer_params(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        let Some(bound) = query.file(of.file) else {
            return Vec::new();
        };
        let scopes = query.scopes_up(bound, bound.def(of.def).scope);
        let classes = scopes.filter_map(|id| {
            let scope = bound.scope(id);
            (scope.kind == ScopeKind::Class && scope.owner != NONE).then_some(scope.owner)
        });
        let params = classes.flat_map(|class| bound.type_params(class));
        params.map(|def| DefRef { file: of.file, def }).collect()
    }

    fn closeness(&self, query: &Query<'_>, expected: &Ty, actual: &Ty) -> Option<i32> {
        Some(conversions::closeness(query, expected, actual))
    }

    fn literal_type(&self, query: &Query<'_>, of: Literal) -> Option<Ty> {
        let name = query.workspace.sym("char");
        (of == Literal::Text).then(|| Ty::Pointer(Ty::External(name, none()).into()))
    }

    fn lists_overridden(&self) -> bool {
        true
    }

    fn indexes_pointers(&self) -> bool {
        true
    }

    fn unwrapped_instance(
        &self,
        query: &Query<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        operators::unwrapped(query, file, of, how)
    }

    fn operator(
        &self,
        query: &Query<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        operators::applied(query, file, operator, left, right)
    }

    fn type_of_call(
        &self,
        query: &Query<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        operators::known_call(query, at, callee, args)
    }

    fn denoted_apply(&self, query: &Query<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let name = query.file(of.file)?.head_name(of.expr)?;
        match query.workspace.text(name) {
            "function" | "move_only_function" if query.find(of).is_empty() => {
                Some(Typed::sure(args.first()?.clone()))
            }
            // A pointer to an array is indexed: it holds the elements.
            "unique_ptr" | "shared_ptr" if query.find(of).is_empty() => match args.first()? {
                Ty::Array(of) => {
                    let args = [(**of).clone()]
                        .into_iter()
                        .chain(args[1..].iter().cloned());
                    Some(Typed::sure(Ty::External(Some(name), args.collect())))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn denoted_outside(&self, query: &Query<'_>, at: ExprRef) -> Option<Typed> {
        operators::nested_type(query, at)
    }

    fn class_names_itself(&self, query: &Query<'_>, file: FileNo) -> bool {
        query.workspace.dialect(file) == Some(Dialect::Cpp)
    }

    fn type_of_def(&self, query: &Query<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        match def.kind {
            DefKind::EnumMember if def.ty != NONE => Some(query.denotes(ExprRef {
                file: at.file,
                expr: def.ty,
            })),
            // What a macro's text gives, or a call of it.
            DefKind::Macro if def.value != NONE && def.flags & flag::GETTER == 0 => {
                Some(Typed::sure(Ty::Function([at].into(), no_env())))
            }
            DefKind::Macro if def.value != NONE => Some(
                query
                    .type_of(ExprRef {
                        file: at.file,
                        expr: def.value,
                    })
                    .and(false),
            ),
            // A template's parameter that is a value.
            DefKind::TypeParam if def.spaces == space::VALUE => Some(query.denotes(ExprRef {
                file: at.file,
                expr: def.ty,
            })),
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

    fn call_member(&self) -> &'static str {
        "operator()"
    }

    fn twins(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        twins::twins(query, of)
    }

    fn containers(&self) -> &'static Table {
        static TABLE: Table = Table::of(&operators::CONTAINERS);
        &TABLE
    }
}

/// The members of an enum are beside it.
fn enumerator(query: &Query<'_>, of: DefRef, name: Sym, spaces: u8) -> Found {
    let (Some(bound), Some(def)) = (query.file(of.file), query.def(of)) else {
        return Found::nothing();
    };
    let Some(local) = bound.local(name) else {
        return Found::nothing();
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
    Found::defs(found.collect())
}

/// A name in the classes that a class is nested in.
fn in_classes_around(query: &Query<'_>, of: DefRef, name: Sym, spaces: u8) -> Found {
    const DEEPEST: u32 = 8;
    let mut class = of;
    for _ in 0..DEEPEST {
        let Some(outer) = query.owner(class) else {
            break;
        };
        let found = query.member_of_own_type(outer, name, spaces);
        if !found.is_empty() {
            return found;
        }
        class = outer;
    }
    Found::nothing()
}

/// Whether a name is that of a template's parameter where something is defined: what namespaces have comes after.
fn is_parameter(query: &Query<'_>, file: FileNo, of: DefId, name: Sym) -> bool {
    let Some(bound) = query.file(file) else {
        return false;
    };
    let Some(local) = bound.local(name) else {
        return false;
    };
    let headers = query
        .scopes_up(bound, bound.def(of).inner)
        .filter(|scope| bound.scope(*scope).kind == ScopeKind::Header);
    headers
        .into_iter()
        .any(|scope| bound.defs_in(scope, local).next().is_some())
}

/// A name in the namespaces around a class, the global one excepted: that one is around every place.
fn in_namespaces_around(
    query: &Query<'_>,
    from: FileNo,
    of: DefRef,
    name: Sym,
    spaces: u8,
) -> Found {
    const DEEPEST: usize = 16;
    let mut around = namespace_around(query, of);
    for _ in 0..DEEPEST {
        let Some(path) = around else {
            break;
        };
        let mut found = seen::in_namespace(query, from, Some(path), name, spaces, &[]);
        if found.is_empty() {
            found = seen::in_stars_of(query, from, Some(path), name, spaces);
        }
        if !found.is_empty() {
            return found;
        }
        let outer = query.workspace.text(path).rsplit_once('.');
        around = outer.and_then(|(outer, _)| query.workspace.sym(outer));
    }
    Found::nothing()
}

/// In a class its own name and those of its bases mean them, wherever they are declared; of a template whose members
/// are written outside those of its specialisations' bases as well.
fn injected(query: &Query<'_>, at: ExprRef, name: Sym) -> Found {
    const MOST: usize = 32;
    let Expr::Name { scope, spaces, .. } = query.expr(at) else {
        return Found::nothing();
    };
    if spaces & space::TYPE == 0 {
        return Found::nothing();
    }
    let mut open = vec![query.this(at.file, scope).ty];
    let (mut seen, mut special_bases) = (Vec::new(), Vec::new());
    while let Some(ty) = open.pop() {
        let Ty::Instance(def, args) = ty else {
            continue;
        };
        if seen.contains(&def) || seen.len() >= MOST {
            continue;
        }
        if query.name_of(def) == Some(name) {
            return Found::defs(vec![def]);
        }
        seen.push(def);
        let bases = query.bases(&query.parts(def), &query.env_of(def, &args));
        open.extend(bases.into_iter().map(|(base, _)| base));
        if seen.len() == 1 {
            let special = doubts::specialisations(query, def);
            let bases = special.flat_map(|of| query.bases(&query.parts(of), &no_env()));
            special_bases.extend(bases.map(|(base, _)| base));
        }
    }
    let base = special_bases.into_iter().find_map(|base| match base {
        Ty::Instance(def, _) if query.name_of(def) == Some(name) => Some(def),
        _ => None,
    });
    base.map_or_else(Found::nothing, |def| Found::defs(vec![def]).guessed())
}

/// A function that is called without a qualifier is looked for in its arguments' namespaces too.
fn by_arguments(query: &Query<'_>, at: ExprRef, name: Sym) -> Found {
    let Some(call) = query.call_of(at) else {
        return Found::nothing();
    };
    let Expr::Call { args, .. } = query.expr(call) else {
        return Found::nothing();
    };
    let mut found = Vec::new();
    for ty in query.each(at.file, args, |at| query.type_of(at).ty) {
        let mut ty = &ty;
        while let Ty::Pointer(of) = ty {
            ty = of;
        }
        let Ty::Instance(def, _) = ty else {
            continue;
        };
        let Some(path) = namespace_around(query, *def) else {
            continue;
        };
        let more = seen::in_namespace(query, at.file, Some(path), name, space::VALUE, &[]);
        found.extend(more.defs.into_iter().filter(|def| {
            query
                .def(*def)
                .is_some_and(|def| def.kind == DefKind::Function)
        }));
    }
    found.dedup();
    Found::defs(found).guessed()
}

/// The path of the namespace that a definition is in.
fn namespace_around(query: &Query<'_>, of: DefRef) -> Option<Sym> {
    let bound = query.file(of.file)?;
    let mut scopes = query.scopes_up(bound, bound.def(of.def).scope);
    scopes.find_map(|id| {
        let scope = bound.scope(id);
        (scope.kind == ScopeKind::Namespace && scope.owner != NONE)
            .then(|| bound.sym(bound.def(scope.owner).name))
    })
}
