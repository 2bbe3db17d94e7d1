//! Code that means something else in a function of its own, and is not extracted.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Expr, Role, ScopeKind};

use crate::extract::flow::SharedVariable;
use crate::extract::host::FunctionHost;
use crate::extract::script_context;
use crate::extract::selection::SelectedCode;
use crate::extract::statements::SelectedPart;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::text_of;

/// Refuses code of Java whose exceptions are caught around it: nobody knows which ones a method of its own must declare.
pub(super) fn check_caught(
    of: &SelectedCode<'_, '_>,
    host: &FunctionHost<'_>,
    part: &SelectedPart<'_>,
) -> Result<(), Refusal> {
    let mut next = part.nodes.first().and_then(|of| of.parent());
    while let Some(node) = next.filter(|node| node.id() != host.function.id()) {
        if of.dialect == Dialect::Java && node.kind().starts_with("try_") {
            let message = "Exceptions of the selection are caught around it.";
            return of.refuse(RefusalKind::Unsure, message, node.start_byte());
        }
        next = node.parent();
    }
    Ok(())
}

/// Refuses variables that stand for nothing but what happens at their end: it would happen earlier.
pub(super) fn check_dropped(
    of: &SelectedCode<'_, '_>,
    part: &SelectedPart<'_>,
    variables: &[SharedVariable],
) -> Result<(), Refusal> {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return Ok(());
    };
    if !matches!(of.dialect, Dialect::Rust | Dialect::Cpp) {
        return Ok(());
    }
    let body_goes_on = part
        .nodes
        .last()
        .is_some_and(|last| last.next_named_sibling().is_some());
    for variable in variables
        .iter()
        .filter(|of| of.is_bound_inside && body_goes_on)
    {
        let def = codecortex_resolve::DefRef {
            file: of.file,
            def: variable.def,
        };
        let is_guard = match of.dialect {
            Dialect::Rust => variable.name.starts_with('_'),
            _ => of
                .resolver
                .references(def)
                .iter()
                .all(|of| of.at == bound.def(variable.def).at),
        };
        if is_guard {
            let message = format!(
                "`{}` would end before the code behind the selection.",
                variable.name
            );
            return of.refuse(
                RefusalKind::Unsupported,
                message,
                bound.def(variable.def).at as usize,
            );
        }
    }
    Ok(())
}

/// Refuses names whose types a test before the selection tells, which the new function does not know. A function in the
/// one around knows them of variables that get no other value.
pub(super) fn check_narrowed(
    of: &SelectedCode<'_, '_>,
    part: &SelectedPart<'_>,
    is_within: bool,
) -> Result<(), Refusal> {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return Ok(());
    };
    if of.dialect != Dialect::TypeScript {
        return Ok(());
    }
    let range = &part.range;
    for (expr, at, ..) in of.resolver.uses_between(of.file, range.start, range.end) {
        let Some((name, ..)) = bound.expr(expr).written() else {
            continue;
        };
        let targets = of.local_targets(expr);
        let is_inside = targets
            .iter()
            .any(|def| range.contains(&bound.def(*def).at));
        let mut narrowed = bound.narrowings_of(name);
        let is_told = narrowed.any(|told| {
            // What a call says is known of few functions, whose results are written as `asserts`.
            let is_call = matches!(bound.expr(told.ty), Expr::Deref { .. });
            let is_kept = is_within
                && matches!(bound.expr(told.of), Expr::Name { .. })
                && targets
                    .iter()
                    .all(|def| script_context::is_constant(of, *def));
            !is_call && !is_kept && told.start < range.start && (told.start..told.end).contains(&at)
        });
        if is_told && !is_inside {
            let message = "The type of a name is told by a test before the selection.";
            return of.refuse(RefusalKind::Unsure, message, at as usize);
        }
    }
    Ok(())
}

/// Refuses code of a constructor that gives members their first values.
pub(super) fn check_constructor(
    of: &SelectedCode<'_, '_>,
    host: &FunctionHost<'_>,
    part: &SelectedPart<'_>,
) -> Result<(), Refusal> {
    let name = host.outermost.child_by_field_name("name");
    let is_constructor = host.outermost.kind().contains("constructor")
        || name.is_some_and(|name| text_of(name, of.text) == "constructor");
    let Some(bound) = of
        .resolver
        .workspace()
        .file(of.file)
        .filter(|_| is_constructor)
    else {
        return Ok(());
    };
    let range = &part.range;
    for node in &part.nodes {
        let all = crate::tree::descendants(*node, |_| true);
        let calls = all.into_iter().find(|of| {
            of.kind() == "explicit_constructor_invocation"
                || of.kind() == "super"
                    && of.parent().is_some_and(|of| of.kind() == "call_expression")
        });
        if let Some(call) = calls {
            let message = "Another constructor is called there.";
            return of.refuse(RefusalKind::Unsupported, message, call.start_byte());
        }
    }
    for (expr, at, ..) in of.resolver.uses_between(of.file, range.start, range.end) {
        let writes = bound
            .expr(expr)
            .written()
            .is_some_and(|(_, _, role)| matches!(role, Role::Write | Role::ReadWrite));
        let is_member = matches!(bound.expr(expr), Expr::Member { .. }) || {
            let mut targets = of.local_targets(expr).into_iter();
            targets.any(|def| bound.scope(bound.def(def).scope).kind == ScopeKind::Class)
        };
        if writes && is_member {
            let message = "A member gets its first value in a constructor.";
            return of.refuse(RefusalKind::Unsupported, message, at as usize);
        }
    }
    Ok(())
}
