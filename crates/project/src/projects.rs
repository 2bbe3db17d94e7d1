//! All manifests of a root joined: projects, their references and their files.

use codecortex_text::base32;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::build::{DraftWorkspace, Ecosystem, Owns, ProjectBuilder, ProjectDraft, ecosystem_of};
use crate::files::RootFiles;
use crate::manifest::{ManifestFormat, Manifests};
use crate::model::{Detail, ManifestKind, Project, ProjectGroup, ProjectId};
use crate::path::{self, ManifestTarget};
use crate::source::{ManifestProblem, ProblemKind};
use crate::{cargo, dotnet, go, jvm, native, node, python};

/// The projects of one root.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Projects {
    projects: Vec<Project>,
    workspaces: Vec<ProjectGroup>,
    problems: Vec<ManifestProblem>,
    #[serde(skip)]
    wanted: Vec<MissingManifest>,
    /// Paths in order with their owners, the best first.
    #[serde(skip)]
    owners: Owners,
}

/// A file that a manifest leads to and that was not given to [`Projects::build`]: read it, parse it
/// with [`crate::parse_as`], build again. No manifest is known by its name alone in every ecosystem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingManifest {
    /// The file.
    pub path: String,
    /// How to read it.
    pub format: ManifestFormat,
}

#[derive(Clone, Debug, Default)]
struct Owners {
    paths: Vec<String>,
    /// Where each path's owners begin in `ids`; one more at the end.
    starts: Vec<u32>,
    ids: Vec<ProjectId>,
    folders: FolderTable,
}

/// Projects by the folder of their manifest.
type FolderTable = FxHashMap<String, Vec<ProjectId>>;

impl Projects {
    /// Joins manifests and files. The result does not depend on the order in which they were given.
    #[must_use]
    pub fn build(manifests: &Manifests, files: &RootFiles) -> Self {
        let mut builder = ProjectBuilder::new(manifests, files);
        dotnet::build(&mut builder);
        node::build(&mut builder);
        python::build(&mut builder);
        cargo::build(&mut builder);
        go::build(&mut builder);
        jvm::build(&mut builder);
        native::build(&mut builder);
        finish(builder)
    }

    /// All projects by path and kind; a [`ProjectId`] is the place in here.
    #[must_use]
    pub fn all(&self) -> &[Project] {
        &self.projects
    }

    /// A project.
    #[must_use]
    pub fn get(&self, id: ProjectId) -> Option<&Project> {
        self.projects.get(id.0 as usize)
    }

    /// Solutions, workspaces and multi-module builds, by path.
    #[must_use]
    pub fn workspaces(&self) -> &[ProjectGroup] {
        &self.workspaces
    }

    /// What is wrong, in the manifests for themselves and between them, by path.
    #[must_use]
    pub fn problems(&self) -> &[ManifestProblem] {
        &self.problems
    }

    /// Files that would have to be read for more, by path.
    #[must_use]
    pub fn wanted(&self) -> &[MissingManifest] {
        &self.wanted
    }

    /// The project of a file: of its owners the one whose folder is nearest; for a file that nobody
    /// claims, or that is new, the project of the nearest folder.
    #[must_use]
    pub fn project_of(&self, file: &str) -> Option<ProjectId> {
        if let Some(id) = self.owners(file).first() {
            return Some(*id);
        }
        let ecosystem = ecosystem_of(file);
        let mut enclosing = path::upward(path::folder(file))
            .filter_map(|folder| self.owners.folders.get(folder))
            .flatten();
        let suits = |id: &&ProjectId| {
            let kind = self.get(**id).map(|project| project.kind);
            let own = kind.and_then(ManifestKind::ecosystem);
            ecosystem.is_none() || own.is_none() || own == ecosystem
        };
        enclosing.find(suits).copied()
    }

    /// The project of that kind for a file: the best of its owners, else that of the nearest folder.
    /// So a TypeScript file has a tsconfig and a package.
    #[must_use]
    pub fn of_kind(&self, file: &str, kind: ManifestKind) -> Option<ProjectId> {
        let is_kind = |id: &&ProjectId| self.get(**id).is_some_and(|p| p.kind == kind);
        let owner = self.owners(file).iter().find(is_kind);
        let above = || {
            path::upward(path::folder(file))
                .filter_map(|folder| self.owners.folders.get(folder))
                .flatten()
                .find(is_kind)
        };
        owner.or_else(above).copied()
    }

