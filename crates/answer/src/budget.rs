//! No answer is larger than its budget (SPEC X1, D7, D14).
//!
//! A tool gives its answer as a [`Rendering`]: what it has to say in several levels of detail, as a
//! list of pieces that can be cut. The budgeter takes the most detailed level at which everything
//! fits; where nothing does, the least detailed one with as many pieces as fit. It measures what is
//! finally sent, its own account included.

pub mod allocate;
pub mod profile;

use codecortex_protocol::{Caller, ErrorCode, Tokenizer, ToolError, characters, tokens_approx};
use schemars::JsonSchema;
use serde::Serialize;

pub use crate::budget::allocate::{AllocatablePieces, CutReason, ServingRule, Share, allocate};
pub use crate::budget::profile::{
    BudgetMode, BudgetProfile, Budgets, Grant, TopK, grant, profile, step,
};

/// What an answer may cost in each form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Tokens by [`tokens_approx`].
    pub tokens: Option<u32>,
    /// UTF-8 bytes.
    pub bytes: Option<u32>,
    /// Counted by this one too.
    pub tokenizer: Tokenizer,
}

impl Limit {
    /// What a surface grants when the call itself cannot be read.
    pub fn of_door(caller: Caller, tokenizer: Tokenizer) -> Self {
        Self {
            tokens: caller.max_tokens,
            bytes: caller.max_bytes,
            tokenizer,
        }
    }

    /// The same, and not more than a call itself allows.
    pub fn at_most(self, asked: Option<u32>) -> Self {
        let tokens = match (asked, self.tokens) {
            (Some(asked), Some(granted)) => Some(asked.min(granted)),
            (asked, granted) => asked.or(granted),
        };
        Self { tokens, ..self }
    }

    /// Whether a text is within the limit, by every measure.
    pub fn allows(self, text: &str) -> bool {
        self.bytes.is_none_or(|bytes| text.len() <= bytes as usize)
            && self.tokens.is_none_or(|tokens| {
                tokens_approx(text) <= tokens
                    && self
                        .tokenizer
                        .exact(text)
                        .is_none_or(|exact| exact <= tokens)
            })
    }

    /// Tokens of a text by the dearest measure that counts.
    fn cost(self, text: &str) -> u32 {
        tokens_approx(text).max(self.tokenizer.exact(text).unwrap_or(0))
    }

    /// The limit in tokens, for the account; a limit in bytes as the tokens it amounts to.
    #[must_use]
    pub fn in_tokens(self) -> Option<u32> {
        match (self.tokens, self.bytes.map(|bytes| bytes / 4)) {
            (Some(tokens), Some(bytes)) => Some(tokens.min(bytes)),
            (tokens, bytes) => tokens.or(bytes),
        }
    }
}

/// The account of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Budget {
    /// Tokens that were granted; null without a limit.
    pub budget_tokens: Option<u32>,
    /// Tokens of this whole answer, `ceil(chars/4)`.
    pub tokens_approx: u32,
    /// Tokens of this whole answer by the tokenizer of the settings, where that is an exact one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_exact: Option<u32>,
    /// Whether anything was left out or shortened.
    pub truncated: bool,
    /// What was shortened to fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub downgrade_applied: Vec<String>,
}

/// What was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    /// How many entries.
    pub count: u32,
    /// What they would cost in tokens.
    pub tokens_approx: u32,
}

/// What the budgeter tells a rendering to say about itself.
#[derive(Clone, Debug, Default)]
pub struct BudgetAccount {
    /// What the answer costs.
    pub budget: Budget,
    /// What was left out.
    pub omitted: Option<Omitted>,
}

/// An answer in several levels of detail.
pub trait Rendering {
    /// The levels' names, the most detailed first; never empty.
    fn levels(&self) -> &'static [&'static str];
    /// How many pieces there are to show.
    fn pieces(&self) -> usize;
    /// The whole answer with the first `pieces` pieces.
    fn render(&self, level: usize, pieces: usize, account: &BudgetAccount) -> String;
}

