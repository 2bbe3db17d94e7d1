//! The words of every declaration, file by file.
//!
//! A file's posting lists stand together, sorted by term; a term knows only which files have it. So a file is
//! replaced without a look at another one, and a list costs two to four bytes a declaration.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::document::{Declaration, DeclarationClass, RetrievalDocument, Role};
use crate::hits::{FIELDS, Field, TermHit, decode, encode};
use crate::roles::TestedProduct;
use crate::words::{Splitter, Term, joined, parts_of, stem};

/// A term; counted in the order in which terms were met, so that nothing shown may depend on it.
pub(crate) type TermId = u32;
/// A file; counted likewise.
pub(crate) type FileNo = u32;

/// A file that has a term, with the place of the term among those of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub(crate) file: FileNo,
    at: u32,
}

/// What is known of a term.
#[derive(Debug, Default)]
pub(crate) struct TermEntry {
    pub(crate) text: Box<str>,
    /// Files that have it, ascending.
    pub(crate) files: Vec<Posting>,
    /// Files with a declaration of that name, ascending.
    pub(crate) definers: Vec<FileNo>,
    /// Number of declarations that have it.
    pub(crate) declarations: u32,
}

/// A declaration as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct IndexedDeclaration {
    pub(crate) name: Range<u32>,
    pub(crate) container: Range<u32>,
    pub(crate) kind: DeclarationClass,
    pub(crate) kind_word: &'static str,
    /// The declaration around it; 0, the file, has itself.
    pub(crate) parent: u32,
    pub(crate) start: u32,
    /// Where the comment right above it starts; `start` where there is none.
    pub(crate) doc_start: u32,
    pub(crate) end: u32,
    pub(crate) name_at: u32,
    pub(crate) is_test: bool,
    /// Its name as a term.
    pub(crate) key: TermId,
}

/// A file as it is kept.
#[derive(Debug)]
pub(crate) struct FileEntry {
    pub(crate) path: Box<str>,
    pub(crate) role: Role,
    names: Box<str>,
    /// The first is the file itself.
    pub(crate) declared: Box<[IndexedDeclaration]>,
    /// Number of words of each one's own text: the ranking reads these and nothing else of most.
    pub(crate) lengths: Box<[u32]>,
    /// Terms with where their hits end.
    terms: Box<[(TermId, u32)]>,
    hits: Box<[u8]>,
    /// Number of words of its text.
    pub(crate) length: u32,
}

impl FileEntry {
    pub(crate) fn text(&self, range: &Range<u32>) -> &str {
        self.names
            .get(range.start as usize..range.end as usize)
            .unwrap_or("")
    }

    pub(crate) fn name(&self, declaration: u32) -> &str {
        self.declared
            .get(declaration as usize)
            .map_or("", |of| self.text(&of.name))
    }

    /// The name of what a declaration is written in or belongs to; empty at the top level.
    pub(crate) fn container(&self, declaration: u32) -> &str {
        let Some(of) = self.declared.get(declaration as usize) else {
            return "";
        };
        match self.text(&of.container) {
            "" if self.declared[of.parent as usize].kind_word == "namespace" => "",
            "" if of.parent != 0 => self.name(of.parent),
            written => written,
        }
    }

    fn bytes(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.terms[before].1);
        &self.hits[start as usize..self.terms[at].1 as usize]
    }

    /// Every term that a declaration has.
    pub(crate) fn hits_of(&self, declaration: u32) -> impl Iterator<Item = (TermId, TermHit)> {
        self.all_hits().filter_map(move |(term, mut hits)| {
            // They are in the order of their declarations.
            let hit = hits.find(|hit| hit.declaration >= declaration)?;
            (hit.declaration == declaration).then_some((term, hit))
        })
    }

    /// Every term with its hits.
    pub(crate) fn all_hits(&self) -> impl Iterator<Item = (TermId, impl Iterator<Item = TermHit>)> {
        (0..self.terms.len()).map(|at| (self.terms[at].0, decode(self.bytes(at))))
    }
}

