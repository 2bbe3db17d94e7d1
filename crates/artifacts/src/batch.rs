//! What is new to the ledger of a root: the types of files that changed, and the projects they are in.

use std::collections::BTreeSet;
use std::sync::Arc;

use codecortex_analysis::Analysis;
use codecortex_analysis::artefacts::outline::type_outline;
use codecortex_analysis::artefacts::types::{find_type, find_type_unit, types, types_now};
use codecortex_analysis::module_hints::take_module_hints;
use codecortex_index::{FileId, HashRules, IndexUnit, UnitLocation};
use codecortex_ledger::files::outline::Outline;
use codecortex_ledger::{Batch, Identity, Project, TypeNow};
use codecortex_resolve::AffectedNames;
use codecortex_syntax::{ItemKind, dialect, language_of_path};

use crate::contexts::Contexts;
use crate::schedule::is_dirty;

/// What is new to the ledger of a root. Files with unsaved text wait until they are saved.
pub(crate) fn batch(contexts: &mut Contexts, code: &mut Analysis, root: u32) -> Batch {
    spread_changed_names(contexts, code);
    let folder = &mut contexts.folders[root as usize];
    let complete = std::mem::take(&mut folder.needs_all);
    let touched = std::mem::take(&mut folder.touched);
    let rules = folder.config.switches().hash_rules();
    let (unsaved, touched): (BTreeSet<Box<str>>, BTreeSet<Box<str>>) = touched
        .into_iter()
        .partition(|path| is_dirty(code, root, path));
    let folder = &mut contexts.folders[root as usize];
    folder.touched = unsaved;
    let concerned = std::mem::take(&mut folder.concerned);
    let (unsaved, concerned): (BTreeSet<Box<str>>, BTreeSet<Box<str>>) = concerned
        .into_iter()
        .partition(|path| is_dirty(code, root, path));
    contexts.folders[root as usize].touched.extend(unsaved);
    let mut changed = if complete {
        types(code, root, rules)
    } else {
        let paths = touched.union(&concerned);
        types_in(code, root, paths.map(|path| &**path), rules)
    };
    let removed = if complete {
        contexts.folders[root as usize].types_of.clear();
        Vec::new()
    } else {
        let (elsewhere, gone) = not_here_any_more(contexts, code, root, &touched, &changed, rules);
        changed.extend(elsewhere);
        gone
    };
    for now in &mut changed {
        now.project_id = project_of(code, root, now);
    }
    let folder = &mut contexts.folders[root as usize];
    for path in &touched {
        folder.types_of.remove(path);
    }
    for now in &changed {
        let known = folder.ledger.as_ref();
        let known = known.and_then(|ledger| ledger.shared_identity(&now.identity));
        let identity = known.unwrap_or_else(|| Arc::new(now.identity.clone()));
        for file in &now.files {
            let types = folder.types_of.entry(file.as_str().into()).or_default();
            if !types.iter().any(|known| **known == now.identity) {
                types.push(identity.clone());
            }
        }
    }
    // Names that mean another type now, or none: whoever has them depends on something else. Where
    // names are resolved, it is known who that is.
    let is_by_name = |path: &str| {
        language_of_path(path).is_some_and(|language| !dialect(language).is_resolved())
    };
    let names_change = !removed.is_empty()
        || folder.ledger.as_ref().is_some_and(|ledger| {
            let is_new = |now: &TypeNow| ledger.id_of(&now.identity).is_none();
            changed.iter().any(is_new)
        });
    if names_change && !complete && touched.iter().any(|path| is_by_name(path)) {
        let folder = &mut contexts.folders[root as usize];
        folder.needs_all = true;
        folder.touched.extend(touched);
        return batch(contexts, code, root);
    }
    Batch {
        changed,
        removed,
        complete,
        rehashed: false,
    }
}

/// Notes in which files names may mean other types than they did.
fn spread_changed_names(contexts: &mut Contexts, code: &mut Analysis) {
    take_module_hints(code);
    match code.take_changed_names() {
        AffectedNames::All => {
            let known = contexts.folders.iter_mut();
            known.for_each(|folder| folder.needs_all |= folder.ledger.is_some());
        }
        AffectedNames::In(files) => {
            for file in files {
                let Some(file) = code.index().file(FileId(file)) else {
                    continue;
                };
                let folder = contexts.folders.get_mut(file.root as usize);
                if let Some(folder) = folder.filter(|folder| folder.ledger.is_some()) {
                    folder.concerned.insert(file.path.clone());
                }
            }
        }
    }
}

