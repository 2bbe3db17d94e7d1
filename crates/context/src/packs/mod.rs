//! Packs: types that belong together, chosen by a filter, as one text within a budget (SPEC PK1, D24,
//! `000` §10; docs/prompt-window.md).
//!
//! 1. Types that the filter fits, and what they directly depend on.
//! 2. In the order of their importance (chosen before added, then by how many types depend on them, then by
//!    depth) each gets its outline; semantic texts come in while there is room, the least important types
//!    are left out where there is none.
//! 3. What is needed is written before what needs it.

pub mod built;
pub mod filter;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codecortex_analysis::artefacts::needs::{Meanings, with_meanings};
use codecortex_analysis::artefacts::types::type_units;
use codecortex_answer::budget::allocate;
use codecortex_answer::budget::allocate::{AllocatablePieces, CutReason, ServingRule, Share};
use codecortex_index::{FileId, IndexedFile, SegmentKind, Symbol};
use codecortex_live::version_of;
use codecortex_protocol::{Failure, Located, Missing, characters, tokens_approx};
use codecortex_syntax::Item;
use codecortex_text::TextDocument;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::packs::built::{Built, PackedType};
use crate::packs::filter::{Field, NamePattern, PackFilter, parse};
use crate::sources::Sources;
use crate::window::candidate::{WindowCandidate, WindowSource, topological};
use crate::window::detail_levels::{levels, sections_of};
use crate::window::piece_levels::{DetailLevels, outline_count};
use crate::window::state::PinEntry;

/// The default budget of a pack, in tokens.
pub const TOKENS: u32 = 8_000;

/// A type that may come into a pack.
struct PackCandidate {
    candidate: WindowCandidate,
    symbol: Symbol,
    is_chosen: bool,
    needs: Vec<String>,
    references: usize,
    depth: u32,
}

struct PackCandidateSource<'a> {
    sources: &'a Sources<'a>,
    all: &'a [PackCandidate],
    detail_levels: RefCell<Vec<Option<DetailLevels>>>,
}

impl PackCandidateSource<'_> {
    /// Files whose texts have to be read before all forms that were made have their lines.
    fn missing(&self) -> Vec<Located> {
        let levels = self.detail_levels.borrow();
        let files: BTreeSet<FileId> = levels
            .iter()
            .flatten()
            .flat_map(|levels| &levels.missing)
            .copied()
            .collect();
        let files = files.into_iter();
        files
            .filter_map(|file| self.sources.code.located_file(file))
            .collect()
    }
}

impl PackCandidateSource<'_> {
    fn form(&self, piece: usize, form: usize) -> (&'static str, String) {
        let mut detail_levels = self.detail_levels.borrow_mut();
        let levels = detail_levels[piece]
            .get_or_insert_with(|| levels(self.sources, &self.all[piece].candidate));
        let (name, text) = levels.form(form);
        (name, text.to_owned())
    }
}

impl AllocatablePieces for PackCandidateSource<'_> {
    fn count(&self) -> usize {
        self.all.len()
    }

    fn source(&self, _: usize) -> usize {
        0
    }

    fn forms(&self, piece: usize) -> usize {
        let candidate = &self.all[piece].candidate;
        outline_count(sections_of(self.sources, candidate.root, &candidate.entry.id).len())
    }

    fn cost(&self, piece: usize, form: usize) -> usize {
        characters(&self.form(piece, form).1)
    }
}

