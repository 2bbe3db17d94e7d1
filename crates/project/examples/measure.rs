//! Measures a build over a made-up root: 20,000 files in 500 projects of several ecosystems.
#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a tool for the terminal"
)]

use std::time::Instant;

use codecortex_project::{Manifests, Projects, RootFiles, is_manifest, parse};

/// Manifest name, content with `{n}` for the number and `{m}` for the next one, ending of sources.
const KINDS: &[(&str, &str, &str)] = &[
    (
        "P{n}.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net8.0;net48</TargetFrameworks>\
         <ImplicitUsings>enable</ImplicitUsings></PropertyGroup><ItemGroup><Compile Remove=\"old/**/*.cs\" />\
         <ProjectReference Include=\"../p{m}/P{m}.csproj\" /></ItemGroup></Project>",
        "cs",
    ),
    (
        "tsconfig.json",
        "{ \"extends\": \"../../tsconfig.base.json\", \"include\": [\"src\"], \"exclude\": [\"**/*.spec.ts\"] }",
        "ts",
    ),
    (
        "package.json",
        "{ \"name\": \"p{n}\", \"dependencies\": { \"p{m}\": \"*\" }, \"exports\": { \".\": \"./src/f0.js\" } }",
        "js",
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"p{n}\"\n[dependencies]\np = { path = \"../p{m}\" }\n",
        "rs",
    ),
    ("pyproject.toml", "[project]\nname = \"p{n}\"\n", "py"),
];

const PROJECTS: usize = 500;
const FILES: usize = 40;

fn main() {
    let mut paths = Vec::new();
    let mut texts = vec![
        (
            "package.json".to_owned(),
            "{ \"workspaces\": [\"all/*\"] }".to_owned(),
        ),
        (
            "Cargo.toml".to_owned(),
            "[workspace]\nmembers = [\"all/*\"]\n".to_owned(),
        ),
        (
            "tsconfig.base.json".to_owned(),
            "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"all/*\"] } } }".to_owned(),
        ),
        (
            "Directory.Build.props".to_owned(),
            "<Project><PropertyGroup><Nullable>enable</Nullable></PropertyGroup></Project>"
                .to_owned(),
        ),
    ];
    for n in 0..PROJECTS {
        let (name, text, ending) = KINDS[n % KINDS.len()];
        let m = if n + KINDS.len() < PROJECTS {
            n + KINDS.len()
        } else {
            n
        };
        let fill = |text: &str| {
            text.replace("{n}", &n.to_string())
                .replace("{m}", &m.to_string())
        };
        texts.push((format!("all/p{n}/{}", fill(name)), fill(text)));
        paths.extend((0..FILES).map(|f| format!("all/p{n}/src/d{}/f{f}.{ending}", f % 5)));
    }
    paths.extend(texts.iter().map(|(path, _)| path.clone()));
    for round in 0..5 {
        let start = Instant::now();
        let manifests: Manifests = texts
            .iter()
            .filter(|(path, _)| is_manifest(path))
            .map(|(path, text)| parse(path, text.as_bytes()))
            .collect();
        let parsed = start.elapsed();
        let files = RootFiles::new(&paths);
        let listed = start.elapsed();
        let projects = Projects::build(&manifests, &files);
        let built = start.elapsed();
        println!(
            "{round}: {} files, {} projects, {} problems: parse {parsed:?}, list {:?}, build {:?}",
            files.len(),
            projects.all().len(),
            projects.problems().len(),
            listed - parsed,
            built - listed,
        );
    }
}
