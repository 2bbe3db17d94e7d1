//! What the parts of Go's rules share.

use codecortex_bind::facts::{Def, DefId, DefKind, NONE, flag, space};

use crate::ids::{DefRef, FileNo};

/// Whether a definition is one of the package's names.
pub(super) fn is_member(def: &Def, spaces: u8) -> bool {
    def.spaces & spaces != 0
        && def.container == NONE
        && def.flags & flag::HIDDEN == 0
        && !matches!(def.kind, DefKind::Alias | DefKind::Module)
}

/// A definition of a file by its number.
pub(super) fn at(file: FileNo, def: DefId) -> DefRef {
    DefRef { file, def }
}

/// Every member that the tables have, whatever it is.
pub(super) const ANY: u8 = space::ANY;
