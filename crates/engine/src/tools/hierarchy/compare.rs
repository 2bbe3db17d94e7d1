//! A type's bases and derived types beside those that language providers know.

use codecortex_ide::{Agreement, MOST_DISPUTED, Why};
use codecortex_protocol::{Failure, ProviderReply, ProviderResult};
use codecortex_resolve::{DefRef, Resolver};
use rustc_hash::FxHashSet;

use crate::invocation::Invocation;
use crate::tools::hierarchy::{Walk, Walked};

/// What language providers say of a type: its bases, and what derives from it.
pub(super) struct Said {
    above: Vec<DefRef>,
    below: Vec<DefRef>,
}

/// What they say in a reply.
pub(super) fn said(
    cx: &Invocation<'_>,
    walked: &Walked,
    reply: &ProviderReply,
) -> Result<Said, Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let (root, limits) = (walked.root, walked.hierarchy.limits);
    let types = |depth: u32, results: &[ProviderResult]| match depth {
        0 => Ok(Vec::new()),
        _ => types(cx, &query, root, results),
    };
    Ok(Said {
        above: types(limits.max_super_depth, &reply.above)?,
        below: types(limits.max_sub_depth, &reply.below)?,
    })
}

/// The types that providers name besides the one they were asked about.
fn types(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    root: DefRef,
    results: &[ProviderResult],
) -> Result<Vec<DefRef>, Failure> {
    let own = query.symbol(root);
    let names = cx.names();
    let found = codecortex_ide::sites(cx, names.workspace(), results, "")?;
    let mut types: Vec<DefRef> = Vec::new();
    for def in found.inside.iter().filter_map(|site| site.declares) {
        let file = names.workspace().file(def.file);
        let is_type = file.is_some_and(|file| file.def(def.def).kind.is_type());
        if is_type && !own.contains(&def) && !types.contains(&def) {
            types.push(def);
        }
    }
    Ok(types)
}

impl Walk<'_> {
    /// Takes in what language providers say of the type, which may be all that does.
    pub(super) fn merge(&mut self, root: DefRef, Said { above, below }: &Said) {
        let limits = self.hierarchy.limits;
        if above.is_empty() && below.is_empty() {
            return;
        }
        let mut agreement = Agreement::default();
        let bases = self.query.supertypes(root).0;
        let own = self.hierarchy.resolved.path.clone();
        for path in self.compare(&bases, &bases, above, &mut agreement) {
            if !self.hierarchy.supers.contains(&path) {
                self.hierarchy.supers.push(path.clone());
            }
            self.hierarchy
                .bases
                .entry(own.clone())
                .or_default()
                .push(path);
        }
        let direct = self.query.subtypes(root);
        let all = self.query.derived(root);
        // They follow ours, on the page that has room for them.
        for path in self.compare(&direct, &all, below, &mut agreement) {
            let paging = &mut self.hierarchy.paging;
            let place = paging.total;
            paging.total += 1;
            let page = paging.start..paging.start + limits.max_sub_breadth as usize;
            if page.contains(&place) {
                let derived = self.hierarchy.derived.entry(own.clone()).or_default();
                derived.push(path);
                continue;
            }
            self.places.remove(&path);
            if place >= page.end {
                let truncated = &mut self.hierarchy.truncated.derived_breadth_by_class;
                *truncated.entry(own.clone()).or_default() += 1;
            }
        }
        agreement.disputed.truncate(MOST_DISPUTED);
        self.hierarchy.agreement = Some(agreement);
    }

    /// Compares types with those of providers; gives the paths of those that only they have. `direct` are
    /// ours that they should have, `known` all of ours that they may mean.
    fn compare(
        &mut self,
        direct: &[DefRef],
        known: &[DefRef],
        theirs: &[DefRef],
        agreement: &mut Agreement,
    ) -> Vec<String> {
        if theirs.is_empty() {
            return Vec::new();
        }
        let parts: Vec<Vec<DefRef>> = known.iter().map(|def| self.query.symbol(*def)).collect();
        let mut verdicts = Vec::new();
        for (ours, parts) in known.iter().zip(&parts) {
            if parts.iter().any(|part| theirs.contains(part)) {
                agreement.both += 1;
                verdicts.push((*ours, None));
            } else if direct.contains(ours) {
                agreement.ours_only += 1;
                verdicts.push((*ours, Some(Why::Disputed)));
            }
        }
        let ours: FxHashSet<DefRef> = parts.into_iter().flatten().collect();
        let more: Vec<DefRef> = theirs
            .iter()
            .filter(|def| !ours.contains(def))
            .copied()
            .collect();
        agreement.provider_only += more.len() as u32;
        for (def, why) in verdicts {
            let path = self.known_path(def);
            if why == Some(Why::Disputed) {
                agreement.disputed.push(path.clone());
            }
            self.hierarchy.verdicts.insert(path, why);
        }
        let mut paths: Vec<String> = more.into_iter().map(|def| self.path(def)).collect();
        paths.sort();
        paths.dedup();
        for path in &paths {
            let why = Some(Why::ProviderOnly);
            self.hierarchy.verdicts.insert(path.clone(), why);
        }
        paths
    }
}
