//! The subcommands, one file each.

pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod context;
pub(crate) mod describe;
pub(crate) mod doctor;
pub(crate) mod graph;
pub(crate) mod hook;
pub(crate) mod index;
pub(crate) mod inspect;
pub(crate) mod install;
pub(crate) mod investigate;
pub(crate) mod man;
pub(crate) mod map;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod outline;
pub(crate) mod pack;
pub(crate) mod payload;
pub(crate) mod refactor;
pub(crate) mod replay;
pub(crate) mod review;
pub(crate) mod scip;
pub(crate) mod search;
pub(crate) mod semantic;
pub(crate) mod settings;
pub(crate) mod tools;
pub(crate) mod window;

use std::path::{Path, PathBuf};

use codecortex_engine::Tokenizer;
use codecortex_engine::protocol::{Answer, Caller, Config, Root};
use codecortex_host::{HostWorkspace, Options, resolve_roots};
use serde_json::{Map, Value, json};

use crate::args::{AnswerArgs, EditArgs, ShowArgs, TokenizerArg, WorkspaceArgs};
use crate::failure::Failure;
use crate::{output, progress};

impl WorkspaceArgs {
    /// The workspace that the arguments name, not looked at yet.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let here = [PathBuf::from(".")];
        let roots = match self.roots.as_slice() {
            [] => here.as_slice(),
            roots => roots,
        };
        if self.roots.is_empty()
            && let Some(repository) = repository_around(Path::new("."))
        {
            let repository = repository.display();
            output::warn(&format!(
                "only the current folder is looked at; `--root {repository}` is the whole repository"
            ));
        }
        Ok(self.options_with(resolve_roots(roots)?))
    }

    /// The same with folders that somebody else names.
    pub(crate) fn options_with(&self, roots: Vec<Root>) -> Options {
        let config = Config::default();
        Options {
            roots,
            config: Config {
                memory_ceiling_mb: self.memory_ceiling,
                max_file_size: self.max_file_size.unwrap_or(config.max_file_size),
                max_file_size_holds: self.max_file_size.is_some(),
                exclude_generated: config.exclude_generated && !self.include_generated,
                exclude_generated_holds: self.include_generated,
                tokenizer: match self.tokenizer {
                    TokenizerArg::Approx => Tokenizer::Approx,
                    TokenizerArg::O200kBase => Tokenizer::O200kBase,
                },
                telemetry: !self.no_telemetry,
                ..config
            },
            threads: self.threads.map(usize::from),
            no_cache: self.no_cache,
            trust_contexts: self.trust_context,
            ..Options::default()
        }
    }

    /// The same for a command by which a person has something kept: whose `.context/` this is, is said with it.
    pub(crate) fn keeping_options(&self) -> Result<Options, Failure> {
        Ok(Options {
            trust_contexts: true,
            ..self.options()?
        })
    }

    /// The same for a command that calls tools by their names.
    pub(crate) fn options_of_calls(&self, edits: &EditArgs) -> Result<Options, Failure> {
        let mut options = self.options()?;
        options.config.edit_hidden = edits.edit_hidden;
        Ok(options)
    }

    /// The workspace, wholly indexed.
    pub(crate) fn open(&self) -> Result<HostWorkspace, Failure> {
        Ok(ready(self.options()?))
    }
}

/// The repository that a folder is a part of; none where it is one, or has a `.context/` of its own.
fn repository_around(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    if folder.join(".context").is_dir() {
        return None;
    }
    let around = folder
        .ancestors()
        .find(|folder| folder.join(".git").exists())?;
    (around != folder).then(|| around.to_owned())
}

/// A workspace, wholly indexed; a person is told how far it is.
fn ready(options: Options) -> HostWorkspace {
    let mut workspace = HostWorkspace::open(options);
    progress::show(&mut workspace);
    workspace.run_until_ready();
    workspace
}

impl AnswerArgs {
    /// Puts what the command line says into a call's arguments; what the call says itself wins.
    pub(crate) fn complete(&self, args: &mut Value) {
        if args.is_null() {
            *args = json!({});
        }
        let Some(args) = args.as_object_mut() else {
            return; // the tool says what is wrong with it
        };
        if let Some(tokens) = self.max_tokens {
            args.entry("maxTokens").or_insert(tokens.into());
        }
        if let Some(format) = self.format {
            args.entry("format").or_insert(format.as_str().into());
        }
    }
}

/// Calls a tool for a person: text unless JSON was asked for.
fn show(
    workspace: &WorkspaceArgs,
    show: &ShowArgs,
    tool: &str,
    mut args: Map<String, Value>,
) -> Result<i32, Failure> {
    names::read_places(&mut args);
    let format = if show.json { "json" } else { "text" };
    args.insert("format".to_owned(), format.into());
    if let Some(cursor) = &show.cursor {
        args.insert("cursor".to_owned(), cursor.as_str().into());
    }
    if let Some(tokens) = show.max_tokens {
        args.insert("maxTokens".to_owned(), tokens.into());
    }
    let mut workspace = workspace.open()?;
    let answer = workspace.call(tool, Value::Object(args), Caller::default());
    finish(workspace, &answer)
}

/// The arguments of every tool as the command line says them: text unless JSON was asked for.
fn shown(show: &ShowArgs, mut args: Map<String, Value>) -> Value {
    names::read_places(&mut args);
    let format = if show.json { "json" } else { "text" };
    args.insert("format".to_owned(), format.into());
    if let Some(tokens) = show.max_tokens {
        args.insert("maxTokens".to_owned(), tokens.into());
    }
    Value::Object(args)
}

/// Calls a tool that puts something into `.context/`, which is made where it is not there.
fn keep(workspace: &WorkspaceArgs, tool: &str, args: Value) -> Result<i32, Failure> {
    let mut workspace = ready(workspace.keeping_options()?);
    let answer = workspace.call(tool, args, Caller::default());
    finish(workspace, &answer)
}

/// Has `.context/` made where it is not there.
fn make_folders(workspace: &mut HostWorkspace) {
    let mut is_made = false;
    for root in 0..workspace.roots().len() as u32 {
        let folder = PathBuf::from(&workspace.roots()[root as usize].path).join(".context");
        if !folder.is_dir() {
            workspace.keep_context(root);
            is_made = true;
        }
    }
    if is_made {
        workspace.update_contexts();
        // No watcher tells of the folder.
        workspace.refresh();
    }
}

/// Prints an answer, then keeps what was found out for the next time.
fn finish(mut workspace: HostWorkspace, answer: &Answer) -> Result<i32, Failure> {
    let code = output::print_answer(answer)?;
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(code)
}
