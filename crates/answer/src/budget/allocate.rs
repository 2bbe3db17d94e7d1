//! Which of many pieces get how much of a budget (SPEC BU1, X1).
//!
//! Pieces come in the order of their importance, each with levels of detail, the richest first. They
//! belong to sources, each with a cap of its own. A source is either *fair* (each piece gets its smallest
//! form before any gets a richer one: what somebody pinned should be there) or *greedy* (the first piece
//! takes the richest form that fits: of what was only looked at, the best is worth more than all).
//!
//! Costs are characters, because they add up; tokens are rounded.

/// After so many pieces in a row that found no room, those behind are not looked at: making forms costs
/// time, and they are less important.
const GIVE_UP_AFTER: usize = 64;

/// What is to be given out.
pub trait AllocatablePieces {
    /// How many there are.
    fn count(&self) -> usize;
    /// The source of a piece, as an index into the rules.
    fn source(&self, piece: usize) -> usize;
    /// How many forms a piece has, at least one.
    fn forms(&self, piece: usize) -> usize;
    /// What a form costs in characters. Richer forms come first and are asked for first.
    fn cost(&self, piece: usize, form: usize) -> usize;
    /// The richest form that a piece of a fair source gets before all others had their turn; it gets a richer one from
    /// what is left then. Asked for pieces that are to get more than their smallest form.
    fn first_turn(&self, piece: usize) -> usize {
        let _ = piece;
        0
    }
}

/// How a source is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServingRule {
    /// The most characters for this source.
    pub cap: usize,
    /// The most pieces.
    pub top_k: usize,
    /// Whether every piece gets its smallest form before one gets more.
    pub is_fair: bool,
}

/// What a piece got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// This form.
    Form(usize),
    /// Nothing.
    Cut(CutReason),
}

/// Why a piece got nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutReason {
    /// The budget is used up.
    Budget,
    /// Its source's part of the budget is used up.
    Source,
    /// Its source has given out as many pieces as it may.
    TopK,
}

/// What is left while pieces are served.
struct Remaining {
    budget: usize,
    caps: Vec<usize>,
    counts: Vec<usize>,
}

impl Remaining {
    fn room(&self, source: usize) -> usize {
        self.budget.min(self.caps[source])
    }

    fn take(&mut self, source: usize, cost: usize) {
        self.budget -= cost;
        self.caps[source] -= cost;
    }

    fn why_not(&self, source: usize) -> CutReason {
        match self.caps[source] < self.budget {
            true => CutReason::Source,
            false => CutReason::Budget,
        }
    }
}

/// Serves the pieces. The sum of what was given never exceeds the budget nor a source's cap.
pub fn allocate(
    pieces: &dyn AllocatablePieces,
    rules: &[ServingRule],
    budget: usize,
) -> Vec<Share> {
    let mut remaining = Remaining {
        budget,
        caps: rules.iter().map(|rule| rule.cap).collect(),
        counts: rules.iter().map(|rule| rule.top_k).collect(),
    };
    let mut shares = vec![Share::Cut(CutReason::Budget); pieces.count()];
    for (source, rule) in rules.iter().enumerate() {
        let own: Vec<usize> = (0..pieces.count())
            .filter(|piece| pieces.source(*piece) == source)
            .collect();
        first_round(pieces, &mut remaining, &mut shares, (source, *rule), &own);
        if rule.is_fair {
            let first_turn = |piece| pieces.first_turn(piece);
            upgrade(
                pieces,
                &mut remaining,
                &mut shares,
                (source, &own),
                first_turn,
            );
            upgrade(pieces, &mut remaining, &mut shares, (source, &own), |_| 0);
        }
    }
    shares
}

/// Each piece gets a form: of a fair source the smallest one, else the richest that fits.
fn first_round(
    pieces: &dyn AllocatablePieces,
    remaining: &mut Remaining,
    shares: &mut [Share],
    (source, rule): (usize, ServingRule),
    own: &[usize],
) {
    let mut in_vain = 0;
    for piece in own {
        if remaining.counts[source] == 0 {
            shares[*piece] = Share::Cut(CutReason::TopK);
            continue;
        }
        let room = remaining.room(source);
        let smallest = pieces.forms(*piece).saturating_sub(1);
        let first = if rule.is_fair { smallest } else { 0 };
        let fitting = (first..=smallest)
            .filter(|_| in_vain < GIVE_UP_AFTER && room > 0)
            .map(|form| (form, pieces.cost(*piece, form)))
            .find(|(_, cost)| *cost <= room);
        match fitting {
            Some((form, cost)) => {
                remaining.take(source, cost);
                remaining.counts[source] -= 1;
                shares[*piece] = Share::Form(form);
                in_vain = 0;
            }
            None => {
                shares[*piece] = Share::Cut(remaining.why_not(source));
                in_vain += 1;
            }
        }
    }
}

