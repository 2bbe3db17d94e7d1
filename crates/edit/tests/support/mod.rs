//! Cases of edits as they are written down, and how they are run: `--- title`, `> wish`, files with `=== path`.
//!
//! `«name»` marks the place that is pointed at. What must come of it follows: `+++ path` with the text afterwards of each
//! changed file, `~~~` with a line for each place that stays, or `!!!` with the kind of refusal and its sentence.
//! `UPDATE_EXPECT=1` writes it down.

#![allow(dead_code, reason = "each test program uses a part")]

use std::fmt::Write as _;
use std::path::Path;

use codecortex_edit::{
    MeaningCheck, Refusal, RenameTexts, SourceChange, check_syntax, check_written,
};
use codecortex_resolve::{FileNo, LANGUAGES, Resolver, Workspace};
use codecortex_syntax::language::detect;
use codecortex_syntax::{Limits, Outcome, analyse, dialect};

/// A change with the files afterwards, or why there is none.
pub(crate) type EditOutcome = Result<(SourceChange, Vec<(String, String)>), Refusal>;

/// A case as it is written down.
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) wish: String,
    pub(crate) files: Vec<(String, String)>,
    pub(crate) place: Option<(FileNo, u32)>,
    /// The byte behind what is marked.
    pub(crate) end: u32,
    written: String,
    expected: String,
}

impl Case {
    /// The texts of all files by number.
    pub(crate) fn texts(&self) -> RenameTexts {
        let texts = self.files.iter().enumerate();
        texts
            .map(|(file, (_, text))| (file as FileNo, text.clone()))
            .collect()
    }
}

pub(crate) fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_expectation = false;
    for line in text.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("--- ") {
            is_expectation = false;
            cases.push(Case {
                title: title.trim().to_owned(),
                wish: String::new(),
                files: Vec::new(),
                place: None,
                end: 0,
                written: line.to_owned(),
                expected: String::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        is_expectation |= ["+++ ", "~~~", "!!! "]
            .iter()
            .any(|mark| line.starts_with(mark));
        if is_expectation {
            case.expected.push_str(line);
            continue;
        }
        case.written.push_str(line);
        if let Some(wish) = line.strip_prefix("> ") {
            case.wish = wish.trim_end_matches('\n').to_owned();
        } else if let Some(path) = line.strip_prefix("=== ") {
            case.files.push((path.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = case.files.last_mut() {
            text.push_str(line);
        }
    }
    for case in &mut cases {
        for (file, (_, text)) in case.files.iter_mut().enumerate() {
            // The empty line between two cases is no part of a file.
            *text = format!("{}\n", text.trim_end_matches('\n'));
            if let Some(at) = text.find('«') {
                case.place = Some((file as FileNo, at as u32));
                let end = text.find('»').map_or(at, |end| end - '«'.len_utf8());
                case.end = end as u32;
                *text = text.replace(['«', '»'], "");
            }
        }
    }
    cases
}

pub(crate) fn workspace(files: &[(String, String)]) -> Workspace {
    let mut workspace = Workspace::new(&LANGUAGES);
    for (number, (path, text)) in files.iter().enumerate() {
        put(&mut workspace, number as FileNo, path, text);
    }
    workspace
}

pub(crate) fn put(workspace: &mut Workspace, number: FileNo, path: &str, text: &str) {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    let Some(language) = detect(path, text) else {
        return; // a manifest
    };
    match analyse(path, text.as_bytes(), limits) {
        Outcome::Facts(facts) => {
            workspace.insert_encoded(number, path, dialect(language), facts.bindings.0);
        }
        other => panic!("{path}: {other:?}"),
    }
}

/// Plans a change, checks its result as the engine does, and gives the files afterwards.
pub(crate) fn checked(
    files: &[(String, String)],
    plan: impl FnOnce(&Resolver<'_>) -> Result<(SourceChange, [String; 2]), Refusal>,
) -> EditOutcome {
    let mut workspace = workspace(files);
    let (change, check) = {
        let resolver = Resolver::new(&workspace);
        let (change, names) = plan(&resolver)?;
        let names = [names[0].as_str(), names[1].as_str()];
        let check = MeaningCheck::new(&resolver, &change, names);
        (change, check)
    };
    let mut after = files.to_vec();
    for file in &change.files {
        let (path, text) = &mut after[file.file as usize];
        let before = std::mem::take(text);
        *text = file.apply(&before);
        check_syntax(path, file.file, &before, text)?;
        put(&mut workspace, file.file, path, text);
    }
    for new in &change.created {
        check_syntax(&new.path, new.file, "", &new.text)?;
        put(&mut workspace, new.file, &new.path, &new.text);
        after.push((new.path.clone(), new.text.clone()));
    }
    check.verify(&workspace)?;
    check_written(&change, &workspace)?;
    Ok((change, after))
}

fn outcome(case: &Case, run: &dyn Fn(&Case) -> EditOutcome) -> String {
    let mut out = String::new();
    let (change, after) = match run(case) {
        Ok(done) => done,
        Err(refusal) => {
            writeln!(out, "!!! {:?}: {}", refusal.kind, refusal.message).unwrap();
            for place in &refusal.places {
                let Some((path, text)) = case.files.get(place.file as usize) else {
                    continue;
                };
                writeln!(out, "    {}", shown(path, text, place.at)).unwrap();
            }
            return out;
        }
    };
    for (number, (path, text)) in after.iter().enumerate() {
        let before = case.files.get(number).map(|(_, text)| text);
        if before != Some(text) {
            writeln!(out, "+++ {path}\n{}", text.trim_end_matches('\n')).unwrap();
        }
    }
    if !change.not_touched.is_empty() {
        out.push_str("~~~\n");
    }
    for stays in &change.not_touched {
        let (path, text) = &case.files[stays.file as usize];
        let place = shown(path, text, stays.at);
        writeln!(out, "    {place} {:?}", stays.reason).unwrap();
    }
    for note in &change.notes {
        writeln!(out, "~~~ {note}").unwrap();
    }
    out
}

fn shown(path: &str, text: &str, at: u32) -> String {
    let before = text.get(..at as usize).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    format!("{path}:{line}:{column}")
}

/// Runs the cases of a file of fixtures; there must be so many at least.
pub(crate) fn run_cases(name: &str, least: usize, run: &dyn Fn(&Case) -> EditOutcome) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{name}.txt"));
    let text = std::fs::read_to_string(&path).unwrap();
    let cases = cases(&text);
    let only = std::env::var("CASE").unwrap_or_default();
    let (mut wrong, mut rewritten) = (String::new(), String::new());
    for case in &cases {
        let expected = case.expected.trim_end();
        let found = match case.title.contains(&only) {
            true => outcome(case, run),
            false => case.expected.clone(),
        };
        let found = found.trim_end();
        if found != expected {
            let title = &case.title;
            write!(
                wrong,
                "--- {title}\nexpected:\n{expected}\nfound:\n{found}\n"
            )
            .unwrap();
        }
        let written = case.written.trim_end();
        write!(rewritten, "{written}\n{found}\n\n").unwrap();
    }
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(&path, format!("{}\n", rewritten.trim_end())).unwrap();
        return;
    }
    println!("{name}: {} cases", cases.len());
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases.len() >= least, "{} cases", cases.len());
}
