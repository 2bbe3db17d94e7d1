//! What an answer has to come with: which text it is of and of which state of the code (SPEC X12).
//!
//! A ticket says everything itself, so that it holds in any process and after any restart.

use codecortex_ledger::Seen;
use sha2::{Digest, Sha256};

/// What a ticket stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The id of the type, or of the group.
    pub id: String,
    /// Hashes that the prompt was made from.
    state: TicketState,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TicketState {
    /// Of a type: structure, public and internal implementation, as letters.
    Of([String; 3]),
    /// Of a group: a digest of those of all its types.
    Digest(String),
}

impl Ticket {
    /// The ticket for a type, or with a group for its types in the order of their ids.
    #[must_use]
    pub fn new(id: &str, seen: &[Seen]) -> Self {
        let state = match seen {
            [only] => TicketState::Of(only.hashes.clone()),
            many => TicketState::Digest(digest(many)),
        };
        Self {
            id: id.to_owned(),
            state,
        }
    }

    /// Reads one; none where it is no ticket.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let id = parts.next()?.to_owned();
        let rest: Vec<String> = parts.map(str::to_owned).collect();
        let is_hash = |part: &String| {
            (8..=12).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if !rest.iter().all(is_hash) || !(id.starts_with("T_") || id.starts_with("G_")) {
            return None;
        }
        let state = match <[String; 3]>::try_from(rest.clone()) {
            Ok(hashes) => TicketState::Of(hashes),
            Err(_) => TicketState::Digest(<[String; 1]>::try_from(rest).ok()?.concat()),
        };
        Some(Self { id, state })
    }

    /// What each type was when the prompt was made, given what they are now. Of a group that is another by now it is
    /// not known.
    #[must_use]
    pub fn seen(&self, now: &[Seen]) -> Vec<Seen> {
        let known = |of: &Seen| {
            let hashes = match &self.state {
                TicketState::Of(hashes) => hashes.clone(),
                TicketState::Digest(sum) if *sum == digest(now) => of.hashes.clone(),
                TicketState::Digest(_) => Default::default(),
            };
            Seen {
                id: of.id.clone(),
                hashes,
            }
        };
        now.iter().map(known).collect()
    }
}

impl std::fmt::Display for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.state {
            TicketState::Of(hashes) => write!(f, "{}-{}", self.id, hashes.join("-")),
            TicketState::Digest(sum) => write!(f, "{}-{sum}", self.id),
        }
    }
}

fn digest(seen: &[Seen]) -> String {
    let mut hash = Sha256::new();
    for of in seen {
        hash.update(of.id.as_bytes());
        of.hashes.iter().for_each(|letters| {
            hash.update([0]);
            hash.update(letters.as_bytes());
        });
    }
    let digest: [u8; 32] = hash.finalize().into();
    data_encoding::BASE32HEX_NOPAD.encode(&digest[..5])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(id: &str, letter: &str) -> Seen {
        Seen {
            id: id.to_owned(),
            hashes: ["STRUCT", "PUBLIC", "INTERN"].map(|name| format!("{name}{letter}{letter}")),
        }
    }

    #[test]
    fn a_ticket_says_what_was_seen() {
        let (then, now) = (seen("T_1", "0"), seen("T_1", "1"));
        let ticket = Ticket::new("T_1", std::slice::from_ref(&then)).to_string();
        assert_eq!(ticket, "T_1-STRUCT00-PUBLIC00-INTERN00");
        let read = Ticket::parse(&ticket).expect("it is one");
        assert_eq!(read.seen(&[now]), [then]);
    }

    #[test]
    fn a_group_that_is_another_is_not_known() {
        let then = [seen("T_1", "0"), seen("T_2", "0")];
        let ticket = Ticket::parse(&Ticket::new("G_1", &then).to_string()).expect("it is one");
        assert_eq!(ticket.seen(&then), then);
        let now = [seen("T_1", "0"), seen("T_2", "1")];
        assert!(
            ticket
                .seen(&now)
                .iter()
                .all(|of| of.hashes == <[String; 3]>::default())
        );
    }

    #[test]
    fn what_is_no_ticket() {
        for text in [
            "",
            "T_1",
            "T_1-x",
            "x-AAAAAAAA-BBBBBBBB-CCCCCCCC",
            "T_1-AAAAAAAA-BBBBBBBB",
            "T_1-ÄÄÄÄÄÄÄÄ",
        ] {
            assert_eq!(Ticket::parse(text), None, "{text}");
        }
    }
}
