//! Symbols of a document and of the workspace.

use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, SymbolInformation, TextDocumentIdentifier,
};
use serde_json::Value;

use crate::answers::{OutlineAnswer, Outlined, SearchAnswer, Searched};
use crate::error::LspError;
use crate::kinds::symbol_kind;
use crate::question::{PAGE, Question, Tools};
use crate::requests::to_value;

impl<T: Tools> Question<'_, T> {
    pub(crate) async fn document_symbols(
        &self,
        document: TextDocumentIdentifier,
    ) -> Result<Value, LspError> {
        let Some(path) = self.served(&document.uri) else {
            return Ok(Value::Null);
        };
        let mut declarations = Vec::new();
        let mut cursor = None;
        loop {
            let args = serde_json::json!({ "filePath": path, "cursor": cursor });
            let found: Option<OutlineAnswer> =
                self.ask_if_known("codecortex_getOutline", args).await?;
            let Some(found) = found else { break };
            declarations.extend(found.declarations);
            cursor = found.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(match self.world.client.takes_symbol_trees() {
            true => to_value(&self.tree(&path, &declarations)),
            false => to_value(&self.list(&path, &declarations)),
        })
    }

    /// Declarations by depth as a tree.
    fn tree(&self, path: &str, declarations: &[Outlined]) -> Vec<DocumentSymbol> {
        let mut open: Vec<(u32, DocumentSymbol)> = Vec::new();
        let mut roots = Vec::new();
        let mut close_to = |open: &mut Vec<(u32, DocumentSymbol)>, depth: u32| {
            while let Some((_, closed)) = open.pop_if(|(last, _)| *last >= depth) {
                match open.last_mut() {
                    Some((_, around)) => around.children.get_or_insert_default().push(closed),
                    None => roots.push(closed),
                }
            }
        };
        for declared in declarations {
            close_to(&mut open, declared.depth);
            if let Some(symbol) = self.document_symbol(path, declared) {
                open.push((declared.depth, symbol));
            }
        }
        close_to(&mut open, 0);
        roots
    }

    #[expect(deprecated, reason = "the field is a part of the type")]
    fn document_symbol(&self, path: &str, declared: &Outlined) -> Option<DocumentSymbol> {
        let range = self.range(path, declared.range?);
        let own = self.range(path, declared.name_range?);
        // Clients refuse a name outside of what it names.
        let is_within = range.start <= own.start && own.end <= range.end;
        let detail = Some(declared.signature.clone()).filter(|detail| !detail.is_empty());
        Some(DocumentSymbol {
            name: shown_name(&declared.name, &declared.kind),
            detail,
            kind: symbol_kind(&declared.kind),
            tags: None,
            deprecated: None,
            range,
            selection_range: if is_within { own } else { range },
            children: None,
        })
    }

    fn list(&self, path: &str, declarations: &[Outlined]) -> Vec<SymbolInformation> {
        let listed = declarations.iter().filter_map(|declared| {
            let name = shown_name(&declared.name, &declared.kind);
            let kind = symbol_kind(&declared.kind);
            self.symbol_information((name, kind, None), path, declared.range?)
        });
        listed.collect()
    }

    pub(crate) async fn workspace_symbols(&self, query: &str) -> Result<Value, LspError> {
        if query.trim().is_empty() {
            return Ok(Value::Array(Vec::new()));
        }
        let args = serde_json::json!({ "labelQuery": query, "limit": PAGE });
        let found: Option<SearchAnswer> = self.ask_if_known("codecortex_searchApi", args).await?;
        let items = found.map_or_else(Vec::new, |found| found.items);
        let served = items.iter().filter(|item| {
            let languages = &self.world.languages;
            languages.has_file(&item.file_path)
        });
        let symbols = served.filter_map(|item| {
            let Searched {
                name,
                kind,
                path,
                file_path,
                name_range,
            } = item;
            let container = container_of(path, name);
            self.symbol_information(
                (name.clone(), symbol_kind(kind), container),
                file_path,
                (*name_range)?,
            )
        });
        Ok(to_value(&symbols.collect::<Vec<_>>()))
    }

    #[expect(deprecated, reason = "the field is a part of the type")]
    fn symbol_information(
        &self,
        (name, kind, container_name): (String, gen_lsp_types::SymbolKind, Option<String>),
        shown: &str,
        span: crate::answers::Span,
    ) -> Option<SymbolInformation> {
        Some(SymbolInformation {
            deprecated: None,
            location: self.location(shown, span)?,
            base_symbol_information: BaseSymbolInformation {
                name,
                kind,
                tags: None,
                container_name,
            },
        })
    }
}

/// A symbol must have a name.
fn shown_name(name: &str, kind: &str) -> String {
    match name.trim().is_empty() {
        true => kind.to_owned(),
        false => name.to_owned(),
    }
}

/// What stands before the name of a path, without the sign between them.
fn container_of(path: &str, name: &str) -> Option<String> {
    let before = path.strip_suffix(name).unwrap_or(path);
    let before = before.trim_end_matches(['.', ':', '+', '/', '\\', '#', '$']);
    (!before.is_empty()).then(|| before.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_what_a_path_has_before_the_name() {
        assert_eq!(container_of("a.B+C.d", "d").as_deref(), Some("a.B+C"));
        assert_eq!(container_of("a::b", "b").as_deref(), Some("a"));
        assert_eq!(container_of("a", "a"), None);
    }
}