/// Renders within the limit.
pub fn fit(rendering: &dyn Rendering, limit: Limit) -> Result<String, ToolError> {
    let all = rendering.pieces();
    let last = rendering.levels().len() - 1;
    let full = settle(rendering, limit, 0, all, None);
    if limit.allows(&full) {
        return Ok(full);
    }
    let full_cost = tokens_approx(&full);
    for level in 1..=last {
        let text = settle(rendering, limit, level, all, None);
        if limit.allows(&text) {
            return Ok(text);
        }
    }
    let smallest = all.min(1);
    let cut = |pieces: usize| settle(rendering, limit, last, pieces, Some(full_cost));
    let minimum = cut(smallest);
    if !limit.allows(&minimum) {
        let tokens = limit.cost(&minimum).max(minimum.len().div_ceil(4) as u32);
        return Err(ToolError::new(
            ErrorCode::BudgetExceeded,
            format!("The smallest possible answer costs {tokens} tokens."),
        )
        .hint("Call again with at least that many in `maxTokens`.")
        .detail("minimumTokens", tokens));
    }
    Ok(most_pieces(limit, (smallest, minimum), (all, full), cut))
}

/// The answer with the largest number of pieces that fits, between one that does and one that does not: an answer grows
/// with its pieces but for a few digits. What it costs grows nearly evenly, so the number is looked for where the limit
/// lies between the two, and in the middle where that brought them hardly nearer.
fn most_pieces(
    limit: Limit,
    (mut fits, mut best): (usize, String),
    (mut exceeds, full): (usize, String),
    cut: impl Fn(usize) -> String,
) -> String {
    let mut cost = (limit.cost(&best), limit.cost(&full));
    let mut halves = false;
    while exceeds - fits > 1 {
        let between = exceeds - fits;
        let step = match limit.tokens {
            Some(tokens) if !halves && cost.0 < cost.1 => {
                let part = f64::from(tokens.saturating_sub(cost.0)) / f64::from(cost.1 - cost.0);
                (between as f64 * part) as usize
            }
            _ => between / 2,
        };
        let middle = fits + step.clamp(1, between - 1);
        let text = cut(middle);
        if limit.allows(&text) {
            cost.0 = limit.cost(&text);
            (fits, best) = (middle, text);
        } else {
            cost.1 = limit.cost(&text);
            exceeds = middle;
        }
        halves = !halves && exceeds - fits > between / 2;
    }
    best
}

/// Renders with an account that is true of the text that holds it.
fn settle(
    rendering: &dyn Rendering,
    limit: Limit,
    level: usize,
    pieces: usize,
    full_cost: Option<u32>,
) -> String {
    let left_out = rendering.pieces() - pieces;
    let mut account = BudgetAccount {
        budget: Budget {
            budget_tokens: limit.in_tokens(),
            tokens_approx: 0,
            tokens_exact: limit.tokenizer.exact(""),
            truncated: level > 0 || left_out > 0,
            downgrade_applied: rendering.levels()[..=level]
                .iter()
                .skip(1)
                .map(|name| (*name).to_owned())
                .collect(),
        },
        omitted: None,
    };
    let mut text = String::new();
    // Each round can only lengthen the account by a digit; it settles in two or three. What is left out
    // gets cheaper by what is said: the two can chase each other around a power of ten, so it stands still
    // after some rounds, at most one token off.
    for round in 0..8 {
        if left_out > 0 && round < 4 {
            account.omitted = Some(Omitted {
                count: left_out as u32,
                tokens_approx: full_cost
                    .unwrap_or(0)
                    .saturating_sub(account.budget.tokens_approx),
            });
        }
        text = rendering.render(level, pieces, &account);
        let tokens = tokens_approx(&text);
        let exact = limit.tokenizer.exact(&text);
        if tokens == account.budget.tokens_approx && exact == account.budget.tokens_exact {
            break;
        }
        account.budget.tokens_exact = exact;
        // The first round does not know the answer's cost, so the number it shows is shorter.
        account.budget.tokens_approx = match account.budget.tokens_approx {
            0 if exact.is_none() => with_its_own_digits(&text),
            _ => tokens,
        };
    }
    text
}

