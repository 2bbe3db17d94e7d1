//! Interface satisfaction: types that have all methods of an interface.

use codecortex_bind::facts::{DefKind, Expr, NONE, flag};

use super::support::ANY;
use super::{packages, std_interfaces};
use crate::ids::{DefRef, ExprRef, Name};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Types embed types this deep.
const DEEPEST: u32 = 16;

/// What a type can do, or what an interface wants.
#[derive(Default)]
struct Methods {
    own: Vec<(Name, DefRef)>,
    /// Embedded types from outside, of which nothing is known but their names.
    outside: Vec<Name>,
    seen: Vec<DefRef>,
    /// Fields of the types around, which hide what is deeper.
    fields: Vec<Name>,
}

impl Methods {
    fn new(resolver: &Resolver<'_>, of: DefRef) -> Self {
        let mut methods = Self::default();
        methods.add(resolver, of, 0);
        methods
    }

    fn add(&mut self, resolver: &Resolver<'_>, of: DefRef, depth: u32) {
        if depth > DEEPEST || self.seen.contains(&of) {
            return;
        }
        self.seen.push(of);
        let parts = resolver.parts(of);
        let mut fields = Vec::new();
        for (file, scope) in &parts.scopes {
            let Some(bound) = resolver.file(*file) else {
                continue;
            };
            for def in bound.all_in(*scope) {
                let found = bound.def(def);
                let name = bound.name(found.name);
                match found.kind {
                    DefKind::Method => self.put(name, DefRef { file: *file, def }),
                    DefKind::Field => fields.push(name),
                    _ => {}
                }
            }
        }
        for def in &parts.loose {
            if let Some(name) = resolver.name_of(*def) {
                self.put(name, *def);
            }
        }
        let around = self.fields.len();
        self.fields.extend(fields);
        for (file, index) in &parts.bases {
            if let Some(base) = resolver
                .file(*file)
                .and_then(|bound| bound.bases().get(*index as usize))
            {
                let written = ExprRef {
                    file: *file,
                    expr: base.of,
                };
                self.add_embedded(resolver, written, depth);
            }
        }
        self.fields.truncate(around);
    }

    fn add_embedded(&mut self, resolver: &Resolver<'_>, written: ExprRef, depth: u32) {
        match resolver.lower_type(written).ty {
            Ty::Instance(def, _) | Ty::Type(def, _) => self.add(resolver, def, depth + 1),
            Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _)
                if std_interfaces::is_meant(
                    resolver.workspace.text(name),
                    package(resolver, written),
                ) =>
            {
                self.outside.push(name);
            }
            _ => {}
        }
    }

    fn put(&mut self, name: Name, def: DefRef) {
        // What is less deep hides what is deeper.
        let is_hidden = self.fields.contains(&name);
        if !is_hidden && !self.own.iter().any(|(known, _)| *known == name) {
            self.own.push((name, def));
        }
    }

    fn get(&self, name: Name) -> Option<DefRef> {
        let own = self.own.iter().find(|(known, _)| *known == name);
        own.map(|(_, def)| *def)
    }

    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.outside.is_empty()
    }
}

