//! Go to definition: from a byte of a file to what is named there, and to where that is declared.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefId, DefKind, ExprId, NONE, ScopeKind, flag};
use rustc_hash::FxHashSet;

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::list::push;
use crate::object_keys;
use crate::resolution::{self, ResolvedTarget};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::symbol_identity;

/// Where the name at a byte is declared, best first: a definition's own place if nothing is used there.
#[must_use]
pub(crate) fn definitions_at(
    resolver: &Resolver<'_>,
    file: FileNo,
    byte: u32,
) -> Vec<(FileNo, u32)> {
    let (used, defined) = at(resolver, file, byte);
    let mut places = Vec::new();
    if let Some(first) = used {
        let target = target_of_written(resolver, ExprRef { file, expr: first });
        let mut defs: Vec<DefRef> = Vec::new();
        for def in &target.defs {
            symbol_identity::symbol(resolver, *def)
                .into_iter()
                .for_each(|def| push(&mut defs, def));
        }
        defs.retain(|def| !is_library(def.file));
        put_definitions_first(resolver, file, &mut defs);
        defs.into_iter()
            .for_each(|def| add_place(resolver, def, &mut places));
        if places.is_empty() {
            // What leaves the workspace was last named by the last import on the way.
            target
                .via_aliases
                .last()
                .into_iter()
                .for_each(|def| add_place(resolver, *def, &mut places));
        }
        if places.is_empty() {
            places.extend(target.module.map(|file| (file, 0)));
        }
    }
    if let Some(def) = defined {
        let meant = object_keys::contextual_property(resolver, def);
        let meant = if meant.is_empty() && places.is_empty() {
            without_aliases(resolver, vec![def])
        } else {
            meant
        };
        meant
            .into_iter()
            .for_each(|def| add_place(resolver, def, &mut places));
    }
    places
}

/// Where a use leads, as who asks knows files: what leads to the language's own library leaves the workspace.
pub(crate) fn target_in_workspace(resolver: &Resolver<'_>, at: ExprRef) -> ResolvedTarget {
    let mut target = resolution::target(resolver, at);
    let count = target.defs.len();
    target.defs.retain(|def| !is_library(def.file));
    target.via_aliases.retain(|def| !is_library(def.file));
    let is_module_of_library = target.module.is_some_and(is_library);
    target.module = target.module.filter(|_| !is_module_of_library);
    target.external |= target.defs.is_empty() && (count > 0 || is_module_of_library);
    target
}

/// Where what is written at the place of a use leads. One name may be used in two ways of which one holds: what
/// a `case` of Java names is a constant of what is switched over, or any constant.
#[must_use]
pub(crate) fn target_of_written(resolver: &Resolver<'_>, at: ExprRef) -> ResolvedTarget {
    let target = target_in_workspace(resolver, at);
    let is_found =
        |target: &ResolvedTarget| !target.defs.is_empty() || !target.via_aliases.is_empty();
    if is_found(&target) {
        return target;
    }
    let others = uses_besides(resolver, at).into_iter();
    let mut others = others.map(|expr| target_in_workspace(resolver, ExprRef { expr, ..at }));
    others.find(is_found).unwrap_or(target)
}

/// Other uses at the place of a use.
fn uses_besides(resolver: &Resolver<'_>, of: ExprRef) -> Vec<ExprId> {
    let Some(bound) = resolver.file(of.file) else {
        return Vec::new();
    };
    let Some((_, place, _)) = bound.expr(of.expr).written() else {
        return Vec::new();
    };
    let others = bound
        .uses()
        .filter(|(expr, _, at, _)| *at == place && *expr != of.expr);
    others.map(|(expr, ..)| expr).collect()
}

/// What only declares comes behind what defines; types that only declare are left out then.
fn put_definitions_first(resolver: &Resolver<'_>, from: FileNo, defs: &mut Vec<DefRef>) {
    let is_declaration = |of: &DefRef| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.flags & flag::DECLARATION != 0)
    };
    let is_type = |of: &DefRef| resolver.def(*of).is_some_and(|def| def.kind.is_type());
    if defs.iter().any(|def| is_type(def) && !is_declaration(def)) {
        defs.retain(|def| !is_type(def) || !is_declaration(def));
    }
    put_likely_system_first(resolver, from, defs);
    defs.sort_by_key(is_declaration);
    put_last_condition_first(resolver, defs);
}

/// Of what several files define, each for a system of its own, that comes first whose path has more words with
/// the path of the file in common that asks: `win.h` for `src/win/fs.c`.
fn put_likely_system_first(resolver: &Resolver<'_>, from: FileNo, defs: &mut [DefRef]) {
    let chooses_files = matches!(
        resolver.workspace.dialect(from),
        Some(Dialect::C | Dialect::Cpp | Dialect::Go)
    );
    if !chooses_files || defs.windows(2).all(|pair| pair[0].file == pair[1].file) {
        return;
    }
    let words = |file: FileNo| {
        let path = resolver.workspace.path(file).unwrap_or_default();
        path.split(|letter: char| !letter.is_alphanumeric())
    };
    let own: FxHashSet<&str> = words(from).collect();
    let shared = |def: &DefRef| words(def.file).filter(|word| own.contains(word)).count();
    defs.sort_by_cached_key(|def| std::cmp::Reverse(shared(def)));
}

