//! Visibility by includes: a file sees what it includes, and of namespaces what is declared there.

use std::rc::Rc;

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, ScopeKind, flag, space};
use codecortex_bind::{Dialect, MODULE, OPENED};
use rustc_hash::FxHashSet;

use super::memo::{Closure, CppMemo, Opened};
use crate::ids::{DefRef, FileNo, Name};
use crate::lang::angelscript;
use crate::lookup::result::LookupResult;
use crate::paths::{join, split_path};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// The file that `#include "written"` means: beside the file, else one whose path ends so.
pub(super) fn included(resolver: &Resolver<'_>, from: FileNo, written: &str) -> Option<FileNo> {
    let here = resolver.file(from)?.path();
    let (folder, _) = split_path(here);
    if let Some(path) = join(folder, written)
        && let Some(file) = resolver.workspace.file_at(&path)
    {
        return Some(file);
    }
    for path in resolver.workspace.hints().mapped(here, written) {
        if let Some(file) = resolver.workspace.file_at(&path) {
            return Some(file);
        }
    }
    let plain = join("", written).unwrap_or_else(|| {
        let up = written.rsplit("../").next();
        up.unwrap_or(written).to_owned()
    });
    let (_, name) = split_path(&plain);
    let ends = format!("/{plain}");
    let files = resolver.workspace.files_named(name).iter().copied();
    let fitting = files.filter_map(|file| {
        let path = resolver.file(file)?.path();
        let fits = path == plain || path.ends_with(&ends);
        // The nearest: most folders in common, then the shortest path.
        fits.then(|| (std::cmp::Reverse(common(path, here)), path.len(), file))
    });
    fitting.min().map(|(_, _, file)| file)
}

/// The file that an include brings, or at level 1 the import of a module: the interface of that name, or a part of it.
pub(super) fn brought(
    resolver: &Resolver<'_>,
    from: FileNo,
    name: &str,
    level: u8,
) -> Option<FileNo> {
    if level == 0 {
        return included(resolver, from, name);
    }
    let workspace = resolver.workspace;
    let module = workspace.name(&format!("{MODULE}{name}"))?;
    let here = resolver.file(from)?.path();
    let units = workspace.parts_of_namespace(module).iter();
    let units = units.filter_map(|(file, _)| Some((resolver.file(*file)?.path(), *file)));
    // Of several programs the one that the file is a part of.
    let near = units.map(|(path, file)| (std::cmp::Reverse(common(path, here)), path.len(), file));
    near.min().map(|(_, _, file)| file)
}

/// How many bytes of folders two paths begin with in common.
fn common(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    a[..same].rfind('/').map_or(0, |at| at + 1)
}

/// A file and all that it includes, directly or not.
pub(super) fn closure(resolver: &Resolver<'_>, of: FileNo) -> Rc<Closure> {
    const MAX: usize = 20_000;
    if let Some(known) = resolver
        .languages
        .get::<CppMemo>()
        .closures
        .borrow()
        .get(&of)
    {
        return known.clone();
    }
    let mut all = Closure::default();
    let mut open = vec![of];
    while let Some(file) = open.pop() {
        if all.files.len() >= MAX || !all.files.insert(file) {
            continue;
        }
        let included = includes(resolver, file);
        open.extend(included.iter().copied());
        let Some(bound) = resolver.file(file) else {
            continue;
        };
        let mut written = 0;
        for (index, glob) in bound.glob_imports().iter().enumerate() {
            if matches!(bound.expr(glob.of), Expr::Module { .. }) {
                written += 1;
            } else {
                all.usings.push((file, index as u32));
            }
        }
        all.is_open |= written > included.len();
    }
    let all = Rc::new(all);
    resolver
        .languages
        .get::<CppMemo>()
        .closures
        .borrow_mut()
        .insert(of, all.clone());
    all
}

/// What the files see that include a file.
fn around(resolver: &Resolver<'_>, of: FileNo) -> Rc<FxHashSet<FileNo>> {
    const MAX: usize = 16;
    if let Some(known) = resolver.languages.get::<CppMemo>().around.borrow().get(&of) {
        return known.clone();
    }
    let mut all = FxHashSet::default();
    let mut open = vec![of];
    let mut next = 0;
    while next < open.len() && open.len() < MAX {
        for file in includers(resolver, open[next]) {
            if !open.contains(&file) {
                open.push(file);
            }
        }
        next += 1;
    }
    for file in open.into_iter().take(MAX) {
        all.extend(closure(resolver, file).files.iter().copied());
    }
    let all = Rc::new(all);
    resolver
        .languages
        .get::<CppMemo>()
        .around
        .borrow_mut()
        .insert(of, all.clone());
    all
}

