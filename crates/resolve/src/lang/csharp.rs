//! C#: open namespaces seen from inside out, partial types, extension methods, attributes by half their name.

use codecortex_bind::facts::{Def, DefKind, Expr, Literal, NONE, ScopeId, ScopeKind, flag, space};

use super::{ClassScope, Policy};
use crate::containers::{self, Table};
use crate::file::File;
use crate::overloads::Fit;
use crate::query::{Found, Query};
use crate::ty::{Ty, Typed, no_env, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

mod conversions;
mod extensions;
mod functions;
mod library;
mod usings;
mod values;

pub(crate) use extensions::Homes;

pub(crate) struct CSharp;

/// Operators' own space of names, that of macros elsewhere.
const OPERATOR: u8 = space::MACRO;

impl Policy for CSharp {
    fn uses_constructors(&self) -> bool {
        true
    }

    fn family(&self) -> u8 {
        22
    }

    fn class_scope(&self) -> ClassScope {
        ClassScope::Members
    }

    fn walks_out_of_namespaces(&self) -> bool {
        true
    }

    fn private_is_of_type(&self) -> bool {
        true
    }

    fn overloads_are_separate(&self) -> bool {
        true
    }

    fn types_differ_by_arity(&self) -> bool {
        true
    }

    fn members_come_first(&self) -> bool {
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

    fn hides_directives(&self) -> bool {
        true
    }

    /// What says `override` replaces a member of a class; what is public and has the name and shape of an interface's
    /// member implements it where its type names the interface itself, unless that has another one that says so. What a
    /// base class has of an interface stays the base class's. An interface's member replaces nothing, and nothing
    /// overrides an explicit implementation.
    fn overrides(&self, query: &Query<'_>, derived: DefRef, base: DefRef) -> bool {
        let (Some(def), Some(owner), Some(of)) =
            (query.def(derived), query.owner(derived), query.owner(base))
        else {
            return true;
        };
        if !is_interface(query, of) {
            let is_explicit = |def: &Def| def.flags & flag::EXPLICIT != 0;
            return def.flags & flag::OVERRIDE != 0 && !query.def(base).is_some_and(is_explicit);
        }
        let Some(name) = query.name_of(base) else {
            return false;
        };
        let said = query.explicit_implementations(of, name);
        if def.flags & flag::EXPLICIT != 0 {
            return said.contains(&derived);
        }
        let is_said = said
            .iter()
            .any(|other| query.owner(*other) == Some(owner) && query.same_params(*other, derived));
        let is_public = def.flags & (flag::PRIVATE | flag::PROTECTED | flag::INTERNAL) == 0;
        is_public && !is_interface(query, owner) && !is_said && names_interface(query, owner, of)
    }

    /// Interfaces after the class: a class has the members of its base, whichever part names that.
    fn order_bases(&self, query: &Query<'_>, _of: DefRef, bases: &mut Vec<(Ty, bool)>) {
        bases.sort_by_key(|(base, _)| match base {
            Ty::Instance(of, _) | Ty::Type(of, _) => is_interface(query, *of),
            _ => false,
        });
    }

    fn is_static_outside(&self, of: &str, member: &str) -> bool {
        library::is_static(of, member)
    }

    fn tells_types_by_members(&self) -> bool {
        true
    }

    fn chooses_by_types(&self) -> bool {
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

    fn is_top_type(&self, name: &str) -> bool {
        matches!(name, "object" | "Object" | "dynamic")
    }

    fn aliases_write_both(&self) -> bool {
        true
    }

    fn documentation_inherits(&self) -> bool {
        false
    }

    fn takes_only(&self, of: &str, is_last: bool) -> bool {
        functions::takes_only(of, is_last)
    }

    fn holds_constant(&self, takes: &str, actual: &str) -> bool {
        conversions::holds_constant(takes, actual)
    }

    fn is_value_type(&self, name: &str) -> bool {
        conversions::is_value(name)
    }

    fn arrays_are_sequences(&self) -> bool {
        true
    }

    fn outside_fit(&self, takes: &str, actual: &str) -> Fit {
        conversions::fit(takes, actual)
    }

    fn functional_arity(&self, query: &Query<'_>, of: &Ty) -> Option<Option<usize>> {
        functions::arity(query, of)
    }

    fn functional_param(
        &self,
        query: &Query<'_>,
        _file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        functions::param(query, of, index)
    }

    fn functional_result(&self, query: &Query<'_>, of: &Ty) -> Option<Ty> {
        functions::result(query, of)
    }

    fn call_of_instance(&self, query: &Query<'_>, _file: FileNo, of: &Ty, _args: u32) -> Typed {
        functions::result(query, of).map_or_else(Typed::unknown, Typed::sure)
    }

    fn extension_distance(&self, query: &Query<'_>, def: DefRef, from: FileNo) -> Option<u32> {
        extensions::distance(query, def, from)
    }

    /// Of overloads that differ by what they take where nothing is known of an argument, any may be meant.
    fn may_mean_another(&self, query: &Query<'_>, at: ExprRef, found: &Found, of: DefRef) -> bool {
        const FEW: std::ops::RangeInclusive<usize> = 2..=100;
        let call = query.call_of(at);
        let is_one_of_several = FEW.contains(&found.defs.len());
        call.filter(|_| is_one_of_several)
            .is_some_and(|call| query.is_guessed(of, &found.defs, &found.env, call))
    }

    fn attribute_ending(&self) -> &'static str {
        "Attribute"
    }

    /// `global::Name`.
    fn module(&self, query: &Query<'_>, file: FileNo, name: &str, _level: u8) -> Found {
        let Some(name) = query.workspace.sym(name) else {
            return Found::external();
        };
        let found = self.of_the_root(query, name, space::TYPE | space::NAMESPACE);
        let _ = file;
        if found.is_empty() {
            return Found::external();
        }
        found
    }

    fn globals(&self, query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Found {
        let found = self.of_the_root(query, name, spaces & !space::NAMESPACE);
        if !found.is_empty() {
            return found;
        }
        let found = usings::global_usings(query, file, name, spaces);
        if !found.is_empty() {
            return found;
        }
        self.of_the_root(query, name, spaces)
    }

    fn file_scope_is_global(&self, _file: &File) -> bool {
        true
    }

    /// What other files have in the same namespace counts as much as what this one has: types of one name
    /// may differ in their parameters.
    fn in_open_scope(
        &self,
        query: &Query<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Sym,
        spaces: u8,
        own: &[DefRef],
    ) -> Option<Found> {
        let are_types = |def: &DefRef| query.def(*def).is_some_and(|def| def.kind.is_type());
        if own.is_empty() || !own.iter().all(are_types) {
            return None;
        }
        let bound = query.file(file)?;
        let place = bound.scope(scope);
        let all = if scope == 0 {
            self.of_the_root(query, name, spaces & !space::NAMESPACE)
        } else if place.kind == ScopeKind::Namespace && place.owner != NONE {
            let path = bound.sym(bound.def(place.owner).name);
            query.namespace_member(self.family(), path, name, spaces & !space::NAMESPACE)
        } else {
            return None;
        };
        (!all.is_empty()).then_some(all)
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
            // Namespaces in a namespace are not brought in with it.
            Ty::Namespace(path) => {
                Some(query.namespace_member(self.family(), *path, name, spaces & !space::NAMESPACE))
            }
            _ => None,
        }
    }

    fn is_one_type(
        &self,
        file: &File,
        a: DefRef,
        a_def: &Def,
        b: DefRef,
        b_def: &Def,
        query: &Query<'_>,
    ) -> bool {
        let arity = |of: DefRef| {
            query
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
    fn more_parts(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(name)) = (query.file(of.file), query.name_of(of)) else {
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
            let bound = query.file(part.file)?;
            let inner = bound.def(part.def).inner;
            let local = bound.local(name).filter(|_| inner != NONE)?;
            let defs = bound.defs_in(inner, local);
            Some(defs.map(move |def| DefRef {
                file: part.file,
                def,
            }))
        };
        let parts = query.same_types(outer).into_iter();
        parts.filter_map(in_part).flatten().collect()
    }

    fn constructors(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        let parts = query.parts(of);
        let mut found = Vec::new();
        for (file, scope) in &parts.scopes {
            let Some(bound) = query.file(*file) else {
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
    fn find_member(&self, query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
        let of = match query.expr(at) {
            Expr::Member { of, spaces: 0, .. } => ExprRef { expr: of, ..at },
            _ => return extensions::instead(query, at, receiver),
        };
        let call = match query.expr(of) {
            Expr::New { .. } => of,
            _ => query.call_of(of)?,
        };
        let (Expr::New { args, .. } | Expr::Call { args, .. }) = query.expr(call) else {
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
        let all: Vec<DefRef> = made.flat_map(|def| self.constructors(query, def)).collect();
        if all.is_empty() {
            // Nobody has written it.
            return Some(Found::external());
        }
        Some(Found::defs(query.choose(at.file, &all, &no_env(), args)))
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
        query: &Query<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=") {
            return query.type_of_literal(file, Literal::Boolean);
        }
        let of = |expr| query.type_of(ExprRef { file, expr });
        let (left, right) = (of(left), of(right));
        if let Some(name) = query.workspace.sym(operator) {
            for side in [&left.ty, &right.ty] {
                let Ty::Instance(..) = side else { continue };
                let found = query.member(side, name, OPERATOR, file);
                if let Some(def) = found.defs.first() {
                    let result = query.declared_result(*def);
                    return Typed::guess(result.ty.with(&found.env));
                }
            }
        }
        let is_text = |ty: &Ty| named(query, ty) == "string";
        if operator == "+" && (is_text(&left.ty) || is_text(&right.ty)) {
            return query.type_of_literal(file, Literal::Text);
        }
        if left.ty.is_external() && right.ty.is_external() {
            let wider = conversions::wider(named(query, &left.ty), named(query, &right.ty));
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
        query: &Query<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        let found = query.find(callee);
        let may_be_meant = |def: &DefRef| {
            !query.is_extension(*def) || query.can_take(*def, &found.env, callee, args)
        };
        if found.ty.is_some() || found.defs.iter().any(may_be_meant) {
            return None;
        }
        library::call(query, at.file, callee, args)
    }

    fn type_of_missing(&self, query: &Query<'_>, receiver: &Ty, name: &str) -> Option<Typed> {
        match (receiver, name) {
            // A nullable value is what it holds.
            (Ty::Instance(..) | Ty::Param(_), "Value") => Some(Typed::guess(receiver.clone())),
            (Ty::External(..), "Value") => library::held(query, receiver).map(Typed::guess),
            _ => {
                let number: usize = name.strip_prefix("Item")?.parse().ok()?;
                let element = element(query, receiver, number.checked_sub(1)?)?;
                Some(Typed::guess(element))
            }
        }
    }

    fn expected_argument(
        &self,
        query: &Query<'_>,
        receiver: &Ty,
        member: &str,
        index: u32,
    ) -> Option<Ty> {
        library::expected(query, receiver, member, index)
    }

    fn entry(&self, query: &Query<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        match of {
            Ty::Object(..) => element(query, of, index as usize),
            Ty::Instance(def, args) => values::taken_apart(query, file, of, *def, args, index),
            Ty::External(_, args) if named(query, of) == "KeyValuePair" => {
                args.get(index as usize).cloned()
            }
            _ => None,
        }
    }

    fn unwrapped_instance(
        &self,
        query: &Query<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        let own = match how {
            "iter" => values::element(query, file, of),
            "index" => values::member_type(query, file, of, "this"),
            "await" => values::awaited(query, file, of),
            _ => None,
        };
        own.or_else(|| {
            let bases = query.outside_bases(of);
            let known = bases.iter().filter(|base| !named(query, base).is_empty());
            known
                .filter_map(|base| containers::unwrap(query, file, base, how))
                .find(|ty| *ty != Ty::external())
        })
    }

    fn iterated_map(&self, of: &(Ty, Ty)) -> Ty {
        Ty::Tuple([of.0.clone(), of.1.clone()].into())
    }

    fn twins(&self, query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
        let (Some(def), Some(owner), Some(name)) =
            (query.def(of), query.owner(of), query.name_of(of))
        else {
            return Vec::new();
        };
        if def.flags & flag::PARTIAL == 0 || def.kind.is_type() {
            return Vec::new();
        }
        let mut parts = query.own_members(&query.parts(owner), name, def.spaces);
        parts.retain(|other| {
            let is_part = |found: &Def| found.flags & flag::PARTIAL != 0;
            query.def(*other).is_some_and(is_part) && query.arity(*other) == query.arity(of)
        });
        parts
    }

    fn words(&self) -> &'static [&'static str] {
        &library::WORDS
    }

    /// What an asynchronous lambda gives is a task.
    fn result(&self, query: &Query<'_>, at: DefRef, def: &Def) -> Option<Typed> {
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
                if values::gives_nothing(query, value) {
                    vec![]
                } else {
                    vec![query.type_of(value).ty]
                }
            }
        };
        Some(Typed::guess(outside(query, "Task", args)))
    }

    fn containers(&self) -> &'static Table {
        static TABLE: Table = Table::of(&library::ROWS);
        &TABLE
    }
}

impl CSharp {
    /// Types in no namespace, and outermost namespaces.
    fn of_the_root(&self, query: &Query<'_>, name: Sym, spaces: u8) -> Found {
        let defs = query.workspace.globals(name).iter().copied();
        let defs = defs.filter(|def| {
            let is_wanted = |def: &Def| def.kind.is_type() && def.spaces & spaces != 0;
            // Looking at a definition reads the bindings of its file.
            query.policy(def.file).family() == self.family()
                && query.def(*def).is_some_and(is_wanted)
        });
        let defs: Vec<DefRef> = defs.collect();
        if !defs.is_empty() {
            return Found::defs(defs);
        }
        if spaces & space::NAMESPACE != 0 && query.is_namespace(self.family(), name) {
            return Found::typed(Ty::Namespace(name));
        }
        Found::nothing()
    }
}

/// Whether an interface is among those that a type itself names, or one of their bases.
fn names_interface(query: &Query<'_>, ty: DefRef, interface: DefRef) -> bool {
    let bases = query.bases(&query.parts(ty), &no_env());
    bases.iter().any(|(base, _)| match base {
        Ty::Instance(of, _) | Ty::Type(of, _) => {
            is_interface(query, *of) && query.is_subtype(*of, interface)
        }
        _ => false,
    })
}

fn is_interface(query: &Query<'_>, ty: DefRef) -> bool {
    let def = query.def(ty);
    def.is_some_and(|def| def.kind == DefKind::Interface)
}

/// The name of a type from outside.
pub(super) fn named<'w>(query: &Query<'w>, ty: &Ty) -> &'w str {
    match ty {
        Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
            query.workspace.text(*name)
        }
        _ => "",
    }
}

