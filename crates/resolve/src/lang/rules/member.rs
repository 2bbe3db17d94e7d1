//! Rules of types and their members: what a type has, from where it has it, and what overrides what.

use codecortex_bind::facts::{Def, DefKind};

use crate::file::BoundFile;
use crate::given_outside::GivenOutside;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::meant_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Tys};

/// Of which related members the uses are listed with a member's own, where nobody asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relates {
    /// Of what overrides or implements it, or the same as it does, and of what it overrides or implements.
    All,
    /// Of what overrides or implements it.
    Below,
    None,
}

/// Rules of types and their members: what a type has, from where it has it, and what overrides what.
/// The defaults suit most languages.
#[allow(unused_variables, reason = "the names say what the languages get")]
pub(crate) trait MemberRules {
    /// Whether a type from outside that is made over another one may have its members: by `Deref`, `operator->`, a mapped type.
    fn wrappers_forward(&self) -> bool {
        true
    }

    /// The members of what an alias means that is more than another name of one type, and in Go those that embedding
    /// promotes.
    fn members_of_alias(&self, resolver: &Resolver<'_>, alias: DefRef) -> Vec<DefRef> {
        meant_types::members_of_meant(resolver, alias)
    }

    /// Whether what is private can be used in the files of its type alone.
    fn private_is_of_type(&self) -> bool {
        false
    }

    /// Whether a member that a class has from an interface alone is no member of the class: it is called by the interface.
    fn classes_hide_interfaces(&self) -> bool {
        false
    }

    /// Whether a call means what its arguments are assignable to, members of types before extension methods, and
    /// nothing private from outside.
    fn prefers_members_to_extensions(&self) -> bool {
        false
    }

    /// Names of what every type has.
    fn members_of_all(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a member of a type from outside is known to be the type's, not its instances'.
    fn is_static_outside(&self, of: &str, member: &str) -> bool {
        false
    }

    /// What a signature by which instances are made is called, where types have some.
    fn construct_member(&self) -> Option<&'static str> {
        None
    }

    /// Types of the library that all types of a kind derive from, though nobody writes it.
    fn implied_bases(&self, kind: DefKind) -> &'static [&'static str] {
        &[]
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

    /// Members of functions, from a file.
    fn member_of_function(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        name: Name,
        spaces: u8,
        from: FileNo,
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

    /// What an instance of the workspace is to the tables of library types, where it has not the member itself.
    fn as_library_type(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
        None
    }

    /// Whether a variable that a pattern binds to the field of its name is asked for by itself.
    fn binds_fields_apart(&self) -> bool {
        false
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

    /// Whether a value of an outside type of this name may have members of the workspace though nothing in it says so, as
    /// what a package's pointer points to has.
    fn leads_back(&self, name: &str) -> bool {
        false
    }

    /// Whether a member of a type with bases outside may implement or override a member of these: in Rust what an
    /// `impl` of a trait has, and nothing else.
    fn may_implement_outside(&self, resolver: &Resolver<'_>, member: DefRef) -> bool {
        true
    }

    /// Whether a type names all of its bases, also those of its bases.
    fn lists_all_bases(&self) -> bool {
        false
    }

    /// Whether two definitions of one name in one place are one type.
    fn declarations_merge(
        &self,
        file: &BoundFile,
        a: DefRef,
        a_def: &Def,
        b: DefRef,
        b_def: &Def,
        resolver: &Resolver<'_>,
    ) -> bool {
        false
    }

    /// Parts of a type that are in other scopes.
    fn augmentations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        Vec::new()
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

    /// The specialisation of a template that is meant by some arguments, with what its own parameters stand for.
    fn specialised(
        &self,
        resolver: &Resolver<'_>,
        of: DefRef,
        args: &Tys,
    ) -> Option<(DefRef, Tys)> {
        None
    }

    /// What somebody sees of a type: of a specialisation without a name of its own the template.
    fn shown(&self, resolver: &Resolver<'_>, of: DefRef) -> DefRef {
        of
    }

    /// Type parameters of the types around a type, which its members depend on as on its own.
    fn outer_params(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        Vec::new()
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
    fn accessible_on(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        found: LookupResult,
    ) -> LookupResult {
        found
    }

    /// Whether a value of a type has no members but those that are found, whatever types from outside derive from.
    fn says_all(&self, resolver: &Resolver<'_>, of: &Ty) -> bool {
        false
    }

    /// Whether a use that leads to a library's method may mean what the workspace has in its place.
    fn may_dispatch(&self, resolver: &Resolver<'_>, at: ExprRef) -> bool {
        true
    }

    /// Whether a method has the name and form of one that an interface of the standard library asks for: a type may be
    /// given for that interface without saying so.
    fn is_of_library_interface(&self, resolver: &Resolver<'_>, method: DefRef) -> bool {
        false
    }

    /// Places where something from outside of the workspace may ask for a method without the code naming it.
    fn given_outside(&self, resolver: &Resolver<'_>, method: DefRef) -> Vec<GivenOutside> {
        Vec::new()
    }

    /// Whether a type satisfies an interface by having its methods (structural typing).
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

    /// Puts the bases of a type into the order of member lookup (method resolution order).
    fn order_bases(&self, resolver: &Resolver<'_>, of: DefRef, bases: &mut Vec<(Ty, bool)>) {}

    /// Whether what [`MemberRules::order_bases`] gives are all ancestors, not the direct bases alone.
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

    /// The field that a named argument sets where nobody knows the parameters of what is called: a class with a base from
    /// outside, or a function from outside over a type of the workspace.
    fn assumed_field(&self, resolver: &Resolver<'_>, function: &Ty, name: Name) -> Option<DefRef> {
        None
    }

    /// The name under which a function of this name is used like a variable, without a declaration of that name:
    /// `X` for `GetX` and `SetX`.
    fn accessor_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        None
    }

    /// Names under which something is used because members of these names are made of it.
    fn generated_names(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
        Vec::new()
    }

    /// The name of what makes instances callable.
    fn call_member(&self) -> &'static str {
        "(call)"
    }

    /// Whether what bounds a type parameter are traits and not types of its values.
    fn bounds_are_traits(&self) -> bool {
        false
    }
}
