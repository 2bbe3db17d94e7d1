//! The declarations that a change touches, in both versions, and how gravely (SPEC RV1, H4).

use std::collections::{BTreeMap, BTreeSet};

use codecortex_index::ChangeClass;
use codecortex_syntax::{
    Digest, Facts, Item, ItemFlags, ItemIndex, ItemKind, Language, Layer, Visibility,
};
use rustc_hash::FxHashMap;

use crate::change::ChangedFile;
use crate::diff::{PatchType, Run};
use crate::generics;
use crate::parameters::{CallFit, checked, checks_types, takes_type};
use crate::results::Results;
use crate::source::{VersionedFile, is_local, path_in_file, span};

/// A declaration that a change touches.
#[derive(Clone, Debug)]
pub struct Touched {
    /// Its path in the file, after the change where it is there.
    pub path: String,
    /// Its name.
    pub name: String,
    /// The name of what it is in; empty at the top level.
    pub container: String,
    /// What it is.
    pub kind: ItemKind,
    /// What rules call it: its kind, or `interface_member`, `trait_method`, `abstract_method`, `virtual_method`.
    pub kind_word: &'static str,
    /// Where it is in the facts of the new version.
    pub new: Option<ItemIndex>,
    /// Where it is in the facts of the old version.
    pub old: Option<ItemIndex>,
    /// What of it changed: `parameters`, `return`, `generics`, `removed` …
    pub changes: BTreeSet<&'static str>,
    /// How gravely; absent where only what is in it changed.
    pub class: Option<ChangeClass>,
    /// What it was called, where it has another name.
    pub old_name: Option<String>,
    /// Whether others may use it.
    pub is_visible: bool,
    /// Whether it is a function in running code: a closure with a name, or a nested function.
    pub is_closure: bool,
    /// What changed in it.
    pub runs: Vec<Run>,
    /// Who may see it before and after, where both versions have it.
    pub visibility: Option<(Visibility, Visibility)>,
    /// Whether calls that fitted its parameters fit them; absent where nobody can tell.
    pub fit: Option<CallFit>,
    /// Whether what it gives does for who took what it gave.
    pub gives_as_before: bool,
    /// Whether who writes type arguments of it, or none, writes as many as it takes.
    pub keeps_type_arguments: bool,
    /// Whether what it does is written in another way; so it is where one version alone has it.
    pub is_body_changed: bool,
    /// How many values it gives now, where that is another number.
    pub results: Option<Results>,
    /// Its language.
    pub language: Option<Language>,
    /// First byte of its name in the new version.
    pub new_name_byte: Option<u32>,
}

impl Touched {
    /// Whether those who use it may have to be changed.
    #[must_use]
    pub fn is_signature_changed(&self) -> bool {
        const SIGNATURE: [&str; 6] = [
            "parameters",
            "return",
            "generics",
            "removed",
            "renamed",
            "default",
        ];
        SIGNATURE.iter().any(|word| self.changes.contains(word))
    }

    /// What of its head changed so that uses may have to: `parameters`, `return`, `generics`.
    #[must_use]
    pub fn what_callers_miss(&self) -> Vec<&'static str> {
        let is_other = |word: &&str| match *word {
            "parameters" => self.is_called_otherwise(),
            // Who reads a value of another type is a compiler's to find.
            "return" => !self.gives_as_before && !is_value(self.kind),
            // Where they are inferred, no call writes them.
            "generics" => !self.kind.is_callable() && !self.keeps_type_arguments,
            _ => false,
        };
        let words = self.changes.iter().copied();
        let mut words: Vec<&'static str> = words.filter(is_other).collect();
        // What overloads are told apart by leaves out defaults and the like.
        if words.is_empty() && self.fit.is_some() && self.is_called_otherwise() {
            words.push("parameters");
        }
        words
    }

    /// Whether it may do another thing, or has to be called in another way. What is remarked of its types is neither.
    #[must_use]
    pub fn is_other_to_tests(&self) -> bool {
        let may_be_refused = self.fit.as_ref().is_none_or(CallFit::may_refuse);
        let is_other = self.is_called_otherwise() && may_be_refused;
        self.is_body_changed || self.old_name.is_some() || is_other || self.results.is_some()
    }

    /// Whether calls of it may have to be others: parameters are new, gone or take other things.
    #[must_use]
    pub fn is_called_otherwise(&self) -> bool {
        let is_other = ["parameters", "signature", "default"];
        let is_other = is_other.iter().any(|word| self.changes.contains(word));
        is_other && self.fit.as_ref().is_none_or(|fit| !fit.is_always)
    }
}

