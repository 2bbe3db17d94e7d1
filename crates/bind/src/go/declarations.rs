//! Package, imports, constants, variables, functions and types.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::GoWalk;
use crate::children::Child;
use crate::facts::{
    DefId, DefKind, Expr, ExprId, FILE_SCOPE, NONE, Relation, Role, ScopeId, ScopeKind, flag,
};
use crate::nodes::child;

impl<'t> GoWalk<'t> {
    /// A definition by its identifier; none for `_`.
    pub(super) fn define(
        &mut self,
        name: Node<'t>,
        kind: DefKind,
        scope: ScopeId,
        whole: Node<'t>,
    ) -> Option<DefId> {
        let text = self.text(name);
        if text == "_" || text.is_empty() {
            return None;
        }
        let at = name.start_byte() as u32;
        let def = self.b.define(text, kind, scope, at, whole.byte_range());
        if scope == FILE_SCOPE || matches!(kind, DefKind::Field | DefKind::Method) {
            self.b.edit(def).flags |= visibility(text);
        }
        Some(def)
    }

    pub(super) fn package(&mut self, node: Node<'t>) {
        let children = self.open(node);
        for at in children {
            let name = self.child(at).node;
            if self.kind(name) == Kind::PackageIdentifier
                && let Some(def) = self.define(name, DefKind::Module, FILE_SCOPE, node)
            {
                let is_built = super::build::is_built(self.text);
                let left_out = if is_built { 0 } else { flag::OPTIONAL };
                self.b.edit(def).flags = flag::HIDDEN | left_out;
            }
        }
        self.close(children);
    }

    pub(super) fn imports(&mut self, node: Node<'t>) {
        let children = self.open(node);
        for at in children {
            let spec = self.child(at).node;
            match self.kind(spec) {
                Kind::ImportSpecList => {
                    let specs = self.open(spec);
                    for at in specs {
                        self.import(self.child(at).node);
                    }
                    self.close(specs);
                }
                _ => self.import(spec),
            }
        }
        self.close(children);
    }

    fn import(&mut self, spec: Node<'t>) {
        if self.kind(spec) != Kind::ImportSpec {
            return;
        }
        let Some(path) = child(spec, self.table.path) else {
            return;
        };
        let written = self.text(path).trim_matches(['"', '`']);
        let at = path.start_byte() as u32 + 1;
        let module = self.b.name(written);
        let module = self.b.expr(Expr::Module {
            name: module,
            at,
            level: 0,
        });
        let name = child(spec, self.table.name);
        let def = match name.map(|name| (self.kind(name), name)) {
            Some((Kind::Dot, _)) => return self.b.glob_import(FILE_SCOPE, module, 0),
            Some((Kind::BlankIdentifier, _)) => return,
            Some((_, name)) => self.define(name, DefKind::Alias, FILE_SCOPE, spec),
            None => {
                let (offset, name) = package_of(written);
                let at = at + offset as u32;
                let range = spec.byte_range();
                let def = self.b.define(name, DefKind::Alias, FILE_SCOPE, at, range);
                // The package's own clause may say another name than its path does.
                self.b.edit(def).flags |= flag::IMPLICIT;
                Some(def)
            }
        };
        if let Some(def) = def {
            let def = self.b.edit(def);
            def.value = module;
            def.flags = def.flags & flag::IMPLICIT | flag::PRIVATE;
        }
    }

    /// `const (…)`: a specification without type and value repeats those before it.
    pub(super) fn constants(&mut self, node: Node<'t>, scope: ScopeId) {
        let (mut ty, mut values) = (NONE, Vec::new());
        let children = self.open(node);
        for at in children {
            let spec = self.child(at).node;
            if self.kind(spec) != Kind::ConstSpec {
                self.statement(spec, scope);
                continue;
            }
            let parts = self.open(spec);
            if let Some(list) = self.node_in(parts, self.table.value) {
                ty = self
                    .node_in(parts, self.table.ty)
                    .map_or(NONE, |node| self.ty(node, scope));
                values = self.expressions(list, scope);
            }
            let mut index = 0;
            for at in parts {
                let Child {
                    field, node: name, ..
                } = self.child(at);
                if field != self.table.name || self.kind(name) != Kind::Identifier {
                    continue;
                }
                if let Some(def) = self.define(name, DefKind::Constant, scope, spec) {
                    let value = values.get(index).copied().unwrap_or(NONE);
                    self.seen_after(def, scope, spec);
                    let def = self.b.edit(def);
                    (def.ty, def.value) = (ty, value);
                    def.flags |= flag::READONLY;
                }
                index += 1;
            }
            self.close(parts);
        }
        self.close(children);
    }

    /// A local is seen behind its declaration; what the package has, everywhere.
    pub(super) fn seen_after(&mut self, def: DefId, scope: ScopeId, node: Node<'t>) {
        if scope != FILE_SCOPE {
            self.b.edit(def).from = node.end_byte() as u32;
        }
    }

