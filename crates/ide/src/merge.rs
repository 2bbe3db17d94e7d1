//! References of the index and those of language providers as one list.
//!
//! What both have is as sure as anything can be. What only a provider has is kept. What only the index
//! has stays too, and is disputed where the provider has shown that it knows the file or its project;
//! a hit by name alone is dropped there. A provider that found nothing has said nothing: it may be
//! loading, or serve other files.

use std::collections::BTreeMap;

use codecortex_analysis::words::TierWord;
use codecortex_bind::facts::Role;
use codecortex_index::FileId;
use codecortex_project::ProjectId;
use codecortex_protocol::{Disagreement, Failure, ProviderReply};
use codecortex_resolve::{ConfidenceTier, FileNo, Reference, RoleOf, Workspace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::agreement::{Agreement, MAX_DISPUTED, Why, shape, shapes};
use crate::order::sort_uses;
use crate::question::Question;
use crate::reliability::{PlaceClass, ProviderStats, Reliability};
use crate::sites;
use crate::sites::{NameSite, Outside};

/// Places of one answer that are looked at for the log.
const MAX_LOGGED: usize = 100;

/// A use of a symbol as an answer shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergedUse {
    /// Which file; of a use outside of the index its place in [`MergedUses::outside`] counts.
    pub file: FileNo,
    /// First byte.
    pub at: u32,
    /// Length in bytes.
    pub len: u32,
    /// How sure it is.
    pub tier: TierWord,
    /// How sure the index is by itself.
    pub own: Option<ConfidenceTier>,
    /// What is unusual about it.
    pub why: Option<Why>,
    /// What is done with the symbol.
    pub role: RoleOf,
    /// Whether it is in a file that is not in the index.
    pub is_outside: bool,
}

/// All uses of a symbol, the surest first.
#[derive(Clone, Debug, Default)]
pub struct MergedUses {
    /// In the order in which they are shown.
    pub all: Vec<MergedUse>,
    /// Places in files that are not in the index, by [`MergedUse::at`].
    pub outside: Vec<Outside>,
    /// What providers said to it, where they said anything.
    pub agreement: Option<Agreement>,
    /// The same for the log.
    pub disagreements: Vec<Disagreement>,
    /// What is learned from it: kinds of places, and whether one of each was confirmed.
    pub lessons: Vec<(PlaceClass, bool)>,
}

impl MergedUses {
    /// Says of uses at these places that they have the name which an import gives, where they are in the answer for
    /// that reason alone (SPEC D34). The places are in order.
    pub fn mark_renamed(&mut self, places: &[(FileNo, u32)]) {
        if places.is_empty() {
            return;
        }
        let is_related = |of: &&mut MergedUse| of.own == Some(ConfidenceTier::Related);
        for of in self.all.iter_mut().filter(is_related) {
            if of.why != Some(Why::Disputed) && places.binary_search(&(of.file, of.at)).is_ok() {
                of.why = Some(Why::Renamed);
            }
        }
    }

    /// Where a use is that is not in the index.
    pub fn site_outside(&self, place: &MergedUse) -> Option<&Outside> {
        self.outside
            .get(place.at as usize)
            .filter(|_| place.is_outside)
    }
}

/// The uses without anybody's opinion.
pub fn unmerged(found: &[Reference]) -> MergedUses {
    MergedUses {
        all: found.iter().map(MergedUse::from_reference).collect(),
        ..MergedUses::default()
    }
}

impl MergedUse {
    fn from_reference(reference: &Reference) -> Self {
        Self {
            file: reference.file,
            at: reference.at,
            len: reference.len,
            tier: reference.tier.into(),
            own: Some(reference.tier),
            why: None,
            role: reference.role,
            is_outside: false,
        }
    }

    fn agreed(self) -> Self {
        let why = match self.own {
            Some(ConfidenceTier::Inferred) => Some(Why::Inferred),
            Some(ConfidenceTier::Related) => Some(Why::Related),
            Some(ConfidenceTier::Name) => Some(Why::Name),
            Some(ConfidenceTier::Exact) | None => None,
        };
        Self {
            tier: TierWord::Provider,
            why,
            ..self
        }
    }

    /// A hit by name of which no provider said anything. Where they confirm nearly all of its kind it is
    /// as good as inferred.
    fn unasked(self, reliability: Reliability) -> Self {
        match reliability {
            Reliability::Trusted => Self {
                tier: TierWord::Inferred,
                why: Some(Why::Name),
                ..self
            },
            Reliability::Usual | Reliability::Doubted => self,
        }
    }

