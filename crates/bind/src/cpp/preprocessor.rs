//! Includes, macros and conditions. Both branches of a condition count.

use tree_sitter::Node;

use super::names::In;
use super::{At, Cpp, FILE, Kind};
use crate::facts::{DefKind, Expr, Role, flag, space};
use crate::nodes::child;

impl<'t> Cpp<'t> {
    /// `#include "a.h"`: everything in it is seen here, and where this file is included.
    pub(super) fn include(&mut self, node: Node<'t>) {
        let Some(path) = child(node, self.table.path) else {
            return;
        };
        if !matches!(self.kind(path), Kind::String | Kind::SystemString) {
            return self.macro_names(path);
        }
        let written = self.text(path).trim_matches(['"', '<', '>']);
        let name = self.b.name(written);
        let at = path.start_byte() as u32 + 1;
        let of = self.b.expr(Expr::Module { name, at, level: 0 });
        self.b.star(FILE, of, flag::EXPORTED);
    }

    /// `#define A …`, which counts from there on.
    pub(super) fn define_macro(&mut self, node: Node<'t>) {
        let Some(name) = child(node, self.table.name) else {
            return;
        };
        let text = self.text(name);
        let at = name.start_byte() as u32;
        let kind = DefKind::Macro;
        let def = self.b.define(text, kind, FILE, at, node.byte_range());
        let edited = self.b.edit(def);
        edited.spaces = space::MACRO;
        edited.from = at;
        self.macro_body(node);
    }

    /// `#undef A` and directives that the grammar does not know.
    pub(super) fn directive(&mut self, node: Node<'t>) {
        let (Some(directive), Some(argument)) = (
            child(node, self.table.directive),
            node.child_by_field_name("argument"),
        ) else {
            return;
        };
        if self.text(directive).trim_start_matches('#').trim() != "undef" {
            return;
        }
        let text = self.text(argument);
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        let name = text.get(..end.unwrap_or(text.len())).unwrap_or("");
        let at = argument.start_byte() as u32;
        self.use_text(In::Scope(FILE), name, at, Role::Read, space::MACRO);
    }

    /// `#if`, `#ifdef` and their branches.
    pub(super) fn condition(&mut self, node: Node<'t>, at: At) {
        let kids = self.kids.open(node);
        for index in kids.all() {
            let (field, part) = self.kids.at(index);
            if field == self.table.name || field == self.table.condition {
                self.macro_names(part);
            } else {
                self.item(part, at);
            }
        }
        self.kids.close(kids);
    }

    /// Names in a condition are names of macros.
    pub(super) fn macro_names(&mut self, node: Node<'t>) {
        if self.kind(node) == Kind::Identifier {
            self.use_of(In::Scope(FILE), node, Role::Read, space::MACRO);
            return;
        }
        if !self.enter() {
            return;
        }
        let kids = self.kids.open(node);
        for index in kids.all() {
            let (_, part) = self.kids.at(index);
            self.macro_names(part);
        }
        self.kids.close(kids);
        self.leave();
    }
}
