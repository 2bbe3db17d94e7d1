//! Types that a call makes of literals: `namedtuple("P", "x y")`, `NamedTuple`, `TypedDict`, `make_dataclass`, `Enum`.
//!
//! What such a call is given in literals is as static as a class that is written out, so its fields are declared where
//! their names stand, inside of strings. Fields that come from elsewhere are not known.

use std::ops::Range;

use tree_sitter::Node;

/// What a call makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionalKind {
    /// A named tuple, typed dictionary or dataclass: its constructor takes its fields.
    Record,
    /// An enumeration.
    Enum,
}

/// A type that a call makes.
#[derive(Clone, Debug)]
pub struct FunctionalType<'t> {
    /// What is made.
    pub kind: FunctionalKind,
    /// What is called: what the type is derived from, as far as anybody sees.
    pub callee: Node<'t>,
    /// Its fields or enumerators, in their order.
    pub fields: Vec<FunctionalField<'t>>,
    /// Expressions in the call that are no part of a field, and no name.
    pub rest: Vec<Node<'t>>,
}

/// A field or enumerator of such a type.
#[derive(Clone, Debug)]
pub struct FunctionalField<'t> {
    /// The bytes of its name, within the quotes.
    pub name: Range<usize>,
    /// The bytes of all that is said of it.
    pub span: Range<usize>,
    /// Its type; of an enumerator its value.
    pub said: Option<Node<'t>>,
}

/// How a function is told of fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One string with names, a list of names, of pairs, or a dictionary: whichever is given.
    Names,
    /// The same, where the type's own name has to be the first argument: other things have such a name, too.
    NamesOfEnum,
}

/// Functions by their last name.
fn form_of(callee: &str) -> Option<Form> {
    match callee {
        "namedtuple" | "NamedTuple" | "TypedDict" | "make_dataclass" => Some(Form::Names),
        // Classes derived from the library's are called like them, also Django's `TextChoices`.
        _ if ["Enum", "Flag", "Choices"]
            .iter()
            .any(|end| callee.ends_with(end)) =>
        {
            Some(Form::NamesOfEnum)
        }
        _ => None,
    }
}

/// The type that a call makes which is called `name` by what is around it; nothing where the call makes none.
#[must_use]
pub fn functional_type<'t>(call: Node<'t>, name: &str, text: &str) -> Option<FunctionalType<'t>> {
    if call.kind() != "call" {
        return None;
    }
    let callee = call.child_by_field_name("function")?;
    let written = source(callee, text);
    let form = form_of(written.rsplit('.').next()?.trim())?;
    if !matches!(callee.kind(), "identifier" | "attribute") {
        return None;
    }
    let arguments = call.child_by_field_name("arguments")?;
    let mut cursor = arguments.walk();
    let all: Vec<Node<'t>> = arguments
        .named_children(&mut cursor)
        .filter(|argument| !argument.is_extra())
        .collect();
    let mut made = FunctionalType {
        kind: match form {
            Form::Names => FunctionalKind::Record,
            Form::NamesOfEnum => FunctionalKind::Enum,
        },
        callee,
        fields: Vec::new(),
        rest: Vec::new(),
    };
    let own = all.first().filter(|own| own.kind() == "string")?;
    let is_called_so = plain(*own).is_some_and(|own| text.get(own) == Some(name));
    let mut given: Option<Node<'t>> = None;
    for (index, argument) in all.iter().enumerate().skip(1) {
        match (argument.kind(), keyword(*argument, text)) {
            ("keyword_argument", Some(("fields" | "field_names" | "names", value))) => {
                given = Some(value);
            }
            ("keyword_argument", Some((_, value))) => made.rest.push(value),
            _ if index == 1 => given = Some(*argument),
            _ => made.rest.push(*argument),
        }
    }
    if form == Form::NamesOfEnum && !(is_called_so && given.is_some()) {
        return None;
    }
    let given = given.map(without_brackets);
    if let Some(given) = given {
        made.take(given, text);
    }
    Some(made)
}

