//! Symbols by what somebody remembers of them: a name, its start, its humps, a part, a typo, or a
//! word of the documentation (SPEC S4).
//!
//! Names are tested once each, not once a symbol: a million lines have fewer than a hundred
//! thousand different names, and a mask of their letters refuses most without looking at the text.

use codecortex_syntax::{Flags, Item, ItemKind};

use crate::index::{lower, mask};
use crate::{File, Index, Symbol};

/// What to search for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Words; a path's separators also separate words, of which the last is the name.
    pub text: String,
    /// Only these kinds; empty for all.
    pub kinds: Vec<ItemKind>,
    /// Whether declarations inside function bodies count.
    pub include_locals: bool,
}

/// How a symbol was found, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitKind {
    /// The name, letter by letter.
    Exact,
    /// The name in another case.
    ExactIgnoringCase,
    /// The name's start.
    Prefix,
    /// The starts of the name's humps: `NS` or `nodSt` for `NodeStore`.
    Hump,
    /// A part of the name.
    Substring,
    /// The name with at most two letters wrong.
    Fuzzy,
    /// The documentation.
    Documentation,
}

impl HitKind {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact | Self::ExactIgnoringCase => "exact",
            Self::Prefix => "prefix",
            Self::Hump => "camelHump",
            Self::Substring => "substring",
            Self::Fuzzy => "fuzzy",
            Self::Documentation => "documentation",
        }
    }
}

/// A symbol that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The symbol.
    pub symbol: Symbol,
    /// How it was found.
    pub kind: HitKind,
}

