//! What a person types about edits that keep the meaning of code.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use super::{EditArgs, WorkspaceArgs};

#[derive(Debug, Args)]
#[command(
    after_help = "Without --apply the plan is printed and nothing is changed. Exit code 1: refused, and nothing was changed.

  codecortex rename src/app.ts:12:9 total
  codecortex rename NodeStore.Add Insert --apply
  codecortex rename NodeStore.Add Insert --text=comment,document"
)]
pub(crate) struct RenameArgs {
    /// A symbol such as `NodeStore.Add`, or a place where it is named
    #[arg(value_name = "SYMBOL|FILE:LINE:CHARACTER", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: String,
    /// The name afterwards
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) new_name: String,
    #[command(flatten)]
    pub(crate) texts: TextArgs,
    /// Leave uses whose receiver cannot be typed, and list them; they are a refusal otherwise
    #[arg(long)]
    pub(crate) leave_unsure: bool,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

/// Which texts change too.
#[derive(Debug, Args)]
pub(crate) struct TextArgs {
    /// Change words in texts too that are spelled like the name, listed apart; all kinds where none is given
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        num_args = 0..,
        require_equals = true,
        value_delimiter = ',',
        default_missing_values = ["comment", "string", "document"],
        action = clap::ArgAction::Append
    )]
    pub(crate) text: Vec<TextArg>,
}

/// Texts that nothing resolves.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TextArg {
    /// Comments of code
    Comment,
    /// Strings of code
    String,
    /// Markdown and other files of prose
    Document,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --apply the plan is printed and nothing is changed. Exit code 1: refused, and nothing was changed.
An import whose use cannot be excluded stays. A file without an order of its own gets none.

  codecortex organise-imports src/app.ts
  codecortex organise-imports src/app.ts --apply"
)]
pub(crate) struct OrganiseImportsArgs {
    /// The file
    #[arg(value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Each line is a JSON object with the arguments of codecortex_refactor; a step sees what those before it do.
Refusal of a step names it, and nothing is changed. One undo takes all steps back.

  codecortex batch-edit steps.jsonl
  echo '{\"action\":\"rename\",\"symbol\":\"NodeStore.Add\",\"newName\":\"Insert\"}' | codecortex batch-edit --apply"
)]
pub(crate) struct BatchEditArgs {
    /// The file of the steps; stdin where it is `-` or not given
    #[arg(value_name = "FILE")]
    pub(crate) steps: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The last ten edits are kept. Files that are not as the edit left them are a refusal.

  codecortex undo --list
  codecortex undo --apply"
)]
pub(crate) struct UndoArgs {
    /// List the edits that can be taken back, the newest first
    #[arg(long, conflicts_with = "apply")]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The code is read from stdin where --code is not given. `outline --form source --json` gives the hash.

  codecortex replace-body NodeStore.Add --code 'return items.Count;'
  codecortex replace-body NodeStore.Add --hash 0123456789abcdef --apply < body.txt"
)]
pub(crate) struct ReplaceArgs {
    #[command(flatten)]
    pub(crate) declaration: DeclarationArgs,
    #[command(flatten)]
    pub(crate) code: CodeArgs,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "The code is read from stdin where --code is not given.

  codecortex insert NodeStore.Add --after --apply < method.txt")]
pub(crate) struct InsertArgs {
    #[command(flatten)]
    pub(crate) declaration: DeclarationArgs,
    /// Above the declaration and its documentation
    #[arg(long, conflicts_with = "after", required_unless_present = "after")]
    pub(crate) before: bool,
    /// Below the declaration
    #[arg(long)]
    pub(crate) after: bool,
    #[command(flatten)]
    pub(crate) code: CodeArgs,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Uses are a refusal that lists them. Documentation and attributes go with the declaration.

