//! Imports whose name the code does not have.

use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Role, flag};
use codecortex_resolve::{DefRef, FileNo, Resolver};
use rustc_hash::FxHashSet;
use tree_sitter::Tree;

use crate::imports::blocks::{kinds, statement_range};
use crate::rewrite::RewrittenFile;
use crate::structure::import_deletion;
use crate::tree::{children, descendants, text_of, tree_of};
use crate::words::{WordHolder, WordHolders, is_word_letter, words_like};

/// Adds the deletion of imports that a change of a file leaves unused, with a sentence for each. Imports that are unused
/// already stay.
pub(crate) fn drop_unused(
    resolver: &Resolver<'_>,
    done: &mut RewrittenFile,
    text: &str,
) -> Vec<String> {
    let file = done.change.file;
    let path = resolver.workspace().path(file).unwrap_or_default();
    let after = done.change.apply(text);
    let (Some(before), Some(tree)) = (tree_of(path, text), tree_of(path, &after)) else {
        return Vec::new();
    };
    let known = unused_imports(resolver, file, text, &before);
    let imports = imports_of(resolver, file, text, &before);
    let code = CodeWords::new(resolver, (file, &after), &tree, None);
    let mut notes = Vec::new();
    for (at, alias) in imports {
        let name = resolver.name(alias);
        let is_unused = !code.has(name, import_line(text, at))
            && may_go(resolver, alias, (text, at))
            && !known.iter().any(|(of, _)| *of == at);
        let edit = match is_unused {
            true => import_deletion((path, text), at),
            false => None,
        };
        if edit.is_some_and(|edit| done.add_deletion(edit)) {
            notes.push(format!("The import of `{name}` is not used any more."));
        }
    }
    notes
}

/// The imports of a file that nothing uses: the place and the name of each, in the order of the text. An import whose use
/// cannot be excluded is none of them.
pub(super) fn unused_imports(
    resolver: &Resolver<'_>,
    file: FileNo,
    text: &str,
    tree: &Tree,
) -> Vec<(u32, String)> {
    let bound = resolver.workspace().file(file);
    let links = bound.iter().flat_map(|bound| bound.uses());
    let links = links.filter(|(.., role)| *role == Role::Doc);
    let links: FxHashSet<u32> = links.map(|(_, _, at, _)| at).collect();
    let code = CodeWords::new(resolver, (file, text), tree, Some(links));
    let imports = imports_of(resolver, file, text, tree).into_iter();
    let unused = imports.filter(|(at, alias)| {
        let name = resolver.name(*alias);
        !code.has(name, import_line(text, *at)) && may_go(resolver, *alias, (text, *at))
    });
    let unused = unused.map(|(at, alias)| (at, resolver.name(alias).to_owned()));
    unused.collect()
}

/// The names that the imports of a file give, by their place. Files that give their imports out have none.
fn imports_of(
    resolver: &Resolver<'_>,
    file: FileNo,
    text: &str,
    tree: &Tree,
) -> Vec<(u32, DefRef)> {
    let workspace = resolver.workspace();
    let (Some(bound), Some(dialect)) = (workspace.file(file), resolver.dialect(file)) else {
        return Vec::new();
    };
    if gives_imports_out(workspace.path(file).unwrap_or_default()) {
        return Vec::new();
    }
    let ranges = import_ranges(dialect, text, tree);
    let mut imports = Vec::new();
    for def in bound.named_defs() {
        let found = bound.def(def);
        let is_import = found.kind == DefKind::Alias
            && found.flags & flag::UNWRITTEN == 0
            && ranges.iter().any(|range| range.contains(&found.at));
        if is_import {
            imports.push((found.at, DefRef { file, def }));
        }
    }
    imports.sort_unstable_by_key(|(at, _)| *at);
    imports.dedup_by_key(|(at, _)| *at);
    imports
}

/// The bytes of all import statements, wherever they stand.
fn import_ranges(dialect: Dialect, text: &str, tree: &Tree) -> Vec<Range<u32>> {
    let kinds = kinds(dialect).unwrap_or_default();
    let all = descendants(tree.root_node(), |node| !kinds.contains(&node.kind()));
    let imports = all.into_iter().filter(|node| kinds.contains(&node.kind()));
    imports.map(|node| statement_range(node, text)).collect()
}

/// The rest of the line that an import stands in.
fn import_line(text: &str, at: u32) -> &str {
    let rest = text.get(at as usize..).unwrap_or_default();
    rest.lines().next().unwrap_or_default()
}

/// Whether an import that the code does not name can go.
fn may_go(resolver: &Resolver<'_>, alias: DefRef, (text, at): (&str, u32)) -> bool {
    is_sure(resolver, alias)
        && !is_given_on(resolver, alias)
        && !is_written_twice(text, at, resolver.name(alias))
}

