//! Moves in Python: `import`, `from … import`, and modules by their paths.

use std::collections::{BTreeMap, BTreeSet};

use codecortex_bind::facts::Expr;
use codecortex_resolve::{DefRef, ExprRef, FileNo};
use tree_sitter::Node;

use crate::bracket_list::BracketList;
use crate::moving::cut::whole_lines;
use crate::moving::incoming::{IncomingUses, incoming, unqualify};
use crate::moving::late_imports::{UseTime, block_start, use_time};
use crate::moving::outgoing::{OutgoingUse, is_at_top, is_used_outside};
use crate::moving::paths::{file_name, folder, joined, module_parts};
use crate::moving::plan::MovePlan;
use crate::moving::statements::{around, line_end, top_level};
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::TextPart;
use crate::tree::{children, leaf_at, range_of, text_of};

const IMPORTS: &[&str] = &[
    "import_statement",
    "import_from_statement",
    "future_import_statement",
];

/// Plans the imports of a move.
pub(super) fn plan(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let used = incoming(plan)?;
    check(plan)?;
    write_needs(plan, !used.own.is_empty() && !plan.of.target.exists)?;
    remove_imports(plan)?;
    give_back(plan, &used)?;
    if plan.of.options.re_exports {
        return Ok(());
    }
    for (file, node) in &used.imports {
        change_import(plan, *file, *node)?;
    }
    for file in unqualify(plan, &used)? {
        let target = plan.of.target.file;
        if file == target {
            continue;
        }
        let module = module_for(plan, file)?;
        plan.edges.insert((file, target));
        let line = format!("from {module} import {}", plan.of.name);
        plan.insert_import(file, IMPORTS, &line);
    }
    change_globs(plan, &used)
}

/// The new module for a file that used the old one by its name.
fn module_for(plan: &MovePlan<'_, '_>, file: FileNo) -> Result<String, Refusal> {
    let new = plan.path(plan.of.target.file);
    let (tree, text) = (plan.tree(file)?, plan.text(file)?);
    let places = plan.of.module_imports.iter().filter(|(of, _)| *of == file);
    for (_, at) in places {
        let Some(leaf) = leaf_at(tree, *at) else {
            continue;
        };
        // `import a.old`: what it is called there.
        let plain = around(leaf, &["import_statement"], 4);
        if plain.is_some()
            && let Some(name) = around(leaf, &["dotted_name"], 1)
        {
            return new_module(plan, file, text_of(name, text));
        }
        // `from . import old`
        let from = around(leaf, &["import_from_statement"], 4);
        let module = from.and_then(|node| node.child_by_field_name("module_name"));
        let Some(module) = module else {
            continue;
        };
        let written = text_of(module, text);
        if written.starts_with('.')
            && let Some(module) = relative_module(plan, plan.path(file), new)
        {
            return Ok(module);
        }
        let stem = module_parts(plan.path(plan.of.old))
            .last()
            .copied()
            .unwrap_or_default();
        return new_module(plan, file, &format!("{written}.{stem}"));
    }
    let message = format!("It is not known how {} imports {new}.", plan.path(file));
    plan.refuse(RefusalKind::Unsupported, message, [(file, 0)])
}

fn check(plan: &MovePlan<'_, '_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    if let Some(need) = plan.needs.iter().find(|need| need.is_written) {
        let message = format!("It assigns `{}` of its module.", need.name);
        return plan.refuse(RefusalKind::Unsupported, message, [(old, need.at)]);
    }
    let text = plan.text(old)?;
    for range in &plan.stretches {
        let stretch = text.get(range.start as usize..range.end as usize);
        if let Some(at) = stretch.and_then(|stretch| stretch.find("__file__")) {
            let message = "It uses the path of its file.";
            return plan.refuse(
                RefusalKind::Unsure,
                message,
                [(old, range.start + at as u32)],
            );
        }
    }
    if plan.of.options.re_exports {
        return Ok(());
    }
    let place = plan
        .of
        .symbol
        .first()
        .and_then(|def| plan.resolver.place(*def));
    let is_listed = plan.resolver.workspace().file(old).is_some_and(|bound| {
        let mut listed = bound.exported().iter();
        listed.any(|name| plan.resolver.text(bound.name(*name)) == plan.of.name)
    });
    if is_listed {
        let message = format!(
            "`__all__` lists `{}`; it can be given out from the old file (reExport).",
            plan.of.name
        );
        return plan.refuse(
            RefusalKind::Unsupported,
            message,
            [(old, place.unwrap_or_default())],
        );
    }
    Ok(())
}

