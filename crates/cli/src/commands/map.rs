//! `codecortex map`: the map of a workspace's declarations as a file (SPEC RM1, `003` §5.2).

use std::fs;

use codecortex_context::map::file::MapFile;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::args::{MapAction, MapArgs, MapBuildArgs, MapLoadArgs};
use crate::failure::Failure;
use crate::out_file::write_whole;
use crate::output;

pub(crate) fn run(command: &MapArgs) -> Result<i32, Failure> {
    match &command.action {
        MapAction::Build(args) => build(args),
        MapAction::Load(args) => load(args),
    }
}

fn build(args: &MapBuildArgs) -> Result<i32, Failure> {
    let (include, exclude) = (patterns(&args.include)?, patterns(&args.exclude)?);
    let mut workspace = args.workspace.open()?;
    let is_wanted = |path: &str| {
        let matches =
            |globs: &Gitignore| globs.matched_path_or_any_parents(path, false).is_ignore();
        (include.is_empty() || matches(&include)) && !matches(&exclude)
    };
    let map = MapFile::build(&workspace.analysis(), is_wanted);
    let map = within(map, args.budget);
    let text = serde_json::to_string(&map).unwrap_or_default();
    match &args.out {
        None => output::print_exact(&text)?,
        Some(path) => {
            let what = "the map cannot be written";
            write_whole(path, what, |out| {
                writeln!(out, "{text}").map_err(|source| Failure::Io { what, source })
            })?;
            let count = map.items.len();
            output::warn(&format!("{}: {count} files, {}", path.display(), map.hash));
        }
    }
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(0)
}

fn load(args: &MapLoadArgs) -> Result<i32, Failure> {
    let wrong = |reason: String| Failure::Map {
        path: args.file.display().to_string(),
        reason,
    };
    let text = fs::read_to_string(&args.file).map_err(|error| wrong(error.to_string()))?;
    let map = MapFile::load(&text).map_err(wrong)?;
    let workspace = args.workspace.open()?;
    let stale = map.stale(&workspace.analysis());
    if !stale.is_empty() {
        let shown = stale[..stale.len().min(10)].join(", ");
        output::warn(&format!("{} files are others now: {shown}", stale.len()));
    }
    let map = within(map, args.budget);
    output::print_exact(&serde_json::to_string(&map).unwrap_or_default())?;
    workspace.leave();
    Ok(0)
}

fn within(map: MapFile, budget: Option<u32>) -> MapFile {
    let Some(tokens) = budget else {
        return map;
    };
    let (map, left_out) = map.within(tokens);
    if left_out > 0 {
        output::warn(&format!("{left_out} files have no room"));
    }
    map
}

fn patterns(globs: &[String]) -> Result<Gitignore, Failure> {
    let mut builder = GitignoreBuilder::new("");
    let built = globs
        .iter()
        .try_for_each(|glob| builder.add_line(None, glob).map(|_| ()))
        .and_then(|()| builder.build());
    built.map_err(|error| Failure::Map {
        path: globs.join(", "),
        reason: error.to_string(),
    })
}