  codecortex safe-delete NodeStore.Add --apply"
)]
pub(crate) struct SafeDeleteArgs {
    #[command(flatten)]
    pub(crate) declaration: DeclarationArgs,
    /// Delete although uses whose receiver cannot be typed may mean it, and list them
    #[arg(long)]
    pub(crate) leave_unsure: bool,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

/// Which declaration an edit is about.
#[derive(Debug, Args)]
pub(crate) struct DeclarationArgs {
    /// A symbol such as `NodeStore.Add`, or a place in it
    #[arg(value_name = "SYMBOL|FILE:LINE:CHARACTER", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: String,
    /// Refuse a declaration that is another text than the one with this hash
    #[arg(long, value_name = "HASH")]
    pub(crate) hash: Option<String>,
}

/// The code that an edit writes.
#[derive(Debug, Args)]
pub(crate) struct CodeArgs {
    /// The code; it is indented as its place
    #[arg(long, value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,
    /// Write code that does not parse
    #[arg(long)]
    pub(crate) force: bool,
}

/// What every edit takes.
#[derive(Debug, Args)]
pub(crate) struct RefactorOptions {
    /// Change the files, all or none
    #[arg(long)]
    pub(crate) apply: bool,
    /// Print the envelope instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// The most tokens the answer may cost, as characters / 4
    #[arg(long, alias = "budget", value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
    #[command(flatten)]
    pub(crate) edits: EditArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --apply the plan is printed and nothing is changed. Exit code 1: refused, and nothing was changed.
Places of parameters count from 0, without the receiver.

  codecortex change-signature src/app.ts:12:9 --add depth:number=0
  codecortex change-signature NodeStore.Add --remove 1 --apply
  codecortex change-signature NodeStore.Add --move 0:2 --apply"
)]
#[group(id = "change", required = true, multiple = false, args = ["add", "remove", "move_parameter"])]
pub(crate) struct ChangeSignatureArgs {
    /// A function such as `NodeStore.Add`, or a place where it is named
    #[arg(value_name = "SYMBOL|FILE:LINE:CHARACTER", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: String,
    /// Add a parameter; every call gives the argument
    #[arg(long, value_name = "NAME:TYPE=ARGUMENT", allow_hyphen_values = true)]
    pub(crate) add: Option<String>,
    /// Remove the parameter of this place
    #[arg(long, value_name = "PLACE")]
    pub(crate) remove: Option<u32>,
    /// Move the parameter of the first place to the second
    #[arg(long = "move", value_name = "FROM:TO")]
    pub(crate) move_parameter: Option<String>,
    /// Leave uses whose receiver cannot be typed, and list them; they are a refusal otherwise
    #[arg(long)]
    pub(crate) leave_unsure: bool,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --apply the plan is printed and nothing is changed. Exit code 1: refused, and nothing was changed.

  codecortex move src/app.ts:12:14 src/store/memory.ts
  codecortex move pkg.base.User pkg/user.py --re-export --apply"
)]
pub(crate) struct MoveArgs {
    /// A declaration at the top of a file, such as `NodeStore`, or a place where it is named
    #[arg(value_name = "SYMBOL|FILE:LINE:CHARACTER", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: String,
    /// The file that it moves to, new or there, below the workspace folder
    #[arg(value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) new_path: String,
    /// Give it out from the old file again; importers stay as they are
    #[arg(long)]
    pub(crate) re_export: bool,
    #[command(flatten)]
    pub(crate) texts: TextArgs,
    /// Leave uses whose receiver cannot be typed, and list them; they are a refusal otherwise
    #[arg(long)]
    pub(crate) leave_unsure: bool,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --apply the plan is printed and nothing is changed. Exit code 1: refused, and nothing was changed.
Lines and characters count from 1; the end is exclusive.

  codecortex extract-variable src/app.ts:12:9-12:24 total
  codecortex extract-method src/app.ts:12:5-15:18 readTotal --apply"
)]
pub(crate) struct ExtractArgs {
    /// The selected code
    #[arg(value_name = "FILE:LINE:CHARACTER-LINE:CHARACTER", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) selection: String,
    /// The new name
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --apply the plan is printed and nothing is changed. Exit code 1: refused, and nothing was changed.
A declaration is inlined at all of its uses and goes; a call is inlined alone.

  codecortex inline src/app.ts:12:9
  codecortex inline src/app.ts:40:12 --apply"
)]
pub(crate) struct InlineArgs {
    /// A variable or function, or a place where it is named
    #[arg(value_name = "SYMBOL|FILE:LINE:CHARACTER", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) options: RefactorOptions,
}
