//! Java's library as an installed JDK has it: an image of class files in, Java sources without bodies out.
//!
//! Generics, bounds and nested types are read from attributes, so that the text says what the source said. Names of parameters and
//! documentation are not in class files.

mod class_file;
mod image;
mod java_source;
mod signature;
mod type_names;

pub use image::{ImageProblem, JdkImage, ReadRange};
pub use java_source::{ClassSurvey, StubProblem, java_source, survey};

/// Classes by their names, with `/` between packages and `$` before a nested type (`java/util/Map$Entry`).
pub trait ClassSource {
    /// The bytes of a class file.
    fn class(&self, name: &str) -> Option<Vec<u8>>;
    /// Whether there is such a class.
    fn contains(&self, name: &str) -> bool;
}