/// Files that include a file themselves.
fn includers(resolver: &Resolver<'_>, of: FileNo) -> Vec<FileNo> {
    let Some(bound) = resolver.file(of) else {
        return Vec::new();
    };
    let path = bound.path();
    let starts = path.match_indices('/').map(|(at, _)| at + 1);
    let mut found = Vec::new();
    for start in starts.chain([0]) {
        let Some(written) = resolver.workspace.name(&path[start..]) else {
            continue;
        };
        for file in resolver.workspace.files_with(written) {
            if includes(resolver, *file).contains(&of) && !found.contains(file) {
                found.push(*file);
            }
        }
    }
    found
}

/// The files that a file includes itself.
fn includes(resolver: &Resolver<'_>, file: FileNo) -> Rc<[FileNo]> {
    if let Some(known) = resolver
        .languages
        .get::<CppMemo>()
        .includes
        .borrow()
        .get(&file)
    {
        return known.clone();
    }
    let mut found = Vec::new();
    if let Some(bound) = resolver.file(file) {
        for glob in bound.glob_imports() {
            if let Expr::Module { name, level, .. } = bound.expr(glob.of) {
                let written = resolver.workspace.text(bound.name(name));
                found.extend(brought(resolver, file, written, level));
            }
        }
    }
    let found: Rc<[FileNo]> = found.into();
    resolver
        .languages
        .get::<CppMemo>()
        .includes
        .borrow_mut()
        .insert(file, found.clone());
    found
}

/// A name in a namespace (`None`: the global one) as a file sees it.
pub(super) fn in_namespace(
    resolver: &Resolver<'_>,
    from: FileNo,
    path: Option<Name>,
    name: Name,
    spaces: u8,
    own: &[DefRef],
) -> LookupResult {
    let workspace = resolver.workspace;
    let all = match path {
        Some(path) => workspace.in_namespace(path, name),
        None => workspace.globals(name),
    };
    let in_scope = |def: &&DefRef| resolver.def(**def).is_some_and(|def| def.container == NONE);
    let mut defs: Vec<DefRef> = own.iter().filter(in_scope).copied().collect();
    for def in all {
        let counts = resolver.def(*def).is_some_and(|found| {
            let is_elsewhere = def.file != from;
            found.spaces & spaces != 0
                && found.flags & flag::HIDDEN == 0
                && found.container == NONE
                && (is_elsewhere || found.from == 0)
        });
        if counts && is_of_family(resolver, def.file) && !defs.contains(def) {
            defs.push(*def);
        }
    }
    defs.retain(|def| {
        resolver
            .def(*def)
            .is_some_and(|def| def.kind != DefKind::Namespace)
    });
    if is_elaborated(spaces) {
        defs = preferred(resolver, from, defs, spaces);
    }
    if !defs.is_empty() {
        return seen(resolver, from, defs, spaces);
    }
    if spaces & space::NAMESPACE != 0 {
        let whole = match path {
            Some(path) => {
                let whole = format!("{}.{}", workspace.text(path), workspace.text(name));
                workspace.name(&whole)
            }
            None => Some(name),
        };
        let is_ours = |path: &Name| {
            let parts = workspace.parts_of_namespace(*path);
            parts.iter().any(|(file, _)| is_of_family(resolver, *file))
        };
        if let Some(inner) = whole.filter(is_ours) {
            return LookupResult::typed(Ty::Namespace(inner));
        }
    }
    if path.is_none() && spaces & space::TYPE != 0 {
        let described = engine_types(resolver, name);
        if !described.is_empty() {
            return LookupResult::defs(described);
        }
    }
    // What stands behind a macro that opens the namespace seems to be outside of it.
    let is_opened = |path: &Name| opened(resolver).iter().any(|opened| opened.path == *path);
    let Some(path) = path.filter(is_opened) else {
        return LookupResult::nothing();
    };
    let outer = workspace.text(path).rsplit_once('.');
    let outer = outer.and_then(|(outer, _)| workspace.name(outer));
    in_namespace(resolver, from, outer, name, spaces, &[]).inferred()
}

/// Types of an engine that is not in the workspace and is described for its scripts: the bases of the game's own C++.
fn engine_types(resolver: &Resolver<'_>, name: Name) -> Vec<DefRef> {
    let workspace = resolver.workspace;
    let is_described = |def: &&DefRef| {
        workspace.is_external(def.file)
            && resolver.rules(def.file).family() == angelscript::FAMILY
            && resolver.def(**def).is_some_and(|def| def.kind.is_type())
    };
    let all = workspace.globals(name).iter();
    all.filter(is_described).copied().collect()
}