/// Builds a pack, of saved text alone: it is a file of `.context/`. The same code and filter give the same text.
///
/// # Errors
/// A filter that cannot be read, and texts of files whose lines it shows that have to be read first.
pub fn build_pack(
    sources: &Sources<'_>,
    root: u32,
    name: &str,
    written: &str,
    max_tokens: u32,
) -> Result<Built, Failure> {
    let filter = parse(written)?;
    let sources = &sources.saved();
    let all = chosen(sources, root, &filter);
    let title = format!("# Pack: {name}\nFilter: {}\n\n", one_line(written));
    let room = (max_tokens as usize * 4).saturating_sub(characters(&title));
    let candidates = PackCandidateSource {
        sources,
        detail_levels: RefCell::new(vec![None; all.len()]),
        all: &all,
    };
    let rule = ServingRule {
        cap: room,
        top_k: usize::MAX,
        is_fair: true,
    };
    let shares = allocate(&candidates, &[rule], room);
    let missing = candidates.missing();
    if !missing.is_empty() {
        return Err(Failure::Missing(Missing::Texts(missing)));
    }
    let mut text = title;
    let (mut types, mut cut) = (Vec::new(), Vec::new());
    for place in order(&all) {
        let chosen = &all[place];
        let member = |form, tokens| PackedType {
            id: chosen.candidate.entry.id.clone(),
            path: chosen.candidate.entry.path.clone(),
            is_chosen: chosen.is_chosen,
            form,
            tokens,
        };
        match shares[place] {
            Share::Form(form) => {
                let (form, piece) = candidates.form(place, form);
                types.push(member(form, tokens_approx(&piece)));
                text += &piece;
            }
            Share::Cut(CutReason::Budget | CutReason::Source | CutReason::TopK) => {
                cut.push(member("", 0))
            }
        }
    }
    Ok(Built {
        tokens: tokens_approx(&text),
        hash: version_of(&TextDocument::new(&text)),
        text,
        types,
        cut,
    })
}

/// The types that a filter fits and what they directly depend on, the most important first.
fn chosen(sources: &Sources<'_>, root: u32, filter: &PackFilter) -> Vec<PackCandidate> {
    with_meanings(sources.code, |meanings| {
        chosen_by(sources, root, filter, meanings)
    })
}

fn chosen_by(
    sources: &Sources<'_>,
    root: u32,
    filter: &PackFilter,
    meanings: &Meanings<'_>,
) -> Vec<PackCandidate> {
    let tags = tag_rules(sources, root);
    let mut symbols: BTreeMap<String, (Symbol, bool)> = BTreeMap::new();
    for (unit, symbol) in type_units(sources.code, root) {
        let mut is =
            |field, pattern: &NamePattern| is(sources, field, pattern, symbol, &tags, meanings);
        if filter.holds(&mut is) {
            symbols.insert(unit.id(), (symbol, true));
        }
    }
    let fitting: Vec<Symbol> = symbols.values().map(|(symbol, _)| *symbol).collect();
    for symbol in fitting {
        for need in meanings.needs(symbol) {
            symbols.entry(need.id).or_insert((need.symbol, false));
        }
    }
    let mut all: Vec<PackCandidate> = symbols
        .into_iter()
        .map(|(id, (symbol, is_chosen))| {
            let needs = meanings.needs(symbol);
            let folder = sources.folders.folder(root);
            let view = folder.and_then(|folder| folder.ledger?.get(&id));
            let entry = PinEntry {
                path: sources.code.index().path_of(symbol),
                id,
                since: 0,
            };
            PackCandidate {
                candidate: WindowCandidate::from_tier(
                    (WindowSource::Pinned, 0.0),
                    root,
                    Arc::new(entry),
                    "",
                ),
                symbol,
                is_chosen,
                needs: needs.into_iter().map(|need| need.id).collect(),
                references: view.as_ref().map_or(0, |view| view.references),
                depth: view.map_or(0, |view| view.depth),
            }
        })
        .collect();
    count_references(&mut all);
    all.sort_by(|a, b| {
        let key =
            |one: &PackCandidate| (!one.is_chosen, std::cmp::Reverse(one.references), one.depth);
        let path = |one: &PackCandidate| one.candidate.entry.path.clone();
        key(a).cmp(&key(b)).then_with(|| path(a).cmp(&path(b)))
    });
    all
}

