//! The file `lib/modules` of a JDK: all classes of its modules (`jimage`, version 1).
//!
//! A header, a perfect hash table of names, their attributes, their texts, then the contents. Only the table is read when the
//! image is opened; a class is one more read. The layout is that of OpenJDK's `src/java.base/share/native/libjimage`.

use std::fmt;

use super::{ClassSource, class_file::ClassFile};

/// Reads a part of a file; a host gives the file, a test a slice.
pub trait ReadRange {
    /// `length` bytes from `offset` on; `None` if the file does not have them or they cannot be read.
    fn read_range(&self, offset: u64, length: usize) -> Option<Vec<u8>>;
}

impl ReadRange for &[u8] {
    fn read_range(&self, offset: u64, length: usize) -> Option<Vec<u8>> {
        let start = usize::try_from(offset).ok()?;
        Some(self.get(start..start.checked_add(length)?)?.to_vec())
    }
}

/// Why a JDK's image is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageProblem {
    /// The file is cut off, or is no image.
    Malformed,
    /// Another version of the format, or another byte order.
    Version,
}

impl fmt::Display for ImageProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Malformed => "it is cut off or no image of a JDK",
            Self::Version => "its version or byte order of the format is not known",
        })
    }
}

const HEADER_BYTES: usize = 28;
const MAGIC: u32 = 0xCAFE_DADA;
/// The major version in the upper half.
const VERSION: u32 = 1 << 16;
/// A larger index, or a larger class, is none that a JDK has: OpenJDK's index takes 2 MB.
const MAX_INDEX_BYTES: usize = 64 << 20;
const MAX_RESOURCE_BYTES: u64 = 16 << 20;
/// The multiplier of the hash, and its seed.
const HASH_SEED: u32 = 0x0100_0193;

/// An opened image.
pub struct JdkImage<'a> {
    file: &'a dyn ReadRange,
    /// The index behind the header: redirections, offsets, locations, texts.
    index: Vec<u8>,
    table_length: usize,
    locations: usize,
    strings: usize,
    contents: u64,
}

impl fmt::Debug for JdkImage<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("JdkImage");
        debug
            .field("table_length", &self.table_length)
            .finish_non_exhaustive()
    }
}

/// What an image says of one resource.
#[derive(Clone, Copy, Default)]
struct ResourceLocation {
    module: usize,
    parent: usize,
    base: usize,
    extension: usize,
    offset: u64,
    /// Zero: it is stored as it is.
    compressed: u64,
    length: u64,
}

impl<'a> JdkImage<'a> {
    /// Reads the index of an image.
    ///
    /// # Errors
    ///
    /// An [`ImageProblem`] if the file is no image of a known layout.
    pub fn open(file: &'a dyn ReadRange) -> Result<Self, ImageProblem> {
        let header = file
            .read_range(0, HEADER_BYTES)
            .ok_or(ImageProblem::Malformed)?;
        let field = |number: usize| int_at(&header, number * 4).ok_or(ImageProblem::Malformed);
        let size = |number: usize| {
            let size = usize::try_from(field(number)?).map_err(|_| ImageProblem::Malformed)?;
            (size <= MAX_INDEX_BYTES)
                .then_some(size)
                .ok_or(ImageProblem::Malformed)
        };
        match field(0)? {
            MAGIC if field(1)? & 0xFFFF_0000 == VERSION => {}
            MAGIC => return Err(ImageProblem::Version),
            other if other == MAGIC.swap_bytes() => return Err(ImageProblem::Version),
            _ => return Err(ImageProblem::Malformed),
        }
        let (table_length, locations, strings) = (size(4)?, size(5)?, size(6)?);
        let length = table_length * 8 + locations + strings;
        if length > MAX_INDEX_BYTES {
            return Err(ImageProblem::Malformed);
        }
        let index = file
            .read_range(HEADER_BYTES as u64, length)
            .ok_or(ImageProblem::Malformed)?;
        Ok(Self {
            file,
            index,
            table_length,
            locations: table_length * 8,
            strings: table_length * 8 + locations,
            contents: (HEADER_BYTES + length) as u64,
        })
    }

    /// The names of all modules' classes: the module, and the class with `/` between packages.
    pub fn classes(&self) -> impl Iterator<Item = (&str, String)> {
        (0..self.table_length).filter_map(|slot| {
            let location = self.location(slot)?;
            let is_class = self.string(location.extension)? == "class";
            let module = self
                .string(location.module)
                .filter(|module| !module.is_empty())?;
            let (parent, base) = (self.string(location.parent)?, self.string(location.base)?);
            is_class.then(|| match parent {
                "" => (module, base.to_owned()),
                _ => (module, format!("{parent}/{base}")),
            })
        })
    }

