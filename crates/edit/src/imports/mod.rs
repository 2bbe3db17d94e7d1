//! Organise imports: unused ones go, several of one module become one, and each block is sorted as the file sorts.

mod blocks;
mod join;
mod order;
mod unused;

use std::slice;

use codecortex_bind::Dialect;
use codecortex_resolve::{FileNo, Resolver};

use crate::imports::blocks::{ImportBlock, blocks_of};
use crate::imports::order::ImportOrder;
use crate::located_edit::LocatedEdit;
use crate::refusal::{Refusal, RefusalKind};
use crate::rename::RenameTexts;
use crate::source_change::{FileChange, SourceChange, TextEdit};
use crate::tree::need_tree;

pub(crate) use unused::drop_unused;
use unused::unused_imports;

/// The imports of one file, to be organised.
#[derive(Clone, Debug)]
pub struct OrganiseImports {
    file: FileNo,
    dialect: Dialect,
    path: String,
}

impl OrganiseImports {
    /// The imports at the top of a file.
    ///
    /// # Errors
    /// The language has no imports that are organised.
    pub fn in_file(resolver: &Resolver<'_>, file: FileNo) -> Result<Self, Refusal> {
        let (dialect, path) = (resolver.dialect(file), resolver.workspace().path(file));
        let dialect = dialect.filter(|dialect| blocks::kinds(*dialect).is_some());
        match (dialect, path) {
            (Some(dialect), Some(path)) => Ok(Self {
                file,
                dialect,
                path: path.to_owned(),
            }),
            _ => {
                let message = "Imports of this language are not organised.";
                Err(Refusal::new(RefusalKind::Unsupported, message))
            }
        }
    }
}

impl LocatedEdit for OrganiseImports {
    fn files(&self) -> &[FileNo] {
        slice::from_ref(&self.file)
    }

    fn names(&self) -> [&str; 2] {
        ["", ""]
    }

    fn plan(&self, resolver: &Resolver<'_>, texts: &RenameTexts) -> Result<SourceChange, Refusal> {
        let text = texts.get(&self.file).map_or("", String::as_str);
        let tree = need_tree(&self.path, text)?;
        let mut blocks = blocks_of(self.dialect, &tree, text);
        let unused = unused_imports(resolver, self.file, text, &tree);
        let mut notes = Vec::new();
        for block in &mut blocks {
            for removed in block.remove(&self.path, &unused) {
                notes.push(format!("`{removed}` is imported and not used."));
            }
            join::join(self.dialect, &self.path, &mut block.statements);
        }
        // The order is that of what is left: what goes says nothing of it.
        if let Some(order) = ImportOrder::found_in(&blocks) {
            for block in &mut blocks {
                order.sort(&mut block.statements);
            }
        }
        let edits = blocks.iter().filter_map(|block| block.edit(text));
        let edits: Vec<TextEdit> = edits.collect();
        if edits.is_empty() {
            let message = "The imports of the file are in order, and all may be used.";
            return Err(Refusal::new(RefusalKind::NothingToDo, message));
        }
        Ok(SourceChange {
            files: vec![FileChange {
                file: self.file,
                edits,
            }],
            notes,
            drops_replaced: true,
            replaces_imports: true,
            ..SourceChange::default()
        })
    }
}

impl ImportBlock {
    /// Takes unused names out; those that are gone.
    fn remove(&mut self, path: &str, unused: &[(u32, String)]) -> Vec<String> {
        let mut gone = Vec::new();
        for statement in self.statements.iter_mut().filter(|of| !of.is_pinned) {
            let inside = unused
                .iter()
                .filter(|(at, _)| statement.range.contains(at))
                .rev();
            for (at, name) in inside {
                // The names behind it went first, so its place is what it was.
                let place = at - statement.range.start;
                let Some(left) = unused::without(path, &statement.text, place) else {
                    continue;
                };
                statement.text = left;
                gone.push((*at, name.clone()));
            }
        }
        gone.sort();
        self.statements
            .retain(|statement| !statement.text.trim().is_empty());
        gone.into_iter().map(|(_, name)| name).collect()
    }
}
