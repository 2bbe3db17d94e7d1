//! Call hierarchy: callers and callees.

use gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Range, Uri,
};
use serde_json::Value;

use crate::answers::{DeclaredSymbol, ReferencesAnswer};
use crate::error::LspError;
use crate::kinds::symbol_kind;
use crate::question::{PAGE, Question, Tools};
use crate::requests::{At, to_value};

impl<T: Tools> Question<'_, T> {
    pub(crate) async fn prepare_call_hierarchy(&self, at: At) -> Result<Value, LspError> {
        let found = self.declared_at(&at).await?;
        let item = found.and_then(|found| self.call_item(&found));
        Ok(item.map_or(Value::Null, |item| to_value(&[item])))
    }

    /// The declaration of the symbol at a place; none of a local.
    pub(crate) async fn declared_at(&self, at: &At) -> Result<Option<DeclaredSymbol>, LspError> {
        let found = self.symbol_at(&at.text_document.uri, at.position).await?;
        Ok(found.and_then(|found| {
            let place = found.symbol.definition;
            Some(DeclaredSymbol {
                name: found.symbol.name,
                kind: found.symbol.kind,
                path: found.resolved?.path,
                file_path: place.file_path,
                range: place.range,
                name_range: place.name_range,
                sites: Vec::new(),
            })
        }))
    }

    fn call_item(&self, declared: &DeclaredSymbol) -> Option<CallHierarchyItem> {
        let name = self.location(&declared.file_path, declared.name_range)?;
        let whole = self.location(&declared.file_path, declared.range)?;
        Some(CallHierarchyItem {
            name: declared.name.clone(),
            kind: symbol_kind(&declared.kind),
            tags: None,
            detail: Some(declared.path.clone()),
            uri: name.uri,
            range: whole.range,
            selection_range: name.range,
            data: None,
        })
    }

    pub(crate) async fn incoming_calls(&self, item: CallHierarchyItem) -> Result<Value, LspError> {
        let callers = self.calls(&item, "callers").await?;
        let calls = callers.iter().filter_map(|found| {
            let from = self.call_item(found)?;
            let from_ranges = self.sites(found, &from.uri);
            Some(CallHierarchyIncomingCall { from, from_ranges })
        });
        Ok(to_value(&calls.collect::<Vec<_>>()))
    }

    pub(crate) async fn outgoing_calls(&self, item: CallHierarchyItem) -> Result<Value, LspError> {
        let callees = self.calls(&item, "callees").await?;
        let calls = callees.iter().filter_map(|found| {
            Some(CallHierarchyOutgoingCall {
                to: self.call_item(found)?,
                from_ranges: self.sites(found, &item.uri),
            })
        });
        Ok(to_value(&calls.collect::<Vec<_>>()))
    }

    async fn calls(
        &self,
        item: &CallHierarchyItem,
        relation: &str,
    ) -> Result<Vec<DeclaredSymbol>, LspError> {
        let Some(path) = self.served(&item.uri) else {
            return Ok(Vec::new());
        };
        let mut args = self.place(&path, item.selection_range.start);
        args.insert("relation".to_owned(), relation.into());
        args.insert("limit".to_owned(), PAGE.into());
        let found: Option<ReferencesAnswer> = self
            .ask_if_known("codecortex_findReferences", args.into())
            .await?;
        Ok(found.map_or_else(Vec::new, |found| found.declarations))
    }

    /// The places of calls in one document, which is where clients show them.
    fn sites(&self, found: &DeclaredSymbol, uri: &Uri) -> Vec<Range> {
        let places = found.sites.iter();
        let places = places.filter_map(|site| self.location(&site.file_path, site.range));
        places
            .filter(|place| place.uri == *uri)
            .map(|place| place.range)
            .collect()
    }
}
