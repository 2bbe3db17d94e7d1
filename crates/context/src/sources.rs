//! What is chosen from.

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_analysis::Analysis;
use codecortex_analysis::folder_facts::FolderLookup;
use rustc_hash::FxHashMap;

use crate::map::RepoMap;
use crate::window::file_texts::FileTexts;
use crate::window::memo::Memo;
use crate::window::piece_levels::Sections;
use crate::window::state::WindowState;

/// The state of the context that a model gets.
#[derive(Debug, Default)]
pub struct Context {
    /// What is put into the prompt window.
    pub window: RefCell<WindowState>,
    /// What the window asked for.
    pub memo: RefCell<Memo>,
    /// Parts of semantic texts that the window may show, by root and id.
    pub texts: FxHashMap<u32, FxHashMap<String, Sections>>,
    /// Texts of files of which the window shows lines.
    pub file_texts: RefCell<FileTexts>,
    /// What is known of the words of all files.
    pub map: Rc<RefCell<RepoMap>>,
    /// The window's version when a change was reported last.
    pub told: (u32, u32, u32),
}

/// What is chosen from: the code, what each `.context/` says of it, and what somebody put in.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// Which files there are and what is known of each.
    pub code: &'a Analysis,
    /// The `.context/` of each root.
    pub folders: &'a dyn FolderLookup,
    /// What is put into the window, and what it asked for.
    pub context: &'a Context,
    /// Whether lines that an editor has not saved are left out: files of `.context/` have none.
    pub saved_only: bool,
}

impl Sources<'_> {
    /// The same for a file of `.context/`.
    #[must_use]
    pub fn saved(self) -> Self {
        Self {
            saved_only: true,
            ..self
        }
    }
}
