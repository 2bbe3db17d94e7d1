//! The text of any file of the workspace: the editor's where it is open, else the disk's.

use codecortex_answer::args::check_text;
use codecortex_index::{FileId, Symbol};
use codecortex_live::Moment;
use codecortex_protocol::paths::{WorkspacePath, absolute_path, display, place_of, places};
use codecortex_protocol::{
    ErrorCode, Failure, FileRef, Located, Missing, Outbox, Request, ToolError,
};
use codecortex_resolve::{DefRef, FileNo, Resolver};
use codecortex_syntax::SkipReason;

use crate::analysis::Analysis;
use crate::asks::Asker;
use crate::disk_text::{DiskText, TextRef};
use crate::found_file::{FoundFile, explain};
use crate::read_outside::{locate_outside, text_outside};
use crate::workspace::Status;

impl Analysis {
    /// The file that a caller means, if it is one whose text may be given out: what is left out for its size,
    /// as no text, or by an ignore file is not.
    pub fn locate(&self, input: &str) -> Result<Located, Failure> {
        check_text("filePath", input)?;
        let readings = match places(input, &self.workspace.roots) {
            Ok(readings) => readings,
            Err(error) => return locate_outside(self, input).ok_or(error.into()),
        };
        let mut known = readings.iter().filter(|place| {
            self.workspace.file(place.root, &place.path).is_some() || self.is_open(place)
        });
        match (known.next(), known.next()) {
            (Some(place), None) => self.readable(input, place),
            // The usual errors: missing, ambiguous, left out with its folder, a link.
            _ => match self.find_file(input) {
                Err(failure) => Err(failure),
                Ok(FoundFile::Outside { file, .. }) => Ok(file),
                Ok(_) => Err(ToolError::invalid(format!("`{input}` is not a file.")).into()),
            },
        }
    }

    /// A file that a caller may read.
    pub fn readable(&self, input: &str, place: &WorkspacePath) -> Result<Located, Failure> {
        let state = self.workspace.file(place.root, &place.path);
        let refused = match state.map(|state| &state.status) {
            Some(Status::Skipped(reason)) if !self.is_open(place) => match reason {
                SkipReason::Generated
                | SkipReason::Minified
                | SkipReason::UnknownLanguage
                | SkipReason::GrammarLeftOut
                | SkipReason::ActionScript
                | SkipReason::TooComplex => None,
                reason => Some(reason),
            },
            _ => None,
        };
        if let Some(reason) = refused {
            return Err(ToolError::new(
                ErrorCode::Unavailable,
                format!("`{input}` is withheld: {}.", explain(reason)),
            )
            .detail("reason", reason.as_str())
            .into());
        }
        let root = &self.workspace.roots[place.root as usize];
        Ok(self.located(&absolute_path(root, &place.path)))
    }

    /// A file by its absolute path.
    pub fn located(&self, path: &str) -> Located {
        let place = place_of(path, &self.workspace.roots);
        let shown = place.as_ref().map(|place| {
            let root = &self.workspace.roots[place.root as usize];
            display(root, &place.path)
        });
        Located {
            path: path.to_owned(),
            display: shown.unwrap_or_else(|| path.to_owned()),
            place,
        }
    }

    fn is_open(&self, place: &WorkspacePath) -> bool {
        let root = self.workspace.roots.get(place.root as usize);
        root.is_some_and(|root| {
            let path = absolute_path(root, &place.path);
            self.documents.contains_key(&path)
        })
    }

