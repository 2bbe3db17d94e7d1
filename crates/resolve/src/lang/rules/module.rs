//! Rules of scopes, modules and imports: where a name is looked up, and what it may mean there.

use codecortex_bind::facts::{Def, DefId, DefKind, ScopeId, flag};

use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Whether code in a type sees its members without a qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassScope {
    /// It does, inherited ones too (C#, Java, C++).
    Members,
    /// Only code right in the type's body, not in functions in it (Python).
    Direct,
    /// It does not (TypeScript, Rust, Go).
    Hidden,
}

/// Rules of scopes, modules and imports: where a name is looked up, and what it may mean there.
/// The defaults suit most languages.
#[allow(unused_variables, reason = "the names say what the languages get")]
pub(crate) trait ModuleRules {
    /// Whether a module's name, where no file of the workspace has it, is that of a package or of the language.
    fn names_package(&self, name: &str) -> bool {
        false
    }

    /// Whether an import is of a module of which nobody knows whether it is one of the workspace: what is imported so may
    /// be anything of its name.
    fn is_of_unknown_module(&self, resolver: &Resolver<'_>, alias: DefRef) -> bool {
        false
    }

    /// Of what was found for a use that which some build has beside it: conditional compilation may leave out either.
    fn compiled_together(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        found: LookupResult,
    ) -> LookupResult {
        found
    }

    /// Whether code in a type sees its members.
    fn class_scope(&self) -> ClassScope {
        ClassScope::Hidden
    }

    /// Whether code right in the body of such a type sees the type's members by their names, where not all code
    /// in it does.
    fn names_members(&self, of: DefKind) -> bool {
        true
    }

    /// Whether the body of a type runs as it is read: a name in it is what stands above it, else what is outside.
    fn class_bodies_execute(&self) -> bool {
        false
    }

    /// Whether a name is one that every file of the language has.
    fn is_builtin(&self, name: &str) -> bool {
        false
    }

    /// Whether a name that a namespace does not hold is looked up in those around it.
    fn looks_in_enclosing_namespaces(&self) -> bool {
        false
    }

    /// What the root of an import is.
    fn module(&self, resolver: &Resolver<'_>, file: FileNo, name: &str, level: u8) -> LookupResult {
        LookupResult::external()
    }

    /// Whether an alias always says what it names beside its own name, which is no use of that then.
    fn aliases_write_both(&self) -> bool {
        false
    }

    /// Whether names in documentation see what a type has from its bases.
    fn documentation_inherits(&self) -> bool {
        true
    }

    /// Whether what one directive of a scope names cannot be what another one brings.
    fn hides_directives(&self) -> bool {
        false
    }

    /// Whether `Color.Red` means the type where `Color` is a property of it and `Red` is static.
    fn tells_types_by_members(&self) -> bool {
        false
    }

    /// Whether types of one name with different numbers of type parameters are different types.
    fn types_differ_by_arity(&self) -> bool {
        false
    }

    /// What the name of an attribute's type may end with without that being written.
    fn attribute_ending(&self) -> &'static str {
        ""
    }

    /// What is seen everywhere in a file without being imported.
    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        LookupResult::nothing()
    }

    /// Whether what a file re-exports with a glob can be used in the file itself.
    fn reexports_are_local(&self) -> bool {
        true
    }

    /// Whether a definition can be used from outside of its module.
    fn is_exported(&self, file: &BoundFile, def: &Def, spaces: u8) -> bool {
        def.spaces & spaces != 0
    }

    /// Whether what a glob import brings is re-exported.
    fn reexports_glob(&self, flags: u32) -> bool {
        flags & flag::EXPORTED != 0
    }

    /// What a glob import brings, where that is not simply the member (`None`: it is).
    fn glob_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        flags: u32,
    ) -> Option<LookupResult> {
        None
    }

    /// What a module has besides its definitions and glob imports: submodules.
    fn other_module_member(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        LookupResult::nothing()
    }

    /// Whether definitions right in a file are global.
    fn file_scope_is_global(&self, file: &BoundFile) -> bool {
        false
    }

    /// Whether code in a module that is written inside its file sees nothing of what is around it.
    fn modules_are_closed(&self) -> bool {
        false
    }

    /// Whether uses of a symbol under the name that an import gives it are uses of the symbol.
    fn renamed_uses_count(&self) -> bool {
        true
    }

    /// Whether a link in documentation uses the import that it finds what it leads to by.
    fn links_use_imports(&self) -> bool {
        true
    }

    /// Whether a name in some spaces can mean something of its name that its scope has.
    fn can_mean(&self, resolver: &Resolver<'_>, from: FileNo, of: DefRef, spaces: u8) -> bool {
        true
    }

    /// A name in a scope other than a class, where that is more than the scope's own (`None`: it is not).
    fn in_open_scope(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
        own: &[DefRef],
    ) -> Option<LookupResult> {
        None
    }

    /// A name in a namespace as a file sees it (`None`: whatever the namespace holds).
    fn in_namespace(
        &self,
        resolver: &Resolver<'_>,
        from: FileNo,
        path: Name,
        name: Name,
        spaces: u8,
    ) -> Option<LookupResult> {
        None
    }

    /// What a function sees that is written outside of its type or namespace.
    fn in_container(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        function: DefId,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        LookupResult::nothing()
    }

    /// Whether a name that an import brings in is one in the spaces alone that what it names is in, so that something
    /// else may have it in others.
    fn imports_by_space(&self) -> bool {
        false
    }

    /// What a name means that is looked up elsewhere than where it stands.
    fn find_elsewhere(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        name: Name,
    ) -> Option<LookupResult> {
        None
    }

    /// A name that no scope has.
    fn find_name(&self, resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
        LookupResult::nothing()
    }

    /// Whether a class has its own name as a member (C++), which hides what has that name around it.
    fn has_injected_class_name(&self, resolver: &Resolver<'_>, file: FileNo) -> bool {
        false
    }

    /// The spaces of names in which glob imports of a module may have more than it has itself: those that are looked
    /// for where it has nothing, none otherwise.
    fn beside_own(&self, resolver: &Resolver<'_>, own: &[DefRef], spaces: u8) -> u8 {
        if own.is_empty() { spaces } else { 0 }
    }

    /// What a name means of which nothing says whether it is a type or a value.
    fn of_token(&self, resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
        found
    }

    /// Of several definitions those that a use can mean by its form alone.
    fn by_form(&self, resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
        found
    }

    /// Whether a use may mean another than the one definition that was found, though every step to it is declared.
    fn is_ambiguous(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        found: &LookupResult,
        of: DefRef,
    ) -> bool {
        false
    }

    /// Redeclarations of the symbol: overload signatures, prototypes, declaration merging.
    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        Vec::new()
    }
}
