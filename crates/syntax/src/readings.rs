//! What the parser's log says of the readings that it has of a text.
//!
//! At an error, and where a text is ambiguous, the parser goes on with several readings at once, each with what it
//! costs. Others are given up when they cost too much more for how much was read since, or at the end of the text.
//! Two that are in the same state may still differ in what is around that.

use tree_sitter::Point;

/// Whether it is decided at a place what the text before it is: whether the parser, when it has read that and nothing
/// more, has one reading of it, and that is at no error. What follows cannot make anything else of it.
#[derive(Debug)]
pub(crate) struct Readings {
    place: Point,
    decided: Option<bool>,
}

impl Readings {
    /// Of what is before a place.
    pub(crate) fn before(place: Point) -> Self {
        let decided = None;
        Self { place, decided }
    }

    /// Whether what is before the place is decided; not if the parser did not get there.
    pub(crate) fn are_decided(&self) -> bool {
        self.decided.unwrap_or(false)
    }

    /// Takes a line of the log.
    pub(crate) fn hear(&mut self, message: &str) {
        if self.decided.is_none()
            && let Some(step) = Step::of(message)
            && step.place >= self.place
        {
            self.decided = Some(step.readings == 1 && step.state != ERROR);
        }
    }
}

/// The parser's state at an error.
const ERROR: usize = 0;

/// A reading before the next token is taken to it.
struct Step {
    /// How many readings there are.
    readings: usize,
    /// The parser's state.
    state: usize,
    /// Up to where it was read.
    place: Point,
}

impl Step {
    /// Of `process version:0, version_count:1, state:42, row:3, col:7`.
    fn of(message: &str) -> Option<Self> {
        let mut numbers = message
            .strip_prefix("process ")?
            .split(", ")
            .map(|part| part.split_once(':')?.1.parse::<usize>().ok());
        let mut next = || numbers.next().flatten();
        let (_, readings, state) = (next()?, next()?, next()?);
        let place = Point::new(next()?, next()?);
        Some(Self {
            readings,
            state,
            place,
        })
    }
}
