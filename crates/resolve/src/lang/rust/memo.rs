//! What Rust remembers: parents of modules, and traits that are implemented for type parameters.

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_bind::facts::ScopeId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::{DefRef, FileNo};
use crate::memo::LanguageMemo;
use crate::ty::Ty;

/// A trait, and of each of its implementations for a type parameter what bounds that one.
pub(super) type ForAll = (DefRef, Vec<Ty>);

/// What Rust remembers in a session.
#[derive(Debug, Default)]
pub(super) struct RustMemo {
    /// The file and module that declare a file as a module.
    pub(super) parents: RefCell<FxHashMap<FileNo, Option<(FileNo, ScopeId)>>>,
    /// Where a file is included.
    pub(super) includers: RefCell<FxHashMap<FileNo, Option<(FileNo, ScopeId)>>>,
    /// Traits that are implemented for type parameters, once somebody asked for them.
    pub(super) traits_for_all: RefCell<Option<Rc<[ForAll]>>>,
    /// Whether a file has a trait in scope.
    pub(super) traits_in_scope: RefCell<FxHashMap<(FileNo, DefRef), bool>>,
    /// Of files of the library the types that their blocks are for, where these are written.
    pub(super) library_heads: RefCell<FxHashMap<FileNo, Rc<FxHashSet<u32>>>>,
    /// Traits of the library's prelude that it implements for type parameters, once somebody asked for them.
    pub(super) library_traits_for_all: RefCell<Option<Rc<[DefRef]>>>,
}

impl LanguageMemo for RustMemo {
    fn clear(&mut self) {
        self.parents.get_mut().clear();
        self.includers.get_mut().clear();
        self.traits_for_all.take();
        self.traits_in_scope.get_mut().clear();
        self.library_traits_for_all.take();
        self.library_heads.get_mut().clear();
    }
}
