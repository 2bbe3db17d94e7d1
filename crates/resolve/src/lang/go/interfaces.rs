//! Which types satisfy which interfaces: those that have all their methods.

use codecortex_bind::facts::{DefKind, NONE, flag};

use super::{ANY, known, packages};
use crate::query::Query;
use crate::ty::{Ty, no_env};
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
        for (file, scope) in &parts.scopes {
            let Some(bound) = query.file(*file) else {
                continue;
            };
            for def in bound.all_in(*scope) {
                let found = bound.def(def);
                if found.kind == DefKind::Method {
                    self.put(bound.sym(found.name), DefRef { file: *file, def });
                }
            }
        }
        for def in &parts.loose {
            if let Some(name) = query.name_of(*def) {
                self.put(name, *def);
            }
        }
        for (base, _) in query.bases(&parts, &no_env()) {
            match base {
                Ty::Instance(def, _) | Ty::Type(def, _) => self.add(query, def, depth + 1),
                Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
                    self.outside.push(name);
                }
                _ => {}
            }
        }
    }

    fn put(&mut self, name: Sym, def: DefRef) {
        // What is less deep hides what is deeper.
        if !self.own.iter().any(|(known, _)| *known == name) {
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
    // An interface that wants nothing but what its embedded ones want.
    for base in candidates.clone() {
        for derived in embedding(query, base) {
            let is_interface = query
                .def(derived)
                .is_some_and(|def| def.kind == DefKind::Interface);
            if is_interface && derived != of && !candidates.contains(&derived) {
                candidates.push(derived);
            }
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
    let Some((name, _)) = fewest else {
        return Vec::new();
    };
    let mut open: Vec<DefRef> = packages::methods(query, *name)
        .filter_map(|method| query.owner(method))
        .chain(packages::interfaces_with(query, *name))
        .chain(bringing(query, *name))
        .collect();
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
fn bringing(query: &Query<'_>, name: Sym) -> Vec<DefRef> {
    let outside = known::bringing(query.workspace.text(name));
    let outside = outside.filter_map(|outside| query.workspace.sym(outside));
    let embedding = outside.flat_map(|outside| query.workspace.derived_from(outside));
    let embedding = embedding.filter_map(|(file, index)| {
        let def = query.file(*file)?.bases().get(*index as usize)?.def;
        Some(DefRef { file: *file, def })
    });
    embedding.collect()
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
/// as many parameters.
fn has_known(query: &Query<'_>, has: &Methods, interface: Sym) -> bool {
    let Some(mut methods) = known::wanted_by(query.workspace.text(interface)) else {
        return false;
    };
    methods.all(|(name, params)| {
        let sym = query.workspace.sym(name);
        match sym.and_then(|sym| has.get(sym)) {
            Some(own) => query.arity(own).to_string() == params,
            None => has
                .outside
                .iter()
                .any(|outside| known::has_with(query.workspace.text(*outside), name, params)),
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
