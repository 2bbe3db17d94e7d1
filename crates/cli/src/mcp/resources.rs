//! Outlines as resources: `codecortex://outline/{symbol}` (SPEC RPC1, H1, `000` §3.4).
//!
//! Listed is what a client may want to attach: types that the session used, types that changed, then
//! those that most others need or are needed by. Any other type is read by the template.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{ErrorData, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};

const PREFIX: &str = "codecortex://outline/";
const MIME_TYPE: &str = "text/markdown";

/// What stands for itself in a segment of a URI.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Resources on a page.
pub(super) const PAGE: usize = 100;
/// The most types that a session is remembered to have used.
const MAX_USED: usize = 100;
/// The most changed types and the most others that are listed.
const MAX_CHANGED: u32 = 200;
const MAX_OTHERS: u32 = 500;
/// In a workspace of more symbols, finding out who needs whom takes longer than a list may take.
const MOST_SYMBOLS: u32 = 200_000;
/// The most outlines that a session watches.
pub(super) const MAX_SUBSCRIBED: usize = 200;

/// The ids of the types that a session used, the latest first.
#[derive(Default)]
pub(super) struct Used(Mutex<VecDeque<String>>);

impl Used {
    /// Takes note of the type that an answer is about.
    pub(super) fn note(&self, envelope: &Value) {
        let Some(id) = envelope["data"]["resolved"]["typeId"].as_str() else {
            return;
        };
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.retain(|known| known != id);
        ids.push_front(id.to_owned());
        ids.truncate(MAX_USED);
    }

    fn ids(&self) -> Vec<String> {
        let ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.iter().cloned().collect()
    }
}

/// A type that can be listed.
struct Listed {
    id: String,
    path: String,
    kind: String,
    file: String,
    note: Option<String>,
}

/// Answers a call with its envelope.
pub(super) trait Ask {
    /// The envelope of a tool's answer.
    async fn ask(&self, tool: &str, args: Value) -> Value;
}

/// Every resource that is listed, in order; `symbols` is how many the workspace has.
pub(super) async fn list(ask: &impl Ask, used: &Used, symbols: u32) -> Vec<Resource> {
    let mut all: Vec<Listed> = Vec::new();
    let mut add = |listed: Listed| {
        if !all.iter().any(|known| known.id == listed.id) {
            all.push(listed);
        }
    };
    for id in used.ids() {
        let answer = ask
            .ask("codecortex_resolveSymbol", json!({ "symbol": id }))
            .await;
        used_type(&answer["data"]).map(&mut add);
    }
    let changes = ask
        .ask("codecortex_changes", json!({ "limit": MAX_CHANGED }))
        .await;
    entries(&changes["data"]["changes"])
        .filter_map(changed_type)
        .for_each(&mut add);
    if symbols <= MOST_SYMBOLS {
        let args = json!({ "notation": "json", "limit": MAX_OTHERS });
        let graph = ask.ask("codecortex_exportGraph", args).await;
        entries(&graph["data"]["types"])
            .filter_map(|node| listed(node, "id", None))
            .for_each(&mut add);
    }
    // A path that several have does not say which is meant.
    let mut paths: BTreeMap<&str, usize> = BTreeMap::new();
    for listed in &all {
        *paths.entry(&listed.path).or_default() += 1;
    }
    all.iter()
        .map(|listed| resource(listed, paths[listed.path.as_str()] > 1))
        .collect()
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn listed(from: &Value, id: &str, note: Option<String>) -> Option<Listed> {
    let text = |name: &str| from[name].as_str().map(str::to_owned);
    Some(Listed {
        id: text(id)?,
        path: text("path")?,
        kind: text("kind")?,
        file: text("filePath")?,
        note,
    })
}

/// The type of an answer of `resolveSymbol`; namespaces have ids too, but no outline.
fn used_type(data: &Value) -> Option<Listed> {
    let candidate = &data["candidates"][0];
    let mut from = candidate.clone();
    from["filePath"] = candidate["declarations"][0]["filePath"].clone();
    let is_type = !matches!(candidate["kind"].as_str()?, "namespace" | "module");
    listed(&from, "typeId", Some("used".to_owned())).filter(|_| is_type)
}

fn changed_type(change: &Value) -> Option<Listed> {
    let class = change["changeClass"].as_str()?;
    let has_outline = change["kind"] != "module" && class != "removed";
    listed(change, "typeId", Some(format!("changed: {class}"))).filter(|_| has_outline)
}

fn resource(listed: &Listed, by_id: bool) -> Resource {
    let symbol = if by_id { &listed.id } else { &listed.path };
    let note = listed.note.as_ref().map(|note| format!(" · {note}"));
    Resource::new(uri(symbol), listed.path.as_str())
        .with_description(format!(
            "{} · {}{}",
            listed.kind,
            listed.file,
            note.unwrap_or_default()
        ))
        .with_mime_type(MIME_TYPE)
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{PREFIX}{{symbol}}"), "outline")
            .with_title("Outline of a type or member")
            .with_description(
                "Public interface, hashes and dependencies of the type or member of that name, path or id.",
            )
            .with_mime_type(MIME_TYPE),
    ]
}

