//! Manifests in, a model of projects out (SPEC P1): who owns a file, what refers to what, where
//! imports lead.
//!
//! Nothing here reads a disk. The caller lists a root's files ([`RootFiles`]), reads those that
//! [`is_manifest`] names, [`parse`]s each for itself, keeps them in [`Manifests`] and joins them with
//! [`Projects::build`]. A change of one manifest costs one `parse` and one `build`. What a manifest
//! names and the caller could not have known is in [`Projects::wanted`].
//!
//! Neither step fails: what cannot be read or found is a [`ManifestProblem`] with its place.

mod build;
mod cargo;
mod dotnet;
mod files;
mod glob;
mod go;
mod jvm;
mod manifest;
mod model;
mod native;
mod node;
mod path;
mod projects;
mod python;
mod read;
mod source;

pub use files::RootFiles;
pub use manifest::{Manifest, ManifestFormat, Manifests, format_of, is_manifest, parse, parse_as};
pub use model::{
    AssemblyReference, Cargo, CargoTarget, CargoTargetKind, CompileFlags, Detail, Dotnet,
    DotnetTarget, Export, GoModule, GoReplace, IncludeFolder, IncludeKind, Jvm, ManifestKind,
    NamedPlace, Native, Npm, PathMapping, Project, ProjectGroup, ProjectId, PythonProject,
    Reference, SourceRoot, TypeScriptConfig, Using,
};
pub use path::{ManifestTarget, normalise, resolve};
pub use projects::{MissingManifest, Projects};
pub use source::{ManifestProblem, ProblemKind, SourcePosition};
