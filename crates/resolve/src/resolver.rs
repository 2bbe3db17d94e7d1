//! A session of name resolution and type inference over a workspace: its memory, and its budget.

use std::cell::{Cell, RefCell};
use std::hash::Hash;
use std::rc::Rc;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefId, DefKind, Expr, NONE, ScopeId, ScopeKind, space};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lang::LanguageRules;
use crate::lookup::request::OuterLookupKey;
use crate::lookup::result::{AliasTarget, LookupResult};
use crate::memo::{LanguageMemos, Memo};
use crate::ty::Typed;
use crate::type_parts::Parts;
use crate::workspace::Workspace;

/// Inference goes so deep from one expression to the next; measured, more finds nothing.
const DEEPEST: u32 = 40;

/// Places in a file's assignments, by the name that is assigned.
type Assigned = Rc<FxHashMap<Name, Vec<u32>>>;

/// A session of questions about one state of the workspace: what was found out is remembered.
#[derive(Debug)]
pub struct Resolver<'w> {
    pub(crate) workspace: &'w Workspace,
    pub(crate) types: Memo<ExprRef>,
    pub(crate) lowered: Memo<ExprRef>,
    pub(crate) def_types: Memo<DefRef>,
    /// Names looked up from the outside of functions: those of a type or file are asked for again and again.
    pub(crate) outer_lookups: RefCell<FxHashMap<OuterLookupKey, LookupResult>>,
    pub(crate) parts: RefCell<FxHashMap<DefRef, Rc<Parts>>>,
    /// Types whose parts are being looked for.
    pub(crate) open_parts: Cell<u32>,
    /// Where aliases lead: a file's import is followed for every use of it.
    pub(crate) alias_targets: RefCell<FxHashMap<DefRef, AliasTarget>>,
    /// Members of types without arguments by name and spaces: many uses of a member ask the same.
    pub(crate) members: RefCell<FxHashMap<(DefRef, Name, u8), LookupResult>>,
    /// Assignments of a file by the name that is assigned.
    assigned: RefCell<FxHashMap<FileNo, Assigned>>,
    /// Glob imports that are being looked into.
    pub(crate) open_globs: RefCell<FxHashSet<(FileNo, u32)>>,
    /// Aliases that are being followed.
    pub(crate) open_aliases: RefCell<FxHashSet<DefRef>>,
    /// What the first names of imports lead to from a file.
    pub(crate) module_roots: RefCell<FxHashMap<(FileNo, Name), LookupResult>>,
    /// Types of the languages' own libraries by the language's family, their simple names and how many type
    /// parameters they have.
    pub(crate) library_types: RefCell<FxHashMap<(u8, Name, usize), Option<DefRef>>>,
    /// What languages remember for themselves.
    pub(crate) languages: LanguageMemos,
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
            outer_lookups: RefCell::default(),
            parts: RefCell::default(),
            open_parts: Cell::new(0),
            alias_targets: RefCell::default(),
            members: RefCell::default(),
            assigned: RefCell::default(),
            open_globs: RefCell::default(),
            open_aliases: RefCell::default(),
            module_roots: RefCell::default(),
            library_types: RefCell::default(),
            languages: LanguageMemos::default(),
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
            outer_lookups,
            parts,
            open_parts,
            alias_targets,
            members,
            assigned,
            open_globs,
            open_aliases,
            module_roots,
            library_types: _, // whichever files are looked through, these are the same
            languages,
            nested,
            cuts,
            placed,
            depth,
            budget,
        } = self;
        types.clear();
        lowered.clear();
        def_types.clear();
        outer_lookups.get_mut().clear();
        parts.get_mut().clear();
        alias_targets.get_mut().clear();
        members.get_mut().clear();
        assigned.get_mut().clear();
        open_globs.get_mut().clear();
        open_aliases.get_mut().clear();
        module_roots.get_mut().clear();
        languages.clear();
        *nested = None;
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

    /// Gives a new question its budget of steps.
    pub(crate) fn reset_budget(&self) {
        self.budget.set(BUDGET);
    }

    /// Takes one step of inference with the next depth, unless that is too deep or the budget is used up.
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

    /// The file; none where it is not there or damaged.
    pub(crate) fn file(&self, file: FileNo) -> Option<&'w BoundFile> {
        self.workspace.file(file)
    }

    /// The rules of a file's language.
    pub(crate) fn rules(&self, file: FileNo) -> &'static dyn LanguageRules {
        self.workspace.rules(file)
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

    /// The interned name of a definition.
    pub(crate) fn name_of(&self, def: DefRef) -> Option<Name> {
        let file = self.file(def.file)?;
        // What a damaged cache's head names, its body need not have.
        Some(file.name(file.defs().get(def.def as usize)?.name))
    }

    /// The expression; opaque where there is none.
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
        file: &'f BoundFile,
        scope: ScopeId,
    ) -> impl Iterator<Item = ScopeId> + use<'f> {
        const MAX: usize = 512;
        let known = |scope: ScopeId| (scope != NONE).then_some(scope);
        let outwards = move |at: &ScopeId| known(file.scope(*at).parent);
        std::iter::successors(known(scope), outwards).take(MAX)
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

