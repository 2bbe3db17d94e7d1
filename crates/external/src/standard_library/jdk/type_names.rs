//! How a source names the types of other files: by imports, and in full where a simple name means another type.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::ClassSource;
use super::class_file::NestedClass;

/// Types nested deeper are none that a person wrote.
const MAX_NESTING: usize = 16;
/// What Java keeps for itself: an obfuscated class may have such a name, a source may not.
const KEYWORDS: &[&str] = &[
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Whether a name of a class file can stand in a source.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    let starts = |character: char| character.is_alphabetic() || matches!(character, '_' | '$');
    characters.next().is_some_and(starts)
        && characters.all(|character| starts(character) || character.is_alphanumeric())
        && !KEYWORDS.contains(&name)
}

/// The names of one file.
pub(super) struct TypeNames<'s> {
    source: &'s dyn ClassSource,
    /// The file's top-level type, which is nested in nothing whatever a class file says.
    top: String,
    /// The file's package, with `/`.
    package: String,
    /// Nested types that class files mention: the class around, and the simple name.
    nested: FxHashMap<String, (String, String)>,
    /// What each simple name means in the file.
    meanings: FxHashMap<String, String>,
    /// Imported types by what the import says.
    imports: BTreeMap<String, ()>,
}

impl<'s> TypeNames<'s> {
    /// The names of a file with this top-level type.
    pub(super) fn new(source: &'s dyn ClassSource, name: &str) -> Self {
        let (package, simple) = name.rsplit_once('/').unwrap_or(("", name));
        Self {
            source,
            top: name.to_owned(),
            package: package.to_owned(),
            nested: FxHashMap::default(),
            meanings: FxHashMap::from_iter([(simple.to_owned(), name.to_owned())]),
            imports: BTreeMap::new(),
        }
    }

    /// Takes in which types are nested in which.
    pub(super) fn add_nested(&mut self, rows: &[NestedClass<'_>]) {
        for row in rows.iter().filter(|row| row.name != self.top) {
            let place = || (row.outer.to_owned(), row.simple_name.to_owned());
            self.nested.entry(row.name.to_owned()).or_insert_with(place);
        }
    }

    /// Says that the file declares a nested type: its simple name means that one, inside.
    pub(super) fn declare(&mut self, simple: &str, name: &str) {
        self.meanings
            .entry(simple.to_owned())
            .or_insert_with(|| name.to_owned());
    }

    /// The imports, in order.
    pub(super) fn imports(&self) -> impl Iterator<Item = &str> {
        self.imports.keys().map(String::as_str)
    }

    /// How the file names a type; `None` if no source can.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let mut inner = Vec::new();
        let mut top = name;
        while let Some((outer, simple)) = self.nested.get(top) {
            if inner.len() == MAX_NESTING || !is_identifier(simple) {
                return None;
            }
            inner.push(simple.as_str());
            top = outer;
        }
        let suffix: String = inner
            .iter()
            .rev()
            .flat_map(|simple| [".", simple])
            .collect();
        let top = top.to_owned();
        Some(self.top_level(&top)? + &suffix)
    }

    fn top_level(&mut self, name: &str) -> Option<String> {
        if !name.split('/').all(is_identifier) {
            return None;
        }
        let Some((package, simple)) = name.rsplit_once('/') else {
            return Some(name.to_owned());
        };
        let qualified = || name.replace('/', ".");
        if let Some(meaning) = self.meanings.get(simple) {
            return Some(if meaning == name {
                simple.to_owned()
            } else {
                qualified()
            });
        }
        if package == "java/lang" && package != self.package {
            let neighbour = format!("{}/{simple}", self.package);
            if self.source.contains(&neighbour) {
                return Some(qualified());
            }
        } else if package != self.package {
            self.imports.insert(qualified(), ());
        }
        self.meanings.insert(simple.to_owned(), name.to_owned());
        Some(simple.to_owned())
    }
}
