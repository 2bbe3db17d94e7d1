//! Which types satisfy which interfaces: those that have all their methods.

use codecortex_bind::facts::{DefKind, Expr, NONE, flag};

use super::{ANY, known, packages};
use crate::query::Query;
use crate::ty::Ty;
use crate::workspace::{DefRef, ExprRef, Sym};

/// Types embed types this deep.
const DEEPEST: u32 = 16;

/// What a type can do, or what an interface wants.
#[derive(Default)]
struct Methods {
    own: Vec<(Sym, DefRef)>,
    /// Embedded types from outside, of which nothing is known but their names.
    outside: Vec<Sym>,
    seen: Vec<DefRef>,
    /// Fields of the types around, which hide what is deeper.
    fields: Vec<Sym>,
}

impl Methods {
    fn of(query: &Query<'_>, of: DefRef) -> Self {
        let mut methods = Self::default();
        methods.add(query, of, 0);
        methods
    }

    fn add(&mut self, query: &Query<'_>, of: DefRef, depth: u32) {
        if depth > DEEPEST || self.seen.contains(&of) {
            return;
        }
        self.seen.push(of);
        let parts = query.parts(of);
        let mut fields = Vec::new();
        for (file, scope) in &parts.scopes {
            let Some(bound) = query.file(*file) else {
                continue;
            };
            for def in bound.all_in(*scope) {
                let found = bound.def(def);
                let name = bound.sym(found.name);
                match found.kind {
                    DefKind::Method => self.put(name, DefRef { file: *file, def }),
                    DefKind::Field => fields.push(name),
                    _ => {}
                }
            }
        }
        for def in &parts.loose {
            if let Some(name) = query.name_of(*def) {
                self.put(name, *def);
            }
        }
        let around = self.fields.len();
        self.fields.extend(fields);
        for (file, index) in &parts.bases {
            if let Some(base) = query
                .file(*file)
                .and_then(|bound| bound.bases().get(*index as usize))
            {
                let written = ExprRef {
                    file: *file,
                    expr: base.of,
                };
                self.add_embedded(query, written, depth);
            }
        }
        self.fields.truncate(around);
    }

    fn add_embedded(&mut self, query: &Query<'_>, written: ExprRef, depth: u32) {
        match query.denotes(written).ty {
            Ty::Instance(def, _) | Ty::Type(def, _) => self.add(query, def, depth + 1),
            Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _)
                if known::is_meant(query.workspace.text(name), package(query, written)) =>
            {
                self.outside.push(name);
            }
            _ => {}
        }
    }

    fn put(&mut self, name: Sym, def: DefRef) {
        // What is less deep hides what is deeper.
        let is_hidden = self.fields.contains(&name);
        if !is_hidden && !self.own.iter().any(|(known, _)| *known == name) {
            self.own.push((name, def));
        }
    }

    fn get(&self, name: Sym) -> Option<DefRef> {
        let own = self.own.iter().find(|(known, _)| *known == name);
        own.map(|(_, def)| *def)
    }

    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.outside.is_empty()
    }
}

/// Interfaces that a type satisfies.
pub(super) fn satisfied(query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
    if !has_methods(query, of) {
        return Vec::new();
    }
    let methods = Methods::of(query, of);
    let mut candidates: Vec<DefRef> = Vec::new();
    let brought = methods
        .outside
        .iter()
        .flat_map(|outside| known::brought_by(query.workspace.text(*outside)))
        .filter_map(|name| query.workspace.sym(name));
    let own = methods.own.iter().map(|(name, _)| *name);
    for name in own.chain(brought) {
        for interface in packages::interfaces_with(query, name) {
            if interface != of && !candidates.contains(&interface) {
                candidates.push(interface);
            }
        }
    }
    // Interfaces that want nothing but what their embedded ones want, which may be the library's.
    let mut open: Vec<DefRef> = Vec::new();
    for (name, _) in &methods.own {
        open.extend(bringing(query, query.workspace.text(*name)));
    }
    for outside in &methods.outside {
        let brought = known::brought_by(query.workspace.text(*outside));
        open.extend(brought.flat_map(|name| bringing(query, name)));
    }
    open.extend(candidates.iter().flat_map(|base| embedding(query, *base)));
    while let Some(derived) = open.pop() {
        let is_interface = query
            .def(derived)
            .is_some_and(|def| def.kind == DefKind::Interface);
        if is_interface && derived != of && !candidates.contains(&derived) {
            candidates.push(derived);
            open.extend(embedding(query, derived));
        }
    }
    candidates.retain(|interface| satisfies(query, &methods, &Methods::of(query, *interface)));
    without_twins(query, of, candidates)
}

