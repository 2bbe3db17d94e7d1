//! Places in place of symbols: `src/a.ts:12:9` wherever a path or an id is taken (SPEC D20).
//!
//! A place of a name means what is named there; any other the innermost declaration around it; a line alone the
//! declaration that begins on it. It is looked up before the handler begins, which then asks for a symbol as ever.

use codecortex_analysis::artefacts::needs::type_around;
use codecortex_analysis::found_file::FoundFile;
use codecortex_analysis::place::EditorPosition;
use codecortex_analysis::subject::ImportedNamePolicy;
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ToolError, WrittenPlace};
use codecortex_resolve::Resolver;
use codecortex_syntax::{Item, language_of_path};
use serde_json::{Map, Value, json};

use crate::calls::CallContext;
use crate::invocation::Invocation;
use crate::tools::table::arguments;
use crate::tools::tool::Tool;

/// Arguments that name symbols.
const OF_SYMBOLS: [&str; 3] = ["symbol", "name", "symbols"];

/// Looks up the places that stand for symbols in a call.
///
/// # Errors
/// A place means no declaration.
pub(crate) async fn look_up(
    cx: &CallContext,
    tool: &'static Tool,
    rest: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    take_positions(tool, rest);
    let written = places_in(rest);
    if written.is_empty() {
        return Ok(());
    }
    let wants_type = rest.contains_key("name");
    let found = |cx: &Invocation<'_>| placed(cx, &written, wants_type);
    cx.look(found).await
}

/// Notes the declarations that places mean.
fn placed(cx: &Invocation<'_>, written: &[String], wants_type: bool) -> Result<(), Failure> {
    for text in written {
        let found = meant(cx, text)?.map(|symbol| match wants_type {
            true => type_of(cx, symbol),
            false => symbol,
        });
        if let Some(found) = found {
            let mut placed = cx.call.placed.borrow_mut();
            placed.push((text.clone(), vec![(found.file.0, found.item)]));
        }
    }
    Ok(())
}

/// A tool that takes a position of its own is given it, with all that it makes of one: locals have no path.
fn take_positions(tool: &Tool, rest: &mut Map<String, Value>) {
    let takes = |name: &str| arguments(tool).names.iter().any(|known| known == name);
    if !takes("position") || rest.contains_key("position") {
        return;
    }
    let name = ["symbol", "filePath"]
        .into_iter()
        .find(|name| rest.contains_key(*name));
    let Some((name, text)) = name.and_then(|name| Some((name, rest.get(name)?.as_str()?))) else {
        return;
    };
    if let Some((path, line, Some(character))) = place_of(text) {
        let place = (json!(path), json!({ "line": line, "character": character }));
        rest.remove(name);
        rest.insert("filePath".to_owned(), place.0);
        rest.insert("position".to_owned(), place.1);
    }
}

/// The places among the symbols of a call.
fn places_in(rest: &Map<String, Value>) -> Vec<String> {
    let values = OF_SYMBOLS.iter().filter_map(|name| rest.get(*name));
    let texts = values.flat_map(|value| match value {
        Value::Array(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    });
    let texts = texts.filter_map(Value::as_str);
    let places = texts.filter(|text| place_of(text).is_some());
    places.map(str::to_owned).collect()
}

/// A place in a file of source code; no symbol is written so.
fn place_of(text: &str) -> Option<(&str, u32, Option<u32>)> {
    let place = WrittenPlace::parse(text)?;
    let is_file = language_of_path(place.path).is_some() || place.path.contains(['/', '\\']);
    is_file.then_some((place.path, place.line, place.character))
}

/// The declaration that a place means; none where there is no such file, so that the text means what it ever does.
fn meant(cx: &Invocation<'_>, text: &str) -> Result<Option<Symbol>, Failure> {
    let Some((path, line, character)) = place_of(text) else {
        return Ok(None);
    };
    let id = match cx.find_file(path)? {
        FoundFile::Indexed(id) | FoundFile::Names(id) => id,
        FoundFile::Outside { .. } => return Ok(None),
    };
    let Some(character) = character else {
        return begins_on(cx, id, line).map(Some).ok_or_else(|| {
            nothing_at(text, "begins on")
                .hint(format!("Add the character: `{path}:{line}:CHARACTER`."))
                .into()
        });
    };
    let position = EditorPosition { line, character };
    if let Some(named) = named_at(cx, path, position)? {
        return Ok(Some(named));
    }
    let at = position.zero_based()?;
    let file = cx.index.file(id);
    let item = file
        .and_then(|file| file.facts.item_at(at))
        .ok_or_else(|| {
            nothing_at(text, "is around")
                .hint("Give the place of a name, or a place inside a declaration.")
        })?;
    Ok(Some(Symbol { file: id, item }))
}

fn nothing_at(text: &str, how: &str) -> ToolError {
    let text: String = text.trim().chars().take(200).collect();
    ToolError::new(
        ErrorCode::SymbolNotFound,
        format!("No declaration {how} `{text}`."),
    )
}

/// The outermost declaration whose name, or else whose first line, is on a line.
fn begins_on(cx: &Invocation<'_>, id: FileId, line: u32) -> Option<Symbol> {
    let line = line.checked_sub(1)?;
    let items = &cx.index.file(id)?.facts.items;
    let find = |is_it: &dyn Fn(&Item) -> bool| items.iter().position(is_it);
    let item = find(&|item| item.name_start.line == line)
        .or_else(|| find(&|item| item.start.line == line))?;
    Some(Symbol {
        file: id,
        item: item as u32,
    })
}

/// What the name at a place stands for.
fn named_at(
    cx: &Invocation<'_>,
    path: &str,
    position: EditorPosition,
) -> Result<Option<Symbol>, Failure> {
    let (file, byte) = cx.byte_at(path, position)?;
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let subject = cx.subject_of(&query, file, byte, ImportedNamePolicy::Followed);
    let def = subject.and_then(|subject| subject.defs.first().copied());
    Ok(def.and_then(|def| cx.symbol_of(&query, def)))
}

/// The type itself, or the one that something is in.
fn type_of(cx: &Invocation<'_>, symbol: Symbol) -> Symbol {
    let is_type = cx
        .index
        .get(symbol)
        .is_some_and(|(_, item)| item.kind.is_type());
    match is_type {
        true => symbol,
        false => type_around(cx, symbol).unwrap_or(symbol),
    }
}
