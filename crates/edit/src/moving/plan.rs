//! From places to replacements: what goes from the old file, what stands in the new one, and the imports of both.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_resolve::{DefRef, FileNo, Resolver};
use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use crate::moving::circles::{ImportEdge, new_circle};
use crate::moving::cut::{DeclarationCut, with_empty_lines};
use crate::moving::outgoing::{OutgoingUse, outgoing};
use crate::moving::statements::{ImportPlace, import_place, line_end};
use crate::moving::{MoveDeclaration, dotted_words, package, python, script};
use crate::refusal::{Refusal, RefusalKind};
use crate::rename::RenameTexts;
use crate::rewrite::{RenderedText, TextPart, TextRewrite};
use crate::source_change::{CreatedFile, KeptPiece, KeptPieces, SourceChange, WordPlace};
use crate::tree::need_tree;

/// Plans the replacements of a move.
pub(super) fn plan(
    of: &MoveDeclaration,
    resolver: &Resolver<'_>,
    texts: &RenameTexts,
) -> Result<SourceChange, Refusal> {
    let mut trees: FxHashMap<FileNo, Tree> = FxHashMap::default();
    for file in &of.files {
        let path = resolver.workspace().path(*file).unwrap_or_default();
        let text = texts.get(file).ok_or_else(|| unreadable(path))?;
        trees.insert(*file, need_tree(path, text)?);
    }
    let path = resolver.workspace().path(of.old).unwrap_or_default();
    let (Some(tree), Some(text)) = (trees.get(&of.old), texts.get(&of.old)) else {
        return Err(unreadable(path));
    };
    let mut cuts: Vec<DeclarationCut<'_>> = Vec::new();
    for def in &of.symbol {
        let at = resolver.place(*def).unwrap_or_default();
        let cut = DeclarationCut::new(resolver, tree, text, (of.old, at))?;
        if !cuts.iter().any(|other| other.range == cut.range) {
            cuts.push(cut);
        }
    }
    cuts.sort_by_key(|cut| cut.range.start);
    let stretches: Vec<Range<u32>> = cuts.iter().map(|cut| cut.range.clone()).collect();
    let mut plan = MovePlan {
        of,
        resolver,
        texts,
        trees: &trees,
        needs: outgoing(resolver, of.old, &stretches),
        cuts,
        stretches,
        rewrites: BTreeMap::new(),
        moved: TextRewrite::default(),
        removed: Vec::new(),
        added_imports: Vec::new(),
        edges: BTreeSet::new(),
        head: String::new(),
        tail: String::new(),
        notes: Vec::new(),
        words: Vec::new(),
    };
    plan.check_target_names()?;
    plan.remove_declaration();
    match resolver.dialect(of.old) {
        Some(Dialect::TypeScript | Dialect::JavaScript) => script::plan(&mut plan)?,
        Some(Dialect::Python) => python::plan(&mut plan)?,
        _ => package::plan(&mut plan)?,
    }
    if let Some(circle) = new_circle(
        resolver,
        &plan.edges,
        (of.old, of.target.file, of.target.exists),
    ) {
        let name = |file: &FileNo| match *file == of.target.file {
            true => of.target.path.clone(),
            false => resolver
                .workspace()
                .path(*file)
                .unwrap_or_default()
                .to_owned(),
        };
        let files: Vec<String> = circle.iter().map(name).collect();
        let message = format!("The imports would make a circle: {}.", files.join(" -> "));
        let places = plan.needs.iter().map(|need| (of.old, need.at));
        return Err(Refusal::new(RefusalKind::Captured, message).at(places));
    }
    if of.options.has_texts() {
        dotted_words::change(&mut plan)?;
    }
    plan.finish()
}

fn unreadable(path: &str) -> Refusal {
    Refusal::new(RefusalKind::Unsure, format!("{path} cannot be read."))
}

/// A move that is being planned.
pub(super) struct MovePlan<'p, 'w> {
    pub(super) of: &'p MoveDeclaration,
    pub(super) resolver: &'p Resolver<'w>,
    pub(super) texts: &'p RenameTexts,
    trees: &'p FxHashMap<FileNo, Tree>,
    /// What the declaration uses of the rest of its file.
    pub(super) needs: Vec<OutgoingUse>,
    pub(super) cuts: Vec<DeclarationCut<'p>>,
    /// The bytes of the old file that move.
    pub(super) stretches: Vec<Range<u32>>,
    pub(super) rewrites: BTreeMap<FileNo, TextRewrite>,
    /// Replacements within what moves.
    pub(super) moved: TextRewrite,
    /// The bytes of statements that go.
    pub(super) removed: Vec<(FileNo, Range<u32>)>,
    /// Imports that files get: the file, its kinds of imports, and the lines.
    added_imports: Vec<(FileNo, &'static [&'static str], String)>,
    /// Imports that are loaded afterwards.
    pub(super) edges: BTreeSet<ImportEdge>,
    /// What stands before the declaration in a new file.
    pub(super) head: String,
    /// What stands behind it there.
    pub(super) tail: String,
    pub(super) notes: Vec<String>,
    /// Words of texts that change on request.
    pub(super) words: Vec<WordPlace>,
}

