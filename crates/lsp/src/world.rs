//! What a client told: its folders, its documents, what it can do, which languages it wants.

use crate::client::Client;
use crate::documents::Documents;
use crate::encoding::PositionEncoding;
use crate::folders::Folders;
use crate::languages::Languages;
use crate::uri::{is_virtual, path_of_uri, uri_of_path};

/// The state of a session that requests are answered by. A request that waits keeps the one of its begin.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// How the client counts characters.
    pub encoding: PositionEncoding,
    /// What the client can do.
    pub client: Client,
    /// The workspace folders.
    pub folders: Folders,
    /// The open documents.
    pub documents: Documents,
    /// The languages that are served.
    pub languages: Languages,
}

impl World {
    /// The engine's path of a client's URI.
    #[must_use]
    pub fn path_of(&self, uri: &str) -> Option<String> {
        match self.documents.path_of(uri) {
            Some(path) => Some(path.to_owned()),
            None => Some(self.folders.engine_path(&path_of_uri(uri)?)),
        }
    }

    /// The client's URI of a file by the engine's path; none of what only an editor has that does not hold it any more.
    pub(crate) fn uri_of(&self, path: &str) -> Option<String> {
        match self.documents.at(path) {
            Some(open) => Some(open.uri.clone()),
            None if is_virtual(path) => None,
            None => Some(uri_of_path(&self.folders.client_path(path))),
        }
    }
}
