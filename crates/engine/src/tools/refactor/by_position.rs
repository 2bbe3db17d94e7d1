//! Fields that a construction gives values to by their places: one cannot go without the value that stands for it.

use codecortex_index::{FileId, Symbol};
use codecortex_protocol::Failure;
use codecortex_resolve::{FileNo, Resolver};
use codecortex_syntax::Language;

use crate::invocation::Invocation;

/// The places at which the type of a field is constructed by position.
pub(super) fn constructions(
    cx: &Invocation<'_>,
    resolver: &Resolver<'_>,
    field: Symbol,
) -> Result<Vec<(FileNo, u32)>, Failure> {
    let owner = cx.index.get(field).and_then(|(file, item)| {
        let owner = item.parent?;
        let items = &file.facts.items;
        let kind = items.get(owner as usize)?.kind;
        let mut beside = items.iter().filter(|beside| beside.parent == Some(owner));
        let is_maker = |name: &str| matches!(name, "__init__" | "__new__");
        let has_own = beside.any(|beside| is_maker(file.facts.str(beside.name)));
        let is_field = !item.kind.is_callable() && !item.kind.is_type();
        let symbol = Symbol {
            file: field.file,
            item: owner,
        };
        (kind.is_type() && is_field && !has_own).then_some((file.facts.language, symbol))
    });
    let Some((language, owner)) = owner else {
        return Ok(Vec::new());
    };
    let by_position = match language {
        Language::Python => opens_arguments,
        Language::Go | Language::C | Language::Cpp => opens_values,
        _ => return Ok(Vec::new()),
    };
    let Some(owner) = cx.def_of(resolver, owner) else {
        return Ok(Vec::new());
    };
    let uses = resolver.references(owner);
    cx.need_texts(uses.iter().map(|found| found.file))?;
    let mut found = Vec::new();
    for place in uses {
        let text = cx.text_of_file(FileId(place.file))?.snapshot.text.text();
        let rest = text.get(place.at as usize..).unwrap_or_default();
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let behind = rest.get(end.unwrap_or(rest.len())..).unwrap_or_default();
        if by_position(behind) {
            found.push((place.file, place.at));
        }
    }
    Ok(found)
}

/// Whether `(` with an argument follows that has no name.
fn opens_arguments(behind: &str) -> bool {
    let Some(first) = behind.strip_prefix('(') else {
        return false;
    };
    let first = first.trim_start();
    let word = first.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let after = first
        .get(word.unwrap_or(first.len())..)
        .unwrap_or_default()
        .trim_start();
    let is_named = word != Some(0) && after.starts_with('=') && !after.starts_with("==");
    !(first.starts_with(')') || is_named)
}

/// Whether `{` with a value follows that has no name, behind a variable or not.
fn opens_values(behind: &str) -> bool {
    let behind = behind.trim_start_matches([' ', '\t']);
    let behind =
        behind.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    let behind = behind
        .trim_start_matches("[]")
        .trim_start_matches([' ', '=']);
    let Some(first) = behind.strip_prefix('{') else {
        return false;
    };
    let first = first.trim_start();
    let end = first
        .find([',', '}', ':', '{', '(', ';', '\n'])
        .unwrap_or(first.len());
    let is_named = first.starts_with('.')
        || first
            .get(end..)
            .is_some_and(|rest| rest.starts_with(':') && !rest.starts_with("::"));
    // What declares something is a body of the type itself.
    let declares = first
        .get(end..)
        .is_some_and(|rest| rest.starts_with([';', '\n']));
    !first.starts_with('}') && !is_named && !declares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_position_are_told_from_those_by_name() {
        for (behind, is_it) in [
            ("(1, 2)", true),
            ("(a)", true),
            ("()", false),
            ("(x=1)", false),
            (": int", false),
            ("(x == 1)", true),
        ] {
            assert_eq!(opens_arguments(behind), is_it, "{behind}");
        }
        for (behind, is_it) in [
            ("{1, 2}", true),
            (" a = {1, 2};", true),
            (" b{1, 2};", true),
            ("{X: 1}", false),
            (" a = {.x = 1};", false),
            ("{}", false),
            (" { int x; };", false),
            (" a;", false),
            ("{\n\tX: 1,\n}", false),
        ] {
            assert_eq!(opens_values(behind), is_it, "{behind}");
        }
    }
}