    pub(super) fn variables(&mut self, node: Node<'t>, scope: ScopeId) {
        let parts = self.open(node);
        let ty = self.node_in(parts, self.table.ty);
        let ty = ty.map_or(NONE, |node| self.ty(node, scope));
        let list = self.node_in(parts, self.table.value);
        let mut names = Vec::new();
        for at in parts {
            let Child {
                field, node: name, ..
            } = self.child(at);
            if field == self.table.name && self.kind(name) == Kind::Identifier {
                names.push(name);
            }
        }
        self.close(parts);
        let values = list.map_or(Vec::new(), |list| self.values(list, names.len(), scope));
        for (index, name) in names.into_iter().enumerate() {
            if let Some(def) = self.define(name, DefKind::Variable, scope, node) {
                self.seen_after(def, scope, node);
                let def = self.b.edit(def);
                def.ty = ty;
                def.value = values.get(index).copied().unwrap_or(NONE);
            }
        }
    }

    pub(super) fn function(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open(node);
        let Some(name) = self.node_in(children, self.table.name) else {
            self.close(children);
            return self.children(node, scope);
        };
        let text = self.text(name);
        let at = name.start_byte() as u32;
        let kind = DefKind::Function;
        let def = self.b.define(text, kind, scope, at, node.byte_range());
        self.b.edit(def).flags |= match text {
            // Nothing can refer to these, and a package may have several.
            "init" | "_" => flag::HIDDEN,
            _ => visibility(text),
        };
        let parameters = self.node_in(children, self.table.type_parameters);
        let header = self.header(parameters, def, scope, node);
        let inner = self.signature(node, def, header);
        self.body(node, inner);
        self.close(children);
    }

    pub(super) fn method(&mut self, node: Node<'t>) {
        let (Some(name), Some(receiver)) = (
            child(node, self.table.name),
            child(node, self.table.receiver),
        ) else {
            return self.children(node, FILE_SCOPE);
        };
        let Some(def) = self.define(name, DefKind::Method, FILE_SCOPE, node) else {
            return self.children(node, FILE_SCOPE);
        };
        // It is no name of the package.
        self.b.edit(def).flags |= flag::HIDDEN;
        let header = self.receiver(receiver, def, node);
        let header = self.method_type_params(node, def, header);
        let inner = self.signature(node, def, header);
        self.body(node, inner);
    }

    /// The receiver: which type the method belongs to, and the names of that type's parameters. Gives
    /// the scope that the method's function is to be in.
    fn receiver(&mut self, list: Node<'t>, def: DefId, whole: Node<'t>) -> ScopeId {
        let children = self.open(list);
        let declared = (!children.is_empty()).then(|| self.child(children.from).node);
        self.close(children);
        let Some(declared) = declared else {
            return FILE_SCOPE;
        };
        let Some(mut ty) = child(declared, self.table.ty) else {
            return FILE_SCOPE;
        };
        while matches!(self.kind(ty), Kind::PointerType | Kind::ParenthesizedType) {
            let Some(inner) = ty.named_child(0) else {
                return FILE_SCOPE;
            };
            ty = inner;
        }
        if self.kind(ty) != Kind::GenericType {
            let of = self.ty(ty, FILE_SCOPE);
            self.b.edit(def).container = of;
            return FILE_SCOPE;
        }
        let of = child(ty, self.table.ty).map_or(NONE, |of| self.ty(of, FILE_SCOPE));
        let header = self
            .b
            .scope(ScopeKind::Header, FILE_SCOPE, def, whole.byte_range());
        let mut entries = Vec::new();
        if let Some(list) = child(ty, self.table.type_arguments) {
            let arguments = self.open(list);
            for at in arguments {
                let mut name = self.child(at).node;
                if self.kind(name) == Kind::TypeElem {
                    name = name.named_child(0).unwrap_or(name);
                }
                let written = self.text(name);
                let place = match written {
                    "_" => NONE,
                    _ => name.start_byte() as u32,
                };
                let kind = DefKind::TypeParam;
                let range = name.byte_range();
                self.b.define(written, kind, header, place, range);
                let role = Role::Type;
                let spaces = crate::facts::space::ANY;
                entries.push(self.b.name_use(written, header, NONE, role, spaces));
            }
            self.close(arguments);
        }
        let args = self.b.list(&entries);
        let of = self.b.expr(Expr::Apply { of, args });
        self.b.edit(def).container = of;
        header
    }

    /// Type parameters of a method (Go 1.27), in a scope of their own; else the scope around. The grammar knows none, so it
    /// is shown them as the first parameters (`syntax/preprocess/go`): those before the bracket that closes them.
    fn method_type_params(&mut self, node: Node<'t>, def: DefId, scope: ScopeId) -> ScopeId {
        let list = child(node, self.table.parameters);
        let Some(list) = list.filter(|list| self.shown_type_params(*list).is_some()) else {
            return scope;
        };
        let range = node.byte_range();
        let header = self.b.scope(ScopeKind::Header, scope, def, range);
        let children = self.open(list);
        for at in children {
            let declaration = self.child(at).node;
            if self.is_type_param(list, declaration) {
                self.type_params_of(declaration, header);
            }
        }
        self.close(children);
        header
    }

