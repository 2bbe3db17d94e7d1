//! Where a graph begins.

use codecortex_analysis::artefacts::needs::type_around;
use codecortex_analysis::artefacts::outline::lacks_projects;
use codecortex_analysis::place::ResolvedSymbol;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::args::{check_range, check_text};
use codecortex_index::{IndexUnit, IndexedFile, Symbol, UnitLocation as UnitPlace};
use codecortex_project::Project;
use codecortex_protocol::{ErrorCode, Failure, Missing, ToolError};
use rustc_hash::FxHashMap;

use crate::invocation::Invocation;
use crate::tools::graph::args::GraphArgs;

/// The most names that an error lists.
const MAX_CANDIDATES: usize = 20;
/// The most types that a graph begins at by name.
const MAX_SYMBOLS: u64 = 2_000;
/// Characters of a name that an answer repeats.
const MAX_NAME: usize = 80;

/// The types that a graph begins at.
pub(super) struct GraphScope {
    pub(super) types: Vec<Symbol>,
    pub(super) resolved: Option<ResolvedSymbol>,
    /// Names that are nowhere.
    pub(super) missing: Vec<String>,
}

pub(super) fn scope_of(cx: &Invocation<'_>, args: &GraphArgs) -> Result<GraphScope, Failure> {
    let types = match (&args.symbol, &args.symbols, &args.folder, &args.project) {
        (Some(symbol), None, None, None) => return of_symbol(cx, symbol).map_err(Failure::from),
        (None, Some(symbols), None, None) => return Ok(of_symbols(cx, symbols)?),
        (None, None, Some(folder), None) => of_folder(cx, folder)?,
        (None, None, None, Some(project)) => of_project(cx, project)?,
        (None, None, None, None) => all(cx, |_| true),
        _ => {
            return Err(ToolError::invalid(
                "`symbol`, `symbols`, `folder` and `project` exclude each other.",
            )
            .hint("Give one of them, or none for all types.")
            .into());
        }
    };
    Ok(GraphScope {
        types,
        resolved: None,
        missing: Vec::new(),
    })
}

/// Every type with a part in a file that fits.
fn all(cx: &Invocation<'_>, fits: impl Fn(&IndexedFile) -> bool) -> Vec<Symbol> {
    let is_in = |symbol: Symbol| cx.index.file(symbol.file).is_some_and(&fits);
    let mut types: FxHashMap<IndexUnit, Symbol> = FxHashMap::default();
    for (id, _) in cx.index.files().filter(|(_, file)| fits(file)) {
        for (unit, place) in cx.index.units_of(id) {
            if let UnitPlace::Type(symbol) = place {
                types.entry(unit).or_insert(symbol);
            }
        }
    }
    // A file that adds to a type of some name may mean another one of that name.
    types.retain(|_, symbol| {
        let mut parts = cx.index.parts(*symbol).into_iter();
        is_in(*symbol) || parts.any(|part| is_in(part.symbol))
    });
    types.into_values().collect()
}

/// A type, the type that a member is in, or all types of a namespace.
fn of_symbol(cx: &Invocation<'_>, symbol: &str) -> Result<GraphScope, ToolError> {
    let found = cx.find_symbol(symbol)?;
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a symbol.");
    let first = *found.symbols.first().ok_or_else(lost)?;
    let (_, item) = cx.index.get(first).ok_or_else(lost)?;
    let types = if item.kind.is_namespace() {
        let is_inside = |path: &str| {
            let rest = path.strip_prefix(&found.path);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let mut types = all(cx, |_| true);
        types.retain(|symbol| is_inside(&cx.index.path_of(*symbol)));
        types
    } else {
        let around = type_around(cx, first);
        vec![around.ok_or_else(|| {
            ToolError::new(
                ErrorCode::NotFound,
                format!("'{}' is in no type.", found.path),
            )
            .hint("Name a type, or give `folder`.")
        })?]
    };
    Ok(GraphScope {
        types,
        resolved: resolved_symbol(cx, first),
        missing: Vec::new(),
    })
}

/// The types of several names. Fails where none of them is found, as for one.
fn of_symbols(cx: &Invocation<'_>, symbols: &[String]) -> Result<GraphScope, ToolError> {
    check_range("symbols", symbols.len() as u64, 1, MAX_SYMBOLS)?;
    let mut types: Vec<Symbol> = Vec::new();
    let mut missing = Vec::new();
    let mut failure = None;
    for symbol in symbols {
        match of_symbol(cx, symbol) {
            Ok(found) => types.extend(found.types),
            Err(error) => {
                missing.push(symbol.chars().take(MAX_NAME).collect());
                failure.get_or_insert(error);
            }
        }
    }
    match failure {
        Some(error) if types.is_empty() => Err(error),
        _ => Ok(GraphScope {
            types,
            resolved: None,
            missing,
        }),
    }
}

fn of_folder(cx: &Invocation<'_>, folder: &str) -> Result<Vec<Symbol>, Failure> {
    let place = cx.find_folder(folder)?;
    Ok(all(cx, |file| place.holds(file.root, &file.path)))
}

fn of_project(cx: &Invocation<'_>, wanted: &str) -> Result<Vec<Symbol>, Failure> {
    check_text("project", wanted)?;
    let wanted = wanted.trim();
    let mut known = Vec::new();
    for root in 0..cx.workspace.roots.len() as u32 {
        let model = cx
            .projects()
            .get(root as usize)
            .and_then(|projects| projects.model());
        match model {
            Some(model) => known.extend(model.all().iter().map(|project| (root, model, project))),
            None if lacks_projects(cx, root) => {
                return Err(Failure::Missing(Missing::Projects(root)));
            }
            None => {}
        }
    }
    let is_it = |project: &Project| {
        project.name == wanted || project.id.eq_ignore_ascii_case(wanted) || project.path == wanted
    };
    let found: Vec<_> = known
        .iter()
        .filter(|(_, _, project)| is_it(project))
        .collect();
    match found.as_slice() {
        [(root, model, project)] => Ok(all(cx, |file| {
            let of = model.project_of(&file.path).and_then(|id| model.get(id));
            file.root == *root && of.is_some_and(|of| of.id == project.id)
        })),
        [] => {
            let names: Vec<String> = known
                .iter()
                .map(|(_, _, project)| project.name.clone())
                .collect();
            Err(no_project(wanted, names).into())
        }
        several => {
            let ids: Vec<String> = several
                .iter()
                .map(|(_, _, project)| project.id.clone())
                .collect();
            Err(
                ToolError::invalid(format!("`{wanted}` is several projects."))
                    .hint("Give an id of the candidates.")
                    .detail("candidates", ids)
                    .into(),
            )
        }
    }
}

fn no_project(wanted: &str, mut names: Vec<String>) -> ToolError {
    let shown: String = wanted.chars().take(MAX_NAME).collect();
    let error = ToolError::new(
        ErrorCode::NotFound,
        format!("There is no project `{shown}`."),
    );
    names.sort_by_key(|name| (strsim::levenshtein(name, &shown), name.clone()));
    names.dedup();
    names.truncate(MAX_CANDIDATES);
    match names.first() {
        Some(first) => error
            .hint(format!("Did you mean `{first}`?"))
            .detail("suggestions", names),
        None => error.hint("No manifest of a project is in the workspace; give `folder`."),
    }
}
