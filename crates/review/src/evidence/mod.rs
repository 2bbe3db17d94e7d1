//! What a change cannot be understood without, found with the resolver and ranked (SPEC RV2, R5).
//!
//! Every piece is lines of one file with the reason why they are shown. What a diff shows is in no piece. Pieces of a part
//! are in the order of their worth; how much room each part gets is the bundle's business.

mod around;
mod asked;
mod beside;
mod documents;
mod lines;
mod mentions;
mod names;
mod namesakes;
mod siblings;
mod uses;

use std::cell::Ref;
use std::collections::BTreeSet;

use codecortex_analysis::View;
use codecortex_analysis::reference_index::ReferenceIndex;
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::Failure;
use codecortex_resolve::{FileNo, Resolver};
use codecortex_syntax::Item;
use rustc_hash::{FxHashMap, FxHashSet};

pub use asked::Looked;
pub(crate) use asked::{MOST_ASKED, Wish, look_up};
pub(crate) use lines::LEAST_CONTEXT;
pub use lines::{Lines, Shown};

use crate::change::Change;
use crate::source::{is_in_test_module, is_test_path};
use crate::unit::Unit;

/// Why lines are shown. Lines of one file for several reasons stand in the list of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Heads of the declarations that changed.
    Head,
    /// What a name on an added line means.
    Definition,
    /// Code that uses what changed.
    Caller,
    /// The rest of the declarations that changed.
    Enclosing,
    /// What implements or overrides what changed.
    Implementation,
    /// Uses of words that somebody asked for.
    Search,
    /// Code like that which changed, and did not.
    Sibling,
    /// Tests that name what changed.
    Test,
    /// The whole of a longer function, of which the parts around the change are `Enclosing`.
    Whole,
    /// The whole of a very long one.
    Long,
    /// All of a function of which the lines most like the change are `Sibling`.
    Body,
    /// Code like that which changed, in files that the change does not touch.
    Similar,
    /// A field or the like that a name on an added line means: its use tells nearly all of it.
    Member,
    /// Lines with the name of what changed that are no uses of it: imports, exports, prototypes.
    Mention,
    /// Declarations of a name on changed lines that nobody resolved it to.
    Namesake,
    /// What a name beside the changed lines means.
    Nearby,
}

impl Part {
    /// The key of an item's list for pieces of other files.
    #[must_use]
    pub fn list(self) -> &'static str {
        match self {
            Self::Caller => "callers",
            Self::Definition | Self::Member | Self::Nearby => "definitions",
            Self::Test => "tests",
            Self::Implementation => "implementations",
            Self::Search => "search",
            Self::Mention => "mentions",
            Self::Namesake => "namesakes",
            _ => "similar",
        }
    }
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Why they are shown.
    pub part: Part,
    /// The less, the sooner.
    pub score: f64,
    /// The unit that they are shown with.
    pub unit: usize,
    /// Their file, as the change names files.
    pub path: String,
    /// Their numbers from 1; where not all fit, the first ones are shown.
    pub lines: Vec<u32>,
}

/// What is known of the uses of a declaration that changed.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Unit and place among its declarations.
    pub of: (usize, usize),
    /// Uses outside of the diff, outside of tests: path and line.
    pub callers: Vec<(String, u32)>,
    /// The same of tests.
    pub tests: Vec<(String, u32)>,
    /// Whether uses could be looked for.
    pub is_followed: bool,
}

/// A name that the change takes away.
#[derive(Debug)]
pub struct Gone {
    /// The unit that does.
    pub unit: usize,
    /// The name.
    pub name: String,
    /// Uses that are left: path and line, from 1.
    pub left: Vec<(String, u32)>,
    /// Documentation that names it: path and line, from 1.
    pub documented: Vec<(String, u32)>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Pieces of each part in the order of their worth.
    pub pieces: FxHashMap<Part, Vec<Piece>>,
    /// Of the declarations that changed.
    pub known: Vec<Known>,
    /// Names that are gone, with the uses that are left.
    pub gone: Vec<Gone>,
    /// By unit, how much the most similar code that did not change has of its rare words, 0 to 1.
    pub similarity: FxHashMap<usize, f64>,
    /// By unit, the rarest words of what changed.
    pub rare_words: FxHashMap<usize, Vec<String>>,
    /// What came of what rules and a plan ask for.
    pub looked: Vec<Looked>,
    /// The lines of all files that pieces are of.
    pub lines: Lines,
    /// What a reader should know of how it was looked for, a sentence each.
    pub notes: Vec<String>,
}

impl Evidence {
    fn add(&mut self, piece: Piece) {
        if !piece.lines.is_empty() {
            self.pieces.entry(piece.part).or_default().push(piece);
        }
    }

    fn sort(&mut self) {
        for pieces in self.pieces.values_mut() {
            pieces.sort_by(|a, b| {
                let by_score = a.score.total_cmp(&b.score);
                by_score
                    .then_with(|| a.path.cmp(&b.path))
                    .then_with(|| a.lines.cmp(&b.lines))
            });
        }
    }
}

/// What looking for evidence needs.
pub(crate) struct Search<'s> {
    pub(crate) view: &'s View<'s>,
    /// The root that the change is of.
    pub(crate) root: u32,
    pub(crate) change: &'s Change,
    pub(crate) units: &'s [Unit],
    pub(crate) query: &'s Resolver<'s>,
    /// Lines that the diff shows however little room there is.
    pub(crate) shown: Shown,
    /// Files of the change whose present text is that of the index, by their place in the change.
    pub(crate) current: FxHashMap<usize, FileId>,
    /// Files of the change by their number in the index.
    pub(crate) changed: FxHashMap<FileNo, usize>,
}

