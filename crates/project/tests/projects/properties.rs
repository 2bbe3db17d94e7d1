//! Whatever the bytes are: no panic, no dependence on order, a change is as good as a new start.

use codecortex_project::{
    ManifestFormat, Manifests, Projects, RootFiles, is_manifest, parse, parse_as,
};
use proptest::prelude::*;

use crate::support::{bytes, tree};

const FORMATS: &[ManifestFormat] = &[
    ManifestFormat::Solution,
    ManifestFormat::SolutionXml,
    ManifestFormat::MsBuild,
    ManifestFormat::Package,
    ManifestFormat::TsConfig,
    ManifestFormat::PnpmWorkspace,
    ManifestFormat::PyProject,
    ManifestFormat::SetupCfg,
    ManifestFormat::SetupPy,
    ManifestFormat::Cargo,
    ManifestFormat::GoMod,
    ManifestFormat::GoWork,
    ManifestFormat::Pom,
    ManifestFormat::GradleSettings,
    ManifestFormat::GradleBuild,
    ManifestFormat::CompileCommands,
    ManifestFormat::Unknown,
];

/// A workspace with a manifest of every kind.
const WORLD: &str = r#"
//- All.sln
Microsoft Visual Studio Solution File, Format Version 12.00
Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "A", "cs\A\A.csproj", "{1}"
EndProject
//- All.slnx
<Solution><Project Path="cs/A/A.csproj" /></Solution>
//- Directory.Build.props
<Project><PropertyGroup><Root>$(MSBuildThisFileDirectory)</Root></PropertyGroup></Project>
//- cs/A/A.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup Condition="'$(X)' == '' And !Exists('y')"><TargetFrameworks>net8.0;net48</TargetFrameworks></PropertyGroup>
<ItemGroup><ProjectReference Include="$(Root)cs\B\B.csproj" /><Compile Remove="x\**" /><Using Include="Q" Alias="R" /></ItemGroup></Project>
//- cs/B/B.csproj
<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>
//- package.json
{ "name": "top", "workspaces": ["js/*"], "exports": { ".": { "import": "./a.mjs" } } }
//- pnpm-workspace.yaml
packages: ['js/*', "!js/no"]
//- js/a/package.json
{ "name": "a", "dependencies": { "b": "workspace:*" } }
//- js/b/package.json
{ "name": "b", "bin": { "b": "./b.js" } }
//- js/b/tsconfig.json
{ "extends": "../../tsconfig.base.json", "references": [{ "path": "../a" }], "include": ["src/**/*"], }
//- tsconfig.base.json
{ "compilerOptions": { "paths": { "@/*": ["./js/*"] } } }
//- py/pyproject.toml
[project]
name = "py"
[tool.setuptools.packages.find]
where = ["src"]
[tool.uv.workspace]
members = ["m/*"]
//- py/setup.cfg
[options]
package_dir =
  = src
//- py/setup.py
from setuptools import setup
setup(name="py", packages=find_packages("src"))
//- rs/Cargo.toml
[package]
name = "rs"
[workspace]
members = ["in/*"]
[dependencies]
one = { path = "in/one" }
//- rs/in/one/Cargo.toml
[package]
name = "one"
//- go/go.mod
module example.org/go
require example.org/x v1.0.0
replace example.org/x => ./x
//- go/go.work
use (
  .
  ./x
)
//- go/x/go.mod
module example.org/x
//- mvn/pom.xml
<project><groupId>g</groupId><artifactId>m</artifactId><modules><module>n</module></modules></project>
//- mvn/n/pom.xml
<project><parent><groupId>g</groupId><artifactId>m</artifactId></parent><artifactId>${x}</artifactId></project>
//- gr/settings.gradle
include ':a', ':b'
project(':b').projectDir = file('c')
//- gr/a/build.gradle
dependencies { implementation project(':b') }
//- gr/c/build.gradle.kts
dependencies { api(projects.a) }
//- build/compile_commands.json
[{ "directory": "/w/build", "file": "/w/c/x.c", "command": "cc -I../c -DX /w/c/x.c" }]
//- cs/A/a.cs cs/B/b.cs js/a/a.js js/b/src/b.ts py/src/p/__init__.py rs/src/lib.rs rs/in/one/src/lib.rs go/g.go go/x/x.go mvn/src/main/java/M.java gr/a/src/main/java/G.java c/x.c c/x.h loose.py"#;

fn world() -> Vec<(String, Vec<u8>)> {
    bytes(&tree(WORLD))
}

fn build(files: &[(String, Vec<u8>)]) -> Projects {
    let manifests: Manifests = files
        .iter()
        .filter(|(path, _)| is_manifest(path))
        .map(|(path, bytes)| parse(path, bytes))
        .collect();
    Projects::build(
        &manifests,
        &RootFiles::new(files.iter().map(|(path, _)| path)),
    )
}

