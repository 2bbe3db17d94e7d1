//! Which values selected statements need, and which of theirs are used behind them.

use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, NONE, Role, ScopeKind, flag};
use codecortex_resolve::DefRef;
use rustc_hash::FxHashSet;
use tree_sitter::Node;

use crate::extract::forms::is_in_field;
use crate::extract::host::FunctionHost;
use crate::extract::place::innermost_function;
use crate::extract::selection::SelectedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{leaf_at, range_of};

/// A variable that selected statements share with the code around them.
#[derive(Clone, Debug)]
pub(super) struct SharedVariable {
    pub(super) name: String,
    /// Its first definition.
    pub(super) def: u32,
    /// Whether its value before is needed.
    pub(super) is_input: bool,
    /// Whether its value afterwards is used.
    pub(super) is_output: bool,
    /// Whether it is declared in the selection.
    pub(super) is_bound_inside: bool,
    /// Whether the selection gives it another value.
    pub(super) is_written: bool,
    /// Whether code behind the selection gives it another value.
    pub(super) is_written_behind: bool,
    /// Whether it is used behind the selection at all.
    pub(super) is_used_behind: bool,
    /// Whether something in it is written, a method is called on it, or its address is taken.
    pub(super) is_reached_into: bool,
    /// Whether it is the object that a method works on.
    pub(super) is_receiver: bool,
}

/// What happens to a variable at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VariableEvent {
    at: u32,
    reads: bool,
    writes: bool,
    /// Whether it is the declaration.
    binds: bool,
    is_type: bool,
}

/// A variable by the scope and the name of its definitions.
type VariableKey = (u32, u32);

/// The selected statements with the function around them.
pub(super) struct DataFlow<'f, 't, 'w> {
    of: &'f SelectedCode<'t, 'w>,
    host: FunctionHost<'t>,
    range: Range<u32>,
    statements: &'f [Node<'t>],
    /// Whether the new function is in the one around, and sees its variables.
    is_within: bool,
}

