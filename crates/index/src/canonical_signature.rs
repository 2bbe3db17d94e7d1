//! Canonical signatures of members (SPEC H2, `000` §4.4), of which their ids are hashes.

use std::fmt::Write as _;

use codecortex_syntax::{Facts, Item, ItemKind, Language};

/// `[Accessibility] [Modifiers sorted] ReturnType DeclaringType.MemberName(ParamType1,ParamType2) [GenericArity]
/// [NullableAnnotations]`, where `path` is the declaring type with the member's name. What has nothing to say is
/// left out, its space too. Neither names nor default values of parameters count, nor does the kind of declaration.
///
/// Nullable annotations are a digit for each type in the order in which they are written, the result's first, as C#'s
/// `NullableAttribute` has them: 2 for one with `?`, 1 for one without. Where no type has one there are none.
#[must_use]
pub fn canonical_signature(facts: &Facts, item: &Item, path: &str) -> String {
    let mut annotations = Annotations::default();
    let mut of_type = |written: &str| match facts.language {
        Language::CSharp => annotations.split_off(written),
        _ => close_commas(written),
    };
    let result = of_type(facts.str(item.result));
    let params = of_type(facts.str(item.params));
    let mut signature = String::from(item.visibility.as_str());
    for modifier in item.flags.modifiers() {
        signature.extend([" ", modifier]);
    }
    if !result.is_empty() {
        signature.extend([" ", &result]);
    }
    signature.extend([" ", path]);
    if is_called(item.kind) || !params.is_empty() {
        signature.extend(["(", &params, ")"]);
    }
    // Writing to a string does not fail.
    if item.arity > 0 {
        let _ = write!(signature, " {}", item.arity);
    }
    if annotations.types.contains(&ANNOTATED) {
        signature.push(' ');
        signature.extend(&annotations.types);
    }
    signature
}

fn is_called(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Function
            | ItemKind::Method
            | ItemKind::Constructor
            | ItemKind::Destructor
            | ItemKind::Operator
            | ItemKind::Macro
    )
}

const NOT_ANNOTATED: char = '1';
const ANNOTATED: char = '2';

/// Types without the spaces beside their commas.
fn close_commas(written: &str) -> String {
    let parts: Vec<&str> = written.split(',').map(str::trim).collect();
    parts.join(",")
}

/// The nullable annotations of C# types, in the order in which the types are written.
#[derive(Default)]
struct Annotations {
    types: Vec<char>,
}

impl Annotations {
    /// Notes the annotations of types and gives the types without them.
    fn split_off(&mut self, written: &str) -> String {
        let written = close_commas(written);
        let mut without = String::with_capacity(written.len());
        // The type that ends here, and those whose arguments or elements are being read.
        let (mut ended, mut open) = (None, Vec::new());
        let mut rest = written.as_str();
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let (piece, behind) = rest.split_at(length.max(first.len_utf8()));
            rest = behind;
            match first {
                '?' => {
                    if let Some(of) = ended {
                        self.types[of] = ANNOTATED;
                    }
                    continue;
                }
                '<' => open.push(ended.take()),
                '(' => open.push(Some(self.add())),
                '[' => open.push(Some(self.add())),
                '>' | ')' | ']' => ended = open.pop().flatten(),
                ',' => ended = None,
                _ if !is_of_name(first) => {}
                // A modifier is no type, and what follows a type is the name of a tuple's element.
                _ if is_modifier(piece) || ended.is_some() => {}
                _ => ended = Some(self.add()),
            }
            without.push_str(piece);
        }
        without
    }

    fn add(&mut self) -> usize {
        self.types.push(NOT_ANNOTATED);
        self.types.len() - 1
    }
}

/// Whether a character is part of a name with its qualifiers.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '.' | ':')
}

fn is_modifier(word: &str) -> bool {
    matches!(
        word,
        "ref" | "out" | "in" | "params" | "this" | "scoped" | "readonly"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(types: &str) -> (String, String) {
        let mut annotations = Annotations::default();
        let without = annotations.split_off(types);
        (without, annotations.types.into_iter().collect())
    }

    #[test]
    fn annotations_stand_apart_from_types() {
        for (written, types, annotations) in [
            ("string?, int", "string,int", "21"),
            (
                "Dictionary<string, List<A.B?>?>?",
                "Dictionary<string,List<A.B>>",
                "2122",
            ),
            ("string?[]?", "string[]", "22"),
            ("string?[], int[]?", "string[],int[]", "2112"),
            ("(int? a, string b)?", "(int a,string b)", "221"),
            ("ref readonly T?", "ref readonly T", "2"),
            ("", "", ""),
        ] {
            let expected = (types.to_owned(), annotations.to_owned());
            assert_eq!(split(written), expected, "{written}");
        }
    }
}
