//! Moves within a package or namespace, whose files see each other: Go, Java, C#.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, flag};
use codecortex_resolve::{ExprRef, FileNo};
use tree_sitter::Node;

use crate::moving::cut::whole_lines;
use crate::moving::outgoing::is_used_outside;
use crate::moving::paths::{file_name, folder, without_ending};
use crate::moving::plan::MovePlan;
use crate::moving::statements::{around, top_level};
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::TextPart;
use crate::tree::{children, descendants, text_of};

/// Plans the imports of a move within a package.
pub(super) fn plan(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let dialect = plan.resolver.dialect(plan.of.old);
    check(plan, dialect)?;
    if plan.of.options.re_exports {
        let message = "Files of a package see each other: there is nothing to give out again.";
        return plan.refuse(RefusalKind::Unsupported, message, []);
    }
    match dialect {
        Some(Dialect::CSharp) => csharp(plan),
        Some(Dialect::Java) => java(plan),
        _ => go(plan),
    }
}

fn check(plan: &MovePlan<'_, '_>, dialect: Option<Dialect>) -> Result<(), Refusal> {
    let (old, new) = (plan.path(plan.of.old), plan.path(plan.of.target.file));
    let place = plan.cuts.iter().map(|cut| (plan.of.old, cut.range.start));
    // A namespace is no folder: what it has may stand below it.
    let is_below = dialect == Some(Dialect::CSharp)
        && (folder(old).is_empty() || new.starts_with(&format!("{}/", folder(old))));
    if folder(old) != folder(new) && !is_below {
        let message = "It would be in another package, where other names are seen.";
        return plan.refuse(RefusalKind::Unsupported, message, place);
    }
    if let Some(need) = plan.needs.iter().find(|need| {
        let flags = plan
            .resolver
            .definition(need.def)
            .map_or(0, |def| def.flags);
        !need.is_import && flags & flag::PRIVATE != 0
    }) {
        let message = format!("It uses `{}`, which only its file sees.", need.name);
        return plan.refuse(RefusalKind::Unsupported, message, [(plan.of.old, need.at)]);
    }
    let text = plan.text(plan.of.old)?;
    match dialect {
        Some(Dialect::Go) => {
            let is_test = |path: &str| path.ends_with("_test.go");
            let mut words = vec!["//go:embed", "//go:linkname", "import \"C\""];
            if plan.of.target.exists {
                words.extend(BUILD_SIGNS);
            }
            if is_test(old) != is_test(new) {
                check_test_file(plan, is_test(new))?;
            }
            if let Some(word) = words.iter().find(|word| text.contains(**word)) {
                let message = format!("Its file has `{word}`, which is about that file alone.");
                return plan.refuse(RefusalKind::Unsupported, message, place);
            }
            for path in [old, new] {
                if let Some(part) = built_for(path) {
                    let message = format!("{path} is built for `{part}` alone.");
                    return plan.refuse(RefusalKind::Unsupported, message, place);
                }
            }
            Ok(())
        }
        Some(Dialect::Java) => {
            let is_public = plan.cuts.iter().any(|cut| {
                let modifiers = children(cut.declaration).into_iter();
                let mut modifiers = modifiers.filter(|node| node.kind() == "modifiers");
                modifiers.any(|node| {
                    text_of(node, text)
                        .split_whitespace()
                        .any(|word| word == "public")
                })
            });
            let stem = without_ending(file_name(new));
            if is_public && stem != plan.of.name {
                let message = "A public type stands in the file of its name.";
                return plan.refuse(RefusalKind::Unsupported, message, place);
            }
            Ok(())
        }
        _ => {
            let is_of_file = plan.cuts.iter().any(|cut| {
                let mut words = children(cut.declaration).into_iter();
                words.any(|node| text_of(node, text) == "file")
            });
            match is_of_file {
                true => {
                    let message = "Only its file sees it.";
                    plan.refuse(RefusalKind::Unsupported, message, place)
                }
                false => Ok(()),
            }
        }
    }
}

/// What the first lines of a file of Go begin with that say when it is built.
const BUILD_SIGNS: &[&str] = &["//go:build", "// +build"];