/// Whether something is read as a value is, not called.
fn is_value(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Property | ItemKind::Event)
}

/// The declarations that the runs of a file touch, in the order of the file.
#[must_use]
pub fn touched(file: &ChangedFile, runs: &[Run]) -> Vec<Touched> {
    let mut found: BTreeMap<(String, u32), Touched> = BTreeMap::new();
    let (old, new) = (facts_of(&file.old), facts_of(&file.new));
    let (in_old, in_new) = (
        DeclarationsByPath::from_facts(old),
        DeclarationsByPath::from_facts(new),
    );
    for run in runs {
        let of_new = new.map_or_else(Vec::new, |facts| {
            let (lo, hi) = run.new_span();
            hit(facts, (lo, hi, run.new_count), |index| {
                let was = old.zip(in_new.counterpart(index, &in_old));
                difference(was, Some((facts, index)))
            })
        });
        for index in of_new {
            let counterpart = in_new.counterpart(index, &in_old);
            note(&mut found, (old, counterpart), (new, Some(index)), *run);
        }
        let of_old = old.map_or_else(Vec::new, |facts| {
            let (lo, hi) = run.old_span();
            hit(facts, (lo, hi, run.old_count), |index| {
                let is = new.zip(in_old.counterpart(index, &in_new));
                difference(Some((facts, index)), is)
            })
        });
        for index in of_old {
            let counterpart = in_old.counterpart(index, &in_new);
            note(&mut found, (old, Some(index)), (new, counterpart), *run);
        }
    }
    let mut all: Vec<Touched> = found.into_values().collect();
    if file.diff.kind != PatchType::Delete {
        join_renamed(&mut all, file);
    }
    all.sort_by_key(|touched| (touched.new.or(touched.old), touched.new.is_none()));
    all
}

/// How a declaration differs from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeclarationDifference {
    /// One version has it alone.
    Whole,
    /// Its head is another.
    Head,
    /// What is in it is another.
    Inside,
    /// It is the same.
    None,
}

fn difference(
    old: Option<(&Facts, ItemIndex)>,
    new: Option<(&Facts, ItemIndex)>,
) -> DeclarationDifference {
    let Some(((old, was), (new, is))) = old.zip(new) else {
        return DeclarationDifference::Whole;
    };
    let differs = |layer| digests(old, was, layer) != digests(new, is, layer);
    let layers = [Layer::Body, Layer::Inner, Layer::Doc, Layer::Cosmetic];
    if differs(Layer::Header) {
        DeclarationDifference::Head
    } else if layers.into_iter().any(differs) {
        DeclarationDifference::Inside
    } else {
        DeclarationDifference::None
    }
}

fn facts_of(source: &Option<VersionedFile>) -> Option<&Facts> {
    source.as_ref()?.facts.as_ref()
}

