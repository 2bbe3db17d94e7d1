//! What a question asks of language providers.

use codecortex_index::FileId;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{
    Disagreement, Failure, Position, ProviderQuestion, ProviderReply, ProviderTopic,
};
use codecortex_resolve::FileNo;

use crate::agreement::Agreement;
use crate::question::Question;
use crate::reliability::PlaceClass;

impl Question<'_> {
    /// Whether the caller's surface has language providers.
    pub fn has_providers(&self) -> bool {
        self.call.asks_providers
    }

    /// What language providers are asked about a name; none where the caller's surface has none.
    ///
    /// # Errors
    /// The text of the file may still be missing: the question names a line of it.
    pub fn provider_question(
        &self,
        about: ProviderTopic,
        (file, byte): (FileNo, u32),
    ) -> Result<Option<ProviderQuestion>, Failure> {
        let path = self.absolute_path_of(file).filter(|_| self.has_providers());
        let Some(path) = path else {
            return Ok(None);
        };
        let at = self.text_of_file(FileId(file))?;
        let at = at.snapshot.text.position(byte as usize);
        Ok(Some(ProviderQuestion {
            about,
            path,
            position: Position {
                line: at.line,
                character: at.character,
            },
        }))
    }

    /// The last reply of language providers, where it was to this question: a further page of a list is made from the
    /// same reply. It holds whatever came since: asking opens and closes documents, which alone makes another revision.
    pub fn last_reply(&self, question: &ProviderQuestion) -> Option<&ProviderReply> {
        let (known, reply) = self.providers.last.as_ref()?;
        (known == question).then_some(reply)
    }

    /// Notes how an answer agreed with providers.
    pub fn note_agreement(&self, agreement: &Agreement, disagreements: Vec<Disagreement>) {
        let mut sums = self.providers.sums.borrow_mut();
        sums.add(agreement, &disagreements);
        self.providers.fresh.borrow_mut().extend(disagreements);
    }

    /// Learns from an answer which kinds of places providers confirm.
    pub fn learn(&self, lessons: &[(PlaceClass, bool)]) {
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