/// Interfaces that a type satisfies.
pub(super) fn satisfied(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    if !has_methods(resolver, of) {
        return Vec::new();
    }
    let methods = Methods::new(resolver, of);
    let mut candidates: Vec<DefRef> = Vec::new();
    let brought = methods
        .outside
        .iter()
        .flat_map(|outside| std_interfaces::brought_by(resolver.workspace.text(*outside)))
        .filter_map(|name| resolver.workspace.name(name));
    let own = methods.own.iter().map(|(name, _)| *name);
    for name in own.chain(brought) {
        for interface in packages::interfaces_with(resolver, name) {
            if interface != of && !candidates.contains(&interface) {
                candidates.push(interface);
            }
        }
    }
    // Interfaces that want nothing but what their embedded ones want, which may be the library's.
    let mut open: Vec<DefRef> = Vec::new();
    for (name, _) in &methods.own {
        open.extend(bringing(resolver, resolver.workspace.text(*name)));
    }
    for outside in &methods.outside {
        let brought = std_interfaces::brought_by(resolver.workspace.text(*outside));
        open.extend(brought.flat_map(|name| bringing(resolver, name)));
    }
    open.extend(
        candidates
            .iter()
            .flat_map(|base| embedding(resolver, *base)),
    );
    while let Some(derived) = open.pop() {
        let is_interface = resolver
            .def(derived)
            .is_some_and(|def| def.kind == DefKind::Interface);
        if is_interface && derived != of && !candidates.contains(&derived) {
            candidates.push(derived);
            open.extend(embedding(resolver, derived));
        }
    }
    candidates
        .retain(|interface| satisfies(resolver, &methods, &Methods::new(resolver, *interface)));
    without_redeclarations(resolver, of, candidates)
}

/// Types that satisfy an interface.
pub(super) fn satisfying(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let is_interface = resolver
        .def(of)
        .is_some_and(|def| def.kind == DefKind::Interface);
    if !is_interface {
        return Vec::new();
    }
    let wanted = Methods::new(resolver, of);
    // The method that the fewest types have.
    let fewest = wanted
        .own
        .iter()
        .min_by_key(|(name, _)| resolver.workspace.files_with(*name).len());
    let name = fewest.map(|(name, _)| resolver.workspace.text(*name));
    let Some(name) = name.or_else(|| rarest_outside(resolver, &wanted)) else {
        return Vec::new();
    };
    let mut open = bringing(resolver, name);
    if let Some(name) = resolver.workspace.name(name) {
        let methods = packages::methods(resolver, name);
        open.extend(methods.filter_map(|method| resolver.owner(method)));
        open.extend(packages::interfaces_with(resolver, name));
    }
    let mut candidates: Vec<DefRef> = Vec::new();
    while let Some(ty) = open.pop() {
        if candidates.contains(&ty) || candidates.len() > 2000 {
            continue;
        }
        candidates.push(ty);
        open.extend(embedding(resolver, ty));
    }
    candidates.retain(|ty| *ty != of && satisfies(resolver, &Methods::new(resolver, *ty), &wanted));
    resolver.workspace.sort(&mut candidates);
    without_redeclarations(resolver, of, candidates)
}

/// Of an interface that only embeds the library's the method that the fewest types have.
fn rarest_outside(resolver: &Resolver<'_>, wanted: &Methods) -> Option<&'static str> {
    let outside = wanted
        .outside
        .iter()
        .map(|name| resolver.workspace.text(*name));
    let names = outside.filter_map(std_interfaces::wanted_by).flatten();
    let files = |name: &str| {
        let name = resolver.workspace.name(name);
        name.map_or(0, |name| resolver.workspace.files_with(name).len())
    };
    names.map(|(name, _)| name).min_by_key(|name| files(name))
}

/// The package that a type is written with: `sync` of `*sync.Mutex`.
fn package<'q>(resolver: &Resolver<'q>, written: ExprRef) -> &'q str {
    const DEEPEST: u32 = 4;
    let mut at = written;
    for _ in 0..DEEPEST {
        let of = match resolver.expr(at) {
            Expr::Pointer { of } | Expr::Apply { of, .. } | Expr::Index { of, .. } => of,
            Expr::Member { of, .. } => {
                let name = resolver.file(at.file).and_then(|bound| bound.head_name(of));
                return name.map_or("", |name| resolver.workspace.text(name));
            }
            _ => return "",
        };
        at = ExprRef { expr: of, ..at };
    }
    ""
}

