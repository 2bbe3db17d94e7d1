//! Moves in TypeScript and JavaScript: `import`, `export`, and `export … from`.

use std::collections::BTreeMap;

use codecortex_bind::facts::DefKind;
use codecortex_resolve::FileNo;
use tree_sitter::Node;

use crate::bracket_list::BracketList;
use crate::moving::cut::whole_lines;
use crate::moving::incoming::{IncomingUses, incoming, unqualify};
use crate::moving::outgoing::{OutgoingUse, is_used_outside};
use crate::moving::paths::{file_name, folder, joined, relative, without_ending};
use crate::moving::plan::MovePlan;
use crate::moving::statements::{around, line_end};
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::TextPart;
use crate::tree::{children, leaf_at, range_of, text_of};

const IMPORTS: &[&str] = &["import_statement"];

/// Plans the imports and exports of a move.
pub(super) fn plan(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    check_statement(plan)?;
    let used = incoming(plan)?;
    check_uses(plan, &used)?;
    let is_exported = !plan
        .resolver
        .exported(plan.of.old, &plan.of.name)
        .is_empty();
    let has_users = !used.own.is_empty()
        || !used.imports.is_empty()
        || !used.qualified.is_empty()
        || plan.of.options.re_exports;
    if has_users {
        export(plan);
    }
    write_needs(plan)?;
    remove_imports(plan)?;
    give_back(plan, &used)?;
    if plan.of.options.re_exports {
        return Ok(());
    }
    for (file, node) in &used.imports {
        change_import(plan, *file, *node)?;
    }
    for file in unqualify(plan, &used)? {
        if file == plan.of.target.file {
            continue;
        }
        let style = ImportStyle::new(plan, file)?;
        let spec = module_path(
            plan.path(file),
            plan.path(plan.of.target.file),
            style.ending,
        );
        let is_marked = !is_value(plan) && style.marks_types;
        let word = if is_marked { "import type" } else { "import" };
        let (name, end) = (&plan.of.name, style.end);
        let line = format!("{word} {{ {name} }} from {}{end}", style.quoted(&spec));
        plan.insert_import(file, IMPORTS, &line);
    }
    if is_exported {
        change_globs(plan)?;
    }
    for file in &used.value_users {
        if is_value(plan) {
            plan.edges.insert((*file, plan.of.target.file));
        }
    }
    Ok(())
}

/// Whether the declaration is there when the program runs.
fn is_value(plan: &MovePlan<'_, '_>) -> bool {
    !matches!(plan.of.kind, DefKind::Interface | DefKind::TypeAlias)
}

/// Refuses default exports, which importers name as they like.
fn check_statement(plan: &MovePlan<'_, '_>) -> Result<(), Refusal> {
    for cut in &plan.cuts {
        let text = plan.text(plan.of.old)?;
        let words = children(cut.statement);
        if words.iter().any(|node| text_of(*node, text) == "default") {
            let message = "It is the default export of its file.";
            let at = cut.statement.start_byte() as u32;
            return plan.refuse(RefusalKind::Unsupported, message, [(plan.of.old, at)]);
        }
    }
    Ok(())
}

/// Refuses uses that imports alone do not mend.
fn check_uses(plan: &MovePlan<'_, '_>, used: &IncomingUses<'_>) -> Result<(), Refusal> {
    if let Some(need) = plan
        .needs
        .iter()
        .find(|need| need.is_written && !need.is_import)
    {
        let message = format!("It assigns `{}`, which an import cannot.", need.name);
        return plan.refuse(RefusalKind::Unsupported, message, [(plan.of.old, need.at)]);
    }
    let written = plan.of.references.iter().filter(|reference| {
        let role = reference.role.0;
        let is_written = role == codecortex_bind::facts::Role::Write as u8
            || role == codecortex_bind::facts::Role::ReadWrite as u8;
        is_written && !(reference.file == plan.of.old && plan.is_moved(reference.at))
    });
    let mut written = written
        .map(|reference| (reference.file, reference.at))
        .peekable();
    if written.peek().is_some() {
        let message = format!("`{}` is assigned where it would be imported.", plan.of.name);
        return plan.refuse(RefusalKind::Unsupported, message, written);
    }
    if !used.unimported.is_empty() {
        let message = format!(
            "`{}` is used in other files without an import.",
            plan.of.name
        );
        let places = used.unimported.iter().copied();
        return plan.refuse(RefusalKind::Unsupported, message, places);
    }
    Ok(())
}