impl Index {
    /// Every symbol that fits, best first. The order is total and does not depend on the order in
    /// which files were indexed, so pages never overlap.
    #[must_use]
    pub fn search(&self, query: &Query) -> Vec<Hit> {
        let words: Vec<&str> = query
            .text
            .split(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '/' | '#' | '+' | '\\'))
            .filter(|word| !word.is_empty())
            .collect();
        let Some((name, context)) = words.split_last() else {
            return Vec::new();
        };
        let mut hits = self.name_hits(name, context, query);
        self.documentation_hits(&words, query, &mut hits);
        self.rank(&mut hits);
        hits
    }

    fn name_hits(&self, name: &str, context: &[&str], query: &Query) -> Vec<Hit> {
        let wanted = Wanted::new(name);
        let context: Vec<String> = context.iter().map(|word| lower(word)).collect();
        let mut hits = Vec::new();
        for (candidate, entry) in &self.names {
            if entry.symbols.is_empty() || !wanted.may_match(candidate, entry.mask) {
                continue;
            }
            let Some(kind) = wanted.kind(candidate) else {
                if !wanted.may_hump(entry.mask) {
                    continue;
                }
                self.hump_hits(&wanted, &entry.symbols, &context, query, &mut hits);
                continue;
            };
            for symbol in &entry.symbols {
                let Some((file, item)) = self.wanted_item(*symbol, query) else {
                    continue;
                };
                if !self.in_context(*symbol, &context) {
                    continue;
                }
                // A query in lower case is written in haste: it means every case.
                let exact = kind == HitKind::ExactIgnoringCase
                    && name.contains(char::is_uppercase)
                    && file.facts.str(item.name) == name;
                let hump =
                    kind > HitKind::Hump && is_hump_match(file.facts.str(item.name), &wanted.text);
                let kind = if exact {
                    HitKind::Exact
                } else if hump {
                    HitKind::Hump
                } else {
                    kind
                };
                hits.push(Hit {
                    symbol: *symbol,
                    kind,
                });
            }
        }
        hits
    }

    fn hump_hits(
        &self,
        wanted: &Wanted,
        symbols: &[Symbol],
        context: &[String],
        query: &Query,
        hits: &mut Vec<Hit>,
    ) {
        for symbol in symbols {
            let Some((file, item)) = self.wanted_item(*symbol, query) else {
                continue;
            };
            if is_hump_match(file.facts.str(item.name), &wanted.text)
                && self.in_context(*symbol, context)
            {
                hits.push(Hit {
                    symbol: *symbol,
                    kind: HitKind::Hump,
                });
            }
        }
    }

    /// Symbols whose documentation has every word, where the name did not already match.
    fn documentation_hits(&self, words: &[&str], query: &Query, hits: &mut Vec<Hit>) {
        let needles: Vec<Needle> = words.iter().map(|word| Needle::new(word)).collect();
        if needles.iter().all(|needle| needle.len() < 3) {
            return; // two letters occur everywhere and mean nothing
        }
        let known: rustc_hash::FxHashSet<Symbol> = hits.iter().map(|hit| hit.symbol).collect();
        for (id, file) in self.files() {
            for (index, item) in file.facts.items.iter().enumerate() {
                if item.doc.is_empty() || !is_wanted(item, query) {
                    continue;
                }
                let doc = file.facts.str(item.doc).as_bytes();
                let name = file.facts.str(item.name).as_bytes();
                let symbol = Symbol {
                    file: id,
                    item: index as u32,
                };
                let all = needles
                    .iter()
                    .all(|needle| needle.is_in(doc) || needle.is_in(name));
                if all && !known.contains(&symbol) {
                    hits.push(Hit {
                        symbol,
                        kind: HitKind::Documentation,
                    });
                }
            }
        }
    }

    fn wanted_item(&self, symbol: Symbol, query: &Query) -> Option<(&File, &Item)> {
        let (file, item) = self.get(symbol)?;
        is_wanted(item, query).then_some((file, item))
    }

    /// Whether every context word occurs in the path before the name.
    fn in_context(&self, symbol: Symbol, context: &[String]) -> bool {
        if context.is_empty() {
            return true;
        }
        let segments = self.segments(symbol);
        let before: Vec<String> = segments
            .iter()
            .rev()
            .skip(1)
            .map(|segment| lower(segment.text))
            .collect();
        context
            .iter()
            .all(|word| before.iter().any(|part| part.contains(word.as_str())))
    }

    fn rank(&self, hits: &mut [Hit]) {
        hits.sort_by_cached_key(|hit| {
            let (file, item) = match self.get(hit.symbol) {
                Some(found) => found,
                None => return (hit.kind, 0, 0, 0, String::new(), 0, 0),
            };
            (
                hit.kind,
                item.visibility as u8 + 4 * u8::from(item.flags.contains(Flags::LOCAL)),
                kind_rank(item.kind),
                file.facts.str(item.name).len(),
                file.path.to_string(),
                file.root,
                hit.symbol.item,
            )
        });
    }
}

fn is_wanted(item: &Item, query: &Query) -> bool {
    item.kind != ItemKind::Extension
        && (query.include_locals || !item.flags.contains(Flags::LOCAL))
        && (query.kinds.is_empty() || query.kinds.contains(&item.kind))
}

/// Types are looked for more often than what is in them.
fn kind_rank(kind: ItemKind) -> u8 {
    if kind.is_type() {
        0
    } else if kind.is_namespace() {
        1
    } else if kind.is_callable() {
        2
    } else {
        3
    }
}

/// The name that is searched for, with what speeds up refusals.
struct Wanted {
    text: String,
    lower: String,
    mask: u64,
    length: usize,
}

impl Wanted {
    fn new(text: &str) -> Self {
        let lower = lower(text);
        Self {
            text: text.to_owned(),
            mask: mask(&lower),
            length: lower.chars().count(),
            lower,
        }
    }

    /// At most two letters wrong: at most two of the wanted letters may be missing.
    fn may_match(&self, _name: &str, mask: u64) -> bool {
        let missing = (self.mask & !mask).count_ones();
        missing == 0 || self.length >= 4 && missing <= 2
    }

    fn may_hump(&self, mask: u64) -> bool {
        self.mask & !mask == 0
    }