    /// What a provider should have and does not. What was inferred in a way that they deny mostly is no
    /// better than a hit by name.
    fn disputed(self, reliability: Reliability) -> Self {
        let is_weak =
            reliability == Reliability::Doubted && self.own == Some(ConfidenceTier::Inferred);
        Self {
            tier: if is_weak { TierWord::Name } else { self.tier },
            why: Some(Why::Disputed),
            ..self
        }
    }

    fn theirs(file: FileNo, at: u32, len: u32, role: Option<Role>) -> Self {
        Self {
            file,
            at,
            len,
            tier: TierWord::Provider,
            own: None,
            why: Some(Why::ProviderOnly),
            role: role.unwrap_or(Role::Read).into(),
            is_outside: false,
        }
    }
}

/// What the symbol is that references are of.
pub struct ReferenceSubject<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is, in a word.
    pub kind: &'a str,
    /// The file it is declared in.
    pub home: Option<FileNo>,
}

/// Merges what the index found with what providers said. The call waits where texts are missing.
pub fn merge(
    cx: &Question<'_>,
    of: &ReferenceSubject<'_>,
    found: &[Reference],
    reply: &ProviderReply,
) -> Result<MergedUses, Failure> {
    let names = cx.names();
    let workspace = names.workspace();
    let theirs = sites::sites(cx, workspace, &reply.places, of.name)?;
    if theirs.inside.is_empty() && theirs.outside.is_empty() {
        return Ok(unmerged(found));
    }
    let known = ProviderCoverage::new(cx, &theirs.inside, reply.complete);
    let mut shapes = Shapes::new(cx, workspace);
    let shape = |of: &Reference| shapes.of_place(of);
    let trust = &cx.providers.trusted;
    let knows = |file| known.has(cx, file);
    let mut merged = decide(found, &theirs.inside, knows, shape, trust);
    merged.agreement.provider_only += theirs.outside.len() as u32;
    merged.agreement.disputed = cx.lines_of(&merged.disputed)?;
    let disagreements = cx.disagreements(workspace, of, &merged);
    let outside = (0..).zip(&theirs.outside).map(|(at, _)| MergedUse {
        is_outside: true,
        ..MergedUse::theirs(FileNo::MAX, at, 0, None)
    });
    let mut all = merged.uses;
    all.extend(outside);
    sort_uses(workspace, of.home, &mut all);
    Ok(MergedUses {
        all,
        agreement: Some(merged.agreement),
        outside: theirs.outside,
        disagreements,
        lessons: merged.lessons,
    })
}

/// Files and projects of which a provider has shown that it knows them.
struct ProviderCoverage {
    files: FxHashSet<FileNo>,
    projects: FxHashSet<(u32, ProjectId)>,
}

impl ProviderCoverage {
    fn new(cx: &Question<'_>, sites: &[NameSite], is_complete: bool) -> Self {
        let files: FxHashSet<FileNo> = sites.iter().map(|site| site.file).collect();
        let projects = files.iter().filter_map(|file| cx.provider_project(*file));
        Self {
            // Of a list that was cut the missing files say nothing.
            projects: projects.filter(|_| is_complete).collect(),
            files,
        }
    }

    fn has(&self, cx: &Question<'_>, file: FileNo) -> bool {
        let in_project = || {
            let project = cx.provider_project(file);
            project.is_some_and(|project| self.projects.contains(&project))
        };
        self.files.contains(&file) || in_project()
    }
}

/// What was decided about each place.
#[derive(Default)]
struct Merged {
    uses: Vec<MergedUse>,
    agreement: Agreement,
    lessons: Vec<(PlaceClass, bool)>,
    /// Places of ours that a provider should have.
    disputed: Vec<MergedUse>,
}

/// Decides place by place. `knows` says of a file whether a provider that has nothing there has said something,
/// `shape` what kind of place one is.
fn decide(
    found: &[Reference],
    theirs: &[NameSite],
    knows: impl Fn(FileNo) -> bool,
    mut shape: impl FnMut(&Reference) -> PlaceClass,
    trust: &ProviderStats,
) -> Merged {
    let mut out = Merged {
        uses: Vec::with_capacity(found.len() + theirs.len()),
        ..Merged::default()
    };
    let places: FxHashSet<(FileNo, u32)> = theirs.iter().map(|site| (site.file, site.at)).collect();
    let mut memo: FxHashMap<FileNo, bool> = FxHashMap::default();
    let mut knows = |file| *memo.entry(file).or_insert_with(|| knows(file));
    for reference in found {
        let is_confirmed = places.contains(&(reference.file, reference.at));
        let is_denied = !is_confirmed && knows(reference.file);
        let shape = shape(reference);
        // Links in documentation are often left out, and what is related is no use of the symbol itself.
        let is_a_use =
            reference.tier != ConfidenceTier::Related && reference.role != Role::Doc.into();
        if is_a_use && (is_confirmed || is_denied) {
            out.lessons.push((shape, is_confirmed));
        }
        let own = MergedUse::from_reference(reference);
        if is_confirmed {
            out.agreement.both += 1;
            out.uses.push(own.agreed());
        } else if reference.tier == ConfidenceTier::Name {
            let reliability = trust.reliability(&shape);
            out.uses
                .extend((!is_denied).then(|| own.unasked(reliability)));
        } else {
            out.agreement.ours_only += 1;
            let is_disputed = is_denied && is_a_use;
            out.disputed
                .extend(is_disputed.then(|| own.disputed(Reliability::Usual)));
            out.uses.push(match is_disputed {
                true => own.disputed(trust.reliability(&shape)),
                false => own,
            });
        }
    }
    add_theirs(&mut out, found, theirs);
    out
}

