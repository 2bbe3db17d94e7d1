//! Trees of files as text, and short questions about the projects that come out of them.

use codecortex_project::{
    ManifestTarget, Manifests, Project, ProjectId, Projects, RootFiles, is_manifest, parse,
    parse_as,
};

/// A case: its name, a tree of files, and questions with their answers.
pub(crate) type Case = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// Files and contents of a tree: `//- path` starts a file.
pub(crate) fn tree(text: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(paths) = line.trim_start().strip_prefix("//- ") {
            // Several paths on a line are empty files.
            for path in paths.split_whitespace() {
                files.push((path.to_owned(), String::new()));
            }
        } else if let Some((_, content)) = files.last_mut() {
            content.push_str(line);
            content.push('\n');
        }
    }
    files
}

/// Reads and joins a tree, with everything that the manifests ask for.
pub(crate) fn projects(files: &[(String, Vec<u8>)]) -> Projects {
    let list = RootFiles::new(files.iter().map(|(path, _)| path));
    let mut manifests: Manifests = files
        .iter()
        .filter(|(path, _)| is_manifest(path))
        .map(|(path, bytes)| parse(path, bytes))
        .collect();
    for _ in 0..8 {
        let projects = Projects::build(&manifests, &list);
        if projects.wanted().is_empty() {
            return projects;
        }
        for wanted in projects.wanted() {
            let (_, bytes) = files.iter().find(|(path, _)| *path == wanted.path).unwrap();
            manifests.insert(parse_as(&wanted.path, wanted.format, bytes));
        }
    }
    panic!("manifests never stop asking for more");
}

pub(crate) fn bytes(files: &[(String, String)]) -> Vec<(String, Vec<u8>)> {
    let files = files.iter();
    files
        .map(|(path, text)| (path.clone(), text.clone().into_bytes()))
        .collect()
}

/// Runs all cases and reports every answer that differs.
pub(crate) fn check(cases: &[Case]) {
    let mut failures = String::new();
    for (name, fixture, asks) in cases {
        let projects = projects(&bytes(&tree(fixture)));
        for (ask, expected) in *asks {
            let got = answer(&projects, ask);
            if got != *expected {
                failures.push_str(&format!(
                    "{name}: {ask}\n  expected {expected}\n  got      {got}\n"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// Answers a question:
/// `of FILE`, `owners FILE`, `files MANIFEST`, `refs MANIFEST`, `members WORKSPACE`, `projects`,
/// `problems`, or `MANIFEST /json/pointer`.
pub(crate) fn answer(projects: &Projects, ask: &str) -> String {
    let (verb, rest) = ask.split_once(' ').unwrap_or((ask, ""));
    match verb {
        "of" => projects
            .project_of(rest)
            .map_or("nobody".into(), |id| label(projects, id)),
        "owners" => {
            let owners = projects.owners(rest).iter();
            owners
                .map(|id| label(projects, *id))
                .collect::<Vec<_>>()
                .join(" ")
        }
        "files" => {
            let (id, _) = find(projects, rest);
            projects.files(id).collect::<Vec<_>>().join(" ")
        }
        "refs" => refs(find(projects, rest).1),
        "members" => members(projects, rest),
        "projects" => {
            let all = projects.all().iter();
            all.map(|p| format!("{}={}", p.name, shown(&p.path)))
                .collect::<Vec<_>>()
                .join(" ")
        }
        "problems" => problems(projects),
        path => pointed(find(projects, path).1, rest),
    }
}

fn find<'a>(projects: &'a Projects, path: &str) -> (ProjectId, &'a Project) {
    let path = if path == "." { "" } else { path };
    let found = projects
        .all()
        .iter()
        .enumerate()
        .find(|(_, p)| p.path == path);
    let (index, project) = found.unwrap_or_else(|| panic!("no project {path}"));
    (ProjectId(index as u32), project)
}

fn label(projects: &Projects, id: ProjectId) -> String {
    shown(&projects.get(id).unwrap().path).to_owned()
}

fn shown(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// `name>target`, `!` where no project was found, `~` for tests only.
fn refs(project: &Project) -> String {
    let references = project.references.iter().map(|reference| {
        let target = match &reference.target {
            Some(ManifestTarget::Inside(path)) => path.clone(),
            Some(ManifestTarget::External { external }) => format!("<{external}>"),
            None => String::new(),
        };
        let missing = if reference.project.is_none() { "!" } else { "" };
        let dev = if reference.dev { "~" } else { "" };
        format!("{}>{target}{missing}{dev}", reference.name)
    });
    references.collect::<Vec<_>>().join(" ")
}

fn members(projects: &Projects, path: &str) -> String {
    let found = projects.workspaces().iter().find(|w| w.path == path);
    let workspace = found.unwrap_or_else(|| panic!("no workspace {path}"));
    let by_id = |id: &String| {
        projects
            .all()
            .iter()
            .find(|p| p.id == *id)
            .unwrap()
            .name
            .clone()
    };
    let mut names: Vec<String> = workspace.projects.iter().map(by_id).collect();
    names.extend(workspace.others.iter().map(|other| match other {
        ManifestTarget::Inside(path) => format!("!{path}"),
        ManifestTarget::External { external } => format!("<{external}>"),
    }));
    names.join(" ")
}

fn problems(projects: &Projects) -> String {
    let problems = projects.problems().iter().map(|problem| {
        format!(
            "{}:{}:{} {}",
            problem.path, problem.at.line, problem.at.column, problem.message
        )
    });
    problems.collect::<Vec<_>>().join(" | ")
}

fn pointed(project: &Project, pointer: &str) -> String {
    let json = serde_json::to_value(project).unwrap();
    json.pointer(pointer)
        .map_or("nothing".into(), ToString::to_string)
}
