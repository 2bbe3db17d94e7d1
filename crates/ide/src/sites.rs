//! From the ranges of language providers to names in indexed files.
//!
//! Providers mark the name, the expression that ends with it, a string around it or the whole
//! declaration; all of these become the place of one name. What was said about another version of a
//! text than the one at hand is left out.

use std::collections::BTreeSet;

use codecortex_bind::facts::{DefKind, NONE, Role, ScopeKind, flag};
use codecortex_index::FileId;
use codecortex_protocol::paths::place_of;
use codecortex_protocol::{DocumentSpan, Failure, ProviderResult};
use codecortex_resolve::{DefRef, FileNo, Workspace};
use codecortex_text::{TextDocument, Utf16Position};

use crate::question::Question;

/// A name in an indexed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameSite {
    /// Which file.
    pub file: FileNo,
    /// First byte.
    pub at: u32,
    /// Length in bytes.
    pub len: u32,
    /// What is done with the name there; nothing where it only declares something.
    pub role: Option<Role>,
    /// What is declared there.
    pub declares: Option<DefRef>,
}

/// A place in a file that is not in the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outside {
    /// As answers show it.
    pub path: String,
    /// As the host has it.
    pub absolute: String,
    /// Lines and characters: from 0, UTF-16.
    pub range: [(u32, u32); 2],
}

/// The places of a reply.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// In indexed files, by file and byte, each once.
    pub inside: Vec<NameSite>,
    /// In other files, by path and place, each once.
    pub outside: Vec<Outside>,
    /// Files of which another version was spoken of.
    pub stale: u32,
}

/// The names that providers mean by places; `name` is the symbol's. The call waits where texts are missing.
pub fn sites(
    cx: &Question<'_>,
    workspace: &Workspace,
    results: &[ProviderResult],
    name: &str,
) -> Result<Sites, Failure> {
    let mut found = Sites::default();
    let mut outside = BTreeSet::new();
    let mut inside: Vec<(FileNo, &ProviderResult)> = Vec::new();
    for result in results {
        match file_of(cx, &result.path) {
            Some(_) if is_stale(cx, result) => found.stale += 1,
            Some(file) => inside.push((file, result)),
            None => outside.extend(result.ranges.iter().map(|range| Outside {
                path: cx.located(&result.path).display,
                absolute: result.path.clone(),
                range: [range.start, range.end].map(|at| (at.line, at.character)),
            })),
        }
    }
    cx.need_texts(inside.iter().map(|(file, _)| *file))?;
    for (file, result) in inside {
        let text = match cx.text_of_file(FileId(file)) {
            Ok(text) => text,
            Err(Failure::Error(_)) => continue,
            Err(waits) => return Err(waits),
        };
        let tokens = FileNames::new(workspace, file);
        for range in &result.ranges {
            let site = tokens.site(&text.snapshot.text, range, name);
            found.inside.extend(site);
        }
    }
    // What is done there and declared follows from the place.
    found
        .inside
        .sort_unstable_by_key(|site| (site.file, site.at, site.len));
    found.inside.dedup_by_key(|site| (site.file, site.at));
    found.outside.extend(outside);
    Ok(found)
}

fn file_of(cx: &Question<'_>, path: &str) -> Option<FileNo> {
    let place = place_of(path, &cx.workspace.roots)?;
    let id = cx.index.file_id(place.root, &place.path)?;
    Some(id.0)
}

/// Whether a provider spoke of another text than the cx has. One that read the disk knows nothing of
/// unsaved text; of a file that no editor holds here both have what is on the disk.
fn is_stale(cx: &Question<'_>, result: &ProviderResult) -> bool {
    let document = cx
        .documents
        .get(&codecortex_protocol::paths::normal(&result.path));
    document.is_some_and(|document| match result.version {
        Some(version) => version != document.version,
        None => document.dirty,
    })
}

/// A name as bindings have it.
#[derive(Clone, Copy)]
struct NameToken<'w> {
    at: u32,
    name: &'w str,
    role: Option<Role>,
    declares: Option<DefRef>,
}

impl NameToken<'_> {
    fn end(&self) -> u32 {
        self.at + self.name.len() as u32
    }
}

/// The names of a file, by place.
struct FileNames<'w> {
    file: FileNo,
    all: Vec<NameToken<'w>>,
}

