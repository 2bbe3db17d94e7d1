//! Whether files and folders of sources are named by what they hold, not by a participle, an adverb or a pronoun.

/// Words that say nothing about what a file holds.
const BARE_STEMS: &[&str] = &[
    "around",
    "asked",
    "assigned",
    "before",
    "beside",
    "broken",
    "dangling",
    "declared",
    "described",
    "due",
    "former",
    "found",
    "give",
    "given",
    "half",
    "held",
    "kept",
    "known",
    "left",
    "listed",
    "mapped",
    "named",
    "own",
    "parsed",
    "passed",
    "past",
    "piece",
    "pointed",
    "published",
    "quoted",
    "reread",
    "said",
    "same",
    "seen",
    "shown",
    "taken",
    "tested",
    "told",
    "touched",
    "unwritten",
    "used",
    "wanted",
];

/// Words that add nothing to one of [`BARE_STEMS`]: `taken_up`, `as_parsed`.
const PARTICLES: &[&str] = &["as", "at", "by", "in", "of", "off", "on", "out", "to", "up"];

/// The first folder or file of a source's path, below `src`, whose name says nothing. Names of tests are not looked at:
/// they stand in folders of their own.
pub(super) fn bare_stem(path: &str) -> Option<&str> {
    let below = path.split_once("/src/").map_or(path, |(_, below)| below);
    below
        .split('/')
        .map(|part| part.strip_suffix(".rs").unwrap_or(part))
        .find(|stem| is_bare(stem))
}

fn is_bare(stem: &str) -> bool {
    let mut has_bare_word = false;
    for word in stem.split('_') {
        if BARE_STEMS.contains(&word) {
            has_bare_word = true;
        } else if !PARTICLES.contains(&word) {
            return false;
        }
    }
    has_bare_word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_of_bare_words_and_particles_is_rejected() {
        for (path, stem) in [
            ("review/src/evidence/found.rs", "found"),
            ("engine/src/taken_up.rs", "taken_up"),
            ("syntax/src/as_parsed.rs", "as_parsed"),
            ("review/src/broken/mod.rs", "broken"),
            ("review/src/broken/by_name.rs", "broken"),
        ] {
            assert_eq!(bare_stem(path), Some(stem), "{path}");
        }
    }

    #[test]
    fn a_stem_with_a_noun_or_a_preposition_alone_is_not() {
        for path in [
            "found/src/lib.rs",
            "resolve/src/mapped_types.rs",
            "bind/src/by_name.rs",
            "engine/src/founder.rs",
            "cli/src/out_file.rs",
            "memory/src/in_memory.rs",
        ] {
            assert_eq!(bare_stem(path), None, "{path}");
        }
    }
}