    /// Packages that a module exports to everybody, with `/`.
    #[must_use]
    pub fn exported_packages(&self, module: &str) -> Vec<String> {
        let bytes = self
            .resource(&format!("/{module}/module-info.class"))
            .unwrap_or_default();
        match ClassFile::read(&bytes) {
            Ok(class) => class.exports.into_iter().map(str::to_owned).collect(),
            Err(_) => Vec::new(),
        }
    }

    /// The module with a package's classes.
    fn module_of(&self, package: &str) -> Option<&str> {
        let rows = self.resource(&format!("/packages/{}", package.replace('/', ".")))?;
        // a row is whether the package is empty in the module, and where the module's name is
        rows.chunks_exact(8)
            .find(|row| int_at(row, 0) == Some(0))
            .and_then(|row| self.string(usize::try_from(int_at(row, 4)?).ok()?))
    }

    /// The content of a resource, `/java.base/java/util/List.class`. A compressed one is not read.
    fn resource(&self, path: &str) -> Option<Vec<u8>> {
        let location = self.location(self.slot(path)?)?;
        let name = self.path(&location)?;
        if name != path || location.compressed != 0 || location.length > MAX_RESOURCE_BYTES {
            return None;
        }
        let offset = self.contents.checked_add(location.offset)?;
        self.file
            .read_range(offset, usize::try_from(location.length).ok()?)
    }

    /// Where the table has a name, if it has it.
    fn slot(&self, path: &str) -> Option<usize> {
        let length = u32::try_from(self.table_length)
            .ok()
            .filter(|&length| length > 0)?;
        let first = hash(path, HASH_SEED) % length;
        let redirection = int_at(&self.index, usize::try_from(first).ok()? * 4)?.cast_signed();
        let slot = match redirection {
            0 => return None,
            seed if seed > 0 => hash(path, seed.cast_unsigned()) % length,
            slot => (-1_i32).checked_sub(slot)?.cast_unsigned(),
        };
        usize::try_from(slot)
            .ok()
            .filter(|&slot| slot < self.table_length)
    }

    /// A row of the table: numbers of one to eight bytes, each behind a byte with its kind and length.
    fn location(&self, slot: usize) -> Option<ResourceLocation> {
        let offset = usize::try_from(int_at(&self.index, (self.table_length + slot) * 4)?).ok()?;
        let mut bytes = self
            .index
            .get(self.locations.checked_add(offset)?..self.strings)?;
        let mut location = ResourceLocation::default();
        loop {
            let (&head, tail) = bytes.split_first()?;
            if head >> 3 == 0 {
                return Some(location);
            }
            let (number, tail) = tail.split_at_checked(usize::from(head & 7) + 1)?;
            let value = number
                .iter()
                .fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
            let index = usize::try_from(value).ok()?;
            match head >> 3 {
                1 => location.module = index,
                2 => location.parent = index,
                3 => location.base = index,
                4 => location.extension = index,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.length = value,
                _ => return None,
            }
            bytes = tail;
        }
    }

    fn string(&self, offset: usize) -> Option<&str> {
        let bytes = self.index.get(self.strings.checked_add(offset)?..)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        std::str::from_utf8(bytes.get(..end)?).ok()
    }

    fn path(&self, location: &ResourceLocation) -> Option<String> {
        let mut path = String::new();
        for (part, before, after) in [
            (location.module, "/", "/"),
            (location.parent, "", "/"),
            (location.base, "", ""),
            (location.extension, ".", ""),
        ] {
            let part = self.string(part)?;
            if !part.is_empty() {
                path.extend([before, part, after]);
            }
        }
        Some(path)
    }
}

impl ClassSource for JdkImage<'_> {
    fn class(&self, name: &str) -> Option<Vec<u8>> {
        let (package, _) = name.rsplit_once('/')?;
        self.resource(&format!("/{}/{name}.class", self.module_of(package)?))
    }

    fn contains(&self, name: &str) -> bool {
        name.rsplit_once('/')
            .and_then(|(package, _)| self.module_of(package))
            .is_some_and(|module| {
                let path = format!("/{module}/{name}.class");
                let slot = self.slot(&path).and_then(|slot| self.location(slot));
                slot.and_then(|location| self.path(&location))
                    .is_some_and(|found| found == path)
            })
    }
}

fn int_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn hash(path: &str, seed: u32) -> u32 {
    let step = |hash: u32, byte: u8| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte);
    path.bytes().fold(seed, step) & 0x7FFF_FFFF
}