impl<'w> FileNames<'w> {
    fn new(workspace: &'w Workspace, file: FileNo) -> Self {
        let mut all: Vec<NameToken<'w>> = Vec::new();
        if let Some(bound) = workspace.file(file) {
            let text = |name| workspace.text(bound.name(name));
            all.extend(bound.uses().map(|(_, name, at, role)| NameToken {
                at,
                name: text(name),
                role: Some(role),
                declares: None,
            }));
            for def in bound.named_defs() {
                let found = bound.def(def);
                if found.at == NONE || found.flags & flag::UNWRITTEN != 0 {
                    continue;
                }
                // An import brings a name in, and a key of an object literal means what is expected there.
                let is_key = bound.scope(found.scope).kind == ScopeKind::Object;
                let role = match found.kind {
                    DefKind::Alias => Some(Role::Import),
                    _ if is_key => Some(Role::Write),
                    _ => None,
                };
                all.push(NameToken {
                    at: found.at,
                    name: text(found.name),
                    role,
                    declares: role.is_none().then_some(DefRef { file, def }),
                });
            }
        }
        // Where a name both declares and uses, the use comes first.
        all.sort_by_key(|token| (token.at, token.role.is_none()));
        Self { file, all }
    }

    /// The name that a range marks.
    fn site(&self, text: &TextDocument, range: &DocumentSpan, name: &str) -> Option<NameSite> {
        let byte = |line: u32, character: u32| {
            let at = text.offset(Utf16Position { line, character });
            at.ok().map(|at| at as u32)
        };
        let start = byte(range.start.line, range.start.character)?;
        let end = byte(range.end.line, range.end.character)?.max(start);
        let token = self
            .covering(start)
            .find(|token| token.name == name)
            .or_else(|| self.within(start, end).find(|token| token.name == name))
            .or_else(|| self.covering(start).next())
            .or_else(|| self.within(start, end).find(|token| token.role.is_none()));
        if let Some(token) = token {
            return Some(self.at(token.at, token.end() - token.at));
        }
        let (at, len) = word(text, start, end, name);
        Some(self.at(at, len))
    }

    fn at(&self, at: u32, len: u32) -> NameSite {
        let here = || self.all[self.first(at)..].iter();
        let here = || here().take_while(|token| token.at == at);
        NameSite {
            file: self.file,
            at,
            len,
            role: here().find_map(|token| token.role),
            declares: here().find_map(|token| token.declares),
        }
    }

    fn first(&self, at: u32) -> usize {
        self.all.partition_point(|token| token.at < at)
    }

    /// Names that begin at or before a byte and go on behind it.
    fn covering(&self, byte: u32) -> impl Iterator<Item = &NameToken<'w>> {
        // Names do not overlap: only the last one that begins there can.
        let behind = self.all.partition_point(|token| token.at <= byte);
        let last = self.all[..behind].last().map_or(0, |token| token.at);
        let tokens = self.all[self.first(last)..behind].iter();
        tokens.filter(move |token| byte < token.end())
    }

    fn within(&self, start: u32, end: u32) -> impl Iterator<Item = &NameToken<'w>> {
        let tokens = self.all[self.first(start)..].iter();
        tokens.take_while(move |token| token.end() <= end)
    }
}

/// A word of a range that bindings know nothing of, as in a comment: the symbol's name, else the word at its
/// start, else all of its first line.
fn word(text: &TextDocument, start: u32, end: u32, name: &str) -> (u32, u32) {
    let line = text.line_of(start as usize);
    let from = text.line_start(line);
    let line = text.line(line);
    let line = line.trim_end_matches(['\n', '\r']);
    let start_in = (start as usize - from).min(line.len());
    let end_in = (end as usize - from).clamp(start_in, line.len());
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_whole = |at: &usize| {
        !line[..*at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part)
    };
    let hits = line[start_in..end_in].match_indices(name);
    let mut hits = hits.map(|(at, _)| start_in + at).filter(is_whole);
    if let Some(at) = hits.next().filter(|_| !name.is_empty()) {
        return ((from + at) as u32, name.len() as u32);
    }
    let before = line[..start_in].chars().rev().take_while(|c| is_part(*c));
    let before: usize = before.map(char::len_utf8).sum();
    let behind = line[start_in..].chars().take_while(|c| is_part(*c));
    let behind: usize = behind.map(char::len_utf8).sum();
    if behind > 0 {
        let at = start_in - before;
        return ((from + at) as u32, (before + behind) as u32);
    }
    (start, (end_in - start_in) as u32)
}