/// Statements of imports: by their place in the old file and what they begin with, what they bring.
type ImportStatements = BTreeMap<(u32, String), Vec<String>>;

/// Imports of the target.
#[derive(Default)]
struct NeededImports {
    future: Vec<String>,
    loaded: ImportStatements,
    /// Those that only a type checker reads.
    checked: ImportStatements,
}

/// The lines of imports; a statement of `import` alone has one element.
fn lines_of(statements: &ImportStatements) -> Vec<String> {
    let mut lines = Vec::new();
    for ((_, head), items) in statements {
        match head.starts_with("from") {
            true => lines.push(format!("{head}{}", items.join(", "))),
            false => lines.extend(items.iter().map(|item| format!("{head}{item}"))),
        }
    }
    lines
}

/// Writes the imports of the target. Where the old file imports the new one, what is never looked up is imported for type
/// checkers alone.
fn write_needs(plan: &mut MovePlan<'_, '_>, is_imported_back: bool) -> Result<(), Refusal> {
    let old = plan.of.old;
    let (tree, text) = (plan.tree(old)?, plan.text(old)?);
    let mut needed = NeededImports::default();
    for future in top_level(tree, &["future_import_statement"]) {
        needed.future.push(text_of(future, text).to_owned());
    }
    let mut own: Vec<String> = Vec::new();
    let mut own_checked: Vec<String> = Vec::new();
    for need in plan.needs.clone() {
        if is_in_target(plan, &need)? {
            continue;
        }
        match need.is_import {
            true => need_import(plan, &need, &mut needed)?,
            false if is_imported_back && is_never_looked_up(plan, &need)? => {
                own_checked.push(need.name.clone());
            }
            false => {
                plan.edges.insert((plan.of.target.file, old));
                own.push(need.name.clone());
            }
        }
    }
    if !own_checked.is_empty() {
        let module = own_module(plan, plan.of.target.file, old)?;
        own_checked.sort_unstable();
        let head = format!("from {module} import ");
        needed.checked.insert((u32::MAX, head), own_checked);
    }
    if !own.is_empty() {
        let module = own_module(plan, plan.of.target.file, old)?;
        own.sort_unstable();
        let head = format!("from {module} import ");
        needed.loaded.insert((u32::MAX, head), own);
    }
    let end = plan.line_end();
    let mut lines = lines_of(&needed.loaded);
    if !needed.checked.is_empty() {
        let has = |line: &String| line.contains("TYPE_CHECKING");
        if !lines.iter().any(has) && plan.named_in_target("TYPE_CHECKING").is_empty() {
            lines.push("from typing import TYPE_CHECKING".to_owned());
        }
        lines.push(String::new());
        lines.push("if TYPE_CHECKING:".to_owned());
        let checked = lines_of(&needed.checked).into_iter();
        lines.extend(checked.map(|line| format!("    {line}")));
    }
    if plan.of.target.exists {
        let target = plan.of.target.file;
        let there = plan.text(target)?;
        if let Some(future) = needed
            .future
            .iter()
            .find(|line| !there.contains(line.as_str()))
        {
            let message = format!("{} has no `{future}`.", plan.of.target.path);
            return plan.refuse(RefusalKind::Unsupported, message, [(target, 0)]);
        }
        if lines.is_empty() {
            return Ok(());
        }
        let end = line_end(there);
        plan.insert_import(target, IMPORTS, &lines.join(end));
        return Ok(());
    }
    let mut head = String::new();
    for (index, line) in needed.future.iter().chain(&lines).enumerate() {
        if index > 0 && index == needed.future.len() {
            head += end;
        }
        head += line;
        head += end;
    }
    if !head.is_empty() {
        head += &end.repeat(2);
    }
    plan.head = head;
    Ok(())
}

