//! What answers cost, by tool and by symbol (SPEC X8). Nothing of it leaves the process.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use codecortex_protocol::{Answer, tokens_approx};

/// Symbols of which an account is kept; beyond them the cheapest are forgotten.
const MAX_SYMBOLS: usize = 512;

/// What answers of a tool, or about a symbol, have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenAccount {
    /// Answers.
    pub calls: u32,
    /// What they cost.
    pub tokens: u64,
}

impl TokenAccount {
    fn add(&mut self, tokens: u32) {
        self.calls = self.calls.saturating_add(1);
        self.tokens += u64::from(tokens);
    }
}

/// What answers have cost.
#[derive(Clone, Debug, Default)]
pub struct TokenUsage {
    /// By the tool's name.
    pub by_tool: BTreeMap<String, TokenAccount>,
    /// By the path of the symbol that a call named first.
    by_symbol: BTreeMap<String, TokenAccount>,
    /// Tokens of the last answer.
    pub last: u32,
}

impl TokenUsage {
    /// Notes an answer of a tool, by its name in the table: the dearer of its forms, which is what most callers
    /// read. Whoever makes up names must not make the table grow: without one it is of `other`.
    pub fn note(&mut self, tool: Option<&'static str>, symbol: Option<String>, answer: &Answer) {
        let forms = [&answer.json, &answer.text].into_iter().flatten();
        let tokens = forms.map(|form| tokens_approx(form)).max().unwrap_or(0);
        let tool = tool.unwrap_or("other");
        self.by_tool.entry(tool.to_owned()).or_default().add(tokens);
        if let Some(symbol) = symbol {
            self.by_symbol.entry(symbol).or_default().add(tokens);
            if self.by_symbol.len() > 2 * MAX_SYMBOLS {
                let kept = self.dearest(MAX_SYMBOLS);
                self.by_symbol = kept
                    .into_iter()
                    .map(|(symbol, account)| (symbol.to_owned(), account))
                    .collect();
            }
        }
        self.last = tokens;
    }

    /// Tokens of all answers.
    pub fn total(&self) -> u64 {
        self.by_tool.values().map(|account| account.tokens).sum()
    }

    /// The symbols about which most was said, the dearest first.
    pub fn dearest(&self, most: usize) -> Vec<(&str, TokenAccount)> {
        let mut all: Vec<(&str, TokenAccount)> = self
            .by_symbol
            .iter()
            .map(|(symbol, account)| (symbol.as_str(), *account))
            .collect();
        all.sort_by_key(|(symbol, account)| (Reverse(account.tokens), *symbol));
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_symbols_stay() {
        let mut usage = TokenUsage::default();
        let answer = |letters: usize| Answer {
            ok: true,
            json: None,
            text: Some("x".repeat(letters)),
        };
        for number in 0..1_100 {
            usage.note(None, Some(format!("S{number:04}")), &answer(8));
            usage.note(
                Some("codecortex_getOutline"),
                Some("Dear".to_owned()),
                &answer(8),
            );
        }
        usage.note(Some("codecortex_getOutline"), None, &answer(40));
        let dear = TokenAccount {
            calls: 1_100,
            tokens: 2_200,
        };
        assert_eq!(usage.dearest(1), [("Dear", dear)]);
        assert!(usage.by_symbol.len() <= 2 * MAX_SYMBOLS);
        assert_eq!(usage.by_tool["codecortex_getOutline"].tokens, 2_210);
        assert_eq!((usage.by_tool["other"].calls, usage.last), (1_100, 10));
        assert_eq!(usage.total(), 4_410);
    }
}
