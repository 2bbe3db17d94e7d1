//! One question's working memory: what was found out on the way, and when to stop.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use codecortex_bind::facts::{DefId, Expr, NONE, ScopeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::file::File;
use crate::lang::{LanguageRules, rules};
use crate::lookup::AliasTarget;
use crate::members::Parts;
use crate::memo::{Memo, OuterLookupKey};
use crate::ty::{Substitution, Ty, no_substitution};
use crate::workspace::{DefRef, ExprRef, FileNo, Name, Workspace};

/// Inference goes so deep from one expression to the next; measured, more finds nothing.
const DEEPEST: u32 = 40;

/// Where a lookup led.
#[derive(Clone, Debug)]
pub(crate) struct LookupResult {
    /// Definitions; aliases are not followed.
    pub(crate) defs: Vec<DefRef>,
    /// What has no definition of its own: a file as a module, a namespace.
    pub(crate) ty: Option<Ty>,
    /// What the receiver's type parameters stand for.
    pub(crate) subst: Substitution,
    /// Whether every step was declared.
    pub(crate) is_declared: bool,
    /// Whether it is known to be outside of the workspace.
    pub(crate) external: bool,
}

impl LookupResult {
    pub(crate) fn nothing() -> Self {
        Self {
            defs: Vec::new(),
            ty: None,
            subst: no_substitution(),
            is_declared: true,
            external: false,
        }
    }

    pub(crate) fn external() -> Self {
        Self {
            external: true,
            ..Self::nothing()
        }
    }

    pub(crate) fn defs(defs: Vec<DefRef>) -> Self {
        Self {
            defs,
            ..Self::nothing()
        }
    }

    pub(crate) fn typed(ty: Ty) -> Self {
        Self {
            ty: Some(ty),
            ..Self::nothing()
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.defs.is_empty() && self.ty.is_none()
    }

    pub(crate) fn inferred(self) -> Self {
        Self {
            is_declared: false,
            ..self
        }
    }
}

/// Places in a file's assignments, by the name that is assigned.
type Assigned = Rc<FxHashMap<Name, Vec<u32>>>;

/// Everything that a file includes.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    /// The file and what it includes, directly or not.
    pub(crate) files: FxHashSet<FileNo>,
    /// Whether some of it is outside of the workspace.
    pub(crate) is_open: bool,
    /// Stars in them that bring the names of namespaces.
    pub(crate) usings: Vec<(FileNo, u32)>,
}

/// Working memory of questions about one state of the workspace.
#[derive(Debug)]
pub struct Resolver<'w> {
    pub(crate) workspace: &'w Workspace,
    pub(crate) types: Memo<ExprRef>,
    pub(crate) lowered: Memo<ExprRef>,
    pub(crate) def_types: Memo<DefRef>,
    /// Names looked up from the outside of functions: those of a type or file are asked for again and again.
    pub(crate) outwards: RefCell<FxHashMap<OuterLookupKey, LookupResult>>,
    pub(crate) parts: RefCell<FxHashMap<DefRef, Rc<Parts>>>,
    /// Types whose parts are being looked for.
    pub(crate) open_parts: Cell<u32>,
    /// Where aliases lead: a file's import is followed for every use of it.
    pub(crate) followed: RefCell<FxHashMap<DefRef, AliasTarget>>,
    /// Members of types without arguments by name and spaces: many uses of a member ask the same.
    pub(crate) members: RefCell<FxHashMap<(DefRef, Name, u8), LookupResult>>,
    /// Assignments of a file by the name that is assigned.
    assigned: RefCell<FxHashMap<FileNo, Assigned>>,
    /// Stars that are being looked into.
    pub(crate) open_globs: RefCell<FxHashSet<(FileNo, u32)>>,
    /// Aliases that are being followed.
    pub(crate) open_aliases: RefCell<FxHashSet<DefRef>>,
    /// What files include, themselves and by others.
    pub(crate) includes: RefCell<FxHashMap<FileNo, Rc<[FileNo]>>>,
    pub(crate) closures: RefCell<FxHashMap<FileNo, Rc<Closure>>>,
    /// C and C++: namespaces that macros open, once somebody asks for one.
    pub(crate) opened: OnceCell<Vec<crate::lang::Opened>>,
    pub(crate) around: RefCell<FxHashMap<FileNo, Rc<FxHashSet<FileNo>>>>,
    /// Traits that are implemented for type parameters (Rust), once somebody asked for them.
    pub(crate) traits_for_all: RefCell<Option<Rc<[crate::lang::ForAll]>>>,
    /// Where a file finds extension methods (C#).
    pub(crate) extension_homes: RefCell<FxHashMap<FileNo, crate::lang::Homes>>,
    /// What the first names of imports lead to from a file.
    pub(crate) module_roots: RefCell<FxHashMap<(FileNo, Name), LookupResult>>,
    /// The file and module that declare a file as a module.
    pub(crate) module_parents: RefCell<FxHashMap<FileNo, Option<(FileNo, ScopeId)>>>,
    /// Names of types that are declared in types, where somebody knows them.
    pub(crate) nested: Option<Rc<FxHashSet<Name>>>,
    /// How often something was not looked for.
    pub(crate) cuts: Cell<u32>,
    /// How often a definition was met that is seen only from some place on.
    pub(crate) placed: Cell<u32>,
    depth: Cell<u32>,
    /// Steps left; a question that uses them up gets "unknown" for the rest.
    budget: Cell<u32>,
}

