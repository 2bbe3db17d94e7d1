//! When a figure is worth a word (`000` §11).

/// The figures that are compared with a level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AlarmLevels {
    /// 95 of 100 symbols are resolved within so many µs.
    pub resolve_p95_us: Option<u64>,
    /// Semantic texts that wait.
    pub queue: u64,
    /// Memory of the index in bytes.
    pub memory_bytes: u64,
    /// Answers above their limit of tokens.
    pub exceeded: u32,
}

/// A figure above its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// Symbols are resolved slowly.
    SlowResolve,
    /// Many semantic texts wait.
    LongQueue,
    /// The index is large.
    HighMemory,
    /// An answer was above its limit.
    BudgetExceeded,
}

impl Alarm {
    const ALL: [Self; 4] = [
        Self::SlowResolve,
        Self::LongQueue,
        Self::HighMemory,
        Self::BudgetExceeded,
    ];

    /// The alarms of these figures.
    #[must_use]
    pub fn raised(levels: AlarmLevels) -> Vec<Self> {
        let is_raised = |alarm: &Self| match alarm {
            Self::SlowResolve => levels.resolve_p95_us.is_some_and(|micros| micros > 100_000),
            Self::LongQueue => levels.queue > 50,
            Self::HighMemory => levels.memory_bytes > 2_000_000_000,
            Self::BudgetExceeded => levels.exceeded > 0,
        };
        Self::ALL.into_iter().filter(is_raised).collect()
    }

    /// The alarm as a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::SlowResolve => "95 of 100 symbols take longer than 100 ms to resolve.",
            Self::LongQueue => "More than 50 semantic texts wait.",
            Self::HighMemory => "The index takes more than 2 GB.",
            Self::BudgetExceeded => "An answer had more tokens than its limit.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_its_alarm() {
        assert_eq!(Alarm::raised(AlarmLevels::default()), []);
        let at_their_levels = AlarmLevels {
            resolve_p95_us: Some(100_000),
            queue: 50,
            memory_bytes: 2_000_000_000,
            exceeded: 0,
        };
        assert_eq!(Alarm::raised(at_their_levels), []);
        let above = AlarmLevels {
            resolve_p95_us: Some(100_001),
            queue: 51,
            memory_bytes: 2_000_000_001,
            exceeded: 1,
        };
        assert_eq!(Alarm::raised(above), Alarm::ALL);
    }
}