/// Refuses a move into a test, which the rest of the package does not see, and one of what uses a test.
fn check_test_file(plan: &MovePlan<'_, '_>, is_test: bool) -> Result<(), Refusal> {
    let message = "Tests are built apart from the rest of a package.";
    let old = plan.of.old;
    let place = plan.cuts.iter().map(|cut| (old, cut.range.start));
    let text = plan.text(old)?;
    let package = top_level(plan.tree(old)?, &["package_clause"]);
    let is_apart = package
        .first()
        .is_some_and(|node| text_of(*node, text).ends_with("_test"));
    if is_test || is_apart {
        return plan.refuse(RefusalKind::Unsupported, message, place);
    }
    for range in &plan.stretches {
        for (expr, at, ..) in plan.resolver.uses_between(old, range.start, range.end) {
            let target = plan.resolver.target(ExprRef { file: old, expr });
            let is_of_test = |file: FileNo| plan.path(file).ends_with("_test.go");
            let mut others = target.defs.iter().filter(|def| {
                let place = plan.resolver.place(**def);
                let is_own = def.file == old && place.is_some_and(|at| plan.is_moved(at));
                !is_own && plan.resolver.kind(**def) != Some(DefKind::Alias)
            });
            if others.any(|def| is_of_test(def.file)) {
                return plan.refuse(RefusalKind::Unsupported, message, [(old, at)]);
            }
        }
    }
    Ok(())
}

/// The lines at the top of a file of Go that say when it is built.
fn build_lines(text: &str) -> String {
    let mut lines = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with("package ") {
            break;
        }
        if BUILD_SIGNS.iter().any(|sign| line.starts_with(sign)) {
            lines += line;
        }
    }
    lines
}

/// The system or processor in the name of a file of Go: `a_linux.go`, `a_windows_amd64.go`.
fn built_for(path: &str) -> Option<&'static str> {
    const SYSTEMS: &[&str] = &[
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "illumos",
        "ios",
        "js",
        "linux",
        "netbsd",
        "openbsd",
        "plan9",
        "solaris",
        "wasip1",
        "windows",
        "386",
        "amd64",
        "arm",
        "arm64",
        "loong64",
        "mips",
        "mips64",
        "mips64le",
        "mipsle",
        "ppc64",
        "ppc64le",
        "riscv64",
        "s390x",
        "wasm",
    ];
    let stem = without_ending(file_name(path));
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    let last = stem.rsplit_once('_')?.1;
    SYSTEMS.iter().find(|system| **system == last).copied()
}