/// Everything that can be seen of the result.
fn seen(projects: &Projects, files: &[(String, Vec<u8>)]) -> String {
    let mut text = serde_json::to_string(projects).unwrap();
    let mut paths: Vec<&String> = files.iter().map(|(path, _)| path).collect();
    paths.sort();
    for path in paths {
        text.push_str(&format!(
            "\n{path} {:?} {:?}",
            projects.project_of(path),
            projects.owners(path)
        ));
    }
    text
}

/// Changes some bytes of a manifest: taken out, doubled, replaced, cut off.
fn mutate(bytes: &mut Vec<u8>, changes: &[(usize, u8, u8)]) {
    for (at, how, byte) in changes {
        if bytes.is_empty() {
            return;
        }
        let at = at % bytes.len();
        match how % 5 {
            0 => bytes[at] = *byte,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, *byte),
            3 => bytes.truncate(at),
            _ => {
                let end = (at + usize::from(*byte)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

fn changes() -> impl Strategy<Value = Vec<(usize, u8, u8)>> {
    let interesting = prop_oneof![
        any::<u8>(),
        prop::sample::select(b"<>\"'{}[]()$!*;:,=#&%/\\\n\0.".to_vec()),
    ];
    prop::collection::vec((any::<usize>(), any::<u8>(), interesting), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in FORMATS {
            let manifest = parse_as("d/x", *format, &bytes);
            let again = parse_as("d/x", *format, &bytes);
            prop_assert_eq!(&manifest, &again);
            let manifests: Manifests = [manifest].into_iter().collect();
            let _ = Projects::build(&manifests, &RootFiles::new(["d/x", "d/a.cs", "b.py"]));
        }
    }

    #[test]
    fn arbitrary_text_of_signs_never_panics(
        words in prop::collection::vec(prop::sample::select(vec![
            "<Project>", "</Project>", "<a b='", "$(", "$([MSBuild]::", "{", "}", "[", "]", "(", ")", "\"", "'", "- ",
            ": ", "\n", "=", "setup", "include", "project", "packages", "name", "*", "&x", "<!--", "-->", "../", "\\",
            "${", "#", "//", "/*", "'''", "[a]", "a.b = 1", "=>", "replace ", "\u{1}", "é", "😀", ";", ",", "%2",
        ]), 0..40),
    ) {
        let text = words.concat();
        for format in FORMATS {
            let manifests: Manifests = [parse_as("d/x", *format, text.as_bytes())].into_iter().collect();
            let _ = Projects::build(&manifests, &RootFiles::new(["d/x", "d/a.cs"]));
        }
    }

    #[test]
    fn mutated_manifests_never_panic_and_a_change_is_a_new_start(
        which in any::<prop::sample::Index>(),
        changes in changes(),
    ) {
        let mut files = world();
        let list = RootFiles::new(files.iter().map(|(path, _)| path));
        let mut manifests: Manifests = files
            .iter()
            .filter(|(path, _)| is_manifest(path))
            .map(|(path, bytes)| parse(path, bytes))
            .collect();
        let before = Projects::build(&manifests, &list);
        let at: Vec<usize> = (0..files.len()).filter(|at| is_manifest(&files[*at].0)).collect();
        let index = at[which.index(at.len())];
        let original = files[index].clone();
        mutate(&mut files[index].1, &changes);
        manifests.insert(parse(&files[index].0, &files[index].1));
        let changed = Projects::build(&manifests, &list);
        prop_assert_eq!(seen(&changed, &files), seen(&build(&files), &files));
        // Back again is as before.
        manifests.insert(parse(&original.0, &original.1));
        let back = Projects::build(&manifests, &list);
        prop_assert_eq!(seen(&back, &files), seen(&before, &files));
    }

    #[test]
    fn order_does_not_matter(files in Just(world()).prop_shuffle()) {
        prop_assert_eq!(seen(&build(&files), &files), seen(&build(&world()), &files));
    }
}

#[test]
fn the_world_is_sound() {
    let projects = build(&world());
    let missing: Vec<&str> = projects
        .problems()
        .iter()
        .map(|p| p.message.as_str())
        .collect();
    assert_eq!(projects.all().len(), 18, "{missing:?}");
}

#[test]
fn deep_nesting_is_bounded() {
    let deep = |open: &str, close: &str| open.repeat(50_000) + &close.repeat(50_000);
    for text in [
        deep("<a>", "</a>"),
        deep("[", "]"),
        deep("{\"a\":", "}"),
        deep("{a: ", "}"),
        deep("a = {b=", "}"),
        format!("a = {}", deep("[", "]")),
        deep("(", ")"),
        format!("setup({}", deep("(", ")")),
        deep("- ", ""),
        deep("$(", ")"),
        format!(
            "<Project><PropertyGroup><A>{}</A></PropertyGroup></Project>",
            deep("$([MSBuild]::NormalizePath(", "))")
        ),
        format!("<Project><A Condition=\"{}\"/></Project>", deep("(", ")")),
    ] {
        for format in FORMATS {
            let manifests: Manifests = [parse_as("x.csproj", *format, text.as_bytes())]
                .into_iter()
                .collect();
            let _ = Projects::build(&manifests, &RootFiles::new(["x.csproj"]));
        }
    }
}
