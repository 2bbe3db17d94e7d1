//! What implements a declaration beside what language providers say implements it.
//!
//! They name implementations however far below; so what both have is confirmed wherever it is, what they
//! alone have counts as one step away, and only what is one step away is theirs to deny.

use codecortex_analysis::words::TierWord;
use codecortex_ide::{Agreement, MOST_DISPUTED, Sites, Why};
use codecortex_protocol::{Failure, ProviderReply};
use codecortex_resolve::{DefRef, FileNo, Resolver, Tier};

use crate::invocation::Invocation;
use crate::tools::references::relations::{Entry, MOST, Node, Walk};

/// What language providers make of a declaration that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They have it as well.
    Confirmed,
    /// They alone have it.
    Theirs,
    /// They should have it and do not.
    Disputed,
}

impl Entry {
    /// How sure it is, and what is unusual about that.
    pub(super) fn tier(&self) -> (TierWord, Option<Why>) {
        match self.verdict {
            Some(Verdict::Confirmed) => (TierWord::Provider, Some(Why::Related)),
            Some(Verdict::Theirs) => (TierWord::Provider, Some(Why::ProviderOnly)),
            Some(Verdict::Disputed) => (self.tier.into(), Some(Why::Disputed)),
            None => (self.tier.into(), None),
        }
    }
}

/// Where language providers are asked what implements a symbol.
pub(super) fn place(cx: &Invocation<'_>, defs: &[DefRef]) -> Option<(FileNo, u32)> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let place = |def: &DefRef| Some((def.file, query.place(*def)?));
    defs.iter().find_map(place)
}

/// What they say in a reply.
pub(super) fn said(
    cx: &Invocation<'_>,
    defs: &[DefRef],
    reply: &ProviderReply,
) -> Result<Sites, Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let name = defs.first().map_or("", |def| query.name(*def));
    codecortex_ide::sites(cx, names.workspace(), &reply.places, name)
}

impl Walk<'_> {
    /// Takes in what they say.
    pub(super) fn judge(&mut self, of: &[DefRef], said: &Sites) -> Option<Agreement> {
        let own: Vec<Node> = of.iter().flat_map(|def| self.nodes_of(*def)).collect();
        let mut theirs: Vec<Vec<Node>> = Vec::new();
        for def in said.inside.iter().filter_map(|site| site.declares) {
            let nodes = self.nodes_of(def);
            let is_new = nodes.iter().all(|node| {
                !own.contains(node) && !theirs.iter().any(|known| known.contains(node))
            });
            if is_new && !nodes.is_empty() {
                theirs.push(nodes);
            }
        }
        if theirs.is_empty() && said.outside.is_empty() {
            return None;
        }
        let mut agreement = Agreement {
            provider_only: said.outside.len() as u32,
            ..Agreement::default()
        };
        for entry in &mut self.found {
            if theirs.iter().any(|nodes| nodes.contains(&entry.node)) {
                entry.verdict = Some(Verdict::Confirmed);
                agreement.both += 1;
            } else if entry.depth == 1 {
                entry.verdict = Some(Verdict::Disputed);
                agreement.ours_only += 1;
                if agreement.disputed.len() < MOST_DISPUTED {
                    let path = entry.node.path(self.cx, self.query);
                    agreement.disputed.push(path);
                }
            }
        }
        for nodes in theirs {
            if !nodes.iter().any(|node| self.places.contains_key(node)) {
                agreement.provider_only += 1;
                self.add_theirs(nodes[0]);
            }
        }
        Some(agreement)
    }

    fn add_theirs(&mut self, node: Node) {
        if !self.filter.fits_use(TierWord::Provider, None) {
            return;
        }
        if self.found.len() >= MOST {
            self.truncated = true;
            return;
        }
        self.places.insert(node, self.found.len());
        self.found.push(Entry {
            node,
            tier: Tier::Related,
            depth: 1,
            via: None,
            uses: Vec::new(),
            verdict: Some(Verdict::Theirs),
        });
    }

    /// All declarations of the symbol that a definition declares.
    fn nodes_of(&self, def: DefRef) -> Vec<Node> {
        let parts = self.query.symbol(def).into_iter();
        parts.filter_map(|part| self.node_of(part)).collect()
    }
}
