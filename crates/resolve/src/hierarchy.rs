//! Bases and derived types.

use codecortex_bind::facts::DefKind;

use crate::family::push;
use crate::resolver::Resolver;
use crate::ty::Ty;
use crate::workspace::{DefRef, ExprRef, Name};

impl Resolver<'_> {
    /// Types that derive from a type, directly or not.
    #[must_use]
    pub fn derived(&self, of: DefRef) -> Vec<DefRef> {
        const MOST: usize = 2000;
        let mut all: Vec<DefRef> = Vec::new();
        let mut open = vec![of];
        while let Some(base) = open.pop() {
            for derived in self.subtypes(base) {
                if !all.contains(&derived) && derived != of && all.len() < MOST {
                    all.push(derived);
                    open.push(derived);
                }
            }
        }
        all
    }

    /// Types that name a type as a base.
    #[must_use]
    pub fn subtypes(&self, of: DefRef) -> Vec<DefRef> {
        if let Some(found) = self.rules(of.file).subtypes(self, of) {
            return found;
        }
        let mut found = Vec::new();
        let parts = self.parts(of);
        for name in self.names_of(of) {
            for (file, index) in self.workspace.derived_from(name) {
                let Some(base) = self
                    .file(*file)
                    .and_then(|bound| bound.bases().get(*index as usize))
                else {
                    continue;
                };
                let lowered = self.lower_type(ExprRef {
                    file: *file,
                    expr: base.of,
                });
                let is_it = |ty: &Ty| matches!(ty, Ty::Instance(def, _) | Ty::Type(def, _) if parts.types.contains(def));
                let matches = match &lowered.ty {
                    Ty::Union(types) => types.iter().any(is_it),
                    ty => is_it(ty),
                };
                if !matches {
                    continue;
                }
                let derived = DefRef {
                    file: *file,
                    def: base.def,
                };
                let of = self.type_of_block(derived).unwrap_or(derived);
                // A block for a type from outside, or for all types, has no name to show.
                if self.def(of).is_some_and(|def| def.kind != DefKind::Impl) {
                    push(&mut found, of);
                }
            }
        }
        found
    }

    /// The types that a type names as bases, with names of those that are outside.
    #[must_use]
    pub fn supertypes(&self, of: DefRef) -> (Vec<DefRef>, Vec<Name>) {
        if let Some(found) = self.rules(of.file).supertypes(self, of) {
            return (found, Vec::new());
        }
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (file, index) in &self.parts(of).bases {
            let bases = self.file(*file).map(|bound| bound.bases());
            let Some(base) = bases.and_then(|bases| bases.get(*index as usize)) else {
                continue;
            };
            let base = ExprRef {
                file: *file,
                expr: base.of,
            };
            if !self.rules(*file).is_base(self, base) {
                continue;
            }
            match self.lower_type(base).ty {
                Ty::Instance(def, _) | Ty::Type(def, _) => push(&mut inside, def),
                Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
                    push(&mut outside, name);
                }
                _ => {}
            }
        }
        (inside, outside)
    }
}
