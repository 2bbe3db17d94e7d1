//! What resolving needs to know of one file: scopes, definitions, expressions with every use of a name.
//!
//! Nothing here depends on another file. Types and values are expressions alike: a type that is written
//! is an [`Expr`] that denotes a type; what it denotes is the resolver's business. All tables are flat
//! and refer to one another by index, so a file's bindings are a handful of allocations.

use serde::{Deserialize, Serialize};

/// No index.
pub const NONE: u32 = u32::MAX;

/// Index of [`Bindings::names`].
pub type NameId = u32;
/// Index of [`Bindings::scopes`].
pub type ScopeId = u32;
/// Index of [`Bindings::defs`].
pub type DefId = u32;
/// Index of [`Bindings::exprs`].
pub type ExprId = u32;
/// The scope of the whole file.
pub const FILE_SCOPE: ScopeId = 0;
/// Start of a list in [`Bindings::lists`]: its length, then its entries. [`NONE`] is an empty list.
pub type ListId = u32;

/// An enum with a list of all it has, each at the place of its number.
macro_rules! listed {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$of_variant:meta])* $variant:ident),* $(,)? }
    ) => {
        $(#[$meta])*
        pub enum $name { $($(#[$of_variant])* $variant),* }

        impl $name {
            /// Each at the place of its number.
            pub const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant),*];
        }
    };
}

listed! {
    /// What kind of region of a file a scope is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ScopeKind {
        /// The whole file; always scope 0.
        File,
        /// A namespace that is open: all its parts in all files are one (C#, Java's package, C++). Its
        /// owner's name is the whole path from the root, joined by `.`.
        Namespace,
        /// A module inside a file: Rust's `mod x {}`, TypeScript's `namespace`.
        Module,
        /// The members of a type, or of a Rust `impl`. Its type parameters are in the [`ScopeKind::Header`] around.
        Class,
        /// Type parameters (of a type or function) and, of a C# record or Scala class, nothing else.
        Header,
        /// Parameters and body of a function.
        Function,
        /// A block, comprehension, arm, `for` …
        Block,
        /// Keys of an object literal or object type without a name.
        Object,
    }
}

/// A region in which names are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// What kind of region.
    pub kind: ScopeKind,
    /// The scope around; [`NONE`] for the file.
    pub parent: ScopeId,
    /// The definition whose inside this is; [`NONE`] for a file or block.
    pub owner: DefId,
    /// First byte.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
}

listed! {
    /// What a definition defines, as far as looking names up and inferring types tell kinds apart.
    ///
    /// There is a second list of kinds, `codecortex_syntax::ItemKind`: what a reader of an outline tells apart. Neither has
    /// the other's: here are locals, parameters, type parameters, imports and functions without a name, which no outline
    /// shows; there are destructors and operators, which are methods to a resolver. Items are made by rules that are data,
    /// in every language with a grammar; definitions by code, in those of which names are resolved. Where the former
    /// have to serve as the latter (`syntax/src/uses.rs`) one function maps them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[allow(missing_docs, reason = "the names say it")]
    pub enum DefKind {
        Namespace,
        Module,
        Class,
        Struct,
        Interface,
        Trait,
        Enum,
        Record,
        Union,
        Delegate,
        /// Another name of a type: [`Def::ty`] is the type.
        TypeAlias,
        /// [`Def::ty`] is its bound, [`Def::value`] its default.
        TypeParam,
        /// A Rust `impl` or C# extension block; has no name ([`Def::at`] is [`NONE`]). [`Def::ty`] is the type.
        Impl,
        Function,
        Method,
        Constructor,
        /// A function without a name: lambda, function type.
        Lambda,
        Property,
        Field,
        Constant,
        EnumMember,
        Event,
        Variable,
        Parameter,
        Macro,
        /// What an import, `using` or export list names: [`Def::value`] says what it stands for.
        Alias,
        /// A label of a statement or a lifetime.
        Label,
    }
}

impl DefKind {
    /// Whether it is a type with members of its own.
    #[must_use]
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class
                | Self::Struct
                | Self::Interface
                | Self::Trait
                | Self::Enum
                | Self::Record
                | Self::Union
                | Self::Delegate
        )
    }

    /// Whether it can be called.
    #[must_use]
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            Self::Function | Self::Method | Self::Constructor | Self::Lambda | Self::Macro
        )
    }
}

