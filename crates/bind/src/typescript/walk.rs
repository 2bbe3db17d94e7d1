//! The walk through TypeScript and JavaScript: what it keeps, and what `this` is.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::kinds::{Kind, Table};
use super::state::{DestructuredSiblings, Prefixes, Returns, This, ThisAssignments};
use crate::dialect::Dialect;
use crate::facts::{DefId, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, space};
use crate::nodes::child;
use crate::walker::{Language, Walker};

/// What a walk through TypeScript or JavaScript keeps.
pub(super) struct TypeScriptState<'t> {
    /// Whether the file is TypeScript.
    pub(super) is_typed: bool,
    /// What the functions around return and yield, the innermost last.
    pub(super) returns: Vec<Returns>,
    /// Where `infer T` defines: the condition around.
    pub(super) condition: ScopeId,
    /// Members that functions give to what they construct, so far.
    pub(super) constructed: FxHashSet<(DefId, String)>,
    /// Whether comments may declare type parameters or say the arguments of bases: hardly any file's do.
    pub(super) has_templates: bool,
    /// Members of instances whose types are not known yet.
    pub(super) this_assignments: ThisAssignments,
    /// What stands before the chain that is being read.
    pub(super) prefixes: Prefixes,
    /// Names in comments that stand for types.
    pub(super) jsdoc_names: Vec<ExprId>,
    /// Comments whose links are noted, by where they begin.
    pub(super) linked: FxHashSet<usize>,
    /// What patterns take of values.
    pub(super) siblings: DestructuredSiblings<'t>,
    /// The call that a condition is given to, while what it says is noted.
    pub(super) asserted_by: ExprId,
    /// What `this` is.
    pub(super) this: This,
}

impl TypeScriptState<'_> {
    /// In a file with this text.
    pub(super) fn new(dialect: Dialect, text: &str) -> Self {
        let is_typed = dialect == Dialect::TypeScript;
        let tags = ["@template", "@extends", "@augments"];
        Self {
            is_typed,
            returns: Vec::new(),
            condition: NONE,
            constructed: FxHashSet::default(),
            has_templates: !is_typed && tags.iter().any(|tag| text.contains(tag)),
            this_assignments: ThisAssignments::default(),
            prefixes: Prefixes::default(),
            jsdoc_names: Vec::new(),
            linked: FxHashSet::default(),
            siblings: DestructuredSiblings::default(),
            asserted_by: NONE,
            this: This::default(),
        }
    }
}

impl Language for TypeScriptState<'_> {
    type AngelScriptGrammar = Table;
    const COMMENTS: bool = true;
}

/// The walk through a file of TypeScript or JavaScript.
pub(super) type TypeScriptWalk<'t> = Walker<'t, 't, TypeScriptState<'t>>;

impl<'t> TypeScriptWalk<'t> {
    pub(super) fn field<'n>(
        &self,
        node: Node<'n>,
        field: impl Fn(&Table) -> u16,
    ) -> Option<Node<'n>> {
        child(node, field(self.table))
    }

    /// Whether it has this keyword right in it.
    pub(super) fn has(&self, node: Node<'_>, keyword: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor)
            .any(|child| !child.is_named() && child.kind() == keyword)
    }

    /// Walks through a function or the body of a class, where `this` is something else unless it is an arrow.
    pub(super) fn with_this<T>(
        &mut self,
        node: Node<'_>,
        scope: ScopeId,
        step: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let around = self.lang.this;
        self.lang.this = match (self.kind(node), around.arrows) {
            (Kind::ArrowFunction, NONE) => This {
                arrows: scope,
                ..around
            },
            (Kind::ArrowFunction, _) => around,
            _ => This::default(),
        };
        let result = step(self);
        self.lang.this = around;
        result
    }

    /// The instance that code works on.
    pub(super) fn instance(&mut self, scope: ScopeId) -> ExprId {
        let scope = match self.lang.this.arrows {
            NONE => scope,
            around => around,
        };
        self.b.expr(Expr::This { scope })
    }

    /// `this` as a type is the type around, whatever functions are in between.
    pub(super) fn this_type(&mut self, scope: ScopeId) -> ExprId {
        let is_type =
            |scope: &ScopeId| self.b.facts.scopes[*scope as usize].kind == ScopeKind::Class;
        let outwards = |scope: &ScopeId| {
            let parent = self.b.facts.scopes[*scope as usize].parent;
            (parent != NONE).then_some(parent)
        };
        let around = std::iter::successors(Some(scope), outwards).find(is_type);
        let scope = around.unwrap_or(scope);
        self.b.expr(Expr::This { scope })
    }

    /// `this` as a value, which is a name where a function declares it.
    pub(super) fn this_value(&mut self, scope: ScopeId, at: u32) -> ExprId {
        if !self.lang.this.is_declared {
            return self.instance(scope);
        }
        self.b.name_use("this", scope, at, Role::Read, space::VALUE)
    }

    /// The scope that `var` is in, seen from here.
    pub(super) fn hoisted(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        loop {
            let found = &self.b.facts.scopes[at as usize];
            match found.kind {
                ScopeKind::File | ScopeKind::Function | ScopeKind::Module => return at,
                _ if found.parent == NONE => return at,
                _ => at = found.parent,
            }
        }
    }

    /// The name and place of a written key: an identifier, or a string without escapes.
    pub(super) fn key(&self, node: Node<'_>) -> Option<(&'t str, u32)> {
        let text = self.text(node);
        let at = node.start_byte() as u32;
        match self.kind(node) {
            Kind::String => {
                let inner = text.get(1..text.len().checked_sub(1)?)?;
                (!inner.is_empty() && !inner.contains('\\')).then_some((inner, at + 1))
            }
            Kind::Number => Some((text, at)),
            Kind::ComputedPropertyName => None,
            _ => Some((text, at)),
        }
    }
}
