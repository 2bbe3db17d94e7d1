//! What a step of the engine has the host do.

use crate::Effect;

/// Effects in the order in which the host performs them. A step is given one and adds to it; nothing keeps one from one
/// event to the next.
#[derive(Debug, Default)]
pub struct Outbox(Vec<Effect>);

impl Outbox {
    /// Adds an effect.
    pub fn push(&mut self, effect: Effect) {
        self.0.push(effect);
    }

    /// Adds effects in their order.
    pub fn extend(&mut self, effects: Vec<Effect>) {
        self.0.extend(effects);
    }

    /// The effects, for the host.
    #[must_use]
    pub fn into_effects(self) -> Vec<Effect> {
        self.0
    }
}