/// The imports that the declaration uses, each once, in the order of the file.
fn used_imports<'p>(
    plan: &MovePlan<'p, '_>,
    kinds: &[&str],
) -> Result<Vec<(Node<'p>, bool)>, Refusal> {
    let mut found: Vec<(Node<'p>, bool)> = Vec::new();
    for need in plan.needs.iter().filter(|need| need.is_import) {
        let Some(node) = plan
            .node_of(need.def)?
            .and_then(|node| around(node, kinds, 6))
        else {
            let message = format!(
                "The import of `{}` has a form that is not copied.",
                need.name
            );
            return plan.refuse(RefusalKind::Unsupported, message, [(plan.of.old, need.at)]);
        };
        let stays = is_used_outside(
            plan.resolver,
            plan.of.old,
            &need.name,
            &plan.stretches,
            need.def,
        );
        match found.iter_mut().find(|(other, _)| other.id() == node.id()) {
            Some((_, other)) => *other |= stays,
            None => found.push((node, stays)),
        }
    }
    found.sort_by_key(|(node, _)| node.start_byte());
    Ok(found)
}

/// Notes the declarations of Go that move because they stand in the same statement, or are methods.
fn note_others(plan: &mut MovePlan<'_, '_>) {
    let (resolver, old) = (plan.resolver, plan.of.old);
    let own = plan.of.symbol.first();
    let mut moved = resolver.definitions_in(old);
    moved.retain(|def| {
        let place = resolver.place(*def);
        Some(def) != own
            && resolver.name(*def) != "_"
            && crate::moving::outgoing::is_at_top(resolver, *def)
            && place.is_some_and(|at| plan.is_moved(at))
    });
    if !moved.is_empty() {
        let names = moved.iter().map(|def| format!("`{}`", resolver.name(*def)));
        let names: Vec<String> = names.collect();
        plan.notes.push(format!(
            "With it moves what belongs to it: {}.",
            names.join(", ")
        ));
    }
}

fn go(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    note_others(plan);
    let (tree, text) = (plan.tree(old)?, plan.text(old)?);
    let end = plan.line_end();
    let specs = used_imports(plan, &["import_spec"])?;
    for declaration in top_level(tree, &["import_declaration"]) {
        let all = descendants(declaration, |node| node.kind() != "import_spec");
        let all: Vec<Node<'_>> = all
            .into_iter()
            .filter(|node| node.kind() == "import_spec")
            .collect();
        if let Some(dot) = all
            .iter()
            .find(|node| text_of(**node, text).starts_with('.'))
        {
            let message = "The names of an import stand in its file without a package.";
            return plan.refuse(
                RefusalKind::Unsupported,
                message,
                [(old, dot.start_byte() as u32)],
            );
        }
        let goes = |node: &&Node<'_>| {
            specs
                .iter()
                .any(|(spec, stays)| spec.id() == node.id() && !stays)
        };
        let gone: Vec<&Node<'_>> = all.iter().filter(goes).collect();
        if gone.len() == all.len() && !all.is_empty() {
            let range = with_line_before(whole_lines(declaration, text), text);
            plan.remove_statement(old, range);
        } else {
            for spec in gone {
                let range = whole_lines(*spec, text);
                plan.rewrite(old).remove(range);
            }
        }
    }
    let package = top_level(tree, &["package_clause"]);
    let package = package.first().map(|node| text_of(*node, text).to_owned());
    let Some(package) = package else {
        return plan.refuse(
            RefusalKind::Unsupported,
            "Its file has no package.",
            [(old, 0)],
        );
    };
    let written: Vec<String> = specs
        .iter()
        .map(|(spec, _)| text_of(*spec, text).to_owned())
        .collect();
    if plan.of.target.exists {
        let target = plan.of.target.file;
        let (there, target_text) = (plan.tree(target)?, plan.text(target)?);
        let other = top_level(there, &["package_clause"]);
        if other.first().map(|node| text_of(*node, target_text)) != Some(&package) {
            let message = "The file is of another package.";
            return plan.refuse(RefusalKind::Unsupported, message, [(target, 0)]);
        }
        let has: Vec<&str> = top_level(there, &["import_declaration"])
            .into_iter()
            .flat_map(|node| descendants(node, |node| node.kind() != "import_spec"))
            .filter(|node| node.kind() == "import_spec")
            .map(|node| text_of(node, target_text))
            .collect();
        let missing = written.iter().filter(|spec| !has.contains(&spec.as_str()));
        let missing: Vec<&String> = missing.collect();
        let block = top_level(there, &["import_declaration"])
            .into_iter()
            .flat_map(|node| descendants(node, |node| node.kind() != "import_spec"))
            .rfind(|node| node.kind() == "import_spec_list" && node.named_child_count() > 0);
        if let Some(last) = block.and_then(|list| children(list).pop()) {
            let at = last.start_byte() as u32;
            let lines = missing.iter().map(|spec| format!("\t{spec}{end}"));
            let lines: String = lines.collect();
            if !lines.is_empty() {
                plan.rewrite(target).insert(at, vec![TextPart::Text(lines)]);
            }
            return Ok(());
        }
        let lines = match (missing.as_slice(), has.is_empty()) {
            ([], _) => return Ok(()),
            ([_, _, ..], true) => import_block(&missing, end),
            (several, _) => {
                let lines = several.iter().map(|spec| format!("import {spec}"));
                lines.collect::<Vec<_>>().join(end)
            }
        };
        let (kinds, gap): (&[&str], &str) = match has.is_empty() {
            true => (&["package_clause"], end),
            false => (&["import_declaration"], ""),
        };
        plan.insert_import(target, kinds, &format!("{gap}{lines}"));
        return Ok(());
    }
    let imports = match written.as_slice() {
        [] => String::new(),
        [only] => format!("import {only}{end}{end}"),
        all => format!("{}{end}{end}", import_block(all, end)),
    };
    let mut built = build_lines(text);
    if !built.is_empty() {
        built += end;
    }
    plan.head = format!("{built}{package}{end}{end}{imports}");
    Ok(())
}

/// Imports of Go as one declaration.
fn import_block(specs: &[impl AsRef<str>], end: &str) -> String {
    let lines = specs.iter().map(|spec| format!("\t{}{end}", spec.as_ref()));
    format!("import ({end}{})", lines.collect::<String>())
}

/// A stretch with the empty line before it, where there is one.
fn with_line_before(range: std::ops::Range<u32>, text: &str) -> std::ops::Range<u32> {
    let before = text.get(..range.start as usize).unwrap_or_default();
    let blank = ["\r\n\r\n", "\n\n"]
        .iter()
        .find(|end| before.ends_with(*end));
    let start = blank.map_or(range.start, |end| range.start - (end.len() / 2) as u32);
    start..range.end
}

