//! The words that cross the engine's door: events, effects, answers, errors, paths. No behaviour.

pub mod counts;
mod error;
mod events;
pub mod file_names;
mod memory;
mod missing;
mod model;
mod outbox;
pub mod paths;
mod personal;
mod ports;
mod position;
mod providers;
mod room;
mod scripts;
mod tokens;
mod written_place;

pub use error::{ErrorCode, ToolError};
pub use events::*;
pub use memory::{MemoryReply, MemoryRequest};
pub use missing::{Failure, Located, Missing};
pub use model::{
    ModelFailure, ModelMessage, ModelOutcome, ModelRequest, ModelRole, ModelTool, ModelToolCall,
    ModelUsage,
};
pub use outbox::Outbox;
pub use personal::{ModelMode, ModelSettings, PersonalFile, PersonalSettings};
pub use ports::{Request, Response};
pub use position::{DocumentSpan, Position};
pub use providers::{
    Disagreement, ProviderOutcome, ProviderQuestion, ProviderReply, ProviderResult, ProviderTopic,
    StatsEntry,
};
pub use room::{Beginning, EventDisposition, GivenUp, Room};
pub use scripts::{AutomaticImports, GeneratedMember, ScriptSettings};
pub use tokens::{Tokenizer, characters, tokens_approx};
pub use written_place::WrittenPlace;
