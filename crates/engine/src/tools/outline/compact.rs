//! The form with the fewest tokens that still says names, kinds and signatures.
//!
//! What is below one declaration is put together by kind and visibility, so that neither is said twice:
//!
//! ```text
//! partial class Memo.Core.NodeStore : Base, IStore
//! method:
//! void Add(int id)
//! private field:
//! int count
//! ```
//!
//! What a declaration contains follows it, one space further in. Types say what they are themselves.
//! Lines, documentation and what is local to bodies are left out.

use codecortex_syntax::Visibility;

use crate::tools::outline::data::Declaration;
use crate::tools::outline::text::{Body, OutlineText};
use crate::tools::outline::tree::OutlineTree;

/// The compact form of an outline.
pub(super) fn compact_text(tree: &OutlineTree) -> OutlineText {
    // Below a symbol's own line nothing needs to be further in.
    let outermost = u8::from(tree.resolved.is_some());
    let mut pieces = lines(&tree.declarations, outermost);
    let head = match &tree.resolved {
        // A type's own line names it by its path and stays when the rest is cut.
        Some(resolved) if !pieces.is_empty() && tree.declarations[0].depth == 0 => {
            let first = pieces.remove(0);
            let name = tree.declarations[0].name.as_str();
            with_path(&first, name, &resolved.path)
        }
        Some(_) => String::new(),
        None => format!("{}\n", tree.location.file_path),
    };
    OutlineText {
        resolved: tree.resolved.clone(),
        location: tree.location.clone(),
        language: tree.language,
        encoding: tree.encoding,
        syntax_errors: tree.syntax_errors,
        body: Body::Pieces { head, pieces },
        start: 0,
        revision: tree.revision,
        unsaved: tree.unsaved,
    }
}

/// A declaration's line with its path in the place of its name.
fn with_path(line: &str, name: &str, path: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = line.match_indices(name).find(|(at, _)| {
        !line[..*at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part)
    });
    match whole {
        Some((at, _)) if !name.is_empty() => {
            format!("{}{path}{}", &line[..at], &line[at + name.len()..])
        }
        _ => format!("{path}: {line}"),
    }
}

/// The lines of declarations in groups; the first of a group has the group's name above it. Down to the
/// depth of `outermost` they are not indented.
fn lines(declarations: &[Declaration], outermost: u8) -> Vec<String> {
    let inside = children(declarations);
    let mut out = Vec::new();
    // Declarations still to be written, the next one last, with what stands above it.
    let mut waiting: Vec<(usize, String)> = Vec::new();
    let push = |waiting: &mut Vec<(usize, String)>, group: &[usize]| {
        let grouped = grouped(declarations, group);
        waiting.extend(grouped.into_iter().rev());
    };
    push(&mut waiting, &inside[declarations.len()]);
    while let Some((index, above)) = waiting.pop() {
        let declaration = &declarations[index];
        let indent = " ".repeat(declaration.depth.saturating_sub(outermost).into());
        let above = match above.is_empty() {
            true => above,
            false => format!("{indent}{above}:\n"),
        };
        out.push(format!("{above}{indent}{}\n", written(declaration)));
        push(&mut waiting, &inside[index]);
    }
    out
}

/// What is directly inside each declaration; those that are in none come last.
fn children(declarations: &[Declaration]) -> Vec<Vec<usize>> {
    let mut inside = vec![Vec::new(); declarations.len() + 1];
    let mut around: Vec<usize> = Vec::new();
    for (index, declaration) in declarations.iter().enumerate() {
        while around
            .last()
            .is_some_and(|last| declarations[*last].depth >= declaration.depth)
        {
            around.pop();
        }
        if declaration.is_local {
            continue;
        }
        inside[around.last().copied().unwrap_or(declarations.len())].push(index);
        around.push(index);
    }
    inside
}

/// Declarations by group, each with what stands above it: the group's name where it begins.
fn grouped(declarations: &[Declaration], siblings: &[usize]) -> Vec<(usize, String)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for index in siblings {
        let name = group(&declarations[*index]);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(*index),
            None => groups.push((name, vec![*index])),
        }
    }
    // What needs no name above it would seem to belong to the group before it.
    groups.sort_by_key(|(name, _)| !name.is_empty());
    let mut out = Vec::new();
    for (name, group) in groups {
        for (place, index) in group.into_iter().enumerate() {
            let above = if place == 0 {
                name.clone()
            } else {
                String::new()
            };
            out.push((index, above));
        }
    }
    out
}

/// Kind and visibility, as far as the line itself does not say them.
fn group(declaration: &Declaration) -> String {
    let says_it = |signature| says_kind(signature, declaration.kind);
    // What is in an enum is its members.
    let is_said = declaration.signature.as_deref().is_some_and(says_it)
        || (declaration.kind == "enumMember" && declaration.depth > 0);
    match (is_said, declaration.visibility) {
        (true, _) => String::new(),
        (false, Visibility::Public) => declaration.kind.to_owned(),
        (false, visibility) => format!("{} {}", visibility.as_str(), declaration.kind),
    }
}

/// Whether a word before the name says what is declared, as `class` and `enum` do in every language.
fn says_kind(signature: &str, kind: &str) -> bool {
    let keyword = match kind {
        "extension" => "impl",
        "typeAlias" => "type",
        "module" => "mod",
        kind => kind,
    };
    let mut words = signature.split([' ', '(']);
    words.any(|word| word == keyword)
        && !matches!(
            kind,
            "method" | "function" | "field" | "property" | "variable" | "constant"
        )
}

/// The signature without the word for its visibility where the group says it.
fn written(declaration: &Declaration) -> &str {
    let Some(signature) = declaration.signature.as_deref() else {
        return &declaration.name;
    };
    let words: &[&str] = match declaration.visibility {
        Visibility::Public => &["public ", "pub ", "export "],
        Visibility::Protected => &["protected "],
        Visibility::Internal => &["internal ", "pub(crate) "],
        Visibility::Private => &["private "],
    };
    if group(declaration).is_empty() && declaration.visibility != Visibility::Public {
        return signature;
    }
    words
        .iter()
        .find_map(|word| signature.strip_prefix(word))
        .filter(|rest| {
            !["private ", "internal "]
                .iter()
                .any(|word| rest.starts_with(word))
        })
        .unwrap_or(signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_takes_the_place_of_the_name() {
        for (line, name, path, expected) in [
            ("class A : AB\n", "A", "N.A", "class N.A : AB\n"),
            ("class AB<A>\n", "A", "N.A", "class AB<N.A>\n"),
            ("def f(x)\n", "g", "m.g", "m.g: def f(x)\n"),
            ("\n", "", "m", "m: \n"),
        ] {
            assert_eq!(with_path(line, name, path), expected);
        }
    }
}
