//! Inline: a variable or function goes, and what it stands for stands at its uses.

mod function;
mod uses;
mod value;
mod variable;

use std::slice;

use codecortex_bind::Dialect;
use codecortex_bind::facts::DefKind;
use codecortex_resolve::{DefRef, FileNo, Resolver};
use tree_sitter::Tree;

use crate::extract::forms::{SyntaxForms, forms_of};
use crate::imports::drop_unused;
use crate::located_edit::LocatedEdit;
use crate::refusal::{Refusal, RefusalKind};
use crate::rename::{RenameTexts, subject};
use crate::rewrite::TextRewrite;
use crate::source_change::{KeptPieces, SourceChange};
use crate::tree::need_tree;

/// A variable or function that is inlined.
#[derive(Clone, Debug)]
pub struct Inline {
    def: DefRef,
    name: String,
    is_function: bool,
    /// The only use that is replaced, where it was pointed at: the declaration stays.
    only: Option<u32>,
}

impl Inline {
    /// What is named at a byte: at its declaration with all uses, a call of a function alone.
    ///
    /// # Errors
    /// Why it is not inlined.
    pub fn at_place(resolver: &Resolver<'_>, (file, byte): (FileNo, u32)) -> Result<Self, Refusal> {
        let defs = subject::definitions_at(resolver, file, byte)?;
        let mut inline = Self::of(resolver, &defs)?;
        let (used, _) = resolver.at(file, byte);
        let bound = resolver.workspace().file(file);
        let at = bound
            .zip(used)
            .and_then(|(bound, expr)| Some(bound.expr(expr).written()?.1));
        let place = at.filter(|at| resolver.place(inline.def) != Some(*at) && inline.is_function);
        if place.is_some() && inline.def.file != file {
            let message = format!("`{}` is declared in another file.", inline.name);
            return Err(Refusal::new(RefusalKind::Unsupported, message).at([(file, byte)]));
        }
        inline.only = place;
        Ok(inline)
    }

    /// The declarations of one symbol, with all uses.
    ///
    /// # Errors
    /// Why it is not inlined.
    pub fn of(resolver: &Resolver<'_>, defs: &[DefRef]) -> Result<Self, Refusal> {
        let refuse = |message: String, place: Option<(FileNo, u32)>| {
            Err(Refusal::new(RefusalKind::Unsupported, message).at(place))
        };
        let Some(def) = defs.first().copied() else {
            return refuse("Nothing is named there.".to_owned(), None);
        };
        let name = resolver.name(def).to_owned();
        let place = resolver.place(def).map(|at| (def.file, at));
        if resolver.workspace().is_external(def.file) {
            return refuse(
                format!("`{name}` is declared outside of the workspace."),
                place,
            );
        }
        if resolver.symbol(def).iter().any(|other| *other != def) {
            return refuse(
                format!("`{name}` is declared or assigned at several places."),
                place,
            );
        }
        let is_function = match resolver.kind(def) {
            Some(DefKind::Variable | DefKind::Constant) => false,
            Some(DefKind::Function) => true,
            _ => return refuse(format!("`{name}` is no variable and no function."), place),
        };
        Ok(Self {
            def,
            name,
            is_function,
            only: None,
        })
    }

    /// The name of what is inlined.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl LocatedEdit for Inline {
    fn files(&self) -> &[FileNo] {
        slice::from_ref(&self.def.file)
    }

    fn names(&self) -> [&str; 2] {
        [&self.name, &self.name]
    }

    fn plan(&self, resolver: &Resolver<'_>, texts: &RenameTexts) -> Result<SourceChange, Refusal> {
        let file = self.def.file;
        let text = texts.get(&file).map_or("", String::as_str);
        let (dialect, path) = (resolver.dialect(file), resolver.workspace().path(file));
        let forms = dialect.and_then(forms_of);
        let (Some(dialect), Some(path), Some(forms)) = (dialect, path, forms) else {
            let message = "Code of this language is not inlined yet.";
            return Err(Refusal::new(RefusalKind::Unsupported, message));
        };
        let tree = need_tree(path, text)?;
        let code = InlinedCode {
            inline: self,
            resolver,
            dialect,
            forms,
            text,
            tree: &tree,
        };
        let rewrite = match self.is_function {
            true => function::plan(&code)?,
            false => variable::plan(&code)?,
        };
        let mut done = rewrite.finish(file, text)?;
        let dropped = drop_unused(resolver, &mut done, text);
        let written = done.written.into_iter();
        Ok(SourceChange {
            files: vec![done.change],
            kept: KeptPieces::new(done.kept),
            drops_replaced: true,
            replaces_imports: !dropped.is_empty(),
            notes: dropped,
            written: written.map(|range| (file, range)).collect(),
            ..SourceChange::default()
        })
    }
}

/// What is inlined, with the text that it is in.
struct InlinedCode<'c, 'w> {
    inline: &'c Inline,
    resolver: &'c Resolver<'w>,
    dialect: Dialect,
    forms: &'static SyntaxForms,
    text: &'c str,
    tree: &'c Tree,
}

impl InlinedCode<'_, '_> {
    fn refuse<T>(
        &self,
        kind: RefusalKind,
        message: impl Into<String>,
        at: usize,
    ) -> Result<T, Refusal> {
        Err(Refusal::new(kind, message).at([(self.inline.def.file, at as u32)]))
    }

    /// Takes a statement with its line, and the blank line that would be doubled.
    fn remove_statement(&self, rewrite: &mut TextRewrite, range: std::ops::Range<usize>) {
        let before = self.text.get(..range.start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let is_first = before.get(line..).is_some_and(|of| of.trim().is_empty());
        let rest = self.text.get(range.end..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', ';']).len();
        let behind = rest.get(blank..).unwrap_or_default();
        let end = match (
            is_first,
            behind.starts_with("\r\n"),
            behind.starts_with('\n'),
        ) {
            (true, true, _) => range.end + blank + 2,
            (true, _, true) => range.end + blank + 1,
            _ => range.end + blank,
        };
        let start = if is_first && end > range.end + blank {
            line
        } else {
            range.start
        };
        rewrite.remove(start as u32..end as u32);
    }
}
