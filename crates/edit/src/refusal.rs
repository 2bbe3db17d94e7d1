//! Why an edit is not planned: a kind, a sentence, and the places.

use codecortex_resolve::FileNo;

/// What kind of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The new name is no identifier of the language, or is one of its keywords.
    InvalidName,
    /// Another declaration has the new name where it would be seen.
    Taken,
    /// A name would mean something else afterwards.
    Captured,
    /// The resolver is not sure what a place means.
    Unsure,
    /// The code that was given does not parse as what it stands for.
    InvalidCode,
    /// It is used, so that it cannot be deleted.
    Used,
    /// Everything is as it would be afterwards.
    NothingToDo,
    /// The verb does not handle this kind of declaration or language.
    Unsupported,
}

/// A place that a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RefusalPlace {
    /// Which file.
    pub file: FileNo,
    /// The byte.
    pub at: u32,
}

/// An edit that is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of refusal.
    pub kind: RefusalKind,
    /// The reason, as a sentence.
    pub message: String,
    /// The places, the first ones of many.
    pub places: Vec<RefusalPlace>,
}

impl Refusal {
    /// A refusal without places.
    #[must_use]
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            places: Vec::new(),
        }
    }

    /// The same with places; of many the first ones.
    #[must_use]
    pub fn at(mut self, places: impl IntoIterator<Item = (FileNo, u32)>) -> Self {
        const MAX_PLACES: usize = 20;
        let places = places.into_iter();
        let places = places.map(|(file, at)| RefusalPlace { file, at });
        self.places.extend(places.take(MAX_PLACES));
        self
    }
}