/// Whether all uses of a name stand in annotations that nobody evaluates.
fn is_never_looked_up(plan: &MovePlan<'_, '_>, need: &OutgoingUse) -> Result<bool, Refusal> {
    for at in &need.uses {
        if !matches!(use_time(plan, plan.of.old, *at)?, UseTime::Never) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the target has a name for the same thing; a name for another one is refused.
fn is_in_target(plan: &MovePlan<'_, '_>, need: &OutgoingUse) -> Result<bool, Refusal> {
    let there = plan.named_in_target(&need.name);
    let Some(first) = there.first().copied() else {
        return Ok(false);
    };
    let ends = |def: DefRef| {
        let mut ends = plan.resolver.without_aliases(vec![def]);
        ends.sort_unstable();
        ends
    };
    let wanted = ends(need.def);
    if !wanted.is_empty() && there.iter().any(|def| ends(*def) == wanted) {
        return Ok(true);
    }
    if import_line(plan, need.def)? == import_line(plan, first)? {
        return Ok(true);
    }
    let at = plan.resolver.place(first).unwrap_or_default();
    let (path, name) = (&plan.of.target.path, &need.name);
    let message = format!("It uses `{name}`, and {path} has another `{name}`.");
    plan.refuse(RefusalKind::Taken, message, [(plan.of.target.file, at)])
}

/// An import by itself, as it is written.
fn import_line(plan: &MovePlan<'_, '_>, def: DefRef) -> Result<Option<String>, Refusal> {
    let text = plan.text(def.file)?;
    let parts = plan
        .node_of(def)?
        .and_then(|node| Some((node, around(node, IMPORTS, 5)?)));
    let Some((node, statement)) = parts else {
        return Ok(None);
    };
    let Some(item) = item_of(statement, node) else {
        return Ok(None);
    };
    let item = text_of(item, text);
    Ok(Some(match statement.child_by_field_name("module_name") {
        Some(module) => format!("from {} import {item}", text_of(module, text)),
        None => format!("import {item}"),
    }))
}

/// The element of an import that a name is in.
fn item_of<'t>(statement: Node<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let mut cursor = statement.walk();
    let items: Vec<Node<'t>> = statement
        .children_by_field_name("name", &mut cursor)
        .collect();
    items
        .into_iter()
        .find(|item| item.start_byte() <= name.start_byte() && name.end_byte() <= item.end_byte())
}

/// Imports of the old file that the target needs too: all that bring the name.
fn need_import(
    plan: &mut MovePlan<'_, '_>,
    need: &OutgoingUse,
    needed: &mut NeededImports,
) -> Result<(), Refusal> {
    let old = plan.of.old;
    let text = plan.text(old)?;
    let place = (old, plan.resolver.place(need.def).unwrap_or_default());
    for def in imports_named(plan, &need.name) {
        if is_in_script(plan, def)? {
            continue;
        }
        let Some(node) = plan.node_of(def)? else {
            continue;
        };
        let statement = around(node, IMPORTS, 5);
        let parts = statement.and_then(|statement| Some((statement, item_of(statement, node)?)));
        let Some((statement, item)) = parts else {
            let message = format!(
                "The import of `{}` has a form that is not copied.",
                need.name
            );
            return plan.refuse(RefusalKind::Unsupported, message, [place]);
        };
        if statement.kind() == "future_import_statement" {
            continue;
        }
        let is_checked = match condition_around(statement, text) {
            ImportCondition::None => false,
            ImportCondition::TypeChecking => true,
            ImportCondition::Other => {
                let message = format!("The import of `{}` stands under a condition.", need.name);
                return plan.refuse(RefusalKind::Unsupported, message, [place]);
            }
        };
        let item_text = text_of(item, text).to_owned();
        let head = match statement.child_by_field_name("module_name") {
            None => "import ".to_owned(),
            Some(module) => {
                let of = module_of(plan, old, module)?;
                if of == Some(plan.of.target.file) && plan.of.target.exists {
                    let message =
                        format!("It imports `{}` from the file that it moves to.", need.name);
                    return plan.refuse(RefusalKind::Unsupported, message, [place]);
                }
                if let Some(of) = of.filter(|_| !is_checked) {
                    plan.edges.insert((plan.of.target.file, of));
                }
                format!("from {} import ", moved_module(plan, module)?)
            }
        };
        let statements = match is_checked {
            true => &mut needed.checked,
            false => &mut needed.loaded,
        };
        let items = statements
            .entry((statement.start_byte() as u32, head))
            .or_default();
        if !items.contains(&item_text) {
            items.push(item_text);
        }
    }
    Ok(())
}

/// The imports at the top of the old file that bring a name.
fn imports_named(plan: &MovePlan<'_, '_>, name: &str) -> Vec<DefRef> {
    let workspace = plan.resolver.workspace();
    let file = plan.of.old;
    let Some((bound, local)) = workspace
        .file(file)
        .and_then(|bound| Some((bound, bound.local(workspace.name(name)?)?)))
    else {
        return Vec::new();
    };
    let defs = bound.defs_of(local).map(|def| DefRef { file, def });
    defs.filter(|def| {
        let is_import = plan.resolver.kind(*def) == Some(codecortex_bind::facts::DefKind::Alias);
        is_import && is_at_top(plan.resolver, *def)
    })
    .collect()
}

/// Whether an import stands in `if __name__ == "__main__":`, which only a file that is run has.
fn is_in_script(plan: &MovePlan<'_, '_>, def: DefRef) -> Result<bool, Refusal> {
    let text = plan.text(def.file)?;
    let mut node = plan.node_of(def)?;
    while let Some(parent) = node.and_then(|node| node.parent()) {
        let condition = parent.child_by_field_name("condition");
        if parent.kind() == "if_statement"
            && condition.is_some_and(|node| text_of(node, text).starts_with("__name__"))
        {
            return Ok(true);
        }
        node = Some(parent);
    }
    Ok(false)
}

/// What an import stands under.
enum ImportCondition {
    None,
    /// `if TYPE_CHECKING:`
    TypeChecking,
    Other,
}

fn condition_around(statement: Node<'_>, text: &str) -> ImportCondition {
    let Some(parent) = statement.parent() else {
        return ImportCondition::None;
    };
    if parent.kind() == "module" {
        return ImportCondition::None;
    }
    let condition = parent
        .parent()
        .filter(|node| node.kind() == "if_statement")
        .and_then(|node| node.child_by_field_name("condition"));
    let is_consequence = parent
        .parent()
        .and_then(|node| node.child_by_field_name("consequence"));
    let is_consequence = is_consequence.is_some_and(|node| node.id() == parent.id());
    match condition.map(|node| text_of(node, text)) {
        Some("TYPE_CHECKING" | "typing.TYPE_CHECKING") if is_consequence => {
            ImportCondition::TypeChecking
        }
        _ => ImportCondition::Other,
    }
}

/// Whether an import is loaded with its file.
fn is_loaded(statement: Node<'_>, text: &str) -> bool {
    let mut node = statement;
    // Bounded by the depth of blocks around an import.
    for _ in 0..64 {
        let Some(parent) = node.parent() else {
            return !matches!(
                condition_around(statement, text),
                ImportCondition::TypeChecking
            );
        };
        if parent.kind() == "function_definition" {
            return false;
        }
        node = parent;
    }
    true
}

/// The file that the module of a `from … import` is.
fn module_of(
    plan: &MovePlan<'_, '_>,
    file: FileNo,
    module: Node<'_>,
) -> Result<Option<FileNo>, Refusal> {
    let resolver = plan.resolver;
    let text = text_of(module, plan.text(file)?);
    let rest = text.trim_start_matches('.');
    let dots = text.len() - rest.len();
    if dots > 0 {
        let up = "../".repeat(dots - 1);
        let rest = rest.trim().replace('.', "/");
        let path = joined(folder(plan.path(file)), &format!("{up}{rest}"));
        let found = path.and_then(|path| {
            let workspace = resolver.workspace();
            let of_module = workspace.file_at(&format!("{path}.py"));
            let of_package = match path.is_empty() {
                true => workspace.file_at("__init__.py"),
                false => workspace.file_at(&format!("{path}/__init__.py")),
            };
            of_package.or(of_module)
        });
        return Ok(found);
    }
    let range = range_of(module);
    let bound = resolver.workspace().file(file);
    let uses = resolver.uses_between(file, range.start, range.end);
    let mut last = None;
    for (expr, ..) in uses {
        let is_path = bound.is_some_and(|bound| {
            matches!(bound.expr(expr), Expr::Module { .. } | Expr::Member { .. })
        });
        if is_path {
            last = resolver.target(ExprRef { file, expr }).module;
        }
    }
    Ok(last)
}

/// How many folders are around the names of the outermost package of a file; nothing where it is in no package.
fn package_depth(plan: &MovePlan<'_, '_>, path: &str) -> Option<usize> {
    let workspace = plan.resolver.workspace();
    let is_package = |folder: &str| {
        let path = match folder.is_empty() {
            true => "__init__.py".to_owned(),
            false => format!("{folder}/__init__.py"),
        };
        workspace.file_at(&path).is_some()
    };
    let mut depth = None;
    let mut at = folder(path);
    while is_package(at) {
        depth = Some(at.split('/').filter(|part| !part.is_empty()).count());
        if at.is_empty() {
            break;
        }
        at = folder(at);
    }
    depth
}

/// A module as a file of the same package writes it: `.a`, `..b.c`.
fn relative_module(plan: &MovePlan<'_, '_>, from: &str, to: &str) -> Option<String> {
    let own: Vec<&str> = folder(from)
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    let other = module_parts(to);
    let same = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
    // What is in no package by its files may be in one all the same: below its folder it is.
    let least = package_depth(plan, from).unwrap_or(own.len());
    (same >= least).then(|| {
        let dots = ".".repeat(own.len() - same + 1);
        format!("{dots}{}", other[same..].join("."))
    })
}

/// A module as a file writes it that has no import of one beside it.
fn own_module(plan: &MovePlan<'_, '_>, from: FileNo, to: FileNo) -> Result<String, Refusal> {
    let (from_path, to_path) = (plan.path(from), plan.path(to));
    let is_relative = plan.text(plan.of.old)?.contains("from .");
    if is_relative && let Some(module) = relative_module(plan, from_path, to_path) {
        return Ok(module);
    }
    let parts = module_parts(to_path);
    let is_beside = folder(from_path) == folder(to_path);
    // The outermost package is looked for in the folder around it.
    let depth = match package_depth(plan, to_path) {
        Some(depth) => depth.checked_sub(1),
        None if is_beside => Some(parts.len().saturating_sub(1)),
        None => None,
    };
    let absolute = depth
        .and_then(|depth| parts.get(depth..))
        .filter(|parts| !parts.is_empty());
    let relative = || relative_module(plan, from_path, to_path);
    match absolute.map(|parts| parts.join(".")).or_else(relative) {
        Some(module) => Ok(module),
        None => {
            let message = format!("It is not known how {from_path} imports {to_path}.");
            plan.refuse(RefusalKind::Unsupported, message, [(plan.of.old, 0)])
        }
    }
}

/// The module of an import of the old file, as the target writes it.
fn moved_module(plan: &MovePlan<'_, '_>, module: Node<'_>) -> Result<String, Refusal> {
    let written = text_of(module, plan.text(plan.of.old)?);
    let (old, new) = (plan.path(plan.of.old), plan.path(plan.of.target.file));
    if !written.starts_with('.') || folder(old) == folder(new) {
        return Ok(written.to_owned());
    }
    let file = module_of(plan, plan.of.old, module)?;
    let path = file.map(|file| plan.path(file));
    match path.and_then(|path| relative_module(plan, new, path)) {
        Some(module) => Ok(module),
        None => {
            let message = format!("The module `{written}` is not known from the new file.");
            let at = module.start_byte() as u32;
            plan.refuse(RefusalKind::Unsupported, message, [(plan.of.old, at)])
        }
    }
}

/// The new module as another file writes it, in the way in which it writes the old one.
fn new_module(plan: &MovePlan<'_, '_>, file: FileNo, written: &str) -> Result<String, Refusal> {
    let (old, new) = (plan.path(plan.of.old), plan.path(plan.of.target.file));
    if written.starts_with('.')
        && let Some(module) = relative_module(plan, plan.path(file), new)
    {
        return Ok(module);
    }
    // `a.b` for `src/a/b.py`: what is before `a` is where modules are looked for.
    let parts = module_parts(old);
    let names: Vec<&str> = written.split('.').collect();
    // `pkg.old` for `old.py`, where the folder of the workspace is the package.
    let names_above = names.len().saturating_sub(parts.len());
    if names_above > 0 && names.get(names_above..) == Some(&parts) {
        // Whether the name of that folder is found is not known here; a file of the package needs none.
        if package_depth(plan, plan.path(file)).is_some()
            && let Some(module) = relative_module(plan, plan.path(file), new)
        {
            return Ok(module);
        }
        let above = names.get(..names_above).unwrap_or_default().join(".");
        return Ok(format!("{above}.{}", module_parts(new).join(".")));
    }
    let root = parts.len().checked_sub(names.len());
    let root = root.filter(|root| parts.get(*root..) == Some(&names));
    let new_parts = module_parts(new);
    match root {
        Some(root) if new_parts.get(..root) == parts.get(..root) && new_parts.len() > root => {
            Ok(new_parts.get(root..).unwrap_or_default().join("."))
        }
        _ => {
            let message = format!("It is not known how {} imports {new}.", plan.path(file));
            plan.refuse(RefusalKind::Unsupported, message, [(file, 0)])
        }
    }
}

/// Takes imports from the old file that nothing else there uses, and that no other file takes from it.
fn remove_imports(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    if file_name(plan.path(old)) == "__init__.py" {
        return Ok(());
    }
    let text = plan.text(old)?;
    let mut gone: BTreeSet<(u32, u32)> = BTreeSet::new();
    for need in plan.needs.clone().iter().filter(|need| need.is_import) {
        if is_used_outside(plan.resolver, old, &need.name, &plan.stretches, need.def) {
            continue;
        }
        for def in imports_named(plan, &need.name) {
            let references = plan.resolver.references(def);
            if references.iter().any(|reference| reference.file != old) {
                continue;
            }
            let node = plan.node_of(def)?;
            let parts = node.and_then(|node| Some((node, around(node, IMPORTS, 5)?)));
            let Some((node, statement)) = parts else {
                continue;
            };
            let is_top = statement
                .parent()
                .is_some_and(|node| node.kind() == "module");
            let line = whole_lines(statement, text);
            let behind = text.get(statement.end_byte()..).unwrap_or_default();
            let has_sign = behind.lines().next().is_some_and(|line| line.contains('#'));
            if is_top
                && !has_sign
                && line.start < line.end
                && let Some(item) = item_of(statement, node)
            {
                gone.insert((statement.start_byte() as u32, item.start_byte() as u32));
            }
        }
    }
    let tree = plan.tree(old)?;
    for statement in top_level(tree, IMPORTS) {
        let start = statement.start_byte() as u32;
        let list = items(statement, text);
        let places: Vec<usize> = (0..list.items.len())
            .filter(|place| gone.contains(&(start, list.items[*place].range.start)))
            .collect();
        if places.is_empty() {
            continue;
        }
        if places.len() == list.items.len() {
            let range = whole_lines(statement, text);
            plan.remove_statement(old, range);
        } else {
            list.remove_set(plan.rewrite(old), text, &places);
        }
    }
    Ok(())
}

/// The elements of an import.
fn items<'t>(statement: Node<'t>, text: &str) -> BracketList<'t> {
    let all = children(statement);
    let import = all.iter().position(|node| text_of(*node, text) == "import");
    let first = import.map_or(0, |at| at + 1);
    let behind = all.get(first..).unwrap_or_default();
    let inside: Vec<Node<'t>> = behind
        .iter()
        .filter(|node| !matches!(text_of(**node, text), "(" | ")"))
        .copied()
        .collect();
    let open = all
        .iter()
        .find(|node| text_of(**node, text) == "(")
        .or_else(|| import.and_then(|at| all.get(at)));
    let open = open.map_or(statement.start_byte(), |node| node.end_byte());
    let close = all
        .iter()
        .rev()
        .find(|node| text_of(**node, text) == ")")
        .map_or(statement.end_byte(), |node| node.start_byte());
    BracketList::between(&inside, open as u32..close as u32, text)
}