/// All namespaces that macros open.
fn opened<'q>(resolver: &'q Resolver<'_>) -> &'q [Opened] {
    resolver.languages.get::<CppMemo>().opened.get_or_init(|| {
        let workspace = resolver.workspace;
        let all = workspace
            .name(OPENED)
            .map(|all| workspace.parts_of_namespace(all));
        let mut found = Vec::new();
        for (file, scope) in all.into_iter().flatten() {
            let Some(bound) = resolver.file(*file).filter(|_| *scope != NONE) else {
                continue;
            };
            for opened in bound.all_in(*scope) {
                let opened = bound.def(opened);
                let is_by = |def: &Def| def.kind == DefKind::Macro && def.start == opened.start;
                let by = bound.all_in(0).find(|def| is_by(bound.def(*def)));
                found.extend(by.map(|by| Opened {
                    path: bound.name(opened.name),
                    by: bound.name(bound.def(by).name),
                    file: *file,
                }));
            }
        }
        found
    })
}

/// A name in namespaces that a file opens by macros: what stands in them seems to be in none.
pub(super) fn in_opened(
    resolver: &Resolver<'_>,
    from: FileNo,
    name: Name,
    spaces: u8,
) -> LookupResult {
    let Some(bound) = resolver.file(from) else {
        return LookupResult::nothing();
    };
    let mut tried = Vec::new();
    for opened in opened(resolver) {
        let opens = || bound.local(opened.by).is_some();
        if tried.contains(&opened.path)
            || !opens()
            || !closure(resolver, from).files.contains(&opened.file)
        {
            continue;
        }
        tried.push(opened.path);
        let found = in_namespace(resolver, from, Some(opened.path), name, spaces, &[]);
        if !found.is_empty() {
            return found.inferred();
        }
    }
    LookupResult::nothing()
}

fn is_of_family(resolver: &Resolver<'_>, file: FileNo) -> bool {
    resolver
        .file(file)
        .is_some_and(|bound| matches!(bound.dialect(), Dialect::C | Dialect::Cpp))
}

/// Of definitions in all files those that a file sees; if it sees none, all that it could see.
fn seen(resolver: &Resolver<'_>, from: FileNo, mut defs: Vec<DefRef>, spaces: u8) -> LookupResult {
    let closure = closure(resolver, from);
    let is_local = |def: &DefRef| {
        let found = resolver.def(*def);
        found.is_some_and(|def| def.flags & flag::INTERNAL != 0)
    };
    let sees = |def: &DefRef| closure.files.contains(&def.file);
    let is_included = defs.iter().any(sees);
    if is_included {
        defs.retain(sees);
    } else {
        // A file that is not whole by itself sees what those that include it see.
        let around = around(resolver, from);
        let sees = |def: &DefRef| around.contains(&def.file);
        let any = defs.iter().any(sees);
        defs.retain(|def| if any { sees(def) } else { !is_local(def) });
        if !any && closure.is_open {
            // What it includes from outside may have it; types are declared again, rather.
            let is_type = |def: &DefRef| {
                let found = resolver.def(*def);
                found.is_some_and(|def| def.spaces & space::TYPE != 0)
            };
            defs.retain(is_type);
        }
    }
    let defs = preferred(resolver, from, defs, spaces);
    if is_included {
        LookupResult::defs(defs)
    } else {
        LookupResult::defs(defs).inferred()
    }
}

/// Whether a name stands behind `struct` or its like: then it is no alias.
fn is_elaborated(spaces: u8) -> bool {
    spaces == space::TYPE | space::LABEL
}

/// The same with what stands in arms of conditions that are left out behind the rest.
pub(super) fn inactive_last(resolver: &Resolver<'_>, mut defs: Vec<DefRef>) -> Vec<DefRef> {
    let is_dormant = |of: &DefRef| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.flags & flag::INACTIVE != 0)
    };
    if defs.iter().any(is_dormant) {
        defs.sort_by_key(is_dormant);
    }
    defs
}

fn is_plain_c(resolver: &Resolver<'_>, file: FileNo) -> bool {
    let bound = resolver.file(file);
    bound.is_some_and(|bound| bound.dialect() == Dialect::C)
}

/// Whether a name of C may be a value's and something is a type that only its keyword before it names: it has its name
/// in its head. What a `typedef` names has it behind.
pub(super) fn is_hidden_tag(resolver: &Resolver<'_>, from: FileNo, of: DefRef, spaces: u8) -> bool {
    let def = resolver.def(of);
    spaces & space::VALUE != 0
        && is_plain_c(resolver, from)
        && is_plain_c(resolver, of.file)
        && def.is_some_and(|def| {
            def.kind.is_type() && def.kind != DefKind::TypeAlias && def.at < def.end
        })
}

