//! What C and C++ remember: what files include, and namespaces that macros open.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use codecortex_bind::facts::ExprId;

use crate::ids::{DefRef, FileNo, Name};
use crate::memo::LanguageMemo;

/// Everything that a file includes.
#[derive(Debug, Default)]
pub(super) struct Closure {
    /// The file and what it includes, directly or not.
    pub(super) files: FxHashSet<FileNo>,
    /// Whether some of it is outside of the workspace.
    pub(super) is_open: bool,
    /// Glob imports in them that bring the names of namespaces.
    pub(super) usings: Vec<(FileNo, u32)>,
}

/// A namespace that a macro opens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) path: Name,
    /// The macro and where it is defined.
    pub(super) by: Name,
    pub(super) file: FileNo,
}

/// Names by their place among the arguments of a call.
pub(super) type ArgumentNames = FxHashMap<ExprId, (ExprId, u32)>;

/// What C and C++ remember in a session.
#[derive(Debug, Default)]
pub(super) struct CppMemo {
    /// What files include themselves.
    pub(super) includes: RefCell<FxHashMap<FileNo, Rc<[FileNo]>>>,
    /// What they include themselves and by others.
    pub(super) closures: RefCell<FxHashMap<FileNo, Rc<Closure>>>,
    /// What the files see that include a file.
    pub(super) around: RefCell<FxHashMap<FileNo, Rc<FxHashSet<FileNo>>>>,
    /// Macros of which arguments name members, by name, once somebody asks for one.
    pub(super) member_macros: OnceCell<FxHashMap<Name, Vec<DefRef>>>,
    /// The names in files that are arguments of such macros: each with the call and its place in it.
    pub(super) member_arguments: RefCell<FxHashMap<FileNo, Rc<ArgumentNames>>>,
    /// What stands before `|` in files, by what stands behind it.
    pub(super) piped: RefCell<FxHashMap<FileNo, Rc<FxHashMap<ExprId, ExprId>>>>,
    /// Namespaces that macros open, once somebody asks for one.
    pub(super) opened: OnceCell<Vec<Opened>>,
}

impl LanguageMemo for CppMemo {
    fn clear(&mut self) {
        self.includes.get_mut().clear();
        self.closures.get_mut().clear();
        self.around.get_mut().clear();
        self.member_macros = OnceCell::new();
        self.member_arguments.get_mut().clear();
        self.piped.get_mut().clear();
        self.opened = OnceCell::new();
    }
}
