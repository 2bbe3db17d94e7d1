//! `codecortex_getOutline`: the structure of a file, type or member (SPEC H1, `000` §3.4, §6).

pub(crate) mod compact;
pub(crate) mod data;
pub(crate) mod source;
pub(crate) mod text;
pub(crate) mod tree;

use std::borrow::Cow;

use codecortex_analysis::found_file::{FoundFile, not_indexed};
use codecortex_analysis::module_hints::need_crate_names;
use codecortex_analysis::place::EditorPosition;
use codecortex_analysis::symbols::alternatives::check_accessible;
use codecortex_answer::args::parse;
use codecortex_answer::cursor::read_cursor;
use codecortex_answer::reply::{Reply, ToolResult};
use codecortex_index::Symbol;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_syntax::SkipReason;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::needs::Input;
use crate::tools::outline::data::{Docs, FileFacts, OutlineData, Subject, Which};
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Symbols whose code one call may ask for.
const MOST_SYMBOLS: usize = 50;

/// Arguments of `codecortex_getOutline`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutlineArgs {
    /// A name, path or id, such as `Core.NodeStore.Add(int)`; with `source` also a list.
    symbol: Option<Symbols>,
    /// A file, best as `rootName/relative/path`.
    file_path: Option<String>,
    /// Only declarations around this place of the file; from 1, UTF-16.
    position: Option<EditorPosition>,
    /// `public`: only declarations visible from outside.
    #[schemars(extend("x-profile" = "full"))]
    visibility: Option<Which>,
    /// `source`: numbered code; `compact`: fewest tokens; `outline`: public interface and hashes.
    form: Option<Form>,
    /// Amount of documentation.
    docs: Option<Docs>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
}

// Which declarations are shown. The schema's words say it: every client pays for its length.
// How much documentation is shown. The schema's words say it.
/// One symbol, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Symbols {
    One(String),
    Many(Vec<String>),
}

impl JsonSchema for Symbols {
    fn schema_name() -> Cow<'static, str> {
        "Symbols".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "array"], "items": { "type": "string" } })
    }
}

/// How an outline is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Form {
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
    let args: OutlineArgs = parse(args)?;
    cx.look(|cx| outline(cx, &args)).await
}

fn outline(cx: &Invocation<'_>, args: &OutlineArgs) -> ToolResult {
    let which = args.visibility.unwrap_or(Which::All);
    let start = read_cursor(args.cursor.as_deref())?;
    if args.form == Some(Form::Source) {
        return source(cx, args, start);
    }
    let subject = subject(cx, args, single(args.symbol.as_ref())?)?;
    if let (Which::Public, Subject::Symbols(symbols)) = (which, &subject) {
        check_accessible(cx, symbols)?;
    }
    match args.form.unwrap_or(Form::Tree) {
        Form::Tree | Form::Source => {
            let tree = tree::Tree::of(cx, &subject, which)?;
            let docs = args.docs.unwrap_or_default();
            Ok(Box::new(tree.from(start)?.with_docs(docs)))
        }
        Form::Compact => {
            let tree = tree::Tree::of(cx, &subject, which)?;
            Ok(Box::new(compact::of(&tree).from(start)?))
        }
        Form::Outline => Ok(Box::new(text::of(cx, &subject)?.from(start)?)),
    }
}

/// The code of one symbol or several. Of several, those that are not there are named and the others shown.
fn source(cx: &Invocation<'_>, args: &OutlineArgs, start: usize) -> ToolResult {
    let wanted = match &args.symbol {
        Some(Symbols::Many(symbols)) if symbols.len() != 1 => symbols,
        symbol => {
            let subject = subject(cx, args, single(symbol.as_ref())?)?;
            return Ok(Box::new(
                source::of(cx, &[subject], Vec::new())?.from(start)?,
            ));
        }
    };
    if wanted.is_empty() || wanted.len() > MOST_SYMBOLS {
        return Err(
            ToolError::invalid(format!("`symbol` has {} entries.", wanted.len()))
                .hint(format!("Give 1 to {MOST_SYMBOLS} names, paths or ids."))
                .into(),
        );
    }
    let (mut subjects, mut missing) = (Vec::new(), Vec::new());
    let mut error = None;
    for symbol in wanted {
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
        None => Ok(Box::new(source::of(cx, &subjects, missing)?.from(start)?)),
    }
}

/// The one symbol that is meant.
fn single(symbol: Option<&Symbols>) -> Result<Option<&str>, ToolError> {
    match symbol {
        None => Ok(None),
        Some(Symbols::One(symbol)) => Ok(Some(symbol)),
        Some(Symbols::Many(symbols)) => match symbols.as_slice() {
            [symbol] => Ok(Some(symbol)),
            _ => Err(ToolError::invalid("`symbol` is a list.")
                .hint("Give one symbol, or `form: \"source\"` for the code of several.")),
        },
    }
}

fn subject<'a>(
    cx: &'a Invocation<'a>,
    args: &OutlineArgs,
    symbol: Option<&str>,
) -> Result<Subject<'a>, Failure> {
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
fn symbol_or_file<'a>(cx: &'a Invocation<'a>, symbol: &str) -> Result<Subject<'a>, Failure> {
    need_crate_names(cx, symbol)?;
    match cx.find_symbol(symbol) {
        Ok(found) => Ok(Subject::Symbols(found.symbols)),
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
) -> Result<Subject<'a>, Failure> {
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
        return Ok(Subject::File(file));
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
        Some(id) => Subject::Symbols(vec![Symbol { file: id, item }]),
        None => {
            file.around = Some(item);
            Subject::File(file)
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
    needs: &[Input::File],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