/// The outline that a URI names.
pub(super) async fn read(ask: &impl Ask, uri: &str) -> Result<ResourceContents, ErrorData> {
    let symbol = symbol(uri).ok_or_else(|| not_found(uri, "No such resource."))?;
    let args = json!({ "symbol": symbol, "form": "outline" });
    let envelope = ask.ask("codecortex_getOutline", args).await;
    match envelope["data"]["outlineText"].as_str() {
        Some(text) => Ok(ResourceContents::text(text, uri).with_mime_type(MIME_TYPE)),
        None => Err(failed(uri, &envelope["error"])),
    }
}

/// An error of a tool as MCP has it, with the tool's own beside the URI.
fn failed(uri: &str, error: &Value) -> ErrorData {
    let message = error["message"]
        .as_str()
        .unwrap_or("The outline cannot be read.");
    let data = json!({ "uri": uri, "error": error });
    match error["code"].as_str() {
        Some("SymbolNotFound" | "NotFound") => {
            ErrorData::resource_not_found(message.to_owned(), Some(data))
        }
        Some("InvalidParams" | "AmbiguousSymbol") => {
            ErrorData::invalid_params(message.to_owned(), Some(data))
        }
        _ => ErrorData::internal_error(message.to_owned(), Some(data)),
    }
}

pub(super) fn not_found(uri: &str, message: &'static str) -> ErrorData {
    ErrorData::resource_not_found(Cow::from(message), Some(json!({ "uri": uri })))
}

/// The page that a cursor begins, and the cursor of the next one.
pub(super) fn page(
    mut all: Vec<Resource>,
    cursor: Option<&str>,
) -> Result<(Vec<Resource>, Option<String>), ErrorData> {
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| {
            ErrorData::invalid_params(Cow::from("The cursor is not one of ours."), None)
        })?,
    };
    let mut rest = all.split_off(start.min(all.len()));
    let next = (rest.len() > PAGE).then(|| (start + PAGE).to_string());
    rest.truncate(PAGE);
    Ok((rest, next))
}

/// The URI of a symbol's outline.
fn uri(symbol: &str) -> String {
    format!("{PREFIX}{}", utf8_percent_encode(symbol, ESCAPED))
}

/// The symbol of a URI.
pub(super) fn symbol(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix(PREFIX)?;
    let symbol = percent_decode_str(rest).decode_utf8().ok()?;
    (!symbol.trim().is_empty()).then(|| symbol.into_owned())
}

/// What of an outline tells that a client should read it again: all but the hashes of implementations.
pub(super) fn digest(contents: &Result<ResourceContents, ErrorData>) -> Option<String> {
    let Ok(ResourceContents::TextResourceContents { text, .. }) = contents else {
        return None;
    };
    let lines = text.lines();
    let told: Vec<&str> = lines
        .filter(|line| !line.starts_with("PublicImplHash: "))
        .collect();
    Some(told.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_leads_back_to_its_symbol() {
        for path in [
            "Memo.Core.NodeStore",
            "web/cart.Cart",
            "a::Größe<T, U>",
            "N.A+B.operator +",
            "100%",
            "T_9xx14grs",
        ] {
            let uri = uri(path);
            assert!(uri.is_ascii() && !uri[PREFIX.len()..].contains(['/', ' ', '<', '+']));
            assert_eq!(symbol(&uri).as_deref(), Some(path), "{uri}");
        }
        // As a person may write it.
        let written = symbol("codecortex://outline/web/cart.Cart");
        assert_eq!(written.as_deref(), Some("web/cart.Cart"));
        for none in [
            "codecortex://outline/",
            "codecortex://x/A",
            "file:///a",
            "codecortex://outline/%ff",
        ] {
            assert_eq!(symbol(none), None, "{none}");
        }
    }

    #[test]
    fn pages_follow_each_other() {
        let all: Vec<Resource> = (0..PAGE + 5)
            .map(|number| Resource::new(uri(&number.to_string()), number.to_string()))
            .collect();
        let (first, next) = page(all.clone(), None).unwrap();
        assert_eq!((first.len(), next.as_deref()), (PAGE, Some("100")));
        let (second, next) = page(all.clone(), next.as_deref()).unwrap();
        assert_eq!((second.len(), next), (5, None));
        assert_eq!(page(all.clone(), Some("900")).unwrap().0.len(), 0);
        for wrong in ["", "x", "-1", "99999999999999999999999"] {
            assert!(page(all.clone(), Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_type_does_inside_is_no_news() {
        let text = |hash: &str, api: &str| {
            let text =
                format!("# A T_1\nKind: class\nPublicImplHash: {hash}\nXmlDocHash: X\n{api}");
            digest(&Ok(ResourceContents::text(text, "u")))
        };
        assert_eq!(text("1", "a"), text("2", "a"));
        assert_ne!(text("1", "a"), text("1", "b"));
        assert_eq!(digest(&Err(not_found("u", "gone"))), None);
    }
}
