//! Move: a declaration at the top of a file to another file, new or there, with the imports on both sides and in every file
//! that imports it.

mod circles;
mod cut;
mod dotted_name;
mod dotted_words;
mod incoming;
mod late_imports;
mod outgoing;
mod package;
mod paths;
mod plan;
mod python;
mod script;
mod statements;

pub use dotted_name::DottedName;
pub(crate) use statements::line_end;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, NONE};
use codecortex_resolve::{ConfidenceTier, DefRef, FileNo, Reference, Resolver};

use crate::located_edit::LocatedEdit;
use crate::refusal::{Refusal, RefusalKind};
use crate::rename::{RenameTexts, subject};
use crate::source_change::SourceChange;

/// The file that a declaration moves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTarget {
    /// Its path as the workspace has it.
    pub path: String,
    /// Its path below its workspace folder.
    pub path_in_folder: String,
    /// Its number; of a new file one that no file has.
    pub file: FileNo,
    /// Whether it is there.
    pub exists: bool,
}

/// What a caller wants of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveOptions {
    /// Whether the old file gives the declaration out again, and importers stay.
    pub re_exports: bool,
    /// Whether comments that write the name with its module change too.
    pub comments: bool,
    /// Whether strings do.
    pub strings: bool,
}

impl MoveOptions {
    /// Whether words of texts change too.
    #[must_use]
    pub fn has_texts(&self) -> bool {
        self.comments || self.strings
    }
}

/// A move whose places are known, before any text was looked at.
#[derive(Clone, Debug)]
pub struct MoveDeclaration {
    /// The declarations of the symbol.
    symbol: Vec<DefRef>,
    name: String,
    kind: DefKind,
    /// The file that it is in.
    old: FileNo,
    target: MoveTarget,
    options: MoveOptions,
    references: Vec<Reference>,
    /// Where other files import the old one as a whole.
    module_imports: Vec<(FileNo, u32)>,
    files: Vec<FileNo>,
}

impl MoveDeclaration {
    /// Finds the places of a move of what is named at a byte.
    ///
    /// # Errors
    /// Why it is not moved.
    pub fn at_place(
        resolver: &Resolver<'_>,
        (file, byte): (FileNo, u32),
        target: MoveTarget,
        options: MoveOptions,
    ) -> Result<Self, Refusal> {
        let defs = subject::definitions_at(resolver, file, byte)?;
        Self::of(resolver, &defs, target, options)
    }

    /// Finds the places of a move of declarations of one symbol.
    ///
    /// # Errors
    /// Why they are not moved.
    pub fn of(
        resolver: &Resolver<'_>,
        defs: &[DefRef],
        target: MoveTarget,
        options: MoveOptions,
    ) -> Result<Self, Refusal> {
        let first = *defs
            .first()
            .ok_or_else(|| Refusal::new(RefusalKind::Unsupported, "Nothing is named there."))?;
        let (symbol, kind) = symbol_of(resolver, first)?;
        check_target(resolver, first.file, &target)?;
        let name = resolver.name(first).to_owned();
        // Files of a package of Go see each other: no use is written in another way afterwards.
        let references = match resolver.dialect(first.file) {
            Some(Dialect::Go) => Vec::new(),
            _ => references_of(resolver, &symbol, &name)?,
        };
        let module_imports = resolver.imports_of_file(first.file);
        let mut files: Vec<FileNo> = references
            .iter()
            .map(|reference| reference.file)
            .chain(module_imports.iter().map(|(file, _)| *file))
            .chain([first.file])
            .chain(target.exists.then_some(target.file))
            .collect();
        files.sort_unstable();
        files.dedup();
        files.retain(|file| !resolver.workspace().is_external(*file));
        Ok(Self {
            symbol,
            name,
            kind,
            old: first.file,
            target,
            options,
            references,
            module_imports,
            files,
        })
    }

    /// The name of the declaration.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name with its module, before and afterwards; nothing in languages that do not write a declaration that way.
    #[must_use]
    pub fn dotted_name(&self, resolver: &Resolver<'_>) -> Option<DottedName> {
        let is_python = resolver.dialect(self.old) == Some(Dialect::Python);
        let old = resolver.workspace().path(self.old).filter(|_| is_python)?;
        let (old, new) = (
            paths::module_parts(old),
            paths::module_parts(&self.target.path),
        );
        Some(DottedName::new(&old, &new, &self.name))
    }
}

impl LocatedEdit for MoveDeclaration {
    fn files(&self) -> &[FileNo] {
        &self.files
    }

    fn names(&self) -> [&str; 2] {
        [&self.name, &self.name]
    }

    fn plan(&self, resolver: &Resolver<'_>, texts: &RenameTexts) -> Result<SourceChange, Refusal> {
        plan::plan(self, resolver, texts)
    }
}