/// The words of all declarations.
#[derive(Debug, Default)]
pub struct Index {
    pub(crate) files: Vec<Option<FileEntry>>,
    pub(crate) by_path: BTreeMap<Box<str>, FileNo>,
    free: Vec<FileNo>,
    pub(crate) terms: Vec<TermEntry>,
    by_term: FxHashMap<Box<str>, TermId>,
    /// Terms by their first byte and their length: those that a typing error may have made of another.
    by_shape: FxHashMap<(u8, usize), Vec<TermId>>,
    /// Over all files: declarations, words of declarations.
    pub(crate) declarations: u64,
    pub(crate) words: u64,
    /// What of the files that are called tests is the product; made when it is asked for after a change.
    tested_product: OnceCell<TestedProduct>,
}

impl Index {
    /// An index of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_path.len()
    }

    /// Whether it has no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// Takes in what a file is now. Costs what the file costs.
    pub fn replace(&mut self, document: &RetrievalDocument<'_>) {
        self.remove(document.path);
        self.tested_product.take();
        let number = self.free.pop().unwrap_or(self.files.len() as FileNo);
        let entry = FileReading::add_document(self, document);
        self.declarations += entry.declared.len() as u64;
        self.words += u64::from(entry.length);
        for (at, (term, hits)) in entry.all_hits().enumerate() {
            let known = &mut self.terms[term as usize];
            let place = known.files.partition_point(|other| other.file < number);
            let at = at as u32;
            known.files.insert(place, Posting { file: number, at });
            known.declarations += hits.count() as u32;
        }
        for declared in entry.declared.iter().skip(1) {
            insert(&mut self.terms[declared.key as usize].definers, number);
        }
        self.by_path.insert(entry.path.clone(), number);
        if number as usize == self.files.len() {
            self.files.push(None);
        }
        self.files[number as usize] = Some(entry);
    }

    /// Takes a file out; whether it was there.
    pub fn remove(&mut self, path: &str) -> bool {
        let Some(number) = self.by_path.remove(path) else {
            return false;
        };
        let Some(entry) = self.files[number as usize].take() else {
            return false;
        };
        self.tested_product.take();
        self.declarations -= entry.declared.len() as u64;
        self.words -= u64::from(entry.length);
        for (term, hits) in entry.all_hits() {
            let known = &mut self.terms[term as usize];
            let place = known.files.partition_point(|other| other.file < number);
            known.files.remove(place);
            known.declarations -= hits.count() as u32;
        }
        for declared in entry.declared.iter().skip(1) {
            take_out(&mut self.terms[declared.key as usize].definers, number);
        }
        self.free.push(number);
        true
    }

    /// What of the files that are called tests is the product.
    pub(crate) fn tested_product(&self) -> &TestedProduct {
        self.tested_product.get_or_init(|| TestedProduct::of(self))
    }

    /// Bytes of memory it holds, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        let files = self.files.iter().flatten().map(|file| {
            file.names.len()
                + file.hits.len()
                + size_of_val(&*file.terms)
                + size_of_val(&*file.declared)
                + size_of_val(&*file.lengths)
                + 2 * file.path.len()
        });
        let terms = self.terms.iter().map(|term| {
            2 * term.text.len()
                + term.files.capacity() * size_of::<Posting>()
                + term.definers.capacity() * size_of::<FileNo>()
                + size_of::<TermId>()
                + 2 * size_of::<TermEntry>()
        });
        files.sum::<usize>()
            + terms.sum::<usize>()
            + self.files.capacity() * size_of::<Option<FileEntry>>()
    }

    pub(crate) fn term(&self, text: &str) -> Option<TermId> {
        self.by_term.get(text).copied()
    }

    pub(crate) fn file(&self, number: FileNo) -> Option<&FileEntry> {
        self.files.get(number as usize)?.as_ref()
    }

    /// The files that have a term and are wanted, each with its hits.
    pub(crate) fn postings(
        &self,
        term: TermId,
        wanted: impl Fn(FileNo) -> bool,
    ) -> impl Iterator<Item = (FileNo, &FileEntry, impl Iterator<Item = TermHit>)> {
        let files = self.terms[term as usize].files.iter();
        let files = files.filter(move |posting| wanted(posting.file));
        files.filter_map(|posting| {
            let entry = self.file(posting.file)?;
            let hits = decode(entry.bytes(posting.at as usize));
            Some((posting.file, entry, hits))
        })
    }

    /// Whether a term is a part of a declaration's name.
    pub(crate) fn is_in_names(&self, term: TermId) -> bool {
        /// Files that are looked at: what is a part of names is one in most of them.
        const MAX: usize = 64;
        self.postings(term, |_| true)
            .take(MAX)
            .any(|(_, _, mut hits)| hits.any(|hit| hit.count(Field::Name) > 0))
    }

    /// Terms that begin with a byte and have so many bytes.
    pub(crate) fn shaped(&self, first: u8, length: usize) -> &[TermId] {
        let known = self.by_shape.get(&(first, length));
        known.map_or(&[], Vec::as_slice)
    }

    /// How rare a term is among declarations; 0 for one that no declaration has.
    pub(crate) fn rarity(&self, term: TermId) -> f32 {
        let having = f64::from(self.terms[term as usize].declarations);
        if having == 0.0 {
            return 0.0;
        }
        let all = self.declarations as f64;
        (1.0 + (all - having + 0.5).max(0.0) / (having + 0.5)).ln() as f32
    }

    fn intern(&mut self, text: &str) -> TermId {
        if let Some(known) = self.by_term.get(text) {
            return *known;
        }
        let id = self.terms.len() as TermId;
        self.terms.push(TermEntry {
            text: text.into(),
            ..TermEntry::default()
        });
        if let Some(first) = text.as_bytes().first() {
            let alike = self.by_shape.entry((*first, text.len())).or_default();
            alike.push(id);
        }
        self.by_term.insert(text.into(), id);
        id
    }
}

