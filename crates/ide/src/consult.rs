//! What a question asks of language providers.

use codecortex_index::FileId;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{
    Disagreement, Failure, Need, Position, ProviderQuestion, ProviderReply, ProviderTopic,
};
use codecortex_resolve::FileNo;

use crate::agreement::Agreement;
use crate::question::Question;
use crate::trust::Shape;

impl Question<'_> {
    /// Whether the caller's surface has language providers.
    pub fn has_providers(&self) -> bool {
        self.call.asks_providers.is_some()
    }

    /// What language providers say about a name; the call waits where they were not asked yet. Nothing
    /// where the caller's surface has none. A further page of a list is made from the same reply.
    pub fn consult(
        &self,
        about: ProviderTopic,
        (file, byte): (FileNo, u32),
        is_further_page: bool,
    ) -> Result<Option<&ProviderReply>, Failure> {
        let providers = &self.providers;
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
        Err(Failure::NeedsInput(Need::Providers(call, question)))
    }

    /// Notes how an answer agreed with providers.
    pub fn note_agreement(&self, agreement: &Agreement, disagreements: Vec<Disagreement>) {
        let mut sums = self.providers.sums.borrow_mut();
        sums.add(agreement, &disagreements);
        self.providers.fresh.borrow_mut().extend(disagreements);
    }

    /// Learns from an answer which kinds of places providers confirm.
    pub fn learn(&self, lessons: &[(Shape, bool)]) {
        let mut trust = self.providers.trust.borrow_mut();
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