    /// The text of a file; the call waits where it has to be read first.
    pub fn text_of(&self, file: &Located) -> Result<TextRef<'_>, Failure> {
        if let Some(document) = self.documents.get(&file.path) {
            return Ok(TextRef {
                snapshot: document.now(),
                is_dirty: document.dirty,
            });
        }
        match self.disk_text(file)? {
            DiskText::Text { snapshot, .. } => Ok(TextRef {
                snapshot,
                is_dirty: false,
            }),
            DiskText::Absent => Err(ToolError::new(
                ErrorCode::NotFound,
                format!("`{}` is not there any more.", file.display),
            )
            .into()),
            DiskText::Unreadable(why) => Err(ToolError::new(
                ErrorCode::Unavailable,
                format!("`{}` could not be read: {why}", file.display),
            )
            .into()),
        }
    }

    /// What the disk has of a file; the call waits until it was read.
    pub fn disk_text(&self, file: &Located) -> Result<&DiskText, Failure> {
        if file.place.is_none() && !self.outside.is_named(&file.path) {
            let error = ToolError::new(
                ErrorCode::AccessDenied,
                format!("`{}` is outside the workspace and not open.", file.display),
            );
            return Err(error.into());
        }
        let waits = || Failure::Missing(Missing::Texts(vec![file.clone()]));
        self.disk.get(&file.path).ok_or_else(waits)
    }

    /// Asks for the texts of files.
    pub fn fetch_texts(&mut self, outbox: &mut Outbox, files: &[Located]) {
        let (inside, outside): (Vec<_>, Vec<_>) =
            files.iter().cloned().partition(|file| file.place.is_some());
        if !inside.is_empty() {
            let places = inside.iter().filter_map(|file| file.place.as_ref());
            let files = places.map(|place| FileRef {
                root: place.root,
                path: place.path.clone(),
            });
            let request = Request::Texts {
                files: files.collect(),
                confined: false,
            };
            let id = self.ask(outbox, Asker::Texts, request);
            self.asked.insert(id, inside);
        }
        if !outside.is_empty() {
            let paths = outside.iter().map(|file| file.path.clone()).collect();
            let id = self.ask(outbox, Asker::Texts, Request::OutsideTexts { paths });
            self.asked.insert(id, outside);
        }
    }

    /// Takes the files out that a request asked for; none where it is of a workspace that is no more.
    pub fn take_asked_texts(&mut self, id: u32) -> Option<Vec<Located>> {
        self.asked.remove(&id)
    }

    /// Keeps the text of a file for the calls that wait for it.
    pub fn keep_text(&mut self, path: String, text: DiskText) {
        self.disk.insert(path, text);
    }

    /// Lets go of the text of a file.
    pub fn forget_text(&mut self, path: &str) {
        self.disk.remove(path);
    }

    /// Lets go of all texts: the next call looks at the disk anew.
    pub fn forget_texts(&mut self) {
        self.disk.clear();
    }

    /// Whether texts are on their way.
    #[must_use]
    pub fn is_fetching_texts(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The time now, for histories.
    pub fn moment(&self) -> Moment {
        Moment {
            at: self.clock.host(),
            count: self.clock.count(),
            sample_every: self.sample_every(),
        }
    }

    /// Ms between two samples of a text.
    pub fn sample_every(&self) -> u64 {
        u64::from(self.config.anchor_minutes.max(1)) * 60_000
    }

    /// The text of an indexed file; the call waits where it has to be read first.
    pub fn text_of_file(&self, id: FileId) -> Result<TextRef<'_>, Failure> {
        let located = self
            .located_file(id)
            .ok_or_else(|| ToolError::new(ErrorCode::InternalError, "The index lost a file."))?;
        self.text_of(&located)
    }

    /// An indexed file by its absolute path.
    pub fn located_file(&self, id: FileId) -> Option<Located> {
        let file = self.index.file(id)?;
        let root = self.workspace.roots.get(file.root as usize)?;
        Some(self.located(&codecortex_protocol::paths::absolute_path(root, &file.path)))
    }

    /// Makes sure that the texts of files are here, all with one look at the disk.
    pub fn need_texts(&self, files: impl Iterator<Item = FileNo>) -> Result<(), Failure> {
        need_all(files.map(|file| self.text_of_file(FileId(file)).map(drop)))
    }

    /// Makes sure that the texts of files outside of the index are here, too.
    pub fn need_texts_outside<'a>(
        &self,
        files: impl Iterator<Item = FileNo>,
        outside: impl Iterator<Item = &'a str>,
    ) -> Result<(), Failure> {
        let inside = files.map(|file| self.text_of_file(FileId(file)).map(drop));
        let outside = outside.map(|path| text_outside(self, path).map(drop));
        need_all(inside.chain(outside))
    }

    /// `rootName/relative/path` of a file by its number.
    pub fn shown_path(&self, file: FileNo) -> String {
        self.index
            .file(FileId(file))
            .map_or_else(String::new, |file| self.display_path(file))
    }

    /// Whether a file is generated and left out, so that the index has its names alone.
    pub fn is_generated(&self, file: FileNo) -> bool {
        let found = self.index.file(FileId(file));
        found.is_some_and(|file| !self.is_shown(file))
    }

    /// The declaration of the index at the place of a definition.
    pub fn declaration_of(&self, query: &Resolver<'_>, def: DefRef) -> Option<Symbol> {
        let at = query.place(def)?;
        let file = self.index.file(FileId(def.file))?;
        // Items are in the order of where they begin: it is among the last that begin before its name.
        let items = &file.facts.items;
        let behind = items.partition_point(|item| item.start_byte <= at);
        let mut before = items[..behind].iter().enumerate().rev();
        let index = before.find(|(_, item)| item.name_byte == at)?.0;
        Some(Symbol {
            file: FileId(def.file),
            item: index as u32,
        })
    }

    /// The definition that a declaration of the index is.
    pub fn def_of(&self, query: &Resolver<'_>, symbol: Symbol) -> Option<DefRef> {
        let (_, item) = self.index.get(symbol)?;
        query.definition_at(symbol.file.0, item.name_byte)
    }

    /// The declaration of the index that a definition is; of a part of a type that is generated, another part.
    pub fn symbol_of(&self, query: &Resolver<'_>, def: DefRef) -> Option<Symbol> {
        let own = self.declaration_of(query, def);
        if own.is_some() || !self.is_generated(def.file) {
            return own;
        }
        let mut parts = query.symbol(def).into_iter();
        parts.find_map(|part| self.declaration_of(query, part))
    }
}

/// Waits for all the texts that one of these waits for.
fn need_all(looks: impl Iterator<Item = Result<(), Failure>>) -> Result<(), Failure> {
    let mut missing: Vec<Located> = Vec::new();
    for look in looks {
        if let Err(Failure::Missing(Missing::Texts(files))) = look {
            for file in files {
                if !missing.contains(&file) {
                    missing.push(file);
                }
            }
        }
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure::Missing(Missing::Texts(missing))),
    }
}
