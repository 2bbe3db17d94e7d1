//! What a class file declares (JVM specification, chapter 4); code is stepped over.
//!
//! Nothing is copied and nothing is reserved by a count that the file states, so a hostile file costs at most its own length.

/// What ends the reading of a class file: it is cut off, or no class file at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MalformedClass;

type Result<T> = std::result::Result<T, MalformedClass>;

/// Access flags (JVM specification, tables 4.1-B, 4.5-A, 4.6-A and 4.7.6-A).
pub(super) mod access {
    pub(in super::super) const PUBLIC: u16 = 0x0001;
    pub(in super::super) const PRIVATE: u16 = 0x0002;
    pub(in super::super) const PROTECTED: u16 = 0x0004;
    pub(in super::super) const STATIC: u16 = 0x0008;
    pub(in super::super) const FINAL: u16 = 0x0010;
    pub(in super::super) const VARARGS: u16 = 0x0080;
    pub(in super::super) const INTERFACE: u16 = 0x0200;
    pub(in super::super) const ABSTRACT: u16 = 0x0400;
    pub(in super::super) const SYNTHETIC: u16 = 0x1000;
    pub(in super::super) const ANNOTATION: u16 = 0x2000;
    pub(in super::super) const ENUM: u16 = 0x4000;
}

/// Bytes that are read from the front.
#[derive(Clone, Copy)]
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(length).ok_or(MalformedClass)?;
        self.0 = tail;
        Ok(head)
    }

    fn byte(&mut self) -> Result<u8> {
        let (&byte, tail) = self.0.split_first().ok_or(MalformedClass)?;
        self.0 = tail;
        Ok(byte)
    }

    fn short(&mut self) -> Result<u16> {
        let (bytes, tail) = self.0.split_first_chunk().ok_or(MalformedClass)?;
        self.0 = tail;
        Ok(u16::from_be_bytes(*bytes))
    }

    fn int(&mut self) -> Result<u32> {
        let (bytes, tail) = self.0.split_first_chunk().ok_or(MalformedClass)?;
        self.0 = tail;
        Ok(u32::from_be_bytes(*bytes))
    }
}

/// A constant that a declaration can refer to.
#[derive(Clone, Copy)]
enum Constant<'a> {
    Text(&'a [u8]),
    /// A class, module or package: the index of its name.
    Named(u16),
    Other,
}

/// The constants, by index.
struct Constants<'a>(Vec<Constant<'a>>);

impl<'a> Constants<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = usize::from(cursor.short()?);
        let mut constants = vec![Constant::Other];
        while constants.len() < count {
            let constant = match cursor.byte()? {
                1 => {
                    let length = cursor.short()?;
                    Constant::Text(cursor.take(usize::from(length))?)
                }
                7 | 19 | 20 => Constant::Named(cursor.short()?),
                3 | 4 | 9..=12 | 17 | 18 => {
                    cursor.int()?;
                    Constant::Other
                }
                // a long or a double takes two indices
                5 | 6 => {
                    cursor.take(8)?;
                    constants.push(Constant::Other);
                    Constant::Other
                }
                8 | 16 => {
                    cursor.short()?;
                    Constant::Other
                }
                15 => {
                    cursor.take(3)?;
                    Constant::Other
                }
                _ => return Err(MalformedClass),
            };
            constants.push(constant);
        }
        Ok(Self(constants))
    }

    fn get(&self, index: u16) -> Option<Constant<'a>> {
        self.0.get(usize::from(index)).copied()
    }

    /// A text. The JVM's own UTF-8 differs in NUL and beyond the basic plane alone; such a name is none of Java's libraries'.
    fn text(&self, index: u16) -> Option<&'a str> {
        match self.get(index)? {
            Constant::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    fn name(&self, index: u16) -> Option<&'a str> {
        match self.get(index)? {
            Constant::Named(text) => self.text(text),
            _ => None,
        }
    }
}

/// A field, a method or a component of a record.
#[derive(Clone, Debug)]
pub(super) struct ClassMember<'a> {
    pub(super) access: u16,
    pub(super) name: &'a str,
    pub(super) descriptor: &'a str,
    /// The type with its arguments, where it has some.
    pub(super) signature: Option<&'a str>,
    pub(super) is_deprecated: bool,
}

/// A row of the `InnerClasses` attribute: a class that is a member of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct NestedClass<'a> {
    /// As in class files, `java/util/Map$Entry`.
    pub(super) name: &'a str,
    /// The class around it.
    pub(super) outer: &'a str,
    /// As in sources, `Entry`.
    pub(super) simple_name: &'a str,
    pub(super) access: u16,
}

/// The declarations of a class file.
#[derive(Debug)]
pub(super) struct ClassFile<'a> {
    pub(super) access: u16,
    /// With `/` between packages.
    pub(super) name: &'a str,
    pub(super) superclass: Option<&'a str>,
    pub(super) interfaces: Vec<&'a str>,
    pub(super) signature: Option<&'a str>,
    pub(super) fields: Vec<ClassMember<'a>>,
    pub(super) methods: Vec<ClassMember<'a>>,
    /// The components, if it is a record.
    pub(super) components: Option<Vec<ClassMember<'a>>>,
    pub(super) nested: Vec<NestedClass<'a>>,
    pub(super) is_deprecated: bool,
    pub(super) is_functional: bool,
    /// Packages that a module exports to everybody, with `/`.
    pub(super) exports: Vec<&'a str>,
}

