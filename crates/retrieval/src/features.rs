//! What speaks for a declaration: every signal as a number, for all declarations that may be meant.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::{DeclarationClass, Role};
use crate::file_place::{depth_below, is_outdated, module_name, parent_folder, version};
use crate::history::{History, Votes};
use crate::index::{FileEntry, FileNo, Index, TermId, name_key};
use crate::lexical::{Scores, score};
use crate::links::Links;
use crate::params::Params;
use crate::query::{ParsedQuestion, Query};
use crate::roles::common_path;
use crate::words::{parts_of, push_lower};

macro_rules! features {
    ($($(#[$meta:meta])* $name:ident = $word:literal, $why:literal;)*) => {
        /// A signal; most are between 0 and 1.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(usize)]
        pub enum Feature { $($(#[$meta])* $name),* }

        /// Number of signals.
        pub const FEATURES: usize = [$($word),*].len();

        impl Feature {
            /// Every signal.
            pub const ALL: [Self; FEATURES] = [$(Self::$name),*];

            /// Its word in the file of parameters.
            #[must_use]
            pub fn word(self) -> &'static str {
                [$($word),*][self as usize]
            }

            /// What it says for a declaration, in words; empty for what is no reason by itself.
            #[must_use]
            pub fn why(self) -> &'static str {
                [$($why),*][self as usize]
            }

            /// The signal of a word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|feature| feature.word() == word)
            }
        }
    };
}

features! {
    /// BM25F of the declaration beside the best.
    Lexical = "lexical", "words";
    /// The place that [`Feature::Lexical`] gives it.
    LexicalRank = "lexical_rank", "";
    /// The same among the declarations of its file.
    RankInFile = "rank_in_file", "";
    /// Share of the question's words that its name has.
    NameCover = "name_cover", "name";
    /// Share of its name that the question has.
    NameExplained = "name_explained", "name";
    /// The question writes its name.
    Mentioned = "mentioned", "mentioned";
    /// The question's words in a row are its name.
    Compound = "compound", "name";
    /// Share of its container's name that the question has.
    ContainerExplained = "container_explained", "container";
    /// The question writes its container's name.
    ContainerMentioned = "container_mentioned", "container";
    /// [`Feature::Lexical`] of the declaration around it.
    Outer = "outer", "";
    /// The best [`Feature::Lexical`] among what is declared in it.
    Inner = "inner", "members";
    /// BM25 of the file beside the best.
    FileLexical = "file_lexical", "file";
    /// The place that [`Feature::FileLexical`] gives it.
    FileRank = "file_rank", "";
    /// Share of the question's words that it has anywhere.
    Cover = "cover", "words";
    /// Share of the question's words that its file has.
    FileCover = "file_cover", "file";
    /// [`Feature::Lexical`] beside the best of its file.
    InFile = "in_file", "";
    /// The best [`Feature::Lexical`] in the file.
    FileBest = "file_best", "file";
    /// Share of the file's name that the question has.
    StemExplained = "stem_explained", "path";
    /// Share of the question's words that the path has.
    PathCover = "path_cover", "path";
    /// BM25F for the words that the best declarations have in common.
    Feedback = "feedback", "similar code";
    /// The best [`Feature::Lexical`] of a declaration of its name elsewhere, sync and async taken for one.
    Twin = "twin", "twin";
    /// Good declarations of sources mention it.
    UsedByGood = "used_by_good", "used by";
    /// Good declarations of tests mention it.
    UsedByTest = "used_by_test", "tested by";
    /// It mentions good declarations.
    UsesGood = "uses_good", "uses";
    /// Personalised PageRank of the file.
    FileRanked = "page_rank", "graph";
    /// Commits with such words touched the file.
    AlikeCommits = "alike_commits", "past changes";
    /// How often the file changed.
    Changes = "changes", "";
    /// How lately the file changed.
    Recent = "recent", "recent";
    /// It is in a test.
    Test = "test", "";
    /// It is in an example, a benchmark, a copy.
    Auxiliary = "auxiliary", "";
    /// It is a type.
    IsType = "is_type", "";
    /// It is a field, constant or variable.
    IsValue = "is_value", "";
    /// It is a namespace.
    IsNamespace = "is_namespace", "";
    /// It is what is outside of declarations.
    IsFile = "is_file", "";
    /// How long its own text is.
    Length = "length", "";
    /// The question names it whole: how large it is beside the largest of its name.
    Defines = "defines", "name";
    /// Share of the question's words that names in its file have.
    OutlineCover = "outline_cover", "file";
    /// Share of the name of its file's folder that the question has.
    FolderExplained = "folder_explained", "path";
    /// How long its file is.
    FileLength = "file_length", "";
    /// How few folders its file is in.
    Shallow = "shallow", "";
    /// Its file is of a version that was replaced.
    Outdated = "outdated", "";
    /// How often the file changed together with the focus.
    Together = "focus_together", "changes with focus";
    /// How near the file's folder is to the focus.
    Near = "focus_near", "near focus";
    /// How much the file's name has in common with that of the focus.
    Namesake = "focus_namesake", "named like focus";
    /// The focus mentions declarations of the file.
    UsedByFocus = "focus_uses", "used by focus";
    /// The file mentions declarations of the focus.
    UsesFocus = "focus_used", "uses focus";
    /// The focus mentions it.
    MentionedByFocus = "focus_mentions", "used by focus";
    /// It mentions declarations of the focus.
    MentionsFocus = "focus_mentioned", "uses focus";
    /// The focus declares a good one of its name.
    FocusTwin = "focus_twin", "twin in focus";
}

/// A declaration that may be meant.
#[derive(Clone, Debug)]
pub(crate) struct RankedDeclaration {
    pub(crate) file: FileNo,
    pub(crate) declaration: u32,
    pub(crate) values: [f32; FEATURES],
}

/// Files whose declarations are all looked at.
const FILES: usize = 70;
/// Declarations that are looked at wherever they are.
const DECLARATIONS: usize = 400;
/// Of a file, the best of more declarations than this.
const PER_FILE: usize = 300;
/// The best declarations, which speak for others.
const GOOD: usize = 24;

/// Everything that is known when candidates are weighed.
pub(crate) struct Weighing<'a> {
    index: &'a Index,
    history: Option<&'a History>,
    query: &'a Query,
    asked: &'a ParsedQuestion,
    lexical: Scores,
    files: Vec<FileNo>,
    /// The terms of the question.
    terms: FxHashSet<TermId>,
    /// What past changes of such words touched.
    alike: Option<Votes>,
    names: FxHashMap<&'a str, NameFacts>,
    parts: FxHashMap<&'a str, NamePartFacts>,
    twins: FxHashMap<String, u32>,
    /// Used again for one name after the other.
    key: String,
    /// The folders that all files are in.
    common: &'a str,
    /// The latest version of folders that are called by one, by the folders around them.
    versions: FxHashMap<&'a str, u32>,
}

/// What the question says of a part of names.
#[derive(Clone, Copy)]
struct NamePartFacts {
    rarity: f32,
    is_asked: bool,
}

/// What the question says of a name, whatever has it.
#[derive(Clone, Copy)]
struct NameFacts {
    /// Share of it that the question has, by rarity.
    explained: f32,
    is_mentioned: bool,
    is_compound: bool,
    /// One number for names that are twins; none for those too short to be.
    twin: Option<u32>,
}

/// The candidates of a question with their features; in the order of paths and places.
pub(crate) fn candidates(
    index: &Index,
    history: Option<&History>,
    query: &Query,
    asked: &ParsedQuestion,
    params: &Params,
) -> Vec<RankedDeclaration> {
    let terms: Vec<(TermId, f32)> = asked
        .terms
        .iter()
        .map(|term| (term.term, term.weight))
        .collect();
    let lexical = score(index, &terms, params, |_| true);
    let mut weighing = Weighing {
        index,
        history,
        query,
        asked,
        lexical,
        files: Vec::new(),
        terms: asked.terms.iter().map(|term| term.term).collect(),
        alike: None,
        names: FxHashMap::default(),
        parts: FxHashMap::default(),
        twins: FxHashMap::default(),
        key: String::new(),
        common: common_path(index),
        versions: FxHashMap::default(),
    };
    weighing.versions = versions(index, weighing.common);
    weighing.alike = history.map(|history| history.alike(weighing.said()));
    let mut found = weighing.gather();
    weighing.lexical_features(&mut found);
    weighing.name_features(&mut found);
    weighing.defining_features(&mut found);
    weighing.kind_features(&mut found);
    weighing.file_features(&mut found);
    weighing.link_features(&mut found, params);
    weighing.focus_features(&mut found);
    found
}

impl<'a> Weighing<'a> {
    fn entry(&self, file: FileNo) -> Option<&'a FileEntry> {
        self.index.file(file)
    }

    fn focus(&self) -> Option<FileNo> {
        let focus = self.query.focus.as_deref()?;
        self.index.by_path.get(focus).copied()
    }

    /// Declarations of promising files, and promising ones anywhere.
    fn gather(&mut self) -> Vec<RankedDeclaration> {
        let focus = self.focus();
        let by_path: Vec<FileNo> = self
            .index
            .by_path
            .values()
            .copied()
            .filter(|file| Some(*file) != focus)
            .collect();
        let mut promise: Vec<(f32, u32, FileNo)> = by_path
            .iter()
            .zip(0..)
            .map(|(file, at)| (self.promise(*file), at, *file))
            .collect();
        keep_best(&mut promise, FILES);
        let named = self.query.files.iter();
        let named = named.filter_map(|path| self.index.by_path.get(path.as_str()).copied());
        let mut chosen: FxHashSet<FileNo> = promise
            .iter()
            .filter(|(promise, ..)| *promise > 0.0)
            .map(|(.., file)| *file)
            .collect();
        chosen.extend(named);
        chosen.extend(self.past_files());
        let mut anywhere: Vec<(f32, u32, (FileNo, u32))> = Vec::new();
        for file in &by_path {
            let start = self.lexical.starts[*file as usize];
            let end = self.lexical.starts[*file as usize + 1];
            let scores = &self.lexical.of[start as usize..end as usize];
            for (score, at) in scores.iter().zip(0..) {
                if *score > 0.05 {
                    anywhere.push((*score, anywhere.len() as u32, (*file, at)));
                }
            }
        }
        keep_best(&mut anywhere, DECLARATIONS);
        let mut good: FxHashMap<FileNo, Vec<u32>> = FxHashMap::default();
        for (.., (file, at)) in anywhere {
            good.entry(file).or_default().push(at);
        }
        let mut found = Vec::new();
        for file in by_path {
            let is_chosen = chosen.contains(&file) && focus != Some(file);
            let (Some(entry), true) = (self.entry(file), is_chosen || good.contains_key(&file))
            else {
                continue;
            };
            let mut places: Vec<u32> = match is_chosen {
                true => (0..entry.declared.len() as u32).collect(),
                false => good.remove(&file).unwrap_or_default(),
            };
            if places.len() > PER_FILE {
                places.sort_by(|a, b| {
                    self.lexical
                        .get(file, *b)
                        .total_cmp(&self.lexical.get(file, *a))
                });
                places.truncate(PER_FILE);
            }
            places.sort_unstable();
            if !places.is_empty() {
                self.files.push(file);
            }
            found.extend(places.into_iter().map(|declaration| RankedDeclaration {
                file,
                declaration,
                values: [0.0; FEATURES],
            }));
        }
        found
    }

    fn promise(&self, file: FileNo) -> f32 {
        let start = self.lexical.starts[file as usize] as usize;
        let end = self.lexical.starts[file as usize + 1] as usize;
        let best = self.lexical.of[start..end]
            .iter()
            .copied()
            .fold(0.0, f32::max);
        let words = self.lexical.files[file as usize] + best;
        match self.entry(file) {
            // What a file is for costs more to say than that it has no word.
            _ if words <= 0.0 => 0.0,
            Some(entry) if !self.query.wants_tests && self.is_beside(entry) => 0.4 * words,
            _ => words,
        }
    }

    /// Whether a file is none that the product is made of.
    fn is_beside(&self, entry: &FileEntry) -> bool {
        let product = self.index.tested_product();
        product.role_of(self.index, entry) != Role::Source
    }

    /// Files that past changes of such words, or together with the focus, touched; and the folder of the focus.
    fn past_files(&self) -> Vec<FileNo> {
        let mut files = Vec::new();
        let known = |path: &&str| self.index.by_path.get(*path).copied();
        if let (Some(history), Some(alike)) = (self.history, &self.alike) {
            files.extend(history.best(alike, 15).iter().filter_map(known));
            if let Some(focus) = &self.query.focus {
                files.extend(
                    history
                        .best(&history.together(focus), 25)
                        .iter()
                        .filter_map(known),
                );
            }
        }
        if let Some(focus) = &self.query.focus {
            let folder = focus.rsplit_once('/').map_or("", |(folder, _)| folder);
            let beside = self.index.by_path.iter().filter(|(path, _)| {
                path.rsplit_once('/').map_or("", |(folder, _)| folder) == folder
            });
            files.extend(beside.map(|(_, file)| *file).take(40));
        }
        files
    }

    fn said(&self) -> impl Iterator<Item = (&'a str, f32)> {
        let index = self.index;
        self.asked
            .terms
            .iter()
            .map(move |term| (&*index.terms[term.term as usize].text, term.weight))
    }

    fn lexical_features(&self, found: &mut [RankedDeclaration]) {
        let mut order: Vec<usize> = (0..found.len()).collect();
        let lexical: Vec<f32> = found
            .iter()
            .map(|of| self.lexical.get(of.file, of.declaration))
            .collect();
        order.sort_by(|a, b| lexical[*b].total_cmp(&lexical[*a]));
        let mut in_file: FxHashMap<FileNo, u32> = FxHashMap::default();
        let mut inner: FxHashMap<(FileNo, u32), f32> = FxHashMap::default();
        for (rank, at) in order.into_iter().enumerate() {
            let score = lexical[at];
            let candidate = &mut found[at];
            let rank_in_file = in_file.entry(candidate.file).or_default();
            if score > 0.0 {
                candidate.set(Feature::Lexical, score);
                candidate.set(Feature::LexicalRank, 1.0 / (2.0 + rank as f32).log2());
                candidate.set(Feature::RankInFile, 1.0 / (1.0 + *rank_in_file as f32));
                *rank_in_file += 1;
            }
            let parent = self.entry(candidate.file).map_or(0, |entry| {
                entry.declared[candidate.declaration as usize].parent
            });
            if parent != 0 {
                candidate.set(Feature::Outer, self.lexical.get(candidate.file, parent));
                let best = inner.entry((candidate.file, parent)).or_default();
                *best = best.max(score);
            }
        }
        for candidate in found {
            if let Some(best) = inner.get(&(candidate.file, candidate.declaration)) {
                candidate.set(Feature::Inner, *best);
            }
        }
    }

    fn name_features(&mut self, found: &mut [RankedDeclaration]) {
        for candidate in found {
            let Some(entry) = self.entry(candidate.file) else {
                continue;
            };
            let name = self.facts_of_name(entry.name(candidate.declaration));
            let container = self.facts_of_name(entry.container(candidate.declaration));
            let cover = self
                .lexical
                .name_cover(candidate.file, candidate.declaration);
            candidate.set(Feature::NameCover, cover);
            candidate.set(Feature::NameExplained, name.explained);
            candidate.set(Feature::ContainerExplained, container.explained);
            candidate.flag(Feature::Mentioned, name.is_mentioned);
            candidate.flag(Feature::Compound, name.is_compound);
            candidate.flag(Feature::ContainerMentioned, container.is_mentioned);
        }
    }

    /// What is known of a name; many declarations have the same.
    fn facts_of_name(&mut self, name: &'a str) -> NameFacts {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let explained = self.share_of(name);
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        parts_of(name).for_each(|part| push_lower(part, &mut key));
        let is_mentioned = !name.is_empty() && self.asked.mentions.contains(&key);
        let is_compound = self.asked.compounds.contains(&key);
        key.clear();
        push_twin_key(name, &mut key);
        let facts = NameFacts {
            explained,
            is_mentioned,
            is_compound,
            twin: (key.len() > 2).then(|| self.number_of_twin(&key)),
        };
        self.key = key;
        self.names.insert(name, facts);
        facts
    }

    fn number_of_twin(&mut self, key: &str) -> u32 {
        if let Some(known) = self.twins.get(key) {
            return *known;
        }
        let next = self.twins.len() as u32;
        self.twins.insert(key.to_owned(), next);
        next
    }

    /// Share of a name's words that the question has, by rarity.
    fn share_of(&mut self, name: &'a str) -> f32 {
        let (mut all, mut known) = (0.0, 0.0);
        for part in parts_of(name) {
            let (index, terms) = (self.index, &self.terms);
            let facts = self.parts.entry(part);
            let facts = facts.or_insert_with(|| NamePartFacts::new(part, index, terms));
            all += facts.rarity;
            known += if facts.is_asked { facts.rarity } else { 0.0 };
        }
        if all > 0.0 { known / all } else { 0.0 }
    }

    fn kind_features(&self, found: &mut [RankedDeclaration]) {
        let product = self.index.tested_product();
        for candidate in found {
            let Some(entry) = self.entry(candidate.file) else {
                continue;
            };
            let of = &entry.declared[candidate.declaration as usize];
            let length = entry.lengths[candidate.declaration as usize];
            candidate.flag(Feature::IsType, of.kind == DeclarationClass::Type);
            candidate.flag(Feature::IsValue, of.kind == DeclarationClass::Value);
            candidate.flag(Feature::IsNamespace, of.kind == DeclarationClass::Namespace);
            candidate.flag(Feature::IsFile, of.kind == DeclarationClass::File);
            candidate.set(Feature::Length, (1.0 + length as f32).ln() / 7.0);
            let role = product.role_of(self.index, entry);
            let is_test = role == Role::Test || of.is_test;
            candidate.flag(Feature::Test, is_test && !self.query.wants_tests);
            candidate.flag(Feature::Auxiliary, role == Role::Auxiliary);
        }
    }

    fn file_features(&mut self, found: &mut [RankedDeclaration]) {
        let mut of_file: FxHashMap<FileNo, Vec<(Feature, f32)>> = FxHashMap::default();
        let mut order = self.files.clone();
        order.sort_by(|a, b| {
            self.lexical.files[*b as usize].total_cmp(&self.lexical.files[*a as usize])
        });
        for (rank, file) in order.into_iter().enumerate() {
            let Some(entry) = self.entry(file) else {
                continue;
            };
            let stem_explained = self.share_of(module_name(&entry.path));
            let mut values = vec![
                (Feature::FileLexical, self.lexical.files[file as usize]),
                (Feature::FileRank, 1.0 / (1.0 + rank as f32)),
                (Feature::StemExplained, stem_explained),
                (Feature::PathCover, self.lexical.paths_cover[file as usize]),
                (
                    Feature::OutlineCover,
                    self.lexical.outlines_cover[file as usize],
                ),
            ];
            self.place_values(entry, &mut values);
            if let (Some(history), Some(alike)) = (self.history, &self.alike) {
                let (changes, last) = history.changes(&entry.path);
                values.push((Feature::AlikeCommits, history.vote(alike, &entry.path)));
                values.push((Feature::Changes, (1.0 + changes as f32).ln() / 5.0));
                values.push((
                    Feature::Recent,
                    last.map_or(0.0, |last| 1.0 / (1.0 + last as f32 / 20.0)),
                ));
            }
            of_file.insert(file, values);
        }
        let mut best: FxHashMap<FileNo, f32> = FxHashMap::default();
        for candidate in found.iter() {
            let best = best.entry(candidate.file).or_default();
            *best = best.max(candidate.get(Feature::Lexical));
        }
        for candidate in found {
            let best = best[&candidate.file];
            candidate.set(Feature::FileBest, best);
            candidate.set(
                Feature::InFile,
                if best > 0.0 {
                    candidate.get(Feature::Lexical) / best
                } else {
                    0.0
                },
            );
            candidate.set(
                Feature::Cover,
                self.lexical.cover(candidate.file, candidate.declaration),
            );
            candidate.set(
                Feature::FileCover,
                self.lexical.files_cover[candidate.file as usize],
            );
            for (feature, value) in of_file.get(&candidate.file).into_iter().flatten() {
                candidate.set(*feature, *value);
            }
        }
    }

    /// What a file's path and size say, whatever is asked.
    fn place_values(&mut self, entry: &'a FileEntry, values: &mut Vec<(Feature, f32)>) {
        let flag = |holds: bool| f32::from(u8::from(holds));
        let folder = parent_folder(&entry.path).map_or(0.0, |folder| self.share_of(folder));
        let common = self.common;
        let depth = depth_below(&entry.path, common);
        let below = entry.path.get(common.len()..).unwrap_or("");
        let is_replaced = |around: &str, version: u32| {
            let latest = self.versions.get(around);
            latest.is_some_and(|latest| *latest > version)
        };
        values.extend([
            (Feature::FolderExplained, folder),
            (Feature::FileLength, (1.0 + entry.length as f32).ln() / 10.0),
            (Feature::Shallow, 1.0 / (1.0 + depth as f32)),
            (Feature::Outdated, flag(is_outdated(below, is_replaced))),
        ]);
    }

    /// How large each declaration is that the question names whole, beside the largest of its name.
    fn defining_features(&self, found: &mut [RankedDeclaration]) {
        let named = |candidate: &RankedDeclaration| {
            let entry = self.entry(candidate.file)?;
            let of = &entry.declared[candidate.declaration as usize];
            let is_named = candidate.get(Feature::NameExplained) > 0.999
                && of.kind != DeclarationClass::File
                && entry.name(candidate.declaration).len() > 2;
            is_named.then(|| (of.key, (of.end.saturating_sub(of.start)).max(1) as f32))
        };
        let mut largest: FxHashMap<TermId, f32> = FxHashMap::default();
        for (key, size) in found.iter().filter_map(named) {
            let most = largest.entry(key).or_default();
            *most = most.max(size);
        }
        for candidate in found {
            if let Some((key, size)) = named(candidate) {
                candidate.set(Feature::Defines, size / largest[&key]);
            }
        }
    }

    fn link_features(&self, found: &mut [RankedDeclaration], params: &Params) {
        let mut good: Vec<&RankedDeclaration> = found
            .iter()
            .filter(|of| of.get(Feature::Lexical) > 0.0)
            .collect();
        good.sort_by(|a, b| b.get(Feature::Lexical).total_cmp(&a.get(Feature::Lexical)));
        good.truncate(GOOD);
        let good: Vec<(FileNo, u32, f32)> = good
            .iter()
            .map(|of| (of.file, of.declaration, of.get(Feature::Lexical)))
            .collect();
        let links = Links::of_good(self.index, &good);
        let ranked = Links::page_rank(self.index, &self.files, &self.lexical.files);
        let words = Links::feedback(self.index, &good[..good.len().min(10)], self.asked);
        let mut looked_at = vec![false; self.index.files.len()];
        for file in &self.files {
            looked_at[*file as usize] = true;
        }
        let feedback = score(self.index, &words, params, |file| looked_at[file as usize]);
        let mut twins: FxHashMap<u32, BestTwo> = FxHashMap::default();
        let keys: Vec<Option<u32>> = found.iter().map(|of| self.twin_of(of)).collect();
        for ((of, key), at) in found.iter().zip(&keys).zip(0..) {
            if let Some(key) = key {
                let best = twins.entry(*key).or_default();
                best.add(at, of.get(Feature::Lexical));
            }
        }
        for ((candidate, key), at) in found.iter_mut().zip(keys).zip(0..) {
            let place = (candidate.file, candidate.declaration);
            candidate.set(
                Feature::UsedByGood,
                links.used_by_source.get(&place).copied().unwrap_or(0.0),
            );
            candidate.set(
                Feature::UsedByTest,
                links.used_by_test.get(&place).copied().unwrap_or(0.0),
            );
            candidate.set(
                Feature::UsesGood,
                links.uses.get(&place).copied().unwrap_or(0.0),
            );
            candidate.set(
                Feature::FileRanked,
                ranked.get(&candidate.file).copied().unwrap_or(0.0),
            );
            candidate.set(
                Feature::Feedback,
                feedback.get(candidate.file, candidate.declaration),
            );
            let twin = key.and_then(|key| twins.get(&key));
            let best = twin.map_or(0.0, |twin| twin.without(at));
            candidate.set(Feature::Twin, best);
        }
    }

    fn twin_of(&self, candidate: &RankedDeclaration) -> Option<u32> {
        let name = self.entry(candidate.file)?.name(candidate.declaration);
        self.names.get(name)?.twin
    }

    fn focus_features(&self, found: &mut [RankedDeclaration]) {
        let (Some(focus), Some(path)) = (self.focus(), &self.query.focus) else {
            return;
        };
        let links = Links::of_focus(self.index, focus, &self.files);
        let together = self.history.map(|history| history.together(path));
        let mut twins: FxHashMap<u32, f32> = FxHashMap::default();
        if let Some(entry) = self.entry(focus) {
            let mut key = String::new();
            for at in 1..entry.declared.len() as u32 {
                // Of a name that no candidate has, nothing is known and nothing is asked.
                key.clear();
                push_twin_key(entry.name(at), &mut key);
                if let Some(key) = self.twins.get(&key) {
                    let best = twins.entry(*key).or_default();
                    *best = best.max(0.2 + self.lexical.get(focus, at));
                }
            }
        }
        let stem: FxHashSet<String> = parts_of(module_name(path)).map(str::to_lowercase).collect();
        let mut of_file: FxHashMap<FileNo, [f32; 3]> = FxHashMap::default();
        for candidate in found {
            let Some(entry) = self.entry(candidate.file) else {
                continue;
            };
            let [changed, namesake, near] = *of_file.entry(candidate.file).or_insert_with(|| {
                let history = self.history.zip(together.as_ref());
                let other = parts_of(module_name(&entry.path)).map(str::to_lowercase);
                let other: FxHashSet<String> = other.collect();
                let common = stem.intersection(&other).count() as f32;
                [
                    history.map_or(0.0, |(history, votes)| history.vote(votes, &entry.path)),
                    common / (stem.union(&other).count() as f32).max(1.0),
                    1.0 / (1.0 + folder_distance(path, &entry.path) as f32),
                ]
            });
            candidate.set(Feature::Together, changed);
            candidate.set(Feature::Namesake, namesake);
            candidate.set(Feature::Near, near);
            let place = (candidate.file, candidate.declaration);
            candidate.set(
                Feature::UsedByFocus,
                links
                    .files_used
                    .get(&candidate.file)
                    .copied()
                    .unwrap_or(0.0),
            );
            candidate.set(
                Feature::UsesFocus,
                links
                    .files_using
                    .get(&candidate.file)
                    .copied()
                    .unwrap_or(0.0),
            );
            candidate.set(
                Feature::MentionedByFocus,
                links.used_by_source.get(&place).copied().unwrap_or(0.0),
            );
            candidate.set(
                Feature::MentionsFocus,
                links.uses.get(&place).copied().unwrap_or(0.0),
            );
            if let Some(score) = self
                .twin_of(candidate)
                .and_then(|key| twins.get(&key).copied())
            {
                candidate.set(Feature::FocusTwin, score);
            }
        }
    }
}

