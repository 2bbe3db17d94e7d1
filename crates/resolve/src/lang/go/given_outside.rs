//! Places where a value is given to something from outside of the workspace, which may ask for its methods: an interface
//! that is implemented is not written in Go, and one from outside is not known.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, ExprId, ListId, NONE, Role, space};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{packages, std_interfaces};
use crate::file::BoundFile;
use crate::given_outside::GivenOutside;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::paths::split_path;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// The most places that are collected.
const MAX_PLACES: usize = 20;
/// Types and paths are nested this deep.
const DEEPEST: usize = 16;

/// The places where something from outside may ask for a method.
pub(super) fn places(resolver: &Resolver<'_>, method: DefRef) -> Vec<GivenOutside> {
    let is_method = resolver.kind(method) == Some(DefKind::Method);
    let is_seen = resolver.name(method).starts_with(char::is_uppercase);
    let Some(owner) = resolver.owner(method).filter(|_| is_method && is_seen) else {
        return Vec::new();
    };
    let mut search = Search {
        resolver,
        method,
        has_method: FxHashMap::default(),
        found: Vec::new(),
    };
    for file in files_that_see(resolver, owner) {
        if let Some(bound) = resolver.file(file) {
            resolver.reset_budget();
            search.look_at(file, bound);
        }
        if search.found.len() >= MAX_PLACES {
            break;
        }
    }
    search.found.truncate(MAX_PLACES);
    search.found
}

/// The files of the package of a type, and those that import it.
fn files_that_see(resolver: &Resolver<'_>, owner: DefRef) -> Vec<FileNo> {
    let workspace = resolver.workspace;
    let folder = |file: FileNo| workspace.path(file).map(|path| split_path(path).0);
    let own = folder(owner.file);
    let mut leads: FxHashMap<&str, bool> = FxHashMap::default();
    let mut found = Vec::new();
    for (file, path, dialect) in workspace.paths() {
        if dialect != Dialect::Go || workspace.is_external(file) {
            continue;
        }
        let Some(bound) = resolver.file(file) else {
            continue;
        };
        let mut imports = bound.defs().iter().filter(|def| def.kind == DefKind::Alias);
        let sees = Some(split_path(path).0) == own
            || imports.any(|def| {
                let Expr::Module { name, .. } = bound.expr(def.value) else {
                    return false;
                };
                let path = workspace.text(bound.name(name));
                *leads.entry(path).or_insert_with(|| {
                    let package = packages::imported(resolver, file, path);
                    package.is_some_and(|package| folder(package) == own)
                })
            });
        if sees {
            found.push(file);
        }
    }
    found
}

struct Search<'r, 'w> {
    resolver: &'r Resolver<'w>,
    method: DefRef,
    /// Whether a type has the method, its own or by embedding.
    has_method: FxHashMap<DefRef, bool>,
    found: Vec<GivenOutside>,
}

impl Search<'_, '_> {
    fn look_at(&mut self, file: FileNo, bound: &BoundFile) {
        let parts = parts(bound);
        let at = |expr: ExprId| ExprRef { file, expr };
        let mut before = None;
        for (expr, written) in (0..).zip(bound.exprs()) {
            if let Expr::Call { of, args } = written {
                self.arguments(at(of), (expr, args), bound);
            }
            if !parts.contains(&expr) {
                self.alone(at(expr), before, bound);
                before = Some(expr);
            }
        }
        for def in bound.defs() {
            let has_both = def.ty != NONE && def.value != NONE && !def.kind.is_callable();
            if has_both && self.is_value(at(def.value)) {
                self.meet(at(def.ty), at(def.value), bound);
            }
        }
        for assigned in bound.assignments() {
            if assigned.value != NONE && self.is_value(at(assigned.value)) {
                let asked = self.resolver.type_of(at(assigned.to)).ty;
                self.meet_type(&asked, None, at(assigned.value), bound);
            }
        }
    }

    /// The arguments of a call: of a function from outside, or of one whose parameter is of a type from outside.
    fn arguments(&mut self, callee: ExprRef, (call, args): (ExprId, ListId), bound: &BoundFile) {
        let file = callee.file;
        for (index, expr) in bound.list(args).iter().enumerate() {
            let value = ExprRef { file, expr: *expr };
            if !self.is_value(value) {
                continue;
            }
            let found = self.resolver.find(callee);
            if !(found.external && found.defs.is_empty()) {
                let asked = self.resolver.asked_of_argument(file, call, index as u32).ty;
                self.meet_type(&asked, None, value, bound);
                continue;
            }
            let package = self.package_of(callee, bound);
            // Parameters of the library are interfaces that are known, or may be anything.
            if package.is_some_and(is_of_library)
                && !std_interfaces::is_asked_of_arguments(self.resolver, self.method)
            {
                continue;
            }
            let by = self.path_of(callee.expr, bound);
            let is_sure = package.is_some_and(is_of_library);
            self.put(value, by, is_sure, bound);
        }
    }

