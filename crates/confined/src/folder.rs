//! A folder by its handle.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::entry_info::{EntryInfo, FolderEntryKind, Refused};

/// A folder that is open. What is below it is reached through its handle, whatever becomes of its path meanwhile.
#[derive(Debug)]
pub struct ConfinedFolder {
    dir: Dir,
    path: PathBuf,
}

impl ConfinedFolder {
    /// Opens a folder that a person named; links in its own path are followed.
    ///
    /// # Errors
    /// What the system says, such as that it is not there.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            dir: Dir::open_ambient_dir(path, ambient_authority())?,
            path: path.to_path_buf(),
        })
    }

    /// Opens a folder below this one, level by level.
    ///
    /// # Errors
    /// [`Refused`] where a level is no folder; what the system says otherwise.
    pub fn below(&self, path: &str) -> io::Result<Self> {
        let mut folder = Self {
            dir: self.dir.try_clone()?,
            path: self.path.clone(),
        };
        for name in parts(path)? {
            folder = folder.inner(name)?;
        }
        Ok(folder)
    }

    /// The same, and its last level is made where it is not there.
    ///
    /// # Errors
    /// Those of [`ConfinedFolder::below`]; `NotFound` where more than the last level is missing.
    pub fn made(&self, path: &str) -> io::Result<Self> {
        let (folder, name) = self.holder(path)?;
        match folder.inner(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            opened => return opened,
        }
        match folder.dir.create_dir(name) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => folder.inner(name),
        }
    }

    /// Where it was when it was opened, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What tells it from another folder that took its place.
    ///
    /// # Errors
    /// What the system says.
    pub fn id(&self) -> io::Result<(u64, u64)> {
        Ok(EntryInfo::of_entry(&self.dir.dir_metadata()?).id)
    }

    /// Looks at an entry without opening it.
    ///
    /// # Errors
    /// `NotFound` where it is not there; those of [`ConfinedFolder::below`].
    pub fn find(&self, path: &str) -> io::Result<EntryInfo> {
        let (folder, name) = self.holder(path)?;
        Ok(EntryInfo::of_entry(&folder.dir.symlink_metadata(name)?))
    }

    /// Whether a regular file is there.
    #[must_use]
    pub fn has_file(&self, path: &str) -> bool {
        self.find(path)
            .is_ok_and(|found| found.kind == FolderEntryKind::File)
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// [`Refused`] where it is not a regular file; what the system says otherwise.
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        self.open_with(path, OpenOptions::new().read(true))
    }

    /// Opens a file for reading and appending; it is made where it is not there, its folder is not.
    ///
    /// # Errors
    /// Those of [`ConfinedFolder::open_file`].
    pub fn open_log(&self, path: &str) -> io::Result<File> {
        self.open_with(
            path,
            OpenOptions::new().read(true).append(true).create(true),
        )
    }

    /// Opens a file for writing that is there.
    ///
    /// # Errors
    /// Those of [`ConfinedFolder::open_file`].
    pub fn open_to_write(&self, path: &str) -> io::Result<File> {
        self.open_with(path, OpenOptions::new().write(true))
    }

    /// Makes a file that must not be there yet.
    ///
    /// # Errors
    /// `AlreadyExists` where anything is there; those of [`ConfinedFolder::below`].
    pub fn create_file(&self, path: &str) -> io::Result<File> {
        let (folder, name) = self.holder(path)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let file = folder
            .dir
            .open_with(name, options.follow(FollowSymlinks::No))?;
        Ok(file.into_std())
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// Those of [`ConfinedFolder::open_file`].
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open_file(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Gives an entry another name; what has that name is replaced. A link is moved itself.
    ///
    /// # Errors
    /// Those of [`ConfinedFolder::below`] for either path; what the system says.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) = (self.holder(from)?, self.holder(to)?);
        from_folder.dir.rename(from, &to_folder.dir, to)
    }

    /// Deletes a file; of a link the link itself.
    ///
    /// # Errors
    /// `NotFound` where it is not there; those of [`ConfinedFolder::below`].
    pub fn remove(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.holder(path)?;
        folder.dir.remove_file_or_symlink(name)
    }

    /// Deletes a folder that is empty.
    ///
    /// # Errors
    /// Those of [`ConfinedFolder::below`]; what the system says of one that is not.
    pub fn remove_folder(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.holder(path)?;
        folder.dir.remove_dir(name)
    }

    /// The entries of this folder by their names, in no order. A name that is no Unicode is none of ours.
    ///
    /// # Errors
    /// What the system says.
    pub fn entries(&self) -> io::Result<Vec<String>> {
        let entries = self.dir.entries()?.filter_map(Result::ok);
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        Ok(names.collect())
    }

    /// One level below; a link is no folder.
    fn inner(&self, name: &str) -> io::Result<Self> {
        let dir = self.dir.open_dir_nofollow(name).map_err(|error| {
            match self.dir.symlink_metadata(name) {
                Ok(found) if !found.is_dir() => {
                    Refused::NotAFolder(EntryInfo::of_entry(&found).kind).into()
                }
                _ => error,
            }
        })?;
        Ok(Self {
            dir,
            path: self.path.join(name),
        })
    }

    /// The folder that a path's last part is in, and that part.
    pub(crate) fn holder<'p>(&self, path: &'p str) -> io::Result<(Holder<'_>, &'p str)> {
        let Some((above, name)) = path.rsplit_once('/') else {
            parts(path)?;
            return Ok((Holder::Own(self), path));
        };
        parts(name)?;
        Ok((Holder::Inner(self.below(above)?), name))
    }

    fn open_with(&self, path: &str, options: &mut OpenOptions) -> io::Result<File> {
        let (folder, name) = self.holder(path)?;
        // A pipe or a device does something when it is opened, so it is looked at before.
        let before = match folder.dir.symlink_metadata(name) {
            Ok(found) => Some(EntryInfo::of_entry(&found)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(EntryInfo { kind, .. }) = before
            && kind != FolderEntryKind::File
        {
            return Err(Refused::NotAFile(kind).into());
        }
        no_waiting(options);
        let file = folder
            .dir
            .open_with(name, options.follow(FollowSymlinks::No))?
            .into_std();
        // It may have become something else between the two.
        match EntryInfo::from_metadata(&file.metadata()?).kind {
            FolderEntryKind::File => Ok(file),
            kind => Err(Refused::NotAFile(kind).into()),
        }
    }
}

/// A folder that is ours or was opened for the moment.
pub(crate) enum Holder<'f> {
    Own(&'f ConfinedFolder),
    Inner(ConfinedFolder),
}

impl std::ops::Deref for Holder<'_> {
    type Target = ConfinedFolder;

    fn deref(&self) -> &ConfinedFolder {
        match self {
            Self::Own(folder) => folder,
            Self::Inner(folder) => folder,
        }
    }
}

/// The parts of a path, each a name on every system.
fn parts(path: &str) -> io::Result<std::str::Split<'_, char>> {
    let is_name =
        |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    match path.split('/').all(is_name) {
        true => Ok(path.split('/')),
        false => Err(Refused::Outside.into()),
    }
}

/// Nobody waits for the other end of a pipe that took a file's place.
#[cfg(unix)]
fn no_waiting(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt;
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
}

#[cfg(not(unix))]
fn no_waiting(_: &mut OpenOptions) {}

#[cfg(test)]
mod tests;