/// In which of a language's spaces of names something lives. Where a language has one space, everything is in all.
pub mod space {
    /// Values, functions.
    pub const VALUE: u8 = 1;
    /// Types.
    pub const TYPE: u8 = 2;
    /// Namespaces and modules.
    pub const NAMESPACE: u8 = 4;
    /// Macros.
    pub const MACRO: u8 = 8;
    /// Labels and lifetimes.
    pub const LABEL: u8 = 16;
    /// Fields, where they have a space of their own (Rust). Labels are no members and such fields no names
    /// in a scope, so one bit is enough for both.
    pub const FIELD: u8 = LABEL;
    /// All but labels and such fields.
    pub const ANY: u8 = 15;
}

/// Yes/no properties of a definition.
pub mod flag {
    /// Belongs to the type, not to an instance.
    pub const STATIC: u32 = 1;
    /// Seen in its type alone.
    pub const PRIVATE: u32 = 1 << 1;
    /// Seen in its type and what derives from it.
    pub const PROTECTED: u32 = 1 << 2;
    /// Seen in its file, package, crate or project. TypeScript: seen everywhere, by `declare global`.
    pub const INTERNAL: u32 = 1 << 3;
    /// Leaves its module.
    pub const EXPORTED: u32 = 1 << 4;
    /// Its module's default export.
    pub const DEFAULT: u32 = 1 << 5;
    /// Cannot be seen from inside its own scope: `export { a as b }`, `export { a } from "x"`.
    pub const HIDDEN: u32 = 1 << 6;
    /// Has no implementation here.
    pub const ABSTRACT: u32 = 1 << 7;
    /// Replaces an inherited member.
    pub const OVERRIDE: u32 = 1 << 8;
    /// One part of a type that may have several.
    pub const PARTIAL: u32 = 1 << 9;
    /// C and C++: declares in a block what another file or the namespace around has (`extern int a;`), and uses it there.
    pub const BLOCK_DECLARATION: u32 = PARTIAL;
    /// Gives a promise, task or coroutine of what is declared or returned. Only where the declared result
    /// does not say so itself (Python's and Rust's `async`; not TypeScript's or C#'s declared results).
    pub const ASYNC: u32 = 1 << 10;
    /// Yields what [`super::Def::value`] says.
    pub const GENERATOR: u32 = 1 << 11;
    /// Adds itself to the type of its first parameter (C# `this T x`).
    pub const EXTENSION: u32 = 1 << 12;
    /// A parameter that may be left out, or a member that may be absent.
    pub const OPTIONAL: u32 = 1 << 13;
    /// A parameter that takes any number of arguments; its type is that of one of them.
    pub const VARIADIC: u32 = 1 << 14;
    /// A parameter that takes all named arguments there is no other for (`**kwargs`).
    pub const KEYWORDS: u32 = 1 << 15;
    /// The receiver (Python's first parameter, Rust's `self`, Go's receiver).
    pub const RECEIVER: u32 = 1 << 16;
    /// Read like a field, called like a function: getters, Python's `@property`.
    pub const GETTER: u32 = 1 << 17;
    /// Written like a field.
    pub const SETTER: u32 = 1 << 18;
    /// Declares what is defined elsewhere: a prototype, `extern`, overload signature.
    pub const DECLARATION: u32 = 1 << 19;
    /// Cannot be assigned again. Definitions of other kinds have this bit for what is written of them, each by a name of its own:
    /// [`CONST_METHOD`], [`POINTS_TO_CONST`], [`VALUE_TYPE`], [`NAMES_BASES`].
    pub const READONLY: u32 = 1 << 20;
    /// A method of C++ that can be called on what is `const`: `f() const`.
    pub const CONST_METHOD: u32 = READONLY;
    /// A parameter or variable of C or C++ that points or refers to what is `const`.
    pub const POINTS_TO_CONST: u32 = READONLY;
    /// A type parameter of C# that stands for values alone: `where T : struct`.
    pub const VALUE_TYPE: u32 = READONLY;
    /// An alias of TypeScript: what it stands for may be a base by its name, in parts.
    pub const NAMES_BASES: u32 = READONLY;
    /// Python's `@classmethod`: the receiver is the class. What is static in an extension block of C#, likewise.
    pub const CLASS_METHOD: u32 = 1 << 21;
    /// An explicit implementation of an interface's member (C#): [`super::Def::container`] is the interface.
    pub const EXPLICIT: u32 = 1 << 22;
    /// A parameter that is a member as well: TypeScript's `constructor(private x)`, a record's component.
    pub const MEMBER: u32 = 1 << 23;
    /// Has a decorator or attribute that may change its type (Python).
    pub const DECORATED: u32 = 1 << 24;
    /// May be given by name alone.
    pub const KEYWORD_ONLY: u32 = 1 << 25;
    /// C and C++: `const` is written before its type; of a function, what it gives is or points to what is `const`.
    pub const CONST: u32 = 1 << 26;
    /// Assigned without a declaration of its own (Python's variables, `self.x = …`): other assignments join it.
    pub const IMPLICIT: u32 = 1 << 27;
    /// A type only: `import type`.
    pub const TYPE_ONLY: u32 = 1 << 28;
    /// Its name is not written: `export default …`, a call signature. [`super::Def::at`] is where it begins.
    pub const UNWRITTEN: u32 = 1 << 29;
    /// A parameter of C++ that is an rvalue reference: `T&& x`. One bit with the five below, which are of definitions
    /// of other kinds or languages.
    pub const RVALUE_REFERENCE: u32 = 1 << 30;
    /// A method of C++ that is called on rvalues: `f() &&`.
    pub const RVALUE_METHOD: u32 = RVALUE_REFERENCE;
    /// A variable or field of C++ that is not `const` because the object is that it is in: `mutable`, or a reference.
    pub const MUTABLE: u32 = RVALUE_REFERENCE;
    /// A type parameter of C# that stands for what is no value: `where T : class`.
    pub const REFERENCE_TYPE: u32 = RVALUE_REFERENCE;
    /// A parameter of C# that takes variables alone: `ref T x`, `out T x`.
    pub const BY_REFERENCE: u32 = RVALUE_REFERENCE;
    /// What holds or gives a class in Python, TypeScript or JavaScript, so that bases may be written by its name.
    pub const HOLDS_CLASS: u32 = RVALUE_REFERENCE;
    /// In an inactive branch: one that a build leaves out unless somebody says otherwise. C and C++: behind `#ifdef` of what the
    /// file does not define, behind `#if 0`, in `#else` of what is not left out. Python: for interpreters of other days.
    pub const INACTIVE: u32 = 1 << 31;
}

