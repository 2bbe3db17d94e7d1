//! A request on its way: calls of tools, and places in the units of the client.

use std::cell::RefCell;
use std::collections::BTreeMap;

use codecortex_text::TextDocument;
use gen_lsp_types::{Location, Position, Range, Uri};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::answers::{Span, TextPlace};
use crate::encoding::PositionEncoding;
use crate::error::{LspError, ToolFailure};
use crate::world::World;

/// Entries on a page of an answer, the most there are.
pub(crate) const PAGE: u32 = 200;

/// What requests need of who holds the workspace.
pub trait Tools {
    /// Calls a tool for a person's editor; the `data` of its envelope.
    fn call(&self, tool: &str, args: Value) -> impl Future<Output = Result<Value, ToolFailure>>;

    /// The text of a file on the disk by the engine's path, for the conversion of positions; none where it cannot be read.
    fn text(&self, path: &str) -> Option<String>;
}

/// A request on its way.
pub(crate) struct Question<'a, T> {
    tools: &'a T,
    pub(crate) world: &'a World,
    /// Files that were read for their lines.
    read: RefCell<BTreeMap<String, Option<TextDocument>>>,
}

impl<'a, T: Tools> Question<'a, T> {
    pub(crate) fn new(tools: &'a T, world: &'a World) -> Self {
        Self {
            tools,
            world,
            read: RefCell::default(),
        }
    }

    /// What a tool answers.
    pub(crate) async fn ask<D: DeserializeOwned>(
        &self,
        tool: &str,
        args: Value,
    ) -> Result<D, LspError> {
        let data = self.tools.call(tool, args).await?;
        serde_json::from_value(data)
            .map_err(|error| LspError::new(-32_603, format!("The answer cannot be read: {error}.")))
    }

    /// The same; none where there is nothing at the place, or nothing is known of it.
    pub(crate) async fn ask_if_known<D: DeserializeOwned>(
        &self,
        tool: &str,
        args: Value,
    ) -> Result<Option<D>, LspError> {
        match self.tools.call(tool, args).await {
            Err(failure) if failure.is_nothing() => Ok(None),
            Err(failure) => Err(failure.into()),
            Ok(data) => serde_json::from_value(data).map(Some).map_err(|error| {
                LspError::new(-32_603, format!("The answer cannot be read: {error}."))
            }),
        }
    }

    /// The engine's path of a document of a language that is served.
    pub(crate) fn served(&self, uri: &Uri) -> Option<String> {
        let path = self.world.path_of(&uri.0)?;
        self.world.languages.has_file(&path).then_some(path)
    }

    /// The arguments for a place in a document.
    pub(crate) fn place(&self, path: &str, at: Position) -> Map<String, Value> {
        let position = self.tool_position(path, at);
        Map::from_iter([
            ("filePath".to_owned(), path.into()),
            ("position".to_owned(), position),
        ])
    }

    /// A place as tools count: from 1, in UTF-16 units.
    pub(crate) fn tool_position(&self, path: &str, at: Position) -> Value {
        let character = match self.line(path, at.line) {
            Some(line) => self.world.encoding.to_utf16(&line, at.character),
            None => at.character,
        };
        json!({
            "line": at.line.saturating_add(1),
            "character": character.saturating_add(1),
        })
    }

    /// A place of an answer in the units of the client.
    pub(crate) fn position(&self, path: &str, at: TextPlace) -> Position {
        let line = match self.world.encoding {
            PositionEncoding::Utf16 => None,
            _ => self.line(path, at.line),
        };
        let character = line.map_or(at.character, |line| {
            self.world.encoding.from_utf16(&line, at.character)
        });
        Position {
            line: at.line,
            character,
        }
    }

    /// A range of an answer in the units of the client.
    pub(crate) fn range(&self, path: &str, span: Span) -> Range {
        Range {
            start: self.position(path, span.start),
            end: self.position(path, span.end),
        }
    }

    /// A place in a file as answers name it; none of a file that the client cannot open.
    pub(crate) fn location(&self, shown: &str, span: Span) -> Option<Location> {
        let path = self.world.folders.absolute(shown);
        let uri = self.world.uri_of(&path)?;
        Some(Location {
            uri: Uri(uri),
            range: self.range(&path, span),
        })
    }

    /// A line of a document; of a file on the disk only where its characters are counted otherwise than here.
    fn line(&self, path: &str, line: u32) -> Option<String> {
        if let Some(open) = self.world.documents.at(path) {
            return Some(open.text.line(line as usize).into_owned());
        }
        if self.world.encoding == PositionEncoding::Utf16 {
            return None;
        }
        let mut read = self.read.borrow_mut();
        let text = read
            .entry(path.to_owned())
            .or_insert_with(|| Some(TextDocument::new(&self.tools.text(path)?)));
        let text = text.as_ref()?;
        Some(text.line(line as usize).into_owned())
    }
}