/// Without the type itself as it is in another build, and without others that are in another build only.
fn without_redeclarations(
    resolver: &Resolver<'_>,
    of: DefRef,
    mut types: Vec<DefRef>,
) -> Vec<DefRef> {
    types.retain(|ty| {
        let redeclarations = packages::redeclarations(resolver, *ty);
        let all = redeclarations.iter().copied().chain([*ty]).collect();
        !redeclarations.contains(&of) && packages::built(resolver, all).contains(ty)
    });
    types
}

/// Types that embed a type.
fn embedding(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let Some(name) = resolver.name_of(of) else {
        return Vec::new();
    };
    let named = resolver.workspace.derived_from(name).iter();
    let embedding = named.filter_map(|(file, index)| {
        let base = resolver.file(*file)?.bases().get(*index as usize)?;
        let lowered = resolver.lower_type(ExprRef {
            file: *file,
            expr: base.of,
        });
        let is_it = matches!(&lowered.ty, Ty::Instance(def, _) if *def == of);
        is_it.then_some(DefRef {
            file: *file,
            def: base.def,
        })
    });
    embedding.collect()
}

/// Types that embed one from outside which brings a method of a name.
fn bringing(resolver: &Resolver<'_>, name: &str) -> Vec<DefRef> {
    let outside = std_interfaces::bringing(name);
    let outside = outside.filter_map(|outside| resolver.workspace.name(outside));
    let embedding = outside.flat_map(|outside| embedding_outside(resolver, outside));
    embedding.collect()
}

/// Types that embed one from outside of a name.
fn embedding_outside(resolver: &Resolver<'_>, name: Name) -> impl Iterator<Item = DefRef> {
    let embedding = resolver.workspace.derived_from(name).iter();
    embedding.filter_map(|(file, index)| {
        let def = resolver.file(*file)?.bases().get(*index as usize)?.def;
        Some(DefRef { file: *file, def })
    })
}

/// Whether a type can have methods at all.
fn has_methods(resolver: &Resolver<'_>, of: DefRef) -> bool {
    resolver.def(of).is_some_and(|def| def.kind.is_type())
}

fn satisfies(resolver: &Resolver<'_>, has: &Methods, wanted: &Methods) -> bool {
    if wanted.is_empty() {
        return false;
    }
    let mut same = Same::default();
    let own = wanted
        .own
        .iter()
        .all(|(name, wanted)| match has.get(*name) {
            Some(method) => method == *wanted || same.signature(resolver, method, *wanted),
            None => {
                let mut outside = has.outside.iter();
                outside.any(|outside| std_interfaces::brings(resolver, *outside, *name, *wanted))
            }
        });
    own && wanted
        .outside
        .iter()
        .all(|outside| has.outside.contains(outside) || has_known(resolver, has, *outside))
}

/// Whether a type has the methods of an interface of the language's own packages, itself or by what it embeds: with
/// as many parameters and results.
fn has_known(resolver: &Resolver<'_>, has: &Methods, interface: Name) -> bool {
    let Some(mut methods) = std_interfaces::wanted_by(resolver.workspace.text(interface)) else {
        return false;
    };
    methods.all(|(name, form)| {
        let sym = resolver.workspace.name(name);
        match sym.and_then(|sym| has.get(sym)) {
            Some(own) => std_interfaces::form(resolver, own) == form,
            None => has.outside.iter().any(|outside| {
                std_interfaces::has_with(resolver.workspace.text(*outside), name, form)
            }),
        }
    })
}

/// Whether methods take and give the same, with one type for a type parameter in all of them.
#[derive(Default)]
struct Same(Vec<(DefRef, Ty)>);

impl Same {
    /// Whether two methods take and give the same, as far as that is known.
    fn signature(&mut self, resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
        let (a_params, b_params) = (params(resolver, a), params(resolver, b));
        let fits = a_params.len() == b_params.len()
            && a_params
                .iter()
                .zip(&b_params)
                .all(|((a, a_more), (b, b_more))| a_more == b_more && self.ty(resolver, a, b, 6));
        fits && self.results(resolver, a, b)
    }