/// Adds what providers alone have.
fn add_theirs(out: &mut Merged, found: &[Reference], theirs: &[NameSite]) {
    let ours: FxHashSet<(FileNo, u32)> = found.iter().map(|own| (own.file, own.at)).collect();
    for site in theirs {
        // Providers list declarations, which are no uses.
        let only_declares = site.role.is_none() && site.declares.is_some();
        if !only_declares && !ours.contains(&(site.file, site.at)) {
            out.agreement.provider_only += 1;
            out.uses
                .push(MergedUse::theirs(site.file, site.at, site.len, site.role));
        }
    }
}

/// What kinds of places uses are.
struct Shapes<'a> {
    cx: &'a Question<'a>,
    workspace: &'a Workspace,
    /// Of the last file: references come by file mostly, and a file's names are listed once.
    file: Option<FileNo>,
    by_place: FxHashMap<u32, &'static str>,
}

impl<'a> Shapes<'a> {
    fn new(cx: &'a Question<'a>, workspace: &'a Workspace) -> Self {
        Self {
            cx,
            workspace,
            file: None,
            by_place: FxHashMap::default(),
        }
    }

    fn of_place(&mut self, of: &Reference) -> PlaceClass {
        if self.file != Some(of.file) {
            self.file = Some(of.file);
            self.by_place = shapes(self.workspace, of.file);
        }
        let shape = self.by_place.get(&of.at).copied();
        let language = self.cx.language_id(of.file);
        (language, of.tier, shape.unwrap_or("unknown"))
    }
}

impl Question<'_> {
    /// The project of a file: a provider that knows one of its files knows the others.
    fn provider_project(&self, file: FileNo) -> Option<(u32, ProjectId)> {
        let file = self.index.file(FileId(file))?;
        let projects = self.projects().get(file.root as usize)?.model()?;
        Some((file.root, projects.project_of(&file.path)?))
    }

    fn language_id(&self, file: FileNo) -> &'static str {
        let file = self.index.file(FileId(file));
        file.map_or("unknown", |file| file.facts.language.info().id)
    }

    /// Places as `filePath:line`, the first few. The call waits where texts are missing.
    fn lines_of(&self, uses: &[MergedUse]) -> Result<Vec<String>, Failure> {
        let few = &uses[..uses.len().min(MAX_DISPUTED)];
        self.need_texts(few.iter().map(|of| of.file))?;
        let mut lines = Vec::new();
        for of in few {
            match self.text_of_file(FileId(of.file)) {
                Ok(text) => {
                    let line = text.snapshot.text.line_of(of.at as usize) + 1;
                    lines.push(format!("{}:{line}", self.shown_path(of.file)));
                }
                Err(Failure::Error(_)) => lines.push(self.shown_path(of.file)),
                Err(waits) => return Err(waits),
            }
        }
        lines.dedup();
        Ok(lines)
    }

    /// What the log is told of disputed places and of those that only providers have.
    fn disagreements(
        &self,
        workspace: &Workspace,
        of: &ReferenceSubject<'_>,
        merged: &Merged,
    ) -> Vec<Disagreement> {
        let theirs = merged.uses.iter();
        let theirs = theirs.filter(|place| place.why == Some(Why::ProviderOnly));
        let mut counts: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
        for place in merged.disputed.iter().chain(theirs).take(MAX_LOGGED) {
            let tier = match place.own {
                Some(tier) => TierWord::from(tier).as_str(),
                None => "none",
            };
            let shape = shape(workspace, place.file, place.at);
            let key = (self.language_id(place.file), shape, tier);
            *counts.entry(key).or_default() += 1;
        }
        let counts = counts.into_iter();
        counts
            .map(|((language, shape, tier), count)| Disagreement {
                language: language.to_owned(),
                kind: of.kind.to_owned(),
                shape: shape.to_owned(),
                tier: tier.to_owned(),
                count,
            })
            .collect()
    }
}
