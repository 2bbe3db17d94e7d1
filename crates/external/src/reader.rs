//! Files of any format in, declarations of all of them out.

use std::collections::BTreeMap;

use codecortex_text::decode;
use rustc_hash::FxHashMap;

use crate::circles::cut_circles;
use crate::files::{ExternalFile, files_of};
use crate::format::{DescriptionFormat, format_of};
use crate::type_description::DescribedDeclaration;
use crate::{binds_cache, debug_database, doc_headers, xml_documentation};

/// Larger files are not read: eight megabytes are all types of an engine.
const MAX_BYTES: usize = 64 << 20;
/// So many problems of a file are told one by one.
const MAX_PROBLEMS: usize = 20;

/// What files say together.
#[derive(Debug, Default)]
pub struct External {
    /// Declarations.
    pub files: Vec<ExternalFile>,
    /// The header in which each type is declared, as far as that is known; with `/`.
    pub headers: BTreeMap<String, String>,
    /// Whether scripts see each other without imports, where an engine says so.
    pub automatic_imports: Option<bool>,
    /// What could not be read: the file as answers show it, and a sentence without a capital and full stop.
    pub problems: Vec<(String, String)>,
}

/// Takes files in, one after the other.
#[derive(Debug, Default)]
pub struct ExternalReader {
    /// What is described, by what tells it from others: the last one counts.
    places: FxHashMap<(String, bool), usize>,
    types: Vec<(String, DescribedDeclaration)>,
    /// What counts only where nothing else describes it.
    fallback: Vec<(String, DescribedDeclaration)>,
    paths: Vec<(String, String)>,
    headers_by_path: FxHashMap<String, String>,
    external: External,
}

impl ExternalReader {
    /// A reader that has read nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a file; `origin` is its path as answers show it.
    pub fn add(&mut self, origin: &str, bytes: &[u8]) {
        let Some(format) = format_of(origin) else {
            self.problem(origin, "it is in no format that is known");
            return;
        };
        if bytes.len() > MAX_BYTES {
            self.problem(origin, "it is larger than 64 MB");
            return;
        }
        match format {
            DescriptionFormat::BindsCache => match binds_cache::read(bytes) {
                Some(binds) => {
                    let types = binds.types.into_iter();
                    self.fallback
                        .extend(types.map(|of| (origin.to_owned(), of)));
                    self.paths.extend(binds.paths);
                }
                None => self.problem(origin, "its layout is not known: none of it is used"),
            },
            DescriptionFormat::BindsHeaders => match binds_cache::read_headers(bytes) {
                Some(headers) => self.headers_by_path.extend(headers),
                None => self.problem(origin, "its layout is not known: none of it is used"),
            },
            DescriptionFormat::DebugDatabase
            | DescriptionFormat::DocHeader
            | DescriptionFormat::XmlDocumentation => {
                self.text(origin, format, bytes);
            }
            DescriptionFormat::Source => {
                let name = match origin.ends_with(".predefined") {
                    true => "x.as",
                    false => origin,
                };
                match ExternalFile::of_source(origin, name, bytes) {
                    Ok(mut file) => {
                        if name != origin {
                            file.ending = ".as";
                        }
                        self.external.files.push(file);
                    }
                    Err(why) => self.problem(origin, &format!("it cannot be read ({why})")),
                }
            }
        }
    }

    fn text(&mut self, origin: &str, format: DescriptionFormat, bytes: &[u8]) {
        let Ok(decoded) = decode(bytes) else {
            self.problem(origin, "it is not text");
            return;
        };
        if format == DescriptionFormat::DocHeader {
            for described in doc_headers::read(&decoded.text) {
                self.take(origin, described);
            }
            return;
        }
        if format == DescriptionFormat::XmlDocumentation {
            let documented = xml_documentation::read(&decoded.text);
            for problem in documented.problems {
                self.problem(origin, &problem);
            }
            for described in documented.types {
                self.take(origin, described);
            }
            return;
        }
        let database = debug_database::read(&decoded.text);
        if database.types.is_empty() && database.problems.is_empty() {
            self.problem(origin, "it has no types");
        }
        let more = database.problems.len().saturating_sub(MAX_PROBLEMS);
        for problem in database.problems.into_iter().take(MAX_PROBLEMS) {
            self.problem(origin, &problem);
        }
        if more > 0 {
            self.problem(origin, &format!("and {more} more"));
        }
        if database.automatic_imports.is_some() {
            self.external.automatic_imports = database.automatic_imports;
        }
        for described in database.types {
            self.take(origin, described);
        }
    }

    /// Notes that a file cannot be used.
    pub fn problem(&mut self, origin: &str, why: &str) {
        let problem = (origin.to_owned(), why.to_owned());
        self.external.problems.push(problem);
    }

    fn take(&mut self, origin: &str, described: DescribedDeclaration) {
        let of = (origin.to_owned(), described);
        match self.places.get(&of.1.key()) {
            Some(place) => self.types[*place] = of,
            None => {
                self.places.insert(of.1.key(), self.types.len());
                self.types.push(of);
            }
        }
    }

    /// What all of them say.
    #[must_use]
    pub fn finish(mut self) -> External {
        for (origin, described) in std::mem::take(&mut self.fallback) {
            if !self.places.contains_key(&described.key()) {
                self.take(&origin, described);
            }
        }
        for (name, path) in &self.paths {
            if let Some(header) = self.headers_by_path.get(path) {
                let header = header.replace('\\', "/");
                self.external.headers.insert(name.clone(), header);
            }
        }
        let problems = cut_circles(&mut self.types);
        self.external.problems.extend(problems);
        self.external.files.extend(files_of(&self.types));
        self.external
    }
}