impl<'s> Search<'s> {
    fn new(
        view: &'s View<'s>,
        root: u32,
        (change, units): (&'s Change, &'s [Unit]),
        query: &'s Resolver<'s>,
    ) -> Self {
        let (mut current, mut changed) = (FxHashMap::default(), FxHashMap::default());
        for (at, file) in change.files.iter().enumerate() {
            let Some(id) = view.index.file_id(root, &file.path) else {
                continue;
            };
            changed.insert(id.0, at);
            let hash = file
                .new
                .as_ref()
                .and_then(|new| Some(new.facts.as_ref()?.hash));
            let known = view.index.file(id).map(|file| file.facts.summary().hash);
            if hash.is_some() && hash == known {
                current.insert(at, id);
            }
        }
        Self {
            view,
            root,
            change,
            units,
            query,
            shown: Shown::least(change),
            current,
            changed,
        }
    }

    /// The path of a file as the change names files; none of another root's.
    pub(crate) fn path(&self, file: FileNo) -> Option<&'s str> {
        let file = self.view.code.index.file(FileId(file))?;
        (file.root == self.root).then_some(&*file.path)
    }

    /// Whether a declaration is one of tests.
    pub(crate) fn is_test(&self, symbol: Symbol) -> bool {
        let Some(file) = self.view.index.file(symbol.file) else {
            return false;
        };
        is_test_path(&file.path) || is_in_test_module(&file.facts, symbol.item)
    }

    pub(crate) fn item(&self, symbol: Symbol) -> Option<&'s Item> {
        Some(self.view.code.index.get(symbol)?.1)
    }

    /// How much of a path is that of a file of the change.
    pub(crate) fn nearness(&self, path: &str) -> usize {
        let common = |other: &str| {
            path.bytes()
                .zip(other.bytes())
                .take_while(|(a, b)| a == b)
                .count()
        };
        let files = self
            .change
            .files
            .iter()
            .filter(|file| file.language.is_some());
        files.map(|file| common(&file.path)).max().unwrap_or(0)
    }

    /// Declarations of a name, spelled so, that are no fields, no tests and not in running code.
    pub(crate) fn named(&self, name: &str) -> Vec<Symbol> {
        use codecortex_syntax::ItemKind::{EnumMember, Extension, Field, Namespace};
        let is_it = |symbol: &&Symbol| {
            self.view.index.get(**symbol).is_some_and(|(file, item)| {
                file.root == self.root
                    && file.facts.str(item.name) == name
                    && !crate::source::is_local(item)
                    && !matches!(item.kind, Field | EnumMember | Extension | Namespace)
            }) && !self.is_test(**symbol)
        };
        let named = self.view.index.named(name).iter();
        let mut found: Vec<Symbol> = named.filter(is_it).copied().collect();
        // The index has them in the order in which files were read.
        found.sort_by_key(|symbol| (self.path(symbol.file.0), symbol.item));
        found
    }
}

/// Looks for what a change cannot be understood without. The call waits for the texts of files.
///
/// # Errors
/// `Failure::NeedsInput` for texts.
pub fn gather(
    view: &View<'_>,
    root: u32,
    change: &Change,
    units: &[Unit],
) -> Result<Evidence, Failure> {
    let names: Ref<'_, ReferenceIndex> = view.names();
    let query = Resolver::new(names.workspace());
    let search = Search::new(view, root, (change, units), &query);
    let used = uses::find(&search);
    let changed = names::changed_names(&search);
    let mut meant = names::find(&search, &changed, &used.gone);
    meant.extend(namesakes::find(&search, &changed, &meant));
    meant.extend(beside::find(&search, &meant));
    let mentions = mentions::find(&search, &used);
    let words = siblings::Words::of(&search);
    let near = siblings::candidates(&search);
    let mut files: BTreeSet<FileNo> = near.iter().map(|file| file.0).collect();
    files.extend(used.files());
    files.extend(meant.iter().map(|meant| meant.symbol.file.0));
    files.extend(
        mentions
            .iter()
            .flat_map(|of| &of.uses)
            .map(|used| used.file),
    );
    let is_other = |file: &FileNo| {
        let changed = search.changed.get(file);
        changed.is_none_or(|at| search.change.files[*at].new.is_none())
    };
    let read = view.need_texts(files.iter().copied().filter(is_other));
    let mut documents = both(read, documents::find(&search, &used.sought))?;

    let mut found = Evidence {
        lines: Lines::of(&search, &files),
        ..Evidence::default()
    };
    documents.add(&mut found);
    around::add(&search, &mut found);
    names::add(&search, meant, &mut found);
    mentions::add(&search, mentions, &mut found);
    uses::add(&search, used, &documents, &mut found);
    siblings::add(&search, &words, &near, &mut found);
    found.sort();
    Ok(found)
}

/// What is there where nothing is waited for, else all that is.
fn both<T>(first: Result<(), Failure>, second: Result<T, Failure>) -> Result<T, Failure> {
    use codecortex_protocol::Need::Texts;
    match (first, second) {
        (Ok(()), second) => second,
        (Err(Failure::NeedsInput(Texts(mut a))), Err(Failure::NeedsInput(Texts(b)))) => {
            a.extend(b);
            Err(Failure::NeedsInput(Texts(a)))
        }
        (Err(first), _) => Err(first),
    }
}

/// Numbers that are there once, in their order.
pub(crate) fn distinct(lines: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut seen = FxHashSet::default();
    lines
        .into_iter()
        .filter(|line| seen.insert(*line))
        .collect()
}
