//! `initialize`: what the editor says of itself, its folders and the languages that it wants.

use codecortex_engine::protocol::Root;
use codecortex_lsp::{Client, Folders, Languages, LspError, World};
use serde_json::{Value, json};

use crate::mcp::roots::of_client;

/// How far a session is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SessionStage {
    /// Nothing but `initialize` is answered.
    #[default]
    New,
    Running,
    /// `shutdown` was answered: `exit` comes next.
    ShutDown,
}

impl SessionStage {
    /// Why a request is not answered now, where it is not.
    pub(super) fn refusal(self, method: &str) -> Option<LspError> {
        let (code, message) = match (self, method) {
            (Self::New, "initialize") => return None,
            (Self::New, _) => (
                LspError::NOT_INITIALIZED,
                "`initialize` comes before every other request.",
            ),
            (Self::Running, "initialize") => {
                (LspError::INVALID_REQUEST, "`initialize` came before.")
            }
            (Self::Running, _) => return None,
            (Self::ShutDown, _) => (
                LspError::INVALID_REQUEST,
                "Nothing but `exit` comes after `shutdown`.",
            ),
        };
        Some(LspError::new(code, message))
    }
}

/// The URIs of the folders that the editor has open: several, one, or none.
pub(super) fn folder_uris(params: &Value) -> Vec<String> {
    if let Some(folders) = params["workspaceFolders"].as_array() {
        return folders.iter().filter_map(uri_of).collect();
    }
    if let Some(uri) = params["rootUri"].as_str() {
        return vec![uri.to_owned()];
    }
    let path = params["rootPath"].as_str().filter(|path| !path.is_empty());
    let path = path.map(|path| path.replace('\\', "/"));
    path.map(|path| {
        format!(
            "file://{}{path}",
            if path.starts_with('/') { "" } else { "/" }
        )
    })
    .into_iter()
    .collect()
}

/// The URI of a workspace folder.
pub(super) fn uri_of(folder: &Value) -> Option<String> {
    folder["uri"].as_str().map(str::to_owned)
}

/// The folders of URIs; those of the command line instead, where it names some.
pub(super) fn roots_of(own: &[Root], uris: &[String]) -> Vec<Root> {
    match own.is_empty() {
        true => of_client(uris.iter().map(String::as_str)),
        false => own.to_vec(),
    }
}

/// What the editor told by `initialize`.
///
/// # Errors
/// It asks for a language that is not known.
pub(super) fn world_of(
    params: &Value,
    roots: Vec<Root>,
    languages: &Languages,
) -> Result<World, LspError> {
    let client = Client::new(params);
    let wanted = &params["initializationOptions"]["languages"];
    let languages = match wanted.as_array().filter(|_| languages.is_all()) {
        None => languages.clone(),
        Some(ids) => {
            let ids = ids.iter().map(|id| id.as_str().unwrap_or_default());
            Languages::only(ids).map_err(|unknown| LspError {
                data: Some(json!({ "code": "InvalidParams", "hint": unknown.hint() })),
                ..LspError::new(LspError::INVALID_PARAMS, unknown.to_string())
            })?
        }
    };
    Ok(World {
        encoding: client.encoding(),
        client,
        folders: Folders::new(roots),
        languages,
        ..World::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_several_one_or_none() {
        let several = json!({ "workspaceFolders": [{ "uri": "file:///a" }, { "uri": "file:///b" }], "rootUri": "file:///c" });
        assert_eq!(folder_uris(&several), ["file:///a", "file:///b"]);
        assert_eq!(folder_uris(&json!({ "workspaceFolders": [] })).len(), 0);
        let one = json!({ "workspaceFolders": null, "rootUri": "file:///c" });
        assert_eq!(folder_uris(&one), ["file:///c"]);
        assert_eq!(folder_uris(&json!({ "rootPath": "/d" })), ["file:///d"]);
        assert!(folder_uris(&json!({ "rootUri": null })).is_empty());
    }

    #[test]
    fn the_command_line_chooses_languages_before_the_editor() {
        let wants = |ids: Value| json!({ "initializationOptions": { "languages": ids } });
        let all = Languages::default();
        let world = world_of(&wants(json!(["rust"])), Vec::new(), &all).unwrap();
        assert!(!world.languages.is_all());
        let own = Languages::only(["python"]).unwrap();
        let world = world_of(&wants(json!(["rust"])), Vec::new(), &own).unwrap();
        assert_eq!(world.languages, own);
        let error = world_of(&wants(json!(["rast"])), Vec::new(), &all).unwrap_err();
        assert_eq!(error.code, LspError::INVALID_PARAMS);
        assert!(
            world_of(&json!([]), Vec::new(), &all)
                .unwrap()
                .languages
                .is_all()
        );
    }

    #[test]
    fn requests_are_refused_out_of_their_time() {
        let code = |stage: SessionStage, method| stage.refusal(method).map(|error| error.code);
        assert_eq!(code(SessionStage::New, "initialize"), None);
        assert_eq!(code(SessionStage::New, "shutdown"), Some(-32_002));
        assert_eq!(code(SessionStage::Running, "initialize"), Some(-32_600));
        assert_eq!(code(SessionStage::ShutDown, "shutdown"), Some(-32_600));
    }
}
