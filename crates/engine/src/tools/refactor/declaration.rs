//! The declaration that the arguments of a structural edit name, and the text that it stands in.

use codecortex_edit::DeclarationPlace;
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::{DefRef, FileNo, Resolver};

use crate::invocation::Invocation;
use crate::tools::refactor::args::{RefactorAction, RefactorArgs};
use crate::tools::refactor::current_texts::texts_of;

/// A declaration in its text.
pub(super) struct NamedDeclaration {
    pub(super) file: FileNo,
    /// The file's path, for its ending.
    pub(super) path: String,
    pub(super) text: String,
    pub(super) place: DeclarationPlace,
}

/// The one declaration that the arguments name, whose hash must be the one that they give.
pub(super) fn named_declaration(
    cx: &Invocation<'_>,
    args: &RefactorArgs,
) -> Result<NamedDeclaration, Failure> {
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a declaration.");
    let symbol = match (&args.symbol, &args.file_path, args.position) {
        (Some(symbol), None, None) => {
            let found = cx.find_symbol(symbol)?;
            match found.symbols.as_slice() {
                [one] => *one,
                several if args.action == RefactorAction::SafeDelete && is_one(cx, several) => {
                    several.first().copied().ok_or_else(lost)?
                }
                several => return Err(ambiguous(cx, symbol, several).into()),
            }
        }
        (None, Some(path), Some(position)) => {
            let (file, byte) = cx.byte_at(path, position)?;
            at_place(cx, args.action, (FileId(file), byte))?
        }
        _ => {
            let error = ToolError::invalid("A symbol is not given, or given twice.");
            return Err(error
                .hint("Give `symbol`, or `filePath` with `position`.")
                .into());
        }
    };
    let found = declaration(cx, symbol)?;
    match &args.hash {
        Some(hash) if *hash != found.place.hash(&found.text) => Err(stale(&found).into()),
        _ => Ok(found),
    }
}

/// A declaration of the index in its text.
pub(super) fn declaration(
    cx: &Invocation<'_>,
    symbol: Symbol,
) -> Result<NamedDeclaration, Failure> {
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a declaration.");
    let file = symbol.file.0;
    let mut texts = texts_of(cx, &[file])?;
    let text = texts.remove(&file).ok_or_else(lost)?;
    let (indexed, item) = cx.index.get(symbol).ok_or_else(lost)?;
    let name = indexed.facts.str(item.name);
    let code = item.start_byte..item.end_byte;
    let place = DeclarationPlace::new((&indexed.path, &text), name, item.name_byte, code);
    Ok(NamedDeclaration {
        file,
        path: indexed.path.to_string(),
        place: place.ok_or_else(lost)?,
        text,
    })
}

/// Whether declarations are those of one symbol, such as a declaration and its definition.
fn is_one(cx: &Invocation<'_>, several: &[Symbol]) -> bool {
    let names = cx.names();
    let resolver = Resolver::new(names.workspace());
    let defs: Option<Vec<DefRef>> = several
        .iter()
        .map(|symbol| cx.def_of(&resolver, *symbol))
        .collect();
    let Some([first, rest @ ..]) = defs.as_deref() else {
        return false;
    };
    let own = resolver.symbol(*first);
    rest.iter().all(|def| own.contains(def))
}

/// The declaration that a byte points at: by its name, or, where its code is to change, by a byte in it.
fn at_place(
    cx: &Invocation<'_>,
    action: RefactorAction,
    (file, byte): (FileId, u32),
) -> Result<Symbol, ToolError> {
    let none = |message: &str| {
        let error = ToolError::new(ErrorCode::NotFound, message);
        error.hint("Give `symbol`, or a place on the name of a declaration.")
    };
    let indexed = cx.index.file(file);
    let indexed = indexed.ok_or_else(|| none("The file is not in the index."))?;
    let items = || indexed.facts.items.iter().enumerate();
    let symbol = |index: usize| Symbol {
        file,
        item: index as u32,
    };
    let named = items().find(|(_, item)| {
        let name = indexed.facts.str(item.name).len() as u32;
        (item.name_byte..=item.name_byte + name).contains(&byte)
    });
    if let Some((index, _)) = named {
        return Ok(symbol(index));
    }
    // A local or a parameter is not what its function is.
    let names = cx.names();
    let (_, local) = Resolver::new(names.workspace()).at(file.0, byte);
    if action == RefactorAction::SafeDelete || local.is_some() {
        return Err(none(
            "No declaration of the index has its name at this place.",
        ));
    }
    let around = items().filter(|(_, item)| item.start_byte <= byte && byte < item.end_byte);
    let innermost = around.min_by_key(|(_, item)| item.end_byte - item.start_byte);
    let (index, _) = innermost.ok_or_else(|| none("There is no declaration around this place."))?;
    Ok(symbol(index))
}

fn ambiguous(cx: &Invocation<'_>, symbol: &str, several: &[Symbol]) -> ToolError {
    const MAX_SHOWN: usize = 10;
    let shown = several.iter().filter_map(|symbol| {
        let (file, item) = cx.index.get(*symbol)?;
        let (line, character) = (item.name_start.line, item.name_start.character);
        let path = cx.shown_path(symbol.file.0);
        let _ = file;
        Some(serde_json::Value::from(format!(
            "{path}:{}:{}",
            line + 1,
            character + 1
        )))
    });
    let places: Vec<serde_json::Value> = shown.take(MAX_SHOWN).collect();
    let error = ToolError::new(
        ErrorCode::AmbiguousSymbol,
        format!("`{symbol}` is the name of several declarations."),
    );
    let error = error.hint("Give `filePath` with `position` on the one to change.");
    error.detail("places", places)
}

/// The declaration is another by now: as it is, with its hash.
fn stale(found: &NamedDeclaration) -> ToolError {
    let name = &found.place.name;
    let error = ToolError::new(
        ErrorCode::VersionConflict,
        format!("`{name}` is another by now than `hash` says. Nothing was changed."),
    );
    error
        .hint("Fit the code to `details.text` and call with `details.hash`.")
        .detail("hash", found.place.hash(&found.text))
        .detail("text", found.place.text(&found.text).to_owned())
}
