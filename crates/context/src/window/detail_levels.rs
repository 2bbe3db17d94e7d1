//! Makes the forms of pieces of the window.

use codecortex_analysis::artefacts::outline::bare_outline;
use codecortex_index::{HashRules, Symbol};
use codecortex_protocol::paths::display;
use codecortex_syntax::ItemFlags;

use crate::sources::Sources;
use crate::window::candidate::WindowCandidate;
use crate::window::piece_levels::{
    DetailLevels, MAX_DECLARED, PieceFacts, SOME_MEMBERS, SemanticSection, form_count, name_line,
};
use crate::window::symbols::symbol_of_entry;

/// The forms of a piece.
pub fn levels(sources: &Sources<'_>, candidate: &WindowCandidate) -> DetailLevels {
    let facts = facts_of_piece(sources, candidate).unwrap_or_default();
    let path = &candidate.entry.path;
    let sections = sections_of(sources, candidate.root, &candidate.entry.id);
    let outline = |members: usize| facts.outline(path, members);
    let mut forms = Vec::with_capacity(form_count(sections.len()));
    let mut text = outline(usize::MAX);
    for (section, written) in sections {
        text += &format!("{}: {written}\n", section.name);
        forms.push((section.form, text.clone()));
    }
    forms.reverse(); // the richest first
    forms.push(("outline", outline(usize::MAX)));
    forms.push(("outline, cut", outline(SOME_MEMBERS)));
    forms.push(("names", facts.names(path)));
    DetailLevels::new(forms, ("name", name_line(path)), facts.file)
}

/// The parts of a type's semantic text that are there, the most important first.
pub fn sections_of<'a>(
    sources: &Sources<'a>,
    root: u32,
    id: &str,
) -> &'a [(&'static SemanticSection, String)] {
    let known = sources.context.texts.get(&root).and_then(|own| own.get(id));
    known.map_or(&[], Vec::as_slice)
}

fn facts_of_piece(sources: &Sources<'_>, candidate: &WindowCandidate) -> Option<PieceFacts> {
    if let Some(path) = candidate.entry.id.strip_prefix("file:") {
        return facts_of_file(sources, candidate.root, path);
    }
    let symbol = symbol_of_entry(
        sources,
        candidate.root,
        &candidate.entry.id,
        &candidate.entry.path,
    )?;
    type_facts(sources, symbol).or_else(|| member_facts(sources, symbol))
}

fn type_facts(sources: &Sources<'_>, symbol: Symbol) -> Option<PieceFacts> {
    let outline = bare_outline(sources.code, symbol, HashRules::default())?;
    let (file, item) = sources.code.index.get(symbol)?;
    let members = sources.code.index.members(symbol).into_iter();
    let names = members.filter_map(|member| {
        let (file, item) = sources.code.index.get(member)?;
        let is_seen = !item.flags.contains(ItemFlags::LOCAL);
        is_seen.then(|| file.facts.str(item.name).to_owned())
    });
    let mut more = Vec::new();
    if !outline.implements.is_empty() {
        more.push(format!("Implements: {}", outline.implements.join(", ")));
    }
    if !outline.depends_on.is_empty() {
        more.push(format!("DependsOn: {}", outline.depends_on.join(", ")));
    }
    Some(PieceFacts {
        kind: outline.kind,
        place: sources.code.short_location(file, item),
        doc: outline.doc,
        api: outline.api,
        names: names.collect(),
        more,
        file: Some(symbol.file),
    })
}

fn member_facts(sources: &Sources<'_>, symbol: Symbol) -> Option<PieceFacts> {
    let (file, item) = sources.code.index.get(symbol)?;
    let signature = file.facts.str(item.signature);
    Some(PieceFacts {
        kind: item.kind.as_str().to_owned(),
        place: sources.code.short_location(file, item),
        doc: file
            .facts
            .str(item.doc)
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        api: vec![signature.to_owned()],
        file: Some(symbol.file),
        ..PieceFacts::default()
    })
}

fn facts_of_file(sources: &Sources<'_>, root: u32, path: &str) -> Option<PieceFacts> {
    let id = sources.code.index.file_id(root, path)?;
    let file = sources.code.index.file(id)?;
    let declared = file.facts.items.iter().filter(|item| {
        item.parent.is_none() || item.kind.is_type() && !item.flags.contains(ItemFlags::LOCAL)
    });
    let (mut api, mut names) = (Vec::new(), Vec::new());
    for item in declared.take(MAX_DECLARED) {
        let signature = file.facts.str(item.signature);
        let name = file.facts.str(item.name);
        let shown = if signature.is_empty() {
            name
        } else {
            signature
        };
        if !shown.is_empty() {
            api.push(format!("{} {shown}", item.start.line + 1));
            names.push(name.to_owned());
        }
    }
    let root = sources.code.workspace.roots.get(root as usize)?;
    Some(PieceFacts {
        kind: "file".to_owned(),
        place: display(root, path),
        api,
        names,
        file: Some(id),
        ..PieceFacts::default()
    })
}
