//! `editor_members`: the members of what stands before a dot, while its name is being typed.
//!
//! Without a name behind the dot the text is not code. The question is asked of the same text with a name there, whose
//! bindings take the place of the file's for as long as it is looked at.

use codecortex_analysis::changed_names::{EditedText, with_edited_files};
use codecortex_analysis::place::ResolvedSymbol;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::args::{check_text, parse};
use codecortex_answer::reply::Reply;
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver, Workspace};
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::editor::question::{PlaceArgs, QUESTION};
use crate::tools::members;
use crate::tools::schema::schema_of;
use crate::tools::tool::Tool;

/// What stands between a value and its member, the longest first.
const ACCESSES: [&str; 5] = ["?.", "->", "::", "!.", "."];
/// Names that make code of the text; the second one ends its statement.
const STAND_INS: [&str; 2] = ["cortexMember", "cortexMember;"];

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: PlaceArgs = parse(args)?;
    check_text("filePath", &args.file_path)?;
    let place = |cx: &Invocation<'_>| cx.byte_at(&args.file_path, args.position);
    let (file, byte) = cx.look(place).await?;
    let found = cx.look(|cx| receiver(cx, file, byte)).await?;
    let found = found.ok_or_else(|| {
        ToolError::new(
            ErrorCode::SymbolNotFound,
            "Nothing with a known type stands before the place.",
        )
    })?;
    members::members_of(cx, found, args.cursor.as_deref()).await
}

/// The type of what stands before the member that is typed at a byte.
fn receiver(
    cx: &Invocation<'_>,
    file: FileNo,
    byte: u32,
) -> Result<Option<(Symbol, ResolvedSymbol)>, Failure> {
    let text = cx.text_of_file(FileId(file))?.snapshot.text.text();
    let Some(member) = Member::typed(&text, byte as usize) else {
        return Ok(None);
    };
    let place = match member.is_named {
        true => place_of_receiver(cx.names().workspace(), file, member.start),
        false => STAND_INS.iter().find_map(|stand_in| {
            let (before, after) = text.split_at(member.start);
            let edited = EditedText::changed(file, format!("{before}{stand_in}{after}"));
            let place = with_edited_files(cx.code, &[edited], |seen| {
                place_of_receiver(seen, file, member.start)
            });
            place.map(|(of, at)| match of == file && at as usize >= member.start {
                true => (of, at - stand_in.len() as u32),
                false => (of, at),
            })
        }),
    };
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let def = place.and_then(|(file, at)| query.definition_at(file, at));
    let symbol = def.and_then(|def| cx.symbol_of(&query, def));
    Ok(symbol.and_then(|symbol| Some((symbol, resolved_symbol(cx, symbol)?))))
}

/// Where the type is declared in which the member at a byte is looked up.
fn place_of_receiver(seen: &Workspace, file: FileNo, member: usize) -> Option<(FileNo, u32)> {
    let query = Resolver::new(seen);
    let (used, _) = query.at(file, member as u32);
    let of: DefRef = query.receiver_type(ExprRef { file, expr: used? })?;
    Some((of.file, query.place(of)?))
}

/// A member that is being typed.
#[derive(Debug, PartialEq, Eq)]
struct Member {
    /// Byte where its name begins, or will.
    start: usize,
    /// Whether some of its name is there.
    is_named: bool,
}

impl Member {
    /// The member at a byte; none where no access stands before it.
    fn typed(text: &str, byte: usize) -> Option<Self> {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let before = text.get(..byte)?;
        let start = before.trim_end_matches(is_part).len();
        let rest = text.get(start..)?;
        let is_named = rest.starts_with(is_part);
        let receiver = ACCESSES.iter().find_map(|access| {
            let receiver = text.get(..start)?.strip_suffix(access)?;
            Some(receiver)
        })?;
        // Behind a number a dot begins its fraction, behind a dot a range.
        let word = receiver.trim_end_matches(is_part).len();
        let is_number = receiver[word..].starts_with(|first: char| first.is_ascii_digit());
        (!is_number && !receiver.ends_with('.')).then_some(Self { start, is_named })
    }
}

/// The row of `editor_members`.
pub(super) const TOOL: Tool = Tool {
    name: "editor_members",
    reference_name: "editorMembers",
    title: "Members at a place",
    description: "List the members of what stands before a dot.",
    schema: schema_of::<PlaceArgs>,
    output: members::TOOL.output,
    handler: |cx, args| boxed_reply(handle(cx, args)),
    ..QUESTION
};

#[cfg(test)]
mod tests {
    use super::Member;

    #[test]
    fn a_member_is_what_is_typed_behind_an_access() {
        let typed = |text: &str| {
            let byte = text.find('|').unwrap();
            Member::typed(&text.replace('|', ""), byte)
        };
        let member = |start, is_named| Some(Member { start, is_named });
        assert_eq!(typed("a.|"), member(2, false));
        assert_eq!(typed("a.b|"), member(2, true));
        assert_eq!(typed("a.|b"), member(2, true));
        assert_eq!(typed("a?.|"), member(3, false));
        assert_eq!(typed("a->|"), member(3, false));
        assert_eq!(typed("A::|"), member(3, false));
        assert_eq!(typed("f(x)\n  .|"), member(8, false));
        for none in ["a|", "1.|", "0..|", "|", "a. |"] {
            assert_eq!(typed(none), None, "{none}");
        }
    }
}
