//! Reasons why a declaration's name may be tied to something that a rename cannot reach.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, ScopeKind, flag};

use crate::given_outside::GivenOutside;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::overrides::overridden;
use crate::relations;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// A declaration whose name is tied to more than the index knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameDoubt {
    /// The declaration.
    pub def: DefRef,
    /// Why its name may not be changed.
    pub reason: RenameDoubtReason,
}

/// Why a name may be tied to something unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameDoubtReason {
    /// It is declared outside of the workspace.
    Outside,
    /// It replaces or implements a member that is declared outside of the workspace.
    ReplacesOutside,
    /// Its type derives from one that is outside of the workspace or unknown, which may have a member of that name.
    BaseOutside(String),
    /// A type that may derive from its type has a member of that name.
    MaybeReplacedBy(DefRef),
    /// The standard library's interfaces have a method of that name and form.
    LibraryInterface,
    /// A type that has all members of its type, or whose members its type has all, has a member of that name too: types
    /// are compared by their members there.
    SameMembers(DefRef),
    /// A value of its type is given to something from outside of the workspace, which may ask for a member of that name.
    GivenOutside(GivenOutside),
    /// The language or its runtime finds it by its name.
    KnownName,
    /// More declarations share the name than are looked at.
    TooMany,
}

impl RenameDoubtReason {
    /// The declaration elsewhere that it is about.
    #[must_use]
    pub fn other(&self) -> Option<DefRef> {
        match self {
            Self::MaybeReplacedBy(other) | Self::SameMembers(other) => Some(*other),
            _ => None,
        }
    }

    /// The place that it is about, where that is no declaration.
    #[must_use]
    pub fn place(&self) -> Option<(FileNo, u32)> {
        match self {
            Self::GivenOutside(given) => given.place,
            _ => None,
        }
    }

    /// Whether the name is tied only perhaps: a reader is to know it, and no change is refused for it.
    #[must_use]
    pub fn is_possible_alone(&self) -> bool {
        matches!(self, Self::GivenOutside(given) if !given.is_sure)
    }
}

impl RenameDoubt {
    /// The places of what it is about: another declaration, what else it is about, the declaration itself.
    #[must_use]
    pub fn places(&self, resolver: &Resolver<'_>) -> Vec<(FileNo, u32)> {
        let place = |def: DefRef| Some((def.file, resolver.place(def)?));
        let other = self.reason.other().and_then(place);
        let places = other.into_iter().chain(self.reason.place());
        places.chain(place(self.def)).collect()
    }
}

/// What makes a rename of a declaration unsure.
pub(super) fn doubts_about(resolver: &Resolver<'_>, of: DefRef) -> Vec<RenameDoubt> {
    let Some(def) = resolver.def(of) else {
        return Vec::new();
    };
    let doubt = |reason| RenameDoubt { def: of, reason };
    if resolver.workspace.is_external(of.file) {
        return vec![doubt(RenameDoubtReason::Outside)];
    }
    let dialect = resolver.workspace.dialect(of.file);
    if is_found_by_name(resolver, of, def, dialect) {
        return vec![doubt(RenameDoubtReason::KnownName)];
    }
    let can_replace = matches!(
        def.kind,
        DefKind::Method | DefKind::Function | DefKind::Property | DefKind::Event
    ) || has_virtual_fields(dialect)
        && matches!(def.kind, DefKind::Field | DefKind::Variable);
    let is_hidden = def.flags & flag::PRIVATE != 0 && resolver.rules(of.file).private_hides();
    if !can_replace || is_hidden {
        return Vec::new();
    }
    let Some(owner) = resolver.owner(of) else {
        return Vec::new();
    };
    let outside = replaces_outside(resolver, (of, def), owner, dialect);
    let unsure = relations::unsure_implementations(resolver, of).by_name;
    let maybe = unsure
        .first()
        .map(|other| RenameDoubtReason::MaybeReplacedBy(*other));
    let given = resolver.rules(of.file).given_outside(resolver, of);
    let given = given.into_iter().map(RenameDoubtReason::GivenOutside);
    let reasons = outside.into_iter().chain(maybe).chain(given);
    reasons.map(doubt).collect()
}

