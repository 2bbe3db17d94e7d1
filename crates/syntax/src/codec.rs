//! Outcomes and facts as bytes.

use crate::Outcome;
use crate::facts::{Bound, FACTS_VERSION, Facts};

/// An outcome as bytes, for workers and caches.
#[must_use]
pub fn encode_outcome(outcome: &Outcome) -> Vec<u8> {
    // Postcard fails on nothing that these types can hold; an empty answer decodes as unreadable.
    postcard::to_allocvec(&(FACTS_VERSION, outcome)).unwrap_or_default()
}

/// The outcome of [`encode_outcome`]'s bytes; `None` for bytes of another version and for damaged ones.
#[must_use]
pub fn decode_outcome(bytes: &[u8]) -> Option<Outcome> {
    let (version, rest): (u32, &[u8]) = postcard::take_from_bytes(bytes).ok()?;
    if version != FACTS_VERSION {
        return None;
    }
    let outcome = postcard::from_bytes(rest).ok()?;
    match &outcome {
        Outcome::Facts(facts) | Outcome::Names(facts) if !facts.is_sound() => None,
        _ => Some(outcome),
    }
}

/// Facts as bytes without their bindings, for caches that keep these by themselves.
#[must_use]
pub fn encode_facts(facts: &Facts) -> Vec<u8> {
    let facts = Facts {
        bindings: Bound::default(),
        ..facts.clone()
    };
    // Postcard fails on nothing that these types can hold; an empty answer decodes as no facts.
    postcard::to_allocvec(&facts).unwrap_or_default()
}

/// The facts of [`encode_facts`]'s bytes; `None` for damaged ones. They must be of this [`FACTS_VERSION`].
#[must_use]
pub fn decode_facts(bytes: &[u8]) -> Option<Facts> {
    let facts: Facts = postcard::from_bytes(bytes).ok()?;
    facts.is_sound().then_some(facts)
}