/// A definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Def {
    /// Its name.
    pub name: NameId,
    /// What it defines.
    pub kind: DefKind,
    /// The spaces of names it is in, see [`space`].
    pub spaces: u8,
    /// See [`flag`].
    pub flags: u32,
    /// The scope that it is a name in.
    pub scope: ScopeId,
    /// First byte of the name; [`NONE`] where it has none (`impl`, lambda).
    pub at: u32,
    /// First byte of the whole declaration.
    pub start: u32,
    /// End of the whole declaration, exclusive.
    pub end: u32,
    /// From which byte on the name is seen in its scope: 0 where order does not matter.
    pub from: u32,
    /// Declared type; of a function its declared result; of an alias of a type what it stands for.
    pub ty: ExprId,
    /// Initial value; of a function the value it returns where no type is declared; of an alias its target.
    pub value: ExprId,
    /// The scope of its members or parameters.
    pub inner: ScopeId,
    /// For what is written outside of its type: the type or namespace (Go's receiver, C++'s `A::f`).
    pub container: ExprId,
}

listed! {
    /// What is done with a name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Role {
        /// Its value is used.
        Read,
        /// It is assigned.
        Write,
        /// Both, as in `x += 1`.
        ReadWrite,
        /// It is called or constructed.
        Call,
        /// It is used as a type.
        Type,
        /// It is brought in or given out by an import or export.
        Import,
        /// An attribute, annotation or decorator.
        Attribute,
        /// A link in documentation.
        Doc,
    }
}

listed! {
    /// What a literal is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[allow(missing_docs, reason = "the names say it")]
    pub enum Literal {
        Text,
        Character,
        Integer,
        Float,
        Boolean,
        Null,
        Regex,
        Bytes,
    }
}

listed! {
    /// What an iteration binds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum IterationPart {
        /// The elements (`for x of`, `foreach`, second variable of Go's `range`).
        Element,
        /// The keys (`for x in` in JavaScript, first variable of Go's `range`).
        Key,
    }
}

