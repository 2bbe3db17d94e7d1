//! Ids of XML documentation: `M:Shop.Cart.Add``1(System.String)` as the declaration that it stands for.

use crate::csharp::{TypeParameters, UNNAMED, UNSAID, identifier, type_text};

/// Deeper names and longer parameter lists are no program's.
const MAX_PARTS: usize = 64;

/// What an id is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocIdKind {
    Type,
    Method,
    Property,
    Field,
    Event,
}

/// An id in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentationId<'i> {
    pub(crate) kind: DocIdKind,
    /// The type, or the type of the member, as ids write it.
    pub(crate) owner: &'i str,
    /// The member's own name with the number of its type parameters; empty of a type.
    pub(crate) member: &'i str,
    /// Types of parameters, as ids write them.
    pub(crate) parameters: Vec<&'i str>,
    /// The type that a conversion gives.
    pub(crate) result: Option<&'i str>,
}

/// Reads an id. `Ok(None)` where it is of something that programs do not name: a namespace, a part of an implementation,
/// something that the compiler did not find.
///
/// # Errors
/// Where it is no id.
pub(crate) fn parse(id: &str) -> Result<Option<DocumentationId<'_>>, ()> {
    let (kind, body) = id.split_once(':').ok_or(())?;
    let kind = match kind {
        "T" => DocIdKind::Type,
        "M" => DocIdKind::Method,
        "P" => DocIdKind::Property,
        "F" => DocIdKind::Field,
        "E" => DocIdKind::Event,
        "N" | "!" => return Ok(None),
        _ => return Err(()),
    };
    let (body, result) = match body.rsplit_once('~') {
        Some((body, result)) => (body, Some(result)),
        None => (body, None),
    };
    let (path, parameters) = match body.split_once('(') {
        Some((path, list)) => (path, split_list(list.strip_suffix(')').ok_or(())?)?),
        None => (body, Vec::new()),
    };
    let (owner, member) = match kind {
        DocIdKind::Type => (path, ""),
        _ => path.rsplit_once('.').ok_or(())?,
    };
    // A member of an interface that is implemented by that name alone: `A#IDisposable#Dispose`.
    if member.trim_start_matches('#').contains('#') || owner.contains(['#', '{']) {
        return Ok(None);
    }
    if segments(owner).is_none() {
        return Err(());
    }
    Ok(Some(DocumentationId {
        kind,
        owner,
        member,
        parameters,
        result,
    }))
}

/// Entries of a list, at the commas that are in no brackets.
fn split_list(list: &str) -> Result<Vec<&str>, ()> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_u32, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.checked_sub(1).ok_or(())?,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    match parts.len() <= MAX_PARTS && depth == 0 {
        true => Ok(parts),
        false => Err(()),
    }
}

/// Names of a path with the number of each one's type parameters; `None` where it is no path.
pub(crate) fn segments(path: &str) -> Option<Vec<(String, usize)>> {
    let parts: Option<Vec<(String, usize)>> = path
        .split('.')
        .take(MAX_PARTS + 1)
        .map(|part| {
            let (name, count) = part.split_once('`').unwrap_or((part, "0"));
            Some((identifier(name)?, count.parse().ok()?))
        })
        .collect();
    parts.filter(|parts| parts.len() <= MAX_PARTS && parts.iter().all(|(_, n)| *n <= MAX_PARTS))
}

/// So many type parameters under the names that documentation has for them, where it has all.
pub(crate) fn type_parameters(count: usize, named: &[String], letter: &str) -> Vec<String> {
    let names: Option<Vec<String>> = named.iter().map(|name| identifier(name)).collect();
    match names.filter(|names| names.len() == count) {
        Some(names) => names,
        None => (0..count)
            .map(|number| format!("{letter}{number}"))
            .collect(),
    }
}

