//! A folder that a caller names to see only what is below it.

use codecortex_protocol::paths::{WorkspacePath, display, places};
use codecortex_protocol::{ErrorCode, ToolError};

use crate::invocation::Invocation;

/// What is below a folder of the workspace.
pub(crate) struct Below<'a> {
    written: &'a str,
    /// What it may mean, as answers give paths.
    prefixes: Vec<String>,
    is_there: bool,
}

impl<'a> Below<'a> {
    /// The folder that a caller wrote; none where nothing is written.
    ///
    /// # Errors
    /// `AccessDenied` where it is outside of the workspace.
    pub(crate) fn new(
        cx: &Invocation<'_>,
        written: Option<&'a str>,
    ) -> Result<Option<Self>, ToolError> {
        let Some(written) = written.map(str::trim).filter(|written| !written.is_empty()) else {
            return Ok(None);
        };
        let roots = &cx.workspace.roots;
        let places = places(written.trim_end_matches(['/', '\\']), roots)?;
        let is_there = |place: &WorkspacePath| {
            let workspace = &cx.workspace;
            place.path.is_empty()
                || workspace.has_dir(place.root, &place.path)
                || workspace.file(place.root, &place.path).is_some()
        };
        let shown =
            |place: &WorkspacePath| Some(display(roots.get(place.root as usize)?, &place.path));
        let prefixes = places.iter().filter_map(shown);
        let prefixes = prefixes.map(|prefix| prefix.trim_end_matches('/').to_owned());
        Ok(Some(Self {
            written,
            prefixes: prefixes.collect(),
            is_there: places.iter().any(is_there),
        }))
    }

    /// Whether a path of an answer is the folder, or below it.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.prefixes.iter().any(|prefix| {
            let rest = path.strip_prefix(prefix.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Fails where there is no such folder and nothing was found below it: what was there before may be told of.
    pub(crate) fn check(&self, cx: &Invocation<'_>, is_empty: bool) -> Result<(), ToolError> {
        if self.is_there || !is_empty {
            return Ok(());
        }
        let names = cx.workspace.roots.iter().map(|root| &*root.name);
        let names: Vec<&str> = names.collect();
        let message = format!("`{}` is not a folder of the workspace.", self.written);
        let hint = format!("Paths begin with the name of a root: {}.", names.join(", "));
        Err(ToolError::new(ErrorCode::NotFound, message).hint(hint))
    }
}
