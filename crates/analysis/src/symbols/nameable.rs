//! Which types of installed packages a name alone means (SPEC D30, S2).

use codecortex_index::{Resolution, Resolved, Symbol, SymbolPath};

use crate::external::{follow_imports, is_nameable};
use crate::view::AnalysisView;

impl AnalysisView<'_> {
    /// What a path means, without what names alone do not mean in installed packages. Where nothing of the workspace is
    /// meant, the packages are looked for that its files import.
    pub(super) fn nameable(&self, path: &SymbolPath, found: Resolution) -> Resolution {
        let is_outside = |symbol: &Symbol| self.index.is_external(symbol.file);
        let is_own = |group: &Resolved| !group.symbols.iter().any(is_outside);
        let mut groups = match found {
            Resolution::One(found) if is_own(&found) => return Resolution::One(found),
            Resolution::Many(found) if found.iter().all(is_own) => return Resolution::Many(found),
            Resolution::One(found) => vec![found],
            Resolution::Many(found) => found,
            Resolution::None(suggestions) => {
                follow_imports(self);
                return Resolution::None(suggestions);
            }
        };
        follow_imports(self);
        // A whole path is one that an answer named.
        if path.segments.len() == 1 {
            for group in &mut groups {
                group
                    .symbols
                    .retain(|symbol| is_nameable(self, symbol.file));
            }
            groups.retain(|group| !group.symbols.is_empty());
        }
        match groups.len() {
            0 => Resolution::None(Vec::new()),
            1 => Resolution::One(groups.remove(0)),
            _ => Resolution::Many(groups),
        }
    }
}
