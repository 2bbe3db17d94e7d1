//! Makes the forms of pieces of the window.

use codecortex_analysis::artefacts::needs::is_seen;
use codecortex_analysis::artefacts::outline::bare_outline;
use codecortex_index::{HashRules, Symbol};
use codecortex_protocol::paths::display;
use codecortex_syntax::ItemFlags;

use crate::sources::Sources;
use crate::window::candidate::WindowCandidate;
use crate::window::code_lines::{CodeLines, ShownDeclarations};
use crate::window::piece_levels::{
    DetailLevels, MAX_DECLARED, MAX_PARTS, PieceFacts, SOME_MEMBERS, SemanticSection, name_line,
    outline_count,
};
use crate::window::symbols::symbol_of_entry;

/// The forms of a piece.
pub fn levels(sources: &Sources<'_>, candidate: &WindowCandidate) -> DetailLevels {
    let facts = facts_of_piece(sources, candidate).unwrap_or_default();
    let path = &candidate.entry.path;
    let sections = sections_of(sources, candidate.root, &candidate.entry.id);
    let outline = |members: usize| facts.outline(path, members);
    let mut forms = Vec::with_capacity(outline_count(sections.len()) + 2);
    let mut text = outline(usize::MAX);
    for (section, written) in sections {
        text += &format!("{}: {written}\n", section.name);
        forms.push((section.form, text.clone()));
    }
    forms.reverse(); // the richest first
    forms.push(("outline", outline(usize::MAX)));
    forms.push(("outline, cut", outline(SOME_MEMBERS)));
    forms.push(("names", facts.names(path)));
    let smallest = ("name", name_line(path));
    DetailLevels::new(facts.source(path), forms, smallest, &facts)
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
    let (file, item) = sources.code.index().get(symbol)?;
    let members = sources.code.index().members(symbol);
    let names = members.iter().filter_map(|member| {
        let (file, item) = sources.code.index().get(*member)?;
        let is_named = !item.flags.contains(ItemFlags::LOCAL);
        is_named.then(|| file.facts.str(item.name).to_owned())
    });
    let others_see = |member: &&Symbol| {
        let item = sources.code.index().get(**member);
        item.is_some_and(|(_, item)| is_seen(item))
    };
    let parts = sources.code.index().parts(symbol).into_iter();
    let shown = ShownDeclarations {
        own: parts.map(|part| part.symbol).take(MAX_PARTS).collect(),
        members: members.iter().filter(others_see).copied().collect(),
        has_body: false,
    };
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
        code: CodeLines::new(sources, &shown),
        names: names.collect(),
        more,
        file: Some(symbol.file),
    })
}

fn member_facts(sources: &Sources<'_>, symbol: Symbol) -> Option<PieceFacts> {
    let (file, item) = sources.code.index().get(symbol)?;
    let signature = file.facts.str(item.signature);
    let shown = ShownDeclarations {
        own: vec![symbol],
        members: Vec::new(),
        has_body: true,
    };
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
        code: CodeLines::new(sources, &shown),
        file: Some(symbol.file),
        ..PieceFacts::default()
    })
}

fn facts_of_file(sources: &Sources<'_>, root: u32, path: &str) -> Option<PieceFacts> {
    let id = sources.code.index().file_id(root, path)?;
    let file = sources.code.index().file(id)?;
    let declared = (0..).zip(&file.facts.items).filter(|(_, item)| {
        item.parent.is_none() || item.kind.is_type() && !item.flags.contains(ItemFlags::LOCAL)
    });
    let (mut api, mut names, mut members) = (Vec::new(), Vec::new(), Vec::new());
    for (number, item) in declared.take(MAX_DECLARED) {
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
            members.push(Symbol {
                file: id,
                item: number,
            });
        }
    }
    let shown = ShownDeclarations {
        own: Vec::new(),
        members,
        has_body: false,
    };
    let root = sources.code.workspace().roots.get(root as usize)?;
    Some(PieceFacts {
        kind: "file".to_owned(),
        place: display(root, path),
        api,
        code: CodeLines::new(sources, &shown),
        names,
        file: Some(id),
        ..PieceFacts::default()
    })
}
