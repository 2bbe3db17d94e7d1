//! Calls that do not fit any more what they call.
//!
//! Names and numbers of arguments are the resolver's to compare. What only the text of a call says is looked at once texts are
//! there ([`Misfit::with_text`]): that a list is spread into it, that a literal is of another type, what takes its value.

use codecortex_resolve::{DefRef, ExprRef};
use codecortex_syntax::Language;
use rustc_hash::FxHashMap;

use super::UseLocation;
use super::former_uses::Called;
use super::present_uses::After;
use crate::call_text::CallText;
use crate::literals::is_refused_literal;
use crate::parameters::{CallFit, Parameter};
use crate::results::Results;
use crate::touched_declarations::Touched;
use crate::unit::ReviewUnit;

/// Whether a use fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fitness {
    /// Surely not.
    Refused,
    /// Its arguments may go where they were not meant to, or it has to be called in another way.
    Doubtful,
    /// It does, as far as that can be told.
    Fits,
}

/// A use of a function that may not fit its parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfit {
    pub(super) place: UseLocation,
    pub(super) fitness: Fitness,
}

impl Misfit {
    /// Whether the use fits, where it is known how it is written: `text` is its file's, `at` the first byte of the use.
    pub(super) fn with_text(&self, touched: &Touched, text: &str, at: u32) -> Fitness {
        let language = touched.language;
        let Some(call) = CallText::at(text, at as usize) else {
            return self.fitness;
        };
        if is_refused_result(touched.results.as_ref(), &call, language) {
            return Fitness::Refused;
        }
        // Nobody knows how many arguments a list is that is spread.
        if call.has_spread(language) || call.may_give_several(language) {
            return match self.fitness {
                Fitness::Fits => Fitness::Fits,
                Fitness::Refused | Fitness::Doubtful => Fitness::Doubtful,
            };
        }
        match touched.fit.as_ref() {
            Some(fit) if has_refused_literal(fit, &call, language) => Fitness::Refused,
            _ => self.fitness,
        }
    }
}

/// Whether an argument is a literal that its parameter surely does not take, where that took another thing.
fn has_refused_literal(fit: &CallFit, call: &CallText<'_>, language: Option<Language>) -> bool {
    let is_extension = |of: &Parameter| of.ty.starts_with("this ");
    // What a method is called on may be written as its first argument: then places are others.
    if call.arguments.len() > fit.parameters.len() || fit.parameters.iter().any(is_extension) {
        return false;
    }
    let pairs = fit.parameters.iter().zip(&call.arguments);
    let mut pairs = pairs.skip(fit.same);
    pairs.any(|(of, given)| is_refused_literal(given, of, language))
}

/// Whether what takes the value of a call takes as many values as it gives no more.
fn is_refused_result(
    results: Option<&Results>,
    call: &CallText<'_>,
    language: Option<Language>,
) -> bool {
    results.is_some_and(|results| results.is_refused(call.taken(language)))
}

/// Of former uses of functions those that may not fit, by unit and place among its declarations.
pub(super) fn misfits(
    after: &After<'_>,
    units: &[ReviewUnit],
    called: &[Called],
) -> FxHashMap<(usize, usize), Vec<Misfit>> {
    let mut found = FxHashMap::default();
    for of in called {
        let unit = &units[of.of.0];
        let touched = &unit.touched[of.of.1];
        let Some(at) = touched.new_name_byte else {
            continue;
        };
        let number = after.number_of(unit.file);
        let def = number.and_then(|number| after.query.definition_at(number, at));
        let Some(def) = def else { continue };
        let misfit = |place: &UseLocation| {
            let at = after.expr_at(*place)?;
            let fitness = match (of.is_constructor, touched.is_called_otherwise()) {
                (_, false) => Fitness::Fits,
                (true, true) => made_otherwise(after, at, def, touched)?,
                (false, true) => fitness(after, at, def, touched)?,
            };
            // Of what fits the literals and what takes its value are looked at once its text is there.
            let is_read = touched.results.is_some() || touched.is_called_otherwise();
            (fitness != Fitness::Fits || is_read).then_some(Misfit {
                place: *place,
                fitness,
            })
        };
        found.insert(of.of, of.uses.iter().filter_map(misfit).collect());
    }
    found
}

/// Whether a use fits what it uses; nothing where it means another thing.
fn fitness(after: &After<'_>, at: ExprRef, def: DefRef, touched: &Touched) -> Option<Fitness> {
    let target = after.query.target_of_written(at);
    // Another overload takes it, or what is called there is another thing now.
    let is_it = target.defs.is_empty() || target.defs.contains(&def);
    if !is_it {
        return None;
    }
    // A function that is handed on may be called as before.
    if after.query.arguments_of_call(at).is_none() {
        return Some(
            match touched.fit.as_ref().is_some_and(|fit| fit.is_narrower) {
                true => Fitness::Doubtful,
                false => Fitness::Fits,
            },
        );
    }
    call_fitness(after, at, def, touched)
}

/// The same of a use of the type that a constructor makes values of: only what makes one counts.
fn made_otherwise(
    after: &After<'_>,
    at: ExprRef,
    def: DefRef,
    touched: &Touched,
) -> Option<Fitness> {
    let made_by = after.query.constructed_by(at);
    let is_it = made_by.is_empty() || made_by.contains(&def);
    is_it
        .then(|| call_fitness(after, at, def, touched))
        .flatten()
}

/// Whether the arguments of a call fit. Where they are not known to, all declarations of the function have to refuse them:
/// in C++ one of them alone says what may be left out.
fn call_fitness(after: &After<'_>, at: ExprRef, def: DefRef, touched: &Touched) -> Option<Fitness> {
    let (given, has_names) = after.query.arguments_of_call(at)?;
    let mut declared = after.query.symbol(def);
    declared.push(def);
    let refuses = |def: &DefRef| after.query.accepts_call(at, *def) == Some(false);
    let takes = |def: &DefRef| after.query.accepts_call(at, *def) == Some(true);
    // What is taken by number and names fits as far as anybody can say, unless it goes to other parameters.
    let has_doubtful_names = has_names && !declared.iter().any(takes);
    let fits = touched
        .fit
        .as_ref()
        .is_none_or(|fit| fit.is_always || fit.takes(given, has_doubtful_names));
    Some(if declared.iter().all(refuses) {
        Fitness::Refused
    } else if fits {
        Fitness::Fits
    } else {
        Fitness::Doubtful
    })
}
