//! The outline of a type (SPEC H1, `000` §3.4).

use codecortex_index::{HashRules, Hashes, IndexedFile, Symbol};
use codecortex_ledger::files::outline::Outline;
use codecortex_project::{Detail, is_manifest};
use codecortex_syntax::{Item, ItemKind, Language, Relation, SkipReason, Visibility};

use crate::analysis::Analysis;
use crate::artefacts::needs::{Need, id_of_type, is_seen, needs, simple};
use crate::artefacts::types::files_of_type;
use crate::workspace::Status;

/// The most dependencies that an outline names.
const MAX_DEPENDENCIES: usize = 10;

/// The outline of a type, its hashes made by `rules`; `None` for what is no type.
///
/// But for the header it follows from the type's structure and documentation alone: members are in
/// canonical order, so that moving one changes nothing.
#[must_use]
pub fn type_outline(code: &Analysis, symbol: Symbol, rules: HashRules) -> Option<Outline> {
    let mut outline = bare_outline(code, symbol, rules)?;
    outline.hashes = code.index.type_hashes(symbol, rules);
    Some(outline)
}

/// [`type_outline`] without its hashes, which take most of its time.
pub fn bare_outline(code: &Analysis, symbol: Symbol, rules: HashRules) -> Option<Outline> {
    let id = id_of_type(code, symbol)?;
    let (file, item) = code.index.get(symbol)?;
    let mut needs = needs(code, symbol);
    let (implements, other_bases) = bases(code, symbol, &needs);
    let is_implemented = |path: &str| implements.iter().any(|base| names_type(base, path));
    needs.retain(|need| !(need.is_base && is_implemented(&code.index.path_of(need.symbol))));
    Some(Outline {
        fqn: code.index.path_of(symbol),
        id,
        kind: item.kind.as_str().to_owned(),
        files: files_of_type(code, symbol),
        assembly: assembly(code, file),
        hashes: Hashes::default(),
        doc: first_doc_line(code, symbol),
        api: public_api(code, symbol, rules),
        depends_on: most_needed(code, needs, other_bases),
        implements,
    })
}

/// Documentation's first line; of several parts, that of the first which has any.
fn first_doc_line(code: &Analysis, symbol: Symbol) -> String {
    let parts = code.index.parts(symbol).into_iter();
    let mut docs = parts.filter(|part| !part.is_extension).filter_map(|part| {
        let (file, item) = code.index.get(part.symbol)?;
        file.facts.str(item.doc).lines().next()
    });
    docs.next().unwrap_or_default().to_owned()
}

/// Signatures of what others see, as the language writes them: types, fields, properties, events,
/// methods, each by signature. What has no members shows itself.
fn public_api(code: &Analysis, symbol: Symbol, rules: HashRules) -> Vec<String> {
    let shown = |item: &Item| {
        is_seen(item) || (rules.internal_is_public && item.visibility == Visibility::Internal)
    };
    let written = |file: &IndexedFile, item: &Item| match item.signature.is_empty() {
        true => file.facts.str(item.name).to_owned(),
        false => file.facts.str(item.signature).to_owned(),
    };
    let members = code.index.members(symbol).into_iter();
    let mut api: Vec<(u8, String)> = members
        .filter_map(|member| code.index.get(member))
        .filter(|(_, item)| shown(item))
        .map(|(file, item)| (rank(item.kind), written(file, item)))
        .collect();
    api.sort();
    let own = code.index.get(symbol).filter(|(_, item)| {
        api.is_empty() && matches!(item.kind, ItemKind::Delegate | ItemKind::TypeAlias)
    });
    api.extend(own.map(|(file, item)| (0, written(file, item))));
    api.into_iter().map(|(_, signature)| signature).collect()
}

/// The interfaces that a type implements, and its other bases that are not in the workspace, as they
/// are written.
fn bases(code: &Analysis, symbol: Symbol, needs: &[Need]) -> (Vec<String>, Vec<String>) {
    let (mut interfaces, mut others) = (Vec::new(), Vec::new());
    for part in code.index.parts(symbol) {
        let Some((file, item)) = code.index.get(part.symbol) else {
            continue;
        };
        for (place, (relation, written)) in file.facts.bases_of(part.symbol.item).enumerate() {
            let is_it = |need: &&Need| {
                need.is_base && names_type(written, &code.index.path_of(need.symbol))
            };
            let named = needs.iter().find(is_it);
            let known = named
                .and_then(|need| code.index.get(need.symbol))
                .map(|(_, base)| base.kind);
            let list = if is_interface(
                file.facts.language,
                item.kind,
                relation,
                known,
                place,
                written,
            ) {
                &mut interfaces
            } else if known.is_none() {
                &mut others
            } else {
                continue;
            };
            if !list.iter().any(|base| base == written) {
                list.push(written.to_owned());
            }
        }
    }
    (interfaces, others)
}

