//! Find references: candidates by name, each confirmed by resolving it.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, ExprId, NONE, Role, ScopeKind, flag};
use rustc_hash::FxHashSet;

use crate::at_position;
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::list::push;
use crate::lookup::result::LookupResult;
use crate::object_keys;
use crate::outside;
use crate::overloads::arity::{self, MAX_COMPARED};
use crate::overrides;
use crate::parallel::{self, in_parallel};
use crate::resolution::{self, ResolvedTarget};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::standard_library::results::leads_into_library;
use crate::symbol_identity;
use crate::symbol_names;

/// To ask each of many overloads for what belongs to it takes the square of their number: not more than this. Of
/// three hundred each is asked, of five thousand twenty.
pub const MAX_ASKED_OF_EACH: usize = 100_000;

/// What the name of an operator for literals begins with (C++).
const LITERAL_OPERATOR: &str = "operator\"\"";

/// The confidence of an answer (SPEC R2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConfidenceTier {
    /// Every step to it is declared and there is one target.
    Exact,
    /// Some step was inferred, or there are several targets.
    Inferred,
    /// An override, implementation or interface member of the symbol.
    Related,
    /// Same name, receiver not known.
    Name,
}

/// A use of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// Which file.
    pub file: FileNo,
    /// First byte of the name.
    pub at: u32,
    /// Length of the name in bytes.
    pub len: u32,
    /// The confidence that it is one.
    pub tier: ConfidenceTier,
    /// What is done with it.
    pub role: RoleOf,
}

/// The uses of symbols, and what has their name without being one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolUses {
    /// Every use, in the order of files and places.
    pub references: Vec<Reference>,
    /// Occurrences of the name as a use that provably lead out of the workspace (SPEC X3).
    pub outside: usize,
    /// First bytes of those uses that are `related` only because an import gives the symbol another name, in
    /// languages whose own services do not list these (SPEC D34), in the order of files and places.
    pub renamed: Vec<(FileNo, u32)>,
}

/// A role that can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleOf(pub u8);

impl From<Role> for RoleOf {
    fn from(role: Role) -> Self {
        Self(role as u8)
    }
}

/// Every use of a symbol, and of what is related to it, in the order of files and places.
#[must_use]
pub(crate) fn references(resolver: &Resolver<'_>, of: DefRef) -> Vec<Reference> {
    references_of(resolver, &[of])
}

/// The same of several symbols that are asked for together, such as all overloads of a name: a use that may
/// mean several of them is there once. Candidates are looked through once, however many symbols there are.
#[must_use]
pub(crate) fn references_of(resolver: &Resolver<'_>, all: &[DefRef]) -> Vec<Reference> {
    uses_of(resolver, all, overrides::listed_with).references
}

/// The same with the count of those occurrences that provably lead out of the workspace.
#[must_use]
pub(crate) fn counted_references_of(
    resolver: &Resolver<'_>,
    all: &[DefRef],
    with_related: bool,
) -> SymbolUses {
    match with_related {
        true => uses_of(resolver, all, overrides::related),
        false => uses_of(resolver, all, overrides::listed_with),
    }
}

/// The same with the uses of what overrides and implements it, or is overridden, in every language: also
/// where language servers keep these apart.
#[must_use]
pub(crate) fn references_and_related(resolver: &Resolver<'_>, of: DefRef) -> Vec<Reference> {
    references_and_related_of(resolver, &[of])
}

/// The same of several symbols that are asked for together.
#[must_use]
pub(crate) fn references_and_related_of(resolver: &Resolver<'_>, all: &[DefRef]) -> Vec<Reference> {
    uses_of(resolver, all, overrides::related).references
}

/// The same of many questions, each of several symbols; the answers in the order of the questions.
#[must_use]
pub(crate) fn references_and_related_of_each(
    resolver: &Resolver<'_>,
    questions: &[Vec<DefRef>],
) -> Vec<Vec<Reference>> {
    // None knows what another found out: an answer never depends on how many there are.
    parallel::map(questions, |all| {
        references_and_related_of(&Resolver::new(resolver.workspace), all)
    })
}

/// What a written name is to symbols that have it.
enum Occurrence {
    Use(Reference),
    /// A use under the name that an import gives, where that does not count as one.
    Renamed(Reference),
    Outside,
}

