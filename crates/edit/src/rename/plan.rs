//! From places to replacements of text, and the words that stay.

use std::collections::BTreeMap;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefId, Role};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::{MovedName, MovedNames, MovedPair};
use crate::refusal::{Refusal, RefusalKind};
use crate::rename::aliases::{ImportForm, import_form};
use crate::rename::forms::{NameForm, NamePlace, form_of};
use crate::rename::joined::joined_pair;
use crate::rename::rules::renamed_files;
use crate::rename::{Rename, RenameTexts};
use crate::source_change::{
    FileChange, SourceChange, TextEdit, Untouched, UntouchedReason, WordInText, WordPlace,
};
use crate::words::{WordHolder, WordHolders, word_at, words_like};

/// Plans the replacements of a rename.
pub(super) fn plan(
    rename: &Rename,
    resolver: &Resolver<'_>,
    texts: &RenameTexts,
) -> Result<SourceChange, Refusal> {
    let mut plan = Plan {
        rename,
        resolver,
        family: rename.family.iter().copied().collect(),
        changes: BTreeMap::new(),
        moved: MovedNames::default(),
    };
    let mut by_file: BTreeMap<FileNo, Vec<u32>> = BTreeMap::new();
    for (file, at) in &rename.places {
        by_file.entry(*file).or_default().push(*at);
    }
    for (file, places) in by_file {
        let text = texts
            .get(&file)
            .ok_or_else(|| missing_text(resolver, file))?;
        plan.change_file(file, &places, text)?;
    }
    let (mut not_touched, mut words) = (Vec::new(), Vec::new());
    for file in &rename.files {
        let text = texts
            .get(file)
            .ok_or_else(|| missing_text(resolver, *file))?;
        let (left, changed) = plan.words_in(*file, text)?;
        not_touched.extend(left);
        words.extend(changed);
    }
    words.extend(plan.words_elsewhere(texts));
    words.sort_unstable();
    plan.change_words(&words);
    let Plan { changes, moved, .. } = plan;
    let files = changes.into_iter();
    let files = files.filter(|(_, edits)| !edits.is_empty());
    let files: Vec<FileChange> = files
        .map(|(file, edits)| FileChange { file, edits })
        .collect();
    if files.is_empty() {
        let message = format!("`{}` is written nowhere.", rename.old);
        return Err(Refusal::new(RefusalKind::Unsupported, message));
    }
    Ok(SourceChange {
        files,
        not_touched,
        words,
        moved,
        renamed: renamed_files(resolver, &rename.family, &rename.old, &rename.new),
        ..SourceChange::default()
    })
}

fn missing_text(resolver: &Resolver<'_>, file: FileNo) -> Refusal {
    let path = resolver.workspace().path(file).unwrap_or_default();
    Refusal::new(RefusalKind::Unsure, format!("{path} cannot be read."))
}

struct Plan<'p, 'w> {
    rename: &'p Rename,
    resolver: &'p Resolver<'w>,
    family: FxHashSet<DefRef>,
    changes: BTreeMap<FileNo, Vec<TextEdit>>,
    moved: MovedNames,
}

/// What a file writes at its places, by first byte.
#[derive(Default)]
pub(crate) struct WrittenNames {
    defs: FxHashMap<u32, Vec<DefId>>,
    uses: FxHashMap<u32, Vec<u32>>,
    /// Links in documentation.
    links: FxHashSet<u32>,
}

impl WrittenNames {
    pub(crate) fn new(resolver: &Resolver<'_>, file: FileNo) -> Self {
        let mut found = Self::default();
        let Some(bound) = resolver.workspace().file(file) else {
            return found;
        };
        for (expr, _, at, role) in bound.uses() {
            found.uses.entry(at).or_default().push(expr);
            if role == Role::Doc {
                found.links.insert(at);
            }
        }
        for def in bound.named_defs() {
            found.defs.entry(bound.def(def).at).or_default().push(def);
        }
        found
    }

    /// Whether code has a name there.
    pub(crate) fn is_written(&self, at: u32) -> bool {
        let is_used = self.uses.contains_key(&at) && !self.links.contains(&at);
        is_used || self.defs.contains_key(&at)
    }
}

impl Plan<'_, '_> {
    fn change_file(&mut self, file: FileNo, places: &[u32], text: &str) -> Result<(), Refusal> {
        let written = WrittenNames::new(self.resolver, file);
        for at in places {
            let here = written.defs.get(at).map_or(&[][..], Vec::as_slice);
            let used = written.uses.get(at).map_or(&[][..], Vec::as_slice);
            let place = NamePlace {
                file,
                defs: here,
                uses: used,
            };
            self.change_place(&place, *at, text)?;
        }
        let edits = self.changes.entry(file).or_default();
        edits.sort_unstable();
        edits.dedup();
        let overlap = edits.windows(2).find(|pair| pair[0].end > pair[1].start);
        match overlap {
            Some(pair) => {
                let message = "Two names overlap in the text.";
                Err(Refusal::new(RefusalKind::Unsure, message).at([(file, pair[1].start)]))
            }
            None => Ok(()),
        }
    }