/// Languages whose fields replace those of bases: a look-up finds the last one.
fn has_virtual_fields(dialect: Option<Dialect>) -> bool {
    matches!(
        dialect,
        Some(Dialect::Python | Dialect::TypeScript | Dialect::JavaScript)
    )
}

/// Whether something else than code finds a declaration by its name.
fn is_found_by_name(
    resolver: &Resolver<'_>,
    of: DefRef,
    def: &Def,
    dialect: Option<Dialect>,
) -> bool {
    let name = resolver
        .name_of(of)
        .map_or("", |name| resolver.workspace.text(name));
    let is_top_level = resolver.file(of.file).is_some_and(|bound| {
        matches!(
            bound.scope(def.scope).kind,
            ScopeKind::File | ScopeKind::Namespace
        )
    });
    match dialect {
        Some(Dialect::Python) => name.starts_with("__") && name.ends_with("__") && name.len() > 4,
        Some(Dialect::Go) => is_top_level && matches!(name, "main" | "init" | "_"),
        Some(Dialect::Rust | Dialect::C | Dialect::Cpp) => is_top_level && name == "main",
        Some(Dialect::Java | Dialect::CSharp) => {
            let is_static = def.flags & flag::STATIC != 0;
            is_static && matches!(name, "main" | "Main")
        }
        _ => false,
    }
}

/// Why a member may replace one that is outside of the workspace.
fn replaces_outside(
    resolver: &Resolver<'_>,
    (of, def): (DefRef, &Def),
    owner: DefRef,
    dialect: Option<Dialect>,
) -> Option<RenameDoubtReason> {
    let is_static = def.flags & flag::STATIC != 0;
    let is_marked = def.flags & flag::OVERRIDE != 0;
    let replaced = || overridden(resolver, of);
    match dialect? {
        Dialect::Go => {
            let is_tied = resolver
                .rules(of.file)
                .is_of_library_interface(resolver, of);
            is_tied.then_some(RenameDoubtReason::LibraryInterface)
        }
        Dialect::Rust => trait_of_block(resolver, of),
        // A mark says so, and there is nothing without one.
        Dialect::AngelScript => {
            (is_marked && replaced().is_empty()).then_some(RenameDoubtReason::ReplacesOutside)
        }
        // `virtual` and `override` are one mark.
        Dialect::Cpp | Dialect::C if is_static => None,
        Dialect::Cpp | Dialect::C => base_outside(resolver, of, owner),
        Dialect::Java | Dialect::CSharp if is_static => None,
        _ if is_marked && replaced().is_empty() => Some(RenameDoubtReason::ReplacesOutside),
        // What implements an interface of C# has no mark, and is seen from outside.
        Dialect::CSharp if def.flags & (flag::PRIVATE | flag::PROTECTED | flag::INTERNAL) != 0 => {
            None
        }
        _ => base_outside(resolver, of, owner),
    }
}

/// The first base of a type that is not in the workspace.
fn base_outside(resolver: &Resolver<'_>, of: DefRef, owner: DefRef) -> Option<RenameDoubtReason> {
    /// The most types above one that are looked at.
    const MAX_BASES: usize = 256;
    let name = resolver.workspace.text(resolver.name_of(of)?);
    let (_, outside) = crate::hierarchy::all_supertypes(resolver, owner, MAX_BASES);
    let dialect = resolver.workspace.dialect(owner.file);
    let base = outside
        .into_iter()
        .map(|base| resolver.workspace.text(base))
        .find(|base| may_have_member(dialect, base, name))?;
    Some(RenameDoubtReason::BaseOutside(base.to_owned()))
}