/// An expression or a type.
///
/// Only [`Expr::Name`], [`Expr::Member`], [`Expr::Keyword`] and [`Expr::Module`] are uses of names; `at` is
/// the first byte of the name, or [`NONE`] where none is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// Something that gives no information.
    Opaque,
    /// A name looked up in its scope.
    Name {
        /// What is looked up.
        name: NameId,
        /// Where.
        scope: ScopeId,
        /// First byte.
        at: u32,
        /// What is done with it.
        role: Role,
        /// Spaces in which it may be found.
        spaces: u8,
    },
    /// A name looked up in what another expression is: `a.b`, `a::b`, `a->b`, `{ b } = a`, `A { b: 1 }`.
    Member {
        /// The expression before.
        of: ExprId,
        /// What is looked up.
        name: NameId,
        /// First byte.
        at: u32,
        /// What is done with it.
        role: Role,
        /// Spaces in which it may be found.
        spaces: u8,
    },
    /// The root of an import: a module as the language writes it (`"./x"`, `a` of `import a.b`, `crate`).
    Module {
        /// What is written; of paths the first segment; empty for `from . import`.
        name: NameId,
        /// First byte.
        at: u32,
        /// Leading dots in Python; 0 otherwise.
        level: u8,
    },
    /// The instance that code in this scope works on.
    This {
        /// Where it stands.
        scope: ScopeId,
    },
    /// The same seen as the base type; in call position its constructor.
    Super {
        /// Where it stands.
        scope: ScopeId,
    },
    /// The type around (`Self`, Python's `cls`, PHP's `static`).
    SelfType {
        /// Where it stands.
        scope: ScopeId,
    },
    /// A call.
    Call {
        /// What is called.
        of: ExprId,
        /// Arguments; lambdas are [`Expr::Function`], named ones [`Expr::Keyword`].
        args: ListId,
    },
    /// `new T(…)`, of which the type is an expression that denotes one.
    New {
        /// The type.
        of: ExprId,
        /// Arguments.
        args: ListId,
    },
    /// `a[b]`, in types as in values where the language writes no generics that way.
    Index {
        /// What is indexed.
        of: ExprId,
        /// The index.
        by: ExprId,
    },
    /// Type arguments on a type or function: `A<B>`, Python's `A[B]` in annotations.
    Apply {
        /// What they are given to.
        of: ExprId,
        /// The arguments.
        args: ListId,
    },
    /// A named argument: `f(name: 1)`, `f(name=1)`.
    Keyword {
        /// The call or `new` it is in; an attribute's too.
        call: ExprId,
        /// The parameter's name.
        name: NameId,
        /// First byte.
        at: u32,
        /// What is given.
        value: ExprId,
    },
    /// What is awaited.
    Await {
        /// The promise.
        of: ExprId,
    },
    /// What iterating gives.
    Iter {
        /// What is iterated.
        of: ExprId,
        /// Which part.
        part: IterationPart,
    },
    /// An entry of a tuple, or of several results: `a, b = of`.
    Entry {
        /// The tuple.
        of: ExprId,
        /// Which, from 0.
        index: u32,
    },
    /// The value inside an optional or result: Rust's `?`, a pattern `Some(x)`.
    Unwrap {
        /// What holds it.
        of: ExprId,
    },
    /// What a pointer points to, or `operator*`.
    Deref {
        /// The pointer.
        of: ExprId,
    },
    /// A pointer in a type, or the address of a value, where the language has member access that tells them apart.
    Pointer {
        /// What is pointed to.
        of: ExprId,
    },
    /// A value of the type that `of` denotes: casts, patterns with a type, literals of structs.
    Value {
        /// The type.
        of: ExprId,
    },
    /// The type of a value, where a type is asked for: `typeof x`, `decltype(x)`.
    TypeOf {
        /// The value.
        of: ExprId,
    },
    /// An operator applied: `a + b`; its name is as written.
    Operator {
        /// The operator.
        name: NameId,
        /// The left or only operand.
        left: ExprId,
        /// The right operand or [`NONE`].
        right: ExprId,
    },
    /// One of several: `a ? b : c`, `a || b`, union types, several assignments.
    Union {
        /// Which.
        of: ListId,
    },
    /// A tuple or a list of results.
    Tuple {
        /// Exports.
        of: ListId,
    },
    /// An array or list of this, as value or as type.
    Array {
        /// One element, or a union of them; [`NONE`] if empty.
        of: ExprId,
    },
    /// A map, as literal or as type.
    Map {
        /// Keys.
        key: ExprId,
        /// Values.
        value: ExprId,
    },
    /// A function as a value or as a type: a [`DefKind::Lambda`].
    Function {
        /// The definition.
        def: DefId,
    },
    /// An object literal or object type; `of` is where a type for it is expected ([`Expr::ContextualType`]) or [`NONE`].
    Object {
        /// Its keys' scope.
        scope: ScopeId,
        /// What it is expected to be.
        of: ExprId,
    },
    /// The contextual type of an argument: what the call expects there.
    ContextualType {
        /// The call or `new`.
        call: ExprId,
        /// Which argument, from 0.
        index: u32,
    },
    /// The contextual type of a lambda's parameter: what it gets where a function is expected, which `of` denotes.
    ContextualParam {
        /// The expected function, an [`Expr::ContextualType`] or a declared type as [`Expr::Value`].
        of: ExprId,
        /// Which parameter, from 0.
        index: u32,
    },
    /// A literal.
    Literal {
        /// Of what.
        of: Literal,
    },
    /// A literal whose value may tell types apart: the type `"circle"`, what a discriminant is compared with.
    Constant {
        /// Of what.
        of: Literal,
        /// What it says, without quotes.
        value: NameId,
    },
    /// What a test of a discriminant tells of the type of a value: that it has a member, and of which value.
    Discriminant {
        /// The member.
        member: NameId,
        /// A constant, an enumerator, a [`Expr::Union`] of such; a boolean [`Expr::Literal`] where it is tested
        /// itself; [`NONE`] where any will do.
        value: ExprId,
    },
    /// What a test tells of a value by way of something else: an indirect narrowing.
    Indirect {
        /// A call: it holds if the function asserts its first argument. A member: it narrows what the member was
        /// taken of, and the value is that member.
        of: ExprId,
        /// What it is narrowed to, as in [`Narrowing::ty`].
        narrowed: ExprId,
    },
}

