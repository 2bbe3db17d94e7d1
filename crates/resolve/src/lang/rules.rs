//! What languages do differently: modules, globals, what is seen where, what types of libraries give.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefId, DefKind, Literal, ScopeId, flag};

use crate::file::File;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types::table::LibraryTypes;
use crate::lookup::result::LookupResult;
use crate::overloads::conversion::Conversion;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Of which related members the uses are listed with a member's own, where nobody asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relates {
    /// Of what overrides or implements it, or the same as it does, and of what it overrides or implements.
    All,
    /// Of what overrides or implements it.
    Below,
    None,
}

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

/// The rules of a language that resolving depends on. The defaults suit most.
#[allow(unused_variables, reason = "the names say what the languages get")]
pub(crate) trait LanguageRules: Sync + std::fmt::Debug {
    /// Languages of one family see each other's definitions.
    fn family(&self) -> u8;

    /// Whether a name means everything that is declared by it: nothing is known but the text.
    fn is_by_name(&self) -> bool {
        false
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
    fn class_bodies_run(&self) -> bool {
        false
    }

    /// Whether a name is one that every file of the language has.
    fn is_builtin(&self, name: &str) -> bool {
        false
    }

    /// Whether a name that a namespace does not hold is looked up in those around it.
    fn walks_out_of_namespaces(&self) -> bool {
        false
    }

    /// Whether what is private can be used in the files of its type alone.
    fn private_is_of_type(&self) -> bool {
        false
    }

    /// Whether functions of one name that differ in parameters are different symbols.
    fn overloads_are_separate(&self) -> bool {
        false
    }

    /// What the root of an import is.
    fn module(&self, resolver: &Resolver<'_>, file: FileNo, name: &str, level: u8) -> LookupResult {
        LookupResult::external()
    }

    /// Whether overloads are told apart as a compiler does: by conversions, then the most specific.
    fn resolves_by_conversion(&self) -> bool {
        false
    }

    /// Whether a type of this name from outside takes everything.
    fn is_top_type(&self, name: &str) -> bool {
        false
    }

    /// Whether an alias always says what it names beside its own name, which is no use of that then.
    fn aliases_write_both(&self) -> bool {
        false
    }

    /// Whether names in documentation see what a type has from its bases.
    fn documentation_inherits(&self) -> bool {
        true
    }

    /// Whether values of a type argument of a type from outside, its last one or another, are only given to it: what
    /// takes less goes for what takes more.
    fn takes_only(&self, of: &str, is_last: bool) -> bool {
        false
    }

    /// Whether a number that is written out goes for a parameter though its type does not.
    fn holds_constant(&self, takes: &str, actual: &str) -> bool {
        false
    }

    /// Whether a type of this name from outside is a value that cannot be null.
    fn is_value_type(&self, name: &str) -> bool {
        false
    }

    /// Whether type parameters stand for objects only, so that values are boxed for them.
    fn params_are_objects(&self) -> bool {
        false
    }

    /// Whether an array goes for a list.
    fn arrays_are_sequences(&self) -> bool {
        false
    }

    /// How well a type from outside goes for another one, by their names.
    fn external_conversion(&self, takes: &str, actual: &str) -> Conversion {
        Conversion::Maybe
    }

    /// How many parameters a function has that a type stands for: `None` if it stands for none,
    /// `Some(None)` if that is not known.
    fn functional_arity(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Option<usize>> {
        Some(None)
    }

    /// Whether a call means what its arguments go for, members of types before extension methods, and nothing
    /// private from outside.
    fn members_come_first(&self) -> bool {
        false
    }

    /// Names of what every type has.
    fn members_of_all(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether what one directive of a scope names cannot be what another one brings.
    fn hides_directives(&self) -> bool {
        false
    }

    /// Whether a member of a type from outside is known to be the type's, not its instances'.
    fn is_static_outside(&self, of: &str, member: &str) -> bool {
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

    /// The type of a member that its known container does not have.
    fn type_of_missing(&self, resolver: &Resolver<'_>, receiver: &Ty, name: &str) -> Option<Typed> {
        None
    }

    /// What awaiting a value gives, where that may be no promise.
    fn awaited(&self, resolver: &Resolver<'_>, file: FileNo, of: &Typed) -> Option<Typed> {
        None
    }

    /// What a signature by which instances are made is called, where types have some.
    fn construct_member(&self) -> Option<&'static str> {
        None
    }

    /// Types of the library that all types of a kind derive from, though nobody writes it.
    fn implied_bases(&self, kind: DefKind) -> &'static [&'static str] {
        &[]
    }

    /// What a member from outside expects as an argument, where that is no function.
    fn contextual_argument(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        member: &str,
        index: u32,
    ) -> Option<Ty> {
        None
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

    /// Whether what a file hands on with a star can be used in the file itself.
    fn reexports_are_local(&self) -> bool {
        true
    }

    /// Whether a definition can be used from outside of its module.
    fn leaves_module(&self, file: &File, def: &Def, spaces: u8) -> bool {
        def.spaces & spaces != 0
    }

    /// Whether what a star brings can be used from outside.
    fn glob_leaves_module(&self, flags: u32) -> bool {
        flags & flag::EXPORTED != 0
    }

    /// What a star brings, where that is not simply the member (`None`: it is).
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

    /// What a module has besides its definitions and stars: submodules.
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

    /// What a type has besides its members and those of its bases: traits' members.
    fn other_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        LookupResult::nothing()
    }

    /// What a type parameter has besides the members of its bound.
    fn member_of_param(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        LookupResult::nothing()
    }

    /// What a type from outside has that the workspace adds (`None`: nothing).
    fn member_of_external(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> Option<LookupResult> {
        None
    }

    /// Members of functions.
    fn member_of_function(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        LookupResult::external()
    }

    /// How far an extension method is from a file, where the nearest that can be called is meant; nothing where it
    /// cannot be used there.
    fn extension_distance(
        &self,
        resolver: &Resolver<'_>,
        def: DefRef,
        from: FileNo,
    ) -> Option<u32> {
        Some(0)
    }

    /// Whether definitions right in a file are seen in all files.
    fn file_scope_is_global(&self, file: &File) -> bool {
        false
    }

    /// Whether code in a module that is written inside its file sees nothing of what is around it.
    fn modules_are_closed(&self) -> bool {
        false
    }

    /// What an instance of the workspace is to the tables of containers, where it has not the member itself.
    fn as_library_type(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
        None
    }

    /// Whether a variable that a pattern binds to the field of its name is asked for by itself.
    fn binds_fields_apart(&self) -> bool {
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

    /// Of which related members the uses are listed with a member's.
    fn relates_uses(&self) -> Relates {
        Relates::All
    }

    /// Type parameters that a type or function has without declaring them: names of type variables in its bases
    /// or parameters (Python).
    fn undeclared_params(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        Vec::new()
    }

    /// What a function of the language expects as an argument, as far as that depends on its other arguments.
    fn contextual_argument_by_call(
        &self,
        resolver: &Resolver<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        None
    }

    /// What a method of the library that is handed on by its name gives for a value: `List::stream`.
    fn referred(&self, resolver: &Resolver<'_>, method: ExprRef, of: &Ty) -> Option<Ty> {
        None
    }

    /// Names that its tables speak of, whether or not they are written anywhere.
    fn words(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether two definitions of one name in one place are one type.
    fn is_one_type(
        &self,
        file: &File,
        a: DefRef,
        a_def: &Def,
        b: DefRef,
        b_def: &Def,
        resolver: &Resolver<'_>,
    ) -> bool {
        false
    }

    /// Parts of a type that are in other scopes.
    fn more_parts(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        Vec::new()
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

    /// A name that no scope has.
    fn find_name(&self, resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
        LookupResult::nothing()
    }

    /// Whether the name in `new A()` is a use of the constructor that is chosen, besides that of the type.
    fn uses_constructors(&self) -> bool {
        false
    }

    /// Whether what is private replaces nothing and is not replaced.
    fn private_hides(&self) -> bool {
        true
    }

    /// Whether a member of a base is one that derived types can replace.
    fn overrides(&self, resolver: &Resolver<'_>, derived: DefRef, base: DefRef) -> bool {
        true
    }

    /// Whether where a member of a base is declared counts among the references of what replaces it.
    fn lists_overridden(&self) -> bool {
        false
    }

    /// Of several definitions of a type the one that a declaration means.
    fn meant(&self, resolver: &Resolver<'_>, declaration: DefRef, of: &[DefRef]) -> DefRef {
        of.first().copied().unwrap_or(declaration)
    }

    /// Type parameters of the types around a type, which its members depend on as on its own.
    fn outer_params(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        Vec::new()
    }

    /// How well an argument fits a parameter, where the language's own conversions say so.
    fn conversion_rank(&self, resolver: &Resolver<'_>, expected: &Ty, actual: &Ty) -> Option<i32> {
        None
    }

    /// The type of a literal, where a name is not enough.
    fn literal_type(&self, resolver: &Resolver<'_>, of: Literal) -> Option<Ty> {
        None
    }

    /// What a value is that gives the class of another one.
    fn class_of(&self, of: &Ty) -> Ty {
        of.clone()
    }

    /// Whether a pointer is indexed like an array, and an array is a pointer.
    fn indexes_pointers(&self) -> bool {
        false
    }

    /// What a type from outside is, where its name is not enough.
    fn lower_external(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        None
    }

    /// Words that stand for a constructor where no type is named.
    fn constructor_words(&self) -> &'static [&'static str] {
        &[]
    }

    /// Where a member leads that is not simply looked up in what is before it (`None`: it is).
    fn find_member(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        None
    }

    /// Of members of one name in one type, those that count.
    fn best_of(&self, resolver: &Resolver<'_>, defs: Vec<DefRef>) -> Vec<DefRef> {
        defs
    }

    /// Of members of one name those that are there for a receiver: an instance, or the type itself.
    fn seen_through(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        found: LookupResult,
    ) -> LookupResult {
        found
    }

    /// Whether a type satisfies an interface by having its methods.
    fn is_structural(&self) -> bool {
        false
    }

    /// What a type is a subtype of, where its bases do not say (`None`: they do).
    fn supertypes(&self, resolver: &Resolver<'_>, of: DefRef) -> Option<Vec<DefRef>> {
        None
    }

    /// What is a subtype of a type, where bases do not say (`None`: they do).
    fn subtypes(&self, resolver: &Resolver<'_>, of: DefRef) -> Option<Vec<DefRef>> {
        None
    }

    /// Whether what is written as a base is one, not a type made from it that has its members.
    fn is_base(&self, resolver: &Resolver<'_>, base: ExprRef) -> bool {
        true
    }

    /// Puts the bases of a type into the order in which members are looked up in them.
    fn order_bases(&self, resolver: &Resolver<'_>, of: DefRef, bases: &mut Vec<(Ty, bool)>) {}

    /// Whether what [`LanguageRules::order_bases`] gives are all ancestors, not the direct bases alone.
    fn linearises(&self) -> bool {
        false
    }

    /// What makes instances of a type.
    fn constructors(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        let parts = resolver.parts(of);
        let mut found = Vec::new();
        for (file, scope) in &parts.scopes {
            let Some(bound) = resolver.file(*file) else {
                continue;
            };
            let defs = bound
                .all_in(*scope)
                .filter(|def| bound.def(*def).kind == codecortex_bind::facts::DefKind::Constructor);
            found.extend(defs.map(|def| DefRef { file: *file, def }));
        }
        found
    }

    /// The field that a named argument of a type's construction names, where it is not a parameter.
    fn named_field(&self, resolver: &Resolver<'_>, of: DefRef, name: Name) -> Option<DefRef> {
        None
    }

    /// The name of what makes instances callable.
    fn call_member(&self) -> &'static str {
        "(call)"
    }

    /// What calling an instance gives that has no such member.
    fn call_of_instance(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, args: u32) -> Typed {
        Typed::unknown()
    }

    /// What a call gives, where the language knows better than by its callee.
    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        None
    }

    /// What a function gives, where the language knows better than its declaration.
    fn result(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        None
    }

    /// Whether a class has its own name as a member (C++), which hides what has that name around it.
    fn class_names_itself(&self, resolver: &Resolver<'_>, file: FileNo) -> bool {
        false
    }

    /// The type of a definition, where the language knows better.
    fn type_of_def(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        None
    }

    /// What an operator gives.
    fn operator(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        let is_logical = matches!(
            operator,
            "==" | "!="
                | "==="
                | "!=="
                | "<"
                | ">"
                | "<="
                | ">="
                | "!"
                | "not"
                | "in"
                | "is"
                | "instanceof"
        );
        if is_logical {
            return resolver.type_of_literal(file, Literal::Boolean);
        }
        let left = resolver.type_of(ExprRef { file, expr: left });
        if left.ty.is_external() {
            return left;
        }
        Typed::unknown()
    }

    /// An entry of something that is not a tuple, taken apart.
    fn entry(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        None
    }

    /// What iterating a map gives.
    fn iterated_map(&self, of: &(Ty, Ty)) -> Ty {
        Ty::Tuple([of.0.clone(), of.1.clone()].into())
    }

    /// What iterating, indexing … an instance of the workspace gives.
    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        None
    }

    /// Whether a parameter of the name `this` says what `this` is. Elsewhere it is a name like others.
    fn this_is_declared(&self) -> bool {
        false
    }

    /// Whether methods are given as functions by their names, with or without a receiver.
    fn refers_to_methods(&self) -> bool {
        false
    }

    /// What `new T(…)` of a type from outside gives, where that is more than the type.
    fn made_outside(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        args: u32,
    ) -> Option<Ty> {
        None
    }

    /// Whether code belongs to a function that has another instance than the type around it.
    fn has_own_this(&self, resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> bool {
        false
    }

    /// What `this` is outside of any type.
    fn this_outside(&self, resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Typed {
        Typed::unknown()
    }

    /// The name of a literal's type.
    fn literal(&self, of: Literal) -> &'static str {
        ""
    }

    /// What an indexed type denotes.
    fn lower_index(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: u32,
        by: u32,
    ) -> Option<Typed> {
        None
    }

    /// The spaces of names in which stars of a module may have more than it has itself: those that are looked for
    /// where it has nothing, none otherwise.
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

    /// Whether methods differ by what they can be called on.
    fn resolves_by_receiver(&self) -> bool {
        false
    }

    /// Of equally good methods those that can be called on the receiver of a use.
    fn by_receiver(&self, resolver: &Resolver<'_>, at: ExprRef, defs: Vec<DefRef>) -> Vec<DefRef> {
        defs
    }

    /// Of equally good overloads those that take the arguments best by what kinds of values they are.
    fn by_value_category(
        &self,
        resolver: &Resolver<'_>,
        defs: Vec<DefRef>,
        given: &[ExprRef],
    ) -> Vec<DefRef> {
        defs
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

    /// What a type parameter is called as, where what bounds it says that.
    fn bounding_function(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        None
    }

    /// Whether what bounds a type parameter are traits and not types of its values.
    fn bounds_are_traits(&self) -> bool {
        false
    }

    /// Whether tests choose from the types that a value may have.
    fn narrows_unions(&self) -> bool {
        false
    }

    /// What a type with arguments denotes, where it is not what its definition says (`None`: it is).
    fn lower_apply(&self, resolver: &Resolver<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        None
    }

    /// What an expression denotes that is not a type by its form.
    fn lower_value(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        None
    }

    /// What an associated type stands for that has no value.
    fn associated_type(&self, resolver: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        None
    }

    /// What a function denotes in the place of a type (constructor functions).
    fn function_as_type(&self, resolver: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        None
    }

    /// Of several values those of which the language keeps the types apart.
    fn distinct(&self, resolver: &Resolver<'_>, values: Vec<Typed>) -> Vec<Typed> {
        values
    }

    /// What a variable holds that begins as an empty list and is filled later.
    fn evolving_array(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        None
    }

    /// What a value denotes in the place of a type, if that is another thing than its own type: the instances that a
    /// function makes (`const A = function () { this.x = 1 }`).
    fn made_by_value(&self, resolver: &Resolver<'_>, value: &Ty) -> Option<Typed> {
        None
    }

    /// What an instance that stands for a function is given: Java's functional interfaces, C#'s delegates.
    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        of.contextual_param(index)
    }

    /// What an instance that stands for a function gives.
    fn functional_result(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        None
    }

    /// Whether the declarations of a symbol that are one with another: overload signatures, prototypes.
    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        Vec::new()
    }

    /// What well-known types from outside give.
    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::of(&[]);
        &TABLE
    }
}

/// The languages that a workspace can have files of.
pub struct Languages {
    /// The rules of a dialect; of none those of a file that is not there.
    pub(crate) rules_of: fn(Option<Dialect>) -> &'static dyn LanguageRules,
    /// All languages with tables that speak of names.
    pub(crate) with_words: &'static [&'static dyn LanguageRules],
}

impl std::fmt::Debug for Languages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Languages").finish_non_exhaustive()
    }
}
