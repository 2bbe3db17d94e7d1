//! Uses of a declaration that moves, in its old file and in others.

use codecortex_bind::facts::{Expr, Role};
use codecortex_resolve::{ExprRef, FileNo};
use tree_sitter::Node;

use crate::moving::paths::{file_name, folder, without_ending};
use crate::moving::plan::MovePlan;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::leaf_at;

/// What uses the declaration.
#[derive(Default)]
pub(crate) struct IncomingUses<'t> {
    /// Uses in the old file that stay there: the byte, and whether it is a value.
    pub(crate) own: Vec<(u32, bool)>,
    /// Names in imports and exports of other files.
    pub(crate) imports: Vec<(FileNo, Node<'t>)>,
    /// Files that use it as a value by an import.
    pub(crate) value_users: Vec<FileNo>,
    /// Uses through the module: `module.name`.
    pub(crate) qualified: Vec<(FileNo, u32)>,
    /// Uses of the name in other files without an import.
    pub(crate) unimported: Vec<(FileNo, u32)>,
}

/// Sorts the uses of the declaration.
pub(crate) fn incoming<'p>(plan: &MovePlan<'p, '_>) -> Result<IncomingUses<'p>, Refusal> {
    let mut found = IncomingUses::default();
    let resolver = plan.resolver;
    for reference in &plan.of.references {
        let (file, at) = (reference.file, reference.at);
        let is_doc = reference.role.0 == Role::Doc as u8;
        let is_site = plan
            .of
            .symbol
            .iter()
            .any(|def| def.file == file && resolver.place(*def) == Some(at));
        if is_doc || is_site || file == plan.of.old && plan.is_moved(at) {
            continue;
        }
        let is_value = reference.role.0 != Role::Type as u8;
        if file == plan.of.old {
            found.own.push((at, is_value));
            continue;
        }
        let bound = resolver.workspace().file(file);
        let (used, _) = resolver.at(file, at);
        let expr = bound.zip(used).map(|(bound, expr)| bound.expr(expr));
        let role = expr.and_then(|expr| expr.written()).map(|(.., role)| role);
        let is_import = reference.role.0 == Role::Import as u8 || role == Some(Role::Import);
        if is_import {
            if let Some(node) = leaf_at(plan.tree(file)?, at) {
                found.imports.push((file, node));
            }
            continue;
        }
        if is_value {
            found.value_users.push(file);
        }
        match expr {
            Some(Expr::Member { .. }) => found.qualified.push((file, at)),
            _ => {
                let aliases = used.map(|expr| resolver.target(ExprRef { file, expr }).via_aliases);
                if aliases.is_none_or(|aliases| aliases.is_empty()) {
                    found.unimported.push((file, at));
                }
            }
        }
    }
    check_unresolved_imports(plan)?;
    found
        .imports
        .sort_by_key(|(file, node)| (*file, node.start_byte()));
    found
        .imports
        .dedup_by_key(|(file, node)| (*file, node.start_byte()));
    Ok(found)
}

/// Refuses imports of the name from a module that nobody knows and that may be the old file.
fn check_unresolved_imports(plan: &MovePlan<'_, '_>) -> Result<(), Refusal> {
    let resolver = plan.resolver;
    let workspace = resolver.workspace();
    let Some(name) = workspace.name(&plan.of.name) else {
        return Ok(());
    };
    let old = plan.path(plan.of.old);
    let stem = without_ending(file_name(old));
    let stem = match stem {
        "index" | "__init__" => file_name(folder(old)),
        stem => stem,
    };
    let mut places = Vec::new();
    for file in workspace.files_with(name).iter().copied() {
        let Some(bound) = workspace.file(file).filter(|_| file != plan.of.old) else {
            continue;
        };
        for (expr, used, at, role) in bound.uses() {
            let is_import = role == Role::Import && bound.name(used) == name;
            let Expr::Member { of, .. } = bound.expr(expr) else {
                continue;
            };
            let Expr::Module { name: module, .. } = bound.expr(of) else {
                continue;
            };
            let module = resolver.text(bound.name(module));
            let last = module
                .rsplit(['/', '.'])
                .find(|part| !matches!(*part, "js" | "ts"));
            if !is_import || last != Some(stem) {
                continue;
            }
            let target = resolver.target(ExprRef { file, expr: of });
            if target.module.is_none() {
                places.push((file, at));
            }
        }
    }
    match places.is_empty() {
        true => Ok(()),
        false => {
            let message = format!(
                "`{}` is imported from a module that is not known.",
                plan.of.name
            );
            plan.refuse(RefusalKind::Unsure, message, places)
        }
    }
}

/// Takes the module away in front of the name: `old.name` becomes `name`. The files where it does, which must import the
/// name then.
pub(crate) fn unqualify(
    plan: &mut MovePlan<'_, '_>,
    used: &IncomingUses<'_>,
) -> Result<Vec<FileNo>, Refusal> {
    let mut files: Vec<FileNo> = Vec::new();
    for (file, at) in &used.qualified {
        let text = plan.text(*file)?;
        let refuse = |message: String| {
            let refusal = Refusal::new(RefusalKind::Unsupported, message);
            Err(refusal.at([(*file, *at)]))
        };
        let leaf = leaf_at(plan.tree(*file)?, *at);
        let around = leaf.and_then(|leaf| leaf.parent()).filter(|around| {
            let is_last = leaf.is_some_and(|leaf| leaf.end_byte() == around.end_byte());
            let is_path = matches!(
                around.kind(),
                "attribute" | "member_expression" | "nested_type_identifier" | "nested_identifier"
            );
            is_last && is_path
        });
        let name = &plan.of.name;
        let (Some(leaf), Some(around)) = (leaf, around) else {
            return refuse(format!(
                "`{name}` is used through its module in a form that is not changed."
            ));
        };
        if crate::tree::text_of(leaf, text) != name {
            return refuse(format!("`{name}` has another name there."));
        }
        let workspace = plan.resolver.workspace();
        let is_taken = *file != plan.of.target.file
            && workspace.file(*file).is_some_and(|bound| {
                let local = workspace.name(name).and_then(|name| bound.local(name));
                local.is_some_and(|local| bound.defs_of(local).next().is_some())
            });
        if is_taken {
            return refuse(format!(
                "`{name}` is used through its module, and the file has another `{name}`."
            ));
        }
        let range = around.start_byte() as u32..leaf.start_byte() as u32;
        plan.rewrite(*file).remove(range);
        files.push(*file);
    }
    files.sort_unstable();
    files.dedup();
    Ok(files)
}