/// An element of a tuple, from 0, whatever it is called.
fn element(query: &Query<'_>, of: &Ty, index: usize) -> Option<Ty> {
    match of {
        Ty::Tuple(parts) => parts.get(index).cloned(),
        Ty::External(_, args) if matches!(named(query, of), "Tuple" | "ValueTuple") => {
            args.get(index).cloned()
        }
        Ty::Object(file, scope, env) => {
            let bound = query.file(*file)?;
            let is_in = |def: &u32| bound.def(*def).scope == *scope;
            let mut elements = (0..bound.defs().len() as u32).filter(is_in);
            let def = elements.nth(index)?;
            Some(query.type_of_def(DefRef { file: *file, def }).ty.with(env))
        }
        _ => None,
    }
}

pub(super) fn outside(query: &Query<'_>, name: &str, args: Vec<Ty>) -> Ty {
    Ty::External(query.workspace.sym(name), args.into())
}

/// The receiver and name of a callee `a.b` or `a.b<T>`.
pub(super) fn receiver(query: &Query<'_>, callee: ExprRef) -> Option<(ExprRef, Sym)> {
    let file = callee.file;
    let plain = match query.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    match query.expr(plain) {
        Expr::Member { of, name, .. } if of != NONE => {
            Some((ExprRef { file, expr: of }, query.file(file)?.sym(name)))
        }
        _ => None,
    }
}

/// A type from outside without arguments.
pub(super) fn plain(query: &Query<'_>, name: &str) -> Ty {
    Ty::External(query.workspace.sym(name), none())
}