/// In C a tag (`struct a`) and a plain name (`a`) are different things even where they are written alike.
pub(super) fn preferred(
    resolver: &Resolver<'_>,
    from: FileNo,
    mut defs: Vec<DefRef>,
    spaces: u8,
) -> Vec<DefRef> {
    let kind = |def: &DefRef| resolver.def(*def).map_or(DefKind::Label, |def| def.kind);
    if is_elaborated(spaces) {
        defs.retain(|def| kind(def).is_type() || kind(def) == DefKind::Alias);
    }
    defs.retain(|def| !is_hidden_tag(resolver, from, *def, spaces));
    if defs.len() < 2 {
        return defs;
    }
    let mut defs = inactive_last(resolver, defs);
    // What is seen from here on hides what other files say.
    let is_alias = |def: &DefRef| kind(def) == DefKind::TypeAlias;
    let is_tag = |def: &DefRef| kind(def).is_type();
    if defs.iter().any(is_alias) && defs.iter().any(is_tag) {
        defs.retain(|def| is_alias(def) || !is_tag(def));
    }
    // A macro takes the place of whatever has its name, unless most builds leave it out.
    let is_macro = |def: &DefRef| kind(def) == DefKind::Macro;
    let is_dormant = |def: &DefRef| {
        let found = resolver.def(*def);
        found.is_some_and(|def| def.flags & flag::INACTIVE != 0)
    };
    let is_awake = |def: &DefRef| !is_dormant(def);
    if defs.iter().any(|def| is_macro(def) && is_awake(def))
        || !defs.iter().any(is_awake) && defs.iter().any(is_macro)
    {
        let is_own = |def: &DefRef| is_macro(def) && def.file == from;
        let has_own = defs.iter().any(is_own);
        defs.retain(|def| if has_own { is_own(def) } else { is_macro(def) });
    }
    // A value hides a type of its name, where both could be meant.
    let is_value = |def: &DefRef| {
        let found = resolver.def(*def);
        found.is_some_and(|def| def.spaces & space::VALUE != 0)
    };
    if spaces & space::VALUE != 0 && defs.iter().any(is_value) && defs.iter().any(is_tag) {
        defs.retain(|def| !is_tag(def));
    }
    // A variable or field that this file defines is not another file's.
    let is_own = |def: &DefRef| {
        let found = resolver.def(*def);
        def.file == from && found.is_some_and(|def| def.flags & flag::INTERNAL != 0)
    };
    if defs.iter().any(is_own) && defs.iter().all(|def| !kind(def).is_callable()) {
        defs.retain(is_own);
    }
    defs
}

/// A name that a namespace (`None`: the global one) has by `using namespace` or an inline namespace in it.
pub(super) fn in_glob_imports_of(
    resolver: &Resolver<'_>,
    from: FileNo,
    path: Option<Name>,
    name: Name,
    spaces: u8,
) -> LookupResult {
    let mut all = LookupResult::nothing();
    for (file, index) in &closure(resolver, from).usings {
        let Some(bound) = resolver.file(*file) else {
            continue;
        };
        let scope = bound.scope(bound.glob_imports()[*index as usize].scope);
        let of = match scope.kind {
            ScopeKind::File => None,
            ScopeKind::Namespace => Some(bound.name(bound.def(scope.owner).name)),
            _ => continue,
        };
        if of != path {
            continue;
        }
        let found = resolver.in_glob_import(*file, *index, name, spaces);
        all.defs.extend(found.defs);
        all.ty = all.ty.or(found.ty);
    }
    resolver.workspace.sort(&mut all.defs);
    all
}

/// Of several classes of one name the one that a declaration in a file most likely means: one that the
/// file sees, one in a header.
pub(super) fn meant(resolver: &Resolver<'_>, from: FileNo, classes: &[DefRef]) -> Option<DefRef> {
    let closure = closure(resolver, from);
    let here = resolver.file(from).map_or("", |bound| bound.path());
    let rank = |class: &DefRef| {
        let path = resolver.file(class.file).map_or("", |bound| bound.path());
        let ending = path.rsplit('.').next().unwrap_or("");
        let is_header = ending.starts_with('h');
        let is_seen = closure.files.contains(&class.file);
        let near = std::cmp::Reverse(common(path, here));
        (!is_seen, !is_header, near, *class)
    };
    classes.iter().copied().min_by_key(rank)
}