impl<'w> Resolver<'w> {
    /// Nothing known yet.
    #[must_use]
    pub fn new(workspace: &'w Workspace) -> Self {
        Self {
            workspace,
            types: Memo::default(),
            lowered: Memo::default(),
            def_types: Memo::default(),
            outwards: RefCell::default(),
            parts: RefCell::default(),
            open_parts: Cell::new(0),
            followed: RefCell::default(),
            members: RefCell::default(),
            assigned: RefCell::default(),
            open_globs: RefCell::default(),
            open_aliases: RefCell::default(),
            includes: RefCell::default(),
            closures: RefCell::default(),
            opened: OnceCell::new(),
            around: RefCell::default(),
            traits_for_all: RefCell::default(),
            extension_homes: RefCell::default(),
            module_roots: RefCell::default(),
            module_parents: RefCell::default(),
            nested: None,
            cuts: Cell::new(0),
            placed: Cell::new(0),
            depth: Cell::new(0),
            budget: Cell::new(BUDGET),
        }
    }

    /// Forgets everything, as if it were new, and keeps the room for it.
    pub(crate) fn clear(&mut self) {
        let Self {
            workspace: _,
            types,
            lowered,
            def_types,
            outwards,
            parts,
            open_parts,
            followed,
            members,
            assigned,
            open_globs,
            open_aliases,
            includes,
            closures,
            opened,
            around,
            traits_for_all,
            extension_homes,
            module_roots,
            module_parents,
            nested,
            cuts,
            placed,
            depth,
            budget,
        } = self;
        types.clear();
        lowered.clear();
        def_types.clear();
        outwards.get_mut().clear();
        parts.get_mut().clear();
        followed.get_mut().clear();
        members.get_mut().clear();
        assigned.get_mut().clear();
        open_globs.get_mut().clear();
        open_aliases.get_mut().clear();
        includes.get_mut().clear();
        closures.get_mut().clear();
        around.get_mut().clear();
        extension_homes.get_mut().clear();
        module_roots.get_mut().clear();
        module_parents.get_mut().clear();
        (*opened, *nested) = (OnceCell::new(), None);
        traits_for_all.take();
        for count in [open_parts, cuts, placed, depth] {
            count.set(0);
        }
        budget.set(BUDGET);
    }

    /// What the first name of an import leads to from a file, looked for once.
    pub(crate) fn module_root(
        &self,
        file: FileNo,
        name: &str,
        look: impl FnOnce() -> LookupResult,
    ) -> LookupResult {
        let Some(sym) = self.workspace.name(name) else {
            return look();
        };
        if let Some(known) = self.module_roots.borrow().get(&(file, sym)) {
            return known.clone();
        }
        let found = look();
        self.module_roots
            .borrow_mut()
            .insert((file, sym), found.clone());
        found
    }

    /// Gives a new question its steps.
    pub(crate) fn reset_budget(&self) {
        self.budget.set(BUDGET);
    }

