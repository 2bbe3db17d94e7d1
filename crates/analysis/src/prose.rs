//! Files of prose beside the code.

/// Endings of documentation.
const ENDINGS: [&str; 5] = ["md", "mdx", "markdown", "rst", "adoc"];

/// Whether a file is documentation, by its ending in any case.
#[must_use]
pub fn is_prose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        let mut known = ENDINGS.iter();
        known.any(|known| known.eq_ignore_ascii_case(ending))
    })
}