    /// Every project that a file belongs to, the one of [`Projects::project_of`] first.
    #[must_use]
    pub fn owners(&self, file: &str) -> &[ProjectId] {
        let owners = &self.owners;
        let Ok(at) = owners
            .paths
            .binary_search_by(|path| path.as_str().cmp(file))
        else {
            return &[];
        };
        let (Some(start), Some(end)) = (owners.starts.get(at), owners.starts.get(at + 1)) else {
            return &[];
        };
        owners
            .ids
            .get(*start as usize..*end as usize)
            .unwrap_or(&[])
    }

    /// The files of a project, by path.
    pub fn files(&self, id: ProjectId) -> impl Iterator<Item = &str> {
        let paths = self.owners.paths.iter();
        paths
            .map(String::as_str)
            .filter(move |path| self.owners(path).contains(&id))
    }
}

fn finish(mut builder: ProjectBuilder<'_>) -> Projects {
    let mut drafts = std::mem::take(&mut builder.drafts);
    let owned = assign(&mut drafts, builder.files);
    sort_drafts(&mut drafts, owned).finish(builder)
}

/// Drafts in their final order with the files of each.
struct Sorted {
    drafts: Vec<ProjectDraft>,
    owned: Vec<(u32, u32)>,
}

/// Puts projects into their order and numbers the owners accordingly.
fn sort_drafts(drafts: &mut Vec<ProjectDraft>, mut owned: Vec<(u32, u32)>) -> Sorted {
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by(|a, b| key(&drafts[*a].project).cmp(&key(&drafts[*b].project)));
    let mut places = vec![0; drafts.len()];
    for (place, index) in order.iter().enumerate() {
        places[*index] = place as u32;
    }
    for (_, project) in &mut owned {
        *project = places[*project as usize];
    }
    let mut slots: Vec<Option<ProjectDraft>> = drafts.drain(..).map(Some).collect();
    let drafts = order
        .iter()
        .filter_map(|index| slots[*index].take())
        .collect();
    Sorted { drafts, owned }
}

fn key(project: &Project) -> (&str, ManifestKind) {
    (&project.path, project.kind)
}

impl Sorted {
    fn finish(mut self, mut builder: ProjectBuilder<'_>) -> Projects {
        give_ids(&mut self.drafts);
        let by_path: FxHashMap<String, usize> = self
            .drafts
            .iter()
            .enumerate()
            .map(|(index, draft)| (draft.project.path.clone(), index))
            .collect();
        link(&mut self.drafts, &by_path, &mut builder);
        report_cycles(&self.drafts, &mut builder);
        let owners = self.owners(builder.files);
        let mut projects: Vec<Project> = self.drafts.into_iter().map(|d| d.project).collect();
        for project in &mut projects {
            project.hash = hash_of(project);
        }
        let workspaces = workspaces(&mut builder, &by_path, &projects);
        let mut problems = builder.problems;
        for manifest in builder.manifests.iter() {
            problems.extend_from_slice(manifest.problems());
        }
        problems.sort();
        problems.dedup();
        let wanted = builder.wanted.into_iter();
        Projects {
            projects,
            workspaces,
            problems,
            wanted: wanted
                .map(|(path, format)| MissingManifest { path, format })
                .collect(),
            owners,
        }
    }

    fn owners(&mut self, files: &RootFiles) -> Owners {
        let drafts = &self.drafts;
        let rank = |(file, project): &(u32, u32)| {
            let own = &drafts[*project as usize].project;
            let inside = path::below(&own.root, files.get(*file)).is_some();
            let depth = if inside { path::depth(&own.root) } else { 0 };
            // Within one folder the manifest with the plain name decides, as editors have it.
            let plain = usize::from(!is_plain(own));
            (
                *file,
                std::cmp::Reverse((inside, depth)),
                own.kind,
                plain,
                *project,
            )
        };
        self.owned.sort_by_cached_key(rank);
        self.owned.dedup();
        let mut owners = Owners {
            paths: files.iter().map(str::to_owned).collect(),
            ..Owners::default()
        };
        let mut pairs = self.owned.iter().peekable();
        for file in 0..files.len() as u32 {
            owners.starts.push(owners.ids.len() as u32);
            while let Some((_, project)) = pairs.next_if(|(at, _)| *at == file) {
                owners.ids.push(ProjectId(*project));
            }
        }
        owners.starts.push(owners.ids.len() as u32);
        for (index, draft) in drafts.iter().enumerate() {
            let folder = draft.project.root.clone();
            let ids = owners.folders.entry(folder).or_default();
            ids.push(ProjectId(index as u32));
        }
        for ids in owners.folders.values_mut() {
            ids.sort_by_key(|id| {
                let project = &drafts[id.0 as usize].project;
                (project.kind, !is_plain(project), *id)
            });
        }
        owners
    }
}