impl<'a> ClassFile<'a> {
    /// Reads a class file, or the `module-info.class` of a module.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor(bytes);
        if cursor.int()? != 0xCAFE_BABE {
            return Err(MalformedClass);
        }
        cursor.int()?; // the version: what is read has the same layout in all of them
        let constants = Constants::read(&mut cursor)?;
        let access = cursor.short()?;
        let name = constants.name(cursor.short()?).ok_or(MalformedClass)?;
        let superclass = constants.name(cursor.short()?);
        let mut interfaces = Vec::new();
        for _ in 0..cursor.short()? {
            interfaces.extend(constants.name(cursor.short()?));
        }
        let mut class = Self {
            access,
            name,
            superclass,
            interfaces,
            signature: None,
            fields: members(&mut cursor, &constants)?,
            methods: members(&mut cursor, &constants)?,
            components: None,
            nested: Vec::new(),
            is_deprecated: false,
            is_functional: false,
            exports: Vec::new(),
        };
        class.read_attributes(&mut cursor, &constants)?;
        Ok(class)
    }

    fn read_attributes(
        &mut self,
        cursor: &mut Cursor<'a>,
        constants: &Constants<'a>,
    ) -> Result<()> {
        for _ in 0..cursor.short()? {
            let (name, mut value) = attribute(cursor, constants)?;
            match name {
                "Signature" => self.signature = constants.text(value.short()?),
                "Deprecated" => self.is_deprecated = true,
                "RuntimeVisibleAnnotations" => {
                    self.is_functional |= is_functional(&mut value, constants)?;
                }
                "InnerClasses" => self.nested = nested_classes(&mut value, constants)?,
                "Record" => self.components = Some(components(&mut value, constants)?),
                "Module" => self.exports = exported_packages(&mut value, constants)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// An attribute's name, empty if it has none that can be read, and its content.
fn attribute<'a>(
    cursor: &mut Cursor<'a>,
    constants: &Constants<'a>,
) -> Result<(&'a str, Cursor<'a>)> {
    let name = constants.text(cursor.short()?).unwrap_or_default();
    let length = usize::try_from(cursor.int()?).map_err(|_| MalformedClass)?;
    Ok((name, Cursor(cursor.take(length)?)))
}

fn members<'a>(cursor: &mut Cursor<'a>, constants: &Constants<'a>) -> Result<Vec<ClassMember<'a>>> {
    let mut members = Vec::new();
    for _ in 0..cursor.short()? {
        let access = cursor.short()?;
        members.extend(member(access, cursor, constants)?);
    }
    Ok(members)
}

/// What follows a member's access flags; `None` if its name or type cannot be read.
fn member<'a>(
    access: u16,
    cursor: &mut Cursor<'a>,
    constants: &Constants<'a>,
) -> Result<Option<ClassMember<'a>>> {
    let name = constants.text(cursor.short()?);
    let descriptor = constants.text(cursor.short()?);
    let (mut signature, mut is_deprecated) = (None, false);
    for _ in 0..cursor.short()? {
        let (attribute, mut value) = attribute(cursor, constants)?;
        match attribute {
            "Signature" => signature = constants.text(value.short()?),
            "Deprecated" => is_deprecated = true,
            _ => {}
        }
    }
    let (Some(name), Some(descriptor)) = (name, descriptor) else {
        return Ok(None);
    };
    Ok(Some(ClassMember {
        access,
        name,
        descriptor,
        signature,
        is_deprecated,
    }))
}

fn components<'a>(
    cursor: &mut Cursor<'a>,
    constants: &Constants<'a>,
) -> Result<Vec<ClassMember<'a>>> {
    let mut components = Vec::new();
    for _ in 0..cursor.short()? {
        components.extend(member(0, cursor, constants)?);
    }
    Ok(components)
}

fn nested_classes<'a>(
    cursor: &mut Cursor<'a>,
    constants: &Constants<'a>,
) -> Result<Vec<NestedClass<'a>>> {
    let mut nested = Vec::new();
    for _ in 0..cursor.short()? {
        let name = constants.name(cursor.short()?);
        let outer = constants.name(cursor.short()?);
        let simple_name = constants.text(cursor.short()?);
        let access = cursor.short()?;
        // local and anonymous classes have no class around them, or no name
        if let (Some(name), Some(outer), Some(simple_name)) = (name, outer, simple_name) {
            nested.push(NestedClass {
                name,
                outer,
                simple_name,
                access,
            });
        }
    }
    Ok(nested)
}

/// Whether the first annotation, or a later one behind such without values, is `@FunctionalInterface`.
fn is_functional(cursor: &mut Cursor<'_>, constants: &Constants<'_>) -> Result<bool> {
    for _ in 0..cursor.short()? {
        let name = constants.text(cursor.short()?);
        if name == Some("Ljava/lang/FunctionalInterface;") {
            return Ok(true);
        }
        for _ in 0..cursor.short()? {
            cursor.short()?;
            // an array or an annotation as a value: nothing that such an interface carries in front
            if !skip_plain_value(cursor)? {
                return Ok(false);
            }
        }
    }
    Ok(false)
}

/// Steps over an annotation's value; `false` if it holds others.
fn skip_plain_value(cursor: &mut Cursor<'_>) -> Result<bool> {
    match cursor.byte()? {
        b'e' => cursor.int().map(|_| true),
        b'[' | b'@' => Ok(false),
        _ => cursor.short().map(|_| true),
    }
}

fn exported_packages<'a>(
    cursor: &mut Cursor<'a>,
    constants: &Constants<'a>,
) -> Result<Vec<&'a str>> {
    cursor.take(6)?; // name, flags, version
    let requires = usize::from(cursor.short()?);
    cursor.take(requires * 6)?;
    let mut packages = Vec::new();
    for _ in 0..cursor.short()? {
        let package = constants.name(cursor.short()?);
        cursor.short()?;
        let to = usize::from(cursor.short()?);
        cursor.take(to * 2)?;
        packages.extend(package.filter(|_| to == 0));
    }
    Ok(packages)
}
