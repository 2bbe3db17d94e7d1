//! Renames case by case: `fixtures/*.txt`.
//!
//! A case begins with `--- title`, then `> new name`, then its files with `=== path`. `«name»` marks the place that
//! is pointed at. What must come of it follows: `+++ path` with the text afterwards of each changed file, `~~~` with a line
//! for each place that stays, or `!!!` with the kind of refusal and its sentence. `UPDATE_EXPECT=1` writes it down.
//!
//! Renaming back gives the same bytes; where one word became two, `<<< path` shows what it gives.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

use std::fmt::Write as _;
use std::path::Path;

use codecortex_edit::{
    LocatedEdit, MeaningCheck, Refusal, Rename, RenameOptions, RenameTexts, SourceChange,
};
use codecortex_resolve::{FileNo, LANGUAGES, Resolver, Workspace};
use codecortex_syntax::language::detect;
use codecortex_syntax::{Limits, Outcome, analyse, dialect};

/// A case as it is written down.
struct Case {
    title: String,
    new: String,
    files: Vec<(String, String)>,
    place: Option<(FileNo, u32)>,
    written: String,
    expected: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_expectation = false;
    for line in text.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("--- ") {
            is_expectation = false;
            cases.push(Case {
                title: title.trim().to_owned(),
                new: String::new(),
                files: Vec::new(),
                place: None,
                written: line.to_owned(),
                expected: String::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        is_expectation |= ["+++ ", "~~~", "!!! ", "<<< "]
            .iter()
            .any(|mark| line.starts_with(mark));
        if is_expectation {
            case.expected.push_str(line);
            continue;
        }
        case.written.push_str(line);
        if let Some(new) = line.strip_prefix("> ") {
            case.new = new.trim_end_matches('\n').to_owned();
        } else if let Some(path) = line.strip_prefix("=== ") {
            case.files.push((path.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = case.files.last_mut() {
            text.push_str(line);
        }
    }
    for case in &mut cases {
        for (file, (_, text)) in case.files.iter_mut().enumerate() {
            if let Some(at) = text.find('«') {
                case.place = Some((file as FileNo, at as u32));
                *text = text.replace(['«', '»'], "");
            }
        }
    }
    cases
}

fn workspace(files: &[(String, String)]) -> Workspace {
    let mut workspace = Workspace::new(&LANGUAGES);
    for (number, (path, text)) in files.iter().enumerate() {
        put(&mut workspace, number as FileNo, path, text);
    }
    workspace
}

fn put(workspace: &mut Workspace, number: FileNo, path: &str, text: &str) {
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

/// Behind a wish: words of comments and strings change too.
const WITH_TEXTS: &str = " --text";

/// A rename that is made: the change, and the files afterwards.
type Renamed = (SourceChange, Vec<(String, String)>);

fn rename(files: &[(String, String)], place: (FileNo, u32), new: &str) -> Result<Renamed, Refusal> {
    let mut workspace = workspace(files);
    let (change, check, after) = {
        let resolver = Resolver::new(&workspace);
        let plain = new.strip_suffix(WITH_TEXTS);
        let options = RenameOptions {
            comments: plain.is_some(),
            strings: plain.is_some(),
            ..RenameOptions::default()
        };
        let rename = Rename::at_place(&resolver, place, plain.unwrap_or(new), options)?;
        let all: Vec<FileNo> = (0..files.len() as FileNo).collect();
        let read = match plain.is_some() && !rename.is_local() {
            true => &all,
            false => rename.files(),
        };
        let texts: RenameTexts = read
            .iter()
            .map(|file| (*file, files[*file as usize].1.clone()))
            .collect();
        let change = rename.plan(&resolver, &texts)?;
        let names = [rename.old_name(), rename.new_name()];
        let check = MeaningCheck::new(&resolver, &change, names);
        let mut after = files.to_vec();
        for file in &change.files {
            let text = &mut after[file.file as usize].1;
            *text = file.apply(text);
        }
        for renamed in &change.renamed {
            let path = &mut after[renamed.file as usize].0;
            let folder = path.rfind('/').map_or(0, |end| end + 1);
            path.replace_range(folder.., &renamed.name);
        }
        (change, check, after)
    };
    for file in &change.files {
        let (path, text) = &after[file.file as usize];
        put(&mut workspace, file.file, path, text);
    }
    check.verify(&workspace)?;
    Ok((change, after))
}

fn outcome(case: &Case) -> String {
    let place = case.place.expect("a case marks a place");
    let mut out = String::new();
    let (change, after) = match rename(&case.files, place, &case.new) {
        Ok(done) => done,
        Err(refusal) => {
            writeln!(out, "!!! {:?}: {}", refusal.kind, refusal.message).unwrap();
            for place in &refusal.places {
                let (path, text) = &case.files[place.file as usize];
                writeln!(out, "    {}", shown(path, text, place.at)).unwrap();
            }
            return out;
        }
    };
    for file in &change.files {
        let (path, text) = &after[file.file as usize];
        writeln!(out, "+++ {path}\n{}", text.trim_end_matches('\n')).unwrap();
    }
    if !change.not_touched.is_empty() {
        out.push_str("~~~\n");
    }
    for stays in &change.not_touched {
        let (path, text) = &case.files[stays.file as usize];
        let place = shown(path, text, stays.at);
        writeln!(out, "    {place} {:?}", stays.reason).unwrap();
    }
    for word in &change.words {
        let (path, text) = &case.files[word.file as usize];
        writeln!(
            out,
            "    {} {:?} changes",
            shown(path, text, word.at),
            word.kind
        )
        .unwrap();
    }
    if !case.new.ends_with(WITH_TEXTS) {
        out.push_str(&way_back(case, place, &change, &after));
    }
    out
}

/// What renaming back gives, where it is not the same bytes.
fn way_back(
    case: &Case,
    (file, at): (FileNo, u32),
    change: &SourceChange,
    after: &[(String, String)],
) -> String {
    let text = &case.files[file as usize].1;
    let is_letter = |letter: &char| letter.is_alphanumeric() || "_$#".contains(*letter);
    let old: String = text[at as usize..].chars().take_while(is_letter).collect();
    let edits = change.files.iter().find(|change| change.file == file);
    let shift: i64 = edits
        .iter()
        .flat_map(|change| &change.edits)
        .take_while(|edit| edit.start < at)
        .map(|edit| edit.text.len() as i64 - i64::from(edit.end - edit.start))
        .sum();
    let at = u32::try_from(i64::from(at) + shift).unwrap();
    let now = &after[file as usize].1[at as usize..];
    // Where one word became two, the new name is behind the old one or before it.
    let at = at + now.find(&case.new).unwrap_or_default() as u32;
    let mut out = String::new();
    match rename(after, (file, at), &old) {
        Err(refusal) => {
            writeln!(out, "<<< {:?}: {}", refusal.kind, refusal.message).unwrap();
        }
        Ok((_, back)) => {
            for ((path, text), before) in back.iter().zip(&case.files) {
                if (path, text) != (&before.0, &before.1) {
                    writeln!(out, "<<< {path}\n{}", text.trim_end()).unwrap();
                }
            }
        }
    }
    out
}

fn shown(path: &str, text: &str, at: u32) -> String {
    let before = &text[..at as usize];
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

fn run(name: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{name}.txt"));
    let text = std::fs::read_to_string(&path).unwrap();
    let cases = cases(&text);
    let only = std::env::var("CASE").unwrap_or_default();
    let (mut wrong, mut rewritten) = (String::new(), String::new());
    for case in &cases {
        let expected = case.expected.trim_end();
        let found = match case.title.contains(&only) {
            true => outcome(case),
            false => case.expected.clone(),
        };
        let found = found.trim_end();
        if found != expected {
            write!(
                wrong,
                "--- {}\nexpected:\n{expected}\nfound:\n{found}\n",
                case.title
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

#[test]
fn words_in_texts() {
    run("texts", 2);
}

#[test]
fn typescript() {
    run("typescript", 20);
}

#[test]
fn python() {
    run("python", 12);
}

#[test]
fn rust() {
    run("rust", 8);
}

#[test]
fn go() {
    run("go", 8);
}

#[test]
fn java() {
    run("java", 8);
}

#[test]
fn csharp() {
    run("csharp", 8);
}

#[test]
fn cpp() {
    run("cpp", 6);
}

#[test]
fn angelscript() {
    run("angelscript", 4);
}