    fn change_place(&mut self, place: &NamePlace<'_>, at: u32, text: &str) -> Result<(), Refusal> {
        let (old, new) = (&self.rename.old, &self.rename.new);
        let (start, word) = written_word(text, at);
        if word != old {
            return self.change_other_word(place, (at, start), word);
        }
        let end = start + word.len() as u32;
        let mut edit = |start: u32, end: u32, text: String| {
            let edits = self.changes.entry(place.file).or_default();
            edits.push(TextEdit { start, end, text });
        };
        let file = place.file;
        let dialect = self.resolver.workspace().dialect(file);
        let between = match dialect {
            Some(Dialect::CSharp) => " = ",
            _ => ": ",
        };
        match form_of(self.resolver, &self.family, place) {
            NameForm::Plain => match joined_pair(self.resolver, file, text, start..end, new) {
                Some(pair) => {
                    edit(pair.key, pair.value.end, new.clone());
                    let by = i64::from(pair.key) - i64::from(pair.value.start);
                    self.moved.note(file, pair.value.start, MovedName::by(by));
                }
                None => edit(start, end, new.clone()),
            },
            NameForm::KeyOfPair => {
                let first = before_modifiers(text, start);
                edit(first, first, format!("{new}{between}"));
                let written = new.len() + between.len();
                self.moved
                    .note_pair(file, at, moved_pair(written, start - first));
            }
            NameForm::ValueOfPair => {
                let first = before_modifiers(text, start);
                if first == start {
                    edit(start, end, format!("{old}{between}{new}"));
                } else {
                    edit(first, first, format!("{old}{between}"));
                    edit(start, end, new.clone());
                }
                let written = old.len() + between.len();
                self.moved
                    .note_pair(file, at, moved_pair(written, start - first));
            }
            NameForm::ImportedName => {
                let dialect = self.resolver.workspace().dialect(file);
                let form =
                    dialect.map(|dialect| import_form(dialect, text, start as usize, end as usize));
                match form {
                    Some(ImportForm::OwnName) => edit(start, end, new.clone()),
                    Some(ImportForm::AsNew) => {
                        edit(start, end, format!("{old} as {new}"));
                        let by = old.len() as i64 + 4;
                        self.moved.note(
                            file,
                            at,
                            MovedName {
                                defs: by,
                                ..MovedName::default()
                            },
                        );
                    }
                    _ => {
                        let message = format!("This import of `{old}` cannot have another name.");
                        let refusal = Refusal::new(RefusalKind::Unsupported, message);
                        return Err(refusal.at([(file, at)]));
                    }
                }
            }
        }
        Ok(())
    }

    /// A place that means the family by another word: an import's name stays, a part of the name changes with it.
    fn change_other_word(
        &mut self,
        place: &NamePlace<'_>,
        (at, start): (u32, u32),
        word: &str,
    ) -> Result<(), Refusal> {
        let (old, new) = (&self.rename.old, &self.rename.new);
        let file = place.file;
        if word.is_empty() || self.is_imported_as(place, word) || is_language_word(word) {
            return Ok(());
        }
        let part = old.split_once(word).and_then(|(before, behind)| {
            let stem = new.strip_prefix(before)?.strip_suffix(behind)?;
            (!stem.is_empty()).then(|| stem.to_owned())
        });
        match part {
            Some(text) => {
                let end = start + word.len() as u32;
                let edits = self.changes.entry(file).or_default();
                edits.push(TextEdit { start, end, text });
                Ok(())
            }
            None => {
                let message = format!(
                    "`{word}` means `{old}` here, and it is not known what it would be called."
                );
                Err(Refusal::new(RefusalKind::Unsure, message).at([(file, at)]))
            }
        }
    }

    /// Whether a word is the name that an import gives.
    fn is_imported_as(&self, place: &NamePlace<'_>, word: &str) -> bool {
        let file = place.file;
        let is_so_called = |def: &DefRef| self.resolver.name(*def) == word;
        let mut aliases = place.uses.iter().flat_map(|expr| {
            let at = ExprRef { file, expr: *expr };
            self.resolver.target(at).via_aliases
        });
        let declares = place.defs.iter().any(|def| {
            let def = DefRef { file, def: *def };
            is_so_called(&def) && !self.family.contains(&def)
        });
        declares || aliases.any(|alias| is_so_called(&alias))
    }

