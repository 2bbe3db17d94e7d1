//! A project of .NET out of its evaluation.

use super::evaluate::{Evaluation, evaluate};
use super::items::{Items, Wish, collect};
use super::msbuild::MsBuild;
use super::sdk;
use crate::build::{Owns, ProjectBuilder, ProjectDraft, reference};
use crate::manifest::{Manifest, ManifestFacts};
use crate::model::{Detail, Dotnet, DotnetTarget, ManifestKind};
use crate::path::{self, ManifestTarget};
use crate::source::SourcePosition;

/// More frameworks than this are not looked at one by one.
const MAX_FRAMEWORKS: usize = 16;

const KINDS: &[(&str, ManifestKind)] = &[
    ("csproj", ManifestKind::CSharp),
    ("shproj", ManifestKind::Shared),
    ("vbproj", ManifestKind::VisualBasic),
    ("fsproj", ManifestKind::FSharp),
];

/// What kind of project an MSBuild file is; none for props, targets and shared items.
pub(super) fn kind_of(path: &str) -> Option<ManifestKind> {
    let ending = path::extension(path).to_lowercase();
    KINDS
        .iter()
        .find(|(known, _)| *known == ending)
        .map(|(_, kind)| *kind)
}

/// Builds one project. One that cannot be read counts as an SDK project without settings, so that
/// its folder still belongs together.
pub(super) fn build<'a>(
    builder: &mut ProjectBuilder<'a>,
    manifest: &'a Manifest,
    kind: ManifestKind,
) -> ProjectDraft {
    let path = manifest.path();
    let ManifestFacts::MsBuild(facts) = &manifest.facts else {
        return unreadable(builder, path, kind);
    };
    let first = evaluate(builder, manifest, facts, None);
    let old_style = old_style_framework(&first).filter(|_| facts.sdk.is_none());
    let is_old_style = old_style.is_some();
    let frameworks = old_style.map_or_else(|| frameworks(&first), |framework| vec![framework]);
    let wish = Wish {
        project: path,
        sdk: facts.sdk.as_deref(),
        framework: "",
        compiles: matches!(kind, ManifestKind::CSharp | ManifestKind::Shared),
        implicit_usings: false,
    };
    let mut dotnet = Dotnet {
        sdk: facts.sdk.clone(),
        ..Dotnet::default()
    };
    let mut all = Items::default();
    // A framework out of a list, even of one, is set from outside the project.
    let set = !is_old_style
        && first.properties.text("TargetFramework").is_none()
        && first.properties.text("TargetFrameworks").is_some();
    for framework in &frameworks {
        let again;
        let evaluation = if set {
            again = evaluate(builder, manifest, facts, Some(framework));
            &again
        } else {
            &first
        };
        let wish = Wish { framework, ..wish };
        let (target, items) = target(builder, evaluation, wish, facts);
        dotnet.targets.push(target);
        merge(&mut all, items);
        add_new(&mut dotnet.imports, evaluation.imports.clone());
    }
    let name = path::stem(path);
    let text = |property: &str, default: &str| {
        let value = first.properties.text(property);
        value.unwrap_or(default).to_owned()
    };
    dotnet.assembly_name = text("AssemblyName", name);
    dotnet.root_namespace = text("RootNamespace", &name.replace(' ', "_"));
    dotnet.version = version(&first);
    finish(builder, path, kind, dotnet, all)
}

/// The version of the package: written whole, or in parts.
fn version(evaluation: &Evaluation<'_>) -> Option<String> {
    let text = |name: &str| {
        let text = evaluation.properties.text(name);
        text.filter(|text| !text.is_empty() && !text.contains("$("))
    };
    let whole = text("PackageVersion").or_else(|| text("Version"));
    let prefix = || {
        let prefix = text("VersionPrefix")?;
        let suffix = text("VersionSuffix").map(|suffix| format!("-{suffix}"));
        Some(prefix.to_owned() + suffix.as_deref().unwrap_or(""))
    };
    whole.map(str::to_owned).or_else(prefix)
}

fn unreadable(builder: &mut ProjectBuilder<'_>, path: &str, kind: ManifestKind) -> ProjectDraft {
    let evaluation = Evaluation::default();
    let wish = Wish {
        project: path,
        sdk: Some(""),
        framework: "",
        compiles: kind == ManifestKind::CSharp,
        implicit_usings: false,
    };
    let items = collect(builder, &evaluation, wish);
    let name = path::stem(path);
    let dotnet = Dotnet {
        assembly_name: name.to_owned(),
        root_namespace: name.replace(' ', "_"),
        targets: vec![DotnetTarget::default()],
        ..Dotnet::default()
    };
    finish(builder, path, kind, dotnet, items)
}

/// Target frameworks in the project's order; one without a name when none is written down.
fn frameworks(evaluation: &Evaluation<'_>) -> Vec<String> {
    let properties = &evaluation.properties;
    if let Some(one) = properties.text("TargetFramework") {
        return vec![one.to_owned()];
    }
    let several = properties.text("TargetFrameworks").unwrap_or("");
    let mut found = Vec::new();
    for part in several.split(';').map(str::trim) {
        if !part.is_empty() && !found.iter().any(|known| known == part) {
            found.push(part.to_owned());
        }
    }
    found.truncate(MAX_FRAMEWORKS);
    if found.is_empty() {
        found.push(old_style_framework(evaluation).unwrap_or_default());
    }
    found
}

