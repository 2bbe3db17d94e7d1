//! Annotations: expressions that denote types.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{PythonWalk, start};
use crate::facts::{DefKind, Expr, ExprId, Literal, NONE, Role, ScopeKind, space};

/// What the arguments of a type in brackets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeArguments {
    Types,
    /// A type, then anything.
    First,
    Values,
}

/// What stands in the brackets after a name.
pub(super) fn arguments_of(name: &str) -> TypeArguments {
    match name {
        "Literal" => TypeArguments::Values,
        "Annotated" => TypeArguments::First,
        _ => TypeArguments::Types,
    }
}

/// Whether brackets after this name are type arguments although a value is written.
pub(super) fn is_generic(name: &str) -> bool {
    matches!(
        name,
        "Union"
            | "Optional"
            | "List"
            | "Dict"
            | "Set"
            | "FrozenSet"
            | "Tuple"
            | "Type"
            | "Callable"
            | "Iterable"
            | "Iterator"
            | "Sequence"
            | "Mapping"
            | "MutableMapping"
            | "Generator"
            | "Awaitable"
            | "Coroutine"
            | "AsyncIterator"
            | "AsyncIterable"
            | "AsyncGenerator"
            | "Literal"
            | "Annotated"
            | "ClassVar"
            | "Final"
            | "DefaultDict"
            | "Deque"
            | "OrderedDict"
            | "Counter"
            | "ChainMap"
            | "Collection"
            | "Generic"
            | "Protocol"
    )
}

impl<'t> PythonWalk<'t> {
    pub(super) fn ty(&mut self, node: Node<'t>) -> ExprId {
        self.deeper(NONE, |walk| walk.ty_of(node))
    }

