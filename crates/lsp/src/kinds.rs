//! The protocol's words for what is declared.

use gen_lsp_types::{CompletionItemKind, SymbolKind};

/// A kind here, in outlines, and in completions.
const KINDS: [(&str, SymbolKind, CompletionItemKind); 22] = {
    use {CompletionItemKind as C, SymbolKind as S};
    [
        ("namespace", S::Namespace, C::Module),
        ("module", S::Module, C::Module),
        ("class", S::Class, C::Class),
        ("record", S::Class, C::Class),
        ("struct", S::Struct, C::Struct),
        ("union", S::Struct, C::Struct),
        ("interface", S::Interface, C::Interface),
        ("trait", S::Interface, C::Interface),
        ("enum", S::Enum, C::Enum),
        ("enumMember", S::EnumMember, C::EnumMember),
        ("delegate", S::Function, C::Function),
        ("typeAlias", S::Class, C::Class),
        ("typeParameter", S::TypeParameter, C::TypeParameter),
        ("extension", S::Object, C::Module),
        ("function", S::Function, C::Function),
        ("macro", S::Function, C::Function),
        ("method", S::Method, C::Method),
        ("constructor", S::Constructor, C::Constructor),
        ("property", S::Property, C::Property),
        ("field", S::Field, C::Field),
        ("constant", S::Constant, C::Constant),
        ("event", S::Event, C::Event),
    ]
};

/// The kind in outlines; a variable for what the protocol has no word for.
pub(crate) fn symbol_kind(kind: &str) -> SymbolKind {
    let known = KINDS.iter().find(|(known, ..)| *known == kind);
    match known {
        Some((_, symbol, _)) => *symbol,
        None if kind == "file" => SymbolKind::File,
        None => SymbolKind::Variable,
    }
}

/// The kind in completions.
pub(crate) fn completion_kind(kind: &str) -> CompletionItemKind {
    let known = KINDS.iter().find(|(known, ..)| *known == kind);
    known.map_or(CompletionItemKind::Variable, |(.., completion)| *completion)
}
