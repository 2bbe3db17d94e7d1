//! Whether what uses a type by its name still writes it as it has to be written.

use codecortex_syntax::Language;

use crate::parameters::{checks_types, split};

/// Whether every use of a type that was right is: its type parameters are as many, those that are new may be left out, or
/// nobody checks. `old` and `new` are signatures.
#[must_use]
pub(crate) fn fits(old: &str, new: &str, name: &str, language: Option<Language>) -> bool {
    if !checks_types(language) {
        return true;
    }
    let (was, is) = (type_parameters(old, name), type_parameters(new, name));
    let has_default = |of: &&String| of.contains('=');
    let needed = |all: &[String]| all.iter().filter(|of| !has_default(of)).count();
    needed(&is) <= needed(&was) && is.len() >= was.len()
}

/// How many type arguments a line writes behind a name; nothing where it writes none.
#[must_use]
pub(crate) fn arguments(line: &str, name: &str) -> Option<usize> {
    let given = type_parameters(line, name).len();
    (given > 0).then_some(given)
}

/// The type parameters behind a name, as written.
fn type_parameters(signature: &str, name: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in signature.match_indices(name) {
        let before = signature[..at].chars().next_back();
        let rest = signature[at + name.len()..].trim_start();
        if before.is_some_and(is_part) || rest.starts_with(is_part) {
            continue;
        }
        let behind = crate::parameters::behind_generics(rest);
        let list = rest[..rest.len() - behind.len()].trim();
        let list = list.get(1..list.len().saturating_sub(1)).unwrap_or("");
        // Lifetimes are left out by whoever wants to.
        let parts = split(list, ',').into_iter().map(str::trim);
        let parts = parts.filter(|part| !part.is_empty() && !part.starts_with('\''));
        return parts.map(str::to_owned).collect();
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::language_of_path;

    #[test]
    fn type_arguments_are_counted_where_they_are_written() {
        assert_eq!(arguments("Map<String, Shelf<A, B>> x;", "Shelf"), Some(2));
        assert_eq!(arguments("new Shelf(1 < 2);", "Shelf"), None);
    }

    #[test]
    fn type_parameters_that_may_be_left_out_change_no_use() {
        for (path, old, new, is_fit) in [
            (
                "a.ts",
                "class A extends B",
                "class A<T = unknown> extends B<T>",
                true,
            ),
            ("a.ts", "type A<T>", "type A<T, U = T>", true),
            ("a.ts", "interface A", "interface A<T>", false),
            ("a.ts", "interface A<T>", "interface A", false),
            ("a.rs", "struct A", "struct A<'a>", true),
            ("a.py", "class A", "class A[T]", true),
            ("a.java", "class A<T>", "class A<T, U>", false),
        ] {
            assert_eq!(
                fits(old, new, "A", language_of_path(path)),
                is_fit,
                "{old} -> {new}"
            );
        }
    }
}