/// Writes `export` before what others use.
fn export(plan: &mut MovePlan<'_, '_>) {
    let cuts = plan.cuts.clone();
    for cut in cuts {
        if cut.statement.kind() == "export_statement" {
            continue;
        }
        let at = cut.statement.start_byte() as u32;
        plan.moved
            .insert(at, vec![TextPart::Text("export ".to_owned())]);
        let note = format!("`{}` is exported, which it was not.", plan.of.name);
        let exported = plan.resolver.exported(plan.of.old, &plan.of.name);
        if exported.is_empty() && !plan.notes.contains(&note) {
            plan.notes.push(note);
        }
    }
}

/// An import that the target needs: the module as it is written, and what is taken of it.
#[derive(Default)]
struct NeededImport {
    specifiers: Vec<String>,
    /// `default`, `* as all`.
    clauses: Vec<String>,
    is_type_only: bool,
}

/// Writes the imports of the target.
fn write_needs(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    let text = plan.text(old)?;
    let style = ImportStyle::new(plan, old)?;
    // In the order of the old file.
    let mut needed: BTreeMap<(u32, String), NeededImport> = BTreeMap::new();
    let needs = plan.needs.clone();
    for need in &needs {
        if is_in_target(plan, need)? {
            continue;
        }
        match need.is_import {
            true => need_import(plan, need, text, &mut needed)?,
            false => need_own(plan, need, &style, &mut needed)?,
        }
    }
    let mut lines = Vec::new();
    for ((_, module), import) in needed {
        let word = if import.is_type_only {
            "import type"
        } else {
            "import"
        };
        let end = style.end;
        for clause in &import.clauses {
            lines.push(format!("{word} {clause} from {module}{end}"));
        }
        if !import.specifiers.is_empty() {
            let names = import.specifiers.join(", ");
            lines.push(format!("{word} {{ {names} }} from {module}{end}"));
        }
    }
    place_imports(plan, lines)
}

/// Puts lines of imports in the target.
fn place_imports(plan: &mut MovePlan<'_, '_>, lines: Vec<String>) -> Result<(), Refusal> {
    if lines.is_empty() {
        return Ok(());
    }
    match plan.of.target.exists {
        true => {
            let file = plan.of.target.file;
            let end = line_end(plan.text(file)?);
            plan.insert_import(file, IMPORTS, &lines.join(end));
            Ok(())
        }
        false => {
            let end = plan.line_end();
            plan.head = format!("{}{}{end}", lines.join(end), end);
            Ok(())
        }
    }
}

/// Whether the target has a name for the same thing; a name for another one is refused.
fn is_in_target(plan: &MovePlan<'_, '_>, need: &OutgoingUse) -> Result<bool, Refusal> {
    let target = plan.of.target.file;
    let there = plan.named_in_target(&need.name);
    let Some(first) = there.first() else {
        return Ok(false);
    };
    let ends = |def| {
        let mut ends = plan.resolver.without_aliases(vec![def]);
        ends.sort_unstable();
        ends
    };
    let wanted = ends(need.def);
    if !wanted.is_empty() && there.iter().any(|def| ends(*def) == wanted) {
        return Ok(true);
    }
    let at = plan.resolver.place(*first).unwrap_or_default();
    let message = format!(
        "It uses `{}`, and {} has another `{}`.",
        need.name, plan.of.target.path, need.name
    );
    plan.refuse(RefusalKind::Taken, message, [(target, at)])
}