fn is(
    sources: &Sources<'_>,
    field: Field,
    pattern: &NamePattern,
    symbol: Symbol,
    tags: &BTreeMap<String, Gitignore>,
    meanings: &Meanings<'_>,
) -> bool {
    let Some((file, item)) = sources.code.index().get(symbol) else {
        return false;
    };
    match field {
        Field::Namespace => {
            let segments = sources.code.index().segments(symbol);
            let names = segments
                .iter()
                .take_while(|part| part.kind == SegmentKind::Namespace);
            let names: Vec<&str> = names.map(|part| part.text).collect();
            pattern.fits_namespace(&names.join("."))
        }
        Field::Type => pattern.fits_path(&sources.code.index().path_of(symbol)),
        Field::Access => pattern.fits(item.visibility.as_str()),
        Field::Tag => {
            let parts = sources.code.index().parts(symbol);
            let mut parts = parts
                .iter()
                .filter_map(|part| sources.code.index().get(part.symbol));
            pattern.fits(item.kind.as_str())
                || pattern.fits(file.facts.language.info().id)
                || parts.any(|(file, item)| {
                    let mut names = file.facts.marks_of(item);
                    item.flags.modifiers().any(|word| pattern.fits(word))
                        || words_before_name(file, item).any(|word| pattern.fits(word))
                        || names.any(|name| fits_attribute(pattern, name))
                })
                || tags.iter().any(|(tag, rules)| {
                    pattern.fits(tag)
                        && rules
                            .matched_path_or_any_parents(&*file.path, false)
                            .is_ignore()
                })
        }
        Field::Depends => {
            let mut needs = meanings.needs(symbol).into_iter();
            needs.any(|need| pattern.fits_path(&sources.code.index().path_of(need.symbol)))
        }
    }
}

/// What a declaration has before its name, as it is written: modifiers such as `sealed` that mean nothing in other
/// languages are among it.
fn words_before_name<'a>(file: &'a IndexedFile, item: &Item) -> impl Iterator<Item = &'a str> {
    let signature = file.facts.str(item.signature);
    let name = file.facts.str(item.name);
    let words = signature.split_whitespace();
    words.take_while(move |word| !word.starts_with(name))
}

/// The tags of a root's `config.json`, each with the paths that have it.
fn tag_rules(sources: &Sources<'_>, root: u32) -> BTreeMap<String, Gitignore> {
    let folder = sources.folders.folder(root);
    let tags = folder.map(|folder| &folder.config.tags);
    let rules = tags.into_iter().flatten().filter_map(|(tag, patterns)| {
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            // A pattern that is none fits nothing.
            let _ = builder.add_line(None, pattern);
        }
        Some((tag.clone(), builder.build().ok()?))
    });
    rules.collect()
}

/// Whether an attribute's written name, or its last part, fits, as C# also without `Attribute` at its end.
fn fits_attribute(pattern: &NamePattern, name: &str) -> bool {
    let short = name.strip_suffix("Attribute").unwrap_or(name);
    !name.is_empty() && (pattern.fits_path(name) || pattern.fits_path(short))
}

/// Where the ledger knows nothing, references are counted among the types of the pack.
fn count_references(all: &mut [PackCandidate]) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in all.iter() {
        for need in &one.needs {
            *counts.entry(need).or_insert(0) += 1;
        }
    }
    let counts: Vec<usize> = all
        .iter()
        .map(|one| {
            counts
                .get(one.candidate.entry.id.as_str())
                .copied()
                .unwrap_or(0)
        })
        .collect();
    for (one, count) in all.iter_mut().zip(counts) {
        one.references = one.references.max(count);
    }
}

/// The order in which types are written: what is needed first, otherwise by path.
fn order(all: &[PackCandidate]) -> Vec<usize> {
    let mut by_path: Vec<usize> = (0..all.len()).collect();
    by_path.sort_by_key(|place| (&all[*place].candidate.entry.path, all[*place].symbol.item));
    let places: BTreeMap<&str, usize> = by_path
        .iter()
        .enumerate()
        .map(|(rank, place)| (all[*place].candidate.entry.id.as_str(), rank))
        .collect();
    let needs: Vec<Vec<usize>> = by_path
        .iter()
        .map(|place| {
            let needs = all[*place].needs.iter();
            let mut needs: Vec<usize> = needs
                .filter_map(|id| places.get(id.as_str()).copied())
                .collect();
            needs.sort_unstable();
            needs
        })
        .collect();
    topological(&needs)
        .into_iter()
        .map(|rank| by_path[rank])
        .collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
