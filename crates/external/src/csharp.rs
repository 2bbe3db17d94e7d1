//! Pieces of C#, written from the ids of XML documentation so that nothing an id says can end a declaration early.

/// What the language calls types of the library.
const KEYWORDS: [(&str, &str); 16] = [
    ("System.Boolean", "bool"),
    ("System.Byte", "byte"),
    ("System.Char", "char"),
    ("System.Decimal", "decimal"),
    ("System.Double", "double"),
    ("System.Int16", "short"),
    ("System.Int32", "int"),
    ("System.Int64", "long"),
    ("System.Object", "object"),
    ("System.SByte", "sbyte"),
    ("System.Single", "float"),
    ("System.String", "string"),
    ("System.UInt16", "ushort"),
    ("System.UInt32", "uint"),
    ("System.UInt64", "ulong"),
    ("System.Void", "void"),
];

/// Words that are names only behind a `@`.
const RESERVED: &str = " abstract as base bool break byte case catch char checked class const continue decimal default \
    delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int \
    interface internal is lock long namespace new null object operator out override params private protected public \
    readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof \
    uint ulong unchecked unsafe ushort using virtual void volatile while ";

/// What stands where an id does not say a type.
pub(crate) const UNSAID: &str = "var";
/// What the names of parameters begin with that documentation does not name; their numbers stand behind it.
pub(crate) const UNNAMED: &str = "unnamed_";

/// A signature without what stands in it for what documentation does not say: what a member gives, the names of parameters.
pub(crate) fn without_unsaid(signature: &str) -> String {
    let mut out = String::with_capacity(signature.len());
    let mut rest = signature;
    while let Some(first) = rest.chars().next() {
        let is_of_word = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '@');
        let end = match is_of_word(first) {
            true => rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        let number = word.strip_prefix(UNNAMED).unwrap_or("");
        let is_unnamed = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        rest = match word {
            UNSAID => behind.trim_start(),
            _ => behind,
        };
        if is_unnamed {
            out.truncate(out.trim_end().len());
        } else if word != UNSAID {
            out.push_str(word);
        }
    }
    out
}

/// A name as a program writes it; `None` where it is none.
pub(crate) fn identifier(name: &str) -> Option<String> {
    let mut letters = name.chars();
    let begins = letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_');
    let is_name = begins && letters.all(|c| c.is_alphanumeric() || c == '_');
    let is_reserved = RESERVED.contains(&format!(" {name} "));
    is_name.then(|| match is_reserved {
        true => format!("@{name}"),
        false => name.to_owned(),
    })
}

/// Names of the type parameters that ids count: those of the types around, and those of the method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeParameters<'a> {
    pub(crate) of_type: &'a [String],
    pub(crate) of_method: &'a [String],
}

/// A type as an id writes it (`System.Collections.Generic.List{``0}@`) as a program writes it; `None` where it is in no
/// form that is known.
pub(crate) fn type_text(id: &str, known: TypeParameters<'_>) -> Option<String> {
    let (id, is_reference) = match id.strip_suffix('@') {
        Some(id) => (id, true),
        None => (id, false),
    };
    let mut out = String::from(if is_reference { "ref " } else { "" });
    let mut rest = id;
    let (mut open, mut in_array) = (0_u32, false);
    while let Some(c) = rest.chars().next() {
        let name_end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
        let name = &rest[..name_end.unwrap_or(rest.len())];
        if in_array && matches!(c, '0'..='9' | ':') {
            rest = &rest[1..];
            continue;
        }
        if !name.is_empty() {
            out.push_str(&name_text(name)?);
            rest = &rest[name.len()..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '`' => rest = parameter_text(rest, known, &mut out)?,
            '{' => {
                open += 1;
                out.push('<');
            }
            '}' => {
                open = open.checked_sub(1)?;
                out.push('>');
            }
            ',' if in_array => out.push(','),
            ',' if open > 0 => out.push_str(", "),
            '[' | ']' => {
                in_array = c == '[';
                out.push(c);
            }
            '*' => out.push(c),
            _ => return None,
        }
    }
    (open == 0 && !in_array && !id.is_empty()).then_some(out)
}

/// A name with dots, or the word that the language has for it.
fn name_text(name: &str) -> Option<String> {
    if let Some((_, word)) = KEYWORDS.iter().find(|(known, _)| *known == name) {
        return Some((*word).to_owned());
    }
    let parts: Option<Vec<String>> = name.split('.').map(identifier).collect();
    Some(parts?.join("."))
}

/// Writes the type parameter whose number stands behind a first `` ` ``; gives what is behind it.
fn parameter_text<'i>(
    rest: &'i str,
    known: TypeParameters<'_>,
    out: &mut String,
) -> Option<&'i str> {
    let (rest, names) = match rest.strip_prefix('`') {
        Some(rest) => (rest, known.of_method),
        None => (rest, known.of_type),
    };
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    out.push_str(names.get(number.parse::<usize>().ok()?)?);
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_ids_are_types_of_programs() {
        let (of_type, of_method) = (["T".to_owned()], ["K".to_owned(), "V".to_owned()]);
        let known = TypeParameters {
            of_type: &of_type,
            of_method: &of_method,
        };
        let cases = [
            ("System.Int32", Some("int")),
            ("A.Int32", Some("A.Int32")),
            ("System.Int32@", Some("ref int")),
            ("System.Byte*", Some("byte*")),
            ("A.List{System.String,`0}", Some("A.List<string, T>")),
            ("A.Map{``0,A.List{``1}}[]", Some("A.Map<K, A.List<V>>[]")),
            ("System.Int32[0:,0:]", Some("int[,]")),
            ("A.event.B", Some("A.@event.B")),
            ("`4", None),
            ("A.List{", None),
            ("A}", None),
            ("A; class B { } ", None),
            ("", None),
            ("A..B", None),
        ];
        for (id, text) in cases {
            assert_eq!(type_text(id, known).as_deref(), text, "{id}");
        }
    }

    #[test]
    fn signatures_say_what_is_said() {
        for (written, said) in [
            ("public var Turn(int unnamed_0)", "public Turn(int)"),
            ("public event var Filled", "public event Filled"),
            (
                "public var this[A.B unnamed_0, int n] { get; }",
                "public this[A.B, int n] { get; }",
            ),
            (
                "public string Of(object unnamed_x, var_a variable)",
                "public string Of(object unnamed_x, var_a variable)",
            ),
        ] {
            assert_eq!(without_unsaid(written), said);
        }
    }

    #[test]
    fn words_of_the_language_are_names_behind_a_sign() {
        assert_eq!(identifier("event").as_deref(), Some("@event"));
        assert_eq!(identifier("Größe").as_deref(), Some("Größe"));
        for odd in ["", "a b", "1a", "a;", "#ctor", "a{"] {
            assert_eq!(identifier(odd), None, "{odd}");
        }
    }
}
