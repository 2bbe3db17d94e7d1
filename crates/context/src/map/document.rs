//! A file's facts and text as the ranker reads them.

use codecortex_retrieval::{Declaration, DeclarationClass, RetrievalDocument, Role};
use codecortex_syntax::{Facts, Item, ItemFlags, ItemKind};

/// A file as a document. What is declared inside of running code belongs to the declaration around it.
pub fn retrieval_document<'a>(
    path: &'a str,
    text: &'a str,
    facts: &'a Facts,
) -> RetrievalDocument<'a> {
    let mut number = vec![None; facts.items.len()];
    let mut tests = vec![false; facts.items.len()];
    let mut declarations = Vec::new();
    for (at, item) in facts.items.iter().enumerate() {
        if item.flags.contains(ItemFlags::LOCAL) {
            continue;
        }
        let outer = item.parent.map(|parent| parent as usize);
        let name = match facts.str(item.name) {
            "" => facts.str(item.container),
            name => name,
        };
        tests[at] = outer.is_some_and(|outer| tests[outer]) || is_test_module(item, name);
        number[at] = Some(declarations.len() as u32);
        declarations.push(Declaration {
            name,
            kind: kind(item.kind),
            kind_word: item.kind.as_str(),
            parent: outer.and_then(|outer| number[outer]),
            container: facts.str(item.container),
            signature: facts.str(item.signature),
            doc: facts.str(item.doc),
            start: item.start_byte,
            end: item.end_byte,
            name_at: item.name_byte,
            is_test: tests[at],
        });
    }
    RetrievalDocument {
        path,
        role: Role::of_path(path),
        text,
        declarations,
    }
}

fn kind(kind: ItemKind) -> DeclarationClass {
    match kind {
        ItemKind::Extension => DeclarationClass::Type,
        kind if kind.is_type() => DeclarationClass::Type,
        kind if kind.is_namespace() => DeclarationClass::Namespace,
        kind if kind.is_callable() => DeclarationClass::Callable,
        _ => DeclarationClass::Value,
    }
}

/// Whether it is a module of tests in a file that has other things too.
fn is_test_module(item: &Item, name: &str) -> bool {
    item.kind.is_namespace() && matches!(name, "tests" | "test")
}
