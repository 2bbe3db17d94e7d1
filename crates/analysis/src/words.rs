//! The words for how sure a use is and for what is done there.

use codecortex_bind::facts::{DefKind, Role};
use codecortex_resolve::ConfidenceTier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How sure a reference is (SPEC R2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum TierWord {
    /// A language server agrees.
    Provider,
    /// Every step to it is declared.
    Exact,
    /// Some step was inferred.
    Inferred,
    /// An override or implementation.
    Related,
    /// Same name, receiver unknown.
    Name,
}

impl TierWord {
    /// The word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Exact => "exact",
            Self::Inferred => "inferred",
            Self::Related => "related",
            Self::Name => "name",
        }
    }
}

impl From<ConfidenceTier> for TierWord {
    fn from(tier: ConfidenceTier) -> Self {
        match tier {
            ConfidenceTier::Exact => Self::Exact,
            ConfidenceTier::Inferred => Self::Inferred,
            ConfidenceTier::Related => Self::Related,
            ConfidenceTier::Name => Self::Name,
        }
    }
}

/// What is done with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RoleWord {
    /// Its value is used.
    Read,
    /// It is assigned.
    Write,
    /// It is called or constructed.
    Call,
    /// It is used as a type.
    Type,
    /// It is imported or exported.
    Import,
    /// An attribute or decorator.
    Attribute,
    /// Named in documentation.
    Doc,
}

impl RoleWord {
    /// The word for a role.
    pub fn from_role(role: codecortex_resolve::RoleOf) -> Self {
        const ALL: [(Role, RoleWord); 8] = [
            (Role::Read, RoleWord::Read),
            (Role::Write, RoleWord::Write),
            (Role::ReadWrite, RoleWord::Write),
            (Role::Call, RoleWord::Call),
            (Role::Type, RoleWord::Type),
            (Role::Import, RoleWord::Import),
            (Role::Attribute, RoleWord::Attribute),
            (Role::Doc, RoleWord::Doc),
        ];
        let known = ALL.iter().find(|(known, _)| role == (*known).into());
        known.map_or(Self::Read, |(_, word)| *word)
    }

    /// The word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Call => "call",
            Self::Type => "type",
            Self::Import => "import",
            Self::Attribute => "attribute",
            Self::Doc => "doc",
        }
    }
}

/// The word for what a definition defines.
pub fn kind_word(kind: DefKind) -> &'static str {
    match kind {
        DefKind::Namespace => "namespace",
        DefKind::Module => "module",
        DefKind::Class => "class",
        DefKind::Struct => "struct",
        DefKind::Interface => "interface",
        DefKind::Trait => "trait",
        DefKind::Enum => "enum",
        DefKind::Record => "record",
        DefKind::Union => "union",
        DefKind::Delegate => "delegate",
        DefKind::TypeAlias => "typeAlias",
        DefKind::TypeParam => "typeParameter",
        DefKind::Impl => "extension",
        DefKind::Function => "function",
        DefKind::Method => "method",
        DefKind::Constructor => "constructor",
        DefKind::Lambda => "lambda",
        DefKind::Property => "property",
        DefKind::Field => "field",
        DefKind::Constant => "constant",
        DefKind::EnumMember => "enumMember",
        DefKind::Event => "event",
        DefKind::Variable => "variable",
        DefKind::Parameter => "parameter",
        DefKind::Macro => "macro",
        DefKind::Alias => "alias",
        DefKind::Label => "label",
    }
}