/// What the old file imports of the new one.
fn give_back(plan: &mut MovePlan<'_, '_>, used: &IncomingUses<'_>) -> Result<(), Refusal> {
    if used.own.is_empty() && !plan.of.options.re_exports {
        return Ok(());
    }
    let old = plan.of.old;
    let target = plan.of.target.file;
    let module = own_module(plan, old, target)?;
    let is_circle = plan.edges.contains(&(target, old)) && !plan.of.options.re_exports;
    if is_circle && import_late(plan, used, &module)? {
        return Ok(());
    }
    plan.edges.insert((old, target));
    // An import under its own name says that it is given out.
    let name = &plan.of.name;
    let line = match used.own.is_empty() {
        true => format!("from {module} import {name} as {name}"),
        false => format!("from {module} import {name}"),
    };
    plan.insert_import(old, IMPORTS, &line);
    Ok(())
}

/// Imports the declaration in the functions of the old file that use it; false where something uses it when the module is
/// loaded.
fn import_late(
    plan: &mut MovePlan<'_, '_>,
    used: &IncomingUses<'_>,
    module: &str,
) -> Result<bool, Refusal> {
    let old = plan.of.old;
    let text = plan.text(old)?;
    let mut blocks: BTreeMap<u32, &str> = BTreeMap::new();
    let mut is_checked = false;
    for (at, _) in &used.own {
        match use_time(plan, old, *at)? {
            UseTime::Load => return Ok(false),
            UseTime::Never => is_checked = true,
            UseTime::Block(block) => {
                let Some((start, indent)) = block_start(block, text) else {
                    return Ok(false);
                };
                blocks.insert(start, indent);
            }
        }
    }
    // Who imports the name from the old file would find none.
    let is_given_out = used
        .imports
        .iter()
        .any(|(file, _)| *file != plan.of.target.file);
    if is_given_out && plan.of.options.re_exports {
        return Ok(false);
    }
    let end = line_end(text);
    let name = plan.of.name.clone();
    for (start, indent) in blocks {
        let line = format!("from {module} import {name}{end}{indent}");
        plan.rewrite(old).insert(start, vec![TextPart::Text(line)]);
    }
    if is_checked {
        let mut lines = Vec::new();
        if imports_named(plan, "TYPE_CHECKING").is_empty() {
            lines.push("from typing import TYPE_CHECKING".to_owned());
        }
        lines.push(String::new());
        lines.push("if TYPE_CHECKING:".to_owned());
        lines.push(format!("    from {module} import {name}"));
        plan.insert_import(old, IMPORTS, &lines.join(end));
    }
    let path = plan.path(old);
    plan.notes.push(format!(
        "{path} imports `{name}` where it is used: an import at its top would make a circle."
    ));
    Ok(true)
}

