//! A copy of what is known of the code in which files have other texts, for steps of an edit that build on each other
//! (SPEC ED1).

use std::cell::OnceCell;

use codecortex_live::Snapshot;
use codecortex_protocol::Located;
use codecortex_syntax::analyse;
use codecortex_text::TextDocument;

use crate::analysis::Analysis;
use crate::disk_text::DiskText;
use crate::documents::OpenDocument;
use crate::workspace::Stat;

/// What is known of the code, as steps that are not made yet would leave it. Open documents are files in it.
#[derive(Debug)]
pub struct Draft {
    code: Analysis,
}

impl Draft {
    /// The code as it is.
    #[must_use]
    pub fn new(code: &Analysis) -> Self {
        let copy = Analysis {
            config: code.config.clone(),
            workspace: code.workspace.clone(),
            index: code.index.clone(),
            external: code.external.clone(),
            projects: code.projects.clone(),
            cache: code.cache.clone(),
            clock: code.clock,
            revision: code.revision,
            ..Analysis::default()
        };
        let mut draft = Self { code: copy };
        draft.take_texts(code);
        for (path, document) in &code.documents {
            let text = OpenDocument::now(document).text.text();
            let file = code.located(path);
            let place = file.place.as_ref();
            match place.and_then(|place| code.index.file_id(place.root, &place.path)) {
                Some(_) => draft.set(&file, Some(&text)),
                None => drop(draft.code.disk.insert(file.path, text_on_disk(&text))),
            }
        }
        draft
    }

    /// Takes over the texts that were read since; those of the draft stay.
    pub fn take_texts(&mut self, code: &Analysis) {
        for (path, text) in &code.disk {
            let is_known = self.code.disk.contains_key(path);
            if !is_known {
                self.code.disk.insert(path.clone(), text.clone());
            }
        }
    }

    /// Gives a file of the workspace another text, or none: it is not there then.
    pub fn set(&mut self, file: &Located, text: Option<&str>) {
        let Some(place) = &file.place else {
            return; // a document outside of the workspace, which no step changes
        };
        let kept = match text {
            Some(text) => {
                let limits = self.code.limits_of(place.root);
                let outcome = analyse(&place.path, text.as_bytes(), limits);
                self.code
                    .store(place.root, &place.path, Stat::default(), outcome);
                text_on_disk(text)
            }
            None => {
                self.code.replace(place.root, &place.path, None);
                self.code.workspace.forget(place.root, &place.path);
                DiskText::Absent
            }
        };
        self.code.disk.insert(file.path.clone(), kept);
    }

    /// Looks at the draft. The joined names are those of `code` meanwhile, brought up to the draft, because joining all of
    /// them anew takes long; nobody may hold them. Afterwards they are as they were.
    pub fn look<T>(&self, code: &Analysis, look: impl FnOnce(&Analysis) -> T) -> T {
        lend_names(code, &self.code);
        let seen = look(&self.code);
        lend_names(&self.code, code);
        seen
    }
}

fn text_on_disk(text: &str) -> DiskText {
    DiskText::Text {
        snapshot: Snapshot::new(TextDocument::new(text)),
        bytes: text.as_bytes().to_vec(),
        stamp: None,
        facts: OnceCell::new(),
    }
}

/// Moves the joined names; files whose texts differ are joined anew when somebody asks.
fn lend_names(from: &Analysis, to: &Analysis) {
    let mut names = from.names.take();
    names.revision = None;
    to.names.replace(names);
}
