//! `types/<TypeId>.outline.md` (SPEC H1, D18, `000` §3.4).

use codecortex_hashes::{Hashes, render};
use std::fmt::Write as _;

/// What an outline says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Path.
    pub fqn: String,
    /// Id.
    pub id: String,
    /// `class`, `struct` …
    pub kind: String,
    /// Relative to the root, sorted.
    pub files: Vec<String>,
    /// Assembly, package or module.
    pub assembly: String,
    /// The hashes.
    pub hashes: Hashes,
    /// First line of its documentation, as it is written.
    pub doc: String,
    /// Public members, as the language writes them.
    pub api: Vec<String>,
    /// Interfaces.
    pub implements: Vec<String>,
    /// Paths of the types it depends on most.
    pub depends_on: Vec<String>,
}

/// Lines of the header: title, kind and files, implementation hashes, documentation's hash.
const HEADER_LINES: usize = 4;

/// The whole text. Every line is there, also where it has nothing to say.
#[must_use]
pub fn render_outline(outline: &Outline) -> String {
    let mut text = header(outline);
    line(&mut text, "XMLDOC: ", &outline.doc);
    text.push_str("\nPublic API:\n");
    for signature in &outline.api {
        line(&mut text, "  + ", signature);
    }
    text.push('\n');
    line(&mut text, "Implements: ", &outline.implements.join(", "));
    line(&mut text, "DependsOn: ", &outline.depends_on.join(", "));
    text
}

/// An outline that is written, with the header as it should be now and its body as it was (D18). Where
/// the text has no such header, all of it is made anew.
#[must_use]
pub fn with_header(written: &str, outline: &Outline) -> String {
    let title = format!("# {} {}", flat(&outline.fqn), flat(&outline.id));
    let mut rest = written;
    for at in 0..HEADER_LINES {
        let Some((line, after)) = rest.split_once('\n') else {
            return render_outline(outline);
        };
        let starts = ["# ", "Kind: ", "PublicImplHash: ", "XmlDocHash: "];
        if !line.starts_with(starts[at]) || (at == 0 && line.trim_end() != title) {
            return render_outline(outline);
        }
        rest = after;
    }
    header(outline) + rest
}

fn header(outline: &Outline) -> String {
    let hashes = &outline.hashes;
    let mut text = String::new();
    line(&mut text, "# ", &format!("{} {}", outline.fqn, outline.id));
    let what = format!(
        "{} | Files: {} | Assembly: {} | StructureHash: {}",
        outline.kind,
        outline.files.join(","),
        outline.assembly,
        render(&hashes.structure)
    );
    line(&mut text, "Kind: ", &what);
    let implementation = format!(
        "{} | InternalImplHash: {} | ImplHash: {}",
        render(&hashes.public_impl),
        render(&hashes.internal_impl),
        render(&hashes.implementation())
    );
    line(&mut text, "PublicImplHash: ", &implementation);
    line(&mut text, "XmlDocHash: ", &render(&hashes.doc));
    text
}

/// One line, whatever its text is.
fn line(text: &mut String, label: &str, value: &str) {
    let whole = format!("{label}{}", flat(value));
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", whole.trim_end());
}

fn flat(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline() -> Outline {
        Outline {
            fqn: "MemoTree.Core.NodeStore".to_owned(),
            id: "T_9xx14grs".to_owned(),
            kind: "class".to_owned(),
            files: vec![
                "src/NodeStore.cs".to_owned(),
                "src/NodeStore.Io.cs".to_owned(),
            ],
            assembly: "MemoTree.Core".to_owned(),
            doc: "/// Keeps nodes.\n".to_owned(),
            api: vec![
                "public void Clear()".to_owned(),
                "public int\n    Count { get; }".to_owned(),
            ],
            implements: vec!["IStore".to_owned()],
            depends_on: vec!["MemoTree.Core.Node".to_owned()],
            ..Outline::default()
        }
    }

    #[test]
    fn the_form() {
        let expected = "\
# MemoTree.Core.NodeStore T_9xx14grs
Kind: class | Files: src/NodeStore.cs,src/NodeStore.Io.cs | Assembly: MemoTree.Core | StructureHash: 00000000
PublicImplHash: 00000000 | InternalImplHash: 00000000 | ImplHash: {impl}
XmlDocHash: 00000000
XMLDOC: /// Keeps nodes.

Public API:
  + public void Clear()
  + public int Count { get; }

Implements: IStore
DependsOn: MemoTree.Core.Node
";
        let implementation = render(&Hashes::default().implementation());
        assert_eq!(
            render_outline(&outline()),
            expected.replace("{impl}", &implementation)
        );
    }

    #[test]
    fn a_header_changes_alone() {
        let written = render_outline(&outline()).replace("Clear()", "Clear() // by hand");
        let mut now = outline();
        now.hashes.internal_impl = [255; 16];
        now.api.clear();
        let text = with_header(&written, &now);
        assert!(text.contains("InternalImplHash: ZZZZZZZZ"));
        assert!(text.contains("Clear() // by hand"));
        assert_eq!(
            with_header("# something else\n", &now),
            render_outline(&now)
        );
        let mut renamed = outline();
        renamed.fqn = "Other".to_owned();
        assert_eq!(with_header(&written, &renamed), render_outline(&renamed));
    }
}
