//! Calls that do not fit any more what they call.

use codecortex_resolve::ExprRef;
use rustc_hash::FxHashMap;

use super::Place;
use super::former::Called;
use super::present::After;
use crate::parameters::Fit;
use crate::unit::Unit;

/// Of former calls of functions those that do not fit, by unit and place among its declarations.
pub(super) fn misfits(
    after: &After<'_>,
    units: &[Unit],
    called: &[Called],
) -> FxHashMap<(usize, usize), Vec<Place>> {
    let mut found = FxHashMap::default();
    for of in called {
        let unit = &units[of.of.0];
        let touched = &unit.touched[of.of.1];
        let (Some(fit), Some(at)) = (&touched.fit, touched.new_name_byte) else {
            continue;
        };
        let Some(number) = after.number_of(unit.file) else {
            continue;
        };
        let Some(def) = after.query.definition_at(number, at) else {
            continue;
        };
        let is_misfit = |place: &Place| {
            after
                .expr_at(*place)
                .is_some_and(|at| is_misfit(after, at, def, fit))
        };
        let left = of.uses.iter().copied().filter(is_misfit).collect();
        found.insert(of.of, left);
    }
    found
}

fn is_misfit(after: &After<'_>, at: ExprRef, def: codecortex_resolve::DefRef, fit: &Fit) -> bool {
    let target = after.query.target_of_written(at);
    // Another overload takes it, or what is called there is another thing now.
    let is_it = target.defs.is_empty() || target.defs.contains(&def);
    match after.query.arguments_of_call(at) {
        _ if fit.is_always => false,
        _ if !is_it => false,
        Some((given, names)) => {
            let takes = after.query.accepts_call(at, def) == Some(true);
            !takes || !fit.takes(given, names)
        }
        // A function that is handed on, and may be called as before.
        None => true,
    }
}
