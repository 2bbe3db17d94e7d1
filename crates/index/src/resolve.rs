//! From a symbol path that somebody typed to the declarations that are meant (SPEC S2).
//!
//! In this order, the first that finds anything decides: the full path; the end of a path; wildcards.
//! Nothing found: names within an edit distance of two are suggested, never taken.

use codecortex_syntax::{Flags, Item, ItemKind};

use crate::index::{SegmentKind, lower, mask, simple_name, written_path};
use crate::symbol_path::{SymbolPath, split_types, wildcard_matches};
use crate::{File, Index, Symbol};

/// Suggestions are for reading; more than this is noise.
const MAX_SUGGESTIONS: usize = 8;

/// How a path was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// The whole path.
    Exact,
    /// The end of a path.
    Suffix,
    /// A pattern.
    Wildcard,
}

impl Match {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Suffix => "suffix",
            Self::Wildcard => "wildcard",
        }
    }
}

/// One path and everything that declares it: parts of a type, overloads, a prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The full path as its language writes it.
    pub path: String,
    /// Its declarations; never empty.
    pub symbols: Vec<Symbol>,
    /// How it was found.
    pub matched: Match,
}

/// What a path resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// One path.
    One(Resolved),
    /// Several, best first.
    Many(Vec<Resolved>),
    /// Nothing; paths that may be meant.
    None(Vec<String>),
}

/// A group of candidates with what ranks it.
struct Group {
    resolved: Resolved,
    case_differs: bool,
    depth: usize,
    visibility: u8,
    is_local: bool,
}

/// How a symbol's path fits the query.
struct Fit {
    /// Whether the query is the whole path.
    is_whole: bool,
    case_differs: bool,
    depth: usize,
    path: String,
}

impl Index {
    /// Resolves a path (SPEC S2, D20).
    #[must_use]
    pub fn resolve(&self, path: &SymbolPath) -> Resolution {
        let wanted: Vec<String> = path.segments.iter().map(|segment| lower(segment)).collect();
        let wildcard = path.has_wildcard();
        let mut groups = if wildcard {
            self.wildcard_groups(path, &wanted)
        } else {
            self.named_groups(path, &wanted)
        };
        if !wildcard {
            prefer(&mut groups, |group| group.resolved.matched == Match::Exact);
            prefer(&mut groups, |group| !group.case_differs);
            prefer(&mut groups, |group| !group.is_local);
        }
        groups.sort_by(|a, b| {
            (
                a.case_differs,
                a.depth,
                a.visibility,
                a.resolved.path.len(),
                &a.resolved.path,
            )
                .cmp(&(
                    b.case_differs,
                    b.depth,
                    b.visibility,
                    b.resolved.path.len(),
                    &b.resolved.path,
                ))
        });
        let mut found: Vec<Resolved> = groups.into_iter().map(|group| group.resolved).collect();
        match (found.len(), found.pop()) {
            (1, Some(only)) => Resolution::One(only),
            (_, Some(last)) => {
                found.push(last);
                Resolution::Many(found)
            }
            (_, None) => Resolution::None(self.suggestions(path)),
        }
    }

    fn named_groups(&self, path: &SymbolPath, wanted: &[String]) -> Vec<Group> {
        self.group(path, wanted, self.named(path.name()).iter().copied())
    }

    fn wildcard_groups(&self, path: &SymbolPath, wanted: &[String]) -> Vec<Group> {
        let pattern = wanted.last().map_or("", String::as_str);
        let letters = mask(&pattern.replace(['*', '?'], ""));
        let symbols = self
            .names
            .iter()
            .filter(|(name, entry)| letters & !entry.mask == 0 && wildcard_matches(pattern, name))
            .flat_map(|(_, name)| name.symbols.iter().copied());
        self.group(path, wanted, symbols)
    }