/// An import of the old file that the target needs too.
fn need_import(
    plan: &mut MovePlan<'_, '_>,
    need: &OutgoingUse,
    text: &str,
    needed: &mut BTreeMap<(u32, String), NeededImport>,
) -> Result<(), Refusal> {
    let old = plan.of.old;
    let place = (old, plan.resolver.place(need.def).unwrap_or_default());
    let node = plan.node_of(need.def)?;
    let statement = node.and_then(|node| around(node, IMPORTS, 5));
    let (Some(node), Some(statement)) = (node, statement) else {
        let message = format!(
            "The import of `{}` has a form that is not copied.",
            need.name
        );
        return plan.refuse(RefusalKind::Unsupported, message, [place]);
    };
    let Some(source) = statement.child_by_field_name("source") else {
        let message = format!(
            "The import of `{}` has a form that is not copied.",
            need.name
        );
        return plan.refuse(RefusalKind::Unsupported, message, [place]);
    };
    let module = moved_source(plan, text_of(source, text))?;
    let is_type_only = children(statement)
        .into_iter()
        .any(|node| text_of(node, text) == "type");
    let of_target = module_of(plan, old, source);
    if of_target == Some(plan.of.target.file) && plan.of.target.exists {
        let message = format!("It imports `{}` from the file that it moves to.", need.name);
        return plan.refuse(RefusalKind::Unsupported, message, [place]);
    }
    if let Some(module) = of_target.filter(|_| need.is_value && !is_type_only) {
        plan.edges.insert((plan.of.target.file, module));
    }
    let entry = needed
        .entry((statement.start_byte() as u32, module))
        .or_default();
    entry.is_type_only |= is_type_only;
    match around(node, &["import_specifier", "namespace_import"], 2) {
        Some(part) if part.kind() == "import_specifier" => {
            entry.specifiers.push(text_of(part, text).to_owned());
        }
        Some(part) => entry.clauses.push(text_of(part, text).to_owned()),
        None => entry.clauses.push(need.name.clone()),
    }
    Ok(())
}

/// The file that a module is, by the string that an import has for it.
fn module_of(plan: &MovePlan<'_, '_>, file: FileNo, source: Node<'_>) -> Option<FileNo> {
    let resolver = plan.resolver;
    let range = range_of(source);
    let uses = resolver.uses_between(file, range.start, range.end);
    let bound = resolver.workspace().file(file)?;
    uses.into_iter().find_map(|(expr, ..)| {
        let is_module = matches!(
            bound.expr(expr),
            codecortex_bind::facts::Expr::Module { .. }
        );
        let at = codecortex_resolve::ExprRef { file, expr };
        is_module.then(|| resolver.target(at).module)?
    })
}

/// A declaration of the old file that the target needs.
fn need_own(
    plan: &mut MovePlan<'_, '_>,
    need: &OutgoingUse,
    style: &ImportStyle,
    needed: &mut BTreeMap<(u32, String), NeededImport>,
) -> Result<(), Refusal> {
    let old = plan.of.old;
    let exported = plan.resolver.exported(old, &need.name);
    if !exported.contains(&need.def) {
        let message = format!("It uses `{}`, which its file does not export.", need.name);
        return plan.refuse(RefusalKind::Unsupported, message, [(old, need.at)]);
    }
    let is_type = matches!(
        plan.resolver.kind(need.def),
        Some(DefKind::Interface | DefKind::TypeAlias)
    );
    if need.is_value && !is_type {
        plan.edges.insert((plan.of.target.file, old));
    }
    let spec = module_path(plan.path(plan.of.target.file), plan.path(old), style.ending);
    let module = style.quoted(&spec);
    let entry = needed.entry((u32::MAX, module)).or_default();
    let word = if is_type && style.marks_types {
        "type "
    } else {
        ""
    };
    entry.specifiers.push(format!("{word}{}", need.name));
    Ok(())
}

/// A module's string as the target writes it, which the old file has.
fn moved_source(plan: &MovePlan<'_, '_>, written: &str) -> Result<String, Refusal> {
    let (quote, spec) = unquoted(written);
    let from = folder(plan.path(plan.of.old));
    let to = folder(plan.path(plan.of.target.file));
    if from == to || !spec.starts_with('.') {
        return Ok(written.to_owned());
    }
    let Some(path) = joined(from, spec) else {
        let message = format!("The import of {written} leads out of the workspace.");
        return plan.refuse(RefusalKind::Unsupported, message, []);
    };
    let spec = relative(to, &path);
    Ok(format!("{quote}{spec}{quote}"))
}

fn unquoted(written: &str) -> (char, &str) {
    let quote = written.chars().next().unwrap_or('\'');
    (quote, written.trim_matches(quote))
}

/// How a file writes imports.
pub(super) struct ImportStyle {
    quote: char,
    end: &'static str,
    /// The ending that modules have in imports.
    ending: &'static str,
    /// Whether imports say that they are of types.
    marks_types: bool,
}

