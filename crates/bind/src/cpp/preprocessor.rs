//! Includes, macros and conditions. All arms of a condition count; what stands in those that are left out unless
//! somebody says otherwise is marked.

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite};
use crate::children::Child;
use crate::facts::{DefId, DefKind, Expr, FILE_SCOPE, Role, flag, space};
use crate::nodes::child;

/// Conditions in conditions are followed this deep.
const DEEPEST: u32 = 16;

/// What compilers define for other systems, and other compilers than those that most code is written for.
const OF_OTHERS: [&str; 25] = [
    "_WIN32",
    "_WIN64",
    "_MSC_VER",
    "__MINGW32__",
    "__MINGW64__",
    "__CYGWIN__",
    "__APPLE__",
    "__MACH__",
    "__ANDROID__",
    "__FreeBSD__",
    "__NetBSD__",
    "__OpenBSD__",
    "__EMSCRIPTEN__",
    "__wasm__",
    "__sun",
    "_AIX",
    "__hpux",
    "__BORLANDC__",
    "__DMC__",
    "__IBMCPP__",
    "__INTEL_COMPILER",
    "__SUNPRO_C",
    "__SUNPRO_CC",
    "__WATCOMC__",
    "__xlC__",
];

impl<'t> CppWalk<'t> {
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
        self.b.glob_import(FILE_SCOPE, of, flag::EXPORTED);
    }

    /// `#define A …`, which counts from there on.
    pub(super) fn define_macro(&mut self, node: Node<'t>) {
        let Some(name) = child(node, self.table.name) else {
            return;
        };
        let text = self.text(name);
        let at = name.start_byte() as u32;
        let kind = DefKind::Macro;
        let def = self.b.define(text, kind, FILE_SCOPE, at, node.byte_range());
        let edited = self.b.edit(def);
        edited.spaces = space::MACRO;
        edited.from = at;
        self.macro_body(node, def);
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
        self.use_text(In::Scope(FILE_SCOPE), name, at, Role::Read, space::MACRO);
    }

    /// `#if`, `#ifdef` and their branches.
    pub(super) fn condition(&mut self, node: Node<'t>, at: DeclarationSite) {
        let is_taken = std::mem::take(&mut self.lang.arms.is_taken);
        let is_inactive = is_taken || self.is_inactive(node);
        let children = self.open(node);
        let next = self.node_in(children, self.table.alternative);
        if is_inactive {
            let end = next.map_or(node.end_byte(), |next| next.start_byte());
            self.lang
                .arms
                .inactive
                .push((node.start_byte() as u32, end as u32));
        }
        for index in children {
            let Child {
                field, node: part, ..
            } = self.child(index);
            if field == self.table.name || field == self.table.condition {
                self.macro_names(part);
            } else {
                self.lang.arms.is_taken = next == Some(part) && (is_taken || !is_inactive);
                self.item(part, at);
            }
        }
        self.lang.arms.is_taken = false;
        self.close(children);
    }

    /// Whether an arm is left out unless somebody defines something outside of the file, or compiles for another system.
    fn is_inactive(&mut self, arm: Node<'t>) -> bool {
        let word = self.text(arm).trim_start_matches(['#', ' ', '\t']);
        let asked = match self.kind(arm) {
            Kind::PreprocIfdef | Kind::PreprocElifdef
                if word.starts_with("ifdef") || word.starts_with("elifdef") =>
            {
                child(arm, self.table.name)
            }
            Kind::PreprocIf | Kind::PreprocElif => {
                let condition = child(arm, self.table.condition);
                return condition.is_some_and(|condition| self.is_unmet(condition, DEEPEST));
            }
            _ => None,
        };
        asked.is_some_and(|name| self.is_undefined(name))
    }

    /// Whether a condition does not hold: `0`, `defined(OTHER)`, one of several that all have to hold.
    fn is_unmet(&mut self, condition: Node<'t>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let part = |at| condition.named_child(at);
        match self.kind(condition) {
            Kind::PreprocDefined => part(0).is_some_and(|name| self.is_undefined(name)),
            Kind::ParenthesizedExpression => {
                part(0).is_some_and(|inner| self.is_unmet(inner, depth))
            }
            Kind::BinaryExpression => {
                let (Some(left), Some(right)) = (part(0), part(1)) else {
                    return false;
                };
                let operator = condition.child(1).map_or("", |operator| operator.kind());
                match operator {
                    "&&" => self.is_unmet(left, depth) || self.is_unmet(right, depth),
                    "||" => self.is_unmet(left, depth) && self.is_unmet(right, depth),
                    _ => false,
                }
            }
            _ => self.text(condition) == "0",
        }
    }

    /// Whether nobody defines a macro. Compilers define those with a line in front, as far as they are not those of other
    /// systems than most services and most tools run on.
    fn is_undefined(&mut self, name: Node<'t>) -> bool {
        let name = self.text(name);
        let is_elsewhere = OF_OTHERS.contains(&name);
        let is_given = !is_elsewhere && name.starts_with('_');
        let declared = self.b.declared(FILE_SCOPE, name);
        !is_given && declared.is_none_or(|def| self.is_left_out(def))
    }

    /// Whether a definition further up stands in an arm that is left out.
    fn is_left_out(&self, def: DefId) -> bool {
        /// Deeper than this no arms are looked for around one.
        const MAX: usize = 64;
        let start = self.b.facts.defs[def as usize].start;
        let arms = &self.lang.arms.inactive;
        let before = arms.partition_point(|(begin, _)| *begin <= start);
        let nearest = arms[..before].iter().rev().take(MAX);
        nearest.into_iter().any(|(_, end)| start < *end)
    }

    /// Names in a condition are names of macros.
    pub(super) fn macro_names(&mut self, node: Node<'t>) {
        if self.kind(node) == Kind::Identifier {
            self.use_of(In::Scope(FILE_SCOPE), node, Role::Read, space::MACRO);
            return;
        }
        if !self.enter() {
            return;
        }
        let children = self.open(node);
        for index in children {
            let part = self.child(index).node;
            self.macro_names(part);
        }
        self.close(children);
        self.leave();
    }
}