impl<'p> MovePlan<'p, '_> {
    pub(super) fn refuse<T>(
        &self,
        kind: RefusalKind,
        message: impl Into<String>,
        places: impl IntoIterator<Item = (FileNo, u32)>,
    ) -> Result<T, Refusal> {
        Err(Refusal::new(kind, message).at(places))
    }

    pub(super) fn text(&self, file: FileNo) -> Result<&'p str, Refusal> {
        let text = self.texts.get(&file).map(String::as_str);
        text.ok_or_else(|| unreadable(self.path(file)))
    }

    pub(super) fn tree(&self, file: FileNo) -> Result<&'p Tree, Refusal> {
        let tree = self.trees.get(&file);
        tree.ok_or_else(|| unreadable(self.path(file)))
    }

    /// The path of a file; of the target the one that it will have.
    pub(super) fn path(&self, file: FileNo) -> &'p str {
        match file == self.of.target.file {
            true => &self.of.target.path,
            false => self.resolver.workspace().path(file).unwrap_or_default(),
        }
    }

    pub(super) fn rewrite(&mut self, file: FileNo) -> &mut TextRewrite {
        self.rewrites.entry(file).or_default()
    }

    /// Whether a byte of the old file moves.
    pub(super) fn is_moved(&self, at: u32) -> bool {
        self.stretches.iter().any(|range| range.contains(&at))
    }

    /// The line end of the old file.
    pub(super) fn line_end(&self) -> &'static str {
        self.texts
            .get(&self.of.old)
            .map_or("\n", |text| line_end(text))
    }

    /// Refuses a name that the target has already.
    fn check_target_names(&self) -> Result<(), Refusal> {
        let target = &self.of.target;
        if !target.exists {
            return Ok(());
        }
        for def in self.named_in_target(&self.of.name) {
            let ends = self.resolver.without_aliases(vec![def]);
            let is_own = ends.iter().all(|end| self.of.symbol.contains(end));
            if !is_own || ends.is_empty() {
                let at = self.resolver.place(def).unwrap_or_default();
                let message = format!("{} has a `{}` already.", target.path, self.of.name);
                return self.refuse(RefusalKind::Taken, message, [(target.file, at)]);
            }
        }
        Ok(())
    }

    /// The definitions at the top of the target that have a name.
    pub(super) fn named_in_target(&self, name: &str) -> Vec<DefRef> {
        let file = self.of.target.file;
        let workspace = self.resolver.workspace();
        let Some((bound, local)) = workspace
            .file(file)
            .filter(|_| self.of.target.exists)
            .and_then(|bound| Some((bound, bound.local(workspace.name(name)?)?)))
        else {
            return Vec::new();
        };
        let defs = bound.defs_of(local).map(|def| DefRef { file, def });
        defs.filter(|def| super::outgoing::is_at_top(self.resolver, *def))
            .collect()
    }

    /// Takes the declaration from the old file, with the lines between its parts.
    fn remove_declaration(&mut self) {
        let Some(text) = self.texts.get(&self.of.old) else {
            return;
        };
        let mut joined: Vec<Range<u32>> = Vec::new();
        for range in &self.stretches {
            let is_next = joined.last().is_some_and(|last| {
                let gap = text.get(last.end as usize..range.start as usize);
                gap.is_some_and(|gap| gap.chars().all(char::is_whitespace))
            });
            match joined.last_mut().filter(|_| is_next) {
                Some(last) => last.end = range.end,
                None => joined.push(range.clone()),
            }
        }
        let old = self.of.old;
        for range in joined {
            let removed = with_empty_lines(text, range);
            self.remove_statement(old, removed);
        }
    }

    /// Takes a statement from a file.
    pub(super) fn remove_statement(&mut self, file: FileNo, range: Range<u32>) {
        self.removed.push((file, range.clone()));
        self.rewrite(file).remove(range);
    }

    /// Gives a file more imports, when it is known which of its statements stay. `kinds` are its statements of imports.
    pub(super) fn insert_import(
        &mut self,
        file: FileNo,
        kinds: &'static [&'static str],
        statement: &str,
    ) {
        self.added_imports.push((file, kinds, statement.to_owned()));
    }

    fn write_added_imports(&mut self) -> Result<(), Refusal> {
        for (file, kinds, statement) in std::mem::take(&mut self.added_imports) {
            let (tree, text) = (self.tree(file)?, self.text(file)?);
            let end = line_end(text);
            let removed = self.removed.iter().filter(|(of, _)| *of == file);
            let removed: Vec<Range<u32>> = removed.map(|(_, range)| range.clone()).collect();
            let has_imports = !super::statements::top_level(tree, kinds).is_empty();
            match import_place(tree, text, kinds, &removed) {
                ImportPlace::Behind(at) => {
                    let part = TextPart::Text(format!("{end}{statement}"));
                    self.rewrite(file).insert(at, vec![part]);
                }
                ImportPlace::Before(at) => {
                    let gap = if has_imports { "" } else { end };
                    let part = TextPart::Text(format!("{statement}{end}{gap}"));
                    self.rewrite(file).insert(at, vec![part]);
                }
            }
        }
        Ok(())
    }

    /// The node of the name of a definition.
    pub(super) fn node_of(&self, def: DefRef) -> Result<Option<Node<'p>>, Refusal> {
        let tree = self.tree(def.file)?;
        let at = self.resolver.place(def);
        Ok(at.and_then(|at| crate::tree::leaf_at(tree, at)))
    }

    /// The declaration as it stands afterwards, and the stretches of it.
    fn rendered(&self) -> Result<RenderedText, Refusal> {
        let text = self.text(self.of.old)?;
        let end = self.line_end();
        let mut out = RenderedText::default();
        let mut last: Option<u32> = None;
        for range in &self.stretches {
            if let Some(last) = last {
                // Parts that stand together stay so.
                let gap = text.get(last as usize..range.start as usize);
                let gap = gap.filter(|gap| gap.chars().all(char::is_whitespace));
                match gap {
                    Some(gap) => out.text += gap,
                    None => out.text += &end.repeat(2),
                }
            }
            let rendered = self.moved.stretch(self.of.old, text, range.clone())?;
            let offset = out.text.len() as u32;
            let shifted = rendered.pieces.into_iter();
            out.pieces
                .extend(shifted.map(|(from, at)| (from, at + offset)));
            out.text += &rendered.text;
            last = Some(range.end);
        }
        Ok(out)
    }

    fn finish(mut self) -> Result<SourceChange, Refusal> {
        self.write_added_imports()?;
        let (old, target) = (self.of.old, self.of.target.clone());
        let RenderedText {
            text: declaration,
            pieces,
            ..
        } = self.rendered()?;
        let end = self.line_end();
        let mut change = SourceChange {
            drops_replaced: true,
            replaces_imports: true,
            notes: std::mem::take(&mut self.notes),
            words: std::mem::take(&mut self.words),
            ..SourceChange::default()
        };
        let mut kept = Vec::new();
        let piece = |(from, offset): (Range<u32>, u32), edit: usize, before: usize| KeptPiece {
            file: old,
            from,
            into: target.file,
            edit,
            offset: offset + before as u32,
        };
        let mut tail = None;
        if target.exists {
            let text = self.text(target.file)?;
            let end = line_end(text);
            let is_python = self.resolver.dialect(old) == Some(Dialect::Python);
            let lines = 1 + usize::from(is_python);
            let gap = match (text.is_empty(), text.ends_with('\n')) {
                (true, _) => String::new(),
                (false, true) => end.repeat(lines),
                (false, false) => end.repeat(lines + 1),
            };
            let written = format!("{gap}{declaration}{end}");
            tail = Some((written.clone(), gap.len()));
            let at = text.len() as u32;
            self.rewrite(target.file)
                .insert(at, vec![TextPart::Text(written)]);
        } else {
            let text = format!("{}{declaration}{end}{}", self.head, self.tail);
            let before = self.head.len();
            kept.extend(pieces.iter().cloned().map(|of| piece(of, 0, before)));
            change.created.push(CreatedFile {
                file: target.file,
                beside: old,
                path: target.path_in_folder.clone(),
                text,
            });
        }
        for (file, rewrite) in &self.rewrites {
            if rewrite.is_empty() {
                continue;
            }
            let text = self.text(*file)?;
            let done = rewrite.finish(*file, text)?;
            kept.extend(done.kept);
            if *file == old && done.change.apply(text).trim().is_empty() {
                change
                    .notes
                    .push(format!("{} has nothing else.", self.path(old)));
            }
            if let Some((written, gap)) = tail.as_ref().filter(|_| *file == target.file) {
                let edits = &done.change.edits;
                let place = edits.iter().rposition(|edit| edit.text == *written);
                let edit = place.unwrap_or_default();
                kept.extend(pieces.iter().cloned().map(|of| piece(of, edit, *gap)));
            }
            change.files.push(done.change);
        }
        change.kept = KeptPieces::new(kept);
        Ok(change)
    }
}