    /// How a lower-case name fits; humps are judged on the name as written.
    fn kind(&self, name: &str) -> Option<HitKind> {
        if name == self.lower {
            Some(HitKind::ExactIgnoringCase)
        } else if name.starts_with(&self.lower) {
            Some(HitKind::Prefix)
        } else if self.length >= 2 && name.contains(&self.lower) {
            Some(HitKind::Substring)
        } else if self.is_near(name) {
            Some(HitKind::Fuzzy)
        } else {
            None
        }
    }

    fn is_near(&self, name: &str) -> bool {
        let allowed = match self.length {
            0..4 => return false,
            4..6 => 1,
            _ => 2,
        };
        name.len().abs_diff(self.lower.len()) <= allowed
            && strsim::osa_distance(&self.lower, name) <= allowed
    }
}

/// Whether the letters of `wanted` are, in order, starts of humps of `name` or what follows them.
fn is_hump_match(name: &str, wanted: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let wanted: Vec<char> = wanted.chars().collect();
    if wanted.len() < 2 || wanted.len() > name.len() {
        return false;
    }
    hump_match(&name, 0, &wanted)
}

/// Tries to place all of `wanted` from `name[at..]`, where the first letter must start a hump.
fn hump_match(name: &[char], at: usize, wanted: &[char]) -> bool {
    if wanted.is_empty() {
        return true;
    }
    (at..name.len()).any(|start| {
        if !starts_hump(name, start) || !same(name[start], wanted[0]) {
            return false;
        }
        // Take as many letters of this hump as fit, then fewer, so that nothing is missed.
        let run = name[start..]
            .iter()
            .zip(wanted)
            .take_while(|(a, b)| same(**a, **b))
            .count();
        (1..=run)
            .rev()
            .any(|taken| hump_match(name, start + taken, &wanted[taken..]))
    })
}

fn starts_hump(name: &[char], at: usize) -> bool {
    let c = name[at];
    let Some(before) = at.checked_sub(1).map(|before| name[before]) else {
        return true;
    };
    c.is_uppercase()
        && (!before.is_uppercase() || name.get(at + 1).is_some_and(|after| after.is_lowercase()))
        || c.is_alphanumeric() && !before.is_alphanumeric()
        || c.is_numeric() && !before.is_numeric()
}

fn same(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

/// A word to look for in text of any case. The rarest of its bytes is looked for first, by
/// `memchr2`; comparing at every place costs several times as much.
struct Needle {
    lower: Vec<u8>,
    rarest: usize,
}

impl Needle {
    fn new(word: &str) -> Self {
        let lower = lower(word).into_bytes();
        const COMMON: &[u8] = b" etaoinsrhldcumfpgwybvkxjqz";
        let rarity = |byte: &u8| {
            COMMON
                .iter()
                .position(|common| common == byte)
                .unwrap_or(COMMON.len())
        };
        let rarest = (0..lower.len())
            .max_by_key(|at| rarity(&lower[*at]))
            .unwrap_or(0);
        Self { lower, rarest }
    }

    fn len(&self) -> usize {
        self.lower.len()
    }

    fn is_in(&self, text: &[u8]) -> bool {
        let Some(rare) = self.lower.get(self.rarest) else {
            return true;
        };
        memchr::memchr2_iter(*rare, rare.to_ascii_uppercase(), text).any(|at| {
            at.checked_sub(self.rarest)
                .and_then(|start| text.get(start..start + self.lower.len()))
                .is_some_and(|window| window.eq_ignore_ascii_case(&self.lower))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn humps() {
        for wanted in ["NS", "ns", "noSt", "NodeSt", "nodestore"] {
            assert!(is_hump_match("NodeStore", wanted), "{wanted}");
        }
        assert!(is_hump_match("parse_http_header", "phh") && is_hump_match("HTTPServer", "hs"));
        assert!(is_hump_match("XMLHttpRequest2", "xhr2") && !is_hump_match("NodeStore", "os"));
        assert!(!is_hump_match("Anode", "ns"));
    }

    #[test]
    fn needles_ignore_case() {
        let needle = Needle::new("Quick");
        assert!(needle.is_in(b"the qUICK fox") && needle.is_in(b"quick") && !needle.is_in(b"quic"));
    }
}
