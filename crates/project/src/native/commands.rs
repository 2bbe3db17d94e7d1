//! A list of compile commands, read entry by entry: such lists are large.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, SeqAccess, Visitor};

use crate::model::IncludeKind;
use crate::source::{ManifestSource, ProblemKind, SourcePosition};

/// The commands, with equal sets of flags kept once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Commands {
    pub(crate) sets: Vec<Set>,
    pub(crate) entries: Vec<CompileEntry>,
}

/// Flags that decide where names come from, and the folder they are relative to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Set {
    pub(crate) directory: String,
    pub(crate) include: Vec<(Option<IncludeKind>, String)>,
    pub(crate) defines: Vec<String>,
}

/// A compiled file and the number of its set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompileEntry {
    pub(crate) file: String,
    pub(crate) set: u32,
}

/// An entry as written.
#[derive(Debug, Deserialize)]
struct CompileCommand {
    #[serde(default)]
    directory: String,
    file: String,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
}

/// One entry: usable, or something else that is passed over.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum ListedCommand {
    Command(CompileCommand),
    Other(IgnoredAny),
}

/// Reads the list up to where it stops to parse.
pub(crate) fn read_commands(source: &mut ManifestSource<'_>) -> Commands {
    let mut collector = CommandCollector::default();
    let mut reader = serde_json::Deserializer::from_str(source.text);
    if let Err(error) = collector.deserialize(&mut reader) {
        let at = SourcePosition {
            line: error.line() as u32,
            column: (error.column() as u32).max(1),
        };
        let text = error.to_string();
        let sentence = text.split(" at line ").next().unwrap_or(&text);
        let message = format!("This is not a list of commands: {sentence}.");
        source.problem_at(at, ProblemKind::Syntax, message);
    }
    if collector.unusable > 0 {
        let message = format!("{} entries have no file.", collector.unusable);
        source.problem_at(SourcePosition::default(), ProblemKind::Value, message);
    }
    Commands {
        sets: collector.sets,
        entries: collector.entries,
    }
}

#[derive(Default)]
struct CommandCollector {
    sets: Vec<Set>,
    numbers: FxHashMap<Set, u32>,
    entries: Vec<CompileEntry>,
    unusable: usize,
}

impl<'de> DeserializeSeed<'de> for &mut CommandCollector {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut CommandCollector {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(listed) = list.next_element::<ListedCommand>()? {
            match listed {
                ListedCommand::Command(command) => self.add(command),
                ListedCommand::Other(_) => self.unusable += 1,
            }
        }
        Ok(())
    }
}

impl CommandCollector {
    fn add(&mut self, command: CompileCommand) {
        let arguments = match (command.arguments, &command.command) {
            (Some(arguments), _) => arguments,
            (None, Some(line)) => split(line),
            (None, None) => Vec::new(),
        };
        let set = set(command.directory, &arguments);
        let number = match self.numbers.get(&set) {
            Some(number) => *number,
            None => {
                let number = self.sets.len() as u32;
                self.sets.push(set.clone());
                self.numbers.insert(set, number);
                number
            }
        };
        self.entries.push(CompileEntry {
            file: command.file,
            set: number,
        });
    }
}

/// Splits as a shell does; a line with Windows paths keeps its backslashes.
fn split(line: &str) -> Vec<String> {
    let windows = line.contains(":\\") || line.contains(".exe");
    if !windows && let Some(words) = shlex::split(line) {
        return words;
    }
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    let mut begun = false;
    for character in line.chars() {
        match character {
            '"' => {
                // `\"` is a quote of the value: -DNAME=\"text\".
                if word.ends_with('\\') {
                    word.pop();
                    word.push('"');
                } else {
                    quoted = !quoted;
                }
                begun = true;
            }
            c if c.is_whitespace() && !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            c => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

#[derive(Clone, Copy, Debug)]
enum Flag {
    Include(Option<IncludeKind>),
    Define,
    Undefine,
}

/// Flags whose value follows at once or as the next argument; the longer ones first.
const FLAGS: &[(&str, Flag)] = &[
    ("--include-directory=", Flag::Include(None)),
    ("-isystem", Flag::Include(Some(IncludeKind::System))),
    ("-iquote", Flag::Include(Some(IncludeKind::Quote))),
    ("-idirafter", Flag::Include(Some(IncludeKind::System))),
    ("-imsvc", Flag::Include(Some(IncludeKind::System))),
    ("-external:I", Flag::Include(Some(IncludeKind::System))),
    ("/external:I", Flag::Include(Some(IncludeKind::System))),
    ("-I", Flag::Include(None)),
    ("/I", Flag::Include(None)),
    ("-D", Flag::Define),
    ("/D", Flag::Define),
    ("-U", Flag::Undefine),
    ("/U", Flag::Undefine),
];

fn set(directory: String, arguments: &[String]) -> Set {
    let mut set = Set {
        directory,
        ..Set::default()
    };
    let windows = arguments.first().is_some_and(|program| {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let name = name.to_lowercase();
        let stem = name.strip_suffix(".exe").unwrap_or(&name);
        stem == "cl" || stem.contains("clang-cl")
    });
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        let known = FLAGS.iter().find(|(name, _)| {
            // `/Data/x.c` is a file unless the compiler is Microsoft's.
            argument.starts_with(name) && (windows || !name.starts_with('/'))
        });
        let Some((name, flag)) = known else { continue };
        let value = match &argument[name.len()..] {
            "" => rest.next().map_or("", String::as_str),
            value => value,
        };
        if value.is_empty() {
            continue;
        }
        match flag {
            Flag::Include(only) => set.include.push((*only, value.to_owned())),
            Flag::Define => set.defines.push(value.to_owned()),
            Flag::Undefine => set
                .defines
                .retain(|define| define.split('=').next() != Some(value)),
        }
    }
    set
}