    fn results(&mut self, resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
        let ty = |of: DefRef| resolver.def(of).map_or(NONE, |def| def.ty);
        if (ty(a) == NONE) != (ty(b) == NONE) {
            return false;
        }
        let result = |of: DefRef| {
            let at = ExprRef {
                file: of.file,
                expr: ty(of),
            };
            resolver.lower_type(at).ty
        };
        ty(a) == NONE || self.ty(resolver, &result(a), &result(b), 6)
    }

    /// Whether two types can be one; what is not known can.
    fn ty(&mut self, resolver: &Resolver<'_>, a: &Ty, b: &Ty, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        match (a, b) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => true,
            (Ty::Param(a), Ty::Param(b)) if a == b => true,
            (other, Ty::Param(param)) | (Ty::Param(param), other) => {
                self.stands_for(resolver, *param, other, depth)
            }
            (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b || is_other_build(resolver, *a, *b),
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
                let text = |sym: &Name| match resolver.workspace.text(*sym) {
                    "byte" => "uint8",
                    "rune" => "int32",
                    text => text,
                };
                text(a) == text(b)
            }
            (Ty::External(None, _), _) | (_, Ty::External(None, _)) => true,
            (Ty::Array(a), Ty::Array(b)) => self.ty(resolver, a, b, depth - 1),
            (Ty::Map(a), Ty::Map(b)) => {
                self.ty(resolver, &a.0, &b.0, depth - 1) && self.ty(resolver, &a.1, &b.1, depth - 1)
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                let mut pairs = a.iter().zip(b.iter());
                a.len() == b.len() && pairs.all(|(a, b)| self.ty(resolver, a, b, depth - 1))
            }
            (Ty::Function(..), Ty::Function(..)) | (Ty::Object(..), Ty::Object(..)) => true,
            (Ty::Object(..), other) | (other, Ty::Object(..)) => is_any(resolver, other),
            (Ty::Union(parts), other) | (other, Ty::Union(parts)) => parts
                .iter()
                .any(|part| self.ty(resolver, part, other, depth - 1)),
            _ => false,
        }
    }

    /// Whether a type parameter can stand for a type beside what it has stood for.
    fn stands_for(
        &mut self,
        resolver: &Resolver<'_>,
        param: DefRef,
        other: &Ty,
        depth: u32,
    ) -> bool {
        let known = self.0.iter().find(|(known, _)| *known == param);
        match known.map(|(_, ty)| ty.clone()) {
            Some(ty) => self.ty(resolver, &ty, other, depth - 1),
            None => {
                self.0.push((param, other.clone()));
                true
            }
        }
    }
}

/// What a method takes, each with whether it takes more of it.
fn params(resolver: &Resolver<'_>, of: DefRef) -> Vec<(Ty, bool)> {
    let Some(bound) = resolver.file(of.file) else {
        return Vec::new();
    };
    let params = bound.params(of.def).map(|param| bound.def(param));
    let params = params.filter(|param| param.flags & flag::RECEIVER == 0);
    let typed = params.map(|param| {
        let ty = resolver.lower_type(ExprRef {
            file: of.file,
            expr: param.ty,
        });
        (ty.ty, param.flags & flag::VARIADIC != 0)
    });
    typed.collect()
}

/// `any`, the language's own or one that a package declares for older compilers.
fn is_any(resolver: &Resolver<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::External(Some(name), _) => resolver.workspace.text(*name) == "any",
        Ty::Instance(def, _) => {
            Methods::new(resolver, *def).is_empty()
                && resolver
                    .def(*def)
                    .is_some_and(|def| def.kind == DefKind::Interface)
        }
        _ => false,
    }
}

/// Whether two types are one name of a package in files of which only one is built.
fn is_other_build(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let (Some(name), Some(other)) = (resolver.name_of(a), resolver.name_of(b)) else {
        return false;
    };
    name == other && packages::members(resolver, a.file, name, ANY).contains(&b)
}
