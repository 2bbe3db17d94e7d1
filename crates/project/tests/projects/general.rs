//! What holds for every ecosystem: names of manifests, folders without any, ids, the JSON form.

use codecortex_project::{
    ManifestFormat, ManifestKind, Manifests, Projects, RootFiles, format_of, is_manifest, parse,
};

use crate::support::{Case, answer, bytes, check, projects, tree};

const CASES: &[Case] = &[
    (
        "nothing at all",
        "",
        &[("projects", ""), ("of x.cs", "nobody"), ("problems", "")],
    ),
    (
        "no manifest: one project for the root",
        "//- a/a.cs b/b.ts c.py README.md",
        &[
            ("projects", "root=."),
            ("of a/a.cs", "."),
            ("of b/b.ts", "."),
            ("of README.md", "."),
        ],
    ),
    (
        "versions that manifests tell",
        r#"
//- rust/Cargo.toml
[workspace]
members = ["a", "b"]
[workspace.package]
version = "2.1.0"
//- rust/a/Cargo.toml
[package]
name = "a"
version.workspace = true
//- rust/b/Cargo.toml
[package]
name = "b"
version = "0.3.0"
//- py/project/pyproject.toml
[project]
name = "p"
version = "1.5"
//- py/poetry/pyproject.toml
[tool.poetry]
name = "q"
version = "1.6"
//- py/cfg/setup.cfg
[metadata]
name = r
version = 1.7
//- py/code/setup.cfg
[metadata]
name = s
version = attr: s.__version__
//- py/setup/setup.py
setup(name="t", version="1.8")
//- jvm/pom.xml
<project><groupId>g</groupId><artifactId>p</artifactId><version>${v}-x</version>
<properties><v>3.0</v></properties><modules><module>m</module></modules></project>
//- jvm/m/pom.xml
<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>3.0-x</version></parent><artifactId>m</artifactId></project>
//- open/pom.xml
<project><groupId>g</groupId><artifactId>o</artifactId><version>${revision}</version></project>
//- gradle/build.gradle
group = "g"
version = "4.0"
//- net/A/A.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><Version>5.0.1</Version></PropertyGroup></Project>
//- net/B/B.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><VersionPrefix>5.1</VersionPrefix><VersionSuffix>beta</VersionSuffix></PropertyGroup></Project>
//- net/C/C.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><Version>$(Unknown)</Version></PropertyGroup></Project>"#,
        &[
            ("rust/a/Cargo.toml /cargo/version", r#""2.1.0""#),
            ("rust/b/Cargo.toml /cargo/version", r#""0.3.0""#),
            ("py/project/pyproject.toml /python/version", r#""1.5""#),
            ("py/poetry/pyproject.toml /python/version", r#""1.6""#),
            ("py/cfg/setup.cfg /python/version", r#""1.7""#),
            ("py/code/setup.cfg /python/version", "nothing"),
            ("py/setup/setup.py /python/version", r#""1.8""#),
            ("jvm/pom.xml /jvm/version", r#""3.0-x""#),
            ("jvm/m/pom.xml /jvm/version", r#""3.0-x""#),
            ("open/pom.xml /jvm/version", "nothing"),
            ("gradle/build.gradle /jvm/version", r#""4.0""#),
            ("net/A/A.csproj /dotnet/version", r#""5.0.1""#),
            ("net/B/B.csproj /dotnet/version", r#""5.1-beta""#),
            ("net/C/C.csproj /dotnet/version", "nothing"),
        ],
    ),
    (
        "each language has its own project; other files belong to the nearest folder",
        r#"
//- package.json
{ "name": "web" }
//- tools/pyproject.toml
[project]
name = "tools"
//- native/Cargo.toml
[package]
name = "native"
//- web.ts tools/t.py tools/t.js native/lib.rs native/helper.py tools/data.json x.rb"#,
        &[
            ("of web.ts", "package.json"),
            ("of tools/t.py", "tools/pyproject.toml"),
            ("of tools/t.js", "package.json"),
            ("of native/helper.py", "."),
            ("of tools/data.json", "tools/pyproject.toml"),
            ("of x.rb", "package.json"),
        ],
    ),
];

#[test]
fn general_cases() {
    check(CASES);
}

#[test]
fn manifests_are_known_by_name() {
    for (path, format) in [
        ("a/B.CSPROJ", Some(ManifestFormat::MsBuild)),
        ("Directory.Build.props", Some(ManifestFormat::MsBuild)),
        ("x.slnx", Some(ManifestFormat::SolutionXml)),
        ("tsconfig.app.json", Some(ManifestFormat::TsConfig)),
        ("x.tsconfig.json", Some(ManifestFormat::TsConfig)),
        ("build.gradle.kts", Some(ManifestFormat::GradleBuild)),
        (
            "compile_commands.json",
            Some(ManifestFormat::CompileCommands),
        ),
        ("a/node_modules/b/package.json", None),
        ("package-lock.json", None),
        ("mysetup.py", None),
        ("Cargo.lock", None),
        ("sln", None),
        ("", None),
    ] {
        assert_eq!(format_of(path), format, "{path}");
        assert_eq!(is_manifest(path), format.is_some(), "{path}");
    }
}

#[test]
fn ids_last_and_hashes_tell_changes() {
    let before = projects(&bytes(&tree(
        "//- a/Cargo.toml\n[package]\nname = 'a'\n//- a/src/lib.rs",
    )));
    let after = projects(&bytes(&tree(
        "//- 0/Cargo.toml\n[package]\nname = 'first'\n//- a/Cargo.toml\n[package]\nname = 'renamed'\n//- a/src/lib.rs",
    )));
    let (old, new) = (&before.all()[0], &after.all()[1]);
    assert_eq!(old.id, new.id);
    assert_ne!(old.hash, new.hash);
    assert_eq!(old.id.len(), "P_".len() + 8);
    assert!(old.hash.len() == 8 && old.hash == old.hash.to_uppercase());
    // Whitespace and comments are no change.
    let spaced = projects(&bytes(&tree(
        "//- a/Cargo.toml\n# note\n[package]\n\nname  =  'a'\n//- a/src/lib.rs a/src/other.rs",
    )));
    assert_eq!(spaced.all()[0].hash, old.hash);
}

#[test]
fn the_json_form_is_what_the_index_keeps() {
    let projects = projects(&bytes(&tree(
        "//- src/Core/Core.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>\n//- src/Core/A.cs",
    )));
    let json = serde_json::to_value(&projects).unwrap();
    for (pointer, expected) in [
        ("/projects/0/name", "Core"),
        ("/projects/0/path", "src/Core/Core.csproj"),
        ("/projects/0/tfm", "net9.0"),
        ("/projects/0/kind", "cSharp"),
    ] {
        assert_eq!(json.pointer(pointer).unwrap(), expected);
    }
    let text = serde_json::to_string(&projects.all()[0]).unwrap();
    let again: codecortex_project::Project = serde_json::from_str(&text).unwrap();
    assert_eq!(again, projects.all()[0]);
}

#[test]
fn a_manifest_that_was_not_given_is_asked_for() {
    let text = r#"{ "extends": "./base.json" }"#;
    let manifests: Manifests = [parse("tsconfig.json", text.as_bytes())]
        .into_iter()
        .collect();
    let files = RootFiles::new(["tsconfig.json", "base.json"]);
    let projects = Projects::build(&manifests, &files);
    let wanted: Vec<&str> = projects.wanted().iter().map(|w| w.path.as_str()).collect();
    assert_eq!(wanted, ["base.json"]);
    assert_eq!(answer(&projects, "problems"), "");
}

#[test]
fn a_path_that_is_no_manifest_has_no_facts() {
    let manifest = parse("README.md", b"{}");
    assert!(manifest.problems().is_empty());
    let manifests: Manifests = [manifest].into_iter().collect();
    let projects = Projects::build(&manifests, &RootFiles::new(["README.md"]));
    assert_eq!(answer(&projects, "projects"), "");
}

#[test]
fn a_file_has_a_project_of_each_kind() {
    let projects = projects(&bytes(&tree(
        "//- tsconfig.json\n{}\n//- a/package.json\n{}\n//- a/x.ts a/y.md",
    )));
    let path = |file: &str, kind| {
        let id = projects.of_kind(file, kind);
        id.map(|id| projects.get(id).unwrap().path.as_str())
    };
    assert_eq!(
        path("a/x.ts", ManifestKind::TypeScript),
        Some("tsconfig.json")
    );
    assert_eq!(path("a/x.ts", ManifestKind::Npm), Some("a/package.json"));
    assert_eq!(
        path("a/y.md", ManifestKind::TypeScript),
        Some("tsconfig.json")
    );
    assert_eq!(path("a/x.ts", ManifestKind::Cargo), None);
}