impl ImportStyle {
    fn new(plan: &MovePlan<'_, '_>, file: FileNo) -> Result<Self, Refusal> {
        let (tree, text) = (plan.tree(file)?, plan.text(file)?);
        let statements =
            super::statements::top_level(tree, &["import_statement", "export_statement"]);
        let sources: Vec<&str> = statements
            .iter()
            .filter_map(|node| Some(text_of(node.child_by_field_name("source")?, text)))
            .collect();
        let first = sources.first().copied().unwrap_or("'");
        let is_relative = |source: &&&str| unquoted(source).1.starts_with('.');
        let local = sources
            .iter()
            .find(is_relative)
            .map(|source| unquoted(source).1);
        let all = children(tree.root_node());
        let mut statements = all.iter().filter(|node| {
            matches!(
                node.kind(),
                "import_statement" | "lexical_declaration" | "expression_statement"
            )
        });
        let has_end = statements
            .next()
            .is_none_or(|node| text_of(*node, text).ends_with(';'));
        Ok(Self {
            quote: unquoted(first).0,
            end: if has_end { ";" } else { "" },
            ending: local.map_or("", ending_of),
            marks_types: text.contains("import type ") || text.contains("{ type "),
        })
    }

    fn quoted(&self, spec: &str) -> String {
        format!("{0}{spec}{0}", self.quote)
    }
}

/// The ending that a module's string has, of those that stand for a file's own.
fn ending_of(spec: &str) -> &'static str {
    let known = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts"];
    known
        .into_iter()
        .find(|ending| spec.ends_with(ending))
        .unwrap_or("")
}

/// The module of a file as another file writes it.
fn module_path(from: &str, to: &str, ending: &str) -> String {
    let path = without_ending(to);
    let path = path.strip_suffix(".d").unwrap_or(path);
    let path = match (file_name(path), ending) {
        ("index", "") => folder(path),
        _ => path,
    };
    let spec = relative(folder(from), path);
    let spec = spec.strip_suffix('/').unwrap_or(&spec);
    format!("{spec}{ending}")
}

/// Takes imports from the old file that nothing else there uses.
fn remove_imports(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    let text = plan.text(old)?;
    let mut by_statement: BTreeMap<u32, (Node<'_>, Vec<Node<'_>>)> = BTreeMap::new();
    for need in plan.needs.clone().iter().filter(|need| need.is_import) {
        if is_used_outside(plan.resolver, old, &need.name, &plan.stretches, need.def) {
            continue;
        }
        let Some(node) = plan.node_of(need.def)? else {
            continue;
        };
        if let Some(statement) = around(node, IMPORTS, 5) {
            let entry = by_statement
                .entry(statement.start_byte() as u32)
                .or_insert_with(|| (statement, Vec::new()));
            entry.1.push(node);
        }
    }
    for (statement, names) in by_statement.into_values() {
        let clause = children(statement)
            .into_iter()
            .find(|node| node.kind() == "import_clause");
        let Some(clause) = clause else {
            continue;
        };
        let list = children(clause)
            .into_iter()
            .find(|node| node.kind() == "named_imports")
            .and_then(|node| BracketList::new(node, text));
        let parts = children(clause)
            .iter()
            .filter(|node| node.is_named())
            .count();
        let count = list.as_ref().map_or(0, |list| list.items.len());
        let all = parts - usize::from(list.is_some()) + count;
        if names.len() >= all {
            let range = whole_lines(statement, text);
            plan.remove_statement(old, range);
            continue;
        }
        let Some(list) = list else {
            continue; // a part of what is left is used
        };
        let places: Vec<usize> = (0..count)
            .filter(|place| {
                let range = &list.items[*place].range;
                names
                    .iter()
                    .any(|name| range.contains(&(name.start_byte() as u32)))
            })
            .collect();
        if places.len() < count {
            list.remove_set(plan.rewrite(old), text, &places);
        }
    }
    Ok(())
}

