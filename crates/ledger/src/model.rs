//! What goes into the ledger and what comes out.

use codecortex_hashes::{ChangeClass, Hashes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::semantic::{OutlineEffect, TextState};
use crate::time::Millis;

/// What makes a type the one it is; its id is a hash of this.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// Its path.
    pub fqn: String,
    /// `class`, `struct` …
    pub kind: String,
    /// Number of type parameters.
    pub arity: u8,
}

/// An identity as a hash of it: tables that find types by their identity need not hold it again.
pub(crate) type IdentityKey = [u8; 16];

impl Identity {
    /// What tells it from any other.
    pub(crate) fn key(&self) -> IdentityKey {
        let hash = Sha256::new()
            .chain_update(self.fqn.as_bytes())
            .chain_update([0])
            .chain_update(self.kind.as_bytes())
            .chain_update([0, self.arity]);
        let full: [u8; 32] = hash.finalize().into();
        std::array::from_fn(|at| full[at])
    }
}

/// A member's canonical signature, as a hash of it: all that is ever asked of one is whether it is the same
/// as another, and a million lines have a hundred thousand of them.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct RecordedSignature(u64);

impl RecordedSignature {
    /// That of a member's signature as text, without the type that declares it, also where the signature names that
    /// (`Old With(int n)`, `fn new() -> Old`): under another name it is the same member (SPEC D21).
    #[must_use]
    pub fn of_member(text: &str, declaring: &str) -> Self {
        Self::from_text(&without_name(text, declaring))
    }

    /// That of a signature as text.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        Self(u64::from_be_bytes(std::array::from_fn(|at| digest[at])))
    }
}

/// A simple name, as a hash of it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct NameHash(u32);

impl NameHash {
    /// That of a name as it is written.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self(RecordedSignature::from_text(name).0 as u32)
    }
}

/// What dependents can see of a type that is another by now (SPEC D31).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedApi {
    /// Names of members whose heads changed, and of those that went.
    pub names: std::collections::BTreeSet<NameHash>,
    /// It has other bases, or is not there any more.
    pub bases: bool,
}

/// A type that depends on types whose structure changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependent {
    /// Its id.
    pub id: String,
    /// The types that it depends on, by id, with what can be seen of their change.
    pub on: Vec<(String, ChangedApi)>,
}

/// Why a text is not true any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StaleReason {
    /// The type itself changed.
    Own,
    /// It names a member of another type that changed or went.
    Named,
    /// A type that it depends on has other bases, or is gone.
    Bases,
    /// A type that it depends on has another structure, whatever of it it names.
    Dependency,
    /// Internal changes have added up or have waited long enough.
    Drift,
}

impl StaleReason {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Named => "named",
            Self::Bases => "bases",
            Self::Dependency => "dependency",
            Self::Drift => "drift",
        }
    }
}

/// A text with a sign that no language writes in the place of a name, where that is a whole word.
fn without_name(text: &str, name: &str) -> String {
    const PLACE: char = '\u{1}';
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, found) in text.match_indices(name).filter(|_| !name.is_empty()) {
        let end = start + found.len();
        let is_word = !text[..start].ends_with(is_part) && !text[end..].starts_with(is_part);
        if is_word && start >= at {
            out.push_str(&text[at..start]);
            out.push(PLACE);
            at = end;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// A member whose id has more letters than usual, since another of its type has the same first ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LongMemberId {
    /// The whole id.
    pub id: String,
    /// The canonical signature that it is of.
    pub signature: String,
}

/// What the caller knows of a type now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeNow {
    /// `T_` and eight letters, as `codecortex_hashes::type_id` makes it.
    pub id: String,
    /// Path, kind and number of type parameters.
    pub identity: Identity,
    /// The project, by its id in `index.json`; empty where there is none.
    pub project_id: String,
    /// Files of all its parts, relative to the root.
    pub files: Vec<String>,
    /// Its hashes, made by [`crate::Config::hash_rules`].
    pub hashes: Hashes,
    /// Canonical signatures of its public members, without the declaring type.
    pub api: Vec<RecordedSignature>,
    /// Simple names of the same, in the same order.
    pub names: Vec<NameHash>,
    /// Its bases as they are written.
    pub bases: RecordedSignature,
    /// Its members that share the usual letters of their ids with another one.
    pub long_member_ids: Vec<LongMemberId>,
    /// Ids of the types that its structure needs, resolved. An id that two types share means both.
    pub depends_on: Vec<String>,
}

/// News of a workspace. What is not named is as it was.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Types that are new or may have changed, in any order.
    pub changed: Vec<TypeNow>,
    /// Ids of types that are gone. Of two types that share a short id, the long id says which.
    pub removed: Vec<String>,
    /// `changed` is all there is; types that it does not name are gone.
    pub complete: bool,
    /// The texts are those of the last update, only hashed by other rules: where hashes cannot be
    /// compared for that reason, nothing has changed.
    pub rehashed: bool,
}

/// What became of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TypeFate {
    /// It was not known before.
    New,
    /// It, or what it depends on, is different.
    Changed,
    /// It has another id now.
    Renamed,
    /// It is gone.
    Removed,
    /// Internal changes have added up or have waited long enough.
    Drifted,
    /// Its group has changed, or one of its group.
    Group,
}

/// What happened to one type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeChange {
    /// Its id (now).
    pub id: String,
    /// Its path.
    pub fqn: String,
    /// What became of it.
    pub what: TypeFate,
    /// All classes of change, the gravest first; none for a new type.
    pub classes: Vec<ChangeClass>,
    /// What is to be done with an outline that is written.
    pub outline: OutlineEffect,
    /// The semantic state before.
    pub before: TextState,
    /// The semantic state now.
    pub state: TextState,
    /// Why what is said of it is not true any more, whether or not somebody said something.
    pub stale: Option<StaleReason>,
}