/// The innermost declaration around lines, the innermost closure in it around them, and declarations that are wholly or
/// partly among them. A closure that is among them is part of what its function does.
///
/// Where a line holds several declarations, those of them that differ: its members that do, and what is around them where
/// that is new, gone or has another head.
fn hit(
    facts: &Facts,
    (lo, hi, count): (u32, u32, u32),
    difference: impl Fn(ItemIndex) -> DeclarationDifference,
) -> Vec<ItemIndex> {
    let mut hit = Vec::new();
    let mut closure = None;
    let mut around: Vec<ItemIndex> = Vec::new();
    for (index, item) in facts.items.iter().enumerate() {
        let (start, end) = span(item);
        let holds = start <= lo && hi <= end;
        if is_closure(item) && holds {
            closure = Some(index as ItemIndex);
        }
        if !is_declared(item) {
            continue;
        }
        if holds {
            around.push(index as ItemIndex);
        } else if count > 0 && start <= hi && lo <= end {
            hit.push(index as ItemIndex);
        }
    }
    hit.extend(innermost(facts, &around, (lo, hi), difference));
    hit.extend(closure);
    hit
}

/// Of declarations around lines, those that a change of the lines is one of.
fn innermost(
    facts: &Facts,
    around: &[ItemIndex],
    (lo, hi): (u32, u32),
    difference: impl Fn(ItemIndex) -> DeclarationDifference,
) -> Vec<ItemIndex> {
    let Some(last) = around.last().copied() else {
        return Vec::new();
    };
    let is_on_lines = |index: &ItemIndex| {
        let item = facts.items.get(*index as usize);
        item.is_some_and(|item| span(item) == (lo, hi))
    };
    // Of one that begins or ends on other lines, one alone can be the innermost, but for its members on these lines.
    let on_lines: Vec<ItemIndex> = around.iter().copied().filter(is_on_lines).collect();
    if on_lines.is_empty() || (on_lines.len() == 1 && on_lines[0] == last) {
        return vec![last];
    }
    let parents: BTreeSet<ItemIndex> = around
        .iter()
        .filter_map(|index| facts.items.get(*index as usize)?.parent)
        .collect();
    let differs = |index: &ItemIndex| match difference(*index) {
        DeclarationDifference::Whole | DeclarationDifference::Head => true,
        DeclarationDifference::Inside => !parents.contains(index),
        DeclarationDifference::None => false,
    };
    let found: Vec<ItemIndex> = on_lines.iter().copied().filter(differs).collect();
    match found.is_empty() {
        true => vec![outermost(facts, &on_lines).unwrap_or(last)],
        false => found,
    }
}

/// What is around all declarations of a line, where one is: what changed between them is its own.
fn outermost(facts: &Facts, on_lines: &[ItemIndex]) -> Option<ItemIndex> {
    let first = *on_lines.first()?;
    let parent = facts.items.get(first as usize)?.parent;
    let others = on_lines.iter().skip(1);
    let is_around = |at: &ItemIndex| {
        let parent = facts.items.get(*at as usize).and_then(|item| item.parent);
        parent.is_some_and(|parent| on_lines.contains(&parent))
    };
    match (others.clone().all(is_around), parent) {
        (true, _) => Some(first),
        (false, Some(parent)) => Some(parent),
        (false, None) => None,
    }
}

/// Whether something is a declaration of its own, which others may see.
fn is_declared(item: &Item) -> bool {
    !is_local(item)
        && !item.name.is_empty()
        && !item.kind.is_namespace()
        && item.kind != ItemKind::Extension
}

/// Whether something is a function in running code that has a name.
fn is_closure(item: &Item) -> bool {
    is_local(item) && item.kind.is_callable() && !item.name.is_empty()
}

/// The declarations of a version by their paths.
pub(crate) struct DeclarationsByPath<'f> {
    facts: Option<&'f Facts>,
    by_path: FxHashMap<(String, bool, bool), Vec<ItemIndex>>,
}

impl<'f> DeclarationsByPath<'f> {
    /// Those of a version; none where it is not known.
    pub(crate) fn from_facts(facts: Option<&'f Facts>) -> Self {
        let mut by_path: FxHashMap<_, Vec<ItemIndex>> = FxHashMap::default();
        for index in 0..facts.map_or(0, |facts| facts.items.len()) {
            if let Some(key) = facts.and_then(|facts| key_of(facts, index as ItemIndex)) {
                by_path.entry(key).or_default().push(index as ItemIndex);
            }
        }
        Self { facts, by_path }
    }

