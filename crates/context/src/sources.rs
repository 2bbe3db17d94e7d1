//! What is chosen from.

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_analysis::Analysis;
use codecortex_artifacts::ContextState;
use rustc_hash::FxHashMap;

use crate::map::RepoMap;
use crate::window::memo::Memo;
use crate::window::piece_levels::Sections;
use crate::window::state::WindowState;

/// The state of what a model is told.
#[derive(Debug, Default)]
pub struct Context {
    /// What is put into the prompt window.
    pub window: RefCell<WindowState>,
    /// What the window asked for.
    pub memo: RefCell<Memo>,
    /// Parts of semantic texts that the window may show, by root and id.
    pub texts: FxHashMap<u32, FxHashMap<String, Sections>>,
    /// What is known of the words of all files.
    pub map: Rc<RefCell<RepoMap>>,
    /// What the window was made of when a change was told last.
    pub told: (u32, u32, u32),
}

/// What is chosen from: the code, what each `.context/` says of it, and what somebody put in.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// Which files there are and what is known of each.
    pub code: &'a Analysis,
    /// The `.context/` of each root.
    pub folders: &'a [ContextState],
    /// What is put into the window, and what it asked for.
    pub context: &'a Context,
}
