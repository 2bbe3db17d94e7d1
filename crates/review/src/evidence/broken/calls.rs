//! Calls that do not fit any more what they call.

use codecortex_resolve::{DefRef, ExprRef};
use rustc_hash::FxHashMap;

use super::Place;
use super::former::Called;
use super::present::After;
use crate::parameters::Fit;
use crate::unit::Unit;

/// A use of a function that may not fit its parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfit {
    pub(super) place: Place,
    /// Whether it surely does not.
    pub(super) is_refused: bool,
}

/// Of former uses of functions those that may not fit, by unit and place among its declarations.
pub(super) fn misfits(
    after: &After<'_>,
    units: &[Unit],
    called: &[Called],
) -> FxHashMap<(usize, usize), Vec<Misfit>> {
    let mut found = FxHashMap::default();
    for of in called {
        let unit = &units[of.of.0];
        let touched = &unit.touched[of.of.1];
        let (Some(fit), Some(at)) = (&touched.fit, touched.new_name_byte) else {
            continue;
        };
        let number = after.number_of(unit.file);
        let def = number.and_then(|number| after.query.definition_at(number, at));
        let Some(def) = def else { continue };
        let misfit = |place: &Place| {
            let at = after.expr_at(*place)?;
            let is_refused = match of.is_constructor {
                true => made_otherwise(after, at, def, fit)?,
                false => misfit(after, at, def, fit)?,
            };
            Some(Misfit {
                place: *place,
                is_refused,
            })
        };
        found.insert(of.of, of.uses.iter().filter_map(misfit).collect());
    }
    found
}

/// Whether a use is refused by what it uses; nothing where it fits.
fn misfit(after: &After<'_>, at: ExprRef, def: DefRef, fit: &Fit) -> Option<bool> {
    let target = after.query.target_of_written(at);
    // Another overload takes it, or what is called there is another thing now.
    let is_it = target.defs.is_empty() || target.defs.contains(&def);
    if fit.is_always || !is_it {
        return None;
    }
    // A function that is handed on may be called as before.
    let Some((given, has_names)) = after.query.arguments_of_call(at) else {
        return (!fit.is_by_place).then_some(false);
    };
    let is_refused = after.query.accepts_call(at, def) == Some(false);
    (is_refused || !fit.takes(given, has_names)).then_some(is_refused)
}

/// The same of a use of the type that a constructor makes values of: only what makes one counts.
fn made_otherwise(after: &After<'_>, at: ExprRef, def: DefRef, fit: &Fit) -> Option<bool> {
    let (given, has_names) = after.query.arguments_of_call(at)?;
    let made_by = after.query.constructed_by(at);
    let is_it = made_by.is_empty() || made_by.contains(&def);
    if fit.is_always || !is_it {
        return None;
    }
    let is_refused = after.query.accepts_call(at, def) == Some(false);
    (is_refused || !fit.takes(given, has_names)).then_some(is_refused)
}