    /// The same declaration in another version: by path, kind and parameters, else by its place among those of its name
    /// that the other version has not with their parameters.
    pub(crate) fn counterpart(
        &self,
        index: ItemIndex,
        to: &DeclarationsByPath<'_>,
    ) -> Option<ItemIndex> {
        let (from, other) = self.facts.zip(to.facts)?;
        let key = key_of(from, index)?;
        let (own, others) = (self.by_path.get(&key)?, to.by_path.get(&key)?);
        let params = |facts: &Facts, at: ItemIndex| -> Option<String> {
            let item = facts.items.get(at as usize)?;
            Some(facts.str(item.params).to_owned())
        };
        let wanted = params(from, index);
        let by_params = others.iter().find(|at| params(other, **at) == wanted);
        if by_params.is_some() || own.len() > MAX_OVERLOADS || others.len() > MAX_OVERLOADS {
            return by_params.copied();
        }
        // Overloads that kept their parameters are taken.
        let left = |of: &[ItemIndex], facts: &Facts, among: &[ItemIndex], of_others: &Facts| {
            let known: Vec<_> = among.iter().map(|at| params(of_others, *at)).collect();
            let is_left = |at: &ItemIndex| !known.contains(&params(facts, *at));
            of.iter().copied().filter(is_left).collect::<Vec<_>>()
        };
        let place = left(own, from, others, other)
            .iter()
            .position(|at| *at == index)?;
        left(others, other, own, from).get(place).copied()
    }
}

/// Declarations of one path that are compared with one another.
const MAX_OVERLOADS: usize = 64;

fn key_of(facts: &Facts, index: ItemIndex) -> Option<(String, bool, bool)> {
    let item = facts.items.get(index as usize)?;
    let path = path_in_file(facts, index);
    Some((path, item.kind.is_type(), is_local(item)))
}

type Version<'f> = (Option<&'f Facts>, Option<ItemIndex>);

fn note(
    found: &mut BTreeMap<(String, u32), Touched>,
    old: Version<'_>,
    new: Version<'_>,
    run: Run,
) {
    let Some((facts, index)) = new.0.zip(new.1).or(old.0.zip(old.1)) else {
        return;
    };
    let key = (
        path_in_file(facts, index),
        new.1.map_or(0, |index| index + 1),
    );
    if let Some(known) = found.get_mut(&key) {
        if known.runs.last() != Some(&run) {
            known.runs.push(run);
        }
        return;
    }
    if let Some(touched) = describe(old, new, run) {
        found.insert(key, touched);
    }
}

