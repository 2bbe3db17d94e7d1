//! How much may be sent to a model, and what was (SPEC SE3).

use serde::{Deserialize, Serialize};

const HOUR: u64 = 60 * 60 * 1_000;
const DAY: u64 = 24 * HOUR;

/// Limits; what is absent has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Quota {
    /// Requests in any hour.
    pub calls_per_hour: Option<u32>,
    /// Requests in any day.
    pub calls_per_day: Option<u32>,
    /// Tokens in and out in any hour.
    pub tokens_per_hour: Option<u32>,
    /// Tokens in and out in any day.
    pub tokens_per_day: Option<u32>,
}

/// Requests and tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cost {
    /// Requests.
    pub calls: u32,
    /// Tokens in and out.
    pub tokens: u32,
}

/// Answers whose times are kept.
const TIMES: usize = 200;

/// What was sent to models, by hour; what is older than a day is forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Ms since 1970 at which the hour began, and what was sent in it.
    hours: Vec<(u64, Cost)>,
    /// Since it is counted.
    pub total: Cost,
    /// Texts that held, so that nothing had to be written.
    pub unchanged: u32,
    /// Requests that brought nothing: no answer, or a text that is not taken.
    pub failures: u32,
    /// Changes of described types after which nobody had to be asked.
    pub spared_calls: u32,
    /// What prompts about changes cost less than prompts for whole texts, in tokens.
    pub spared_tokens: u32,
    /// Secrets that were taken out of what was sent and answered.
    pub redacted: u32,
    /// How long the last answers took, in ms, the latest last.
    took: Vec<u32>,
}

impl Usage {
    /// Notes a request.
    pub fn note(&mut self, tokens: u32, now: u64) {
        let hour = now - now % HOUR;
        self.hours.retain(|(at, _)| at + DAY > now && *at <= hour);
        if self.hours.last().is_none_or(|(at, _)| *at != hour) {
            self.hours.push((hour, Cost::default()));
        }
        let last = self.hours.last_mut().map(|(_, cost)| cost);
        for cost in last.into_iter().chain([&mut self.total]) {
            cost.calls = cost.calls.saturating_add(1);
            cost.tokens = cost.tokens.saturating_add(tokens);
        }
    }

    /// Notes how long an answer took.
    pub fn note_time(&mut self, ms: u64) {
        self.took.push(u32::try_from(ms).unwrap_or(u32::MAX));
        let old = self.took.len().saturating_sub(TIMES);
        self.took.drain(..old);
    }

    /// What so many percent of the last answers took at most, in ms; none before there is an answer.
    #[must_use]
    pub fn time_of(&self, percent: usize) -> Option<u32> {
        let mut sorted = self.took.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(at).copied()
    }

    /// Tokens that were not spent: what prompts about changes cost less, and for each change after which nobody had to be
    /// asked what a request costs on the average.
    #[must_use]
    pub fn saved_tokens(&self) -> u64 {
        let average = u64::from(self.total.tokens) / u64::from(self.total.calls.max(1));
        u64::from(self.spared_tokens) + average * u64::from(self.spared_calls)
    }

    /// What was sent in the last so many ms, hours counted whole.
    #[must_use]
    pub fn within(&self, span: u64, now: u64) -> Cost {
        let mut sum = Cost::default();
        for (_, cost) in self
            .hours
            .iter()
            .filter(|(at, _)| at + HOUR + span > now + HOUR)
        {
            sum.calls = sum.calls.saturating_add(cost.calls);
            sum.tokens = sum.tokens.saturating_add(cost.tokens);
        }
        sum
    }

    /// How many requests may still be sent now, with the limit that says so; none where there is no limit.
    #[must_use]
    pub fn calls_left(&self, quota: &Quota, now: u64) -> Option<(u32, String)> {
        let rules = [
            (quota.calls_per_hour, HOUR, "requests an hour"),
            (quota.calls_per_day, DAY, "requests a day"),
        ];
        let left = rules.into_iter().filter_map(|(most, span, what)| {
            let most = most?;
            let left = most.saturating_sub(self.within(span, now).calls);
            Some((left, format!("{most} {what}")))
        });
        left.min_by_key(|(left, _)| *left)
    }

    /// Why a request of so many tokens may not be sent now, beside so many that are open.
    #[must_use]
    pub fn refusal(&self, quota: &Quota, open: u32, tokens: u32, now: u64) -> Option<String> {
        let (hour, day) = (self.within(HOUR, now), self.within(DAY, now));
        let rules = [
            (
                quota.calls_per_hour,
                hour.calls,
                open + 1,
                "requests an hour",
            ),
            (quota.calls_per_day, day.calls, open + 1, "requests a day"),
            (quota.tokens_per_hour, hour.tokens, tokens, "tokens an hour"),
            (quota.tokens_per_day, day.tokens, tokens, "tokens a day"),
        ];
        let mut broken = rules
            .into_iter()
            .filter_map(|(most, used, more, what)| Some((most?, used, more, what)))
            .filter(|(most, used, more, _)| used.saturating_add(*more) > *most);
        let (most, used, _, what) = broken.next()?;
        Some(format!(
            "the quota of {most} {what} is used up: {used} so far"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_savings_are_told() {
        let mut usage = Usage::default();
        assert_eq!((usage.time_of(50), usage.saved_tokens()), (None, 0));
        (1..=300).for_each(|ms| usage.note_time(ms));
        // The last two hundred: 101 to 300.
        assert_eq!(usage.time_of(50), Some(200));
        assert_eq!(usage.time_of(95), Some(290));
        usage.note(40, 0);
        usage.note(60, 0);
        (usage.spared_calls, usage.spared_tokens) = (3, 7);
        assert_eq!(usage.saved_tokens(), 157);
    }

    #[test]
    fn an_hour_and_a_day_are_counted() {
        let mut usage = Usage::default();
        let quota = Quota {
            calls_per_hour: Some(2),
            tokens_per_day: Some(100),
            ..Quota::default()
        };
        let start = 1_000 * DAY;
        usage.note(10, start);
        assert_eq!(usage.refusal(&quota, 0, 10, start), None);
        let left = |usage: &Usage| usage.calls_left(&quota, start + 1).map(|(left, _)| left);
        assert_eq!(left(&usage), Some(1));
        assert_eq!(usage.calls_left(&Quota::default(), start), None);
        usage.note(10, start + 1);
        assert_eq!(left(&usage), Some(0));
        let refused = usage.refusal(&quota, 0, 10, start + 2);
        assert!(refused.is_some_and(|why| why.contains("2 requests an hour")));
        let later = start + 2 * HOUR;
        assert_eq!(usage.refusal(&quota, 0, 80, later), None);
        assert!(usage.refusal(&quota, 0, 81, later).is_some());
        assert_eq!(usage.refusal(&quota, 0, 81, start + 26 * HOUR), None);
        assert_eq!(
            usage.total,
            Cost {
                calls: 2,
                tokens: 20
            }
        );
    }
}
