//! The outline of a member (SPEC H1, `000` §6: `GetMemberOutline`).

use std::fmt::Write as _;

use codecortex_index::Symbol;

use crate::artefacts::needs::needs_of_member;
use crate::symbols::ids::resolved_symbol;
use crate::view::AnalysisView;

/// The outline of a member, in the manner of a type's: what it is, where, how it is called; a line
/// that has nothing to say is left out. `None` for what is no member.
#[must_use]
pub fn member_outline(view: &AnalysisView<'_>, symbol: Symbol) -> Option<String> {
    let (file, item) = view.index.get(symbol)?;
    let ids = resolved_symbol(view, symbol)?;
    let member = ids.member_id?;
    let mut out = format!("# {} {member}\n", ids.path);
    let (first, last) = (item.start.line + 1, item.end.line + 1);
    let lines = match last > first {
        true => format!("{first}-{last}"),
        false => first.to_string(),
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "Kind: {} | File: {}:{lines} | In: {}",
        item.kind.as_str(),
        file.path,
        ids.type_id
    );
    if let Some(doc) = file.facts.str(item.doc).lines().next() {
        let _ = writeln!(out, "XMLDOC: {}", doc.trim());
    }
    let signature = match item.signature.is_empty() {
        true => item.name,
        false => item.signature,
    };
    let _ = writeln!(out, "  + {}", file.facts.str(signature));
    let needs = needs_of_member(view, symbol);
    let paths: Vec<String> = needs
        .into_iter()
        .map(|need| view.index.path_of(need))
        .collect();
    if !paths.is_empty() {
        let _ = writeln!(out, "DependsOn: {}", paths.join(", "));
    }
    Some(out)
}