/// Paths of what is needed most: bases, then what most members name.
fn most_needed(code: &Analysis, needs: Vec<Need>, other_bases: Vec<String>) -> Vec<String> {
    let mut ranked: Vec<(bool, std::cmp::Reverse<u32>, String)> = needs
        .into_iter()
        .map(|need| {
            let path = code.index.path_of(need.symbol);
            (!need.is_base, std::cmp::Reverse(need.mentions), path)
        })
        .collect();
    ranked.sort();
    let paths = ranked.into_iter().map(|(_, _, path)| path);
    let mut all: Vec<String> = other_bases.into_iter().chain(paths).collect();
    all.truncate(MAX_DEPENDENCIES);
    all
}

/// The project that a file belongs to; where none is known, the package, crate or module as far as the
/// file and its place say it.
pub fn assembly(code: &Analysis, file: &IndexedFile) -> String {
    let projects = code.projects.get(file.root as usize);
    let model = projects.and_then(|projects| projects.model());
    let project = model.and_then(|model| model.get(model.project_of(&file.path)?));
    match project.map(|project| (&project.detail, &project.name)) {
        Some((Detail::Dotnet(dotnet), _)) => return dotnet.assembly_name.clone(),
        // A folder without a manifest is a project in name only.
        None | Some((Detail::None {}, _)) => {}
        Some((_, name)) => return name.clone(),
    }
    let segments = code.index.module_segments(file);
    match file.facts.language {
        // Projects say it, not files.
        Language::CSharp | Language::C | Language::Cpp | Language::AngelScript => String::new(),
        Language::Rust | Language::Python => segments
            .first()
            .map_or_else(String::new, |segment| (*segment).to_owned()),
        _ => segments.join(file.facts.language.info().namespace_separator),
    }
}

/// Whether the projects of a root are still to be read: manifests are there, and nobody needed them
/// so far.
pub fn lacks_projects(code: &Analysis, root: u32) -> bool {
    let projects = code.projects.get(root as usize);
    if projects.is_none_or(|projects| projects.model().is_some()) {
        return false;
    }
    let mut files = code.workspace.files();
    files.any(|(of, path, file)| {
        let is_left_out = matches!(
            &file.status,
            Status::Skipped(SkipReason::Ignored | SkipReason::Excluded)
        );
        of == root && !is_left_out && is_manifest(path)
    })
}

/// The order of members: `000` §3.3, rule 1.
fn rank(kind: ItemKind) -> u8 {
    match kind {
        kind if kind.is_type() => 0,
        ItemKind::Field | ItemKind::Constant | ItemKind::Variable | ItemKind::EnumMember => 1,
        ItemKind::Property => 2,
        ItemKind::Event => 3,
        _ => 4,
    }
}

/// Whether a base is an interface: as the source says it, as its declaration says it, and where that is
/// not in the workspace, as the language has it.
fn is_interface(
    language: Language,
    own: ItemKind,
    relation: Relation,
    known: Option<ItemKind>,
    place: usize,
    written: &str,
) -> bool {
    let is_abstract = |kind| matches!(kind, ItemKind::Interface | ItemKind::Trait);
    match (relation, known) {
        (Relation::Implements, _) => true,
        (Relation::Mixin, _) => false,
        (_, Some(kind)) => is_abstract(kind),
        _ if is_abstract(own) => true,
        // Only the first can be a class, and only a class can have one; interfaces are called `IName`.
        _ if language == Language::CSharp => {
            let mut letters = simple(written).chars();
            let is_called_so =
                letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase);
            place > 0 || own == ItemKind::Struct || is_called_so
        }
        _ => false,
    }
}

/// Whether a type as written can be the one of that path.
fn names_type(written: &str, path: &str) -> bool {
    path.rsplit(['.', ':', '+', '/', '$']).next() == Some(simple(written))
}
