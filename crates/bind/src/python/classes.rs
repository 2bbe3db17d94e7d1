//! Classes.

use tree_sitter::Node;

use super::functional_types::{FunctionalKind, FunctionalType, functional_type};
use super::functions::Decorators;
use super::kinds::Kind;
use super::walk::{ClassContext, Frame, Walk, start};
use crate::facts::{DefKind, ExprId, NONE, Relation, ScopeKind, flag};

/// The member of a class that says what it is an instance of.
pub const METACLASS: &str = "(metaclass)";

impl<'t> Walk<'t> {
    pub(super) fn class(&mut self, node: Node<'t>, decorators: Option<Decorators>) {
        if !self.enter() {
            return;
        }
        let children = self.open_named(node);
        let name = self.node_in(children, self.table.name);
        let generics = self.node_in(children, self.table.type_parameters);
        let bases = self.node_in(children, self.table.superclasses);
        let body = self.node_in(children, self.table.body);
        self.close(children);
        let Some(name) = name else {
            self.exprs_of(node);
            self.leave();
            return;
        };
        let found = decorators.unwrap_or_default();
        let first = decorators.map_or(node.start_byte(), |found| found.start);
        let range = first..node.end_byte();
        let text = self.text(name);
        let scope = self.lang.frame.scope;
        let def = self
            .b
            .define(text, DefKind::Class, scope, start(name), range);
        let header = self.header(def, generics, node.byte_range());
        let mut known = Bases::default();
        if let Some(bases) = bases {
            self.inside(header, |walk| walk.bases(bases, def, text, &mut known));
        }
        let kind = match known {
            Bases {
                enumeration: true, ..
            } => DefKind::Enum,
            Bases { record: true, .. } => DefKind::Record,
            Bases { protocol: true, .. } => DefKind::Interface,
            _ if found.record => DefKind::Record,
            _ => DefKind::Class,
        };
        let members = self
            .b
            .scope(ScopeKind::Class, header, def, node.byte_range());
        let edit = self.b.edit(def);
        (edit.kind, edit.inner) = (kind, members);
        edit.flags |= found.flags & flag::DECORATED;
        if let Some(of) = known.metaclass {
            self.metaclass(of, members, node);
        }
        for made in &known.made {
            self.inside(header, |walk| walk.functional_members(made, def, members));
        }
        if let Some(body) = body {
            self.members(body, members, known.enumeration);
        }
        self.leave();
    }

    /// What a class is an instance of, as a member that no name in the text can mean.
    fn metaclass(&mut self, of: ExprId, members: u32, node: Node<'t>) {
        let def = self.b.define(
            METACLASS,
            DefKind::Field,
            members,
            start(node),
            node.byte_range(),
        );
        let edit = self.b.edit(def);
        edit.ty = of;
        edit.flags |= flag::UNWRITTEN | flag::IMPLICIT;
    }

    fn members(&mut self, body: Node<'t>, scope: u32, enumeration: bool) {
        let frame = Frame {
            scope,
            class: Some(ClassContext {
                scope,
                receiver: "",
            }),
            in_class: true,
            in_enum: enumeration,
            ..Frame::default()
        };
        let around = std::mem::replace(&mut self.lang.frame, frame);
        self.inside(scope, |walk| walk.block(body));
        self.lang.frame = around;
    }

    fn bases(&mut self, node: Node<'t>, def: u32, name: &str, known: &mut Bases<'t>) {
        let children = self.open_named(node);
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::KeywordArgument => {
                    let name = child.child_by_field_id(self.table.name);
                    if let Some(value) = child.child_by_field_id(self.table.value) {
                        let is_metaclass = name.is_some_and(|name| self.text(name) == "metaclass");
                        if is_metaclass && self.is_path(value) {
                            known.metaclass = Some(self.ty(value));
                        } else {
                            self.expr(value);
                        }
                    }
                }
                Kind::ListSplat | Kind::DictionarySplat => {
                    self.expr(child);
                }
                // `class P(namedtuple("P", "x y"))` has the fields itself.
                Kind::Call => match functional_type(child, name, self.text) {
                    Some(made) => known.note_made(made),
                    None => {
                        let of = self.expr(child);
                        self.b.base(def, Relation::Extends, of);
                    }
                },
                _ => {
                    known.note(self.text(child));
                    let of = self.ty(child);
                    self.b.base(def, Relation::Extends, of);
                }
            }
        }
        self.close(children);
    }

    fn is_path(&self, node: Node<'t>) -> bool {
        matches!(self.kind(node), Kind::Identifier | Kind::Attribute)
    }

    /// The classes that `isinstance` or `except` names: one or a tuple of them.
    pub(super) fn classes(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::Tuple | Kind::Parenthesized => {
                let children = self.open_named(node);
                let mut of = Vec::new();
                for at in children {
                    let class = self.classes_inside(self.child(at).node);
                    of.push(class);
                }
                self.close(children);
                self.b.union(&of)
            }
            Kind::Identifier | Kind::Attribute | Kind::Binary => self.ty(node),
            _ => self.expr(node),
        }
    }

    fn classes_inside(&mut self, node: Node<'t>) -> ExprId {
        self.deeper(NONE, |walk| walk.classes(node))
    }
}

/// What the names of a class's bases say about it.
#[derive(Clone, Debug, Default)]
struct Bases<'t> {
    enumeration: bool,
    record: bool,
    protocol: bool,
    metaclass: Option<ExprId>,
    /// Bases that are made where they are named.
    made: Vec<FunctionalType<'t>>,
}

impl<'t> Bases<'t> {
    fn note_made(&mut self, made: FunctionalType<'t>) {
        match made.kind {
            FunctionalKind::Record => self.record = true,
            FunctionalKind::Enum => self.enumeration = true,
        }
        self.made.push(made);
    }

    fn note(&mut self, base: &str) {
        let name = base.split('[').next().unwrap_or("");
        match name.rsplit('.').next().unwrap_or("") {
            "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" | "ReprEnum" => {
                self.enumeration = true;
            }
            "NamedTuple" | "TypedDict" | "BaseModel" => self.record = true,
            "Protocol" => self.protocol = true,
            _ => {}
        }
    }
}
