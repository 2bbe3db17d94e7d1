//! What a solution says, in the old text format and as XML.

use crate::read::Element;
use crate::source::{ManifestSource, ProblemKind, SpannedText};

/// The projects of a solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solution {
    pub(crate) projects: Vec<SpannedText>,
}

/// The type of folders, which are no projects.
const FOLDER: &str = "{2150E333-8FDC-42A3-9474-1A3956D46DE8}";

/// Reads the text format: lines `Project("{type}") = "name", "path", "{id}"`.
pub(crate) fn read_sln(source: &mut ManifestSource<'_>) -> Solution {
    let mut solution = Solution::default();
    let mut headed = false;
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        let start = offset;
        offset += line.len() as u32;
        headed |= line.contains("Microsoft Visual Studio Solution File");
        if !line.trim_start().starts_with("Project(") {
            continue;
        }
        // What stands between quotes: type, name, path, id.
        let quoted: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        let at = source.at(start);
        match quoted[..] {
            [kind, ..] if kind.eq_ignore_ascii_case(FOLDER) => {}
            [_, _, path, ..] => solution.projects.push(SpannedText {
                text: path.to_owned(),
                at,
            }),
            _ => source.problem_at(at, ProblemKind::Syntax, "The project has no path."),
        }
    }
    if !headed && solution.projects.is_empty() {
        source.problem(0, ProblemKind::Syntax, "The file is no solution.");
    }
    solution
}

/// Reads the XML format: `Project` elements with a `Path`, at any depth.
pub(crate) fn read_slnx(source: &mut ManifestSource<'_>, root: &Element) -> Solution {
    let mut solution = Solution::default();
    let mut open: Vec<&Element> = vec![root];
    while let Some(element) = open.pop() {
        if element.name == "Project" {
            match element.attribute("Path") {
                Some(path) => solution.projects.push(SpannedText {
                    text: path.to_owned(),
                    at: element.at,
                }),
                None => {
                    source.problem_at(element.at, ProblemKind::Value, "The project has no path.");
                }
            }
        }
        open.extend(element.children.iter().rev());
    }
    solution
}
