//! Rust: crates and their trees of modules, `impl`s, traits, what the standard library's types hold.

mod adapters;
mod arguments;
mod blanket;
mod builtins;
mod holes;
mod matched;
mod members;
mod modules;
mod projections;
mod selves;
mod tables;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, Literal, NONE, Role, ScopeId, space};

use super::{Policy, Relates};
use crate::containers::Table;
use crate::file::File;
use crate::lookup::Sought;
use crate::query::{Found, Query};
use crate::ty::{Ty, Typed, no_env, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

pub(crate) use blanket::ForAll;

pub(crate) struct Rust;

impl Policy for Rust {
    fn family(&self) -> u8 {
        21
    }

    fn modules_are_closed(&self) -> bool {
        true
    }

    fn module(&self, query: &Query<'_>, file: FileNo, name: &str, level: u8) -> Found {
        modules::module(query, file, name, level)
    }

    fn globals(&self, query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Found {
        if spaces & space::MACRO != 0 {
            let found = modules::macros(query, file, name);
            if !found.is_empty() {
                return found;
            }
        }
        if spaces & space::NAMESPACE != 0 {
            return modules::named_crate(query, file, query.workspace.text(name));
        }
        Found::nothing()
    }

    fn star_leaves_module(&self, _flags: u32) -> bool {
        true
    }

    fn other_module_member(
        &self,
        query: &Query<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Sym,
        spaces: u8,
    ) -> Found {
        if query.workspace.text(name) == "super" {
            return modules::parent_of(query, file, scope);
        }
        if spaces & space::MACRO != 0 {
            return modules::macros(query, file, name);
        }
        Found::nothing()
    }

    fn type_of_def(&self, query: &Query<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        if def.kind != DefKind::Module || def.inner != NONE {
            return holes::filled(query, at, def);
        }
        let found = query.find(ExprRef {
            file: at.file,
            expr: def.value,
        });
        Some(query.type_of_found(&found))
    }

    fn beside_own(&self, query: &Query<'_>, own: &[DefRef], spaces: u8) -> u8 {
        // A function that is brought in may have the name of a module.
        let is_module = |of: &DefRef| {
            query
                .def(*of)
                .is_some_and(|def| def.kind == DefKind::Module)
        };
        match own {
            [] => spaces,
            _ if own.iter().all(is_module) => spaces & (space::VALUE | space::MACRO),
            _ => 0,
        }
    }

    fn of_form(&self, query: &Query<'_>, at: ExprRef, found: Found) -> Found {
        modules::without_hidden(query, at.file, found)
    }

    fn of_token(&self, query: &Query<'_>, at: ExprRef, found: Found) -> Found {
        by_value(query, at, found)
    }

    fn imports_by_space(&self) -> bool {
        true
    }

    fn find_name(&self, query: &Query<'_>, at: ExprRef, name: Sym) -> Found {
        members::of_macro(query, at, name)
    }

    fn find_member(&self, query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
        members::find(query, at, receiver)
    }

    fn other_member(
        &self,
        query: &Query<'_>,
        of: &Ty,
        name: Sym,
        spaces: u8,
        from: FileNo,
    ) -> Found {
        members::behind(query, of, name, spaces, from)
    }

    fn member_of_param(
        &self,
        query: &Query<'_>,
        of: DefRef,
        name: Sym,
        spaces: u8,
        _from: FileNo,
    ) -> Found {
        blanket::member(query, &Ty::Param(of), name, spaces)
    }

    fn member_of_function(&self, query: &Query<'_>, of: DefRef, name: Sym, spaces: u8) -> Found {
        let function = Ty::Function([of].into(), no_env());
        let found = blanket::member(query, &function, name, spaces);
        if found.is_empty() {
            return Found::external();
        }
        found
    }

    fn member_of_external(
        &self,
        query: &Query<'_>,
        of: &Ty,
        name: Sym,
        spaces: u8,
        _from: FileNo,
    ) -> Option<Found> {
        members::of_external(query, of, name, spaces)
    }

    fn call_of_instance(&self, query: &Query<'_>, _file: FileNo, of: &Ty, _args: u32) -> Typed {
        // `Variant(…)` is of the enum.
        let is_enum = matches!(of, Ty::Instance(def, _) if query
            .def(*def)
            .is_some_and(|def| def.kind == DefKind::Enum));
        if is_enum {
            return Typed::sure(of.clone());
        }
        Typed::unknown()
    }

    fn type_of_call(
        &self,
        query: &Query<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        builtins::call(query, at.file, callee, args)
    }

    fn as_container(&self, query: &Query<'_>, _file: FileNo, of: &Ty) -> Option<Ty> {
        members::as_container(query, of)
    }

    fn bounding_function(&self, query: &Query<'_>, of: &Ty) -> Option<Ty> {
        members::bounding_function(query, of)
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

    fn relates_uses(&self) -> Relates {
        // A call by the trait means any implementation, or one of another crate: language servers list it with
        // the trait's method alone.
        Relates::Below
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

    fn unwrapped_instance(
        &self,
        query: &Query<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        query
            .deeper(|| members::unwrapped(query, file, of, how))
            .flatten()
    }

    fn functional_param(&self, query: &Query<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        members::given(query, file, of, index)
    }

    fn expected_argument(
        &self,
        query: &Query<'_>,
        receiver: &Ty,
        member: &str,
        _index: u32,
    ) -> Option<Ty> {
        // What is kept for each thread is lent to a closure.
        let lends = matches!(
            member,
            "with" | "try_with" | "with_borrow" | "with_borrow_mut" | "with_mut"
        );
        let Ty::Instance(def, args) = receiver else {
            return None;
        };
        let name = query.workspace.sym(member).filter(|_| lends)?;
        let found = query.member_of_type(*def, args, name, space::VALUE);
        found
            .defs
            .is_empty()
            .then(|| Ty::External(None, [receiver.clone()].into()))
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

    fn literal_type(&self, query: &Query<'_>, of: Literal) -> Option<Ty> {
        let byte = || Ty::External(query.workspace.sym("u8"), none());
        (of == Literal::Bytes).then(|| Ty::array(byte()))
    }

    fn denoted_index(&self, query: &Query<'_>, file: FileNo, of: u32, _by: u32) -> Option<Typed> {
        // What a pattern says that a value is.
        Some(query.denotes(ExprRef { file, expr: of }))
    }

    fn denoted_apply(&self, query: &Query<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        let name = query.file(of.file)?.head_name(of.expr)?;
        let is_outside = || {
            query
                .find(of)
                .defs
                .iter()
                .all(|def| is_outside(query, *def))
        };
        let name = query.workspace.text(name);
        // What is reached through a pointer without being asked for.
        if POINTERS.contains(&name) {
            let held = args.last().filter(|_| is_outside())?;
            return Some(Typed::sure(held.clone()));
        }
        let adapted = adapters::denoted(query, of.file, name, args)?;
        is_outside().then(|| Typed::sure(adapted))
    }

    fn associated_type(&self, _query: &Query<'_>, at: DefRef) -> Option<Typed> {
        Some(Typed::sure(Ty::Param(at)))
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
        a_def.kind.is_type() && b_def.kind.is_type()
    }

    fn twins(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        modules::twins(query, of)
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "Option", "Result", "Entry", "Vec", "str", "i32", "f64", "bool", "char", "u8", "usize",
            "Poll", "String",
        ]
    }

    fn containers(&self) -> &'static Table {
        static TABLE: Table = Table::of(&tables::CONTAINERS);
        &TABLE
    }
}

/// Types that are no more than a way to another one.
const POINTERS: [&str; 20] = [
    "Box",
    "Rc",
    "Arc",
    "Cow",
    "Pin",
    "Ref",
    "RefMut",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "ManuallyDrop",
    "LazyLock",
    "Lazy",
    "LazyCell",
    "NonNull",
    "Reverse",
    "Wrapping",
    "Saturating",
    "Unique",
    "CachePadded",
];

/// A name among the tokens of a macro that leads to a type alone: a value that is seen by that name, if there is one, is
/// as likely meant.
fn by_value(query: &Query<'_>, at: ExprRef, found: Found) -> Found {
    let (
        Some(bound),
        Expr::Name {
            name,
            scope,
            at: place,
            role,
            spaces: space::ANY,
        },
    ) = (query.file(at.file), query.expr(at))
    else {
        return found;
    };
    let is_type = |of: &DefRef| {
        let def = query.def(*of);
        def.is_some_and(|def| def.kind.is_type() && def.spaces & space::VALUE == 0)
    };
    if role == Role::Import || found.defs.is_empty() || !found.defs.iter().all(is_type) {
        return found;
    }
    let sought = Sought::any(bound.sym(name), place, space::VALUE);
    let value = query.lookup(at.file, scope, sought);
    if value.defs.is_empty() {
        return found;
    }
    value.guessed()
}

/// Whether a file is of this language.
fn is_rust(query: &Query<'_>, file: FileNo) -> bool {
    query.workspace.dialect(file) == Some(Dialect::Rust)
}

/// Whether a definition stands for something outside.
fn is_outside(query: &Query<'_>, def: DefRef) -> bool {
    let followed = query.follow(def);
    followed.ends.is_empty() && followed.external
}

/// The last name of what is called.
fn called_name<'w>(query: &Query<'w>, callee: ExprRef) -> Option<&'w str> {
    let bound = query.file(callee.file)?;
    match bound.expr(callee.expr) {
        Expr::Name { name, .. } | Expr::Member { name, .. } => {
            Some(query.workspace.text(bound.sym(name)))
        }
        _ => None,
    }
}
