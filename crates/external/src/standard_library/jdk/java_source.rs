//! A class and what is nested in it, as a Java source without bodies.

use std::fmt::{self, Write as _};

use rustc_hash::FxHashSet;

use super::ClassSource;
use super::class_file::{ClassFile, ClassMember, NestedClass, access};
use super::signature::{ClassHead, class_head, field_type, is_object, method_types};
use super::type_names::{TypeNames, is_identifier};

/// A larger source is none of a library's: the largest of the JDK has 200 KB.
const MAX_BYTES: usize = 4 << 20;
/// Types nested deeper are left out.
const MAX_NESTING: usize = 16;

/// Why a class has no source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StubProblem {
    /// There is no such class.
    Missing,
    /// The class file is cut off, or is no class file.
    Malformed,
    /// Its name can stand in no source.
    Name,
    /// The source would be larger than 4 MB.
    TooLarge,
}

impl fmt::Display for StubProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Missing => "there is no such class",
            Self::Malformed => "its class file is cut off or malformed",
            Self::Name => "its name can stand in no source",
            Self::TooLarge => "its declarations take more than 4 MB",
        })
    }
}

/// What a class file says of its class without its members.
#[derive(Clone, Debug)]
pub struct ClassSurvey {
    /// Whether the class itself is public; a nested one also if it is protected.
    pub is_public: bool,
    /// The classes that it extends and implements.
    pub bases: Vec<String>,
    /// The nested classes that are its members, with whether each is public or protected.
    pub nested: Vec<(String, bool)>,
}

/// Reads the head of a class; `None` if the bytes are no class file.
#[must_use]
pub fn survey(bytes: &[u8]) -> Option<ClassSurvey> {
    let class = ClassFile::read(bytes).ok()?;
    let own_row = class.nested.iter().find(|row| row.name == class.name);
    let bases = class.superclass.iter().chain(&class.interfaces);
    let members = class.nested.iter().filter(|row| row.outer == class.name);
    Some(ClassSurvey {
        is_public: is_visible(own_row.map_or(class.access, |row| row.access)),
        bases: bases.map(|&name| name.to_owned()).collect(),
        nested: members
            .map(|row| (row.name.to_owned(), is_visible(row.access)))
            .collect(),
    })
}

/// The source of a top-level class with its public and protected members; `keeps` says which nested classes stay.
///
/// # Errors
///
/// A [`StubProblem`] if there is no such class, or it cannot be said in Java.
pub fn java_source(
    source: &dyn ClassSource,
    name: &str,
    keeps: &dyn Fn(&str) -> bool,
) -> Result<String, StubProblem> {
    let simple = name.rsplit('/').next().unwrap_or(name);
    if !name.split('/').all(is_identifier) {
        return Err(StubProblem::Name);
    }
    let bytes = source.class(name).ok_or(StubProblem::Missing)?;
    let class = ClassFile::read(&bytes).map_err(|_| StubProblem::Malformed)?;
    let mut writer = SourceWriter {
        source,
        keeps,
        names: TypeNames::new(source, name),
        text: String::new(),
        written: FxHashSet::from_iter([name.to_owned()]),
    };
    writer.names.add_nested(&class.nested);
    writer.class(&class, simple, class.access, 0)?;
    let mut text = String::new();
    if let Some((package, _)) = name.rsplit_once('/') {
        text.extend(["package ", &package.replace('/', "."), ";\n"]);
    }
    for import in writer.names.imports() {
        text.extend(["import ", import, ";\n"]);
    }
    text.push_str(&writer.text);
    Ok(text)
}

fn is_visible(flags: u16) -> bool {
    flags & (access::PUBLIC | access::PROTECTED) != 0
}

/// What a declaration of a type begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeKeyword {
    Class,
    Interface,
    Annotation,
    Enum,
    Record,
}

impl TypeKeyword {
    fn of(class: &ClassFile<'_>, flags: u16) -> Self {
        if flags & access::ANNOTATION != 0 {
            Self::Annotation
        } else if flags & access::INTERFACE != 0 {
            Self::Interface
        } else if class.superclass == Some("java/lang/Enum") {
            Self::Enum
        } else if class.components.is_some() {
            Self::Record
        } else {
            Self::Class
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Class => "class ",
            Self::Interface => "interface ",
            Self::Annotation => "@interface ",
            Self::Enum => "enum ",
            Self::Record => "record ",
        }
    }

    fn is_interface(self) -> bool {
        matches!(self, Self::Interface | Self::Annotation)
    }
}

struct SourceWriter<'s> {
    source: &'s dyn ClassSource,
    keeps: &'s dyn Fn(&str) -> bool,
    names: TypeNames<'s>,
    text: String,
    /// Each class is written once, whatever the class files say.
    written: FxHashSet<String>,
}