/// Changes an import of another file so that it names the new module.
fn change_import(plan: &mut MovePlan<'_, '_>, file: FileNo, name: Node<'_>) -> Result<(), Refusal> {
    let text = plan.text(file)?;
    let at = name.start_byte() as u32;
    if text_of(name, text).starts_with(['"', '\'']) || name.kind().starts_with("string") {
        return Ok(()); // `__all__` of a file that imports it
    }
    let statement = around(name, &["import_from_statement"], 5);
    let module = statement.and_then(|statement| statement.child_by_field_name("module_name"));
    let (Some(statement), Some(module)) = (statement, module) else {
        let message = "It is imported in a form that is not changed.";
        return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
    };
    // Another module gives it out, which leads there still.
    if module_of(plan, file, module)? != Some(plan.of.old) {
        return Ok(());
    }
    let list = items(statement, text);
    let place = list.items.iter().position(|item| item.range.contains(&at));
    let Some(place) = place else {
        let message = "It is imported in a form that is not changed.";
        return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
    };
    let item = &list.items[place];
    let written = text
        .get(item.range.start as usize..item.range.end as usize)
        .unwrap_or_default();
    let is_only = list.items.len() == 1;
    let is_here = file == plan.of.target.file;
    if is_here && written != plan.of.name {
        let message = format!("{} has another name for it.", plan.path(file));
        return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
    }
    let new = match is_here {
        true => String::new(),
        false => new_module(plan, file, text_of(module, text))?,
    };
    if is_loaded(statement, text) && !is_here {
        plan.edges.insert((file, plan.of.target.file));
    }
    if is_only {
        match is_here {
            true => {
                let is_top = statement
                    .parent()
                    .is_some_and(|node| node.kind() == "module");
                if !is_top {
                    let message = "An import of it would leave an empty block.";
                    return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
                }
                let range = whole_lines(statement, text);
                plan.remove_statement(file, range);
            }
            false => plan
                .rewrite(file)
                .replace(range_of(module), vec![TextPart::Text(new)]),
        }
        return Ok(());
    }
    list.remove(plan.rewrite(file), text, place);
    if is_here {
        return Ok(());
    }
    let indent = indent_of(text, statement.start_byte());
    let end = line_end(text);
    let line = format!("{end}{indent}from {new} import {written}");
    plan.rewrite(file)
        .insert(statement.end_byte() as u32, vec![TextPart::Text(line)]);
    Ok(())
}

