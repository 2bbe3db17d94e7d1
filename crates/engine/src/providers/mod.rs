//! What an editor's language providers know, merged into our own answers (docs/resolution.md).
//!
//! A tool that is called through a surface with providers asks them by an effect and is answered when
//! they have answered, or when the host's time is over. Everything that is decided here depends on what
//! they said alone, never on when or in which order they said it.

pub(crate) mod agreement;
pub(crate) mod merge;
pub(crate) mod order;
pub(crate) mod sites;
pub(crate) mod state;
pub(crate) mod trust;

use codecortex_index::FileId;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{
    Awaited, Disagreement, Effect, Failure, Position, ProviderQuestion, ProviderReply,
    ProviderTopic,
};
use codecortex_resolve::FileNo;

use crate::invocation::Invocation;
use crate::providers::agreement::Agreement;
use crate::providers::trust::Shape;
use crate::session::{Arrival, Session};

/// Takes in what language providers said. What nobody waits for any more is dropped.
pub(crate) fn consulted(
    session: &mut Session,
    id: u32,
    question: ProviderQuestion,
    reply: ProviderReply,
) {
    session.providers.sums.get_mut().count(reply.outcome);
    session.providers.trusted = session.providers.trust.get_mut().clone();
    session.providers.last = Some((question, reply.clone()));
    session.providers.replies.insert(id, reply);
    session.arrivals.push(Arrival::Providers(id));
}

/// Tells the host of disagreements that were found, for its log.
pub(crate) fn tell_disagreements(session: &mut Session) {
    let fresh = std::mem::take(session.providers.fresh.get_mut());
    if !fresh.is_empty() {
        session.code.effects.push(Effect::Disagreed {
            disagreements: fresh,
        });
    }
}

impl Invocation<'_> {
    /// Whether the caller's surface has language providers.
    pub(crate) fn has_providers(&self) -> bool {
        self.call.asks_providers.is_some()
    }

    /// What language providers say about a name; the call waits where they were not asked yet. Nothing
    /// where the caller's surface has none. A further page of a list is made from the same reply.
    pub(crate) fn consult(
        &self,
        about: ProviderTopic,
        (file, byte): (FileNo, u32),
        is_further_page: bool,
    ) -> Result<Option<&ProviderReply>, Failure> {
        let providers = &self.session.providers;
        let Some(call) = self.call.asks_providers else {
            return Ok(None);
        };
        if let Some(reply) = providers.replies.get(&call) {
            return Ok(Some(reply));
        }
        let Some(path) = self.absolute_path_of(file) else {
            return Ok(None);
        };
        let at = self.text_of_file(FileId(file))?;
        let at = at.snapshot.text.position(byte as usize);
        let question = ProviderQuestion {
            about,
            path,
            position: Position {
                line: at.line,
                character: at.character,
            },
        };
        // Whatever came since: asking opens and closes documents, which alone makes another revision.
        let last = providers.last.as_ref();
        if let Some((_, reply)) = last.filter(|(known, _)| is_further_page && *known == question) {
            return Ok(Some(reply));
        }
        Err(Failure::Waits(Awaited::Providers(call, question)))
    }

    /// Notes how an answer agreed with providers.
    pub(crate) fn note_agreement(&self, agreement: &Agreement, disagreements: Vec<Disagreement>) {
        let mut sums = self.session.providers.sums.borrow_mut();
        sums.add(agreement, &disagreements);
        self.session
            .providers
            .fresh
            .borrow_mut()
            .extend(disagreements);
    }

    /// Learns from an answer which kinds of places providers confirm.
    pub(crate) fn learn(&self, lessons: &[(Shape, bool)]) {
        let mut trust = self.session.providers.trust.borrow_mut();
        for (shape, is_confirmed) in lessons {
            trust.learn(*shape, *is_confirmed);
        }
    }

    /// The absolute path of an indexed file.
    fn absolute_path_of(&self, file: FileNo) -> Option<String> {
        let file = self.index.file(FileId(file))?;
        let root = self.workspace.roots.get(file.root as usize)?;
        Some(absolute_path(root, &file.path))
    }
}