impl SourceWriter<'_> {
    fn indent(&mut self, depth: usize) {
        self.text.extend(std::iter::repeat_n("    ", depth));
    }

    fn class(
        &mut self,
        class: &ClassFile<'_>,
        simple: &str,
        flags: u16,
        depth: usize,
    ) -> Result<(), StubProblem> {
        let keyword = TypeKeyword::of(class, flags);
        let nested = self.nested_classes(class);
        self.head(class, simple, flags, keyword, depth)?;
        if keyword == TypeKeyword::Enum {
            self.enumerators(class, depth + 1);
        }
        for field in &class.fields {
            self.field(field, keyword, depth + 1);
        }
        // the constructor of an inner class is given the object around it, which a descriptor says and a source does not
        let is_inner = depth > 0 && flags & access::STATIC == 0 && !keyword.is_interface();
        for method in &class.methods {
            self.method(method, class, simple, keyword, is_inner, depth + 1);
            if self.text.len() > MAX_BYTES {
                return Err(StubProblem::TooLarge);
            }
        }
        if depth < MAX_NESTING {
            for row in &nested {
                self.nested_class(row, depth + 1)?;
            }
        }
        self.indent(depth);
        self.text.push_str("}\n");
        Ok(())
    }

    /// The nested classes that stay and were not written yet; their names mean them from here on.
    fn nested_classes<'c>(&mut self, class: &ClassFile<'c>) -> Vec<NestedClass<'c>> {
        let mut rows = Vec::new();
        for &row in &class.nested {
            let is_member = row.outer == class.name && row.access & access::PRIVATE == 0;
            if is_member && is_identifier(row.simple_name) && (self.keeps)(row.name) {
                self.names.declare(row.simple_name, row.name);
                rows.push(row);
            }
        }
        rows
    }

    fn nested_class(&mut self, row: &NestedClass<'_>, depth: usize) -> Result<(), StubProblem> {
        if !self.written.insert(row.name.to_owned()) {
            return Ok(());
        }
        // one that cannot be read costs itself alone
        let bytes = self.source.class(row.name).unwrap_or_default();
        let Ok(class) = ClassFile::read(&bytes) else {
            return Ok(());
        };
        self.names.add_nested(&class.nested);
        self.class(&class, row.simple_name, row.access, depth)
    }

    fn head(
        &mut self,
        class: &ClassFile<'_>,
        simple: &str,
        flags: u16,
        keyword: TypeKeyword,
        depth: usize,
    ) -> Result<(), StubProblem> {
        let head = self.class_head(class).ok_or(StubProblem::Malformed)?;
        if class.is_functional {
            self.indent(depth);
            self.text.push_str("@FunctionalInterface\n");
        }
        self.indent(depth);
        self.deprecation(class.is_deprecated);
        self.visibility(flags);
        let mut modifiers: Vec<(u16, &str)> = Vec::new();
        if !keyword.is_interface() && keyword != TypeKeyword::Enum && keyword != TypeKeyword::Record
        {
            modifiers.extend([
                (access::STATIC, "static "),
                (access::ABSTRACT, "abstract "),
                (access::FINAL, "final "),
            ]);
        }
        self.modifiers(flags, &modifiers);
        self.text
            .extend([keyword.text(), simple, &head.type_parameters]);
        if keyword == TypeKeyword::Record {
            let components = self.components(class);
            self.text.extend(["(", &components, ")"]);
        }
        if keyword == TypeKeyword::Class && !class.superclass.is_none_or(is_object) {
            self.text.extend([" extends ", &head.superclass]);
        }
        if !head.interfaces.is_empty() && keyword != TypeKeyword::Annotation {
            let word = if keyword.is_interface() {
                " extends "
            } else {
                " implements "
            };
            self.text.extend([word, &head.interfaces.join(", ")]);
        }
        self.text.push_str(" {\n");
        Ok(())
    }

    /// The bases as the signature has them, else as the class itself has them.
    fn class_head(&mut self, class: &ClassFile<'_>) -> Option<ClassHead> {
        let generic = class
            .signature
            .and_then(|signature| class_head(signature, &mut self.names));
        if generic.is_some() {
            return generic;
        }
        let superclass = match class.superclass {
            Some(name) => self.names.text(name)?,
            None => String::new(),
        };
        let interfaces = class
            .interfaces
            .iter()
            .filter_map(|name| self.names.text(name));
        let interfaces = interfaces.collect();
        Some(ClassHead {
            type_parameters: String::new(),
            superclass,
            interfaces,
        })
    }

    fn components(&mut self, class: &ClassFile<'_>) -> String {
        let mut texts = Vec::new();
        for component in class.components.iter().flatten() {
            let type_text = self.member_type(component);
            if let Some(type_text) = type_text.filter(|_| is_identifier(component.name)) {
                texts.push(format!("{type_text} {}", component.name));
            }
        }
        texts.join(", ")
    }

    fn member_type(&mut self, member: &ClassMember<'_>) -> Option<String> {
        let generic = member
            .signature
            .and_then(|signature| field_type(signature, &mut self.names));
        generic.or_else(|| field_type(member.descriptor, &mut self.names))
    }

    fn enumerators(&mut self, class: &ClassFile<'_>, depth: usize) {
        let is_enumerator = |field: &&ClassMember<'_>| field.access & access::ENUM != 0;
        let fields = class.fields.iter().filter(is_enumerator);
        let names = fields
            .map(|field| field.name)
            .filter(|name| is_identifier(name));
        let names = names.collect::<Vec<_>>().join(", ");
        self.indent(depth);
        self.text.extend([&names, ";\n"]);
    }

    fn field(&mut self, field: &ClassMember<'_>, keyword: TypeKeyword, depth: usize) {
        let is_left_out = field.access & (access::SYNTHETIC | access::ENUM) != 0;
        if is_left_out || !is_visible(field.access) || !is_identifier(field.name) {
            return;
        }
        let Some(type_text) = self.member_type(field) else {
            return;
        };
        self.indent(depth);
        self.deprecation(field.is_deprecated);
        if !keyword.is_interface() {
            self.visibility(field.access);
            self.modifiers(
                field.access,
                &[(access::STATIC, "static "), (access::FINAL, "final ")],
            );
        }
        self.text.extend([&type_text, " ", field.name, ";\n"]);
    }

    fn method(
        &mut self,
        method: &ClassMember<'_>,
        class: &ClassFile<'_>,
        simple: &str,
        keyword: TypeKeyword,
        is_inner: bool,
        depth: usize,
    ) {
        let is_constructor = method.name == "<init>";
        if method.access & access::SYNTHETIC != 0
            || !is_visible(method.access)
            || !(is_constructor || is_identifier(method.name))
            || is_implied(method, class, keyword)
        {
            return;
        }
        let generic = method
            .signature
            .and_then(|text| method_types(text, &mut self.names));
        let is_plain = generic.is_none();
        let Some(mut types) = generic.or_else(|| method_types(method.descriptor, &mut self.names))
        else {
            return;
        };
        if is_constructor && is_inner && is_plain && !types.parameters.is_empty() {
            types.parameters.remove(0);
        }
        self.indent(depth);
        self.deprecation(method.is_deprecated);
        if keyword.is_interface() {
            let is_default = method.access & (access::ABSTRACT | access::STATIC) == 0;
            self.text.push_str(if is_default { "default " } else { "" });
            self.modifiers(method.access, &[(access::STATIC, "static ")]);
        } else {
            self.visibility(method.access);
            let words = [(access::STATIC, "static "), (access::ABSTRACT, "abstract ")];
            self.modifiers(method.access, &words);
        }
        if !types.type_parameters.is_empty() {
            self.text.extend([&types.type_parameters, " "]);
        }
        if is_constructor {
            self.text.push_str(simple);
        } else {
            self.text.extend([&types.result, " ", method.name]);
        }
        self.parameters(&types.parameters, method.access & access::VARARGS != 0);
        self.text
            .push_str(if is_constructor { " {}\n" } else { ";\n" });
    }

    fn parameters(&mut self, types: &[String], is_variable: bool) {
        self.text.push('(');
        for (number, type_text) in types.iter().enumerate() {
            let separator = if number == 0 { "" } else { ", " };
            let is_last = number + 1 == types.len();
            let element = type_text
                .strip_suffix("[]")
                .filter(|_| is_variable && is_last);
            // writing to a string does not fail
            let _ = match element {
                Some(element) => write!(self.text, "{separator}{element}... a{number}"),
                None => write!(self.text, "{separator}{type_text} a{number}"),
            };
        }
        self.text.push(')');
    }

    fn deprecation(&mut self, is_deprecated: bool) {
        self.text
            .push_str(if is_deprecated { "@Deprecated " } else { "" });
    }

    fn visibility(&mut self, flags: u16) {
        self.modifiers(
            flags,
            &[
                (access::PUBLIC, "public "),
                (access::PROTECTED, "protected "),
            ],
        );
    }

    fn modifiers(&mut self, flags: u16, words: &[(u16, &str)]) {
        let set = words.iter().filter(|(flag, _)| flags & flag != 0);
        self.text.extend(set.map(|(_, word)| *word));
    }
}

/// Whether the language declares the method without a source saying so.
fn is_implied(method: &ClassMember<'_>, class: &ClassFile<'_>, keyword: TypeKeyword) -> bool {
    match keyword {
        TypeKeyword::Enum => match method.name {
            "<init>" => true,
            "values" => method.descriptor.starts_with("()"),
            "valueOf" => method.descriptor.starts_with("(Ljava/lang/String;)"),
            _ => false,
        },
        TypeKeyword::Record => {
            let components = class.components.as_deref().unwrap_or_default();
            match method.name {
                "<init>" => {
                    let types: String = components.iter().map(|of| of.descriptor).collect();
                    method
                        .descriptor
                        .strip_prefix('(')
                        .and_then(|rest| rest.strip_suffix(")V"))
                        == Some(types.as_str())
                }
                name => {
                    let accessor = components.iter().any(|component| component.name == name);
                    accessor && method.descriptor.starts_with("()")
                }
            }
        }
        _ => false,
    }
}