/// Types that had a part in these files and have none: those that are written elsewhere too, and the
/// ids of those that are nowhere.
fn not_here_any_more(
    contexts: &Contexts,
    code: &Analysis,
    root: u32,
    touched: &BTreeSet<Box<str>>,
    now: &[TypeNow],
    rules: HashRules,
) -> (Vec<TypeNow>, Vec<String>) {
    let folder = &contexts.folders[root as usize];
    let before = touched.iter().filter_map(|path| folder.types_of.get(path));
    let before: BTreeSet<&Identity> = before.flatten().map(|known| &**known).collect();
    let now: BTreeSet<&Identity> = now.iter().map(|now| &now.identity).collect();
    let (mut elsewhere, mut gone) = (Vec::new(), Vec::new());
    for identity in before.difference(&now) {
        let unit = ItemKind::from_word(&identity.kind).map(|kind| IndexUnit {
            root,
            path: identity.fqn.clone(),
            kind: kind.as_str(),
            arity: identity.arity,
        });
        match unit.and_then(|unit| Some((find_type_unit(code, &unit)?, unit))) {
            Some((symbol, unit)) => elsewhere.push((unit, symbol)),
            None => {
                let ledger = folder.ledger.as_ref();
                gone.extend(ledger.and_then(|ledger| ledger.id_of(identity)));
            }
        }
    }
    let elsewhere = types_now(code, elsewhere, rules);
    (elsewhere, gone.into_iter().map(str::to_owned).collect())
}

/// The types that have a part in one of these files, as they are now.
fn types_in<'a>(
    code: &Analysis,
    root: u32,
    paths: impl Iterator<Item = &'a str>,
    rules: HashRules,
) -> Vec<TypeNow> {
    let mut units: BTreeSet<IndexUnit> = BTreeSet::new();
    for file in paths.filter_map(|path| code.index().file_id(root, path)) {
        let here = code.index().units_of(file).into_iter();
        units.extend(
            here.filter(|(_, place)| matches!(place, UnitLocation::Type(_)))
                .map(|(unit, _)| unit),
        );
    }
    let found = units.into_iter().filter_map(|unit| {
        // What stands for it may be in another file.
        let symbol = find_type_unit(code, &unit)?;
        Some((unit, symbol))
    });
    types_now(code, found.collect(), rules)
}

/// Returns the outline of a type as it is now; none where the type or its folder is gone.
pub(crate) fn outline_of_id(
    contexts: &Contexts,
    code: &Analysis,
    root: u32,
    id: &str,
) -> Option<Outline> {
    let folder = &contexts.folders[root as usize];
    let known = folder.ledger.as_ref()?.get(id)?;
    let symbol = find_type(code, root, &known.identity)?;
    let rules = folder.config.switches().hash_rules();
    let mut outline = type_outline(code, symbol, rules)?;
    // The ledger's may be longer: another type begins with the same letters.
    outline.id = known.id;
    Some(outline)
}

/// The projects of a root as `index.json` has them.
pub(crate) fn projects_of_index(code: &Analysis, root: u32) -> Vec<Project> {
    let model = code.projects()[root as usize].model();
    let all = model.map_or(&[][..], |model| model.all());
    let of_index = |project: &codecortex_project::Project| Project {
        id: project.id.clone(),
        name: project.name.clone(),
        path: project.path.clone(),
        tfm: project.tfm.clone(),
        hash: project.hash.clone(),
        ..Project::default()
    };
    all.iter().map(of_index).collect()
}

/// The project of a type: that of its first file.
fn project_of(code: &Analysis, root: u32, now: &TypeNow) -> String {
    let model = code.projects()[root as usize].model();
    let file = now.files.first();
    let project = model.zip(file).and_then(|(model, file)| {
        let id = model.project_of(file)?;
        model.get(id)
    });
    project.map_or_else(String::new, |project| project.id.clone())
}