    /// The words of a file that are spelled like the name and that nothing resolves: those that stay, and those that
    /// change on request.
    fn words_in(
        &self,
        file: FileNo,
        text: &str,
    ) -> Result<(Vec<Untouched>, Vec<WordPlace>), Refusal> {
        let old = &self.rename.old;
        let part = match &self.rename.within {
            Some((_, part)) => part.start..part.end,
            None => 0..u32::MAX,
        };
        let edits = self.changes.get(&file).map_or(&[][..], Vec::as_slice);
        // An insertion in front of a word is no replacement of it.
        let edited = edits.iter().filter(|edit| edit.start < edit.end);
        let edited: FxHashSet<u32> = edited.map(|edit| edit.start).collect();
        let mut written: Option<WrittenNames> = None;
        let mut holders: Option<WordHolders> = None;
        let (mut left, mut changed) = (Vec::new(), Vec::new());
        for at in words_like(text, old).filter(|at| part.contains(at)) {
            if edited.contains(&at) {
                continue;
            }
            let untouched = |reason| Untouched { file, at, reason };
            if self.rename.unsure.binary_search(&(file, at)).is_ok() {
                left.push(untouched(UntouchedReason::Name));
                continue;
            }
            let written = written.get_or_insert_with(|| WrittenNames::new(self.resolver, file));
            // It is another declaration's, which the resolver knows, or its sign or quote belongs to it.
            if written.is_written(at) || at > 0 && written.is_written(at - 1) {
                continue;
            }
            let path = self.resolver.workspace().path(file).unwrap_or_default();
            let holders = holders.get_or_insert_with(|| WordHolders::new(path, text));
            let holder = holders.holder_of(at);
            if let Some(kind) = self.wanted(holder) {
                changed.push(WordPlace { file, at, kind });
                continue;
            }
            match holder {
                WordHolder::Keyword => {}
                WordHolder::Comment => left.push(untouched(UntouchedReason::Comment)),
                WordHolder::String | WordHolder::Path => {
                    left.push(untouched(UntouchedReason::String));
                }
                WordHolder::Code => {
                    let message =
                        format!("The code has `{old}` in {path} where it is not resolved.");
                    return Err(Refusal::new(RefusalKind::Unsure, message).at([(file, at)]));
                }
            }
        }
        Ok((left, changed))
    }

    /// The words on request in files whose code does not have the name, of which texts were given.
    fn words_elsewhere(&self, texts: &RenameTexts) -> Vec<WordPlace> {
        let others = texts
            .iter()
            .filter(|(file, _)| self.rename.files.binary_search(file).is_err());
        let mut words = Vec::new();
        for (file, text) in others {
            let path = self.resolver.workspace().path(*file).unwrap_or_default();
            let mut holders: Option<WordHolders> = None;
            for at in words_like(text, &self.rename.old) {
                let holders = holders.get_or_insert_with(|| WordHolders::new(path, text));
                if let Some(kind) = self.wanted(holders.holder_of(at)) {
                    let file = *file;
                    words.push(WordPlace { file, at, kind });
                }
            }
        }
        words
    }

    /// What holds a word that is to change.
    fn wanted(&self, holder: WordHolder) -> Option<WordInText> {
        let options = self.rename.options;
        match holder {
            WordHolder::Comment if options.comments => Some(WordInText::Comment),
            WordHolder::String if options.strings => Some(WordInText::String),
            _ => None,
        }
    }

    fn change_words(&mut self, words: &[WordPlace]) {
        let length = self.rename.old.len() as u32;
        for word in words {
            let edits = self.changes.entry(word.file).or_default();
            edits.push(TextEdit {
                start: word.at,
                end: word.at + length,
                text: self.rename.new.clone(),
            });
            edits.sort_unstable();
        }
    }
}

/// The word at a place, and where it begins: behind the quote or sign that the place may be.
fn written_word(text: &str, at: u32) -> (u32, &str) {
    let is_sign = text
        .get(at as usize..)
        .is_some_and(|rest| rest.starts_with(['"', '\'', '`', '#', '@', '~']));
    let word = word_at(text, at);
    if word.is_empty() && is_sign {
        return (at + 1, word_at(text, at + 1));
    }
    (at, word)
}

/// Where the names of a pair stand whose key is written in so many bytes in front of the word, or of so many bytes of
/// modifiers before it.
fn moved_pair(written: usize, modifiers: u32) -> MovedPair {
    let written = written as i64;
    match modifiers {
        0 => MovedPair {
            key: 0,
            value: written,
        },
        modifiers => MovedPair {
            key: -written - i64::from(modifiers),
            value: 0,
        },
    }
}

/// Where the pattern of a name begins: before `ref` and `mut`.
fn before_modifiers(text: &str, at: u32) -> u32 {
    let mut first = at as usize;
    loop {
        let before = text.get(..first).unwrap_or_default().trim_end();
        let word = ["mut", "ref"].into_iter().find(|word| {
            let rest = before.strip_suffix(word);
            rest.is_some_and(|rest| !rest.ends_with(crate::words::is_word_letter))
        });
        match word {
            Some(word) if before.len() < first => first = before.len() - word.len(),
            _ => return first as u32,
        }
    }
}

/// Words by which languages mean a declaration without its name.
fn is_language_word(word: &str) -> bool {
    matches!(
        word,
        "this"
            | "super"
            | "base"
            | "self"
            | "Self"
            | "default"
            | "constructor"
            | "new"
            | "__init__"
            | "cls"
    )
}