impl NamePartFacts {
    fn new(part: &str, index: &Index, asked: &FxHashSet<TermId>) -> Self {
        let key = name_key(part);
        let term = index.term(&key);
        Self {
            // A letter says nothing.
            rarity: match key.len() > 1 {
                true => term.map_or(8.0, |term| index.rarity(term)),
                false => 0.0,
            },
            is_asked: term.is_some_and(|term| asked.contains(&term)),
        }
    }
}

impl RankedDeclaration {
    pub(crate) fn get(&self, feature: Feature) -> f32 {
        self.values[feature as usize]
    }

    fn set(&mut self, feature: Feature, value: f32) {
        self.values[feature as usize] = value;
    }

    fn flag(&mut self, feature: Feature, holds: bool) {
        self.set(feature, f32::from(u8::from(holds)));
    }
}

/// The best two scores, each with whose it is.
#[derive(Default)]
struct BestTwo {
    first: (u32, f32),
    second: f32,
}

impl BestTwo {
    fn add(&mut self, whose: u32, score: f32) {
        if score > self.first.1 {
            self.second = self.first.1;
            self.first = (whose, score);
        } else if score > self.second {
            self.second = score;
        }
    }

    /// The best of all but one.
    fn without(&self, whose: u32) -> f32 {
        match self.first.0 == whose {
            true => self.second,
            false => self.first.1,
        }
    }
}

