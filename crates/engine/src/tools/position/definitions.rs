//! Where a name is declared, beside what language providers say of it.

use codecortex_analysis::disk_text::TextRef;
use codecortex_analysis::external::origin_of;
use codecortex_analysis::place::{LspRange, range_of};
use codecortex_analysis::preview::{
    UNAVAILABLE, has_unreal_macros, preview, shown_line, without_macros,
};
use codecortex_analysis::read_outside::text_outside;
use codecortex_analysis::subject::{CallSubject, name_bytes};
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_analysis::words::TierWord;
use codecortex_ide::{Agreement, MAX_DISPUTED, NameSite, Outside, Sites, Why};
use codecortex_index::FileId;
use codecortex_protocol::Failure;
use codecortex_resolve::{DefRef, FileNo, Resolver};
use codecortex_syntax::Item;

use crate::invocation::Invocation;
use crate::tools::position::{Definition, MAX};

/// Our declarations and those of language providers: what both have comes first; where they have nothing
/// in common, theirs do.
pub(super) fn definitions_of(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    declarations: &[DefRef],
    theirs: &Sites,
) -> Result<(Vec<Definition>, Option<Agreement>), Failure> {
    let is_asked = !theirs.inside.is_empty() || !theirs.outside.is_empty();
    let mut both = Vec::new();
    let mut ours = Vec::new();
    for def in declarations {
        let Some(mut found) = definition(cx, query, *def)? else {
            continue;
        };
        let place = (def.file, query.place(*def));
        let is_theirs = |site: &NameSite| (site.file, Some(site.at)) == place;
        if theirs.inside.iter().any(is_theirs) {
            found.tier = Some(TierWord::Provider);
            both.push(found);
        } else {
            ours.push(found);
        }
    }
    let is_ours = |site: &&NameSite| {
        let is_it = |def: &DefRef| (def.file, query.place(*def)) == (site.file, Some(site.at));
        declarations.iter().any(is_it)
    };
    let mut only_theirs = Vec::new();
    for site in theirs.inside.iter().filter(|site| !is_ours(site)) {
        only_theirs.extend(definition_at(cx, query, site)?);
    }
    let outside = &theirs.outside[..theirs.outside.len().min(MAX)];
    let paths = outside.iter().map(|place| place.absolute.as_str());
    cx.need_texts_outside(std::iter::empty(), paths)?;
    for place in outside {
        only_theirs.push(definition_outside(cx, place)?);
    }
    let mut agreement = Agreement {
        both: both.len() as u32,
        provider_only: only_theirs.len() as u32,
        ours_only: ours.len() as u32,
        disputed: Vec::new(),
    };
    // Of overloads and parts a provider may name one; that is no dispute.
    if both.is_empty() && !only_theirs.is_empty() {
        for definition in &mut ours {
            definition.why = Some(Why::Disputed);
            let place = format!("{}:{}", definition.file_path, definition.start_line);
            agreement.disputed.push(place);
        }
        agreement.disputed.truncate(MAX_DISPUTED);
        ours.splice(0..0, only_theirs);
        both = ours;
    } else {
        both.append(&mut ours);
        both.append(&mut only_theirs);
    }
    both.truncate(MAX);
    Ok((both, is_asked.then_some(agreement)))
}

/// The symbol that language providers name.
pub(super) fn subject_of_providers(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    theirs: &Sites,
) -> Option<CallSubject> {
    let def = theirs.inside.iter().find_map(|site| site.declares)?;
    let symbol = cx.symbol_of(query, def);
    Some(CallSubject {
        defs: vec![def],
        resolved: symbol.and_then(|symbol| resolved_symbol(cx, symbol)),
    })
}

