//! `Binds.Cache` and `Binds.Cache.Headers`: what a cook of a game leaves for its scripts.
//!
//! Archives without a header: 32-bit numbers and lengths, the least significant byte first, and strings with their
//! length. The layout differs between versions of the plugin, so one that is not read to its last byte is refused.

use crate::script::{is_identifier, is_path};
use crate::type_description::{DescribedDeclaration, DescribedMember, DescribedShape};

/// What a cache says.
#[derive(Debug, Default)]
pub(crate) struct Binds {
    pub(crate) types: Vec<DescribedDeclaration>,
    /// The engine's path of each type.
    pub(crate) paths: Vec<(String, String)>,
}

/// Reads a cache; `None` where its layout is another one.
pub(crate) fn read(bytes: &[u8]) -> Option<Binds> {
    let mut archive = Archive { rest: bytes };
    let mut binds = Binds::default();
    for _ in 0..archive.count()? {
        let (name, path) = (archive.string()?, archive.string()?);
        let members = archive.properties()?;
        binds.add(name, path, DescribedShape::Struct, members);
    }
    let mut statics: Vec<DescribedDeclaration> = Vec::new();
    for _ in 0..archive.count()? {
        let (name, path) = (archive.string()?, archive.string()?);
        let mut members = Vec::new();
        for _ in 0..archive.count()? {
            let method = archive.method()?;
            match method.namespace {
                None => members.push(method.member),
                Some(namespace) => {
                    let known = statics.iter_mut().find(|of| of.name == namespace);
                    match known {
                        Some(known) => known.members.push(method.member),
                        None => statics.push(DescribedDeclaration {
                            members: vec![method.member],
                            ..DescribedDeclaration::new(&namespace, DescribedShape::Namespace)
                        }),
                    }
                }
            }
        }
        members.extend(archive.properties()?);
        binds.add(name, path, DescribedShape::Class, members);
    }
    binds.types.extend(statics);
    archive.rest.is_empty().then_some(binds)
}

/// Reads which header each path of the engine is declared in.
pub(crate) fn read_headers(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let mut archive = Archive { rest: bytes };
    let mut headers = Vec::new();
    for _ in 0..archive.count()? {
        headers.push((archive.string()?, archive.string()?));
    }
    archive.rest.is_empty().then_some(headers)
}

impl Binds {
    fn add(
        &mut self,
        name: String,
        path: String,
        shape: DescribedShape,
        members: Vec<DescribedMember>,
    ) {
        self.types.push(DescribedDeclaration {
            members,
            ..DescribedDeclaration::new(&name, shape)
        });
        self.paths.push((name, path));
    }
}

struct Method {
    member: DescribedMember,
    /// Where it is declared, if not in its class.
    namespace: Option<String>,
}

struct Archive<'b> {
    rest: &'b [u8],
}

impl<'b> Archive<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<i32> {
        let bytes = self.take(4)?;
        Some(i32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// How many entries follow; each has four bytes at least.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.rest.len() / 4).then_some(count)
    }

    /// Yes or no in four bytes; another number is a sign of another layout.
    fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// A length with the final zero, negative where the text is UTF-16.
    fn string(&mut self) -> Option<String> {
        let length = self.number()?;
        let units = usize::try_from(length.unsigned_abs()).ok()?;
        let text = match length < 0 {
            true => {
                let bytes = self.take(units.checked_mul(2)?)?;
                let units = bytes.chunks_exact(2);
                let units = units.map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
                String::from_utf16_lossy(&units.collect::<Vec<u16>>())
            }
            false => String::from_utf8_lossy(self.take(units)?).into_owned(),
        };
        match text.strip_suffix('\0') {
            Some(text) => Some(text.to_owned()),
            None if text.is_empty() => Some(text),
            None => None,
        }
    }

    fn properties(&mut self) -> Option<Vec<DescribedMember>> {
        let mut all = Vec::new();
        for _ in 0..self.count()? {
            let (declaration, path) = (self.string()?, self.string()?);
            for _ in 0..5 {
                self.flag()?;
            }
            self.string()?;
            self.flag()?;
            self.flag()?;
            // Of a bit in a field only the name is there.
            let text = match declaration.as_str() {
                "" => format!("bool {path}"),
                declaration => declaration.trim_end_matches(';').to_owned(),
            };
            let name = text.rsplit([' ', '&']).next().unwrap_or("");
            if is_identifier(name) && is_plain(&text) {
                all.push(DescribedMember {
                    text,
                    ..DescribedMember::default()
                });
            }
        }
        Some(all)
    }

    fn method(&mut self) -> Option<Method> {
        let (declaration, _path) = (self.string()?, self.string()?);
        let _is_static_in_unreal = self.flag()?;
        let is_static = self.flag()?;
        let is_global = self.flag()?;
        self.flag()?;
        self.flag()?;
        self.take(2)?;
        let (class, _name) = (self.string()?, self.string()?);
        let namespace = match (is_static, is_global) {
            (_, true) => Some(String::new()),
            (true, _) if is_path(&class) => Some(class),
            _ => None,
        };
        let text = match is_plain(&declaration) && declaration.contains('(') {
            true => format!("{declaration} {{}}"),
            // it counts as read, and declares nothing
            false => ";".to_owned(),
        };
        Some(Method {
            member: DescribedMember {
                text,
                ..DescribedMember::default()
            },
            namespace,
        })
    }
}

/// Whether a declaration can stand among others without ending one early.
fn is_plain(text: &str) -> bool {
    let mut depth = 0_i32;
    let is_known = text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0 && !matches!(c, '{' | '}' | ';' | '\n' | '\r' | '#')
    });
    is_known && depth == 0 && text.matches('"').count().is_multiple_of(2)
}
