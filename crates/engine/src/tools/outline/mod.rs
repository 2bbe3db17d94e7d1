//! `codecortex_getOutline`: the structure of a file, type or member (SPEC H1, `000` §3.4, §6).

pub(crate) mod compact;
pub(crate) mod data;
pub(crate) mod source;
pub(crate) mod text;
pub(crate) mod tree;

use codecortex_analysis::found_file::{FoundFile, not_indexed};
use codecortex_analysis::module_hints::need_crate_names;
use codecortex_analysis::place::EditorPosition;
use codecortex_analysis::symbols::alternatives::check_accessible;
use codecortex_answer::Meaning;
use codecortex_answer::args::parse;
use codecortex_answer::cursor::read_cursor;
use codecortex_answer::reply::{Reply, ToolResult};
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_syntax::SkipReason;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tool_use::ToolUse;
use crate::tools::needs::RequiredInput;
use crate::tools::outline::data::{Docs, FileFacts, OutlineData, OutlineSubject, Which};
use crate::tools::schema::schema_of;
use crate::tools::several::{Candidate, SymbolArgument, check_count, few_meanings, for_each};
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_getOutline`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutlineArgs {
    /// A name, path or id, such as `Core.NodeStore.Add(int)`; or a list.
    symbol: Option<SymbolArgument>,
    /// A file, best as `rootName/relative/path`.
    file_path: Option<String>,
    /// Only declarations around this place of the file; from 1, UTF-16.
    position: Option<EditorPosition>,
    /// `public`: only declarations visible from outside.
    #[schemars(extend("x-profile" = "full"))]
    visibility: Option<Which>,
    /// `source`: numbered code; `compact`: fewest tokens; `outline`: public interface and hashes.
    form: Option<OutlineLayout>,
    /// Amount of documentation.
    docs: Option<Docs>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
}

/// How an outline is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum OutlineLayout {
    /// One entry for each declaration, with lines and documentation.
    Tree,
    /// The declaration's own lines.
    Source,
    /// The text of the file in `.context/types/`.
    Outline,
    /// The fewest tokens.
    Compact,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let read: OutlineArgs = parse(args.clone())?;
    match read.form {
        Some(OutlineLayout::Source) => source(&cx, &read).await,
        _ => {
            for_each(cx, args, "symbol", |cx, args| {
                boxed_reply(outline_of_one(cx, args))
            })
            .await
        }
    }
}

async fn outline_of_one(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: OutlineArgs = parse(args)?;
    cx.look(|cx| outline(cx, &args)).await
}

fn outline(cx: &Invocation<'_>, args: &OutlineArgs) -> ToolResult {
    let which = args.visibility.unwrap_or(Which::All);
    let start = read_cursor(args.cursor.as_deref())?;
    let symbols = symbols_asked(args)?;
    let subject = subject(cx, args, symbols.first().map(String::as_str))?;
    if let (Which::Public, OutlineSubject::Symbols(symbols)) = (which, &subject) {
        check_accessible(cx, symbols)?;
    }
    match args.form.unwrap_or(OutlineLayout::Tree) {
        OutlineLayout::Tree | OutlineLayout::Source => {
            let tree = tree::OutlineTree::new(cx, &subject, which)?;
            let docs = args.docs.unwrap_or_default();
            Ok(Box::new(tree.from(start)?.with_docs(docs)))
        }
        OutlineLayout::Compact => {
            let tree = tree::OutlineTree::new(cx, &subject, which)?;
            Ok(Box::new(compact::compact_text(&tree).from(start)?))
        }
        OutlineLayout::Outline => Ok(Box::new(text::outline_text(cx, &subject)?.from(start)?)),
    }
}

/// The symbols of a call, none where it names a file.
fn symbols_asked(args: &OutlineArgs) -> Result<Vec<String>, ToolError> {
    match &args.symbol {
        None => Ok(Vec::new()),
        Some(SymbolArgument::One(symbol)) => Ok(vec![symbol.clone()]),
        Some(SymbolArgument::Many(symbols)) => check_count("symbol", symbols),
    }
}

/// The meanings of the names of a call that have a few.
type MeaningsByName = Vec<(String, Vec<(Meaning, Candidate)>)>;

/// The code of one symbol or several, of a name with a few meanings that of all. Of several, those that are not there are
/// named and the others shown.
async fn source(cx: &CallContext, args: &OutlineArgs) -> Result<Box<dyn Reply>, ToolError> {
    let start = read_cursor(args.cursor.as_deref())?;
    let symbols = symbols_asked(args)?;
    let mut meanings: MeaningsByName = Vec::new();
    for symbol in &symbols {
        let found = |cx: &Invocation<'_>| subject(cx, args, Some(symbol)).map(drop);
        if let Err(error) = cx.look(found).await
            && let Some(few) = few_meanings(cx, &error).await?
        {
            meanings.push((symbol.clone(), few));
        }
    }
    cx.look(|cx| source_page(cx, args, (&symbols, &meanings), start))
        .await
}

fn source_page(
    cx: &Invocation<'_>,
    args: &OutlineArgs,
    (symbols, meanings): (&[String], &MeaningsByName),
    start: usize,
) -> ToolResult {
    if symbols.is_empty() {
        let subject = subject(cx, args, None)?;
        let source = source::source_reply(cx, &[subject], Vec::new(), Vec::new())?;
        return Ok(Box::new(source.from(start)?));
    }
    let (mut subjects, mut missing, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
    let mut error = None;
    for symbol in symbols {
        if let Some((_, few)) = meanings.iter().find(|(name, _)| name == symbol) {
            for (meaning, shown) in few {
                candidates.push(shown.clone());
                let symbols = meaning.declarations.iter().map(|(file, item)| Symbol {
                    file: FileId(*file),
                    item: *item,
                });
                subjects.push(OutlineSubject::Symbols(symbols.collect()));
            }
            continue;
        }
        match subject(cx, args, Some(symbol)) {
            Ok(subject) => subjects.push(subject),
            Err(Failure::Error(why)) => {
                missing.push(symbol.clone());
                error.get_or_insert(why);
            }
            Err(waits) => return Err(waits),
        }
    }
    match error.filter(|_| subjects.is_empty()) {
        Some(error) => Err(error.into()),
        None => Ok(Box::new(
            source::source_reply(cx, &subjects, missing, candidates)?.from(start)?,
        )),
    }
}

fn subject<'a>(
    cx: &'a Invocation<'a>,
    args: &OutlineArgs,
    symbol: Option<&str>,
) -> Result<OutlineSubject<'a>, Failure> {
    match (symbol, &args.file_path) {
        (Some(_), Some(_)) => {
            Err(ToolError::invalid("`symbol` and `filePath` exclude each other.")
                .hint("Give `symbol` for a type or member, `filePath` for a file, `filePath` with `position` for a declaration there.")
                .into())
        }
        (Some(symbol), None) => symbol_or_file(cx, symbol),
        (None, Some(path)) => file(cx, path, args.position),
        (None, None) => {
            Err(
                ToolError::invalid("Neither `symbol` nor `filePath` is given.")
                    .hint("Give `symbol` for a type or member, `filePath` for a file.")
                    .into(),
            )
        }
    }
}

/// A symbol; what is no symbol but a file's path is taken as that.
fn symbol_or_file<'a>(cx: &'a Invocation<'a>, symbol: &str) -> Result<OutlineSubject<'a>, Failure> {
    need_crate_names(cx, symbol)?;
    match cx.find_symbol(symbol) {
        Ok(found) => Ok(OutlineSubject::Symbols(found.symbols)),
        Err(error) => {
            let looks_like_path =
                symbol.contains('/') || codecortex_syntax::language_of_path(symbol).is_some();
            if looks_like_path && let Ok(subject) = file(cx, symbol, None) {
                return Ok(subject);
            }
            Err(error.into())
        }
    }
}

/// A file, or the innermost declaration around a place in it.
fn file<'a>(
    cx: &'a Invocation<'a>,
    path: &str,
    position: Option<EditorPosition>,
) -> Result<OutlineSubject<'a>, Failure> {
    let mut file = match cx.find_file(path)? {
        FoundFile::Indexed(id) => match cx.index.file(id) {
            Some(file) => FileFacts {
                facts: &file.facts,
                display: cx.display_path(file),
                path: String::new(),
                id: Some(id),
                around: None,
                unsaved: cx.is_unsaved(id),
            },
            None => {
                return Err(
                    ToolError::new(ErrorCode::InternalError, "The index lost a file.").into(),
                );
            }
        },
        FoundFile::Names(_) => {
            return Err(not_indexed(path, &SkipReason::Generated).into());
        }
        FoundFile::Outside { file, facts } => FileFacts {
            facts,
            unsaved: cx
                .documents
                .get(&file.path)
                .is_some_and(|document| document.dirty),
            display: file.display,
            path: file.path,
            id: None,
            around: None,
        },
    };
    let Some(position) = position else {
        return Ok(OutlineSubject::File(file));
    };
    let item = file.facts.item_at(position.zero_based()?).ok_or_else(|| {
        let (line, display) = (position.line, &file.display);
        ToolError::new(
            ErrorCode::NotFound,
            format!("No declaration is around line {line} of `{display}`."),
        )
        .hint("Leave out `position` for the outline of the whole file.")
    })?;
    Ok(match file.id {
        Some(id) => OutlineSubject::Symbols(vec![Symbol { file: id, item }]),
        None => {
            file.around = Some(item);
            OutlineSubject::File(file)
        }
    })
}

/// The row of `codecortex_getOutline`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_getOutline",
    reference_name: "outline",
    title: "Outline",
    description: "Show the structure or `source` of a file, class or function without reading the file: declarations \
        with signatures, lines and documentation, for a fraction of the tokens.",
    icon: "$(symbol-structure)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: true,
    former_name: None,
    uses: &[ToolUse::Investigation, ToolUse::Review],
    aliases: &[
        ("path", "symbol"),
        ("name", "symbol"),
        ("id", "symbol"),
        ("typeId", "symbol"),
        ("memberId", "symbol"),
        ("memberPath", "symbol"),
        ("symbolPath", "symbol"),
        ("file", "filePath"),
    ],
    schema: schema_of::<OutlineArgs>,
    output: schema_of::<OutlineData>,
    needs: &[RequiredInput::File],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
