//! Uses by name alone: which of them can mean a family at all, by their form and the rules of the language.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, Role, ScopeKind, flag};
use codecortex_resolve::{DefRef, Resolver};

/// What a family's declarations can be used as.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UsableAs {
    /// Behind a receiver.
    member: bool,
    /// By themselves.
    name: bool,
    /// As the name of an argument.
    argument: bool,
    callable: bool,
    value: bool,
    spaces: u8,
}

impl UsableAs {
    pub(super) fn new(resolver: &Resolver<'_>, family: &[DefRef]) -> Self {
        let mut usable = Self::default();
        for of in family {
            let Some(def) = resolver.definition(*of) else {
                continue;
            };
            let dialect = resolver.workspace().dialect(of.file);
            usable.add(def, resolver.scope_kind(*of), dialect);
        }
        usable
    }

    fn add(&mut self, def: &Def, scope: Option<ScopeKind>, dialect: Option<Dialect>) {
        let is_param = def.kind == DefKind::Parameter;
        let is_member = def.flags & flag::MEMBER != 0
            || matches!(scope, Some(ScopeKind::Class | ScopeKind::Object))
            || def.container != codecortex_bind::facts::NONE;
        let is_top_level = matches!(
            scope,
            Some(ScopeKind::File | ScopeKind::Namespace | ScopeKind::Module)
        );
        // A module is a value there, and what is looked up in an unknown value may be one of its names.
        let modules_are_values = matches!(
            dialect,
            Some(Dialect::Python | Dialect::JavaScript | Dialect::TypeScript)
        );
        let sees_members = matches!(
            dialect,
            Some(Dialect::CSharp | Dialect::Java | Dialect::Cpp | Dialect::AngelScript)
        );
        self.member |= is_member || is_top_level && modules_are_values;
        self.name |= !is_member || sees_members || is_param;
        self.argument |= is_param || is_member && !def.kind.is_callable();
        self.callable |= def.kind.is_callable() || def.kind.is_type() || !tells_calls(dialect);
        self.value |= !def.kind.is_callable() || !tells_calls(dialect);
        self.spaces |= def.spaces;
    }

    /// Whether a use of the name may mean the family.
    pub(super) fn may_be_meant(&self, expr: Expr) -> bool {
        let fits = |role: Role, spaces: u8| {
            let is_called = role == Role::Call;
            let by_role = if is_called {
                self.callable
            } else {
                self.value || role != Role::Read
            };
            by_role && self.spaces & spaces != 0
        };
        match expr {
            Expr::Name { role, spaces, .. } => self.name && fits(role, spaces),
            Expr::Member { role, spaces, .. } => self.member && fits(role, spaces),
            Expr::Keyword { .. } => self.argument,
            // A part of a module's path.
            Expr::Module { .. } => false,
            _ => true,
        }
    }
}

/// Languages in which a method is only called and a field never is.
fn tells_calls(dialect: Option<Dialect>) -> bool {
    matches!(dialect, Some(Dialect::Rust | Dialect::Java))
}