/// The trait of the `impl` that a function of Rust is in, where it is not in the workspace.
fn trait_of_block(resolver: &Resolver<'_>, of: DefRef) -> Option<RenameDoubtReason> {
    let (bound, def) = (resolver.file(of.file)?, resolver.def(of)?);
    let block = bound.scope(def.scope).owner;
    let base = bound.bases().iter().find(|base| base.def == block)?;
    if bound.defs().get(block as usize)?.kind != DefKind::Impl {
        return None;
    }
    let file = of.file;
    let ty = resolver.lower_type(ExprRef {
        file,
        expr: base.of,
    });
    let name = match bound.expr(base.of) {
        Expr::Name { name, .. } | Expr::Member { name, .. } => {
            resolver.workspace.text(bound.name(name))
        }
        _ => "a trait",
    };
    match ty.ty {
        Ty::Instance(..) | Ty::Type(..) => None,
        _ => Some(RenameDoubtReason::BaseOutside(name.to_owned())),
    }
}

/// Whether a base from outside may have a member of a name: of what the language itself has it is known.
fn may_have_member(dialect: Option<Dialect>, base: &str, name: &str) -> bool {
    // What runs tests finds them by the beginning of their names, so that none is its own.
    if dialect == Some(Dialect::Python) && base.ends_with("TestCase") && name.starts_with("test") {
        return false;
    }
    let known = match dialect {
        Some(Dialect::Python) => PYTHON_BASES,
        Some(Dialect::Java) => JAVA_BASES,
        Some(Dialect::TypeScript | Dialect::JavaScript) => JAVASCRIPT_BASES,
        _ => &[],
    };
    let members = known.iter().find(|(known, _)| known.contains(&base));
    members.is_none_or(|(_, members)| members.contains(&name))
}

/// Types of a language itself, and all the members that they have; without those of Python whose names the language
/// keeps for itself (`__init__`).
type KnownBases = &'static [(&'static [&'static str], &'static [&'static str])];

const PYTHON_BASES: KnownBases = &[
    (&["object", "ABC", "Protocol", "Generic"], &[]),
    (&["type", "ABCMeta"], &["mro", "register"]),
    (
        &["NamedTuple"],
        &[
            "count",
            "index",
            "_asdict",
            "_make",
            "_replace",
            "_fields",
            "_field_defaults",
        ],
    ),
    (
        &[
            "BaseException",
            "Exception",
            "ArithmeticError",
            "AssertionError",
            "LookupError",
            "NotImplementedError",
            "RuntimeError",
            "TypeError",
            "ValueError",
            "Warning",
            "UserWarning",
            "DeprecationWarning",
        ],
        &["args", "with_traceback", "add_note"],
    ),
    (
        &["KeyError", "IndexError"],
        &["args", "with_traceback", "add_note"],
    ),
    (
        &["Enum", "IntEnum"],
        &[
            "name",
            "value",
            "_name_",
            "_value_",
            "_missing_",
            "_generate_next_value_",
            "_ignore_",
            "_order_",
        ],
    ),
];

const JAVA_BASES: KnownBases = &[
    (&["Serializable", "Cloneable", "RandomAccess"], &[]),
    (
        &["Object"],
        &[
            "clone",
            "equals",
            "finalize",
            "getClass",
            "hashCode",
            "notify",
            "notifyAll",
            "toString",
            "wait",
        ],
    ),
    (&["Comparable"], &["compareTo"]),
    (&["Runnable"], &["run"]),
    (&["Callable"], &["call"]),
    (&["Closeable", "AutoCloseable"], &["close"]),
    (&["Iterable"], &["iterator", "forEach", "spliterator"]),
    (
        &["Iterator"],
        &["hasNext", "next", "remove", "forEachRemaining"],
    ),
    (
        &[
            "Throwable",
            "Exception",
            "RuntimeException",
            "IOException",
            "IllegalArgumentException",
            "IllegalStateException",
            "UnsupportedOperationException",
        ],
        &[
            "addSuppressed",
            "clone",
            "equals",
            "fillInStackTrace",
            "finalize",
            "getCause",
            "getClass",
            "getLocalizedMessage",
            "getMessage",
            "getStackTrace",
            "getSuppressed",
            "hashCode",
            "initCause",
            "notify",
            "notifyAll",
            "printStackTrace",
            "setStackTrace",
            "toString",
            "wait",
        ],
    ),
];

const JAVASCRIPT_BASES: KnownBases = &[(
    &["Error", "TypeError", "RangeError", "SyntaxError"],
    &["name", "message", "stack", "cause", "toString"],
)];