    fn ty_of(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::Type | Kind::Parenthesized => {
                let children = self.open_named(node);
                let mut ty = NONE;
                for at in children {
                    ty = self.ty(self.child(at).node);
                }
                self.close(children);
                ty
            }
            Kind::Identifier => self.named_type(self.text(node), start(node)),
            Kind::Attribute | Kind::MemberType => {
                let ty = self.expr(node);
                self.b.set_role(ty, Role::Type);
                // `typing.Self`, under whatever name the module goes.
                if self.text(node).ends_with(".Self") {
                    let scope = self.lang.scope;
                    return self.b.expr(Expr::SelfType { scope });
                }
                ty
            }
            Kind::Subscript | Kind::GenericType => self.generic_node(node),
            Kind::Binary | Kind::UnionType => self.union_type(node),
            Kind::List | Kind::Tuple => {
                let entries = self.types_of(node);
                let of = self.b.list(&entries);
                self.b.expr(Expr::Tuple { of })
            }
            Kind::Text | Kind::Concatenated => self.forward_ref(node),
            _ => self.expr(node),
        }
    }

    /// A type by its name; `Self` is the class around.
    pub(super) fn named_type(&mut self, name: &str, at: u32) -> ExprId {
        let scope = self.lang.scope;
        let ty = self.b.name_use(name, scope, at, Role::Type, space::ANY);
        match name {
            "Self" => self.b.expr(Expr::SelfType { scope }),
            _ => ty,
        }
    }

    fn types_of(&mut self, node: Node<'t>) -> Vec<ExprId> {
        let children = self.open_named(node);
        let types = children.iter().map(|at| {
            let child = self.child(at).node;
            self.ty(child)
        });
        let types = types.collect();
        self.close(children);
        types
    }

    /// `A | B | C`, in a loop: the chain leans to the left.
    fn union_type(&mut self, node: Node<'t>) -> ExprId {
        let mut right = Vec::new();
        let mut at = node;
        while matches!(self.kind(at), Kind::Binary | Kind::UnionType) {
            let (Some(left), Some(last)) = (at.named_child(0), at.named_child(1)) else {
                break;
            };
            right.push(last);
            at = left;
            while self.kind(at) == Kind::Type {
                let Some(inner) = at.named_child(0) else {
                    break;
                };
                at = inner;
            }
        }
        let mut of = vec![self.ty(at)];
        for node in right.into_iter().rev() {
            let ty = self.ty(node);
            of.push(ty);
        }
        of.retain(|ty| !self.is_nothing(*ty));
        self.b.union(&of)
    }

    fn is_nothing(&self, ty: ExprId) -> bool {
        matches!(self.b.facts.expr(ty), Expr::Literal { of: Literal::Null })
    }

    /// `A[B, C]`.
    fn generic_node(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let Some(base) = children.iter().next().map(|at| self.child(at).node) else {
            return NONE;
        };
        let of = self.ty(base);
        let name = self.text(base).rsplit('.').next().unwrap_or("");
        let arguments = arguments_of(name);
        let mut args = Vec::new();
        for at in children.iter().skip(1) {
            let child = self.child(at).node;
            if self.kind(child) == Kind::TypeParameter {
                let types = self.types_of(child);
                args.extend(types);
                continue;
            }
            if self.kind(child) == Kind::Tuple && arguments == TypeArguments::Types {
                let types = self.types_of(child);
                args.extend(types);
                continue;
            }
            let value = match arguments {
                TypeArguments::Types => self.ty(child),
                TypeArguments::First if args.is_empty() => self.ty(child),
                _ => self.expr(child),
            };
            args.push(value);
        }
        self.close(children);
        self.generic(name, of, &args)
    }

    /// What a type with arguments denotes.
    pub(super) fn generic(&mut self, name: &str, of: ExprId, args: &[ExprId]) -> ExprId {
        let first = args.first().copied().unwrap_or(NONE);
        match name {
            "Optional" | "Annotated" | "ClassVar" | "Final" | "Required" | "NotRequired"
            | "ReadOnly" | "InitVar" | "Unpack" => first,
            "Union" => {
                let of: Vec<ExprId> = args
                    .iter()
                    .copied()
                    .filter(|ty| !self.is_nothing(*ty))
                    .collect();
                self.b.union(&of)
            }
            "Literal" => {
                let args = args.to_vec();
                self.b.union(&args)
            }
            "Callable" => self.callable(args),
            "Tuple" | "tuple" => {
                let open = args.len() == 2 && self.b.facts.expr(args[1]) == Expr::Opaque;
                if open {
                    return self.b.expr(Expr::Array { of: first });
                }
                let of = self.b.list(args);
                self.b.expr(Expr::Tuple { of })
            }
            "TypeGuard" | "TypeIs" => {
                // A boolean with the type that it tells.
                let of = Literal::Boolean;
                let of = self.b.expr(Expr::Literal { of });
                let args = self.b.list(args);
                self.b.expr(Expr::Apply { of, args })
            }
            _ => {
                let args = self.b.list(args);
                self.b.expr(Expr::Apply { of, args })
            }
        }
    }

    /// `Callable[[A, B], R]`.
    fn callable(&mut self, args: &[ExprId]) -> ExprId {
        let (Some(&parameters), Some(&result)) = (args.first(), args.get(1)) else {
            return self.b.expr(Expr::Opaque);
        };
        let range = || 0..0;
        let def = self
            .b
            .define("", DefKind::Lambda, self.lang.scope, NONE, range());
        let scope = self
            .b
            .scope(ScopeKind::Function, self.lang.scope, def, range());
        if let Expr::Tuple { of } = self.b.facts.expr(parameters) {
            for ty in self.b.facts.list(of).to_vec() {
                let parameter = self.b.define("", DefKind::Parameter, scope, NONE, range());
                self.b.edit(parameter).ty = ty;
            }
        }
        let edit = self.b.edit(def);
        (edit.inner, edit.ty) = (scope, result);
        self.b.expr(Expr::Function { def })
    }

    /// The name and the parameters of `type Name[T] = …`.
    pub(super) fn generic_name(&mut self, node: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>)> {
        let mut at = node;
        for _ in 0..4 {
            match self.kind(at) {
                Kind::Identifier => return Some((at, None)),
                Kind::GenericType | Kind::Subscript => {
                    return Some((at.named_child(0)?, at.named_child(1)));
                }
                _ => at = at.named_child(0)?,
            }
        }
        None
    }
}
