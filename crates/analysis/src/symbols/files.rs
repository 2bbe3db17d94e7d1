//! The file that a caller's path means, or why it means none (SPEC TC2, D12).

use codecortex_answer::args::check_text;
use codecortex_index::{IndexedFile, Symbol};
use codecortex_protocol::paths::{WorkspacePath, absolute_path, display, place_of, places};
use codecortex_protocol::{ErrorCode, Failure, Located, Missing, Phase, ToolError};
use codecortex_syntax::{Item, SkipReason};

use crate::analysis::Analysis;
use crate::external::origin_of;
use crate::found_file::{FoundFile, explain, not_indexed};
use crate::place::short_location;
use crate::read_outside::{facts_outside, locate_outside, may_be_named};
use crate::workspace::Status;

impl Analysis {
    /// Where a declaration is, for a text.
    pub fn short_location(&self, file: &IndexedFile, item: &Item) -> String {
        short_location(
            &self.display_path(file),
            item.start.line + 1,
            item.end.line + 1,
        )
    }

    /// `rootName/relative/path` of a file.
    pub fn display_path(&self, file: &IndexedFile) -> String {
        if let Some(origin) = origin_of(self, file) {
            return origin.path.clone();
        }
        self.workspace
            .roots
            .get(file.root as usize)
            .map_or_else(|| file.path.to_string(), |root| display(root, &file.path))
    }

    /// Whether a symbol is in a folder of the workspace.
    pub fn is_in(&self, root: u32, symbol: Symbol) -> bool {
        let file = self.index.file(symbol.file);
        file.is_some_and(|file| file.root == root)
    }

    /// The error for an answer that would be wrong now and right later (SPEC P4).
    pub fn busy(&self, message: &str) -> Option<ToolError> {
        if !matches!(self.phase(), Phase::Scanning | Phase::Indexing) {
            return None;
        }
        let done = self.file_count();
        let total = done + self.workspace.pending();
        let progress = (done * 100).checked_div(total).unwrap_or(0);
        Some(
            ToolError::new(
                ErrorCode::Busy,
                format!("{message} The workspace is being indexed."),
            )
            .hint("Call again in a moment.")
            .retryable()
            .detail("progress", progress),
        )
    }