impl DocumentationId<'_> {
    /// The declaration of a member on one line; `None` where its id is in no form that is known. `owner` is the name of
    /// its type, `of_type` are the type parameters there.
    pub(crate) fn declaration(
        &self,
        owner: &str,
        of_type: &[String],
        (params, type_params): (&[String], &[String]),
    ) -> Option<String> {
        let (name, count) = match self.member.split_once("``") {
            Some((name, count)) => (name, count.parse().ok().filter(|n| *n <= MAX_PARTS)?),
            None => (self.member, 0),
        };
        let own = type_parameters(count, type_params, "TMethod");
        let known = TypeParameters {
            of_type,
            of_method: &own,
        };
        let list = self.parameter_list(params, known)?;
        if name == "#ctor" {
            return Some(format!("public {owner}({list});"));
        }
        if name == "#cctor" {
            return Some(format!("static {owner}() {{}}"));
        }
        let name = identifier(name)?;
        let of = match self.result {
            Some(result) => type_text(result, known)?,
            None => UNSAID.to_owned(),
        };
        let generic = match own.as_slice() {
            [] => String::new(),
            own => format!("<{}>", own.join(", ")),
        };
        Some(match self.kind {
            DocIdKind::Type => return None,
            DocIdKind::Method => format!("public {of} {name}{generic}({list});"),
            DocIdKind::Property if self.parameters.is_empty() => {
                format!("public {of} {name} {{ get; }}")
            }
            DocIdKind::Property => format!("public {of} this[{list}] {{ get; }}"),
            DocIdKind::Field => format!("public {of} {name};"),
            DocIdKind::Event => format!("public event {of} {name};"),
        })
    }

    fn parameter_list(&self, params: &[String], known: TypeParameters<'_>) -> Option<String> {
        let names: Option<Vec<String>> = params.iter().map(|name| identifier(name)).collect();
        let names = names.filter(|names| names.len() == self.parameters.len());
        let written = self.parameters.iter().enumerate().map(|(number, id)| {
            let of = type_text(id, known)?;
            Some(match &names {
                Some(names) => format!("{of} {}", names[number]),
                None => format!("{of} {UNNAMED}{number}"),
            })
        });
        let written: Option<Vec<String>> = written.collect();
        Some(written?.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(id: &str, params: &[&str]) -> Option<String> {
        let params: Vec<String> = params.iter().map(|name| (*name).to_owned()).collect();
        let id = parse(id).ok()??;
        id.declaration("Cart", &["T".to_owned()], (&params, &[]))
    }

    #[test]
    fn ids_are_declarations() {
        let cases = [
            (
                "M:A.Cart.Add(System.String,System.Int32)",
                "public var Add(string name, int n);",
            ),
            ("M:A.Cart.#ctor(`0,A.B)", "public Cart(T name, A.B n);"),
            (
                "M:A.Cart.Of``2(``1,A.List{``0,`0})",
                "public var Of<TMethod0, TMethod1>(TMethod1 name, A.List<TMethod0, T> n);",
            ),
            (
                "P:A.Cart.Item(A.B,A.C)",
                "public var this[A.B name, A.C n] { get; }",
            ),
        ];
        for (id, text) in cases {
            assert_eq!(declared(id, &["name", "n"]).as_deref(), Some(text), "{id}");
        }
        let cases = [
            ("P:A.Cart.Size", "public var Size { get; }"),
            ("F:A.Cart.size", "public var size;"),
            ("E:A.Cart.Filled", "public event var Filled;"),
            ("M:A.Cart.Clear", "public var Clear();"),
            ("M:A.Cart.Put(A.B)", "public var Put(A.B unnamed_0);"),
            (
                "M:A.Cart.op_Implicit(A.Cart)~System.String",
                "public string op_Implicit(A.Cart unnamed_0);",
            ),
        ];
        for (id, text) in cases {
            assert_eq!(declared(id, &[]).as_deref(), Some(text), "{id}");
        }
    }

    #[test]
    fn what_is_no_id_is_none() {
        for id in [
            "N:A",
            "!:B",
            "M:A.Cart.A#B#Dispose",
            "M:A.Cart.A#I{A#B}#Get",
        ] {
            assert_eq!(parse(id), Ok(None), "{id}");
        }
        for id in [
            "",
            "M",
            "X:A",
            "M:Cart",
            "M:A.B(C",
            "T:A B",
            "T:A..B",
            "M:A.1.B",
            "M:A.B.C(D}",
        ] {
            assert_eq!(parse(id), Err(()), "{id}");
        }
        assert_eq!(declared("M:A.Cart.B(C; class D { })", &[]), None);
        assert_eq!(declared("M:A.Cart.B``999999999999", &[]), None);
    }
}