fn is_plain(project: &Project) -> bool {
    let name = path::file_name(&project.path);
    project.kind != ManifestKind::TypeScript || matches!(name, "tsconfig.json" | "jsconfig.json")
}

/// Pairs of file and draft. Adds the implicit project when source files are left over.
fn assign(drafts: &mut Vec<ProjectDraft>, files: &RootFiles) -> Vec<(u32, u32)> {
    let mut owned: Vec<(u32, u32)> = Vec::with_capacity(files.len());
    let mut folders: FxHashMap<(Ecosystem, &str), Vec<u32>> = FxHashMap::default();
    for (index, draft) in drafts.iter().enumerate() {
        match (&draft.owns, draft.project.kind.ecosystem()) {
            (Owns::Files(list), _) => owned.extend(list.iter().map(|file| (*file, index as u32))),
            (Owns::Folder, Some(ecosystem)) => folders
                .entry((ecosystem, draft.project.root.as_str()))
                .or_default()
                .push(index as u32),
            (Owns::Folder, None) => {}
        }
    }
    let claimed: FxHashSet<u32> = owned.iter().map(|(file, _)| *file).collect();
    let mut left_over = Vec::new();
    // Files come folder by folder, so that the last answer is mostly the next one's too.
    let mut last: Option<(Ecosystem, &str, &[u32])> = None;
    for (file, path) in files.iter().enumerate() {
        let Some(ecosystem) = ecosystem_of(path) else {
            continue;
        };
        let folder = path::folder(path);
        let owners = match last {
            Some((e, f, owners)) if e == ecosystem && f == folder => owners,
            _ => path::upward(folder)
                .find_map(|above| folders.get(&(ecosystem, above)))
                .map_or(&[][..], Vec::as_slice),
        };
        last = Some((ecosystem, folder, owners));
        owned.extend(owners.iter().map(|project| (file as u32, *project)));
        if owners.is_empty() && !claimed.contains(&(file as u32)) {
            left_over.push(file as u32);
        }
    }
    if !left_over.is_empty() {
        let index = drafts.len() as u32;
        owned.extend(left_over.iter().map(|file| (*file, index)));
        drafts.push(implicit(files, &left_over));
    }
    owned
}

/// The project of what no manifest claims.
fn implicit(files: &RootFiles, left_over: &[u32]) -> ProjectDraft {
    let mut draft = ProjectDraft::new(ManifestKind::Implicit, "", "", Detail::None {});
    let paths = || left_over.iter().map(|file| files.get(*file));
    draft.project.source_roots = python::detected_roots(files, paths());
    let conventional = jvm::conventional_roots(files, "", paths());
    draft.project.source_roots.extend(conventional);
    draft
}

fn give_ids(drafts: &mut [ProjectDraft]) {
    let mut given = FxHashSet::default();
    for draft in drafts {
        let project = &mut draft.project;
        let text = format!("{}\n{:?}", project.path, project.kind);
        let id = [8, 12, 16]
            .into_iter()
            .map(|length| format!("P_{}", short_hash(text.as_bytes(), length)))
            .find(|id| !given.contains(id))
            .unwrap_or_else(|| format!("P_{}", short_hash(text.as_bytes(), 32)));
        given.insert(id.clone());
        project.id = id;
    }
}

fn short_hash(bytes: &[u8], length: usize) -> String {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    base32(&digest[..20], length)
}

fn hash_of(project: &Project) -> String {
    // Serialising plain data to memory cannot fail; were it to, the hash would just not tell apart.
    let bytes = serde_json::to_vec(project).unwrap_or_default();
    short_hash(&bytes, 8).to_uppercase()
}

