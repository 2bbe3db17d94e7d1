//! What can be asked of a workspace: one method a question, each answered in a module of its own.

use codecortex_bind::facts::{Expr, ExprId, space};

use crate::at_position;
use crate::dangling_uses;
use crate::hierarchy::{self, UnsureSubtypes};
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::meant_types;
use crate::module_uses;
use crate::overloads::arity::accepts_arity;
use crate::overrides;
use crate::references::{self, Reference, RoleOf, SymbolUses};
use crate::relations;
use crate::renaming::{self, RenameFamily};
use crate::resolution::{self, ResolvedTarget};
use crate::resolver::Resolver;
use crate::signature_deps::{self, NamedTypes};
use crate::standard_library::is_library;
use crate::symbol_identity;
use crate::type_names::AllTypes;
use crate::unknown_receivers;
use crate::workspace::Workspace;

/// Without what the languages' own libraries declare, of which nobody who asks has files.
fn own(mut defs: Vec<DefRef>) -> Vec<DefRef> {
    defs.retain(|def| !is_library(def.file));
    defs
}

impl Resolver<'_> {
    /// The same question, where the names of all types are known.
    #[must_use]
    pub fn with_known_types(mut self, all: &AllTypes) -> Self {
        self.nested = Some(all.nested.clone());
        self
    }

    /// Whether it is known what a module is, by the name that an import in a file has for it.
    #[must_use]
    pub fn knows_module(&self, file: FileNo, name: &str, level: u8) -> bool {
        let found = self.rules(file).module(self, file, name, level);
        found.ty.is_some() || !found.defs.is_empty()
    }

    /// The module, as an import names it, that gives the receiver of the member at a byte and that no file has: nothing is
    /// known of the receiver's type for that reason.
    #[must_use]
    pub fn missing_module_of_receiver(&self, file: FileNo, byte: u32) -> Option<String> {
        unknown_receivers::module_of_receiver(self, file, byte)
    }

    /// Where the workspace imports a file as a whole: the file and the first byte of each such part of an import.
    #[must_use]
    pub fn imports_of_file(&self, of: FileNo) -> Vec<(FileNo, u32)> {
        module_uses::imports_of_file(self, of)
    }

    /// Whether what is written at a place names nothing, where it named something of the workspace before. `had_import`
    /// says whether an import brought the name then; without it the name may be one that the language has.
    #[must_use]
    pub fn is_dangling(&self, at: ExprRef, had_import: bool) -> bool {
        dangling_uses::is_dangling(self, at, had_import)
    }

    /// Whether the call of what is written at a place gives a function as many arguments as it takes, and of names that
    /// it has. Nothing where the place is no call, or nobody knows what the function takes.
    #[must_use]
    pub fn accepts_call(&self, at: ExprRef, def: DefRef) -> Option<bool> {
        let call = self.call_of(at)?;
        let def = self.function_of(def)?;
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = self.expr(call) else {
            return None;
        };
        let args = self.file(at.file)?.list(args);
        let args = args.iter().map(|expr| ExprRef { expr: *expr, ..at });
        let args: Vec<ExprRef> = args.collect();
        Some(accepts_arity(self, def, &args))
    }

    /// The function that a definition is, or whose name a variable is that gets it as its value.
    fn function_of(&self, def: DefRef) -> Option<DefRef> {
        let found = self.definition(def)?;
        if found.kind.is_callable() {
            return Some(def);
        }
        match self.file(def.file)?.expr(found.value) {
            Expr::Function { def: function } => Some(DefRef {
                def: function,
                ..def
            }),
            _ => None,
        }
    }

    /// How many arguments the call of what is written at a place gives by their places, and whether others are given by
    /// name. Nothing where the place is no call.
    #[must_use]
    pub fn arguments_of_call(&self, at: ExprRef) -> Option<(usize, bool)> {
        let call = self.call_of(at)?;
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = self.expr(call) else {
            return None;
        };
        let bound = self.file(at.file)?;
        let args = bound.list(args);
        let is_named = |expr: &u32| matches!(bound.expr(*expr), Expr::Keyword { .. });
        let named = args.iter().filter(|expr| is_named(expr)).count();
        Some((args.len() - named, named > 0))
    }

    /// The joined bindings that are asked.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        self.workspace
    }

    /// Where the name at a byte is declared, best first: a definition's own place if nothing is used there.
    #[must_use]
    pub fn definitions_at(&self, file: FileNo, byte: u32) -> Vec<(FileNo, u32)> {
        at_position::definitions_at(self, file, byte)
    }

    /// Where what is written at the place of a use leads. One name may be used in two ways of which one holds: what
    /// a `case` of Java names is a constant of what is switched over, or any constant.
    #[must_use]
    pub fn target_of_written(&self, at: ExprRef) -> ResolvedTarget {
        at_position::target_of_written(self, at)
    }

    /// Whether a part of a file, by its bytes, names something: a name that `is_wanted` lets through, and which leads
    /// nowhere any more or to a definition that `is_meant` says. So it is too where nothing is known of the file.
    #[must_use]
    pub fn names_any(
        &self,
        file: FileNo,
        extent: std::ops::Range<u32>,
        is_wanted: &dyn Fn(&str) -> bool,
        is_meant: &dyn Fn(DefRef) -> bool,
    ) -> bool {
        relations::names_any(self, file, extent, is_wanted, is_meant)
    }

    /// Of definitions of a macro or an alias of C or C++ under several conditions the last one is for all other
    /// cases: it comes first, unless it is left out.
    pub fn put_last_condition_first(&self, defs: &mut [DefRef]) {
        at_position::put_last_condition_first(self, defs)
    }

    /// Whether a definition stands in an arm of a condition that most builds leave out.
    #[must_use]
    pub fn is_inactive(&self, def: DefRef) -> bool {
        at_position::is_inactive(self, def)
    }

    /// Whether a definition is a variable that a pattern binds to the field of its name: `err` in Rust's
    /// `Error { err, .. }`. In languages that keep both apart; in others the two are one symbol.
    #[must_use]
    pub fn is_bound_from_field(&self, def: DefRef) -> bool {
        at_position::is_bound_from_field(self, def)
    }

    /// Whether a definition is a key of an object literal that is given the value of its own name: `{ a }`.
    #[must_use]
    pub fn is_shorthand(&self, def: DefRef) -> bool {
        at_position::is_shorthand(self, def)
    }

    /// What a definition means to a reader: of a key in an object literal the property of its contextual type
    /// there, of everything else itself.
    #[must_use]
    pub fn contextual_definitions(&self, def: DefRef) -> Vec<DefRef> {
        at_position::contextual_definitions(self, def)
    }

    /// The same with what aliases resolve to in their place, where that is in the workspace.
    #[must_use]
    pub fn without_aliases(&self, defs: Vec<DefRef>) -> Vec<DefRef> {
        own(at_position::without_aliases(self, defs))
    }

    /// What leaves a module's file under a name, in whichever module it is declared.
    #[must_use]
    pub fn exported(&self, file: FileNo, name: &str) -> Vec<DefRef> {
        let Some(name) = self.workspace.name(name) else {
            return Vec::new();
        };
        self.reset_budget();
        let found = self.module_member(file, 0, name, space::ANY).defs;
        self.without_aliases(found)
    }

    /// Whether a definition only announces a type that is defined elsewhere.
    #[must_use]
    pub fn is_forward_declaration(&self, def: DefRef) -> bool {
        at_position::is_forward_declaration(self, def)
    }

    /// The definition whose name begins at a byte.
    #[must_use]
    pub fn definition_at(&self, file: FileNo, byte: u32) -> Option<DefRef> {
        at_position::definition_at(self, file, byte)
    }

    /// The use that is written at a byte, and the definition that is named there.
    #[must_use]
    pub fn at(&self, file: FileNo, byte: u32) -> (Option<ExprId>, Option<DefRef>) {
        at_position::at(self, file, byte)
    }

    /// The constructors that a written `new A(…)` may mean, by its `A`: one where its arguments decide. Nothing
    /// where the language does not tell them from their type.
    #[must_use]
    pub fn constructed_by(&self, at: ExprRef) -> Vec<DefRef> {
        own(resolution::constructed_by(self, at))
    }

    /// Types that derive from a type, directly or not.
    #[must_use]
    pub fn derived(&self, of: DefRef) -> Vec<DefRef> {
        hierarchy::derived(self, of)
    }

    /// Types that name a type as a base.
    #[must_use]
    pub fn subtypes(&self, of: DefRef) -> Vec<DefRef> {
        hierarchy::subtypes(self, of)
    }

    /// Every type above a type, nearest first, each once and so many at most, with the names of those that are outside.
    #[must_use]
    pub fn all_supertypes(&self, of: DefRef, most: usize) -> (Vec<DefRef>, Vec<Name>) {
        hierarchy::all_supertypes(self, of, most)
    }

    /// The members of what an alias means: of the type that it names another name of, of several at once, of one that is
    /// mapped. Of a type that is one of several those that all of them have.
    #[must_use]
    pub fn members_of_alias(&self, alias: DefRef) -> Vec<DefRef> {
        self.reset_budget();
        self.rules(alias.file).members_of_alias(self, alias)
    }

    /// The types of the workspace that an alias stands for, or whose class a variable holds where classes are values. None
    /// of what is a type itself.
    #[must_use]
    pub fn types_meant(&self, of: DefRef) -> Vec<DefRef> {
        self.reset_budget();
        own(meant_types::types_meant(self, of))
    }

    /// The variable that holds a class without a name.
    #[must_use]
    pub fn holder(&self, class: DefRef) -> Option<DefRef> {
        meant_types::holder(self, class)
    }

    /// What may implement or derive from a declaration for all that is known: a base that says so has the name of
    /// the type, and nobody knows what it is, or it provably comes from outside.
    #[must_use]
    pub fn unsure_implementations(&self, of: DefRef) -> UnsureSubtypes {
        relations::unsure_implementations(self, of)
    }

    /// The types that a type names as bases, with names of those that are outside.
    #[must_use]
    pub fn supertypes(&self, of: DefRef) -> (Vec<DefRef>, Vec<Name>) {
        hierarchy::supertypes(self, of)
    }

    /// Every declaration of the symbol that a definition declares.
    #[must_use]
    pub fn symbol(&self, of: DefRef) -> Vec<DefRef> {
        symbol_identity::symbol(self, of)
    }

    /// What overrides, implements or is overridden by a member, not itself.
    #[must_use]
    pub fn related(&self, of: DefRef) -> Vec<DefRef> {
        own(overrides::related(self, of))
    }

    /// Every use of a symbol, and of what is related to it, in the order of files and places.
    #[must_use]
    pub fn references(&self, of: DefRef) -> Vec<Reference> {
        references::references(self, of)
    }

    /// The same of several symbols that are asked for together, such as all overloads of a name: a use that may
    /// mean several of them is there once. Candidates are looked through once, however many symbols there are.
    #[must_use]
    pub fn references_of(&self, all: &[DefRef]) -> Vec<Reference> {
        references::references_of(self, all)
    }

    /// The same with the count of those occurrences of their names that provably lead out of the workspace;
    /// `with_related` as in [`Resolver::references_and_related`].
    #[must_use]
    pub fn counted_references_of(&self, all: &[DefRef], with_related: bool) -> SymbolUses {
        references::counted_references_of(self, all, with_related)
    }

    /// The same with the uses of what overrides and implements it, or is overridden, in every language: also
    /// where language servers keep these apart.
    #[must_use]
    pub fn references_and_related(&self, of: DefRef) -> Vec<Reference> {
        references::references_and_related(self, of)
    }

    /// The same of several symbols that are asked for together.
    #[must_use]
    pub fn references_and_related_of(&self, all: &[DefRef]) -> Vec<Reference> {
        references::references_and_related_of(self, all)
    }

    /// The same of many questions, side by side where there are threads; the answers in their order.
    #[must_use]
    pub fn references_and_related_of_each(&self, questions: &[Vec<DefRef>]) -> Vec<Vec<Reference>> {
        references::references_and_related_of_each(self, questions)
    }

    /// Whether a definition can be used in its own file alone.
    #[must_use]
    pub fn is_local(&self, of: DefRef) -> bool {
        references::is_local(self, of)
    }

    /// Every use between two bytes of a file, in source order: its expression, first byte, length and role.
    #[must_use]
    pub fn uses_between(
        &self,
        file: FileNo,
        start: u32,
        end: u32,
    ) -> Vec<(ExprId, u32, u32, RoleOf)> {
        relations::uses_between(self, file, start, end)
    }

    /// What implements, overrides or derives from a declaration: of a type what names it as a base, of a
    /// member those that replace it anywhere below.
    #[must_use]
    pub fn implementations(&self, of: DefRef) -> Vec<DefRef> {
        relations::implementations(self, of)
    }

    /// What a declaration implements, overrides or derives from: of a type its bases, of a member those that
    /// it replaces.
    #[must_use]
    pub fn implemented(&self, of: DefRef) -> Vec<DefRef> {
        own(relations::implemented(self, of))
    }

    /// Where a written use leads.
    #[must_use]
    pub fn target(&self, at: ExprRef) -> ResolvedTarget {
        at_position::target_in_workspace(self, at)
    }

    /// The type of the workspace in which a member is looked up by a written use. Nothing where the use is no member's, or
    /// its receiver is from outside, of several types, or unknown.
    #[must_use]
    pub fn receiver_type(&self, at: ExprRef) -> Option<DefRef> {
        resolution::receiver_type(self, at).filter(|def| !is_library(def.file))
    }

    /// The type of the workspace that an expression has or names; of a pointer the one that it points to. Nothing where it
    /// is from outside, one of several, or unknown.
    #[must_use]
    pub fn expression_type(&self, at: ExprRef) -> Option<DefRef> {
        resolution::expression_type(self, at).filter(|def| !is_library(def.file))
    }

    /// The same of what a definition defines.
    #[must_use]
    pub fn value_type(&self, of: DefRef) -> Option<DefRef> {
        resolution::value_type(self, of).filter(|def| !is_library(def.file))
    }

    /// The definitions whose name is written at a byte.
    #[must_use]
    pub fn definitions_named_at(&self, file: FileNo, byte: u32) -> Vec<DefRef> {
        signature_deps::definitions_named_at(self, file, byte)
    }

    /// The innermost block around a byte that adds members to a type declared elsewhere (Rust's `impl`).
    #[must_use]
    pub fn block_around(&self, file: FileNo, byte: u32) -> Option<DefRef> {
        signature_deps::block_around(self, file, byte)
    }

    /// The types that a type or block names as its bases, arguments of these included, in source order and
    /// as often as they are named.
    #[must_use]
    pub fn types_in_bases(&self, of: DefRef, known: &NamedTypes) -> Vec<DefRef> {
        signature_deps::types_in_bases(self, of, known)
    }

    /// The types that a declaration names in its head: its declared type or result, those of its parameters,
    /// bounds of its type parameters, what an alias of a type stands for. As often as they are named.
    #[must_use]
    pub fn types_in_signature(&self, of: DefRef, known: &NamedTypes) -> Vec<DefRef> {
        signature_deps::types_in_signature(self, of, known)
    }

    /// The constructors of a type; of Python those that it inherits too.
    #[must_use]
    pub fn constructors_of(&self, of: DefRef) -> Vec<DefRef> {
        self.constructors(of)
    }

    /// The type that a member belongs to.
    #[must_use]
    pub fn owner_of(&self, member: DefRef) -> Option<DefRef> {
        self.owner(member)
    }

    /// The places where a base uses a member on its own object that it does not have and derived types do.
    #[must_use]
    pub fn mixin_uses(&self, of: DefRef) -> Vec<(FileNo, u32)> {
        renaming::mixin_places(self, of)
    }

    /// The declarations that must have one name with these, and what makes a rename of them unsure.
    #[must_use]
    pub fn rename_family(&self, of: &[DefRef]) -> RenameFamily {
        renaming::rename_family(self, of)
    }

    /// Other declarations that have a name already where these are declared: in their scopes, functions and types.
    #[must_use]
    pub fn name_clashes(&self, of: &[DefRef], new: &str) -> Vec<DefRef> {
        renaming::name_clashes(self, of, new)
    }

    /// Whether code of a file can mean a definition by its name, as far as their languages go.
    #[must_use]
    pub fn may_mean(&self, file: FileNo, def: DefRef) -> bool {
        self.rules(file).sees(self.rules(def.file).family())
    }
}
