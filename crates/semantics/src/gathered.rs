//! The material for a description, gathered from the code and from earlier texts.

use crate::document::{FrontMatter, SemanticText};
use crate::members::MemberText;
use crate::prompt::Material;

/// The material for a unit that is to be described.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The material of the prompt.
    pub material: Material,
    /// The first lines that the text gets.
    pub head: FrontMatter,
    /// Whether there is no file with a readable text.
    pub is_absent: bool,
    /// The text as it is.
    pub text: SemanticText,
    /// The members of each type as they are, by its id.
    pub members: Vec<(String, Vec<MemberText>)>,
    /// Whether unsaved text was used.
    pub is_unsaved: bool,
}

/// The path of a type's members as they were when its text was made, relative to `.context/`.
pub fn snapshot_path(id: &str) -> String {
    format!("cache/semantic/{id}.txt")
}
