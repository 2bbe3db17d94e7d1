//! What `codecortex_status` can list.

use codecortex_analysis::found_file::explain;
use codecortex_analysis::workspace::Status;
use codecortex_ledger::{TextState, TypeView};
use codecortex_project::Projects;
use codecortex_protocol::paths::display;
use codecortex_protocol::{Failure, Missing, Phase};
use codecortex_syntax::SkipReason;

use crate::invocation::Invocation;
use crate::tools::folder::Below;
use crate::tools::status::{ListEntry, ResolvedType, StatusListing};

pub(super) fn list(
    cx: &Invocation<'_>,
    which: StatusListing,
    reason: Option<&str>,
    folder: Option<&str>,
) -> Result<Vec<ListEntry>, Failure> {
    let shown = |root: u32, path: &str, is_dir: bool| {
        let mut path = display(&cx.workspace.roots[root as usize], path);
        if is_dir {
            path.push('/');
        }
        path
    };
    let mut entries: Vec<ListEntry> = match which {
        StatusListing::Skipped => cx
            .workspace
            .left_out()
            .filter(|left| reason.is_none_or(|reason| left.reason.as_str() == reason))
            .map(|left| ListEntry {
                file_path: shown(left.root, left.path, left.is_dir),
                resolved: None,
                reason: Some(left.reason.as_str()),
                detail: match left.reason {
                    reason @ (SkipReason::Unreadable(_) | SkipReason::TooComplex) => {
                        Some(explain(reason))
                    }
                    _ => None,
                },
            })
            .collect(),
        StatusListing::Pending => cx
            .workspace
            .files()
            .filter(|(_, _, file)| file.status == Status::Pending)
            .map(|(root, path, _)| ListEntry {
                file_path: shown(root, path, false),
                resolved: None,
                reason: None,
                detail: None,
            })
            .collect(),
        StatusListing::SyntaxErrors => cx
            .index
            .files()
            .filter(|(_, file)| file.facts.summary().syntax_errors > 0)
            .map(|(_, file)| ListEntry {
                file_path: cx.display_path(file),
                resolved: None,
                reason: None,
                detail: Some(format!("{} places", file.facts.summary().syntax_errors)),
            })
            .collect(),
        StatusListing::Projects => projects(cx, &shown)?,
        StatusListing::ProjectProblems => problems(cx, &shown)?,
        StatusListing::Texts => texts(cx, reason),
    };
    if let Some(folder) = Below::new(cx, folder)? {
        entries.retain(|entry| folder.holds(&entry.file_path));
        folder.check(cx, entries.is_empty())?;
    }
    // Texts come in the order of their types' paths.
    if which != StatusListing::Texts {
        entries.sort_by(|a, b| a.file_path.cmp(&b.file_path));
    }
    Ok(entries)
}

/// The projects of a root; they are read when somebody asks for the first time.
pub(super) fn models<'a>(cx: &'a Invocation<'_>) -> Result<Vec<(u32, &'a Projects)>, Failure> {
    let mut models = Vec::new();
    for (root, projects) in cx.projects().iter().enumerate() {
        let root = root as u32;
        match projects.model() {
            Some(model) if !projects.is_old() => models.push((root, model)),
            _ if cx.phase() == Phase::Ready => {
                return Err(Failure::Missing(Missing::Projects(root)));
            }
            model => models.extend(model.map(|model| (root, model))),
        }
    }
    Ok(models)
}

fn projects(
    cx: &Invocation<'_>,
    shown: &dyn Fn(u32, &str, bool) -> String,
) -> Result<Vec<ListEntry>, Failure> {
    let mut entries = Vec::new();
    for (root, model) in models(cx)? {
        entries.extend(model.all().iter().map(|project| ListEntry {
            file_path: shown(root, &project.path, false),
            resolved: None,
            reason: Some(project.kind.as_str()),
            detail: Some(match &project.tfm {
                Some(framework) => format!("{} {} {framework}", project.id, project.name),
                None => format!("{} {}", project.id, project.name),
            }),
        }));
    }
    Ok(entries)
}

fn problems(
    cx: &Invocation<'_>,
    shown: &dyn Fn(u32, &str, bool) -> String,
) -> Result<Vec<ListEntry>, Failure> {
    let mut entries = Vec::new();
    for (root, model) in models(cx)? {
        entries.extend(model.problems().iter().map(|problem| ListEntry {
            file_path: shown(root, &problem.path, false),
            resolved: None,
            reason: None,
            detail: Some(match problem.at.line {
                0 => problem.message.clone(),
                line => format!("line {line}: {}", problem.message),
            }),
        }));
    }
    Ok(entries)
}

/// Types by where the text about them stands (SPEC SE3), in the order of their paths; `state` chooses among them.
fn texts(cx: &Invocation<'_>, state: Option<&str>) -> Vec<ListEntry> {
    let folders = cx.workspace.roots.iter().zip(&cx.session.contexts.folders);
    let ledgers = folders.filter_map(|(root, folder)| Some((root, folder.ledger.as_ref()?)));
    let mut entries: Vec<ListEntry> = ledgers
        .flat_map(|(root, ledger)| {
            let known = ledger.ids().into_iter().filter_map(|id| ledger.get(id));
            known.map(|known| text_entry(&root.name, known))
        })
        .filter(|entry| state.is_none_or(|state| entry.reason == Some(state)))
        .collect();
    let path = |entry: &ListEntry| entry.resolved.as_ref().map(|of| of.path.clone());
    entries.sort_by_cached_key(path);
    entries
}

fn text_entry(root: &str, known: TypeView) -> ListEntry {
    let state = match known.state {
        TextState::Pending if known.last_error.is_some() => "failed",
        state => state.as_str(),
    };
    ListEntry {
        file_path: format!("{root}/"),
        resolved: Some(ResolvedType {
            kind: known.identity.kind,
            path: known.identity.fqn,
            type_id: known.id,
        }),
        reason: Some(state),
        detail: known.last_error,
    }
}