/// What the old file imports and gives out of the new one.
fn give_back(plan: &mut MovePlan<'_, '_>, used: &IncomingUses<'_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    let style = ImportStyle::new(plan, old)?;
    let spec = module_path(plan.path(old), plan.path(plan.of.target.file), style.ending);
    let module = style.quoted(&spec);
    let (name, end) = (&plan.of.name, style.end);
    let is_type = !is_value(plan);
    let mut lines = Vec::new();
    if !used.own.is_empty() {
        let word = if is_type && style.marks_types {
            "import type"
        } else {
            "import"
        };
        lines.push(format!("{word} {{ {name} }} from {module}{end}"));
        let is_loaded = !is_type && used.own.iter().any(|(_, is_value)| *is_value);
        if is_loaded {
            plan.edges.insert((old, plan.of.target.file));
        }
    }
    if plan.of.options.re_exports {
        let word = if is_type { "export type" } else { "export" };
        lines.push(format!("{word} {{ {name} }} from {module}{end}"));
        if !is_type {
            plan.edges.insert((old, plan.of.target.file));
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let end = plan.line_end();
    plan.insert_import(old, IMPORTS, &lines.join(end));
    Ok(())
}

/// Changes an import or export of another file so that it names the new module.
fn change_import(plan: &mut MovePlan<'_, '_>, file: FileNo, name: Node<'_>) -> Result<(), Refusal> {
    let text = plan.text(file)?;
    let at = name.start_byte() as u32;
    let specifier = around(name, &["import_specifier", "export_specifier"], 1);
    let statement = around(name, &["import_statement", "export_statement"], 5);
    let (Some(specifier), Some(statement)) = (specifier, statement) else {
        let message = "It is imported in a form that is not changed.";
        return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
    };
    let Some(source) = statement.child_by_field_name("source") else {
        return Ok(()); // `export { a }` of an import
    };
    // A barrel names it after another one does: it leads there still.
    if module_of(plan, file, source) != Some(plan.of.old) {
        return Ok(());
    }
    let list = specifier
        .parent()
        .and_then(|node| BracketList::new(node, text));
    let Some(list) = list else {
        let message = "It is imported in a form that is not changed.";
        return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
    };
    let is_only = list.items.len() == 1;
    let is_here = file == plan.of.target.file;
    let is_import = statement.kind() == "import_statement";
    let clause = children(statement)
        .into_iter()
        .find(|node| node.kind() == "import_clause");
    let has_more = clause.is_some_and(|clause| {
        children(clause)
            .iter()
            .filter(|node| node.is_named())
            .count()
            > 1
    });
    if is_here && !is_import {
        // The file declares it now.
        let message = format!("{} gives it out from its old file.", plan.path(file));
        return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
    }
    let names_apart = text_of(specifier, text) != plan.of.name
        && text_of(specifier, text) != format!("type {}", plan.of.name);
    if is_here && names_apart {
        let message = format!("{} has another name for it.", plan.path(file));
        return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
    }
    let written = text_of(source, text);
    let spec = new_source(plan, file, unquoted(written).1);
    let (quote, _) = unquoted(written);
    let module = format!("{quote}{spec}{quote}");
    if is_only && !has_more {
        match is_here {
            true => {
                let range = whole_lines(statement, text);
                plan.remove_statement(file, range);
            }
            false => plan
                .rewrite(file)
                .replace(range_of(source), vec![TextPart::Text(module)]),
        }
        return Ok(());
    }
    let place = list
        .items
        .iter()
        .position(|item| item.range.contains(&at))
        .unwrap_or_default();
    match (is_only, clause) {
        // `import a, { b } from`: the list goes with its comma.
        (true, Some(clause)) => {
            let first = children(clause).into_iter().find(|node| node.is_named());
            let end = specifier
                .parent()
                .map_or(list.close, |node| node.end_byte() as u32);
            let start = first.map_or(list.open, |node| node.end_byte() as u32);
            plan.rewrite(file).remove(start..end);
        }
        _ => list.remove(plan.rewrite(file), text, place),
    }
    if is_here {
        return Ok(());
    }
    let all = children(statement);
    let is_type = all.iter().any(|node| text_of(*node, text) == "type");
    let word = if is_import { "import" } else { "export" };
    let word = if is_type {
        format!("{word} type")
    } else {
        word.to_owned()
    };
    let sign = if text_of(statement, text).ends_with(';') {
        ";"
    } else {
        ""
    };
    let names = text_of(specifier, text);
    let end = line_end(text);
    let line = format!("{end}{word} {{ {names} }} from {module}{sign}");
    plan.rewrite(file)
        .insert(statement.end_byte() as u32, vec![TextPart::Text(line)]);
    Ok(())
}

/// The new module's string in another file, written as that of the old one is.
fn new_source(plan: &MovePlan<'_, '_>, file: FileNo, old_spec: &str) -> String {
    let (old, new) = (plan.path(plan.of.old), plan.path(plan.of.target.file));
    let ending = ending_of(old_spec);
    let like = match old_spec.starts_with('.') {
        true => None,
        false => written_like(old_spec, old, new),
    };
    like.unwrap_or_else(|| module_path(plan.path(file), new, ending))
}

/// The new file as a name of a module that is no path from file to file: `@app/a/new`, as `@app/a/old` is `src/a/old.ts`.
fn written_like(old_spec: &str, old: &str, new: &str) -> Option<String> {
    let ending = ending_of(old_spec);
    let bare = old_spec.strip_suffix(ending).unwrap_or(old_spec);
    let path = without_ending(old);
    let same = bare
        .rsplit('/')
        .zip(path.rsplit('/'))
        .take_while(|(a, b)| a == b)
        .count();
    if same == 0 {
        return None;
    }
    let rest = |path: &str| {
        let parts: Vec<&str> = path.split('/').collect();
        let count = parts.len() - same.min(parts.len());
        parts.get(..count).unwrap_or_default().join("/")
    };
    let (prefix, root) = (rest(bare), rest(path));
    let below = match root.is_empty() {
        true => new,
        false => new.strip_prefix(&root)?.strip_prefix('/')?,
    };
    let below = without_ending(below);
    Some(match prefix.is_empty() {
        true => format!("{below}{ending}"),
        false => format!("{prefix}/{below}{ending}"),
    })
}

/// Files that give out all of the old file, or load it in another way than by `import`.
fn change_globs(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    for (file, at) in plan.of.module_imports.clone() {
        let (tree, text) = (plan.tree(file)?, plan.text(file)?);
        let Some(leaf) = leaf_at(tree, at) else {
            continue;
        };
        let statement = around(
            leaf,
            &["import_statement", "export_statement", "call_expression"],
            4,
        );
        let Some(statement) = statement else {
            continue;
        };
        let parts = children(statement);
        let has = |kind: &str| parts.iter().any(|node| node.kind() == kind);
        match statement.kind() {
            "import_statement" => {}
            "export_statement" if has("export_clause") => {}
            "export_statement" if has("namespace_export") => {
                let message = "All of its file is given out under a name.";
                return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
            }
            "export_statement" if file == plan.of.target.file => {}
            "export_statement" => {
                let Some(source) = statement.child_by_field_name("source") else {
                    continue;
                };
                let written = text_of(source, text);
                let (quote, old_spec) = unquoted(written);
                let spec = new_source(plan, file, old_spec);
                let word = if is_value(plan) {
                    "export"
                } else {
                    "export type"
                };
                let sign = if text_of(statement, text).ends_with(';') {
                    ";"
                } else {
                    ""
                };
                let end = line_end(text);
                let name = &plan.of.name;
                let line = format!("{end}{word} {{ {name} }} from {quote}{spec}{quote}{sign}");
                if is_value(plan) {
                    plan.edges.insert((file, plan.of.target.file));
                }
                plan.rewrite(file)
                    .insert(statement.end_byte() as u32, vec![TextPart::Text(line)]);
            }
            _ => {
                let message = "Its file is loaded while the program runs.";
                return plan.refuse(RefusalKind::Unsupported, message, [(file, at)]);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules_that_are_no_paths() {
        let like = |spec: &str| written_like(spec, "src/a/old.ts", "src/b/new.ts");
        assert_eq!(like("@app/a/old").as_deref(), Some("@app/b/new"));
        assert_eq!(like("src/a/old.js").as_deref(), Some("src/b/new.js"));
        assert_eq!(like("a/old").as_deref(), Some("b/new"));
        assert_eq!(like("@app/other"), None);
        assert_eq!(written_like("@x/old", "src/a/old.ts", "lib/new.ts"), None);
    }

    #[test]
    fn paths_of_modules() {
        assert_eq!(module_path("a/x.ts", "a/y.ts", ""), "./y");
        assert_eq!(module_path("a/x.ts", "b/index.ts", ""), "../b");
        assert_eq!(module_path("a/x.ts", "b/index.ts", ".js"), "../b/index.js");
        assert_eq!(module_path("x.ts", "y.d.ts", ""), "./y");
    }
}
