//! Ids and paths that types had before, and ids that had to be longer (SPEC A1, H2, `000` §4.5).

use codecortex_answer::{Detour, Redirect};
use codecortex_index::{Match, Resolution, Resolved, SymbolPath, type_id};
use codecortex_syntax::ItemKind;

use crate::artefacts::types::find_type;
use crate::place::ResolvedSymbol;
use crate::symbols::ids::resolved_symbol;
use crate::view::AnalysisView;

/// Types with more type parameters than this are not looked for under their old path.
const MAX_PARAMETERS: u8 = 4;

impl AnalysisView<'_> {
    /// The type that an id means to the ledger of a `.context/`: one of another length, or of a type that
    /// is called otherwise now.
    pub fn by_remembered_id(&self, id: &str) -> Option<Resolved> {
        if !id.starts_with("T_") {
            return None;
        }
        let ledgers = self.ledgers.iter().enumerate();
        let mut found = ledgers.filter_map(|(root, ledger)| {
            let ledger = (*ledger)?;
            let resolved = ledger.resolve(id)?;
            let identity = ledger.get(&resolved.id)?.identity;
            let symbol = find_type(self, root as u32, &identity)?;
            if resolved.redirected_from.is_some() {
                self.remember_redirect(
                    type_id(&identity.fqn, &identity.kind, identity.arity),
                    id.to_owned(),
                );
            }
            Some(Resolved {
                path: self.index.path_of(symbol),
                symbols: vec![symbol],
                matched: Match::Exact,
            })
        });
        found.next()
    }

    /// What a path of a type, or of a member of one, leads to that was called so before. Ids are hashes
    /// of path, kind and number of type parameters: those that the path can have had are few.
    pub fn by_old_path(&self, path: &str) -> Option<Resolved> {
        let member = path.rsplit_once(['.', ':', '#', '/']);
        let outer = member.map(|(outer, name)| (outer.trim_end_matches(':'), Some(name)));
        for (old, member) in [(path, None)].into_iter().chain(outer) {
            let Some(now) = self.type_called(old) else {
                continue;
            };
            let now = match member {
                Some(member) => format!("{now}.{member}"),
                None => now,
            };
            if let Resolution::One(found) = self.index.resolve(&SymbolPath::parse(&now)?) {
                let ids = resolved_symbol(self, *found.symbols.first()?)?;
                self.remember_redirect(ids.type_id, path.to_owned());
                return Some(found);
            }
        }
        None
    }

    /// The path that a type has now which had this path before.
    fn type_called(&self, old: &str) -> Option<String> {
        for ledger in self.ledgers.iter().flatten() {
            for kind in ItemKind::ALL.into_iter().filter(|kind| kind.is_type()) {
                for arity in 0..=MAX_PARAMETERS {
                    let id = type_id(old, kind.as_str(), arity);
                    if let Some(found) = ledger.resolve(&id) {
                        return Some(ledger.get(&found.id)?.identity.fqn);
                    }
                }
            }
        }
        None
    }

    fn remember_redirect(&self, type_id: String, asked: String) {
        self.note_detour(type_id, asked, Detour::FormerName);
    }

    /// Notes that a call asked for the symbol of an id by a way that is not its own path (SPEC D20).
    pub(crate) fn note_detour(&self, id: String, asked: String, by: Detour) {
        *self.call.redirect.borrow_mut() = Some(Redirect { id, asked, by });
    }

    /// What the call that is being answered asked for, where that leads to this symbol by another way than its path.
    pub(crate) fn redirect_to(&self, found: &ResolvedSymbol) -> Option<Redirect> {
        let redirect = self.call.redirect.borrow();
        let is_it =
            |redirect: &&Redirect| redirect.id == found.type_id || redirect.id == found.id();
        redirect.as_ref().filter(is_it).cloned()
    }
}
