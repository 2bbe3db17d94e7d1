//! `match`.

use std::ops::Range;

use tree_sitter::Node;

use super::narrow::Facts;
use super::{Kind, Walk, start};
use crate::facts::{Expr, ExprId, NONE, Part, Role, space};

impl<'t> Walk<'t> {
    pub(super) fn match_statement(&mut self, node: Node<'t>) {
        let kids = self.kids.named(node);
        let mut subjects = Vec::new();
        for at in kids.all() {
            let (child, field) = (self.kids.at(at).1, self.kids.at(at).0);
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
        self.kids.close(kids);
    }

    fn cases(&mut self, block: Node<'t>, subject: ExprId) {
        let kids = self.kids.named(block);
        for at in kids.all() {
            let case = self.kids.at(at).1;
            if self.kind(case) == Kind::Case {
                self.case(case, subject);
            }
        }
        self.kids.close(kids);
    }

    fn case(&mut self, node: Node<'t>, subject: ExprId) {
        let kids = self.kids.named(node);
        let several = kids
            .all()
            .filter(|at| self.kind(self.kids.at(*at).1) == Kind::CasePattern)
            .count()
            > 1;
        let mut index = 0;
        for at in kids.all() {
            let child = self.kids.at(at).1;
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
                    let mut facts = Facts::default();
                    let inner = self.kids.named(child);
                    for at in inner.all() {
                        self.condition(self.kids.at(at).1, &mut facts);
                    }
                    self.kids.close(inner);
                    self.know(&facts.yes, child.end_byte()..node.end_byte());
                }
                Kind::Block => self.block(child),
                _ => {}
            }
        }
        self.kids.close(kids);
    }

    /// A pattern that `subject` is matched with; gives the type that it has if it matches, or [`NONE`].
    fn pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        let ty = if self.enter() {
            self.pattern_of(node, subject, stretch)
        } else {
            NONE
        };
        self.leave();
        ty
    }

    fn pattern_of(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        match self.kind(node) {
            Kind::CasePattern => self.whole_pattern(node, subject, stretch),
            Kind::AsPattern => self.as_pattern(node, subject, stretch),
            Kind::DottedName => self.name_pattern(node, subject, stretch),
            Kind::ClassPattern => self.class_pattern(node, subject, stretch),
            Kind::UnionPattern => {
                let kids = self.kids.named(node);
                let mut of = Vec::new();
                for at in kids.all() {
                    let ty = self.pattern(self.kids.at(at).1, subject, stretch);
                    of.push(ty);
                }
                self.kids.close(kids);
                if of.contains(&NONE) {
                    return NONE;
                }
                self.b.union(&of)
            }
            Kind::ListPattern | Kind::TuplePattern => {
                let kids = self.kids.named(node);
                for (index, at) in kids.all().enumerate() {
                    let index = index as u32;
                    let entry = self.b.expr(Expr::Entry { of: subject, index });
                    self.pattern(self.kids.at(at).1, entry, stretch);
                }
                self.kids.close(kids);
                NONE
            }
            Kind::DictPattern => {
                let part = Part::Element;
                let kids = self.kids.named(node);
                for at in kids.all() {
                    let child = self.kids.at(at).1;
                    let value = if self.kids.at(at).0 == self.table.value {
                        let by = NONE;
                        self.b.expr(Expr::Index { of: subject, by })
                    } else if self.kids.at(at).0 == self.table.key {
                        self.b.expr(Expr::Iter { of: subject, part })
                    } else {
                        subject
                    };
                    self.pattern(child, value, stretch);
                }
                self.kids.close(kids);
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
        let kids = self.kids.named(node);
        let mut ty = NONE;
        for at in kids.all() {
            ty = self.pattern(self.kids.at(at).1, subject, stretch);
        }
        self.kids.close(kids);
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
        let kids = self.kids.named(node);
        let mut ty = NONE;
        for at in kids.all() {
            let child = self.kids.at(at).1;
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
        self.kids.close(kids);
        ty
    }

    /// `x` binds, `a.b` compares.
    fn name_pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        let kids = self.kids.named(node);
        if kids.len() == 1 {
            let name = self.kids.at(kids.from).1;
            if self.text(name) != "_" {
                self.bind_name(name, subject, NONE, stretch);
            }
        } else {
            self.path(node, Role::Read);
        }
        self.kids.close(kids);
        NONE
    }

    /// A dotted name that is looked up.
    fn path(&mut self, node: Node<'t>, role: Role) -> ExprId {
        let kids = self.kids.named(node);
        let mut path = NONE;
        for at in kids.all() {
            let segment = self.kids.at(at).1;
            let (text, at) = (self.text(segment), start(segment));
            path = match path {
                NONE => self
                    .b
                    .name_use(text, self.scope, at, Role::Read, space::ANY),
                of => self.b.member_use(of, text, at, Role::Read, space::ANY),
            };
        }
        self.kids.close(kids);
        self.b.set_role(path, role);
        path
    }

    /// `Point(x, y=z)`.
    fn class_pattern(&mut self, node: Node<'t>, subject: ExprId, stretch: &Range<usize>) -> ExprId {
        let kids = self.kids.named(node);
        let mut class = NONE;
        let mut of = subject;
        let mut index = 0;
        for at in kids.all() {
            let child = self.kids.at(at).1;
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
        self.kids.close(kids);
        class
    }

    /// `y=z` in the pattern of a class.
    fn keyword_pattern(&mut self, node: Node<'t>, of: ExprId, stretch: &Range<usize>) {
        let kids = self.kids.named(node);
        let mut value = NONE;
        for at in kids.all() {
            let child = self.kids.at(at).1;
            if value == NONE {
                let text = self.text(child);
                value = self
                    .b
                    .member_use(of, text, start(child), Role::Read, space::ANY);
            } else {
                self.pattern(child, value, stretch);
            }
        }
        self.kids.close(kids);
    }
}