fn describe(old: Version<'_>, new: Version<'_>, run: Run) -> Option<Touched> {
    let (facts, index) = new.0.zip(new.1).or(old.0.zip(old.1))?;
    let item = facts.items.get(index as usize)?;
    let parent = item
        .parent
        .and_then(|parent| facts.items.get(parent as usize));
    let container = match (item.container.is_empty(), parent) {
        (false, _) => facts.str(item.container),
        (true, Some(parent)) if parent.name.is_empty() => facts.str(parent.container),
        (true, Some(parent)) => facts.str(parent.name),
        (true, None) => "",
    };
    let is_visible = item.visibility != Visibility::Private;
    let pair = old.0.zip(old.1).zip(new.0.zip(new.1));
    let both = pair.and_then(|((old, was), (new, is))| {
        let was = old.items.get(was as usize)?;
        Some(((old, was), (new, new.items.get(is as usize)?)))
    });
    let (changes, class) = match pair {
        Some(((old, was), (new, is))) => compared(old, was, new, is, is_visible),
        None => {
            let word = if new.1.is_some() { "added" } else { "removed" };
            (BTreeSet::from([word]), Some(grave(is_visible)))
        }
    };
    Some(Touched {
        path: path_in_file(facts, index),
        name: facts.str(item.name).to_owned(),
        container: container.to_owned(),
        kind: item.kind,
        kind_word: kind_word(item, parent),
        new: new.1,
        old: old.1,
        changes,
        class,
        old_name: None,
        is_visible,
        is_closure: is_closure(item),
        runs: vec![run],
        visibility: both.map(|((_, was), (_, is))| (was.visibility, is.visibility)),
        fit: both.and_then(|((old, was), (new, is))| fit(old, was, new, is)),
        gives_as_before: both
            .is_none_or(|((old, was), (new, is))| gives_as_before(old, was, new, is)),
        keeps_type_arguments: both.is_none_or(|((old, was), (new, is))| {
            let (before, after) = (old.str(was.signature), new.str(is.signature));
            generics::fits(before, after, new.str(is.name), Some(new.language))
        }),
        is_body_changed: pair.is_none_or(|((old, was), (new, is))| {
            let layers = [Layer::Body, Layer::Inner];
            let differs = |layer| digests(old, was, layer) != digests(new, is, layer);
            layers.into_iter().any(differs)
        }),
        results: both.and_then(|((old, was), (new, is))| {
            let (before, after) = (old.str(was.result), new.str(is.result));
            is.kind
                .is_callable()
                .then(|| Results::from_before(before, after, Some(new.language)))
                .flatten()
        }),
        language: Some(facts.language),
        new_name_byte: new.1.map(|_| item.name_byte),
    })
}

/// Whether what a function gives does for who took what it gave: the same, something instead of nothing, or fewer of what
/// it may have been; where types may be left out, also one that is written now or no more.
fn gives_as_before(old: &Facts, was: &Item, new: &Facts, is: &Item) -> bool {
    const NOTHING: [&str; 5] = ["", "void", "()", "None", "Unit"];
    let (before, after) = (old.str(was.result).trim(), new.str(is.result).trim());
    let language = Some(new.language);
    let infers = !matches!(
        new.language.info().id,
        "go" | "c" | "cpp" | "java" | "csharp" | "rust"
    );
    NOTHING.contains(&before)
        || !checks_types(language)
        || infers && after.is_empty()
        || takes_type(&checked(after, language), &checked(before, language))
}

/// How calls of what it was fit what it is.
fn fit(old: &Facts, was: &Item, new: &Facts, is: &Item) -> Option<CallFit> {
    let (before, after) = (old.str(was.signature), new.str(is.signature));
    CallFit::from_old(before, after, new.str(is.name), Some(new.language))
}

fn grave(is_visible: bool) -> ChangeClass {
    if is_visible {
        ChangeClass::Structure
    } else {
        ChangeClass::Internal
    }
}

fn kind_word(item: &Item, parent: Option<&Item>) -> &'static str {
    match parent.map(|parent| parent.kind) {
        Some(ItemKind::Interface) => "interface_member",
        Some(ItemKind::Trait) => "trait_method",
        _ if item.kind.is_callable() && item.flags.contains(ItemFlags::ABSTRACT) => {
            "abstract_method"
        }
        _ if item.kind.is_callable() && item.flags.contains(ItemFlags::VIRTUAL) => "virtual_method",
        _ => item.kind.as_str(),
    }
}