    /// A value that stands by itself: what is returned does, and what `_` is declared as, right behind its type.
    fn alone(&mut self, value: ExprRef, before: Option<ExprId>, bound: &BoundFile) {
        if !self.is_value(value) {
            return;
        }
        let Some(place) = place_of(bound, value.expr) else {
            return;
        };
        let around = bound.defs().iter();
        let around =
            around.filter(|def| def.kind.is_callable() && (def.start..def.end).contains(&place));
        let Some(function) = around.min_by_key(|def| def.end - def.start) else {
            let ty = before.filter(|expr| is_type(bound, *expr));
            if let Some(expr) = ty {
                self.meet(ExprRef { expr, ..value }, value, bound);
            }
            return;
        };
        let results = match bound.expr(function.ty) {
            _ if function.ty == NONE => return,
            Expr::Tuple { of } => bound.list(of).to_vec(),
            _ => vec![function.ty],
        };
        let file = value.file;
        let results: Vec<ExprRef> = results
            .iter()
            .map(|expr| ExprRef { file, expr: *expr })
            .collect();
        // It is the result of its own type, then.
        if results.iter().any(|result| {
            let ty = self.resolver.lower_type(*result).ty;
            self.has(&ty)
        }) {
            return;
        }
        for result in results {
            self.meet(result, value, bound);
        }
    }

    /// A value is given where a type is written.
    fn meet(&mut self, written: ExprRef, value: ExprRef, bound: &BoundFile) {
        let asked = self.resolver.lower_type(written).ty;
        self.meet_type(&asked, Some(written.expr), value, bound);
    }

    fn meet_type(
        &mut self,
        asked: &Ty,
        written: Option<ExprId>,
        value: ExprRef,
        bound: &BoundFile,
    ) {
        let (Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _)) = asked else {
            return;
        };
        let resolver = self.resolver;
        let name = resolver.workspace.text(*name);
        if super::tables::PREDECLARED.contains(&name) {
            return; // `any`; the forms that `error` asks for are known
        }
        let package = written.and_then(|expr| {
            self.package_of(
                ExprRef {
                    file: value.file,
                    expr,
                },
                bound,
            )
        });
        let is_known =
            package.is_none_or(|path| std_interfaces::is_meant(name, split_path(path).1));
        if let Some(mut methods) = std_interfaces::wanted_by(name).filter(|_| is_known)
            && package.is_none_or(is_of_library)
            && !methods.any(|(method, _)| method == resolver.name(self.method))
        {
            return;
        }
        let by = written.map_or_else(|| name.to_owned(), |expr| self.path_of(expr, bound));
        self.put(value, by, true, bound);
    }

    fn put(&mut self, value: ExprRef, by: String, is_sure: bool, bound: &BoundFile) {
        let place = place_of(bound, value.expr).map(|at| (value.file, at));
        let found = GivenOutside { by, place, is_sure };
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }

    /// Whether an expression is a value that has the method.
    fn is_value(&mut self, at: ExprRef) -> bool {
        let may_be = matches!(
            self.resolver.expr(at),
            Expr::Name { .. }
                | Expr::Member { .. }
                | Expr::Value { .. }
                | Expr::Pointer { .. }
                | Expr::Deref { .. }
                | Expr::Call { .. }
                | Expr::Index { .. }
                | Expr::Entry { .. }
        );
        may_be && {
            let ty = self.type_of(at);
            matches!(ty, Ty::Instance(..) | Ty::Pointer(_)) && self.has(&ty)
        }
    }

    /// The type of a value; of `(*T)(x)`, which is written as a call, that of the conversion.
    fn type_of(&self, at: ExprRef) -> Ty {
        let part = |expr| ExprRef { expr, ..at };
        if let Expr::Call { of, .. } = self.resolver.expr(at)
            && let Expr::Deref { of } | Expr::Pointer { of } = self.resolver.expr(part(of))
            && let Ty::Type(def, args) = self.resolver.type_of(part(of)).ty
        {
            return Ty::Instance(def, args);
        }
        self.resolver.type_of(at).ty
    }

    fn has(&mut self, ty: &Ty) -> bool {
        let mut ty = ty;
        for _ in 0..DEEPEST {
            match ty {
                Ty::Pointer(of) | Ty::Array(of) => ty = of,
                _ => break,
            }
        }
        let Ty::Instance(def, _) = ty else {
            return false;
        };
        let (resolver, method) = (self.resolver, self.method);
        *self.has_method.entry(*def).or_insert_with(|| {
            let name = resolver.name_of(method);
            name.is_some_and(|name| {
                let found = resolver.member(ty, name, space::ANY, def.file);
                found.defs.contains(&method)
            })
        })
    }

    /// The path of the package that a name from outside is of; none where it is a member of a value.
    fn package_of(&self, written: ExprRef, bound: &BoundFile) -> Option<&'_ str> {
        let mut at = written.expr;
        for _ in 0..DEEPEST {
            at = match bound.expr(at) {
                Expr::Apply { of, .. } | Expr::Pointer { of } => of,
                Expr::Member { of, .. } => match bound.expr(of) {
                    Expr::Name { .. } => of,
                    _ => return None,
                },
                Expr::Name { name, .. } => {
                    let mut named = bound.defs_of(name).map(|def| bound.def(def));
                    let import = named.find(|def| def.kind == DefKind::Alias)?;
                    let Expr::Module { name, .. } = bound.expr(import.value) else {
                        return None;
                    };
                    return Some(self.resolver.workspace.text(bound.name(name)));
                }
                _ => return None,
            };
        }
        None
    }

    /// A name from outside as it is written: `pkg.Register`.
    fn path_of(&self, written: ExprId, bound: &BoundFile) -> String {
        let text = |name| self.resolver.workspace.text(bound.name(name));
        match bound.expr(written) {
            Expr::Apply { of, .. } | Expr::Pointer { of } => self.path_of(of, bound),
            Expr::Member { of, name, .. } => match bound.expr(of) {
                Expr::Name { name: package, .. } => format!("{}.{}", text(package), text(name)),
                _ => text(name).to_owned(),
            },
            Expr::Name { name, .. } => text(name).to_owned(),
            _ => "code".to_owned(),
        }
    }
}

