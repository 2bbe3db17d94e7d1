use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use super::*;
use crate::Whose;

fn place() -> (tempfile::TempDir, ConfinedFolder) {
    let place = tempfile::tempdir().unwrap();
    let folder = ConfinedFolder::open(place.path()).unwrap();
    (place, folder)
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn files_are_made_appended_to_replaced_and_moved() {
    let (place, folder) = place();
    folder.made("a").unwrap();
    assert_eq!(
        folder.made("b/c").unwrap_err().kind(),
        ErrorKind::NotFound,
        "one level is made"
    );
    folder.open_log("a/log").unwrap().write_all(b"1").unwrap();
    folder.open_log("a/log").unwrap().write_all(b"2").unwrap();
    folder
        .replace("a/whole", true, |file| file.write_all(b"all"))
        .unwrap();
    folder.rename("a/whole", "whole").unwrap();
    assert_eq!(folder.read("a/log").unwrap(), b"12");
    assert_eq!(text(&place.path().join("whole")), "all");
    assert!(folder.has_file("whole") && !folder.has_file("a") && !folder.has_file("b"));
    folder.remove("a/log").unwrap();
    folder.remove_folder("a").unwrap();
    assert_eq!(folder.entries().unwrap(), ["whole"]);
}

#[test]
fn a_replacement_that_fails_leaves_what_was() {
    let (place, folder) = place();
    fs::write(place.path().join("a"), "old").unwrap();
    let failed = folder.replace("a", false, |file| {
        file.write_all(b"ne")?;
        Err::<(), _>(ErrorKind::StorageFull.into())
    });
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!(text(&place.path().join("a")), "old");
    assert_eq!(folder.entries().unwrap(), ["a"]);
}

#[test]
fn a_path_leads_nowhere_else() {
    let (_place, folder) = place();
    for path in [
        "", ".", "..", "../a", "a/../b", "/a", "a//b", "a\\b", "a:b", "a/", "a\0b",
    ] {
        let error = folder.open_log(path).unwrap_err();
        assert_eq!(
            Refused::from_error(&error),
            Some(Refused::Outside),
            "{path:?}"
        );
        let error = folder.rename(path, "x").unwrap_err();
        assert_eq!(
            Refused::from_error(&error),
            Some(Refused::Outside),
            "{path:?}"
        );
    }
    assert!(folder.entries().unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn a_handle_stays_with_its_folder() {
    let (place, folder) = place();
    let inner = folder.made("a").unwrap();
    fs::rename(place.path().join("a"), place.path().join("b")).unwrap();
    std::os::unix::fs::symlink("/", place.path().join("a")).unwrap();
    inner
        .replace("x", false, |file| file.write_all(b"x"))
        .unwrap();
    assert_eq!(text(&place.path().join("b/x")), "x");
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, Mode, mkfifoat};

    fn refused<T: std::fmt::Debug>(result: io::Result<T>) -> Refused {
        Refused::from_error(&result.unwrap_err()).unwrap()
    }

    #[test]
    fn a_link_is_followed_at_no_level() {
        let (place, folder) = place();
        let (elsewhere, _) = super::place();
        fs::write(elsewhere.path().join("file"), "theirs").unwrap();
        symlink(elsewhere.path(), place.path().join("out")).unwrap();
        symlink(elsewhere.path().join("file"), place.path().join("file")).unwrap();
        symlink(
            elsewhere.path().join("absent"),
            place.path().join("dangling"),
        )
        .unwrap();
        symlink("loop", place.path().join("loop")).unwrap();
        let folder_link = Refused::NotAFolder(FolderEntryKind::Link);
        for path in ["out/file", "out/new", "out/a/b"] {
            assert_eq!(refused(folder.open_file(path)), folder_link, "{path}");
            assert_eq!(refused(folder.open_log(path)), folder_link, "{path}");
            assert_eq!(refused(folder.find(path)), folder_link, "{path}");
            assert_eq!(refused(folder.remove(path)), folder_link, "{path}");
            assert_eq!(refused(folder.rename("file", path)), folder_link, "{path}");
            assert_eq!(refused(folder.rename(path, "x")), folder_link, "{path}");
            let written = folder.replace(path, false, |file| file.write_all(b"x"));
            assert_eq!(refused(written), folder_link, "{path}");
        }
        assert_eq!(refused(folder.made("out/new")), folder_link);
        assert_eq!(refused(folder.made("out")), folder_link);
        assert_eq!(refused(folder.below("out")), folder_link);
        for path in ["file", "dangling", "loop", "out"] {
            let link = Refused::NotAFile(FolderEntryKind::Link);
            assert_eq!(refused(folder.open_file(path)), link, "{path}");
            assert_eq!(refused(folder.open_log(path)), link, "{path}");
            assert_eq!(refused(folder.open_to_write(path)), link, "{path}");
            assert_eq!(
                folder.create_file(path).unwrap_err().kind(),
                ErrorKind::AlreadyExists
            );
        }
        // The link itself may be moved, replaced and deleted.
        folder.rename("file", "moved").unwrap();
        folder
            .replace("moved", false, |file| file.write_all(b"x"))
            .unwrap();
        folder.remove("out").unwrap();
        assert_eq!(text(&elsewhere.path().join("file")), "theirs");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
        assert!(folder.has_file("moved"));
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let (place, folder) = place();
        mkfifoat(CWD, place.path().join("pipe"), Mode::from_raw_mode(0o600)).unwrap();
        let _socket = UnixListener::bind(place.path().join("socket")).unwrap();
        fs::create_dir(place.path().join("folder")).unwrap();
        for (path, kind) in [
            ("pipe", FolderEntryKind::Pipe),
            ("socket", FolderEntryKind::Socket),
            ("folder", FolderEntryKind::Folder),
        ] {
            for opened in [
                folder.open_file(path),
                folder.open_log(path),
                folder.open_to_write(path),
            ] {
                assert_eq!(refused(opened), Refused::NotAFile(kind), "{path}");
            }
        }
        assert_eq!(
            refused(folder.below("pipe/x")),
            Refused::NotAFolder(FolderEntryKind::Pipe)
        );
        // A pipe that is replaced is gone; nobody waited for its other end.
        folder
            .replace("pipe", false, |file| file.write_all(b"x"))
            .unwrap();
        assert_eq!(folder.read("pipe").unwrap(), b"x");
    }

    #[test]
    fn a_hard_link_is_a_file_and_a_replacement_leaves_the_other_name_alone() {
        let (place, folder) = place();
        fs::write(place.path().join("a"), "old").unwrap();
        fs::hard_link(place.path().join("a"), place.path().join("b")).unwrap();
        let mut old = String::new();
        let mut file = folder.open_file("b").unwrap();
        file.read_to_string(&mut old).unwrap();
        folder
            .replace("b", false, |file| file.write_all(b"new"))
            .unwrap();
        assert_eq!(
            (old.as_str(), text(&place.path().join("a")).as_str()),
            ("old", "old")
        );
    }

    #[test]
    fn a_replacement_keeps_who_may_read() {
        let (place, folder) = place();
        fs::write(place.path().join("a"), "old").unwrap();
        fs::set_permissions(place.path().join("a"), fs::Permissions::from_mode(0o640)).unwrap();
        folder
            .replace("a", false, |file| file.write_all(b"new"))
            .unwrap();
        let mode = fs::metadata(place.path().join("a")).unwrap();
        assert_eq!(mode.permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn half_files_of_the_dead_are_swept_on_all_levels_and_no_others() {
        let (place, folder) = place();
        let (elsewhere, _) = super::place();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let me = crate::partial_files::half_name();
        let gone = me.replace(
            &format!(".{}.", std::process::id()),
            &format!(".{}.", child.id()),
        );
        assert_ne!(me, gone);
        fs::create_dir_all(place.path().join("a/b")).unwrap();
        symlink(elsewhere.path(), place.path().join("a/out")).unwrap();
        for folder in [
            place.path().to_path_buf(),
            place.path().join("a/b"),
            elsewhere.path().to_path_buf(),
        ] {
            for name in [me.as_str(), &gone, ".writing-Ab1", "whole"] {
                fs::write(folder.join(name), "x").unwrap();
            }
        }
        let left = |folder: &Path| {
            let names = fs::read_dir(folder).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.retain(|name| name != "a");
            names.sort();
            names
        };
        folder.sweep(Whose::TheDead);
        let mut all = vec![".writing-Ab1".to_owned(), me.clone(), "whole".to_owned()];
        all.sort();
        assert_eq!(left(place.path()), all);
        folder.sweep(Whose::TheNameless);
        for inner in [place.path().to_path_buf(), place.path().join("a/b")] {
            assert_eq!(left(&inner), [me.clone(), "whole".to_owned()]);
        }
        assert_eq!(left(elsewhere.path()).len(), 4, "a link is not followed");
    }
}