/// Resolves references to ids; missing ones are problems.
fn link(
    drafts: &mut [ProjectDraft],
    by_path: &FxHashMap<String, usize>,
    builder: &mut ProjectBuilder<'_>,
) {
    let ids: Vec<String> = drafts.iter().map(|d| d.project.id.clone()).collect();
    for draft in drafts {
        for reference in &mut draft.project.references {
            let Some(ManifestTarget::Inside(target)) = &reference.target else {
                continue;
            };
            match by_path.get(target) {
                Some(index) => reference.project = Some(ids[*index].clone()),
                None if reference.required => {
                    let message = missing(builder.files, target);
                    let path = &draft.project.path;
                    builder.problem(path, reference.at, ProblemKind::Missing, message);
                }
                None => {}
            }
        }
    }
}

fn missing(files: &RootFiles, target: &str) -> String {
    if files.contains(target) {
        format!("“{target}” exists but is not a project that was read.")
    } else {
        format!("“{target}” does not exist.")
    }
}

/// Projects that need each other. Packages of npm and modules of Go may; so may tests.
fn report_cycles(drafts: &[ProjectDraft], builder: &mut ProjectBuilder<'_>) {
    let by_id: FxHashMap<&str, u32> = drafts
        .iter()
        .enumerate()
        .map(|(index, draft)| (draft.project.id.as_str(), index as u32))
        .collect();
    let mut edges = Vec::new();
    for (from, draft) in drafts.iter().enumerate() {
        if matches!(draft.project.kind, ManifestKind::Npm | ManifestKind::Go) {
            continue;
        }
        for reference in draft.project.references.iter().filter(|r| !r.dev) {
            let target = reference.project.as_deref();
            if let Some(to) = target.and_then(|id| by_id.get(id)) {
                edges.push((from as u32, *to, reference.at));
            }
        }
    }
    let mut graph = DiGraph::<(), ()>::from_edges(edges.iter().map(|(from, to, _)| (*from, *to)));
    while graph.node_count() < drafts.len() {
        graph.add_node(());
    }
    for component in kosaraju_scc(&graph) {
        let mut members: Vec<u32> = component.iter().map(|node| node.index() as u32).collect();
        members.sort_unstable();
        // Edges are in the order of their starts. The first one of the first project that stays inside
        // tells a circle; a project alone mostly has none.
        let start = edges.partition_point(|(from, _, _)| *from < members[0]);
        let own = edges[start..]
            .iter()
            .take_while(|(from, _, _)| *from == members[0]);
        let mut within = own.filter(|(_, to, _)| members.binary_search(to).is_ok());
        let Some((_, _, at)) = within.next() else {
            continue;
        };
        let names: Vec<&str> = members
            .iter()
            .take(8)
            .map(|index| drafts[*index as usize].project.name.as_str())
            .collect();
        let rest = members.len() - names.len();
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        let message = format!("Projects refer to each other: {}{more}.", names.join(", "));
        let path = &drafts[members[0] as usize].project.path;
        builder.problem(path, *at, ProblemKind::Cycle, message);
    }
}

fn workspaces(
    builder: &mut ProjectBuilder<'_>,
    by_path: &FxHashMap<String, usize>,
    projects: &[Project],
) -> Vec<ProjectGroup> {
    let mut drafts = std::mem::take(&mut builder.workspaces);
    drafts.sort_by(|a, b| (&a.path, &a.name).cmp(&(&b.path, &b.name)));
    let mut finished = Vec::with_capacity(drafts.len());
    for draft in drafts {
        finished.push(workspace(builder, by_path, projects, draft));
    }
    finished
}

fn workspace(
    builder: &mut ProjectBuilder<'_>,
    by_path: &FxHashMap<String, usize>,
    projects: &[Project],
    draft: DraftWorkspace,
) -> ProjectGroup {
    let mut ids = Vec::new();
    let mut others = Vec::new();
    for member in draft.members {
        let known = member.manifest.inside().and_then(|path| by_path.get(path));
        if let Some(index) = known {
            let id = &projects[*index].id;
            if !ids.contains(id) {
                ids.push(id.clone());
            }
            continue;
        }
        if let ManifestTarget::Inside(path) = &member.manifest
            && member.required
            && !builder.files.contains(path)
        {
            let message = missing(builder.files, path);
            builder.problem(&draft.path, member.at, ProblemKind::Missing, message);
        }
        others.push(member.manifest);
    }
    ProjectGroup {
        path: draft.path,
        name: draft.name,
        projects: ids,
        others,
    }
}
