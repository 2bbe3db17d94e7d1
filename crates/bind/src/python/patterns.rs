//! `match`.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::narrow::NarrowedFacts;
use super::walk::{PythonWalk, start};
use crate::facts::{Expr, ExprId, IterationPart, NONE, Role, space};

impl<'t> PythonWalk<'t> {
    pub(super) fn match_statement(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let mut subjects = Vec::new();
        for at in children {
            let (child, field) = (self.child(at).node, self.child(at).field);
            if field == self.table.subject {
                let subject = self.expr(child);
                subjects.push(subject);
            } else {
                let subject = match *subjects {
                    [one] => one,
                    _ => {
                        let of = self.b.list(&subjects);
                        self.b.expr(Expr::Tuple { of })
                    }
                };
                self.cases(child, subject);
            }
        }
        self.close(children);
    }

    fn cases(&mut self, block: Node<'t>, subject: ExprId) {
        let children = self.open_named(block);
        for at in children {
            let case = self.child(at).node;
            if self.kind(case) == Kind::Case {
                self.case(case, subject);
            }
        }
        self.close(children);
    }

    fn case(&mut self, node: Node<'t>, subject: ExprId) {
        let children = self.open_named(node);
        let several = children
            .iter()
            .filter(|at| self.kind(self.child(*at).node) == Kind::CasePattern)
            .count()
            > 1;
        let mut index = 0;
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::CasePattern => {
                    let stretch = child.end_byte()..node.end_byte();
                    let subject = if several {
                        self.b.expr(Expr::Entry { of: subject, index })
                    } else {
                        subject
                    };
                    index += 1;
                    self.pattern(child, subject, &stretch);
                }
                Kind::IfClause => {
                    let mut facts = NarrowedFacts::default();
                    let inner = self.open_named(child);
                    for at in inner {
                        self.condition(self.child(at).node, &mut facts);
                    }
                    self.close(inner);
                    self.know(&facts.yes, child.end_byte()..node.end_byte());
                }
                Kind::Block => self.block(child),
                _ => {}
            }
        }
        self.close(children);
    }

    /// A pattern that `subject` is matched with; gives the type that it has if it matches, or [`NONE`].
    fn pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        self.deeper(NONE, |walk| walk.pattern_of(node, subject, stretch))
    }

    fn pattern_of(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        match self.kind(node) {
            Kind::CasePattern => self.whole_pattern(node, subject, stretch),
            Kind::AsPattern => self.as_pattern(node, subject, stretch),
            Kind::DottedName => self.name_pattern(node, subject, stretch),
            Kind::ClassPattern => self.class_pattern(node, subject, stretch),
            Kind::UnionPattern => {
                let children = self.open_named(node);
                let mut of = Vec::new();
                for at in children {
                    let ty = self.pattern(self.child(at).node, subject, stretch);
                    of.push(ty);
                }
                self.close(children);
                if of.contains(&NONE) {
                    return NONE;
                }
                self.b.union(&of)
            }
            Kind::ListPattern | Kind::TuplePattern => {
                let children = self.open_named(node);
                for (index, at) in children.iter().enumerate() {
                    let index = index as u32;
                    let entry = self.b.expr(Expr::Entry { of: subject, index });
                    self.pattern(self.child(at).node, entry, stretch);
                }
                self.close(children);
                NONE
            }
            Kind::DictPattern => {
                let part = IterationPart::Element;
                let children = self.open_named(node);
                for at in children {
                    let child = self.child(at).node;
                    let value = if self.child(at).field == self.table.value {
                        let by = NONE;
                        self.b.expr(Expr::Index { of: subject, by })
                    } else if self.child(at).field == self.table.key {
                        self.b.expr(Expr::Iter { of: subject, part })
                    } else {
                        subject
                    };
                    self.pattern(child, value, stretch);
                }
                self.close(children);
                NONE
            }
            Kind::SplatPattern => {
                if let Some(name) = node.named_child(0) {
                    self.bind_name(name, NONE, NONE, stretch);
                }
                NONE
            }
            Kind::KeywordPattern => NONE,
            _ => {
                self.expr(node);
                NONE
            }
        }
    }

    fn whole_pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        let children = self.open_named(node);
        let mut ty = NONE;
        for at in children {
            ty = self.pattern(self.child(at).node, subject, stretch);
        }
        self.close(children);
        let narrows = matches!(
            self.b.facts.expr(subject),
            Expr::Name { .. } | Expr::Member { .. }
        );
        if ty != NONE && narrows {
            self.b.narrow(subject, stretch.clone(), ty, false);
        }
        ty
    }

    fn as_pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        let children = self.open_named(node);
        let mut ty = NONE;
        for at in children {
            let child = self.child(at).node;
            if self.kind(child) == Kind::Identifier {
                let value = match ty {
                    NONE => subject,
                    of => self.b.expr(Expr::Value { of }),
                };
                self.bind_name(child, value, NONE, stretch);
            } else {
                ty = self.pattern(child, subject, stretch);
            }
        }
        self.close(children);
        ty
    }

    /// `x` binds, `a.b` compares.
    fn name_pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        let children = self.open_named(node);
        if children.len() == 1 {
            let name = self.child(children.from).node;
            if self.text(name) != "_" {
                self.bind_name(name, subject, NONE, stretch);
            }
        } else {
            self.path(node, Role::Read);
        }
        self.close(children);
        NONE
    }

    /// A dotted name that is looked up.
    fn path(&mut self, node: Node<'t>, role: Role) -> ExprId {
        let children = self.open_named(node);
        let mut path = NONE;
        for at in children {
            let segment = self.child(at).node;
            let (text, at) = (self.text(segment), start(segment));
            path = match path {
                NONE => self
                    .b
                    .name_use(text, self.lang.scope, at, Role::Read, space::ANY),
                of => self.b.member_use(of, text, at, Role::Read, space::ANY),
            };
        }
        self.close(children);
        self.b.set_role(path, role);
        path
    }

    /// `Point(x, y=z)`.
    fn class_pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        let children = self.open_named(node);
        let mut class = NONE;
        let mut of = subject;
        let mut index = 0;
        for at in children {
            let child = self.child(at).node;
            if self.kind(child) == Kind::DottedName && class == NONE {
                class = self.path(child, Role::Type);
                of = self.b.expr(Expr::Value { of: class });
                continue;
            }
            let inner = child.named_child(0).unwrap_or(child);
            let keyword = [child, inner]
                .into_iter()
                .find(|node| self.kind(*node) == Kind::KeywordPattern);
            if let Some(keyword) = keyword {
                self.keyword_pattern(keyword, of, stretch);
                continue;
            }
            // One entry of a type such as `str` is the whole value; others say so by `__match_args__`.
            let entry = self.b.expr(Expr::Entry { of, index });
            index += 1;
            self.pattern(child, entry, stretch);
        }
        self.close(children);
        class
    }

    /// `y=z` in the pattern of a class.
    fn keyword_pattern(&mut self, node: Node<'t>, of: ExprId, stretch: &Range<usize>) {
        let children = self.open_named(node);
        let mut value = NONE;
        for at in children {
            let child = self.child(at).node;
            if value == NONE {
                let text = self.text(child);
                value = self
                    .b
                    .member_use(of, text, start(child), Role::Read, space::ANY);
            } else {
                self.pattern(child, value, stretch);
            }
        }
        self.close(children);
    }
}