    /// Goes one step deeper unless that is too deep or too much.
    pub(crate) fn with_depth<T>(&self, step: impl FnOnce() -> T) -> Option<T> {
        let (depth, budget) = (self.depth.get(), self.budget.get());
        if depth >= DEEPEST || budget == 0 {
            self.cut();
            return None;
        }
        self.depth.set(depth + 1);
        self.budget.set(budget - 1);
        let result = step();
        self.depth.set(depth);
        Some(result)
    }

    pub(crate) fn file(&self, file: FileNo) -> Option<&'w File> {
        self.workspace.file(file)
    }

    pub(crate) fn rules(&self, file: FileNo) -> &'static dyn LanguageRules {
        rules(self.workspace.dialect(file))
    }

    /// Definitions of a name in the outermost scopes of files whose language is of one family with this file's.
    pub(crate) fn globals(&self, file: FileNo, name: Name) -> impl Iterator<Item = DefRef> {
        let all = self.workspace.globals(name).iter().copied();
        all.filter(move |def| self.is_of_family(file, def.file))
    }

    /// Whether the languages of two files see each other's definitions.
    pub(crate) fn is_of_family(&self, a: FileNo, b: FileNo) -> bool {
        self.rules(a).family() == self.rules(b).family()
    }

    /// The definition itself.
    pub(crate) fn def(&self, def: DefRef) -> Option<&'w codecortex_bind::facts::Def> {
        let file = self.file(def.file)?;
        file.defs().get(def.def as usize)
    }

    pub(crate) fn name_of(&self, def: DefRef) -> Option<Name> {
        let file = self.file(def.file)?;
        // What a damaged cache's head names, its body need not have.
        Some(file.name(file.defs().get(def.def as usize)?.name))
    }

    pub(crate) fn expr(&self, at: ExprRef) -> Expr {
        self.file(at.file)
            .map_or(Expr::Opaque, |file| file.expr(at.expr))
    }

    /// The call or `new` that an expression is the callee of.
    pub(crate) fn call_of(&self, callee: ExprRef) -> Option<ExprRef> {
        let expr = self.file(callee.file)?.call_of(callee.expr)?;
        Some(ExprRef { expr, ..callee })
    }

    /// Assignments in a file to something of this name.
    pub(crate) fn assignments_to(&self, file: FileNo, name: Name) -> Vec<u32> {
        if let Some(known) = self.assigned.borrow().get(&file) {
            return known.get(&name).cloned().unwrap_or_default();
        }
        let mut table: FxHashMap<Name, Vec<u32>> = FxHashMap::default();
        if let Some(bound) = self.file(file) {
            for (index, assignment) in bound.assignments().iter().enumerate() {
                if let Some(name) = bound.head_name(assignment.to) {
                    table.entry(name).or_default().push(index as u32);
                }
            }
        }
        let found = table.get(&name).cloned().unwrap_or_default();
        self.assigned.borrow_mut().insert(file, Rc::new(table));
        found
    }

    /// The scope a definition is in, and outwards.
    pub(crate) fn scopes_up<'f>(
        &self,
        file: &'f File,
        scope: ScopeId,
    ) -> impl Iterator<Item = ScopeId> + use<'f> {
        const MOST: usize = 512;
        let known = |scope: ScopeId| (scope != NONE).then_some(scope);
        let outwards = move |at: &ScopeId| known(file.scope(*at).parent);
        std::iter::successors(known(scope), outwards).take(MOST)
    }

    /// The type whose members the code in a scope belongs to.
    pub(crate) fn type_around(&self, file: FileNo, scope: ScopeId) -> Option<DefRef> {
        let bound = self.file(file)?;
        self.scopes_up(bound, scope).find_map(|scope| {
            let scope = bound.scope(scope);
            let is_class = scope.kind == codecortex_bind::facts::ScopeKind::Class;
            (is_class && scope.owner != NONE).then_some(DefRef {
                file,
                def: scope.owner,
            })
        })
    }

    /// The function that the code in a scope belongs to.
    pub(crate) fn function_around(&self, file: FileNo, scope: ScopeId) -> Option<DefId> {
        let bound = self.file(file)?;
        self.scopes_up(bound, scope).find_map(|scope| {
            let scope = bound.scope(scope);
            let is_function = scope.kind == codecortex_bind::facts::ScopeKind::Function;
            (is_function && scope.owner != NONE).then_some(scope.owner)
        })
    }
}

/// Steps of one question: enough for any that people write, a few milliseconds.
const BUDGET: u32 = 20_000;
