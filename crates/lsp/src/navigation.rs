//! Definition, type definition, implementation and references.

use gen_lsp_types::{Location, LocationLink, Position, Uri};
use serde_json::Value;

use crate::answers::{DefinitionPlace, DocumentAnswer, Located, PositionAnswer, ReferencesAnswer};
use crate::error::LspError;
use crate::question::{PAGE, Question, Tools};
use crate::requests::{At, to_value};

/// More references than a person looks at.
const MAX_REFERENCES: usize = 20_000;

impl<T: Tools> Question<'_, T> {
    pub(crate) async fn definition(&self, at: At) -> Result<Value, LspError> {
        let Some(found) = self.symbol_at(&at.text_document.uri, at.position).await? else {
            return Ok(Value::Null);
        };
        let all = std::iter::once(&found.symbol.definition).chain(&found.symbol.definitions);
        Ok(match self.world.client.takes_links("definition") {
            true => to_value(&all.filter_map(|place| self.link(place)).collect::<Vec<_>>()),
            false => {
                let places = all.filter_map(|at| self.location(&at.file_path, at.name_range));
                to_value(&places.collect::<Vec<Location>>())
            }
        })
    }

    fn link(&self, place: &DefinitionPlace) -> Option<LocationLink> {
        let name = self.location(&place.file_path, place.name_range)?;
        let whole = self.location(&place.file_path, place.range)?;
        Some(LocationLink {
            origin_selection_range: None,
            target_uri: name.uri,
            target_range: whole.range,
            target_selection_range: name.range,
        })
    }

    /// The symbol at a place; none where there is none that is known.
    pub(crate) async fn symbol_at(
        &self,
        uri: &Uri,
        position: Position,
    ) -> Result<Option<PositionAnswer>, LspError> {
        let Some(path) = self.served(uri) else {
            return Ok(None);
        };
        let args = self.place(&path, position);
        self.ask_if_known("codecortex_resolveSymbolAtPosition", args.into())
            .await
    }

    pub(crate) async fn type_definition(&self, at: At) -> Result<Value, LspError> {
        let Some(path) = self.served(&at.text_document.uri) else {
            return Ok(Value::Null);
        };
        let args = self.place(&path, at.position);
        let found: Option<DocumentAnswer<Located>> = self
            .ask_if_known("editor_typeDefinition", args.into())
            .await?;
        let items = found.map_or_else(Vec::new, |found| found.items);
        Ok(to_value(&self.locations(&items)))
    }

    pub(crate) async fn implementation(&self, at: At) -> Result<Value, LspError> {
        let Some(path) = self.served(&at.text_document.uri) else {
            return Ok(Value::Null);
        };
        let mut args = self.place(&path, at.position);
        args.insert("relation".to_owned(), "implementations".into());
        args.insert("limit".to_owned(), PAGE.into());
        let found: Option<ReferencesAnswer> = self
            .ask_if_known("codecortex_findReferences", args.into())
            .await?;
        let declared = found.map_or_else(Vec::new, |found| found.declarations);
        let places = declared
            .iter()
            .filter_map(|declared| self.location(&declared.file_path, declared.name_range));
        Ok(to_value(&places.collect::<Vec<Location>>()))
    }

    pub(crate) async fn references(
        &self,
        at: At,
        with_declaration: bool,
    ) -> Result<Value, LspError> {
        let Some(path) = self.served(&at.text_document.uri) else {
            return Ok(Value::Null);
        };
        let mut places = Vec::new();
        if with_declaration
            && let Some(found) = self.symbol_at(&at.text_document.uri, at.position).await?
        {
            let all = std::iter::once(&found.symbol.definition).chain(&found.symbol.definitions);
            places.extend(all.filter_map(|at| self.location(&at.file_path, at.name_range)));
        }
        let mut cursor = None;
        loop {
            let mut args = self.place(&path, at.position);
            args.insert("includePreview".to_owned(), false.into());
            args.insert("limit".to_owned(), PAGE.into());
            args.insert("cursor".to_owned(), cursor.into());
            let found: Option<ReferencesAnswer> = self
                .ask_if_known("codecortex_findReferences", args.into())
                .await?;
            let Some(found) = found else { break };
            places.extend(self.locations(&found.references));
            cursor = found.next_cursor;
            if cursor.is_none() || places.len() >= MAX_REFERENCES {
                break;
            }
        }
        Ok(to_value(&places))
    }

    fn locations(&self, located: &[Located]) -> Vec<Location> {
        let places = located.iter();
        places
            .filter_map(|at| self.location(&at.file_path, at.range))
            .collect()
    }
}
