//! Results of language providers as a room of the session. A new workspace keeps the measured reliability.

use codecortex_protocol::Room;

use crate::state::Providers;

impl<Code> Room<Code> for Providers {}