/// A file of `.context/` that has another name now. It need not exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Relative to `.context/`.
    pub from: String,
    /// Relative to `.context/`.
    pub to: String,
}

/// A line for one of the logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// When, in milliseconds since 1970.
    pub at: Millis,
    /// What about.
    pub kind: LogKind,
    /// The type, by its id.
    pub subject: String,
    /// One line for people.
    pub text: String,
}

/// What a line of a log is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogKind {
    /// Two types, or two members of one, have the same short id.
    Id,
    /// Two states of a type have the same short hash.
    Hash,
    /// A change that could not be classified.
    Unclassified,
    /// A type of which two came in one batch.
    Twice,
    /// A rename with several candidates.
    Alias,
}

/// Why a type has another id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    /// It has another name, kind or number of type parameters.
    Rename,
    /// It lies in another namespace, module or package.
    NamespaceMove,
    /// It went into another type or out of one.
    Nesting,
}

impl Reason {
    /// The word in files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::NamespaceMove => "namespaceMove",
            Self::Nesting => "nesting",
        }
    }

    /// What happened between two paths. A type with another name is renamed, wherever it went.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Self {
        let nesting = |path: &str| path.matches('+').count();
        let outer = |path: &str| path.rsplit_once('+').map(|(outer, _)| outer.to_owned());
        if simple_name(old) != simple_name(new) || old == new {
            Self::Rename
        } else if nesting(old) != nesting(new) {
            Self::Nesting
        } else {
            match (outer(old), outer(new)) {
                (Some(a), Some(b)) if simple_name(&a) != simple_name(&b) => Self::Nesting,
                _ => Self::NamespaceMove,
            }
        }
    }
}

/// The last part of a path: what a type is called in its own place.
#[must_use]
pub(crate) fn simple_name(fqn: &str) -> &str {
    fqn.rsplit(['.', '+', ':', '/', '#']).next().unwrap_or(fqn)
}

/// An entry of `aliases.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Alias {
    /// The id that is no more.
    pub old_type_id: String,
    /// The id that stands for it.
    pub new_type_id: String,
    /// What the type was called then; empty where an earlier version noted it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub old_path: String,
    /// When that was seen, in milliseconds since 1970.
    #[serde(with = "crate::files::time_as_text")]
    pub detected_at: Millis,
    /// Why.
    pub reason: Reason,
}

/// A project, as `index.json` has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// Its id.
    pub id: String,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its manifest, relative to the root.
    #[serde(default)]
    pub path: String,
    /// The target frameworks, `;` between them, where there is such a thing.
    #[serde(default)]
    pub tfm: Option<String>,
    /// A hash of what it is.
    #[serde(default)]
    pub hash: String,
    /// What this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A pack, as `index.json` has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pack {
    /// Its name.
    pub name: String,
    /// About how many tokens it costs.
    #[serde(default)]
    pub token_estimate: u64,
    /// When it was built, RFC 3339.
    #[serde(default)]
    pub last_build: Option<String>,
    /// The types in it.
    #[serde(default)]
    pub type_ids: Vec<String>,
    /// What this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A group of other members than before, or a type that is in none any more: its text is that of another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Regrouped {
    /// Where its types were described until now, relative to `.context/`, before what moves in the same report has moved.
    pub from: Vec<String>,
    /// Where the text belongs.
    pub to: String,
}

/// What an update or the passing of time has brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateReport {
    /// By id.
    pub changes: Vec<TypeChange>,
    /// Aliases that came up.
    pub aliases: Vec<Alias>,
    /// Files to rename (`git mv` where they are tracked), in this order.
    pub moves: Vec<Move>,
    /// Types that are described together with others now, or no longer: where their texts are and belong.
    pub regrouped: Vec<Regrouped>,
    /// Lines to append to the logs.
    pub log: Vec<LogEntry>,
    /// Types that depend on what has another structure, where it is to be seen whether they name what changed:
    /// [`crate::Ledger::depend`] takes in what was seen.
    pub dependents: Vec<Dependent>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_the_same_under_another_name_of_its_type() {
        for (old, new) in [
            ("public Old With(int n)", "public New With(int n)"),
            (
                "public static Old operator +(Old a, Old b)",
                "public static New operator +(New a, New b)",
            ),
            ("pub fn new() -> Old", "pub fn new() -> New"),
            (
                "static Old of(List<Old> all)",
                "static New of(List<New> all)",
            ),
        ] {
            let (a, b) = (
                RecordedSignature::of_member(old, "Old"),
                RecordedSignature::of_member(new, "New"),
            );
            assert_eq!(a, b, "{old}");
        }
        let older = RecordedSignature::of_member("public Older With(int n)", "Old");
        assert_ne!(
            older,
            RecordedSignature::of_member("public Newer With(int n)", "New")
        );
        let own = RecordedSignature::of_member("Old F()", "Old");
        assert_ne!(own, RecordedSignature::of_member("int F()", "New"));
    }

    #[test]
    fn reasons() {
        for (old, new, reason) in [
            ("A.B", "A.C", Reason::Rename),
            ("A.B", "D.B", Reason::NamespaceMove),
            ("A.B", "A.Outer+B", Reason::Nesting),
            ("A.Outer+B", "A.B", Reason::Nesting),
            ("A.Outer+B", "A.Other+B", Reason::Nesting),
            ("A.Outer+B", "D.Outer+B", Reason::NamespaceMove),
            ("A.B", "D.C", Reason::Rename),
            ("A.B", "A.B", Reason::Rename),
            ("a::b::C", "a::d::C", Reason::NamespaceMove),
        ] {
            assert_eq!(Reason::between(old, new), reason, "{old} {new}");
        }
    }
}
