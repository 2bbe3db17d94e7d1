//! What is described, as files of declarations with facts.

use codecortex_syntax::{Bound, Facts, Language, Limits, Outcome, analyse};

use crate::csharp;
use crate::type_description::{DescribedDeclaration, LineCount};

/// So many bytes of declarations share a file: one for each type costs more memory than what it says.
const FILE_BYTES: usize = 48 * 1024;

/// What a hierarchy calls where declarations come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescriptionOrigin {
    /// An engine written in C++ that says what scripts see of it.
    Cpp,
    /// Anything else.
    External,
}

impl DescriptionOrigin {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cpp => "cpp",
            Self::External => "external",
        }
    }
}

/// Declarations from outside of the workspace.
#[derive(Clone, Debug)]
pub struct ExternalFile {
    /// The file that describes them, as answers show it.
    pub origin: String,
    /// What tells it from others of the same origin; 0 where it is the origin itself.
    pub number: u32,
    /// Its ending says what language `facts` are of.
    pub ending: &'static str,
    /// Where declarations come from.
    pub source: DescriptionOrigin,
    /// What it declares.
    pub facts: Facts,
    /// Lines of the facts that begin a declaration, with the line of the origin; both from 0. Empty where they are the
    /// same.
    lines: Vec<(u32, u32)>,
}

impl ExternalFile {
    /// A file whose text is source, called `name` to tell its language.
    ///
    /// # Errors
    /// Why it cannot be read, in a word.
    pub fn of_source(origin: &str, name: &str, bytes: &[u8]) -> Result<Self, String> {
        let source = DescriptionOrigin::External;
        match analyse(name, bytes, LIMITS) {
            Outcome::Facts(facts) | Outcome::Names(facts) => Ok(Self {
                origin: origin.to_owned(),
                number: 0,
                ending: "",
                source,
                facts,
                lines: Vec::new(),
            }),
            Outcome::Skipped(reason) => Err(reason.as_str().to_owned()),
        }
    }

    /// What it declares, and where that is described.
    #[must_use]
    pub fn into_parts(self) -> (Facts, DeclarationOrigin) {
        let origin = DeclarationOrigin {
            path: self.origin,
            number: self.number,
            source: self.source,
            lines: self.lines.into(),
        };
        (self.facts, origin)
    }
}

/// Where declarations are described.
#[derive(Clone, Debug)]
pub struct DeclarationOrigin {
    /// The file, as answers show it.
    pub path: String,
    /// What tells declarations from others of the same file; 0 where they are the file itself.
    pub number: u32,
    /// Where declarations come from.
    pub source: DescriptionOrigin,
    lines: Box<[(u32, u32)]>,
}

impl DeclarationOrigin {
    /// Whether facts are of the file itself, so that their places are its places.
    #[must_use]
    pub fn is_itself(&self) -> bool {
        self.number == 0
    }

    /// The line on which something is described, both from 0.
    #[must_use]
    pub fn line(&self, line: u32) -> u32 {
        let behind = self.lines.partition_point(|(begin, _)| *begin <= line);
        match behind.checked_sub(1).and_then(|at| self.lines.get(at)) {
            Some((_, origin)) => *origin,
            None => line,
        }
    }

    /// Bytes that it holds, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.path.len() + 8 * self.lines.len()
    }
}

/// What describes engines is written by programs, and large.
const LIMITS: Limits = Limits {
    max_file_size: u32::MAX - 1,
    exclude_generated: false,
};

/// Puts what is described into files, each of one origin.
pub(crate) fn files_of(all: &[(String, DescribedDeclaration)]) -> Vec<ExternalFile> {
    let mut files = DescribedFiles::default();
    for (origin, described) in all {
        if described.is_writable() {
            files.add(origin, described);
        }
    }
    files.close();
    files.done
}

#[derive(Default)]
struct DescribedFiles<'d> {
    done: Vec<ExternalFile>,
    text: String,
    count: LineCount,
    lines: Vec<(u32, u32)>,
    /// The origin of what is open, its language, and whether that language makes it over other types.
    of: Option<(&'d str, Language, bool)>,
}

impl<'d> DescribedFiles<'d> {
    fn add(&mut self, origin: &'d str, described: &DescribedDeclaration) {
        let is_script = described.language == Language::AngelScript;
        let is_template = is_script && !described.parameters.is_empty();
        let of = (origin, described.language, is_template);
        if self.of != Some(of) || self.text.len() >= FILE_BYTES {
            self.close();
            self.of = Some(of);
        }
        described.write(&mut self.text, &mut self.count, &mut self.lines);
    }

    fn close(&mut self) {
        let (text, lines) = (
            std::mem::take(&mut self.text),
            std::mem::take(&mut self.lines),
        );
        self.count = LineCount::default();
        let Some((origin, language, is_template)) = self.of.take() else {
            return;
        };
        let (ending, source) = match language {
            Language::CSharp => (".cs", DescriptionOrigin::External),
            _ => (".as", DescriptionOrigin::Cpp),
        };
        let name = format!("x{ending}");
        let Outcome::Facts(mut facts) = analyse(&name, text.as_bytes(), LIMITS) else {
            return;
        };
        if language == Language::CSharp {
            for item in 0..facts.items.len() {
                let signature = csharp::without_unsaid(facts.str(facts.items[item].signature));
                facts.set_signature(item, &signature);
            }
        }
        // Nobody hashes them.
        facts.layers = Vec::new();
        if is_template {
            // What a type with parameters gives, the tables of its language know better.
            facts.bindings = Bound(Vec::new().into());
        }
        self.done.push(ExternalFile {
            origin: origin.to_owned(),
            number: self.done.len() as u32 + 1,
            ending,
            source,
            facts,
            lines,
        });
    }
}