/// The framework of a project of the old style, `v4.7.2`. Without an SDK nothing reads `TargetFramework`, which a
/// `Directory.Build.props` may set for the projects beside it.
fn old_style_framework(evaluation: &Evaluation<'_>) -> Option<String> {
    let version = evaluation.properties.text("TargetFrameworkVersion")?;
    let digits = version.trim_start_matches('v').replace('.', "");
    let is_known = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_known.then(|| format!("net{digits}"))
}

fn target<'a>(
    builder: &mut ProjectBuilder<'a>,
    evaluation: &Evaluation<'a>,
    wish: Wish<'_>,
    facts: &MsBuild,
) -> (DotnetTarget, Items) {
    let properties = &evaluation.properties;
    let text = |name: &str| properties.text(name).map(str::to_owned);
    let switch = properties.text("ImplicitUsings").unwrap_or("");
    let implicit = facts.sdk.is_some()
        && ["enable", "true"]
            .iter()
            .any(|on| switch.eq_ignore_ascii_case(on));
    let mut symbols: Vec<String> = Vec::new();
    let written = properties.text("DefineConstants").unwrap_or("");
    let parts = written.split([';', ',']).map(str::trim);
    add_new(
        &mut symbols,
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect(),
    );
    if facts.sdk.is_some() {
        add_new(&mut symbols, sdk::framework_symbols(wish.framework));
    }
    let wish = Wish {
        implicit_usings: implicit,
        ..wish
    };
    let mut items = collect(builder, evaluation, wish);
    let target = DotnetTarget {
        framework: wish.framework.to_owned(),
        lang_version: text("LangVersion"),
        nullable: text("Nullable"),
        implicit_usings: implicit,
        define_constants: symbols,
        constants_are_open: properties
            .get("DefineConstants")
            .is_some_and(|constants| !constants.certain),
        usings: std::mem::take(&mut items.usings),
    };
    (target, items)
}

/// What may belong to the project for one framework belongs to it.
fn merge(all: &mut Items, items: Items) {
    all.compile.extend(items.compile);
    add_new(&mut all.include, items.include);
    add_new(&mut all.exclude, items.exclude);
    for assembly in items.assemblies {
        if !all.assemblies.contains(&assembly) {
            all.assemblies.push(assembly);
        }
    }
    for reference in items.references {
        if !all.references.iter().any(|r| r.target == reference.target) {
            all.references.push(reference);
        }
    }
}

fn add_new(list: &mut Vec<String>, more: Vec<String>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

fn finish(
    builder: &ProjectBuilder<'_>,
    path: &str,
    kind: ManifestKind,
    mut dotnet: Dotnet,
    mut items: Items,
) -> ProjectDraft {
    items.compile.sort_unstable();
    items.compile.dedup();
    dotnet.assemblies = std::mem::take(&mut items.assemblies);
    let folder = path::folder(path);
    let compiled = items.compile.iter().map(|file| builder.files.get(*file));
    dotnet.linked = compiled
        .filter(|file| path::below(folder, file).is_none())
        .map(str::to_owned)
        .collect();
    let frameworks = dotnet.targets.iter();
    let frameworks: Vec<&str> = frameworks
        .map(|target| target.framework.as_str())
        .filter(|framework| !framework.is_empty())
        .collect();
    let tfm = Some(frameworks.join(";"));
    let mut draft = ProjectDraft::new(
        kind,
        path::stem(path),
        path,
        Detail::Dotnet(Box::new(dotnet)),
    );
    draft.project.tfm = tfm.filter(|tfm| !tfm.is_empty());
    draft.project.references = items.references;
    draft.project.include = items.include;
    draft.project.exclude = items.exclude;
    draft.owns = Owns::Files(items.compile);
    draft
}

/// Makes the import of shared items a reference to the shared project that has them.
pub(super) fn link_shared(builder: &mut ProjectBuilder<'_>) {
    let shared: Vec<(String, Vec<String>)> = builder
        .drafts
        .iter()
        .filter(|draft| draft.project.kind == ManifestKind::Shared)
        .map(|draft| (draft.project.path.clone(), shared_items(draft)))
        .collect();
    for draft in &mut builder.drafts {
        if draft.project.kind == ManifestKind::Shared {
            continue;
        }
        let own = shared_items(draft);
        for (path, items) in &shared {
            if items.iter().any(|item| own.contains(item)) {
                let target = ManifestTarget::Inside(path.clone());
                let reference =
                    reference(path::stem(path), target, SourcePosition::default(), false);
                draft.project.references.push(reference);
            }
        }
    }
}

fn shared_items(draft: &ProjectDraft) -> Vec<String> {
    let Detail::Dotnet(dotnet) = &draft.project.detail else {
        return Vec::new();
    };
    let items = dotnet.imports.iter();
    items
        .filter(|path| path.to_lowercase().ends_with(".projitems"))
        .cloned()
        .collect()
}
