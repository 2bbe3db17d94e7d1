//! Java and Kotlin: Maven and Gradle.

mod gradle;
mod maven;
mod pom;
mod roots;
mod script;

pub(crate) use pom::{Pom, read_pom};
pub(crate) use roots::conventional_roots;
pub(crate) use script::{Script, Settings, read_script, read_settings};

use crate::build::ProjectBuilder;

/// Adds Maven's and Gradle's projects.
pub(crate) fn build(builder: &mut ProjectBuilder<'_>) {
    maven::build(builder);
    gradle::build(builder);
}