/// The latest of the versions that folders are called by, by the folders around them below those all files are in.
fn versions<'i>(index: &'i Index, common: &str) -> FxHashMap<&'i str, u32> {
    let mut latest: FxHashMap<&str, u32> = FxHashMap::default();
    for path in index.by_path.keys() {
        let below = path.get(common.len()..).unwrap_or("");
        let mut before = 0;
        while let Some(length) = below[before..].find('/') {
            let folder = &below[before..before + length];
            if let Some(version) = version(folder) {
                let most = latest.entry(&below[..before]).or_default();
                *most = (*most).max(version);
            }
            before += length + 1;
        }
    }
    latest
}

/// Keeps so many with the largest values, of equal ones those with the smallest numbers.
fn keep_best<T>(all: &mut Vec<(f32, u32, T)>, most: usize) {
    if all.len() > most {
        all.select_nth_unstable_by(most, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        all.truncate(most);
    }
}

/// Appends a name without what tells a synchronous variant from an asynchronous one.
fn push_twin_key(name: &str, key: &mut String) {
    for part in parts_of(name) {
        let tells = ["async", "sync"];
        if !tells.iter().any(|word| part.eq_ignore_ascii_case(word)) {
            push_lower(part, key);
        }
    }
}

/// How many steps lead from one file's folder to that of another.
fn folder_distance(a: &str, b: &str) -> usize {
    let folders = |path: &str| -> Vec<String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (a, b) = (folders(a), folders(b));
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.len() + b.len() - 2 * common
}
