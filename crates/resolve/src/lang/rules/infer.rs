//! Rules of type inference and type lowering: what expressions, calls and written types are.

use codecortex_bind::facts::{Def, Literal, ScopeId};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_functions::LibraryFunctions;
use crate::library_types::ContainerCall;
use crate::library_types::table::LibraryTypes;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Rules of type inference and type lowering: what expressions, calls and written types are.
/// The defaults suit most languages.
#[allow(unused_variables, reason = "the names say what the languages get")]
pub(crate) trait InferRules {
    /// The type of a member that its receiver does not have.
    fn type_of_missing(&self, resolver: &Resolver<'_>, receiver: &Ty, name: &str) -> Option<Typed> {
        None
    }

    /// What awaiting a value gives, where that may be no promise.
    fn awaited(&self, resolver: &Resolver<'_>, file: FileNo, of: &Typed) -> Option<Typed> {
        None
    }

    /// The contextual type of an argument of a member from outside, where that is no function.
    fn contextual_argument(
        &self,
        resolver: &Resolver<'_>,
        receiver: &Ty,
        member: &str,
        index: u32,
    ) -> Option<Ty> {
        None
    }

    /// The contextual type of an argument of a function of the language, as far as that depends on its other arguments.
    fn contextual_argument_by_call(
        &self,
        resolver: &Resolver<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        None
    }

    /// What an index gives that is a range, whatever holds that.
    fn sliced(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, by: u32) -> Option<Ty> {
        None
    }

    /// What a method of the library that is passed by its name gives for a value: `List::stream`.
    fn method_reference_result(
        &self,
        resolver: &Resolver<'_>,
        method: ExprRef,
        of: &Ty,
    ) -> Option<Ty> {
        None
    }

    /// Adds the type parameters that follow from what is known of others by their bounds.
    fn infer_from_bounds(
        &self,
        resolver: &Resolver<'_>,
        params: &[DefRef],
        bindings: &mut Vec<(DefRef, Ty)>,
    ) {
    }

    /// The type parameters of what is around a function that its arguments may tell, too.
    fn params_around(&self, resolver: &Resolver<'_>, function: DefRef) -> Vec<DefRef> {
        Vec::new()
    }

    /// What an alias with arguments lowers to where these count as they are written.
    fn lower_applied_alias(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        None
    }