    /// Where the type parameters end that a list of parameters begins with: none where a round bracket opens it.
    fn shown_type_params(&self, list: Node<'t>) -> Option<usize> {
        let written = self.text(list);
        let is_shown = written.starts_with('[');
        is_shown
            .then(|| written.find("]("))
            .flatten()
            .map(|end| list.start_byte() + end)
    }

    /// Whether what is shown as a parameter is a type parameter.
    pub(super) fn is_type_param(&self, list: Node<'t>, declaration: Node<'t>) -> bool {
        let end = self.shown_type_params(list);
        end.is_some_and(|end| declaration.start_byte() < end)
    }

    /// Type parameters, if there are any, in a scope of their own; else the scope around.
    pub(super) fn header(
        &mut self,
        list: Option<Node<'t>>,
        def: DefId,
        scope: ScopeId,
        whole: Node<'t>,
    ) -> ScopeId {
        let Some(list) = list else {
            return scope;
        };
        let header = self
            .b
            .scope(ScopeKind::Header, scope, def, whole.byte_range());
        let children = self.open(list);
        for at in children {
            let declaration = self.child(at).node;
            if self.kind(declaration) != Kind::TypeParameterDeclaration {
                self.statement(declaration, header);
                continue;
            }
            self.type_params_of(declaration, header);
        }
        self.close(children);
        header
    }

    /// The type parameters that one declaration declares, with their constraint.
    fn type_params_of(&mut self, declaration: Node<'t>, header: ScopeId) {
        let parts = self.open(declaration);
        let bound = self.node_in(parts, self.table.ty);
        let bound = bound.map_or(NONE, |node| self.ty(node, header));
        for at in parts {
            let Child {
                field, node: name, ..
            } = self.child(at);
            if field == self.table.name
                && self.kind(name) == Kind::Identifier
                && let Some(def) = self.define(name, DefKind::TypeParam, header, declaration)
            {
                self.b.edit(def).ty = bound;
            }
        }
        self.close(parts);
    }

    pub(super) fn type_spec(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open(node);
        let name = self.node_in(children, self.table.name);
        let ty = self.node_in(children, self.table.ty);
        let parameters = self.node_in(children, self.table.type_parameters);
        self.close(children);
        let (Some(name), Some(ty)) = (name, ty) else {
            return self.children(node, scope);
        };
        let kind = match (self.kind(node), self.kind(ty)) {
            (Kind::TypeAlias, _) => DefKind::TypeAlias,
            (_, Kind::StructType) => DefKind::Struct,
            (_, Kind::InterfaceType) => DefKind::Interface,
            _ => DefKind::Class,
        };
        let Some(def) = self.define(name, kind, scope, node) else {
            self.ty(ty, scope);
            return;
        };
        if scope != FILE_SCOPE {
            self.b.edit(def).from = name.start_byte() as u32;
        }
        let header = self.header(parameters, def, scope, node);
        match kind {
            DefKind::Struct | DefKind::Interface => {
                let range = ty.byte_range();
                let inner = self.b.scope(ScopeKind::Class, header, def, range);
                self.b.edit(def).inner = inner;
                self.members(ty, inner, Some(def));
            }
            _ => {
                let ty = self.ty(ty, header);
                let def = self.b.edit(def);
                def.ty = ty;
                if header != scope {
                    def.inner = header;
                }
            }
        }
    }

    /// What a struct or interface embeds, if it has a name that bases can be noted for.
    pub(super) fn embed(&mut self, def: Option<DefId>, relation: Relation, of: ExprId) {
        if let Some(def) = def
            && of != NONE
        {
            self.b.base(def, relation, of);
        }
    }
}

/// Names with a capital leave the package.
pub(super) fn visibility(name: &str) -> u32 {
    if name.chars().next().is_some_and(char::is_uppercase) {
        flag::EXPORTED
    } else {
        flag::INTERNAL
    }
}

/// The package's name as far as its path tells, and where in the path it stands: the last part that is
/// not a version, without what names of repositories have before or behind.
fn package_of(path: &str) -> (usize, &str) {
    let mut end = path.len();
    let mut start = path.rfind('/').map_or(0, |at| at + 1);
    let version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if start > 0 && version(&path[start..]) {
        end = start - 1;
        start = path[..end].rfind('/').map_or(0, |at| at + 1);
    }
    let part = &path[start..end];
    if let Some(dot) = part.find(".v").filter(|&dot| version(&part[dot + 1..])) {
        end = start + dot;
    }
    let mut part = &path[start..end];
    if let Some(rest) = part.strip_prefix("go-").or(part.strip_prefix("go.")) {
        start += 3;
        part = rest;
    }
    if let Some(rest) = part.strip_suffix("-go").or(part.strip_suffix(".go")) {
        part = rest;
    }
    if let Some(at) = part.rfind('-') {
        start += at + 1;
        part = &part[at + 1..];
    }
    (start, part)
}
