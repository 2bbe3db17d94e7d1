//! What is reviewed: the change, the user's rules, and what tools report.

use std::rc::Rc;

use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{DiffOf, DiffOutcome, ErrorCode, Failure, Missing, ToolError};
use codecortex_review::report::issues_of_sarif;
use codecortex_review::{ChangeOrigin, Issue, Patch, ReviewedChange};
use rustc_hash::FxHashMap;

use super::{ModeArg, ReviewArgs};
use crate::calls::{CallContext, join};
use crate::invocation::Invocation;

/// Rules of the workspace's people.
const RULES: &str = ".context/review-rules.json";
/// Files of a patch whose text is read.
const MAX_FILES: usize = 500;

/// What a review is made of.
pub(super) struct ReviewInput {
    pub(super) root: u32,
    pub(super) change: Rc<ReviewedChange>,
    pub(super) rules: Option<String>,
}

impl ReviewInput {
    /// Reads all of it.
    ///
    /// # Errors
    /// There is no such folder, or no such change.
    pub(super) async fn read(cx: &CallContext, args: &ReviewArgs) -> Result<Self, ToolError> {
        let root = cx.view(|cx| root_of(cx, args.folder.as_deref())).await?;
        let change = async {
            match &args.patch {
                Some(patch) => cx.look(|cx| of_patch(cx, root, patch)).await,
                None => of_git(cx, root, args).await,
            }
        };
        let (rules, change) = join(cx.look(|cx| rules(cx, root)), change).await;
        Ok(Self {
            root,
            rules: rules?,
            change: Rc::new(change?),
        })
    }

    /// What the editor and other tools report of the files of the change.
    pub(super) fn issues(&self, cx: &Invocation<'_>, sarif: Option<&str>) -> Vec<Issue> {
        let mut issues = sarif.map(issues_of_sarif).unwrap_or_default();
        let Some(root) = cx.workspace.roots.get(self.root as usize) else {
            return issues;
        };
        for file in &self.change.files {
            let path = absolute_path(root, &file.path);
            for problem in cx.session.live.editor.diagnostics(&path) {
                let source = problem.source.as_deref().unwrap_or("editor");
                issues.push(Issue {
                    path: file.path.clone(),
                    line: problem.span.start.line + 1,
                    message: format!("{source}: {}", problem.message),
                });
            }
        }
        issues
    }
}

fn root_of(cx: &Invocation<'_>, folder: Option<&str>) -> Result<u32, ToolError> {
    let roots = &cx.workspace.roots;
    let found = match folder {
        Some(name) => roots
            .iter()
            .position(|root| root.name == name || root.path == name),
        None => (!roots.is_empty()).then_some(0),
    };
    found.map(|at| at as u32).ok_or_else(|| {
        let names: Vec<&str> = roots.iter().map(|root| root.name.as_str()).collect();
        ToolError::new(ErrorCode::NotFound, "There is no such workspace folder.")
            .detail("folders", names)
    })
}

async fn of_git(
    cx: &CallContext,
    root: u32,
    args: &ReviewArgs,
) -> Result<ReviewedChange, ToolError> {
    let (of, mode) = match (&args.base, args.mode) {
        (Some(base), _) => {
            let (base, head) = (base.clone(), args.head.clone());
            (DiffOf::Range { base, head }, ChangeOrigin::Pr)
        }
        (None, _) if args.head.is_some() => {
            return Err(ToolError::invalid("`head` needs `base`.")
                .hint("Give `base`, what it is compared with."));
        }
        (None, Some(ModeArg::Staged)) => (DiffOf::Staged, ChangeOrigin::Staged),
        (None, Some(ModeArg::Working)) => (DiffOf::Unstaged, ChangeOrigin::Working),
        (None, None | Some(ModeArg::Uncommitted)) => (DiffOf::Uncommitted, ChangeOrigin::Working),
    };
    let limits = cx.session().code.limits();
    let read = |outcome: &DiffOutcome| match outcome {
        DiffOutcome::Done { diff } => Ok(ReviewedChange::of_git(mode, diff, limits)),
        DiffOutcome::Failed { reason, hint } => {
            Err(ToolError::new(ErrorCode::Unavailable, reason).hint(hint))
        }
    };
    let mut change = cx.diff((root, of), read).await?;
    if let Some(base) = &args.base {
        // What somebody calls it tells more than its commit.
        change.base.clone_from(base);
    }
    Ok(change)
}

fn of_patch(cx: &Invocation<'_>, root: u32, written: &str) -> Result<ReviewedChange, Failure> {
    let patch = Patch::parse(written);
    if patch.files.is_empty() && patch.unmerged.is_empty() && !written.trim().is_empty() {
        return Err(no_patch(&patch).into());
    }
    let of = &cx.workspace.roots[root as usize];
    let mut paths: Vec<&str> = patch
        .files
        .iter()
        .flat_map(|file| [&file.old_path, &file.new_path])
        .flatten()
        .map(String::as_str)
        .collect();
    paths.sort_unstable();
    paths.dedup();
    // A patch says which files are read: only those that anybody may ask for.
    let known = paths
        .into_iter()
        .filter(|path| cx.workspace.file(root, path).is_some());
    let known: Vec<&str> = known.take(MAX_FILES).collect();
    let located: Vec<_> = known
        .iter()
        .map(|path| cx.located(&absolute_path(of, path)))
        .collect();
    let texts: Vec<_> = located.iter().map(|file| cx.text_of(file)).collect();
    let missing: Vec<_> = texts
        .iter()
        .filter_map(|text| match text {
            Err(Failure::Missing(Missing::Texts(files))) => Some(files.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    if !missing.is_empty() {
        return Err(Failure::Missing(Missing::Texts(missing)));
    }
    let texts = known.iter().zip(texts);
    let present: FxHashMap<String, Vec<u8>> = texts
        .filter_map(|(path, text)| {
            Some((
                (*path).to_owned(),
                text.ok()?.snapshot.text.text().into_bytes(),
            ))
        })
        .collect();
    Ok(ReviewedChange::of_patch(patch, &present, cx.limits()))
}

/// What is wrong with a patch that names no file.
fn no_patch(patch: &Patch) -> ToolError {
    let why = patch
        .problems
        .first()
        .map_or(String::new(), |problem| format!(" {problem}"));
    ToolError::invalid(format!("The patch holds no unified diff.{why}"))
        .hint("Give what `git diff` or `diff -u` prints. An empty patch is an empty review.")
}

/// The rules of a root's people, where it has any.
fn rules(cx: &Invocation<'_>, root: u32) -> Result<Option<String>, Failure> {
    let Some(of) = cx.workspace.roots.get(root as usize) else {
        return Ok(None);
    };
    let file = cx.located(&absolute_path(of, RULES));
    match cx.text_of(&file) {
        Ok(text) => Ok(Some(text.snapshot.text.text())),
        Err(Failure::Error(_)) => Ok(None),
        Err(waits) => Err(waits),
    }
}