/// A glob import (wildcard import): all names of a module, namespace or type brought into a scope: `from x import *`, `using N;`, `use a::*`,
/// `export * from`, `#include`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlobImport {
    /// Into which scope.
    pub scope: ScopeId,
    /// Of what.
    pub of: ExprId,
    /// [`flag::EXPORTED`] if they leave the file again, [`flag::STATIC`] for `using static` and Java's
    /// `import static`.
    pub flags: u32,
}

/// A stretch in which the type of an expression is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Narrowing {
    /// A name or a chain of members of `this` or a name.
    pub of: ExprId,
    /// First byte of the stretch.
    pub start: u32,
    /// Its end, exclusive.
    pub end: u32,
    /// The type; [`Expr::Discriminant`] for what is known of a member; [`Expr::Indirect`] where something else says it; a call
    /// in an [`Expr::Unwrap`] for what the function says where it gives true, in an [`Expr::Deref`] for what it asserts
    /// by coming back.
    pub ty: ExprId,
    /// Whether it is known not to be of that type.
    pub not: bool,
}

/// An assignment to something that is declared elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// A name or member.
    pub to: ExprId,
    /// What it gets.
    pub value: ExprId,
}

listed! {
    /// How a type relates to a base that it names.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Relation {
        /// Derives from a class, or where the syntax does not tell.
        Extends,
        /// Implements an interface or trait.
        Implements,
        /// Embeds a type whose members it takes over (Go).
        Embeds,
        /// Mixes in a type.
        Mixin,
    }
}

/// A base of a type, as an expression that can be resolved; `codecortex_syntax::Base` is the same as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// The type, or the Rust `impl` for it.
    pub def: DefId,
    /// How they relate.
    pub relation: Relation,
    /// An expression that denotes the base.
    pub of: ExprId,
}

/// A stretch of a file that is compiled under a condition alone: an arm of C#'s `#if`. Arms in arms are stretches in
/// stretches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionalRegion {
    /// First byte.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
    /// The condition as a boolean expression of `!`, `&&`, `||`, brackets and symbols; it has the denials of the arms before.
    pub condition: NameId,
}

/// What resolving needs to know of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bindings {
    /// Every name, each once.
    pub names: Vec<Box<str>>,
    /// Every scope, parents first; the file is scope 0.
    pub scopes: Vec<Scope>,
    /// Every definition. Parameters of one function stand in their order.
    pub defs: Vec<Def>,
    /// Every expression that a definition, base, use … needs.
    pub exprs: Vec<Expr>,
    /// Lists that expressions refer to.
    pub lists: Vec<u32>,
    /// Names brought in wholesale.
    pub glob_imports: Vec<GlobImport>,
    /// Bases of types.
    pub bases: Vec<Base>,
    /// What is known of types in stretches of code.
    pub narrowings: Vec<Narrowing>,
    /// Assignments.
    pub assignments: Vec<Assignment>,
    /// Names that leave the module because a list says so (`__all__`): empty where there is none.
    pub exported: Vec<NameId>,
    /// Stretches that are compiled under a condition, in the order of their first bytes.
    pub conditional_regions: Vec<ConditionalRegion>,
}

