//! The engine's types as its script plugin gives them to a debugger: JSON objects ("chunks") from names to types.
//!
//! Accepted are a file that keeps such chunks (`debugDatabaseChunks`), a list of chunks, and one object with all types.
//! What comes before a place where the text breaks off counts.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::script::{is_identifier, parameters, type_text};
use crate::type_description::{DescribedDeclaration, DescribedMember, DescribedShape};

/// Where the file of an extension keeps chunks.
const CHUNKS: &str = "debugDatabaseChunks";
const VERSION: &str = "version";
const SETTINGS: &str = "scriptSettings";
/// The version of that file that is known.
const KNOWN_VERSION: u64 = 1;
/// What is protected, in the flags of a property.
const PROTECTED: u64 = 4;

/// What a database says.
#[derive(Debug, Default)]
pub(crate) struct Database {
    pub(crate) types: Vec<DescribedDeclaration>,
    /// Whether scripts see each other without imports, where the engine says so.
    pub(crate) automatic_imports: Option<bool>,
    pub(crate) problems: Vec<String>,
}

/// Reads a database.
pub(crate) fn read(text: &str) -> Database {
    let mut outer = Outer::default();
    let mut json = serde_json::Deserializer::from_str(text);
    let whole = TopLevel(&mut outer).deserialize(&mut json);
    let mut database = Database::default();
    if let Err(error) = whole.and_then(|()| json.end()) {
        let problem = format!("it is not JSON from line {} on ({error})", error.line());
        database.problems.push(problem);
    }
    if let Some(version) = outer.version.filter(|version| *version != KNOWN_VERSION) {
        let problem = format!("it is of version {version}, which is not known: none of it is used");
        database.problems.push(problem);
        return database;
    }
    database.automatic_imports = outer.automatic_imports;
    let lines = LineTable::from_text(text);
    for (number, chunk) in outer.chunks.iter().enumerate() {
        let mut named = TypesByName::default();
        let read = serde_json::Deserializer::from_str(chunk.get()).deserialize_map(&mut named);
        if read.is_err() {
            let problem = format!("chunk {} is not an object with types", number + 1);
            database.problems.push(problem);
        }
        outer.types.extend(named.types);
    }
    for (name, of) in outer.types {
        let Ok(value) = serde_json::from_str::<Value>(of.get()) else {
            database
                .problems
                .push(format!("`{name}` is nested too deep"));
            continue;
        };
        let line = lines.of_part(text, of.get());
        match described(&name, &value, line) {
            Some(described) => add(&mut database.types, described),
            None => database.problems.push(format!("`{name}` is not a type")),
        }
    }
    give_constructors(&mut database.types);
    database
}

/// What the outermost value holds.
#[derive(Default)]
struct Outer<'de> {
    chunks: Vec<&'de RawValue>,
    types: Vec<(String, &'de RawValue)>,
    version: Option<u64>,
    automatic_imports: Option<bool>,
}

struct TopLevel<'o, 'de>(&'o mut Outer<'de>);

