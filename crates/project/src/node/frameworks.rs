//! What frameworks call folders of a package in imports, without a word of it in a manifest.

use super::package::NodeDependency;
use crate::model::PathMapping;
use crate::path;

/// A framework's package, names in imports with at most one `*`, and where they lead in its own folders, the best first.
type Framework = (
    &'static str,
    &'static [(&'static str, &'static [&'static str])],
);

/// Frameworks whose names for folders stand in no manifest unless a build has written them into a tsconfig. What such a
/// tsconfig says comes first.
const FRAMEWORKS: [Framework; 2] = [
    (
        "@sveltejs/kit",
        &[("$lib", &["src/lib"]), ("$lib/*", &["src/lib/*"])],
    ),
    (
        "nuxt",
        &[
            ("~/*", &["app/*", "src/*", "*"]),
            ("@/*", &["app/*", "src/*", "*"]),
            ("~~/*", &["*"]),
            ("@@/*", &["*"]),
            ("#shared/*", &["shared/*"]),
        ],
    ),
];

/// The names that the frameworks bring which a package depends on.
pub(super) fn aliases(folder: &str, dependencies: &[NodeDependency]) -> Vec<PathMapping> {
    let is_used = |(name, _): &&Framework| dependencies.iter().any(|of| of.name == *name);
    let names = FRAMEWORKS.iter().filter(is_used).flat_map(|of| of.1);
    names
        .map(|(pattern, targets)| PathMapping {
            pattern: (*pattern).to_owned(),
            targets: targets
                .iter()
                .map(|target| path::resolve(folder, target))
                .collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::ManifestTarget;
    use crate::source::SourcePosition;

    #[test]
    fn frameworks_name_the_folders_of_their_package() {
        let dependency = |name: &str| NodeDependency {
            name: name.to_owned(),
            spec: "1".to_owned(),
            dev: true,
            at: SourcePosition::default(),
        };
        assert_eq!(aliases("web", &[dependency("svelte")]), []);
        let names = aliases("web", &[dependency("nuxt")]);
        let of_tilde = names.iter().find(|name| name.pattern == "~/*").unwrap();
        let inside = |path: &str| ManifestTarget::Inside(path.to_owned());
        let wanted = ["web/app/*", "web/src/*", "web/*"].map(inside);
        assert_eq!(of_tilde.targets, wanted);
    }
}