/// Types that satisfy an interface.
pub(super) fn satisfying(query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
    let is_interface = query
        .def(of)
        .is_some_and(|def| def.kind == DefKind::Interface);
    if !is_interface {
        return Vec::new();
    }
    let wanted = Methods::of(query, of);
    // The method that the fewest types have.
    let fewest = wanted
        .own
        .iter()
        .min_by_key(|(name, _)| query.workspace.files_with(*name).len());
    let name = fewest.map(|(name, _)| query.workspace.text(*name));
    let Some(name) = name.or_else(|| rarest_outside(query, &wanted)) else {
        return Vec::new();
    };
    let mut open = bringing(query, name);
    if let Some(name) = query.workspace.sym(name) {
        let methods = packages::methods(query, name);
        open.extend(methods.filter_map(|method| query.owner(method)));
        open.extend(packages::interfaces_with(query, name));
    }
    let mut candidates: Vec<DefRef> = Vec::new();
    while let Some(ty) = open.pop() {
        if candidates.contains(&ty) || candidates.len() > 2000 {
            continue;
        }
        candidates.push(ty);
        open.extend(embedding(query, ty));
    }
    candidates.retain(|ty| *ty != of && satisfies(query, &Methods::of(query, *ty), &wanted));
    query.workspace.sort(&mut candidates);
    without_twins(query, of, candidates)
}

/// Of an interface that only embeds the library's the method that the fewest types have.
fn rarest_outside(query: &Query<'_>, wanted: &Methods) -> Option<&'static str> {
    let outside = wanted
        .outside
        .iter()
        .map(|name| query.workspace.text(*name));
    let names = outside.filter_map(known::wanted_by).flatten();
    let files = |name: &str| {
        let name = query.workspace.sym(name);
        name.map_or(0, |name| query.workspace.files_with(name).len())
    };
    names.map(|(name, _)| name).min_by_key(|name| files(name))
}

/// The package that a type is written with: `sync` of `*sync.Mutex`.
fn package<'q>(query: &Query<'q>, written: ExprRef) -> &'q str {
    const DEEPEST: u32 = 4;
    let mut at = written;
    for _ in 0..DEEPEST {
        let of = match query.expr(at) {
            Expr::Pointer { of } | Expr::Apply { of, .. } | Expr::Index { of, .. } => of,
            Expr::Member { of, .. } => {
                let name = query.file(at.file).and_then(|bound| bound.head_name(of));
                return name.map_or("", |name| query.workspace.text(name));
            }
            _ => return "",
        };
        at = ExprRef { expr: of, ..at };
    }
    ""
}

/// Without the type itself as it is in another build, and without others that are in another build only.
fn without_twins(query: &Query<'_>, of: DefRef, mut types: Vec<DefRef>) -> Vec<DefRef> {
    types.retain(|ty| {
        let twins = packages::twins(query, *ty);
        let all = twins.iter().copied().chain([*ty]).collect();
        !twins.contains(&of) && packages::built(query, all).contains(ty)
    });
    types
}

/// Types that embed a type.
fn embedding(query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
    let Some(name) = query.name_of(of) else {
        return Vec::new();
    };
    let named = query.workspace.derived_from(name).iter();
    let embedding = named.filter_map(|(file, index)| {
        let base = query.file(*file)?.bases().get(*index as usize)?;
        let denoted = query.denotes(ExprRef {
            file: *file,
            expr: base.of,
        });
        let is_it = matches!(&denoted.ty, Ty::Instance(def, _) if *def == of);
        is_it.then_some(DefRef {
            file: *file,
            def: base.def,
        })
    });
    embedding.collect()
}

/// Types that embed one from outside which brings a method of a name.
fn bringing(query: &Query<'_>, name: &str) -> Vec<DefRef> {
    let outside = known::bringing(name);
    let outside = outside.filter_map(|outside| query.workspace.sym(outside));
    let embedding = outside.flat_map(|outside| embedding_outside(query, outside));
    embedding.collect()
}

/// Types that embed one from outside of a name.
fn embedding_outside(query: &Query<'_>, name: Sym) -> impl Iterator<Item = DefRef> {
    let embedding = query.workspace.derived_from(name).iter();
    embedding.filter_map(|(file, index)| {
        let def = query.file(*file)?.bases().get(*index as usize)?.def;
        Some(DefRef { file: *file, def })
    })
}

/// Whether a type can have methods at all.
fn has_methods(query: &Query<'_>, of: DefRef) -> bool {
    query.def(of).is_some_and(|def| def.kind.is_type())
}

fn satisfies(query: &Query<'_>, has: &Methods, wanted: &Methods) -> bool {
    if wanted.is_empty() {
        return false;
    }
    let mut same = Same::default();
    let own = wanted
        .own
        .iter()
        .all(|(name, wanted)| match has.get(*name) {
            Some(method) => method == *wanted || same.signature(query, method, *wanted),
            None => {
                let mut outside = has.outside.iter();
                outside.any(|outside| known::brings(query, *outside, *name, *wanted))
            }
        });
    own && wanted
        .outside
        .iter()
        .all(|outside| has.outside.contains(outside) || has_known(query, has, *outside))
}