/// A declaration that only a provider has.
fn definition_at(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    site: &NameSite,
) -> Result<Option<Definition>, Failure> {
    let found = match site.declares {
        Some(def) => definition(cx, query, def)?,
        None => text_of(cx, site.file)?.map(|text| {
            let range = range_of(&text, site.at..site.at + site.len);
            let (start_line, end_line) = (range.start_line(), range.end_line());
            Definition {
                file_path: cx.shown_path(site.file),
                start_line,
                end_line,
                range,
                name_range: range,
                preview: Some(preview(&text, start_line, end_line)),
                tier: None,
                why: None,
            }
        }),
    };
    Ok(found.map(|found| Definition {
        tier: Some(TierWord::Provider),
        why: Some(Why::ProviderOnly),
        ..found
    }))
}

/// A declaration outside of the index.
fn definition_outside(cx: &Invocation<'_>, place: &Outside) -> Result<Definition, Failure> {
    let range = LspRange::of_outside(place.range);
    let (mut start_line, end_line) = (range.start_line(), range.end_line());
    let mut shown = None;
    if let Some(text) = text_outside(cx, &place.absolute)? {
        start_line = shown_line(&text, has_unreal_macros(&place.path, None), start_line);
        shown = Some(preview(&text, start_line, end_line));
    }
    Ok(Definition {
        file_path: place.path.clone(),
        start_line,
        end_line,
        range,
        name_range: range,
        preview: shown,
        tier: Some(TierWord::Provider),
        why: Some(Why::ProviderOnly),
    })
}

fn text_of<'a>(cx: &'a Invocation<'_>, file: u32) -> Result<Option<TextRef<'a>>, Failure> {
    match cx.text_of_file(FileId(file)) {
        Ok(text) => Ok(Some(text)),
        Err(Failure::Error(_)) => Ok(None),
        Err(waits) => Err(waits),
    }
}

/// A declaration of the index whose file cannot be read any more (SPEC PV1).
fn unreadable(cx: &Invocation<'_>, file: FileNo, item: &Item) -> Definition {
    let mut range = LspRange::of_item(item);
    let mut name_range = LspRange::of_name(item);
    let found = cx.index.file(FileId(file));
    let origin = found.and_then(|file| origin_of(cx, file));
    if let Some(origin) = origin.filter(|origin| !origin.is_itself()) {
        // The line that describes it is all that is known.
        let line = origin.line(item.name_start.line);
        range = LspRange::of_outside([(line, 0), (line, 0)]);
        name_range = range;
    }
    Definition {
        file_path: cx.shown_path(file),
        start_line: range.start_line(),
        end_line: range.end_line(),
        range,
        name_range,
        preview: Some(UNAVAILABLE.to_owned()),
        tier: None,
        why: None,
    }
}

fn definition(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    def: DefRef,
) -> Result<Option<Definition>, Failure> {
    let names = cx.names();
    let Some(name) = name_bytes(names.workspace(), def) else {
        return Ok(None);
    };
    let found = names
        .workspace()
        .file(def.file)
        .map(|file| file.def(def.def));
    let whole = found.map_or(name.clone(), |found| found.start..found.end);
    // The index knows where attributes and modifiers begin.
    let item = cx
        .declaration_of(query, def)
        .and_then(|symbol| cx.index.get(symbol));
    let whole = item.map_or(whole, |(_, item)| item.start_byte..item.end_byte);
    let Some(text) = text_of(cx, def.file)? else {
        return Ok(item.map(|(_, item)| unreadable(cx, def.file, item)));
    };
    let range = range_of(&text, whole);
    let file = cx.index.file(FileId(def.file));
    let has_macros =
        file.is_some_and(|file| has_unreal_macros(&file.path, Some(file.facts.language)));
    let start_line = shown_line(&text, has_macros, range.start_line());
    let end_line = range.end_line();
    Ok(Some(Definition {
        file_path: cx.shown_path(def.file),
        start_line,
        end_line,
        range: without_macros(&text, has_macros, range),
        name_range: range_of(&text, name),
        preview: Some(preview(&text, start_line, end_line)),
        tier: None,
        why: None,
    }))
}