/// Whether a path is of a package of the language's own library: their first parts have no dot.
fn is_of_library(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    !first.contains('.')
}

/// Expressions that are a part of another one, of a definition or an assignment.
fn parts(bound: &BoundFile) -> FxHashSet<ExprId> {
    let mut parts = FxHashSet::default();
    for expr in bound.exprs() {
        match expr {
            Expr::Member { of, .. }
            | Expr::Await { of }
            | Expr::Iter { of, .. }
            | Expr::Entry { of, .. }
            | Expr::Unwrap { of }
            | Expr::Deref { of }
            | Expr::Pointer { of }
            | Expr::Value { of }
            | Expr::TypeOf { of }
            | Expr::Array { of }
            | Expr::Object { of, .. }
            | Expr::ContextualParam { of, .. } => parts.extend([of]),
            Expr::Call { of, args } | Expr::New { of, args } | Expr::Apply { of, args } => {
                parts.insert(of);
                parts.extend(bound.list(args));
            }
            Expr::Index { of, by } => parts.extend([of, by]),
            Expr::Keyword { value, .. } => parts.extend([value]),
            Expr::Operator { left, right, .. } => parts.extend([left, right]),
            Expr::Union { of } | Expr::Tuple { of } => parts.extend(bound.list(of)),
            Expr::Map { key, value } => parts.extend([key, value]),
            _ => {}
        }
    }
    for def in bound.defs() {
        parts.extend([def.ty, def.value, def.container]);
    }
    for assigned in bound.assignments() {
        parts.extend([assigned.to, assigned.value]);
    }
    parts.extend(bound.bases().iter().map(|base| base.of));
    parts
}

/// Whether an expression is written where a type is asked for.
fn is_type(bound: &BoundFile, expr: ExprId) -> bool {
    match bound.expr(expr) {
        Expr::Name { role, .. } | Expr::Member { role, .. } => role == Role::Type,
        Expr::Apply { of, .. } => is_type(bound, of),
        _ => false,
    }
}

/// The first byte of a name in an expression.
fn place_of(bound: &BoundFile, expr: ExprId) -> Option<u32> {
    let mut at = expr;
    for _ in 0..DEEPEST {
        at = match bound.expr(at) {
            Expr::Name { at, .. } | Expr::Member { at, .. } => return Some(at),
            Expr::Call { of, .. }
            | Expr::Apply { of, .. }
            | Expr::Index { of, .. }
            | Expr::Entry { of, .. }
            | Expr::Deref { of }
            | Expr::Pointer { of }
            | Expr::Value { of } => of,
            _ => return None,
        };
    }
    None
}