fn insert(sorted: &mut Vec<FileNo>, number: FileNo) {
    if let Err(at) = sorted.binary_search(&number) {
        sorted.insert(at, number);
    }
}

fn take_out(sorted: &mut Vec<FileNo>, number: FileNo) {
    if let Ok(at) = sorted.binary_search(&number) {
        sorted.remove(at);
    }
}

/// The name of a declaration as one lower-case word: what uses of it are found by.
pub(crate) fn name_key(name: &str) -> String {
    let mut key = joined(name);
    if parts_of(name).nth(1).is_none() {
        stem(&mut key);
    }
    key
}

/// A file's terms with where their hits end, and the hits.
type Postings = (Box<[(TermId, u32)]>, Box<[u8]>);

/// A file that is being read.
struct FileReading<'i> {
    index: &'i mut Index,
    splitter: Splitter,
    counts: FxHashMap<(TermId, u32), [u8; FIELDS]>,
}

impl<'i> FileReading<'i> {
    fn add_document(index: &'i mut Index, document: &RetrievalDocument<'_>) -> FileEntry {
        let mut reading = Self {
            index,
            splitter: Splitter::default(),
            counts: FxHashMap::default(),
        };
        let mut names = String::new();
        let mut declared = vec![reading.file_itself(document)];
        for (at, declaration) in document.declarations.iter().enumerate() {
            declared.push(reading.declaration(document, declaration, at as u32 + 1, &mut names));
        }
        let lengths = reading.texts(document, &declared);
        let (terms, hits) = reading.sorted();
        FileEntry {
            path: document.path.into(),
            role: document.role,
            names: names.into(),
            length: lengths.iter().sum(),
            declared: declared.into(),
            lengths: lengths.into(),
            terms,
            hits,
        }
    }

    fn file_itself(&mut self, document: &RetrievalDocument<'_>) -> IndexedDeclaration {
        let path = document.path;
        self.count(path, 0, Field::Path);
        // The file's own name says more of it than the folders.
        let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
        let stem = file.split('.').next().unwrap_or(file);
        self.count(stem, 0, Field::Path);
        self.count(stem, 0, Field::Path);
        IndexedDeclaration {
            name: 0..0,
            container: 0..0,
            kind: DeclarationClass::File,
            kind_word: "file",
            parent: 0,
            start: 0,
            doc_start: 0,
            end: document.text.len() as u32,
            name_at: 0,
            is_test: false,
            key: 0,
        }
    }

    fn declaration(
        &mut self,
        document: &RetrievalDocument<'_>,
        of: &Declaration<'_>,
        at: u32,
        names: &mut String,
    ) -> IndexedDeclaration {
        let parent = of.parent.filter(|parent| *parent + 1 < at);
        let outer = parent.map_or("", |parent| document.declarations[parent as usize].name);
        self.count(of.name, at, Field::Name);
        self.count(
            if of.container.is_empty() {
                outer
            } else {
                of.container
            },
            at,
            Field::Container,
        );
        self.count(of.signature, at, Field::Signature);
        self.count(of.doc, at, Field::Doc);
        let mut keep = |text: &str| {
            let start = names.len() as u32;
            names.push_str(text);
            start..names.len() as u32
        };
        IndexedDeclaration {
            name: keep(of.name),
            container: keep(of.container),
            kind: of.kind,
            kind_word: of.kind_word,
            parent: parent.map_or(0, |parent| parent + 1),
            start: of.start,
            doc_start: comment_above(document.text, of.start),
            end: of.end,
            name_at: of.name_at,
            is_test: of.is_test,
            key: self.index.intern(&name_key(of.name)),
        }
    }