/// The declarations that move together, which one file must have.
fn symbol_of(resolver: &Resolver<'_>, first: DefRef) -> Result<(Vec<DefRef>, DefKind), Refusal> {
    let at = resolver.place(first).unwrap_or_default();
    let refuse = |kind, message: String| Err(Refusal::new(kind, message).at([(first.file, at)]));
    let (Some(found), Some(dialect)) = (resolver.definition(first), resolver.dialect(first.file))
    else {
        return refuse(
            RefusalKind::Unsupported,
            "The file is not in the index.".to_owned(),
        );
    };
    let is_known = matches!(
        dialect,
        Dialect::TypeScript
            | Dialect::JavaScript
            | Dialect::Python
            | Dialect::Go
            | Dialect::Java
            | Dialect::CSharp
    );
    if !is_known {
        let message = "Declarations of this language are not moved yet.".to_owned();
        return refuse(RefusalKind::Unsupported, message);
    }
    let name = resolver.name(first);
    if resolver.workspace().is_external(first.file) {
        let message = format!("`{name}` is declared outside of the workspace.");
        return refuse(RefusalKind::Unsure, message);
    }
    let can_move = found.kind.is_type()
        || matches!(
            found.kind,
            DefKind::Function | DefKind::TypeAlias | DefKind::Variable | DefKind::Constant
        )
        // Its receiver says what it is a method of, wherever in the package it stands.
        || dialect == Dialect::Go && found.kind == DefKind::Method && found.container != NONE;
    if !can_move || !outgoing::is_at_top(resolver, first) {
        let message = format!("`{name}` is no declaration at the top of a file.");
        return refuse(RefusalKind::Unsupported, message);
    }
    let mut symbol = vec![first];
    symbol.extend(
        resolver
            .symbol(first)
            .into_iter()
            .filter(|def| *def != first && resolver.kind(*def) != Some(DefKind::Constructor)),
    );
    symbol.retain(|def| resolver.kind(*def) != Some(DefKind::Alias));
    symbol.retain(|def| outgoing::is_at_top(resolver, *def));
    if dialect == Dialect::Go {
        symbol.extend(methods_in_file(resolver, first));
        return Ok((symbol, found.kind));
    }
    if let Some(other) = symbol.iter().find(|def| def.file != first.file) {
        let path = resolver.workspace().path(other.file).unwrap_or_default();
        let message = format!("`{name}` is declared in {path} too.");
        let place = (other.file, resolver.place(*other).unwrap_or_default());
        return Err(Refusal::new(RefusalKind::Unsupported, message).at([place]));
    }
    Ok((symbol, found.kind))
}

/// The methods of a type of Go that its file has: they stay with it.
fn methods_in_file(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let mut methods = resolver.definitions_in(of.file);
    methods.retain(|def| {
        let is_method = resolver.kind(*def) == Some(DefKind::Method);
        is_method && outgoing::is_at_top(resolver, *def) && resolver.owner_of(*def) == Some(of)
    });
    methods
}

/// Refuses a target of another language, the same file, and names of files that mean something.
fn check_target(resolver: &Resolver<'_>, old: FileNo, target: &MoveTarget) -> Result<(), Refusal> {
    let workspace = resolver.workspace();
    let refuse = |message: String| Err(Refusal::new(RefusalKind::InvalidName, message));
    let old_path = workspace.path(old).unwrap_or_default();
    if target.path == old_path {
        let message = "It is in that file already.";
        return Err(Refusal::new(RefusalKind::NothingToDo, message));
    }
    let ending = |path: &str| {
        let name = paths::file_name(path);
        name.rfind('.').map(|dot| name[dot..].to_owned())
    };
    let (old_ending, new_ending) = (ending(old_path), ending(&target.path));
    let is_script = |ending: &Option<String>| matches!(ending.as_deref(), Some(".ts" | ".tsx"));
    if old_ending != new_ending
        && !(is_script(&old_ending) && new_ending.as_deref() == Some(".tsx"))
    {
        return refuse(format!(
            "`{}` is no file of the same language.",
            target.path
        ));
    }
    if target.path.ends_with(".d.ts") != old_path.ends_with(".d.ts") {
        return refuse("Declarations without code stay in files for them.".to_owned());
    }
    Ok(())
}

/// The uses of a symbol, or why nobody knows them all.
fn references_of(
    resolver: &Resolver<'_>,
    symbol: &[DefRef],
    name: &str,
) -> Result<Vec<Reference>, Refusal> {
    let references = resolver.references_of(symbol);
    // What is looked up in a value of unknown type is no declaration at the top of a file, except where modules are values.
    let unsure: Vec<(FileNo, u32)> = references
        .iter()
        .filter(|reference| reference.tier == ConfidenceTier::Name)
        .filter(|reference| {
            let bound = resolver.workspace().file(reference.file);
            let (used, _) = resolver.at(reference.file, reference.at);
            let expr = bound.zip(used).map(|(bound, expr)| bound.expr(expr));
            matches!(expr, Some(codecortex_bind::facts::Expr::Name { .. }))
        })
        .map(|reference| (reference.file, reference.at))
        .collect();
    if !unsure.is_empty() {
        let message = format!("It is not known whether uses of `{name}` mean it.");
        return Err(Refusal::new(RefusalKind::Unsure, message).at(unsure));
    }
    let sure = references.into_iter();
    Ok(sure
        .filter(|reference| reference.tier != ConfidenceTier::Name)
        .collect())
}