    /// Candidates that fit the whole query, by path.
    fn group(
        &self,
        path: &SymbolPath,
        wanted: &[String],
        symbols: impl Iterator<Item = Symbol>,
    ) -> Vec<Group> {
        let mut found: Vec<(Symbol, &Item, Fit)> = Vec::new();
        for symbol in symbols {
            let Some((file, item)) = self.get(symbol) else {
                continue;
            };
            if item.kind == ItemKind::Extension || !fits_overload(path, file.facts.str(item.params))
            {
                continue;
            }
            if let Some(fit) = self.fits(symbol, file, path, wanted) {
                found.push((symbol, item, fit));
            }
        }
        if let Some(arity) = path.arity
            && found
                .iter()
                .any(|(_, item, ..)| usize::from(item.arity) == arity)
        {
            found.retain(|(_, item, ..)| usize::from(item.arity) == arity);
        }
        let types: Vec<Symbol> = found
            .iter()
            .filter(|(_, item, ..)| item.kind.is_type())
            .map(|found| found.0)
            .collect();
        // `Store` means the class, not the constructor in it.
        found.retain(|(symbol, item, ..)| {
            let special = matches!(item.kind, ItemKind::Constructor | ItemKind::Destructor);
            !(special
                && item.parent.is_some_and(|parent| {
                    types.contains(&Symbol {
                        file: symbol.file,
                        item: parent,
                    })
                }))
        });
        let mut groups: indexmap::IndexMap<(String, u8), Group> = indexmap::IndexMap::new();
        for (symbol, item, fit) in found {
            let key = (
                fit.path.clone(),
                if item.kind.is_type() { item.arity } else { 0 },
            );
            let group = groups.entry(key).or_insert_with(|| Group {
                resolved: Resolved {
                    path: fit.path,
                    symbols: Vec::new(),
                    matched: match (path.has_wildcard(), fit.is_whole) {
                        (true, _) => Match::Wildcard,
                        (false, true) => Match::Exact,
                        (false, false) => Match::Suffix,
                    },
                },
                case_differs: fit.case_differs,
                depth: fit.depth,
                visibility: item.visibility as u8,
                is_local: item.flags.contains(Flags::LOCAL),
            });
            group.resolved.symbols.push(symbol);
            group.visibility = group.visibility.min(item.visibility as u8);
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        for group in &mut groups {
            // A definition says more than its prototypes, a type's largest part more than the others.
            group.resolved.symbols.sort_by_key(|symbol| {
                let place = self.get(*symbol);
                let is_prototype =
                    place.is_none_or(|(_, item)| item.flags.contains(Flags::DECLARATION));
                let lines = place
                    .filter(|(_, item)| item.kind.is_type())
                    .map_or(0, |(_, item)| item.end.line.saturating_sub(item.start.line));
                let file = place.map(|(file, _)| (file.root, file.path.clone()));
                (is_prototype, std::cmp::Reverse(lines), file, symbol.item)
            });
        }
        groups
    }

    /// How the symbol's path ends with the query, if it does.
    fn fits(
        &self,
        symbol: Symbol,
        file: &File,
        path: &SymbolPath,
        wanted: &[String],
    ) -> Option<Fit> {
        let segments = self.segments(symbol);
        // A module's name may have dots (`store.test`), which the query's grammar splits at.
        let flat: Vec<&str> = segments
            .iter()
            .flat_map(|segment| {
                let splits = segment.kind == SegmentKind::Namespace;
                segment.text.split(move |c| splits && c == '.')
            })
            .filter(|part| !part.is_empty())
            .collect();
        let skipped = flat.len().checked_sub(wanted.len())?;
        let mut case_differs = false;
        for ((part, wanted), written) in flat[skipped..].iter().zip(wanted).zip(&path.segments) {
            if wanted.contains(['*', '?']) {
                if !wildcard_matches(wanted, &lower(part)) {
                    return None;
                }
            } else if *part != written {
                if lower(part) != *wanted {
                    return None;
                }
                case_differs = true;
            }
        }
        Some(Fit {
            is_whole: skipped == 0,
            case_differs,
            depth: segments.len(),
            path: written_path(file, &segments),
        })
    }

    /// Names that may be meant: the same name elsewhere, then names that differ in two letters.
    fn suggestions(&self, path: &SymbolPath) -> Vec<String> {
        let wanted = lower(path.name());
        let mut near: Vec<(usize, usize, String)> = Vec::new();
        let bits = mask(&wanted);
        for (name, entry) in &self.names {
            if entry.symbols.is_empty() || name.len().abs_diff(wanted.len()) > 2 {
                continue;
            }
            // Two edits change at most four of the letters that occur.
            if (bits ^ entry.mask).count_ones() > 4 {
                continue;
            }
            let distance = strsim::levenshtein(&wanted, name);
            if distance <= 2
                && distance * 2 < wanted.chars().count().max(1) + usize::from(distance == 0)
            {
                let best = entry.symbols.iter().take(64).filter_map(|symbol| {
                    let (file, item) = self.get(*symbol)?;
                    let usable =
                        item.kind != ItemKind::Extension && !item.flags.contains(Flags::LOCAL);
                    // Of names that are as near in any case, the one in the case that was asked for.
                    let written = simple_name(file.facts.str(item.name));
                    let as_written = strsim::levenshtein(path.name(), written);
                    usable.then(|| (as_written, item.visibility, self.path_of(*symbol)))
                });
                let mut best: Vec<_> = best.collect();
                best.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
                let best = best.into_iter().take(3);
                near.extend(best.map(|(as_written, _, path)| (distance, as_written, path)));
            }
        }
        near.sort();
        let mut out: Vec<String> = Vec::new();
        for (_, _, path) in near {
            let simple = path
                .rsplit(['.', ':', '+', '/'])
                .next()
                .unwrap_or("")
                .to_owned();
            for suggestion in [simple, path] {
                if !suggestion.is_empty() && !out.contains(&suggestion) {
                    out.push(suggestion);
                }
            }
        }
        out.truncate(MAX_SUGGESTIONS);
        out
    }
}

/// Keeps only what fits, if anything does.
fn prefer(groups: &mut Vec<Group>, fits: impl Fn(&Group) -> bool) {
    if groups.iter().any(&fits) {
        groups.retain(fits);
    }
}

/// Whether an overload has the parameter types that the query names; simple names are enough.
fn fits_overload(path: &SymbolPath, params: &str) -> bool {
    let Some(wanted) = &path.parameters else {
        return true;
    };
    let written = split_types(params);
    let simple = |text: &str| {
        let text = lower(text);
        let bare = text
            .split('<')
            .next()
            .unwrap_or("")
            .trim_end_matches(['?', '*', '&', ']', '[']);
        bare.rsplit(['.', ':', ' ']).next().unwrap_or("").to_owned()
    };
    wanted.len() == written.len()
        && wanted
            .iter()
            .zip(&written)
            .all(|(a, b)| simple(a) == simple(b))
}