/// Each piece that has a form gets a richer one, the most important first, as far as there is room; none richer than
/// `richest` of it.
fn upgrade(
    pieces: &dyn AllocatablePieces,
    remaining: &mut Remaining,
    shares: &mut [Share],
    (source, own): (usize, &[usize]),
    richest: impl Fn(usize) -> usize,
) {
    let mut in_vain = 0;
    for piece in own {
        let Share::Form(has) = shares[*piece] else {
            continue;
        };
        if in_vain >= GIVE_UP_AFTER || remaining.room(source) == 0 {
            return;
        }
        let richer = richest(*piece)..has;
        if richer.is_empty() {
            continue;
        }
        let paid = pieces.cost(*piece, has);
        let better = richer
            .map(|form| (form, pieces.cost(*piece, form)))
            .find(|(_, cost)| cost.saturating_sub(paid) <= remaining.room(source));
        match better {
            Some((form, cost)) => {
                remaining.take(source, cost.saturating_sub(paid));
                // A richer form that costs less leaves what it saves to nobody: nothing is counted twice.
                shares[*piece] = Share::Form(form);
                in_vain = 0;
            }
            None => in_vain += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    struct Costs(Vec<(usize, Vec<usize>)>);

    impl AllocatablePieces for Costs {
        fn count(&self) -> usize {
            self.0.len()
        }
        fn source(&self, piece: usize) -> usize {
            self.0[piece].0
        }
        fn forms(&self, piece: usize) -> usize {
            self.0[piece].1.len()
        }
        fn cost(&self, piece: usize, form: usize) -> usize {
            self.0[piece].1[form]
        }
        fn first_turn(&self, piece: usize) -> usize {
            // Of pieces with many forms the richest one waits.
            usize::from(self.forms(piece) == 4)
        }
    }

    fn rule(cap: usize, top_k: usize, is_fair: bool) -> ServingRule {
        ServingRule {
            cap,
            top_k,
            is_fair,
        }
    }

    #[test]
    fn the_fair_come_all_and_the_greedy_come_whole() {
        let pieces = Costs(vec![(0, vec![50, 10]), (0, vec![50, 10]), (1, vec![30, 5])]);
        let rules = [rule(60, 9, true), rule(100, 9, false)];
        let shares = allocate(&pieces, &rules, 100);
        assert_eq!(shares, [Share::Form(0), Share::Form(1), Share::Form(0)]);
        let shares = allocate(&pieces, &rules, 25);
        assert_eq!(shares, [Share::Form(1), Share::Form(1), Share::Form(1)]);
        let shares = allocate(&pieces, &rules, 24);
        assert_eq!(shares[2], Share::Cut(CutReason::Budget));
        let few = [rule(100, 1, true), rule(4, 9, false)];
        let shares = allocate(&pieces, &few, 100);
        assert_eq!(
            shares[1..],
            [Share::Cut(CutReason::TopK), Share::Cut(CutReason::Source)]
        );
    }

    #[test]
    fn the_richest_form_that_waits_comes_after_the_first_turn_of_all() {
        let waits = (0, vec![60, 20, 8, 4]);
        let pieces = Costs(vec![waits.clone(), (0, vec![40, 10]), waits]);
        let forms = |room| allocate(&pieces, &[rule(room, 9, true)], room);
        let [whole, first, smallest] = [0, 1, 3].map(Share::Form);
        assert_eq!(
            forms(80),
            [first, whole, first],
            "nobody's code comes before an outline"
        );
        assert_eq!(forms(119), [first, whole, first]);
        assert_eq!(forms(120), [whole, whole, first]);
        assert_eq!(forms(160), [whole, whole, whole]);
        assert_eq!(forms(34), [first, Share::Form(1), smallest]);
        let greedy = allocate(&pieces, &[rule(100, 9, false)], 100);
        assert_eq!(greedy, [whole, whole, Share::Cut(CutReason::Budget)]);
    }

    fn any_case() -> impl Strategy<Value = (Costs, Vec<ServingRule>, usize)> {
        let piece =
            (0usize..3, prop::collection::vec(0usize..60, 1..5)).prop_map(|(source, mut costs)| {
                costs.sort_unstable_by(|a, b| b.cmp(a));
                (source, costs)
            });
        let rules = prop::collection::vec((0usize..300, 0usize..12, any::<bool>()), 3..=3);
        let rules = rules.prop_map(|rules| {
            let rules = rules.into_iter();
            rules
                .map(|(cap, top_k, is_fair)| rule(cap, top_k, is_fair))
                .collect()
        });
        let budget = prop_oneof![Just(0usize), Just(1), 0usize..400];
        (prop::collection::vec(piece, 0..20), rules, budget)
            .prop_map(|(pieces, rules, budget)| (Costs(pieces), rules, budget))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Nothing is given that is not there: not of the budget, not of a source, not of its count; and
        /// what was cut for want of room would not fit (SPEC BU1).
        #[test]
        fn no_budget_is_exceeded((pieces, rules, budget) in any_case()) {
            let shares = allocate(&pieces, &rules, budget);
            prop_assert_eq!(&shares, &allocate(&pieces, &rules, budget));
            let mut spent = [0usize; 3];
            let mut given = [0usize; 3];
            for (piece, share) in shares.iter().enumerate() {
                if let Share::Form(form) = share {
                    spent[pieces.source(piece)] += pieces.cost(piece, *form);
                    given[pieces.source(piece)] += 1;
                }
            }
            prop_assert!(spent.iter().sum::<usize>() <= budget);
            for source in 0..3 {
                prop_assert!(spent[source] <= rules[source].cap && given[source] <= rules[source].top_k);
            }
            for (piece, share) in shares.iter().enumerate() {
                let source = pieces.source(piece);
                let smallest = pieces.0[piece].1.last().copied().unwrap_or(0);
                let left = budget - spent.iter().sum::<usize>();
                match share {
                    Share::Form(form) => prop_assert!(*form < pieces.forms(piece)),
                    // Nothing that is still free would have been enough, unless there was no room at all.
                    Share::Cut(CutReason::Budget) => prop_assert!(smallest > left || left == 0 || smallest == 0),
                    Share::Cut(CutReason::Source) => prop_assert!(
                        smallest > rules[source].cap - spent[source] || smallest == 0
                    ),
                    Share::Cut(CutReason::TopK) => prop_assert_eq!(given[source], rules[source].top_k),
                }
            }
        }
    }
}