/// What of a declaration differs, and how gravely.
fn compared(
    old: &Facts,
    was: ItemIndex,
    new: &Facts,
    is: ItemIndex,
    is_visible: bool,
) -> (BTreeSet<&'static str>, Option<ChangeClass>) {
    let mut changes = BTreeSet::new();
    let (Some(a), Some(b)) = (old.items.get(was as usize), new.items.get(is as usize)) else {
        return (changes, None);
    };
    let differs = |layer| digests(old, was, layer) != digests(new, is, layer);
    let mut say = |word, is_so: bool| {
        if is_so {
            changes.insert(word);
        }
    };
    let is_value = matches!(
        b.kind,
        ItemKind::Constant | ItemKind::Field | ItemKind::Variable
    );
    say(
        "return",
        b.kind.is_callable() && old.str(a.result) != new.str(b.result),
    );
    say("parameters", old.str(a.params) != new.str(b.params));
    say("generics", a.arity != b.arity);
    say("visibility", a.visibility != b.visibility);
    say("bases", old.bases_of(was).ne(new.bases_of(is)));
    let replaces = |item: &Item| item.flags.contains(ItemFlags::OVERRIDE);
    say("override", replaces(a) != replaces(b));
    let is_signature_other = old.str(a.signature) != new.str(b.signature);
    say(
        "constant",
        is_value && (differs(Layer::Body) || is_signature_other),
    );
    say(
        "enum_value",
        b.kind == ItemKind::EnumMember && (differs(Layer::Body) || is_signature_other),
    );
    if changes.is_empty() && is_signature_other && b.kind.is_callable() {
        let has_defaults = [(old, a), (new, b)]
            .iter()
            .any(|(facts, item)| facts.str(item.signature).contains('='));
        changes.insert(if has_defaults { "default" } else { "signature" });
    }
    let class = if differs(Layer::Header) || !changes.is_empty() && !is_value {
        Some(grave(is_visible))
    } else if differs(Layer::Body) {
        Some(if is_visible {
            ChangeClass::PublicBehavior
        } else {
            ChangeClass::Internal
        })
    } else if differs(Layer::Inner) {
        Some(ChangeClass::Internal)
    } else if differs(Layer::Doc) {
        Some(ChangeClass::Docs)
    } else if differs(Layer::Cosmetic) || differs(Layer::Order) {
        Some(ChangeClass::Cosmetic)
    } else {
        None
    };
    (changes, class)
}

fn digests(facts: &Facts, item: ItemIndex, layer: Layer) -> Vec<Digest> {
    facts.layer(item, layer).copied().collect()
}

/// Of what is gone and what is new in the same place, those that are one declaration under another name.
fn join_renamed(all: &mut Vec<Touched>, file: &ChangedFile) {
    let (Some(old), Some(new)) = (&file.old, &file.new) else {
        return;
    };
    let gone: Vec<usize> = (0..all.len())
        .filter(|at| all[*at].changes.contains("removed"))
        .collect();
    let mut joined = BTreeSet::new();
    for at in gone {
        let is_it = |touched: &Touched| {
            touched.changes.contains("added")
                && touched.kind == all[at].kind
                && touched.container == all[at].container
                && touched.is_closure == all[at].is_closure
        };
        let likeness = |touched: &Touched| alike(old, &all[at], new, touched);
        let best = (0..all.len())
            .filter(|other| is_it(&all[*other]))
            .map(|other| (likeness(&all[other]), other))
            .filter(|(likeness, _)| *likeness >= 0.7)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, other)) = best {
            let gone = all[at].clone();
            let is = &mut all[other];
            is.changes.remove("added");
            is.changes.insert("renamed");
            (is.old, is.old_name) = (gone.old, Some(gone.name));
            joined.insert(at);
        }
    }
    let mut at = 0;
    all.retain(|_| {
        at += 1;
        !joined.contains(&(at - 1))
    });
}

