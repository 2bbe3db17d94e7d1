//! What the kinds of pieces are worth beside each other when an answer is chosen. The right mix depends on the budget: a
//! small answer tells names, a large one code. So each share is given at two budgets and goes from one to the other with the
//! logarithm of the budget.

use serde::Deserialize;

macro_rules! shares {
    ($($(#[$meta:meta])* $name:ident = $default:literal;)*) => {
        /// What pieces are worth at a budget.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) struct Shares { $($(#[$meta])* pub(crate) $name: f32),* }

        /// What pieces are worth at a small and at a large budget.
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct SharesByBudget {
            /// The two budgets, in tokens. Below the first and above the second the shares stay as they are there.
            pub budgets: [f32; 2],
            $($(#[$meta])* pub $name: [f32; 2]),*
        }

        impl Default for SharesByBudget {
            fn default() -> Self {
                Self { budgets: [1000.0, 8192.0], $($name: [$default; 2]),* }
            }
        }

        impl SharesByBudget {
            /// The shares at a budget in tokens.
            pub(crate) fn at(&self, budget: usize) -> Shares {
                let way = self.way(budget);
                let between = |[small, large]: [f32; 2]| small + (large - small) * way;
                Shares { $($name: between(self.$name)),* }
            }
        }
    };
}

shares! {
    /// What it is worth to name a file that is not named yet.
    file_gain = 0.5;
    /// A name is worth how likely its declaration is meant to this power: below 1 speaks for more names.
    name_power = 0.8;
    /// A name is also worth how likely its file is meant to this power: above 0 speaks against names of unlikely files.
    name_file = 0.0;
    /// What the declaring line is worth beside the name alone.
    signature_share = 0.0;
    /// A declaring line is worth how likely its declaration is meant to this power.
    signature_power = 0.8;
    /// What a declaration's code is worth beside a name.
    body_share = 2.8;
    /// Code is worth how likely its declaration is meant to this power.
    body_power = 1.0;
    /// Code is also worth how likely its file is meant to this power: above 0 speaks for much code of the likeliest files.
    body_file = 0.0;
    /// What a small function is worth whole.
    whole_share = 0.0;
    /// A whole function is worth how likely it is meant to this power.
    whole_power = 1.0;
    /// A function of more lines is not shown as one piece.
    whole_lines = 40.0;
    /// Gain is by cost to this power.
    cost_power = 0.9;
    /// How much more lines with words of the question count than others of a body.
    line_match = 5.0;
    /// What comments above a declaration are worth beside its code.
    doc_share = 0.1;
    /// What lines outside of declarations are worth beside those inside.
    file_share = 0.6;
    /// What another declaration of a name in the same file is worth.
    again = 0.5;
    /// How much more the piece with the name counts.
    head = 1.0;
    /// How a declaration's gain is spread over its pieces: 1 by weight, less for more even.
    spread = 0.7;
    /// Lines around a piece of code that are shown with it.
    around = 0.0;
    /// Lines between two that are shown are shown as well where they cost at most so many times the line that stands for
    /// them.
    fill = 1.0;
}

impl SharesByBudget {
    /// How far a budget is on the way from the small one to the large one, 0 to 1.
    fn way(&self, budget: usize) -> f32 {
        let [small, large] = self.budgets.map(|budget| budget.max(1.0).ln());
        let here = (budget.max(1) as f32).ln();
        ((here - small) / (large - small).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_goes_from_the_small_budget_to_the_large_one() {
        let shares = SharesByBudget {
            budgets: [1000.0, 4000.0],
            body_share: [2.0, 6.0],
            ..SharesByBudget::default()
        };
        let at = |budget| shares.at(budget).body_share;
        assert_eq!([at(0), at(1000), at(4000), at(9000)], [2.0, 2.0, 6.0, 6.0]);
        assert!((at(2000) - 4.0).abs() < 1e-5);
    }
}
