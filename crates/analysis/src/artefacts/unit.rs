//! The unit of hashes around a declaration.

use codecortex_index::{Index, IndexUnit, Symbol, UnitLocation};
use codecortex_syntax::ItemIndex;

/// Returns the type or module that a symbol is or is in; none for a namespace.
#[must_use]
pub fn unit_around(index: &Index, symbol: Symbol) -> Option<(IndexUnit, UnitLocation)> {
    let (file, item) = index.get(symbol)?;
    let units = index.units_of(symbol.file);
    let mut around = Some((symbol.item, item));
    while let Some((place, item)) = around {
        if item.kind.is_type() {
            let path = index.path_of(Symbol {
                item: place,
                ..symbol
            });
            let is_it = |unit: &IndexUnit| unit.path == path && unit.kind == item.kind.as_str();
            return units.into_iter().find(|(unit, _)| is_it(unit));
        }
        around = item.parent.and_then(|parent| {
            let item = file.facts.items.get(parent as usize)?;
            Some((parent as ItemIndex, item))
        });
    }
    if index.get(symbol)?.1.kind.is_namespace() {
        return None;
    }
    // A member written outside of its type is its type's, anything else its module's.
    let segments = index.segments(symbol);
    let owner = segments
        .len()
        .checked_sub(2)
        .and_then(|owner| segments.get(owner));
    let owned = owner.and_then(|owner| {
        units.iter().find(|(unit, place)| {
            matches!(place, UnitLocation::Type(_)) && unit.path.ends_with(owner.text)
        })
    });
    owned
        .or_else(|| {
            units
                .iter()
                .find(|(_, place)| matches!(place, UnitLocation::Module(_)))
        })
        .cloned()
}