impl<'f, 't, 'w> DataFlow<'f, 't, 'w> {
    pub(super) fn new(
        of: &'f SelectedCode<'t, 'w>,
        host: FunctionHost<'t>,
        range: Range<u32>,
        statements: &'f [Node<'t>],
        is_within: bool,
    ) -> Self {
        Self {
            of,
            host,
            range,
            statements,
            is_within,
        }
    }

    /// The variables of the function that the selection uses, in the order of their declarations.
    pub(super) fn variables(&self) -> Result<Vec<SharedVariable>, Refusal> {
        let of = self.of;
        let Some(bound) = of.resolver.workspace().file(of.file) else {
            return Ok(Vec::new());
        };
        let outer = range_of(self.host.outermost);
        let mut keys: Vec<(u32, VariableKey)> = Vec::new();
        let mut known = FxHashSet::default();
        let mut note = |def: u32| {
            let found = bound.def(def);
            let is_value = !matches!(found.kind, DefKind::TypeParam | DefKind::Label);
            let scope = bound.scope(found.scope).kind;
            let is_local = !matches!(
                scope,
                ScopeKind::Class | ScopeKind::Object | ScopeKind::File
            );
            if found.at != NONE && outer.contains(&found.at) && is_value && is_local {
                let key = (found.scope, found.name);
                if known.insert(key) {
                    keys.push((def, key));
                }
            }
        };
        for (expr, ..) in of
            .resolver
            .uses_between(of.file, self.range.start, self.range.end)
        {
            of.local_targets(expr).into_iter().for_each(&mut note);
        }
        for (number, def) in bound.defs().iter().enumerate() {
            if self.range.contains(&def.at) && def.at != NONE {
                note(number as u32);
            }
        }
        keys.sort_by_key(|(def, _)| bound.def(*def).at);
        let mut variables = Vec::new();
        for (def, key) in keys {
            variables.extend(self.variable(def, key)?);
        }
        Ok(variables)
    }

    /// Everything that happens to a variable, in the order of the text.
    fn events(&self, (scope, name): VariableKey) -> Vec<VariableEvent> {
        let of = self.of;
        let Some(bound) = of.resolver.workspace().file(of.file) else {
            return Vec::new();
        };
        let outer = range_of(self.host.outermost);
        let mut events: Vec<VariableEvent> = Vec::new();
        for def in bound.defs() {
            if def.scope == scope && def.name == name && def.at != NONE {
                let has_value = def.value != NONE
                    || def.kind != DefKind::Variable
                    || matches!(of.dialect, Dialect::Python | Dialect::Cpp | Dialect::Go);
                events.push(VariableEvent {
                    at: def.at,
                    reads: false,
                    writes: has_value,
                    binds: true,
                    is_type: false,
                });
            }
        }
        for (expr, used, at, role) in bound.uses() {
            let is_name = matches!(bound.expr(expr), Expr::Name { .. });
            if used != name || !is_name || !outer.contains(&at) {
                continue;
            }
            let means = of.local_targets(expr).into_iter().any(|def| {
                let def = bound.def(def);
                def.scope == scope && def.name == name
            });
            if means && !events.iter().any(|event| event.at == at && event.binds) {
                events.push(VariableEvent {
                    at,
                    reads: !matches!(role, Role::Write),
                    writes: matches!(role, Role::Write | Role::ReadWrite),
                    binds: false,
                    is_type: role == Role::Type,
                });
            }
        }
        events.sort_by_key(|event| (event.at, !event.writes));
        events
    }

    fn variable(&self, def: u32, key: VariableKey) -> Result<Option<SharedVariable>, Refusal> {
        let of = self.of;
        let Some(bound) = of.resolver.workspace().file(of.file) else {
            return Ok(None);
        };
        let events = self.events(key);
        let inside = |event: &&VariableEvent| self.range.contains(&event.at);
        let behind = |event: &&VariableEvent| event.at >= self.range.end;
        let binds = |event: &&VariableEvent| event.binds;
        let is_bound_inside = events.iter().filter(binds).all(|event| inside(&event));
        let found = *bound.def(def);
        let scope = bound.scope(found.scope);
        let is_inner = self.range.start <= scope.start && scope.end <= self.range.end;
        if is_bound_inside && is_inner {
            return Ok(None); // of a block or function within
        }
        let first_inside = events.iter().find(inside);
        let is_defined_first = first_inside
            .is_some_and(|event| event.writes && self.is_whole_statement(event, &events));
        let reads_inside = events.iter().filter(inside).any(|event| event.reads);
        let writes_inside = events.iter().filter(inside).any(|event| event.writes);
        let has_before = events
            .iter()
            .any(|event| event.at < self.range.start && event.writes);
        let around = self.loop_around(&events, is_defined_first);
        let is_read_behind = events.iter().filter(behind).any(|event| event.reads);
        let is_used_behind = events.iter().any(|event| behind(&event));
        let is_output = match is_bound_inside {
            true => is_used_behind || around,
            false => writes_inside && (is_read_behind || around),
        };
        let name = of.resolver.name(DefRef { file: of.file, def }).to_owned();
        let refuse =
            |message: String, at: u32| of.refuse(RefusalKind::Unsupported, message, at as usize);
        let is_needed = (reads_inside || is_output) && !is_defined_first;
        let is_input = !self.is_within && !is_bound_inside && is_needed;
        if is_output && is_bound_inside && !is_defined_first {
            return refuse(
                format!("`{name}` may have no value behind the selection."),
                found.at,
            );
        }
        if is_input && !has_before && found.kind != DefKind::Function {
            if is_bound_inside {
                return Ok(None);
            }
            return refuse(
                format!("`{name}` may have no value before the selection."),
                found.at,
            );
        }
        // A function in the one around has the variables themselves, but of its own it gives copies.
        if !self.is_within || is_bound_inside {
            self.check_captured(&name, &events, is_bound_inside)?;
        }
        let is_local_function = found.kind.is_callable() || found.kind.is_type();
        let is_plain = of.dialect == Dialect::Python && found.kind == DefKind::Function;
        if is_local_function && (is_input || is_output && is_bound_inside) && !is_plain {
            return refuse(
                format!("`{name}` is declared in the function around."),
                found.at,
            );
        }
        if found.kind == DefKind::Alias && (is_input || is_output) && of.dialect != Dialect::Python
        {
            return refuse(
                format!("`{name}` is imported in the function around."),
                found.at,
            );
        }
        Ok(Some(SharedVariable {
            name,
            def,
            is_input,
            is_output,
            is_bound_inside,
            is_written: writes_inside,
            is_written_behind: events.iter().filter(behind).any(|event| event.writes),
            is_used_behind: events.iter().any(|event| behind(&event)) || self.in_loop(),
            is_reached_into: events
                .iter()
                .filter(inside)
                .any(|event| self.reaches_into(event.at)),
            is_receiver: found.flags & flag::RECEIVER != 0,
        }))
    }

    /// Whether a write is that of a whole statement of the selection, which does not read the variable.
    fn is_whole_statement(&self, event: &VariableEvent, events: &[VariableEvent]) -> bool {
        let mut statements = self.statements.iter();
        let Some(statement) = statements.find(|of| range_of(**of).contains(&event.at)) else {
            return false;
        };
        let range = range_of(*statement);
        let reads = events
            .iter()
            .any(|other| other.reads && range.contains(&other.at));
        let kind = statement.kind();
        let is_plain = kind == "expression_statement"
            || kind.contains("declaration")
            || kind.contains("assignment");
        let inner = self.function_at(event.at);
        !reads && is_plain && inner == Some(self.host.function.id())
    }

    /// The innermost function around a byte.
    fn function_at(&self, at: u32) -> Option<usize> {
        let leaf = leaf_at(self.of.tree, at)?;
        Some(innermost_function(self.of.forms, leaf)?.id())
    }

    /// Refuses a variable that functions share, of which one changes it: each would have a copy.
    fn check_captured(
        &self,
        name: &str,
        events: &[VariableEvent],
        is_bound_inside: bool,
    ) -> Result<(), Refusal> {
        let own = Some(self.host.function.id());
        let owner = events
            .iter()
            .find(|event| event.binds)
            .and_then(|event| self.function_at(event.at));
        let is_shared = events.iter().any(|event| self.function_at(event.at) != own);
        let changes: Vec<&VariableEvent> = events
            .iter()
            .filter(|event| event.writes && !event.binds)
            .collect();
        if !is_shared || changes.is_empty() {
            return Ok(());
        }
        let changed_by_others = changes
            .iter()
            .find(|event| self.function_at(event.at) != own);
        let changed_here = changes.iter().find(|event| self.range.contains(&event.at));
        let captured = events
            .iter()
            .find(|event| self.range.contains(&event.at) && self.function_at(event.at) != own);
        let changed_later = changes.iter().find(|event| event.at >= self.range.start);
        let is_only_inside =
            is_bound_inside && events.iter().all(|event| self.range.contains(&event.at));
        let place = match (changed_by_others, changed_here, captured) {
            _ if is_only_inside => None,
            (Some(event), ..) => Some(event.at),
            (_, Some(event), _) if owner != own || is_shared => Some(event.at),
            (_, _, Some(event)) if changed_later.is_some() => Some(event.at),
            _ => None,
        };
        match place {
            None => Ok(()),
            Some(at) => {
                let message = format!("`{name}` is changed, and used by another function as well.");
                self.of
                    .refuse(RefusalKind::Unsupported, message, at as usize)
            }
        }
    }

    /// The loops around the selection, within its function.
    fn loops(&self) -> Vec<Node<'t>> {
        let mut loops = Vec::new();
        let mut next = self.statements.first().and_then(|of| of.parent());
        while let Some(node) = next.filter(|of| of.id() != self.host.function.id()) {
            let kind = node.kind();
            let is_loop = kind.starts_with("for")
                || kind.starts_with("while")
                || kind.starts_with("do_")
                || matches!(
                    kind,
                    "loop_expression" | "enhanced_for_statement" | "range_for_statement"
                );
            if is_loop && node.is_named() {
                loops.push(node);
            }
            next = node.parent();
        }
        loops
    }

    fn in_loop(&self) -> bool {
        !self.loops().is_empty()
    }

    /// Whether a loop around the selection may read the variable again.
    fn loop_around(&self, events: &[VariableEvent], is_defined_first: bool) -> bool {
        let is_python = self.of.dialect == Dialect::Python;
        self.loops().into_iter().any(|around| {
            let body = around.child_by_field_name("body").unwrap_or(around);
            let declared_in = events
                .iter()
                .any(|event| event.binds && range_of(body).contains(&event.at));
            if declared_in && !is_python {
                return false;
            }
            events.iter().any(|event| {
                let is_own = self.range.contains(&event.at);
                event.reads && range_of(around).contains(&event.at) && !(is_own && is_defined_first)
            })
        })
    }

    /// Whether something in a variable is written at a use, a method is called on it, or its address is taken.
    fn reaches_into(&self, at: u32) -> bool {
        let Some(mut node) = leaf_at(self.of.tree, at) else {
            return false;
        };
        let mut is_base = false;
        while let Some(parent) = node.parent() {
            let kind = parent.kind();
            let is_member = kind.ends_with("member_expression")
                || matches!(
                    kind,
                    "field_expression"
                        | "selector_expression"
                        | "index_expression"
                        | "subscript_expression"
                        | "member_access_expression"
                        | "element_access_expression"
                        | "parenthesized_expression"
                        | "field_access"
                        | "array_access"
                );
            if is_member && parent.start_byte() == node.start_byte() {
                is_base = true;
                node = parent;
                continue;
            }
            let is_called = is_in_field(parent, node, "function") && is_base;
            let is_left = is_in_field(parent, node, "left") && kind.contains("assign");
            let is_listed = kind == "expression_list"
                && parent
                    .parent()
                    .is_some_and(|of| is_in_field(of, parent, "left"));
            let sign = parent.child(0).map(|of| of.kind());
            return is_called
                || is_left && is_base
                || is_listed && is_base
                || matches!(
                    kind,
                    "update_expression" | "inc_statement" | "dec_statement"
                ) && is_base
                || matches!(sign, Some("&" | "ref" | "out"));
        }
        false
    }
}