/// Share of the words of two declarations that both have, their names left out.
fn alike(old: &VersionedFile, gone: &Touched, new: &VersionedFile, is: &Touched) -> f64 {
    let words =
        |source: &VersionedFile, index: Option<ItemIndex>, name: &str| -> BTreeSet<String> {
            let item = index.and_then(|index| source.facts.as_ref()?.items.get(index as usize));
            let text = item.and_then(|item| {
                source
                    .text
                    .get(item.start_byte as usize..item.end_byte as usize)
            });
            let words = text
                .unwrap_or("")
                .split(|c: char| !c.is_alphanumeric() && c != '_');
            words
                .filter(|word| !word.is_empty() && *word != name)
                .map(str::to_owned)
                .collect()
        };
    let (a, b) = (
        words(old, gone.old, &gone.name),
        words(new, is.new, &is.name),
    );
    let all = a.union(&b).count();
    if all < 4 {
        return 0.0; // too little to tell
    }
    a.intersection(&b).count() as f64 / all as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{ChangeOrigin, ReviewedChange};
    use codecortex_protocol::{Bytes, FileVersions, GitDiff};
    use codecortex_syntax::Limits;

    fn for_path(
        path: &str,
        old: &str,
        new: &str,
        patch: &str,
    ) -> Vec<(String, Vec<&'static str>, Option<ChangeClass>)> {
        let bytes = |text: &str| Some(Bytes(text.as_bytes().to_vec()));
        let diff = GitDiff {
            patch: format!("--- a/{path}\n+++ b/{path}\n{patch}"),
            versions: vec![FileVersions {
                path: path.into(),
                old: bytes(old),
                new: bytes(new),
            }],
            ..GitDiff::default()
        };
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: true,
        };
        let change = ReviewedChange::of_git(ChangeOrigin::Pr, &diff, limits);
        assert_eq!(change.notes, Vec::<String>::new());
        let file = &change.files[0];
        let runs: Vec<Run> = file
            .diff
            .hunks
            .iter()
            .flat_map(crate::diff::Hunk::runs)
            .collect();
        touched(file, &runs)
            .into_iter()
            .map(|touched| {
                (
                    touched.path,
                    touched.changes.into_iter().collect(),
                    touched.class,
                )
            })
            .collect()
    }

    #[test]
    fn a_body_is_behaviour_and_a_parameter_is_structure() {
        let old = "class A:\n    def f(self, x):\n        return x\n\n    def g(self):\n        return 1\n";
        let new = "class A:\n    def f(self, x, y):\n        return x\n\n    def g(self):\n        return 2\n";
        let patch = "@@ -2,5 +2,5 @@\n-    def f(self, x):\n+    def f(self, x, y):\n         return x\n \n     def g(self):\n-        return 1\n+        return 2\n";
        let found = for_path("a.py", old, new, patch);
        assert_eq!(found[0].0, "A.f");
        assert!(
            found[0].1.contains(&"parameters") && found[0].2 == Some(ChangeClass::Structure),
            "{found:?}"
        );
        assert_eq!(
            found[1],
            ("A.g".into(), vec![], Some(ChangeClass::PublicBehavior))
        );
    }

    #[test]
    fn what_is_gone_new_or_renamed_is_told() {
        let body = "    total = price * count\n    return round(total, digits)\n";
        let old = format!("def cost(price, count, digits):\n{body}\ndef gone():\n    pass\n");
        let new = format!("def price_of(price, count, digits):\n{body}");
        let patch = "@@ -1,6 +1,3 @@\n-def cost(price, count, digits):\n+def price_of(price, count, digits):\n     total = price * count\n     return round(total, digits)\n-\n-def gone():\n-    pass\n";
        let found = for_path("a.py", &old, &new, patch);
        let words: Vec<(&str, &[&str])> = found
            .iter()
            .map(|(path, words, _)| (path.as_str(), words.as_slice()))
            .collect();
        assert_eq!(
            words,
            [("price_of", &["renamed"][..]), ("gone", &["removed"][..])]
        );
    }

    #[test]
    fn comments_are_looks() {
        let old = "def f():\n    # a\n    return 1\n";
        let new = "def f():\n    # b\n    return 1\n";
        let found = for_path(
            "a.py",
            old,
            new,
            "@@ -1,3 +1,3 @@\n def f():\n-    # a\n+    # b\n     return 1\n",
        );
        assert!(
            found
                .iter()
                .all(|(.., class)| class.is_none_or(|class| class >= ChangeClass::Docs)),
            "{found:?}"
        );
    }
}