    /// Counts the words of the text for the innermost declaration around each piece; how many each has.
    fn texts(
        &mut self,
        document: &RetrievalDocument<'_>,
        declared: &[IndexedDeclaration],
    ) -> Vec<u32> {
        let mut lengths = vec![0; declared.len()];
        for (owner, piece) in own_pieces(declared) {
            if let Some(text) = document.text.get(piece.start as usize..piece.end as usize) {
                lengths[owner as usize] += self.count(text, owner, Field::Body);
            }
        }
        lengths
    }

    fn count(&mut self, text: &str, declaration: u32, field: Field) -> u32 {
        let Self {
            index,
            splitter,
            counts,
        } = self;
        let mut length = 0;
        splitter.visit(text, |term| {
            let (Term::Part(text) | Term::Joined(text)) = term;
            length += u32::from(matches!(term, Term::Part(_)));
            let counts = counts.entry((index.intern(text), declaration)).or_default();
            let count = &mut counts[field as usize];
            *count = count.saturating_add(1);
        });
        length
    }

    fn sorted(self) -> Postings {
        let mut sorted: Vec<_> = self.counts.into_iter().collect();
        sorted.sort_unstable_by_key(|(at, _)| *at);
        let (mut terms, mut hits): (Vec<(TermId, u32)>, _) = (Vec::new(), Vec::new());
        let mut before = 0;
        for ((term, declaration), counts) in sorted {
            if terms.last().is_none_or(|(last, _)| *last != term) {
                terms.push((term, 0));
                before = 0;
            }
            encode(
                &TermHit {
                    declaration,
                    counts,
                },
                before,
                &mut hits,
            );
            before = declaration;
            if let Some(last) = terms.last_mut() {
                last.1 = hits.len() as u32;
            }
        }
        (terms.into(), hits.into())
    }
}

/// Where the comment that stands right above a place starts; the place itself where none does.
fn comment_above(text: &str, start: u32) -> u32 {
    const MARKS: [&str; 7] = ["//", "/*", "*", "# ", "--", "#:", "\"\"\""];
    let Some(before) = text.get(..start as usize) else {
        return start;
    };
    let mut at = before.rfind('\n').map_or(0, |end| end + 1);
    if !before[at..].trim().is_empty() {
        return start;
    }
    let mut found = start;
    while at > 0 {
        let line_start = before[..at - 1].rfind('\n').map_or(0, |end| end + 1);
        let line = before[line_start..at - 1].trim();
        let is_comment = MARKS.iter().any(|mark| line.starts_with(mark)) || line.ends_with("*/");
        if !is_comment {
            break;
        }
        at = line_start;
        found = line_start as u32;
    }
    found
}

/// Every piece of a file's text with the innermost declaration around it, in source order.
pub(crate) fn own_pieces(declared: &[IndexedDeclaration]) -> Vec<(u32, Range<u32>)> {
    let mut pieces = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    let mut at = 0;
    let mut close_to = |open: &mut Vec<u32>, at: &mut u32, until: u32| {
        while let Some(last) = open.last() {
            let end = declared[*last as usize].end.min(until);
            if *at < end {
                pieces.push((*last, *at..end));
                *at = end;
            }
            if declared[*last as usize].end > until {
                return;
            }
            open.pop();
        }
    };
    let mut order: Vec<u32> = (0..declared.len() as u32).collect();
    order.sort_by_key(|of| {
        (
            declared[*of as usize].doc_start,
            std::cmp::Reverse(declared[*of as usize].end),
            *of,
        )
    });
    // The file itself is around everything, also where it begins with a declaration.
    order.retain(|of| *of != 0);
    open.push(0);
    for of in order {
        close_to(&mut open, &mut at, declared[of as usize].doc_start);
        open.push(of);
    }
    close_to(&mut open, &mut at, u32::MAX);
    pieces
}
