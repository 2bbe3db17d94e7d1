//! Outlines, texts about types and observations as resources: `codecortex://outline/{symbol}`,
//! `codecortex://semantic/{symbol}`, `codecortex://observations` and `codecortex://observations/{id}`
//! (SPEC RPC1, H1, SE1, OB1, `000` §3.4).
//!
//! Listed is what a client may want to attach: types that the session used, types that changed, then
//! those that most others need or are needed by; texts of types that the session used; the newest observations.
//! Anything else is read by its template.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{ErrorData, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};

const PREFIX: &str = "codecortex://outline/";
const SEMANTIC: &str = "codecortex://semantic/";
const OBSERVATIONS: &str = "codecortex://observations";
/// Types that were used last and are asked for their texts.
const MAX_TEXTS: usize = 20;
/// Observations on the page of the newest.
const NEWEST: u32 = 50;
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
const MAX_SYMBOLS: u32 = 200_000;
/// The most outlines that a session watches.
pub(super) const MAX_SUBSCRIBED: usize = 200;

/// The ids of the types that a session used, the latest first.
#[derive(Default)]
pub(super) struct RecentTypes(Mutex<VecDeque<String>>);

impl RecentTypes {
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
struct ListedType {
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
pub(super) async fn list(ask: &impl Ask, used: &RecentTypes, symbols: u32) -> Vec<Resource> {
    let mut all: Vec<ListedType> = Vec::new();
    let mut add = |listed: ListedType| {
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
    if symbols <= MAX_SYMBOLS {
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
    let outlines = all
        .iter()
        .map(|listed| resource(listed, paths[listed.path.as_str()] > 1));
    let mut resources: Vec<Resource> = outlines.collect();
    for id in used.ids().iter().take(MAX_TEXTS) {
        let args = json!({ "symbol": id, "prompt": "never" });
        let answer = ask.ask("codecortex_getSemantic", args).await;
        resources.extend(text_about(&answer["data"]));
    }
    let args = json!({ "filter": { "limit": 1 } });
    let answer = ask.ask("codecortex_recall", args).await;
    resources.extend(observations(&answer["data"]));
    resources
}

/// The text about a type, where there is one.
fn text_about(data: &Value) -> Option<Resource> {
    entries(&data["sections"]).next()?;
    let path = data["resolved"]["path"].as_str()?;
    let state = data["semanticState"].as_str()?;
    let uri = format!("{SEMANTIC}{}", utf8_percent_encode(path, ESCAPED));
    Some(
        Resource::new(uri, format!("{path}: what it is for"))
            .with_description(format!("text about a type · {state}"))
            .with_mime_type(MIME_TYPE),
    )
}

/// The newest observations, where there are any.
fn observations(data: &Value) -> Option<Resource> {
    let total = data["total"].as_u64().filter(|total| *total > 0)?;
    Some(
        Resource::new(OBSERVATIONS, "observations")
            .with_description(format!("the newest of {total} observations"))
            .with_mime_type(MIME_TYPE),
    )
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn listed(from: &Value, id: &str, note: Option<String>) -> Option<ListedType> {
    let text = |name: &str| from[name].as_str().map(str::to_owned);
    Some(ListedType {
        id: text(id)?,
        path: text("path")?,
        kind: text("kind")?,
        file: text("filePath")?,
        note,
    })
}

/// The type of an answer of `resolveSymbol`; namespaces have ids too, but no outline.
fn used_type(data: &Value) -> Option<ListedType> {
    let candidate = &data["candidates"][0];
    let mut from = candidate.clone();
    from["filePath"] = candidate["declarations"][0]["filePath"].clone();
    let is_type = !matches!(candidate["kind"].as_str()?, "namespace" | "module");
    listed(&from, "typeId", Some("used".to_owned())).filter(|_| is_type)
}

fn changed_type(change: &Value) -> Option<ListedType> {
    let class = change["changeClass"].as_str()?;
    let has_outline = change["kind"] != "module" && class != "removed";
    listed(change, "typeId", Some(format!("changed: {class}"))).filter(|_| has_outline)
}

fn resource(listed: &ListedType, by_id: bool) -> Resource {
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
        ResourceTemplate::new(format!("{SEMANTIC}{{symbol}}"), "semantic")
            .with_title("What a type is for")
            .with_description(
                "Role, life cycle, edge cases, limitations and recommendations of a type, and whether that is still true.",
            )
            .with_mime_type(MIME_TYPE),
        ResourceTemplate::new(format!("{OBSERVATIONS}/{{id}}"), "observation")
            .with_title("An observation")
            .with_description("A complete observation, and whether the code still matches it.")
            .with_mime_type(MIME_TYPE),
    ]
}

/// What a URI names.
pub(super) async fn read(ask: &impl Ask, uri: &str) -> Result<ResourceContents, ErrorData> {
    let (envelope, text) = if let Some(symbol) = symbol(uri) {
        let args = json!({ "symbol": symbol, "form": "outline" });
        let envelope = ask.ask("codecortex_getOutline", args).await;
        let text = envelope["data"]["outlineText"].as_str().map(str::to_owned);
        (envelope, text)
    } else if let Some(symbol) = rest_of(SEMANTIC, uri) {
        let args = json!({ "symbol": symbol, "prompt": "never" });
        let envelope = ask.ask("codecortex_getSemantic", args).await;
        let text = semantic_text(&envelope["data"]);
        (envelope, text)
    } else if let Some(id) = observation_of(uri) {
        let args = match id {
            Some(id) => json!({ "ids": [id] }),
            None => json!({ "filter": { "limit": NEWEST } }),
        };
        let envelope = ask.ask("codecortex_recall", args).await;
        let text = observations_text(&envelope["data"]);
        (envelope, text)
    } else {
        return Err(not_found(uri, "No such resource."));
    };
    match text {
        Some(text) => Ok(ResourceContents::text(text, uri).with_mime_type(MIME_TYPE)),
        None if envelope["ok"] == true => Err(not_found(uri, "There is nothing to report.")),
        None => Err(failed(uri, &envelope["error"])),
    }
}

/// A text about a type, headed by its path and state; none where nobody has written one.
fn semantic_text(data: &Value) -> Option<String> {
    let path = data["resolved"]["path"].as_str()?;
    let mut out = format!("# {path} ({})\n", data["semanticState"].as_str()?);
    entries(&data["sections"]).next()?;
    for section in entries(&data["sections"]) {
        let text = |name: &str| section[name].as_str().unwrap_or_default();
        out.push_str(&format!("\n{}:\n{}\n", text("name"), text("text")));
    }
    Some(out)
}

/// The id of a URI of observations; none inside for the newest ones.
fn observation_of(uri: &str) -> Option<Option<u64>> {
    match uri.strip_prefix(OBSERVATIONS)? {
        "" => Some(None),
        rest => rest.strip_prefix('/')?.parse().ok().map(Some),
    }
}

/// Observations, a line each with their details below.
fn observations_text(data: &Value) -> Option<String> {
    entries(&data["items"]).next()?;
    let mut out = String::from("# Observations\n");
    for item in entries(&data["items"]) {
        let text = |name: &str| item[name].as_str().unwrap_or_default();
        let id = item["id"].as_u64().unwrap_or_default();
        let verdict = item["verdict"].as_str();
        let verdict = verdict.map_or_else(String::new, |verdict| format!(" ({verdict})"));
        out.push_str(&format!(
            "\n{id} {} {}{verdict}\n",
            text("ts"),
            text("summary")
        ));
        if let Some(detail) = item["detail"].as_str() {
            out.push_str(&format!("{detail}\n"));
        }
        for symbol in entries(&item["symbols"]).filter_map(Value::as_str) {
            out.push_str(&format!("- {symbol}\n"));
        }
    }
    Some(out)
}

/// An error of a tool as MCP has it, with the tool's own beside the URI.
fn failed(uri: &str, error: &Value) -> ErrorData {
    let message = error["message"]
        .as_str()
        .unwrap_or("The resource cannot be read.");
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

/// The symbol of an outline's URI.
pub(super) fn symbol(uri: &str) -> Option<String> {
    rest_of(PREFIX, uri)
}

/// What is behind a beginning of a URI.
fn rest_of(prefix: &str, uri: &str) -> Option<String> {
    let rest = uri.strip_prefix(prefix)?;
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