impl<'de> DeserializeSeed<'de> for TopLevel<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TopLevel<'_, 'de> {
    type Value = ();

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("types, or chunks of types")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut of: A) -> Result<(), A::Error> {
        while let Some(chunk) = of.next_element()? {
            self.0.chunks.push(chunk);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut of: A) -> Result<(), A::Error> {
        while let Some(key) = of.next_key::<String>()? {
            match key.as_str() {
                CHUNKS => of.next_value_seed(TopLevel(&mut *self.0))?,
                VERSION => self.0.version = of.next_value::<Value>()?.as_u64(),
                SETTINGS => {
                    let settings = of.next_value::<Value>()?;
                    self.0.automatic_imports =
                        settings.get("automaticImports").and_then(Value::as_bool);
                }
                _ => {
                    let value: &RawValue = of.next_value()?;
                    if value.get().starts_with('{') {
                        self.0.types.push((key, value));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The types of a chunk by their names.
#[derive(Default)]
struct TypesByName<'de> {
    types: Vec<(String, &'de RawValue)>,
}

impl<'de> Visitor<'de> for &mut TypesByName<'de> {
    type Value = ();

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("an object with types")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut of: A) -> Result<(), A::Error> {
        while let Some(name) = of.next_key::<String>()? {
            let value: &RawValue = of.next_value()?;
            self.types.push((name, value));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom("a list"))
    }
}

/// Where lines end.
struct LineTable(Vec<usize>);

impl LineTable {
    fn from_text(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line on which a part of the text begins, from 0.
    fn of_part(&self, text: &str, part: &str) -> u32 {
        let at = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        self.0.partition_point(|end| *end < at) as u32
    }
}

/// Puts a type in, in the place of an earlier one of its name; global functions of several chunks add up.
fn add(types: &mut Vec<DescribedDeclaration>, described: DescribedDeclaration) {
    let is_global = described.name.is_empty();
    let known = is_global.then(|| types.iter_mut().find(|known| known.name.is_empty()));
    match known.flatten() {
        Some(known) => known.members.extend(described.members),
        None => types.push(described),
    }
}

fn described(name: &str, of: &Value, line: u32) -> Option<DescribedDeclaration> {
    let object = of.as_object()?;
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or("");
    let is = |key: &str| object.get(key).and_then(Value::as_bool).unwrap_or(false);
    let methods = object.get("methods").and_then(Value::as_array);
    let methods = || methods.into_iter().flatten();
    let called = methods().find(|method| {
        matches!(
            method_name(method),
            "Broadcast" | "ExecuteIfBound" | "Execute"
        )
    });
    let is_delegate = is("isDelegate") || is("isEvent");
    let (path, shape) = match name.strip_prefix("__") {
        Some(path) if is("isEnum") => (path, DescribedShape::Enum),
        Some(path) => (path, DescribedShape::Namespace),
        None if is("isEnum") => (name, DescribedShape::Enum),
        None if is_delegate || is("isStruct") && called.is_some() => {
            let is_event = is("isEvent") || called.is_some_and(|of| method_name(of) == "Broadcast");
            let shape = if is_event {
                DescribedShape::Event
            } else {
                DescribedShape::Delegate
            };
            (name, shape)
        }
        None if is("isStruct") => (name, DescribedShape::Struct),
        None => (name, DescribedShape::Class),
    };
    let base = match text("inherits") {
        "" => text("supertype"),
        base => base,
    };
    let subtypes = object.get("subtypes").and_then(Value::as_array);
    let subtypes = subtypes.into_iter().flatten().filter_map(Value::as_str);
    let mut described = DescribedDeclaration {
        base: base.to_owned(),
        doc: text("doc").to_owned(),
        line,
        parameters: subtypes.map(str::to_owned).collect(),
        ..DescribedDeclaration::new(path, shape)
    };
    described.members = match shape {
        DescribedShape::Delegate | DescribedShape::Event => vec![DescribedMember {
            text: called.map_or_else(|| "void()".to_owned(), signature_of_call),
            line,
            ..DescribedMember::default()
        }],
        _ => {
            let properties = object.get("properties").and_then(Value::as_object);
            let properties = properties.into_iter().flatten();
            let properties = properties.filter_map(|(name, of)| property(shape, name, of, line));
            properties
                .chain(methods().filter_map(|of| method(of, line)))
                .collect()
        }
    };
    Some(described)
}

fn method_name(method: &Value) -> &str {
    method.get("name").and_then(Value::as_str).unwrap_or("")
}

/// `[type, flags?, documentation?]`.
fn property(shape: DescribedShape, name: &str, of: &Value, line: u32) -> Option<DescribedMember> {
    if !is_identifier(name) {
        return None;
    }
    let parts = of.as_array().map_or(&[][..], Vec::as_slice);
    let of = parts.first().and_then(Value::as_str).unwrap_or("auto");
    let rest = parts.get(1..).unwrap_or_default();
    let flags = rest.iter().find_map(Value::as_u64).unwrap_or(0);
    let doc = rest.iter().filter_map(Value::as_str);
    let mut doc = doc.filter(|text| !matches!(*text, "NoEdit" | "EditOnly"));
    let text = match shape {
        DescribedShape::Enum => name.to_owned(),
        _ if flags & PROTECTED != 0 => format!("protected {} {name}", type_text(of)),
        _ => format!("{} {name}", type_text(of)),
    };
    Some(DescribedMember {
        doc: doc.next_back().unwrap_or("").to_owned(),
        text,
        line,
    })
}

fn method(of: &Value, line: u32) -> Option<DescribedMember> {
    let name = method_name(of);
    if !is_identifier(name) {
        return None;
    }
    let is = |key: &str| of.get(key).and_then(Value::as_bool).unwrap_or(false);
    let doc = of.get("doc").and_then(Value::as_str).unwrap_or("");
    let mut text = String::new();
    if is("protected") {
        text.push_str("protected ");
    }
    if !is("isConstructor") {
        text.push_str(&gives(of));
        text.push(' ');
    }
    text.push_str(name);
    text.push_str(&arguments(of));
    if is("const") {
        text.push_str(" const");
    }
    text.push_str(" {}");
    Some(DescribedMember {
        doc: doc.to_owned(),
        text,
        line,
    })
}

fn gives(of: &Value) -> String {
    type_text(of.get("return").and_then(Value::as_str).unwrap_or("void"))
}

fn arguments(of: &Value) -> String {
    let all = of.get("args").and_then(Value::as_array);
    let text = |of: &'_ Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    let all: Vec<(String, String, Option<String>)> = all
        .into_iter()
        .flatten()
        .map(|of| {
            let written = |key| text(of, key).unwrap_or_default();
            (written("type"), written("name"), text(of, "default"))
        })
        .collect();
    let all = all.iter();
    parameters(all.map(|(of, name, value)| (of.as_str(), name.as_str(), value.as_deref())))
}

/// `void(ALamp Lamp)`: what a delegate is called with.
fn signature_of_call(of: &Value) -> String {
    format!("{}{}", gives(of), arguments(of))
}

/// Constructors are told beside the global functions; they belong to their types.
fn give_constructors(types: &mut [DescribedDeclaration]) {
    let name = |text: &str| {
        let (name, _) = text.split_once('(')?;
        is_identifier(name).then(|| name.to_owned())
    };
    let mut constructors = Vec::new();
    for global in types
        .iter_mut()
        .filter(|of| of.shape == DescribedShape::Namespace)
    {
        global.members.retain(|member| match name(&member.text) {
            Some(of) => {
                constructors.push((of, member.clone()));
                false
            }
            None => true,
        });
    }
    constructors.sort_by(|a, b| a.0.cmp(&b.0));
    for of in types.iter_mut() {
        if !matches!(of.shape, DescribedShape::Struct | DescribedShape::Class) {
            continue;
        }
        let begin = constructors.partition_point(|(name, _)| *name < of.name);
        let own = constructors[begin..].iter();
        let own = own.take_while(|(name, _)| *name == of.name);
        of.members.extend(own.map(|(_, member)| member.clone()));
    }
}