impl Bindings {
    /// The text of a name.
    #[must_use]
    pub fn name(&self, name: NameId) -> &str {
        self.names.get(name as usize).map_or("", |name| name)
    }

    /// The entries of a list.
    #[must_use]
    pub fn list(&self, list: ListId) -> &[u32] {
        let at = list as usize;
        let Some(&len) = self.lists.get(at) else {
            return &[];
        };
        self.lists.get(at + 1..at + 1 + len as usize).unwrap_or(&[])
    }

    /// The expression; [`Expr::Opaque`] for [`NONE`].
    #[must_use]
    pub fn expr(&self, expr: ExprId) -> Expr {
        self.exprs
            .get(expr as usize)
            .copied()
            .unwrap_or(Expr::Opaque)
    }

    /// Whether indices are inside their tables and parents come first: what every reader relies on, and
    /// what bytes from a damaged cache might not keep.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let names = self.names.len();
        let are_sound = |exprs: &[Expr]| exprs.iter().all(|expr| self.has_parts_of(expr, names));
        are_sound(&self.exprs) && self.is_sound_with(names, self.exprs.len())
    }

    /// Whether it has the names, scopes and definitions that an expression speaks of; so many names are elsewhere.
    pub(crate) fn has_parts_of(&self, expr: &Expr, names: usize) -> bool {
        let names = names as u32;
        let (scopes, defs) = (self.scopes.len() as u32, self.defs.len() as u32);
        match *expr {
            Expr::Name { name, scope, .. } => name < names && scope < scopes,
            Expr::Member { name, .. } | Expr::Module { name, .. } => name < names,
            Expr::Keyword { name, .. } | Expr::Operator { name, .. } => name < names,
            Expr::Constant { value, .. } => value < names,
            Expr::Discriminant { member, .. } => member < names,
            Expr::This { scope }
            | Expr::Super { scope }
            | Expr::SelfType { scope }
            | Expr::Object { scope, .. } => scope < scopes,
            Expr::Function { def } => def < defs,
            _ => true,
        }
    }

    /// The same of everything else, where so many names and expressions are elsewhere.
    pub(crate) fn is_sound_with(&self, names: usize, exprs: usize) -> bool {
        let (names, exprs) = (names as u32, exprs as u32);
        let (scopes, defs) = (self.scopes.len() as u32, self.defs.len() as u32);
        let known = |index: u32, length: u32| index == NONE || index < length;
        let scopes_are = self.scopes.iter().enumerate().all(|(index, scope)| {
            let is_first = index == 0 && scope.parent == NONE;
            (is_first || scope.parent < index as u32) && known(scope.owner, defs)
        });
        let defs_are = self.defs.iter().all(|def| {
            let parts = [def.ty, def.value, def.container];
            def.name < names
                && def.scope < scopes
                && known(def.inner, scopes)
                && parts.into_iter().all(|part| known(part, exprs))
        });
        let rest_is = self.glob_imports.iter().all(|star| star.scope < scopes)
            && self.bases.iter().all(|base| base.def < defs)
            && self.exported.iter().all(|name| *name < names)
            && self
                .conditional_regions
                .iter()
                .all(|region| region.condition < names);
        !self.scopes.is_empty() && scopes_are && defs_are && rest_is
    }

    /// Every use of a name that is written in the text: its expression, the name, its first byte and role.
    pub fn uses(&self) -> impl Iterator<Item = (ExprId, NameId, u32, Role)> {
        self.exprs.iter().enumerate().filter_map(|(index, expr)| {
            let (name, at, role) = expr.written()?;
            Some((index as ExprId, name, at, role))
        })
    }
}

impl Expr {
    /// The name that this expression writes, where, and what it does with it.
    #[must_use]
    pub fn written(&self) -> Option<(NameId, u32, Role)> {
        let (name, at, role) = match *self {
            Self::Name { name, at, role, .. } | Self::Member { name, at, role, .. } => {
                (name, at, role)
            }
            Self::Keyword { name, at, .. } => (name, at, Role::Read),
            Self::Module { name, at, .. } => (name, at, Role::Import),
            _ => return None,
        };
        (at != NONE).then_some((name, at, role))
    }
}