/// What a text costs that shows a cost of 0 where it is to show its own.
fn with_its_own_digits(text: &str) -> u32 {
    let characters = characters(text);
    let digits = |tokens: u32| tokens.checked_ilog10().unwrap_or(0) as usize;
    let mut tokens = characters.div_ceil(4) as u32;
    // More digits can make one token more, which can make one digit more.
    for _ in 0..2 {
        tokens = (characters + digits(tokens)).div_ceil(4) as u32;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Words(Vec<String>);

    impl Rendering for Words {
        fn levels(&self) -> &'static [&'static str] {
            &["whole", "initials"]
        }
        fn pieces(&self) -> usize {
            self.0.len()
        }
        fn render(&self, level: usize, pieces: usize, account: &BudgetAccount) -> String {
            let words: Vec<String> = self.0[..pieces]
                .iter()
                .map(|word| {
                    if level == 0 {
                        word.clone()
                    } else {
                        word.chars().take(1).collect()
                    }
                })
                .collect();
            format!("{} {:?}", words.join(" "), account)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Never above the budget, never less than what fits, and the account is true.
        #[test]
        fn never_exceeded(words in prop::collection::vec("[a-zé漢]{0,30}", 0..40), tokens in prop::option::of(prop_oneof![Just(0u32), Just(1), 0u32..400]), bytes in prop::option::of(0u32..2000)) {
            let limit = Limit { tokens, bytes, ..Limit::default() };
            let again = fit(&Words(words.clone()), limit).ok();
            match fit(&Words(words.clone()), limit) {
                Ok(text) => {
                    prop_assert_eq!(again.as_ref(), Some(&text));
                    let whole = words.iter().any(|word| word.chars().count() > 1 && !text.contains(word.as_str()));
                    prop_assert!(!whole || text.contains("downgrade_applied: [\"initials\"]"), "{text}");
                    prop_assert!(limit.allows(&text), "{limit:?} {text}");
                    let said = format!("tokens_approx: {},", tokens_approx(&text));
                    prop_assert!(text.contains(&said), "{text}");
                }
                Err(error) => {
                    prop_assert_eq!(error.code, ErrorCode::BudgetExceeded);
                    let minimum = error.details["minimumTokens"].as_u64().unwrap() as u32;
                    prop_assert!(tokens.is_some_and(|tokens| tokens < minimum) || bytes.is_some_and(|bytes| bytes < minimum * 4));
                }
            }
        }
    }

    /// Two hundred and fifty-six even pieces, which notes how many of them are asked for.
    #[derive(Default)]
    struct Even(std::cell::RefCell<std::collections::BTreeSet<usize>>);

    impl Rendering for Even {
        fn levels(&self) -> &'static [&'static str] {
            &["whole"]
        }
        fn pieces(&self) -> usize {
            256
        }
        fn render(&self, _: usize, pieces: usize, account: &BudgetAccount) -> String {
            self.0.borrow_mut().insert(pieces);
            format!(
                "{} {account:?}",
                "forty characters are ten tokens of these".repeat(pieces)
            )
        }
    }

    #[test]
    fn the_number_of_pieces_is_found_in_a_few_tries() {
        for tokens in [100, 160, 500, 1300, 2000, 2400] {
            let even = Even::default();
            let text = fit(
                &even,
                Limit {
                    tokens: Some(tokens),
                    ..Limit::default()
                },
            )
            .unwrap();
            let tried = even.0.into_inner();
            let fits = text.matches("forty").count();
            // All, the fewest, and some between: halves would be eight.
            assert!(tried.len() <= 2 + 5, "{tokens}: {tried:?}");
            assert!(
                tried.contains(&fits) && tried.contains(&(fits + 1)),
                "{tried:?}"
            );
        }
    }

    /// An exact tokenizer bounds as the approximation does, and its count is in the account.
    #[cfg(feature = "exact-tokens")]
    #[test]
    fn an_exact_count_is_kept_too() {
        let words = Words(vec!["漢字かな".to_owned(); 200]);
        for tokens in [120, 300, 900] {
            let limit = Limit {
                tokens: Some(tokens),
                bytes: None,
                tokenizer: Tokenizer::O200kBase,
            };
            let text = fit(&words, limit).unwrap();
            let exact = Tokenizer::O200kBase.exact(&text).unwrap();
            assert!(exact <= tokens && tokens_approx(&text) <= tokens);
            assert!(
                text.contains(&format!("tokens_exact: Some({exact})")),
                "{exact}: {text}"
            );
        }
    }
}
