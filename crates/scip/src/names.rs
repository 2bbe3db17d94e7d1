//! The grammar of SCIP's symbols: `scheme manager package version descriptors`.

/// What a descriptor's end says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suffix {
    Namespace,
    Type,
    Term,
    Method,
    Parameter,
    Macro,
}

/// The tool that named the symbols.
const SCHEME: &str = "codecortex";

/// The start of every symbol of a package; parts that are not known are empty.
pub(crate) fn package(manager: &str, name: &str, version: &str) -> String {
    let mut out = String::from(SCHEME);
    for part in [manager, name, version] {
        out.push(' ');
        match part {
            "" => out.push('.'),
            part => out.push_str(&part.replace(' ', "  ")),
        }
    }
    out.push(' ');
    out
}

/// Adds a descriptor. `number` tells those apart that would be the same: the first has none.
pub(crate) fn push(out: &mut String, name: &str, suffix: Suffix, number: u32) {
    let numbered;
    let name = match (suffix, number) {
        (_, 0) | (Suffix::Method, _) => name,
        _ => {
            numbered = format!("{name}+{number}");
            &numbered
        }
    };
    if suffix == Suffix::Parameter {
        out.push('(');
    }
    push_name(out, name);
    match suffix {
        Suffix::Namespace => out.push('/'),
        Suffix::Type => out.push('#'),
        Suffix::Term => out.push('.'),
        Suffix::Macro => out.push('!'),
        Suffix::Parameter => out.push(')'),
        Suffix::Method if number == 0 => out.push_str("()."),
        Suffix::Method => out.push_str(&format!("(+{number}).")),
    }
}

fn push_name(out: &mut String, name: &str) {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-' | '$');
    if !name.is_empty() && name.chars().all(is_simple) {
        out.push_str(name);
        return;
    }
    out.push('`');
    // Nothing has a name that is no name; an escaped one has at least a character that needs it.
    out.push_str(&if name.is_empty() {
        "?".to_owned()
    } else {
        name.replace('`', "``")
    });
    out.push('`');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_where_the_grammar_wants_it() {
        let mut out = package("npm", "@a/b c", "");
        push(&mut out, "src", Suffix::Namespace, 0);
        push(&mut out, "a.ts", Suffix::Namespace, 0);
        push(&mut out, "Store", Suffix::Type, 0);
        push(&mut out, "tick`s", Suffix::Method, 2);
        push(&mut out, "größe", Suffix::Parameter, 0);
        push(&mut out, "x", Suffix::Term, 1);
        push(&mut out, "m", Suffix::Macro, 0);
        push(&mut out, "", Suffix::Term, 0);
        assert_eq!(
            out,
            "codecortex npm @a/b  c . src/`a.ts`/Store#`tick``s`(+2).(`größe`)x+1.m!`?`."
        );
    }
}