impl<'t> FunctionalType<'t> {
    /// Takes the fields that an argument says.
    fn take(&mut self, given: Node<'t>, text: &str) {
        match given.kind() {
            "string" | "concatenated_string" => self.names_in(given, text),
            // `"a b".split()`
            "call" => match split_text(given, text) {
                Some(inner) => self.names_in(inner, text),
                None => self.rest.push(given),
            },
            "list" | "tuple" => {
                for entry in entries(given) {
                    self.entry(entry, text);
                }
            }
            "dictionary" => {
                for pair in entries(given) {
                    let key = pair.child_by_field_name("key");
                    self.pair(pair, key, pair.child_by_field_name("value"), text);
                }
            }
            _ => self.rest.push(given),
        }
    }

    /// `"a"`, `("a", int)`, `("a", int, field(default=1))`.
    fn entry(&mut self, entry: Node<'t>, text: &str) {
        match entry.kind() {
            "string" => self.pair(entry, Some(entry), None, text),
            "tuple" | "list" => {
                let parts = entries(entry);
                self.pair(entry, parts.first().copied(), parts.get(1).copied(), text);
                self.rest.extend(parts.iter().skip(2));
            }
            _ => self.rest.push(entry),
        }
    }

    fn pair(
        &mut self,
        whole: Node<'t>,
        name: Option<Node<'t>>,
        said: Option<Node<'t>>,
        text: &str,
    ) {
        let range = name.and_then(plain);
        match range.filter(|range| text.get(range.clone()).is_some_and(is_name)) {
            Some(name) => self.fields.push(FunctionalField {
                name,
                span: whole.byte_range(),
                said,
            }),
            None => {
                self.rest.extend(name);
                self.rest.extend(said);
            }
        }
    }

    /// The names in a string that lists them, with blanks or commas between.
    fn names_in(&mut self, string: Node<'t>, text: &str) {
        let parts = match string.kind() {
            "concatenated_string" => entries(string),
            _ => vec![string],
        };
        for range in parts.into_iter().filter_map(plain) {
            let Some(content) = text.get(range.clone()) else {
                continue;
            };
            let mut at = range.start;
            for word in content.split([',', ' ', '\t', '\n', '\r']) {
                if is_name(word) {
                    let name = at..at + word.len();
                    self.fields.push(FunctionalField {
                        span: name.clone(),
                        name,
                        said: None,
                    });
                }
                at += word.len() + 1;
            }
        }
    }
}

/// Whether a text can be the name of a field. Keys of a dictionary need not be identifiers: `in-reply-to`.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
}

/// The bytes within the quotes of a string that says what it is: no interpolation, no escape, no bytes.
fn plain(string: Node<'_>) -> Option<Range<usize>> {
    if string.kind() != "string" {
        return None;
    }
    let content = string.named_child(1)?;
    let is_all = string.named_child_count() == 3;
    let says_it = content.kind() == "string_content" && content.named_child_count() == 0;
    (is_all && says_it).then(|| content.byte_range())
}

/// What stands in brackets that only group.
fn without_brackets(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression"
        && let Some(inner) = node.named_child(0)
    {
        node = inner;
    }
    node
}

/// The string of `"a b".split()`.
fn split_text<'t>(call: Node<'t>, text: &str) -> Option<Node<'t>> {
    let callee = call.child_by_field_name("function")?;
    let arguments = call.child_by_field_name("arguments")?;
    let method = callee.child_by_field_name("attribute")?;
    let of = without_brackets(callee.child_by_field_name("object")?);
    let is_it = source(method, text) == "split" && arguments.named_child_count() == 0;
    (is_it && matches!(of.kind(), "string" | "concatenated_string")).then_some(of)
}

fn keyword<'t, 's>(argument: Node<'t>, text: &'s str) -> Option<(&'s str, Node<'t>)> {
    let name = argument.child_by_field_name("name")?;
    Some((source(name, text), argument.child_by_field_name("value")?))
}

fn entries(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .collect()
}

fn source<'s>(node: Node<'_>, text: &'s str) -> &'s str {
    text.get(node.byte_range()).unwrap_or("")
}
