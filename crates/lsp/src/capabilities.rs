//! What the server offers. A choice of languages is registered with a selector, where the client takes that, so that
//! nothing doubles beside another server (SPEC UX1).

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::tokens::legend;
use crate::world::World;

/// A feature of documents.
#[derive(Debug, Deserialize)]
struct Feature {
    /// The method that it is registered by.
    method: String,
    /// Its name in the client's capabilities for documents.
    client: String,
    /// Its name in the server's capabilities.
    server: String,
    /// Its languages; none for all.
    languages: Option<Vec<String>>,
    #[serde(default)]
    options: Map<String, Value>,
}

static FEATURES: LazyLock<Vec<Feature>> = LazyLock::new(|| {
    let table = include_str!("../data/features.json");
    // A test reads it.
    serde_json::from_str(table).unwrap_or_default()
});

impl Feature {
    /// The languages that it is offered in.
    fn languages(&self, world: &World) -> Vec<&'static str> {
        let all = world.languages.ids().into_iter();
        all.filter(|id| {
            let languages = self.languages.as_ref();
            languages.is_none_or(|own| own.iter().any(|own| own == id))
        })
        .collect()
    }

    fn is_selective(&self, world: &World) -> bool {
        !world.languages.is_all() || self.languages.is_some()
    }

    /// Whether it is registered later, with a selector.
    fn is_registered(&self, world: &World) -> bool {
        self.is_selective(world) && world.client.registers(&self.client)
    }

    fn options(&self, world: &World) -> Map<String, Value> {
        let mut options = self.options.clone();
        if self.languages.is_some() {
            options.insert("legend".to_owned(), legend());
        }
        if self.is_selective(world) {
            let languages = self.languages(world).into_iter();
            let selector = languages.map(|language| json!({ "language": language }));
            options.insert("documentSelector".to_owned(), selector.collect());
        }
        options
    }
}

/// The result of `initialize`, for this client and this choice of languages.
#[must_use]
pub fn server_capabilities(world: &World, version: &str) -> Value {
    let mut capabilities = Map::from_iter([
        (
            "positionEncoding".to_owned(),
            world.encoding.as_str().into(),
        ),
        (
            "textDocumentSync".to_owned(),
            json!({ "openClose": true, "change": 2, "save": { "includeText": false } }),
        ),
        ("workspaceSymbolProvider".to_owned(), true.into()),
        (
            "workspace".to_owned(),
            json!({ "workspaceFolders": { "supported": true, "changeNotifications": true } }),
        ),
    ]);
    for feature in FEATURES.iter() {
        if feature.is_registered(world) || feature.languages(world).is_empty() {
            continue;
        }
        let options = feature.options(world);
        let offered = match options.is_empty() {
            true => Value::Bool(true),
            false => Value::Object(options),
        };
        capabilities.insert(feature.server.clone(), offered);
    }
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "CodeCortex", "version": version },
    })
}

/// The parameters of `client/registerCapability` for what is offered in some languages alone; none where nothing is
/// registered.
#[must_use]
pub fn registrations(world: &World) -> Option<Value> {
    let registered = FEATURES
        .iter()
        .filter(|feature| feature.is_registered(world) && !feature.languages(world).is_empty());
    let registered: Vec<Value> = registered
        .map(|feature| {
            json!({
                "id": format!("codecortex/{}", feature.client),
                "method": feature.method,
                "registerOptions": feature.options(world),
            })
        })
        .collect();
    (!registered.is_empty()).then(|| json!({ "registrations": registered }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::languages::Languages;
    use crate::tokens::TOKEN_LANGUAGE;

    fn world(languages: Languages, client: &Value) -> World {
        World {
            languages,
            client: Client::new(&json!({ "capabilities": client })),
            ..World::default()
        }
    }

    #[test]
    fn the_table_is_read_and_every_feature_is_offered_once() {
        assert!(FEATURES.len() > 10);
        let offered = server_capabilities(&World::default(), "1");
        for feature in FEATURES.iter() {
            assert!(
                !offered["capabilities"][&feature.server].is_null(),
                "{feature:?}"
            );
        }
        let tokens = &offered["capabilities"]["semanticTokensProvider"];
        assert_eq!(
            tokens["documentSelector"],
            json!([{ "language": TOKEN_LANGUAGE }])
        );
    }

    #[test]
    fn a_choice_of_languages_is_registered_where_the_client_takes_that() {
        let rust = Languages::only(["rust"]).unwrap();
        let client = json!({ "textDocument": { "hover": { "dynamicRegistration": true } } });
        let world = world(rust, &client);
        let offered = server_capabilities(&world, "1");
        let offered = &offered["capabilities"];
        assert!(offered["hoverProvider"].is_null());
        assert_eq!(
            offered["definitionProvider"]["documentSelector"],
            json!([{ "language": "rust" }])
        );
        assert!(offered["semanticTokensProvider"].is_null());
        let registered = registrations(&world).unwrap();
        let registered = &registered["registrations"];
        assert_eq!(registered[0]["method"], "textDocument/hover");
        assert_eq!(
            registered[0]["registerOptions"]["documentSelector"],
            json!([{ "language": "rust" }])
        );
        assert!(registered[1].is_null());
        assert_eq!(registrations(&World::default()), None);
    }
}