impl Resolver<'_> {
    /// The first byte of a definition's name; nothing where it has none.
    #[must_use]
    pub fn place(&self, def: DefRef) -> Option<u32> {
        let at = self.def(def)?.at;
        (at != NONE).then_some(at)
    }

    /// A definition's name.
    #[must_use]
    pub fn name(&self, def: DefRef) -> &str {
        self.name_of(def)
            .map_or("", |name| self.workspace.text(name))
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        self.workspace.text(name)
    }

    /// How many type arguments are written behind a name.
    pub(crate) fn applied_to(&self, at: ExprRef) -> Option<usize> {
        let bound = self.file(at.file)?;
        Some(bound.list(bound.arguments_of(at.expr)?).len())
    }

    /// What is known of `key`, or what `look` finds, unless that is too deep.
    pub(crate) fn memoize_type<K: Copy + Eq + Hash>(
        &self,
        memo: &Memo<K>,
        key: K,
        look: impl FnOnce() -> Typed,
    ) -> Typed {
        if let Some(known) = memo.known.borrow().get(&key) {
            return known.clone();
        }
        if memo.open.borrow().contains(&key) {
            self.cut();
            return Typed::unknown();
        }
        memo.open.borrow_mut().push(key);
        let typed = self.with_depth(look);
        memo.open.borrow_mut().pop();
        let Some(typed) = typed else {
            return Typed::unknown();
        };
        memo.known.borrow_mut().insert(key, typed.clone());
        typed
    }

    /// What is kept under a key, or what `look` finds; that is kept if it is the whole answer.
    pub(crate) fn memoize<K: Eq + Hash, V: Clone>(
        &self,
        kept: &RefCell<FxHashMap<K, V>>,
        key: K,
        look: impl FnOnce() -> V,
    ) -> V {
        self.memoize_if(kept, key, look, || true)
    }

    /// The same for an answer that is only kept if that holds when it was made.
    pub(crate) fn memoize_if<K: Eq + Hash, V: Clone>(
        &self,
        kept: &RefCell<FxHashMap<K, V>>,
        key: K,
        look: impl FnOnce() -> V,
        holds: impl FnOnce() -> bool,
    ) -> V {
        if !self.is_calm() {
            return look();
        }
        if let Some(known) = kept.borrow().get(&key) {
            return known.clone();
        }
        let cuts = self.cuts.get();
        let found = look();
        if self.cuts.get() == cuts && holds() {
            kept.borrow_mut().insert(key, found.clone());
        }
        found
    }

    /// Something was not looked for, because that is being done already or would lead too far.
    pub(crate) fn cut(&self) {
        self.cuts.set(self.cuts.get().wrapping_add(1));
    }

    /// Whether an answer does not depend on what is being looked for around it.
    fn is_calm(&self) -> bool {
        self.open_parts.get() == 0
            && self.open_aliases.borrow().is_empty()
            && self.open_globs.borrow().is_empty()
    }

    /// What a definition defines.
    #[must_use]
    pub fn kind(&self, def: DefRef) -> Option<DefKind> {
        Some(self.def(def)?.kind)
    }

    /// All that is known of a definition.
    #[must_use]
    pub fn definition(&self, def: DefRef) -> Option<&Def> {
        self.def(def)
    }

    /// What kind of scope a definition is a name in.
    #[must_use]
    pub fn scope_kind(&self, def: DefRef) -> Option<ScopeKind> {
        let scope = self.def(def)?.scope;
        Some(self.file(def.file)?.scope(scope).kind)
    }

    /// The language of a file; nothing where its names are not resolved.
    #[must_use]
    pub fn dialect(&self, file: FileNo) -> Option<Dialect> {
        let dialect = self.workspace.dialect(file);
        dialect.filter(|dialect| dialect.is_resolved())
    }

    /// Whether names of a file are found by their text alone: its language is of the second rank (SPEC D2).
    #[must_use]
    pub fn is_by_name(&self, file: FileNo) -> bool {
        self.rules(file).is_by_name()
    }

    /// Every definition of a file that has a place.
    #[must_use]
    pub fn definitions_in(&self, file: FileNo) -> Vec<DefRef> {
        let Some(bound) = self.file(file) else {
            return Vec::new();
        };
        let defs = (0..).zip(bound.defs()).filter(|(_, def)| def.at != NONE);
        defs.map(|(def, _)| DefRef { file, def }).collect()
    }

    /// Whether it is a type with members of its own.
    #[must_use]
    pub fn is_type(&self, def: DefRef) -> bool {
        self.kind(def).is_some_and(DefKind::is_type)
    }

    /// Whether it is used by being called or constructed, rather than by being read.
    #[must_use]
    pub fn takes_calls(&self, def: DefRef) -> bool {
        let kind = self.kind(def);
        kind.is_some_and(|kind| kind.is_callable() || kind.is_type())
    }

    /// First byte and end of a whole declaration.
    #[must_use]
    pub fn extent(&self, def: DefRef) -> Option<(u32, u32)> {
        let found = self.def(def)?;
        Some((found.start, found.end))
    }

    /// Whether a name can be that of a type which another one declares or inherits.
    pub(crate) fn may_be_nested(&self, name: Name, spaces: u8) -> bool {
        let names_types = spaces & !(space::TYPE | space::NAMESPACE) == 0;
        let nested = self.nested.as_ref().filter(|_| names_types);
        nested.is_none_or(|nested| nested.contains(&name))
    }
}