/// A file in which symbols can be used under a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SearchFile {
    file: FileNo,
    name: Name,
    /// Whether it is not the symbol's own name, where that matters.
    is_renamed: bool,
}

fn uses_of(
    resolver: &Resolver<'_>,
    all: &[DefRef],
    related: impl Fn(&Resolver<'_>, DefRef) -> Vec<DefRef>,
) -> SymbolUses {
    let heads = heads(resolver, all);
    let (mut found, mut outside) = (Vec::new(), 0);
    for of in &heads {
        if resolver.rules(of.file).lists_overridden() {
            list_overridden(resolver, *of, &mut found);
        }
    }
    let wanted = wanted(resolver, all, &heads, related);
    let places = places_to_search(resolver, &heads, &wanted);
    let occurrences = in_parallel(resolver, &places, |resolver, place, found| {
        match place.is_renamed {
            true => renamed_references_in(resolver, *place, &wanted, found),
            false => references_in(resolver, *place, &wanted, found),
        }
    });
    let mut renamed = Vec::new();
    for occurrence in occurrences {
        match occurrence {
            Occurrence::Use(reference) => found.push(reference),
            Occurrence::Renamed(reference) => {
                renamed.push((reference.file, reference.at));
                found.push(reference);
            }
            Occurrence::Outside => outside += 1,
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|reference| (reference.file, reference.at));
    renamed.sort_unstable();
    renamed.dedup();
    SymbolUses {
        references: found,
        outside,
        renamed,
    }
}

/// What uses are looked for of these symbols.
fn wanted(
    resolver: &Resolver<'_>,
    all: &[DefRef],
    heads: &[DefRef],
    related: impl Fn(&Resolver<'_>, DefRef) -> Vec<DefRef>,
) -> ReferenceQuery {
    let place = |def: &DefRef| Some((def.file, resolver.def(*def)?.at));
    // A type that is declared but not defined there is used there as well.
    let is_forward = |def: &DefRef| {
        let found = resolver.def(*def);
        all != [*def]
            && (found.is_some_and(|def| def.kind.is_type() && def.flags & flag::DECLARATION != 0)
                || is_declared_in_block(resolver, *def))
    };
    let is_a = |of: &DefRef, kind| resolver.def(*of).is_some_and(|def| def.kind == kind);
    let has_no_links =
        |of: &DefRef| is_a(of, DefKind::Alias) && !resolver.rules(of.file).links_use_imports();
    let mut wanted = ReferenceQuery {
        heads: heads.to_vec(),
        is_constructor: all.iter().any(|of| is_a(of, DefKind::Constructor)),
        has_no_links: all.iter().all(has_no_links),
        ..ReferenceQuery::default()
    };
    wanted.symbol.extend(all);
    for of in heads {
        resolver.reset_budget();
        wanted.related.extend(related(resolver, *of));
        resolver.reset_budget();
        wanted.symbol.extend(symbol_identity::symbol(resolver, *of));
    }
    let symbol = wanted.symbol.iter();
    wanted.sites = symbol.clone().filter_map(place).collect();
    // A key in `{ a }` is where the variable is used.
    wanted.own = symbol
        .filter(|def| !is_forward(def) && !at_position::is_shorthand(resolver, **def))
        .filter_map(place)
        .collect();
    wanted
}

/// Whether C or C++ declares in a block what stands elsewhere, and uses it there.
fn is_declared_in_block(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let is_c = matches!(
        resolver.workspace.dialect(of.file),
        Some(Dialect::C | Dialect::Cpp)
    );
    let def = resolver.def(of).filter(|def| is_c && !def.kind.is_type());
    def.is_some_and(|def| def.flags & flag::BLOCK_DECLARATION != 0)
}

/// One declaration of each symbol among these. Of thousands of overloads the first have to do: the others have
/// their name and place.
fn heads(resolver: &Resolver<'_>, all: &[DefRef]) -> Vec<DefRef> {
    let most = (MAX_ASKED_OF_EACH / all.len().max(1)).max(1);
    let mut heads = Vec::new();
    let mut known = FxHashSet::default();
    for of in all {
        if heads.len() == most {
            break;
        }
        if !known.contains(of) {
            heads.push(*of);
            // Of few, each is asked by itself.
            if all.len() > MAX_COMPARED {
                known.extend(symbol_identity::symbol(resolver, *of));
            }
        }
    }
    heads
}

/// Where these symbols can be used, and under which name: each file once for each name.
fn places_to_search(
    resolver: &Resolver<'_>,
    heads: &[DefRef],
    wanted: &ReferenceQuery,
) -> Vec<SearchFile> {
    let homes = wanted.homes();
    let mut places = Vec::new();
    let (mut known, mut searched) = (FxHashSet::default(), FxHashSet::default());
    for of in heads.iter().copied() {
        resolver.reset_budget();
        let own = files_of_own(resolver, of);
        for (name, is_renamed) in searched_names(resolver, of) {
            let files = match &own {
                Some(files) => files.clone(),
                // What is seen everywhere under one name is looked for in the same files.
                None if !searched.insert((resolver.rules(of.file).family(), name)) => continue,
                None => files_to_search(resolver, of, name, &homes),
            };
            let new = files.into_iter().filter(|file| known.insert((*file, name)));
            places.extend(new.map(|file| SearchFile {
                file,
                name,
                is_renamed,
            }));
        }
    }
    places
}

/// The names under which a symbol is looked for, its own first, and whether what is used under one is listed apart.
fn searched_names(resolver: &Resolver<'_>, of: DefRef) -> Vec<(Name, bool)> {
    let rules = resolver.rules(of.file);
    let is_apart = !rules.renamed_uses_count();
    let given = symbol_names::names_of(resolver, of).into_iter().enumerate();
    let mut names: Vec<(Name, bool)> = given
        .map(|(index, name)| (name, is_apart && index > 0))
        .collect();
    let default = symbol_names::name_as_default(resolver, of);
    names.extend(default.map(|name| (name, false)));
    let is_constructor = |def: &Def| def.kind == DefKind::Constructor;
    if resolver.def(of).is_some_and(is_constructor) {
        let words = rules.constructor_words().iter();
        let words = words.filter_map(|word| resolver.workspace.name(word));
        names.extend(words.map(|word| (word, false)));
    }
    names
}

/// Where the members are declared that a member replaces.
fn list_overridden(resolver: &Resolver<'_>, of: DefRef, found: &mut Vec<Reference>) {
    const MAX: usize = 64;
    let mut open = overrides::overridden(resolver, of);
    let mut next = 0;
    while next < open.len() && open.len() < MAX {
        let base = open[next];
        next += 1;
        for more in overrides::overridden(resolver, base) {
            push(&mut open, more);
        }
    }
    for base in open {
        // What is outside has no place to show.
        let is_outside = resolver.workspace.is_external(base.file);
        let def = resolver.def(base).filter(|_| !is_outside);
        let Some(def) = def.filter(|def| def.at != NONE) else {
            continue;
        };
        let name = resolver
            .name_of(base)
            .map_or("", |name| resolver.workspace.text(name));
        found.push(Reference {
            file: base.file,
            at: def.at,
            len: name.len() as u32,
            tier: ConfidenceTier::Related,
            role: Role::Read.into(),
        });
    }
}

/// The files to which what is seen nowhere else is confined.
fn files_of_own(resolver: &Resolver<'_>, of: DefRef) -> Option<Vec<FileNo>> {
    match is_local(resolver, of) {
        true => Some(vec![of.file]),
        false => files_of_private(resolver, of),
    }
}

/// Files in which a symbol that is seen everywhere can be used under a name: those where it is declared, and
/// of the others those where the name is not that of locals alone.
fn files_to_search(
    resolver: &Resolver<'_>,
    of: DefRef,
    name: Name,
    homes: &FxHashSet<FileNo>,
) -> Vec<FileNo> {
    let family = resolver.rules(of.file).family();
    let files = resolver.workspace.files_with(name).iter().copied();
    files
        .filter(|file| resolver.rules(*file).sees(family))
        .filter(|file| homes.contains(file) || resolver.workspace.leads_outwards(*file, name))
        .collect()
}

/// The files of a type, for what is seen in its type alone.
fn files_of_private(resolver: &Resolver<'_>, of: DefRef) -> Option<Vec<FileNo>> {
    let def = resolver.def(of)?;
    let is_private = def.flags & flag::PRIVATE != 0 && !def.kind.is_type();
    if !is_private || !resolver.rules(of.file).private_is_of_type() {
        return None;
    }
    let parts = resolver.parts(resolver.owner(of)?);
    let mut files = vec![of.file];
    for file in parts.types.iter().chain(&parts.loose).map(|part| part.file) {
        push(&mut files, file);
    }
    Some(files)
}

/// Whether a definition can be used in its own file alone.
#[must_use]
pub(crate) fn is_local(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return false;
    };
    let is_named_param = def.kind == DefKind::Parameter;
    let scope = bound.scope(def.scope);
    let in_code = matches!(
        scope.kind,
        ScopeKind::Function | ScopeKind::Block | ScopeKind::Header
    );
    // Named arguments are in other files; members of local types are not.
    in_code
        && !is_named_param
        && def.flags & (flag::MEMBER | flag::DEFAULT) == 0
        && scope.parent != NONE
        && !def.kind.is_type()
}

/// Uses under a name that an import gives, of which no service of the language says that they are any: related ones.
fn renamed_references_in(
    resolver: &Resolver<'_>,
    place: SearchFile,
    wanted: &ReferenceQuery,
    found: &mut Vec<Occurrence>,
) {
    let mut all = Vec::new();
    references_in(resolver, place, wanted, &mut all);
    found.extend(all.into_iter().filter_map(|occurrence| match occurrence {
        Occurrence::Use(reference) if reference.tier <= ConfidenceTier::Inferred => {
            Some(Occurrence::Renamed(Reference {
                tier: ConfidenceTier::Related,
                ..reference
            }))
        }
        _ => None,
    }));
}

fn references_in(
    resolver: &Resolver<'_>,
    SearchFile { file, name, .. }: SearchFile,
    wanted: &ReferenceQuery,
    found: &mut Vec<Occurrence>,
) {
    let Some(bound) = resolver.file(file) else {
        return;
    };
    let Some(local) = bound.local(name) else {
        return;
    };
    let text = resolver.workspace.text(name);
    let len = text.len() as u32;
    // A literal's suffix is all that it writes of its operator.
    let suffix = text.strip_prefix(LITERAL_OPERATOR);
    for (expr, at, role) in bound.uses_of(local) {
        let len = match suffix {
            Some(suffix) if role == Role::Read => suffix.len() as u32,
            _ => len,
        };
        // What takes a module's default by another name is that name's (`export { default as x } from …`).
        let is_renamed = text == "default" && role == Role::Import;
        let is_passed = wanted.has_no_links && role == Role::Doc || is_renamed;
        if is_passed || wanted.own.contains(&(file, at)) {
            continue;
        }
        match standing_of(resolver, ExprRef { file, expr }, wanted) {
            Standing::In(tier) if !is_member_initialised(resolver, bound, file, expr) => {
                found.push(Occurrence::Use(Reference {
                    file,
                    at,
                    len,
                    tier,
                    role: role.into(),
                }));
            }
            Standing::Outside => found.push(Occurrence::Outside),
            Standing::In(_) | Standing::Other => {}
        }
    }
    // A key of an object literal uses the property of its contextual type.
    for def in bound.defs_of(local) {
        let at = bound.def(def).at;
        unwritten_import(resolver, DefRef { file, def }, len, wanted, found);
        let key = object_keys::contextual_property(resolver, DefRef { file, def });
        if key.iter().any(|def| wanted.symbol.contains(def)) && !wanted.sites.contains(&(file, at))
        {
            found.push(Occurrence::Use(Reference {
                file,
                at,
                len,
                tier: ConfidenceTier::Inferred,
                role: Role::Write.into(),
            }));
        }
    }
}

/// Whether a name in front of a constructor's body is that of a member, although a base may have it as well.
fn is_member_initialised(
    resolver: &Resolver<'_>,
    bound: &BoundFile,
    file: FileNo,
    base: ExprId,
) -> bool {
    let is_cpp = bound.dialect() == Dialect::Cpp;
    let Some(member) = base.checked_sub(1).filter(|_| is_cpp) else {
        return false;
    };
    let place = |expr| bound.expr(expr).written().map(|(_, place, _)| place);
    matches!(bound.expr(member), Expr::Member { .. })
        && matches!(bound.expr(base), Expr::Name { .. })
        && place(member) == place(base)
        && !resolution::target(resolver, ExprRef { file, expr: member })
            .defs
            .is_empty()
}

/// An import that does not write what it names uses it by its own name: `import x from "./x"`; so does the second
/// name of `from .x import y as y`.
fn unwritten_import(
    resolver: &Resolver<'_>,
    def: DefRef,
    len: u32,
    wanted: &ReferenceQuery,
    found: &mut Vec<Occurrence>,
) {
    let (Some(bound), Some(alias)) = (resolver.file(def.file), resolver.def(def)) else {
        return;
    };
    let target = match bound.expr(alias.value) {
        Expr::Apply { of, .. } => bound.expr(of),
        target => target,
    };
    // What is imported by its own name (`import x as x`) has no other name either, nor has what is a module's
    // default (`export { default as x } from "./x"`).
    let is_own_name = target.written().is_none_or(|(name, ..)| {
        let is_default = || resolver.workspace.text(bound.name(name)) == "default";
        name == alias.name || is_default()
    });
    let is_import = alias.kind == DefKind::Alias
        && alias.flags & flag::UNWRITTEN == 0
        && is_own_name
        && !resolver.rules(def.file).aliases_write_both();
    if !is_import || wanted.sites.contains(&(def.file, alias.at)) {
        return;
    }
    let followed = resolver.resolve_alias(def);
    let is_wanted = |end: &DefRef| wanted.symbol.contains(end);
    if followed.ends.iter().any(is_wanted) {
        // It may name several functions.
        let is_one = followed.is_declared && followed.ends.iter().all(is_wanted);
        found.push(Occurrence::Use(Reference {
            file: def.file,
            at: alias.at,
            len,
            tier: if is_one {
                ConfidenceTier::Exact
            } else {
                ConfidenceTier::Inferred
            },
            role: Role::Import.into(),
        }));
    }
}

/// What a written use is to the symbols that are wanted.
enum Standing {
    /// A use of one of them.
    In(ConfidenceTier),
    /// It provably leads out of the workspace.
    Outside,
    /// It is another symbol's.
    Other,
}

fn standing_of(resolver: &Resolver<'_>, at: ExprRef, wanted: &ReferenceQuery) -> Standing {
    let constructed = match wanted.is_constructor {
        true => resolution::constructed_by(resolver, at),
        false => Vec::new(),
    };
    if constructed.iter().any(|def| wanted.symbol.contains(def)) {
        let is_one = constructed.len() == 1;
        return Standing::In(if is_one {
            ConfidenceTier::Exact
        } else {
            ConfidenceTier::Inferred
        });
    }
    if resolver.rules(at.file).is_by_name() {
        return Standing::In(ConfidenceTier::Name);
    }
    resolver.reset_budget();
    let found = resolver.find(at);
    // An extension method that the call does not mean says nothing of what it means.
    let are_added = || {
        let mut defs = found.defs.iter();
        defs.all(|def| resolution::is_extension(resolver, *def))
    };
    let may_mean_it = || are_added() || resolution::is_of_outside_base(resolver, at, &found);
    if !may_lead_to(resolver, &found, wanted) && !may_mean_it() {
        // Of members of both, the call says which is meant.
        let has_both = found.defs.iter().any(|def| is_library(def.file));
        let is_outside = leads_outside(resolver, &found.defs)
            || has_both
                && leads_outside(resolver, &resolution::target_of(resolver, at, &found).defs);
        return match is_outside {
            true => Standing::Outside,
            false => Standing::Other,
        };
    }
    let target = resolution::target_of(resolver, at, &found);
    let is_direct = |def: &DefRef| is_wanted(resolver, *def, wanted);
    let hit = target.defs.iter().any(is_direct) || target.via_aliases.iter().any(is_direct);
    if hit {
        let is_one = resolution::is_unambiguous(resolver, at, &found, &target);
        return Standing::In(if is_one {
            ConfidenceTier::Exact
        } else {
            ConfidenceTier::Inferred
        });
    }
    let is_of_library = leads_into_library(&target.defs);
    let is_related = target.defs.iter().any(|def| wanted.related.contains(def));
    if is_related && (!is_of_library || resolver.rules(at.file).may_dispatch(resolver, at)) {
        return Standing::In(ConfidenceTier::Related);
    }
    if is_of_library || leads_outside(resolver, &target.defs) {
        return Standing::Outside;
    }
    standing_of_undecided(resolver, at, &target, wanted)
}

/// Whether a lookup led to what the language's own library, packages or an engine declare, and to nothing else.
fn leads_outside(resolver: &Resolver<'_>, defs: &[DefRef]) -> bool {
    let is_external = |def: &DefRef| resolver.workspace.is_external(def.file);
    !defs.is_empty() && defs.iter().all(is_external)
}

/// What a use is that leads to no definition: never nowhere (SPEC X3, D35).
fn standing_of_undecided(
    resolver: &Resolver<'_>,
    at: ExprRef,
    target: &ResolvedTarget,
    wanted: &ReferenceQuery,
) -> Standing {
    let is_open = target.defs.is_empty() && target.module.is_none() && target.namespace.is_none();
    let is_of_unknown = |alias: &DefRef| {
        let rules = resolver.rules(alias.file);
        rules.is_of_unknown_module(resolver, *alias)
    };
    let mut aliases = target.via_aliases.iter();
    if !is_open || aliases.len() > 0 && !target.external && !aliases.any(is_of_unknown) {
        return Standing::Other;
    }
    let is_proven = target.external && outside::is_proven(resolver, at, target, &wanted.heads);
    match is_proven || is_of_other_arity(resolver, at, wanted) {
        true => Standing::Outside,
        false => Standing::In(ConfidenceTier::Name),
    }
}

/// Whether a call of a member has too many or too few arguments for each of the symbols, where a compiler rejects that.
fn is_of_other_arity(resolver: &Resolver<'_>, at: ExprRef, wanted: &ReferenceQuery) -> bool {
    if !resolver.rules(at.file).checks_arity() || !matches!(resolver.expr(at), Expr::Member { .. })
    {
        return false;
    }
    let call = resolver.call_of(at).map(|call| resolver.expr(call));
    let Some(Expr::Call { args, .. }) = call else {
        return false;
    };
    let given = resolver.each(at.file, args, |at| at);
    let rejects = |of: &DefRef| {
        let kind = resolver.def(*of).map(|def| def.kind);
        kind.is_some_and(DefKind::is_callable) && !arity::may_accept(resolver, *of, &given)
    };
    let mut all = wanted.symbol.iter().chain(&wanted.related);
    all.all(rejects)
}

fn is_wanted(resolver: &Resolver<'_>, def: DefRef, wanted: &ReferenceQuery) -> bool {
    let is_site = |found: &Def| wanted.sites.contains(&(def.file, found.at));
    wanted.symbol.contains(&def) || resolver.def(def).is_some_and(is_site)
}

/// Whether what a lookup found leaves it open that the symbol or what is related to it is meant. Which of a
/// type's overloads is, costs many times that; where all of them are of other types, it does not matter.
fn may_lead_to(resolver: &Resolver<'_>, found: &LookupResult, wanted: &ReferenceQuery) -> bool {
    let is_alias = |def| {
        resolver
            .def(def)
            .is_some_and(|def| def.kind == DefKind::Alias)
    };
    let may_be = |def: &DefRef| {
        is_alias(*def) || wanted.related.contains(def) || is_wanted(resolver, *def, wanted)
    };
    found.defs.is_empty() || found.defs.iter().any(may_be)
}

/// What references are wanted of.
#[derive(Default)]
struct ReferenceQuery {
    /// One declaration of each symbol.
    heads: Vec<DefRef>,
    /// Whether what is constructed may mean it.
    is_constructor: bool,
    /// Whether it is an import that links in documentation do not use.
    has_no_links: bool,
    symbol: FxHashSet<DefRef>,
    related: FxHashSet<DefRef>,
    /// Those places where the symbol is declared that are no uses.
    own: FxHashSet<(FileNo, u32)>,
    /// Where the symbol is declared.
    sites: FxHashSet<(FileNo, u32)>,
}

impl ReferenceQuery {
    /// Files in which the symbol or what is related to it is declared.
    fn homes(&self) -> FxHashSet<FileNo> {
        let declared = self.symbol.iter().chain(&self.related).map(|def| def.file);
        declared
            .chain(self.sites.iter().map(|site| site.0))
            .collect()
    }
}