/// Of definitions of a macro or an alias of C or C++ under several conditions the last one is for all other
/// cases: it comes first, unless it is left out.
pub(crate) fn put_last_condition_first(resolver: &Resolver<'_>, defs: &mut [DefRef]) {
    let is_conditional = |of: &DefRef| {
        let is_c = matches!(
            resolver.workspace.dialect(of.file),
            Some(Dialect::C | Dialect::Cpp)
        );
        let kind = resolver.def(*of).map(|def| def.kind);
        is_c && matches!(kind, Some(DefKind::Macro | DefKind::TypeAlias))
    };
    let is_one_file = defs.windows(2).all(|pair| pair[0].file == pair[1].file);
    if is_one_file && defs.iter().all(is_conditional) {
        defs.sort_by_key(|of| {
            (
                is_inactive(resolver, *of),
                std::cmp::Reverse(resolver.place(*of)),
            )
        });
    }
}

/// Whether a definition stands in an arm of a condition that most builds leave out.
#[must_use]
pub(crate) fn is_inactive(resolver: &Resolver<'_>, def: DefRef) -> bool {
    resolver
        .def(def)
        .is_some_and(|def| def.flags & flag::INACTIVE != 0)
}

/// Whether a definition is a variable that a pattern binds to the field of its name: `err` in Rust's
/// `Error { err, .. }`. In languages that keep both apart; in others the two are one symbol.
#[must_use]
pub(crate) fn is_bound_from_field(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let is_variable = resolver
        .def(def)
        .is_some_and(|def| def.kind == DefKind::Variable);
    is_variable && resolver.rules(def.file).binds_fields_apart()
}

/// Whether a definition is a key of an object literal that is given the value of its own name: `{ a }`.
#[must_use]
pub(crate) fn is_shorthand(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let Some(bound) = resolver.file(def.file) else {
        return false;
    };
    let key = bound.def(def.def);
    let is_key = bound.scope(key.scope).kind == ScopeKind::Object && key.kind != DefKind::Alias;
    let value = bound.expr(key.value).written();
    is_key && value.is_some_and(|(_, at, _)| at == key.at)
}

/// What a definition means to a reader: of a key in an object literal the property of its contextual type
/// there, of everything else itself.
#[must_use]
pub(crate) fn contextual_definitions(resolver: &Resolver<'_>, def: DefRef) -> Vec<DefRef> {
    let expected = object_keys::contextual_property(resolver, def);
    if expected.is_empty() {
        vec![def]
    } else {
        expected
    }
}

/// The same with what aliases resolve to in their place, where that is in the workspace.
#[must_use]
pub(crate) fn without_aliases(resolver: &Resolver<'_>, defs: Vec<DefRef>) -> Vec<DefRef> {
    let mut ends = Vec::new();
    for def in defs {
        let followed = resolver.resolve_alias(def).ends;
        if followed.is_empty() {
            push(&mut ends, def);
        }
        followed.into_iter().for_each(|end| push(&mut ends, end));
    }
    ends
}

/// Whether a definition only announces a type that is defined elsewhere.
#[must_use]
pub(crate) fn is_forward_declaration(resolver: &Resolver<'_>, def: DefRef) -> bool {
    resolver
        .def(def)
        .is_some_and(|def| def.kind.is_type() && def.flags & flag::DECLARATION != 0)
}

fn add_place(resolver: &Resolver<'_>, def: DefRef, places: &mut Vec<(FileNo, u32)>) {
    let found = resolver.def(def).filter(|_| !is_library(def.file));
    if let Some(found) = found.filter(|found| found.at != NONE) {
        push(places, (def.file, found.at));
    }
}

/// The definition whose name begins at a byte.
#[must_use]
pub(crate) fn definition_at(resolver: &Resolver<'_>, file: FileNo, byte: u32) -> Option<DefRef> {
    let bound = resolver.file(file)?;
    let is_written = |def: &DefId| bound.def(*def).flags & flag::UNWRITTEN == 0;
    let mut here = bound.defs_at(byte).filter(is_written);
    match (here.next(), here.next()) {
        (Some(def), None) => Some(DefRef { file, def }),
        // Which of several is meant, and what has no place of its own, the whole file says.
        _ => at(resolver, file, byte).1,
    }
}

/// The use that is written at a byte, and the definition that is named there.
#[must_use]
pub(crate) fn at(
    resolver: &Resolver<'_>,
    file: FileNo,
    byte: u32,
) -> (Option<ExprId>, Option<DefRef>) {
    let Some(bound) = resolver.file(file) else {
        return (None, None);
    };
    let covers = |at: u32, name: &str| {
        let len = name.len() as u32;
        at <= byte && byte < at.saturating_add(len)
    };
    let used = bound
        .uses()
        .find(|(_, name, at, _)| covers(*at, resolver.workspace.text(bound.name(*name))))
        .map(|(expr, ..)| expr);
    let defined = bound.named_defs().find(|def| {
        let def = bound.def(*def);
        let name = resolver.workspace.text(bound.name(def.name));
        // Of a namespace's whole path, only the last name stands where it is defined.
        let written = match def.kind {
            DefKind::Namespace => name.rsplit('.').next().unwrap_or(name),
            _ => name,
        };
        def.flags & flag::UNWRITTEN == 0 && covers(def.at, written)
    });
    (used, defined.map(|def| DefRef { file, def }))
}