fn java(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    let (tree, text) = (plan.tree(old)?, plan.text(old)?);
    let end = plan.line_end();
    let used = used_imports(plan, &["import_declaration"])?;
    // What is imported by `*` cannot be told apart, and stays.
    let imports: Vec<Node<'_>> = top_level(tree, &["import_declaration"])
        .into_iter()
        .filter(|node| {
            used.iter().any(|(other, _)| other.id() == node.id())
                || text_of(*node, text)
                    .trim_end_matches(';')
                    .trim_end()
                    .ends_with('*')
        })
        .collect();
    for (import, stays) in &used {
        let path = text_of(*import, text).trim_end_matches(';');
        let name = path.rsplit('.').next().unwrap_or_default().trim();
        if *stays || path.ends_with('*') || is_in_documentation(plan, name)? {
            continue;
        }
        let mut range = whole_lines(*import, text);
        let is_only = top_level(tree, &["import_declaration"]).len() == 1;
        if is_only {
            range = with_line_before(range, text);
        }
        plan.rewrite(old).remove(range);
    }
    let lines: Vec<String> = imports
        .iter()
        .map(|node| text_of(*node, text).to_owned())
        .collect();
    if plan.of.target.exists {
        let target = plan.of.target.file;
        let there = plan.text(target)?;
        let missing: Vec<String> = lines
            .into_iter()
            .filter(|line| !there.contains(line))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let has = !top_level(plan.tree(target)?, &["import_declaration"]).is_empty();
        let kinds: &[&str] = match has {
            true => &["import_declaration"],
            false => &["package_declaration"],
        };
        let gap = if has { "" } else { end };
        plan.insert_import(target, kinds, &format!("{gap}{}", missing.join(end)));
        return Ok(());
    }
    let package = top_level(tree, &["package_declaration"]);
    if let Some(package) = package.first() {
        plan.head += &format!("{}{end}{end}", text_of(*package, text));
    }
    if !lines.is_empty() {
        plan.head += &format!("{}{end}{end}", lines.join(end));
    }
    Ok(())
}

/// Whether what stays in the old file has a name in documentation.
fn is_in_documentation(plan: &MovePlan<'_, '_>, name: &str) -> Result<bool, Refusal> {
    let text = plan.text(plan.of.old)?;
    let words = crate::words::words_like(text, name).filter(|at| !plan.is_moved(*at));
    // The import itself has it once.
    Ok(words.count() > 1)
}

fn csharp(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let old = plan.of.old;
    let text = plan.text(old)?;
    let end = plan.line_end();
    if plan.of.target.exists {
        let message = "Declarations move to new files alone in this language.";
        return plan.refuse(
            RefusalKind::Unsupported,
            message,
            [(plan.of.target.file, 0)],
        );
    }
    let Some(holder) = plan.cuts.first().and_then(|cut| cut.statement.parent()) else {
        return Ok(());
    };
    if plan
        .cuts
        .iter()
        .any(|cut| cut.statement.parent().map(|node| node.id()) != Some(holder.id()))
    {
        let message = "Its parts stand in several namespaces.";
        return plan.refuse(RefusalKind::Unsupported, message, [(old, 0)]);
    }
    let usings = |node: Node<'_>| -> Vec<String> {
        let all = children(node).into_iter();
        all.filter(|node| matches!(node.kind(), "using_directive" | "extern_alias_directive"))
            .map(|node| text_of(node, text).to_owned())
            .filter(|line| !line.starts_with("global"))
            .collect()
    };
    let has_directive = children(plan.tree(old)?.root_node())
        .into_iter()
        .any(|node| {
            node.kind().starts_with("preproc") && text_of(node, text).starts_with("#nullable")
        });
    if has_directive {
        plan.head += &format!("#nullable enable{end}");
    }
    let outer = usings(plan.tree(old)?.root_node());
    if !outer.is_empty() {
        plan.head += &format!("{}{end}{end}", outer.join(end));
    }
    match holder.kind() {
        "compilation_unit" => {
            // A namespace for the whole file stands beside its declarations in some trees.
            let all = top_level(plan.tree(old)?, &["file_scoped_namespace_declaration"]);
            if let Some(namespace) = all.first() {
                let name = namespace.child_by_field_name("name");
                let name = name.map_or("", |name| text_of(name, text));
                plan.head += &format!("namespace {name};{end}{end}");
            }
            Ok(())
        }
        "file_scoped_namespace_declaration" => {
            let name = holder.child_by_field_name("name");
            let name = name.map_or("", |name| text_of(name, text));
            plan.head += &format!("namespace {name};{end}{end}");
            let inner = usings(holder);
            if !inner.is_empty() {
                plan.head += &format!("{}{end}{end}", inner.join(end));
            }
            Ok(())
        }
        _ => {
            let namespace = holder.parent();
            let is_outermost = namespace
                .and_then(|node| node.parent())
                .is_some_and(|node| node.kind() == "compilation_unit");
            let name = namespace.and_then(|node| node.child_by_field_name("name"));
            let Some(name) = name.filter(|_| is_outermost) else {
                let message = "It stands in a namespace in another one.";
                let at = holder.start_byte() as u32;
                return plan.refuse(RefusalKind::Unsupported, message, [(old, at)]);
            };
            let name = text_of(name, text);
            plan.head += &format!("namespace {name}{end}{{{end}");
            for line in usings(holder) {
                plan.head += &format!("    {line}{end}");
            }
            plan.tail = format!("}}{end}");
            Ok(())
        }
    }
}