    /// The indexed file that a caller's path means (SPEC TC2, D12).
    pub fn find_file(&self, input: &str) -> Result<FoundFile<'_>, Failure> {
        check_text("filePath", input)?;
        if let Some(place) = self.place_as_written(input) {
            return self.known_file(input, &place);
        }
        let readings = match places(input, &self.workspace.roots) {
            Ok(readings) => readings,
            // What is open, or was named by an answer, may lie anywhere.
            Err(error) => match locate_outside(self, input) {
                Some(file) => return self.outside_file(file),
                None => return Err(error.into()),
            },
        };
        let known: Vec<WorkspacePath> = readings
            .iter()
            .filter(|place| self.workspace.file(place.root, &place.path).is_some())
            .cloned()
            .collect();
        match known.as_slice() {
            [place] => self.known_file(input, place),
            [] => self.missing_file(input, &readings),
            several => Err(self.in_several_folders(input, several).into()),
        }
    }

    /// Where a file is whose path is written as answers write it, backslashes in it included: these are letters of a name
    /// on most systems.
    fn place_as_written(&self, input: &str) -> Option<WorkspacePath> {
        let written = input.trim();
        if !written.contains('\\') {
            return None;
        }
        let mut found = self
            .workspace
            .roots
            .iter()
            .zip(0..)
            .filter_map(|(root, index)| {
                let within = |folder: &str| written.strip_prefix(folder)?.strip_prefix('/');
                let below = within(&root.name).or_else(|| within(&root.path));
                let path = below.unwrap_or(written).to_owned();
                let is_there = self.workspace.file(index, &path).is_some();
                is_there.then_some(WorkspacePath { root: index, path })
            });
        found.next()
    }

    fn outside_file(&self, file: Located) -> Result<FoundFile<'_>, Failure> {
        let facts = facts_outside(self, &file)?;
        Ok(FoundFile::Outside { file, facts })
    }

    /// The folder or file that bounds a question: one of those that are listed (SPEC TC2, D12).
    pub fn find_folder(&self, input: &str) -> Result<WorkspacePath, Failure> {
        check_text("folder", input)?;
        let readings = places(input, &self.workspace.roots)?;
        let is_there = |place: &&WorkspacePath| {
            let WorkspacePath { root, path } = place;
            path.is_empty()
                || self.workspace.is_dir(*root, path)
                || self.workspace.file(*root, path).is_some()
        };
        let there: Vec<WorkspacePath> = readings.iter().filter(is_there).cloned().collect();
        match there.as_slice() {
            [place] => Ok(place.clone()),
            [] => Err(self.not_found(input, &readings)),
            several => Err(self.in_several_folders(input, several).into()),
        }
    }

    /// The error for a path that several workspace folders have.
    fn in_several_folders(&self, input: &str, readings: &[WorkspacePath]) -> ToolError {
        let candidates: Vec<String> = readings
            .iter()
            .map(|place| display(&self.workspace.roots[place.root as usize], &place.path))
            .collect();
        ToolError::invalid(format!("`{input}` is in several workspace folders."))
            .hint("Begin the path with the folder's name, as the candidates do.")
            .detail("candidates", candidates)
    }

    fn known_file(&self, input: &str, place: &WorkspacePath) -> Result<FoundFile<'_>, Failure> {
        let indexed = || {
            let id = self.index.file_id(place.root, &place.path);
            id.ok_or_else(|| ToolError::new(ErrorCode::InternalError, "The index lost a file."))
        };
        let state = self.workspace.file(place.root, &place.path);
        match state.map(|state| &state.status) {
            Some(Status::Indexed) => Ok(FoundFile::Indexed(indexed()?)),
            Some(Status::Names) => Ok(FoundFile::Names(indexed()?)),
            Some(Status::Pending) => Err(Failure::Missing(Missing::Files(vec![place.clone()]))),
            Some(Status::Skipped(SkipReason::Symlink)) => self.linked_file(input, place),
            Some(Status::Skipped(reason)) => Err(not_indexed(input, reason).into()),
            None => self.missing_file(input, std::slice::from_ref(place)),
        }
    }

    fn linked_file(&self, input: &str, place: &WorkspacePath) -> Result<FoundFile<'_>, Failure> {
        let target = self
            .workspace
            .through_link(place.root, &place.path)
            .flatten();
        let inside = target
            .as_deref()
            .and_then(|target| place_of(target, &self.workspace.roots));
        match (inside, target) {
            // A link to a link is already followed: `target` is final.
            (Some(target), _) if target != *place => self.known_file(input, &target),
            (_, Some(_)) => Err(ToolError::new(
                ErrorCode::AccessDenied,
                format!("`{input}` is a link to a target outside the workspace."),
            )
            .into()),
            _ => Err(
                ToolError::new(ErrorCode::NotFound, format!("`{input}` is a broken link.")).into(),
            ),
        }
    }

    fn missing_file(
        &self,
        input: &str,
        readings: &[WorkspacePath],
    ) -> Result<FoundFile<'_>, Failure> {
        for place in readings {
            if self
                .workspace
                .through_link(place.root, &place.path)
                .is_some()
            {
                return self.linked_file(input, place);
            }
        }
        // The source of a dependency that an answer named, or a document that was never saved.
        for place in readings {
            let root = &self.workspace.roots[place.root as usize];
            let file = self.located(&absolute_path(root, &place.path));
            let is_unsaved = self.outside.open.contains_key(&file.path);
            if is_unsaved || self.outside.is_named(&file.path) && may_be_named(self, &file) {
                return self.outside_file(file);
            }
        }
        Err(self.not_found(input, readings))
    }

    fn not_found(&self, input: &str, readings: &[WorkspacePath]) -> Failure {
        let around = readings
            .iter()
            .find_map(|place| self.workspace.left_out_around(place.root, &place.path));
        if let Some((folder, reason)) = around {
            return ToolError::new(
                ErrorCode::Unavailable,
                format!(
                    "`{input}` is not in the index: its folder `{folder}` is skipped, {}.",
                    explain(reason)
                ),
            )
            .hint("`codecortex_status` with `list: \"skipped\"` lists skipped files.")
            .detail("reason", reason.as_str())
            .into();
        }
        if readings
            .iter()
            .any(|place| self.workspace.is_dir(place.root, &place.path))
        {
            return ToolError::invalid(format!("`{input}` is a folder."))
                .hint("Give a file's path.")
                .into();
        }
        if let Some(busy) = self.busy(&format!("`{input}` is not known yet.")) {
            return busy.into();
        }
        let name = input
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or(input)
            .to_lowercase();
        let mut near: Vec<String> = self
            .workspace
            .files()
            .filter(|(_, path, _)| {
                path.rsplit('/')
                    .next()
                    .is_some_and(|file| file.to_lowercase() == name)
            })
            .map(|(root, path, _)| display(&self.workspace.roots[root as usize], path))
            .take(5)
            .collect();
        near.sort();
        let error = ToolError::new(
            ErrorCode::NotFound,
            format!("`{input}` does not exist in the workspace."),
        );
        match near.first() {
            Some(first) => error
                .hint(format!("Did you mean `{first}`?"))
                .detail("suggestions", near),
            None => error
                .hint("Give a path relative to a workspace folder, or `rootName/relative/path`."),
        }
        .into()
    }
}