/// Whether others import from a file what it imports.
fn gives_imports_out(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("__init__.") || name.ends_with(".pyi") || name.ends_with(".d.ts")
}

/// The words of a file outside of its imports.
struct CodeWords<'c> {
    text: &'c str,
    dialect: Option<Dialect>,
    holders: WordHolders,
    imports: Vec<Range<u32>>,
    /// Links in documentation; where they are not known, every word of a comment may be one.
    links: Option<FxHashSet<u32>>,
}

impl<'c> CodeWords<'c> {
    fn new(
        resolver: &Resolver<'_>,
        (file, text): (FileNo, &'c str),
        tree: &Tree,
        links: Option<FxHashSet<u32>>,
    ) -> Self {
        let path = resolver.workspace().path(file).unwrap_or_default();
        let dialect = resolver.dialect(file);
        let imports = dialect.map(|dialect| import_ranges(dialect, text, tree));
        Self {
            text,
            dialect,
            holders: WordHolders::new(path, text),
            imports: imports.unwrap_or_default(),
            links,
        }
    }

    /// Whether the code may mean an import of this name, which stands in such a line.
    fn has(&self, name: &str, line: &str) -> bool {
        match self.dialect {
            // A package may have another name than its path: any part of the path may be it.
            Some(Dialect::Go) => {
                let parts = line.split(|letter| !is_word_letter(letter));
                let mut parts = parts.chain([name]).filter(|part| !part.is_empty());
                parts.any(|part| matches!(part, "_" | "C") || self.has_word(part))
            }
            // What elements of JSX become is said outside of the file.
            Some(Dialect::TypeScript | Dialect::JavaScript) => {
                let has_elements = || ["/>", "</"].iter().any(|end| self.text.contains(end));
                self.has_word(name) || name == JSX_FACTORY && has_elements()
            }
            _ => self.has_word(name),
        }
    }

    fn has_word(&self, name: &str) -> bool {
        let is_imported = |at: &u32| self.imports.iter().any(|range| range.contains(at));
        let mut words = words_like(self.text, name).filter(|at| !is_imported(at));
        words.any(|at| match self.holders.holder_of(at) {
            WordHolder::Comment => self
                .links
                .as_ref()
                .is_none_or(|links| links.contains(&at) || at > 0 && links.contains(&(at - 1))),
            // An annotation or a list of names may be written in a string.
            _ => true,
        })
    }
}

/// What JSX elements call where nothing else is set.
const JSX_FACTORY: &str = "React";

/// Whether an import that the code does not name has no other effect. The methods of a trait are called without its name,
/// so it must be known what a Rust import is.
fn is_sure(resolver: &Resolver<'_>, alias: DefRef) -> bool {
    if resolver.dialect(alias.file) != Some(Dialect::Rust) {
        return true;
    }
    let ends = resolver.without_aliases(vec![alias]);
    let is_plain = |def: &DefRef| {
        let kind = resolver.kind(*def);
        kind.is_some_and(|kind| {
            !matches!(
                kind,
                DefKind::Trait | DefKind::Alias | DefKind::Macro | DefKind::Module
            )
        })
    };
    !ends.is_empty() && ends.iter().all(is_plain)
}

/// Whether another file uses an import of this one, or it is public.
fn is_given_on(resolver: &Resolver<'_>, alias: DefRef) -> bool {
    let references = resolver.references_of(&[alias]);
    references
        .iter()
        .any(|reference| reference.file != alias.file)
}

/// `a as a` says that the name is given on.
fn is_written_twice(text: &str, at: u32, name: &str) -> bool {
    let before = text.get(..at as usize).unwrap_or_default();
    before
        .trim_end()
        .strip_suffix(" as")
        .is_some_and(|before| before.trim_end().ends_with(name))
}

/// A statement without the name at a byte; an empty text where it has no other. None where it cannot go.
pub(super) fn without(path: &str, statement: &str, at: u32) -> Option<String> {
    let is_go = path.ends_with(".go");
    if is_go {
        return Some(String::new()); // a line of a list
    }
    // A file that gives its imports out was left out before.
    let ending = path.rsplit('.').next().unwrap_or_default();
    let edit = import_deletion((&format!("a.{ending}"), statement), at)?;
    let mut left = statement.to_owned();
    left.replace_range(edit.range(), &edit.text);
    let tree = tree_of(path, &left)?;
    let has_name = children(tree.root_node())
        .iter()
        .any(|node| !text_of(*node, &left).trim().is_empty());
    (!tree.root_node().has_error() || !has_name).then_some(left)
}
