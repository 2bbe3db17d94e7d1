//! Includes, macros and conditions. All arms of a condition count; what stands in those that are left out unless
//! somebody says otherwise is marked.

use tree_sitter::Node;

use super::names::In;
use super::{At, Cpp, FILE, Kind};
use crate::dormant;
use crate::facts::{Def, DefKind, Expr, Role, flag, space};
use crate::nodes::child;

/// Arms of conditions, while a file is read.
#[derive(Debug, Default)]
pub(super) struct Arms {
    /// Whether one before the arm that comes next is not left out.
    is_taken: bool,
    /// Where those stand that are left out: first byte and end, each behind or around those before it.
    dormant: Vec<(u32, u32)>,
}

impl Arms {
    /// Marks what is defined in arms that are left out.
    pub(super) fn mark(&mut self, defs: &mut [Def]) {
        dormant::mark(&mut self.dormant, defs);
    }
}

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
        let is_taken = std::mem::take(&mut self.arms.is_taken);
        let is_dormant = is_taken || self.is_dormant(node);
        let kids = self.kids.open(node);
        let next = self.kids.get(kids, self.table.alternative);
        if is_dormant {
            let end = next.map_or(node.end_byte(), |next| next.start_byte());
            self.arms
                .dormant
                .push((node.start_byte() as u32, end as u32));
        }
        for index in kids.all() {
            let (field, part) = self.kids.at(index);
            if field == self.table.name || field == self.table.condition {
                self.macro_names(part);
            } else {
                self.arms.is_taken = next == Some(part) && (is_taken || !is_dormant);
                self.item(part, at);
            }
        }
        self.arms.is_taken = false;
        self.kids.close(kids);
    }

    /// Whether an arm is left out unless somebody defines something outside of the file. What compilers define
    /// themselves is named with a line in front; who knows.
    fn is_dormant(&mut self, arm: Node<'t>) -> bool {
        let word = self.text(arm).trim_start_matches(['#', ' ', '\t']);
        let asked = match self.kind(arm) {
            Kind::PreprocIfdef | Kind::PreprocElifdef
                if word.starts_with("ifdef") || word.starts_with("elifdef") =>
            {
                child(arm, self.table.name)
            }
            Kind::PreprocIf | Kind::PreprocElif => {
                let condition = child(arm, self.table.condition);
                if condition.is_some_and(|condition| self.text(condition) == "0") {
                    return true;
                }
                let defined = condition.filter(|of| self.kind(*of) == Kind::PreprocDefined);
                defined.and_then(|defined| defined.named_child(0))
            }
            _ => None,
        };
        let Some(name) = asked.map(|name| self.text(name)) else {
            return false;
        };
        !name.starts_with('_') && self.b.declared(FILE, name).is_none()
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