    /// The keys that a type of keys names; nothing where these are not known.
    fn written_keys(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Vec<Name>> {
        None
    }

    /// The type arguments of a type that is written, in the order of the parameters that the resolver knows it by.
    fn arranged_type_args(&self, resolver: &Resolver<'_>, at: ExprRef, args: Vec<Ty>) -> Vec<Ty> {
        args
    }

    /// Whether calling what has this name outside makes an instance of a type of that name: where types are called, those
    /// that tables know, and what is written as types are.
    fn call_constructs(&self, name: &str) -> bool {
        self.library_types().knows(name) || name.starts_with(char::is_uppercase)
    }

    /// Whether a type of this name leaves it to the program that runs what members it has.
    fn is_dynamic(&self, name: &str) -> bool {
        false
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

    /// An entry of something that is not a tuple, destructured.
    fn entry(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        None
    }

    /// The element type of iterating a map.
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

    /// The same of a type from outside, of which tables do not say it.
    fn unwrapped_outside(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        None
    }

    /// The type arguments with which a value is of a type of the library whose members it has, though it does not
    /// derive from it.
    fn args_by_form(&self, resolver: &Resolver<'_>, of: DefRef, value: &Ty) -> Option<Vec<Ty>> {
        None
    }

    /// The lambda that a member of some container is handed which holds such a type.
    fn handed_by_container(
        &self,
        resolver: &Resolver<'_>,
        held: &Ty,
        call: ContainerCall<'_>,
    ) -> Option<Ty> {
        None
    }

    /// What calling such a member gives.
    fn given_by_container(
        &self,
        resolver: &Resolver<'_>,
        held: &Ty,
        call: ContainerCall<'_>,
    ) -> Option<Ty> {
        None
    }

    /// Whether containers of the library have a member of this name.
    fn is_of_containers(&self, resolver: &Resolver<'_>, file: FileNo, member: &str) -> bool {
        false
    }

    /// The type of the name of a value of the library: of `declare var Map` the interface `Map`.
    fn type_beside(&self, resolver: &Resolver<'_>, value: DefRef) -> Option<DefRef> {
        None
    }

    /// The signatures by which `new` of a name makes something, where it is a value of the language's own library.
    fn constructor_of_value(&self, resolver: &Resolver<'_>, of: ExprRef) -> Option<Ty> {
        None
    }

    /// What `new` of such a name gives.
    fn constructed_by_value(
        &self,
        resolver: &Resolver<'_>,
        of: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        None
    }

    /// Whether a parameter of the name `this` says what `this` is. Elsewhere it is a name like others.
    fn this_is_declared(&self) -> bool {
        false
    }

    /// What a type of the workspace with parameters is that is made of these arguments, where that tells more than its
    /// constructors do.
    fn deduced(&self, resolver: &Resolver<'_>, file: FileNo, of: DefRef, args: u32) -> Option<Ty> {
        None
    }

    /// What `new T(…)` of a type from outside gives, where that is more than the type.
    fn constructed_external(
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

    /// What an indexed access type lowers to.
    fn lower_index(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: u32,
        by: u32,
    ) -> Option<Typed> {
        None
    }

    /// What a type parameter is called as, where what bounds it says that.
    fn callable_bound(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        None
    }

    /// Whether type guards narrow unions.
    fn narrows_unions(&self) -> bool {
        false
    }

    /// What a type with arguments lowers to, where it is not what its definition says (`None`: it is).
    fn lower_apply(&self, resolver: &Resolver<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
        None
    }

    /// What an expression lowers to that is not a type by its form.
    fn lower_value(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        None
    }

    /// What an associated type is that has no value.
    fn associated_type(&self, resolver: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        None
    }

    /// What a function lowers to in the place of a type (constructor functions).
    fn function_as_type(&self, resolver: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        None
    }

    /// What a variable or parameter lowers to in the place of a type.
    fn variable_as_type(&self, resolver: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        None
    }

    /// Of several values those of which the language keeps the types apart.
    fn distinct(&self, resolver: &Resolver<'_>, values: Vec<Typed>) -> Vec<Typed> {
        values
    }

    /// The evolving array type of a variable that begins as an empty list and is filled later.
    fn evolving_array(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        None
    }

    /// What a value lowers to in the place of a type, if that is another thing than its own type: the instances that a
    /// function makes (`const A = function () { this.x = 1 }`).
    fn instance_of_value(&self, resolver: &Resolver<'_>, value: &Ty) -> Option<Typed> {
        None
    }

    /// Whether a type that is named without arguments has those that its parameters have by default.
    fn defaults_fill_types(&self) -> bool {
        false
    }

    /// What a class makes instances of that a variable or parameter holds, where one may stand in the place of a type:
    /// `class A extends Base` with a variable `Base`.
    fn made_by_class_value(&self, resolver: &Resolver<'_>, class: &Ty) -> Option<Ty> {
        None
    }

    /// What a type parameter has the members of as a base, where the bound of one says which class it stands for.
    fn base_by_bound(&self, resolver: &Resolver<'_>, param: DefRef) -> Option<Ty> {
        None
    }

    /// The parameters of an instance that is called as a function: Java's functional interfaces, C#'s delegates.
    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        of.contextual_param(index)
    }

    /// The result of an instance that is called as a function.
    fn functional_result(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        None
    }

    /// Whether what describes types from outside does not say what their members give: what tables know of a type says
    /// more then.
    fn described_without_results(&self) -> bool {
        false
    }

    /// The generic functions of the standard library, if the language has a list of them.
    fn library_functions(&self) -> Option<&'static LibraryFunctions> {
        None
    }

    /// How the files of the language's own library end, where a type has a file in the folders of its namespace.
    fn library_ending(&self) -> &'static str {
        ""
    }

    /// The folders of the library's namespaces in which types are meant by their simple names, the best known first.
    fn library_namespaces(&self) -> &'static [&'static str] {
        &[]
    }

    /// The name of a library's type that the language has a word of its own for.
    fn library_name<'n>(&self, name: &'n str) -> &'n str {
        name
    }

    /// The files of the library in which tables' types are, where a module has many, the best known first.
    fn library_modules(&self) -> &'static [&'static str] {
        &[]
    }

    /// The library's type of what the language has a form of its own for, and its arguments: `list` of a list.
    fn library_form(&self, of: &Ty) -> Option<(&'static str, Vec<Ty>)> {
        None
    }

    /// Whether tables and rules know the library's types in these namespaces by their names, and not some of them alone.
    fn speaks_of_all_library_types(&self) -> bool {
        false
    }

    /// The type of the library that every type derives from.
    fn root_type(&self) -> Option<&'static &'static str> {
        None
    }

    /// Types that tables know and that the library declares in another type: the name, and that of the outer type.
    fn nested_library_types(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What well-known types from outside give.
    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&[]);
        &TABLE
    }
}