/// Whether a type has the methods of an interface of the language's own packages, itself or by what it embeds: with
/// as many parameters and results.
fn has_known(query: &Query<'_>, has: &Methods, interface: Sym) -> bool {
    let Some(mut methods) = known::wanted_by(query.workspace.text(interface)) else {
        return false;
    };
    methods.all(|(name, form)| {
        let sym = query.workspace.sym(name);
        match sym.and_then(|sym| has.get(sym)) {
            Some(own) => known::form(query, own) == form,
            None => has
                .outside
                .iter()
                .any(|outside| known::has_with(query.workspace.text(*outside), name, form)),
        }
    })
}

/// Whether methods take and give the same, with one type for a type parameter in all of them.
#[derive(Default)]
struct Same(Vec<(DefRef, Ty)>);

impl Same {
    /// Whether two methods take and give the same, as far as that is known.
    fn signature(&mut self, query: &Query<'_>, a: DefRef, b: DefRef) -> bool {
        let (a_params, b_params) = (params(query, a), params(query, b));
        let fits = a_params.len() == b_params.len()
            && a_params
                .iter()
                .zip(&b_params)
                .all(|((a, a_more), (b, b_more))| a_more == b_more && self.ty(query, a, b, 6));
        fits && self.results(query, a, b)
    }

    fn results(&mut self, query: &Query<'_>, a: DefRef, b: DefRef) -> bool {
        let ty = |of: DefRef| query.def(of).map_or(NONE, |def| def.ty);
        if (ty(a) == NONE) != (ty(b) == NONE) {
            return false;
        }
        let result = |of: DefRef| {
            let at = ExprRef {
                file: of.file,
                expr: ty(of),
            };
            query.denotes(at).ty
        };
        ty(a) == NONE || self.ty(query, &result(a), &result(b), 6)
    }

    /// Whether two types can be one; what is not known can.
    fn ty(&mut self, query: &Query<'_>, a: &Ty, b: &Ty, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        match (a, b) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => true,
            (Ty::Param(a), Ty::Param(b)) if a == b => true,
            (other, Ty::Param(param)) | (Ty::Param(param), other) => {
                self.stands_for(query, *param, other, depth)
            }
            (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b || is_other_build(query, *a, *b),
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
                let text = |sym: &Sym| match query.workspace.text(*sym) {
                    "byte" => "uint8",
                    "rune" => "int32",
                    text => text,
                };
                text(a) == text(b)
            }
            (Ty::External(None, _), _) | (_, Ty::External(None, _)) => true,
            (Ty::Array(a), Ty::Array(b)) => self.ty(query, a, b, depth - 1),
            (Ty::Map(a), Ty::Map(b)) => {
                self.ty(query, &a.0, &b.0, depth - 1) && self.ty(query, &a.1, &b.1, depth - 1)
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                let mut pairs = a.iter().zip(b.iter());
                a.len() == b.len() && pairs.all(|(a, b)| self.ty(query, a, b, depth - 1))
            }
            (Ty::Function(..), Ty::Function(..)) | (Ty::Object(..), Ty::Object(..)) => true,
            (Ty::Object(..), other) | (other, Ty::Object(..)) => is_any(query, other),
            (Ty::Union(parts), other) | (other, Ty::Union(parts)) => parts
                .iter()
                .any(|part| self.ty(query, part, other, depth - 1)),
            _ => false,
        }
    }

    /// Whether a type parameter can stand for a type beside what it has stood for.
    fn stands_for(&mut self, query: &Query<'_>, param: DefRef, other: &Ty, depth: u32) -> bool {
        let known = self.0.iter().find(|(known, _)| *known == param);
        match known.map(|(_, ty)| ty.clone()) {
            Some(ty) => self.ty(query, &ty, other, depth - 1),
            None => {
                self.0.push((param, other.clone()));
                true
            }
        }
    }
}

/// What a method takes, each with whether it takes more of it.
fn params(query: &Query<'_>, of: DefRef) -> Vec<(Ty, bool)> {
    let Some(bound) = query.file(of.file) else {
        return Vec::new();
    };
    let params = bound.params(of.def).map(|param| bound.def(param));
    let params = params.filter(|param| param.flags & flag::RECEIVER == 0);
    let typed = params.map(|param| {
        let ty = query.denotes(ExprRef {
            file: of.file,
            expr: param.ty,
        });
        (ty.ty, param.flags & flag::VARIADIC != 0)
    });
    typed.collect()
}

/// `any`, the language's own or one that a package declares for older compilers.
fn is_any(query: &Query<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::External(Some(name), _) => query.workspace.text(*name) == "any",
        Ty::Instance(def, _) => {
            Methods::of(query, *def).is_empty()
                && query
                    .def(*def)
                    .is_some_and(|def| def.kind == DefKind::Interface)
        }
        _ => false,
    }
}

/// Whether two types are one name of a package in files of which only one is built.
fn is_other_build(query: &Query<'_>, a: DefRef, b: DefRef) -> bool {
    let (Some(name), Some(other)) = (query.name_of(a), query.name_of(b)) else {
        return false;
    };
    name == other && packages::members(query, a.file, name, ANY).contains(&b)
}
