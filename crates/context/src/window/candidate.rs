//! What may be in the window, and how it ranks.

use std::borrow::Cow;
use std::sync::Arc;

use codecortex_protocol::characters;

use crate::window::state::PinEntry;

/// The factor of types of an active pack.
const PACK: f64 = 1.5;

/// Where a piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowSource {
    /// By a person or an agent, until it is taken out.
    Pinned,
    /// For a while.
    Focus,
    /// Used lately, or needed by what is in focus.
    Recent,
}

impl WindowSource {
    /// In order.
    pub const ALL: [Self; 3] = [Self::Pinned, Self::Focus, Self::Recent];

    /// The word in answers and configurations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Focus => "focus",
            Self::Recent => "recent",
        }
    }
}

/// What may come into the window.
#[derive(Clone, Debug)]
pub struct WindowCandidate {
    /// Where it comes from.
    pub tier: WindowSource,
    /// Index of the root.
    pub root: u32,
    /// What it is about.
    pub entry: Arc<PinEntry>,
    /// Characters of its path.
    pub letters: u32,
    /// Why, for people.
    pub reason: Cow<'static, str>,
    /// `f64::INFINITY` for what is pinned.
    pub score: f64,
}

impl WindowCandidate {
    /// A candidate of a tier, with its score.
    pub fn from_tier(
        (tier, score): (WindowSource, f64),
        root: u32,
        entry: Arc<PinEntry>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            tier,
            root,
            letters: characters(&entry.path) as u32,
            entry,
            reason: reason.into(),
            score,
        }
    }
}

/// The score of a type that was used: `rank` types were used later, `fan` types depend on it.
pub fn score(weight: f64, rank: usize, fan: usize, in_pack: bool) -> f64 {
    let recency = (-(rank as f64) / 16.0).exp2();
    let fan = fan as f64 / (fan as f64 + 4.0);
    weight * if in_pack { PACK } else { 1.0 } * (0.75 * recency + 0.25 * fan)
}

/// Places so that what is needed comes first, otherwise in their order; what is in a circle comes when its
/// turn would be.
pub fn topological(needs: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(needs.len());
    let mut state = vec![0u8; needs.len()];
    for start in 0..needs.len() {
        let mut stack = vec![(start, 0)];
        while let Some((place, next)) = stack.pop() {
            if state[place] == 2 {
                continue;
            }
            state[place] = 1;
            match needs[place].get(next) {
                Some(need) => {
                    stack.push((place, next + 1));
                    if state[*need] == 0 {
                        stack.push((*need, 0));
                    }
                }
                None => {
                    state[place] = 2;
                    order.push(place);
                }
            }
        }
    }
    order
}
