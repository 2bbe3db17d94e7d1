//! The object that an extracted function works on: `this`, `self`, or a receiver.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Expr, Role, ScopeKind, flag};
use codecortex_resolve::ExprRef;

use crate::extract::flow::SharedVariable;
use crate::extract::host::FunctionHost;
use crate::extract::jumps::Jumps;
use crate::extract::selection::SelectedCode;
use crate::extract::statements::SelectedPart;
use crate::refusal::{Refusal, RefusalKind};

/// Whether the new function works on the object, and by which name.
pub(super) fn object_of(
    of: &SelectedCode<'_, '_>,
    host: &FunctionHost<'_>,
    part: &SelectedPart<'_>,
    jumps: &Jumps<'_>,
    variables: &[SharedVariable],
) -> Result<(bool, Option<String>), Refusal> {
    let at = part.range.start as usize;
    let by_parameter = matches!(of.dialect, Dialect::Python | Dialect::Go | Dialect::Rust);
    let receiver = variables
        .iter()
        .find(|of| of.is_receiver && by_parameter && of.is_input);
    if let Some(receiver) = receiver.filter(|of| of.is_written) {
        let message = format!("`{}` gets another value.", receiver.name);
        return of.refuse(RefusalKind::Unsupported, message, at);
    }
    let receiver = receiver.map(|of| of.name.clone());
    match of.dialect {
        Dialect::Python | Dialect::Go => return Ok((receiver.is_some(), receiver)),
        Dialect::Rust => {
            let uses = receiver.is_some() || jumps.uses_this;
            return Ok((uses, uses.then(|| "self".to_owned())));
        }
        _ => {}
    }
    if matches!(of.dialect, Dialect::TypeScript | Dialect::JavaScript) {
        let mut function = Some(host.function);
        while let Some(around) = function.filter(|of| of.kind() == "arrow_function") {
            function = crate::extract::place::innermost_function(of.forms, around);
        }
        let own = function.is_none_or(|own| own.id() == host.outermost.id());
        let is_method = host.outermost.kind() == "method_definition" || function.is_none();
        if jumps.uses_this && !(own && is_method && host.owner.is_some()) {
            let message = "`this` is not that of a method of a class.";
            return of.refuse(RefusalKind::Unsupported, message, at);
        }
        return Ok((jumps.uses_this, None));
    }
    let uses_members = jumps.uses_this || uses_instance_members(of, part);
    let is_outside =
        matches!(of.dialect, Dialect::Cpp | Dialect::AngelScript) && host.owner.is_none();
    if uses_members && is_outside {
        let message = "It uses members of an object whose type is declared elsewhere.";
        return of.refuse(RefusalKind::Unsupported, message, at);
    }
    Ok((uses_members && !host.is_static, None))
}

/// Whether names are members of the object, or may be.
fn uses_instance_members(of: &SelectedCode<'_, '_>, part: &SelectedPart<'_>) -> bool {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return true;
    };
    let range = &part.range;
    let uses = of.resolver.uses_between(of.file, range.start, range.end);
    uses.into_iter().any(|(expr, ..)| {
        let Expr::Name { role, .. } = bound.expr(expr) else {
            return false;
        };
        let target = of.resolver.target(ExprRef {
            file: of.file,
            expr,
        });
        let is_member = target.defs.iter().any(|def| {
            let found = of.resolver.definition(*def);
            of.resolver.scope_kind(*def) == Some(ScopeKind::Class)
                && found.is_some_and(|def| !def.kind.is_type() && def.flags & flag::STATIC == 0)
        });
        let may_be = target.defs.is_empty()
            && matches!(
                role,
                Role::Call | Role::Read | Role::Write | Role::ReadWrite
            );
        is_member || may_be && matches!(of.dialect, Dialect::Java | Dialect::CSharp)
    })
}