/// The white space before a statement on its line.
fn indent_of(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    match line.chars().all(char::is_whitespace) {
        true => line,
        false => "",
    }
}

/// Files that take all names of the old file and use this one.
fn change_globs(plan: &mut MovePlan<'_, '_>, used: &IncomingUses<'_>) -> Result<(), Refusal> {
    let mut files: Vec<FileNo> = used.unimported.iter().map(|(file, _)| *file).collect();
    files.dedup();
    for file in files {
        if file == plan.of.target.file {
            continue;
        }
        let (tree, text) = (plan.tree(file)?, plan.text(file)?);
        let places = plan.of.module_imports.iter().filter(|(of, _)| *of == file);
        let glob = places
            .filter_map(|(_, at)| around(leaf_at(tree, *at)?, &["import_from_statement"], 4))
            .find(|node| text_of(*node, text).trim_end().ends_with('*'));
        let module = glob.and_then(|node| node.child_by_field_name("module_name"));
        let Some(module) = module else {
            let message = format!("`{}` is used without an import of it.", plan.of.name);
            let places = used
                .unimported
                .iter()
                .copied()
                .filter(|(of, _)| *of == file);
            return plan.refuse(RefusalKind::Unsupported, message, places);
        };
        let new = new_module(plan, file, text_of(module, text))?;
        let line = format!("from {new} import {}", plan.of.name);
        plan.edges.insert((file, plan.of.target.file));
        plan.insert_import(file, IMPORTS, &line);
    }
    Ok(())
}
