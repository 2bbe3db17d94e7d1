//! Calls of a constructor that name its type: `new A(1)`, `A(1)`, `super(1)` in a type that derives from it.

use codecortex_bind::Dialect;
use codecortex_bind::facts::Role;
use codecortex_resolve::{DefRef, FileNo, Resolver};

use crate::refusal::{Refusal, RefusalKind};
use crate::rename::uses::collect_from;

/// The most types that derive from one.
const MAX_TYPES: usize = 500;

/// A place that names a type whose construction calls the constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TypePlace {
    pub(crate) file: FileNo,
    pub(crate) at: u32,
    /// Whether it is an instance that is made there, as far as the role says.
    pub(crate) is_called: bool,
    /// Whether it is read as a value.
    pub(crate) is_read: bool,
}

/// What calls a constructor without naming it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstructorUses {
    /// The name of the type.
    pub(crate) name: String,
    /// The type, and those that derive from it and have no constructor of their own.
    pub(crate) carriers: Vec<DefRef>,
    /// Types with a constructor of their own that derive from one of those.
    pub(crate) heirs: Vec<DefRef>,
    /// Where the carriers are named; nothing where the references of the constructor have all of its calls.
    pub(crate) places: Vec<TypePlace>,
    /// Uses that may name one of the types.
    pub(crate) unsure: Vec<(FileNo, u32)>,
}

impl ConstructorUses {
    pub(crate) fn new(resolver: &Resolver<'_>, constructor: DefRef) -> Result<Self, Refusal> {
        let refusal = |kind, message: String| {
            let at = resolver.place(constructor).unwrap_or_default();
            Err(Refusal::new(kind, message).at([(constructor.file, at)]))
        };
        let (Some(owner), Some(dialect)) = (
            resolver.owner_of(constructor),
            resolver.dialect(constructor.file),
        ) else {
            return refusal(
                RefusalKind::Unsure,
                "It is not known what it makes.".to_owned(),
            );
        };
        let mut made = Self {
            name: resolver.name(owner).to_owned(),
            carriers: vec![owner],
            ..Self::default()
        };
        let own = resolver.constructors_of(owner);
        let symbol = resolver.symbol(constructor);
        let has_others = own
            .iter()
            .any(|other| !symbol.contains(other) && *other != constructor);
        made.derive(resolver, constructor);
        if made.carriers.len() + made.heirs.len() > MAX_TYPES {
            let message = "Too many types derive from its type.".to_owned();
            return refusal(RefusalKind::Unsure, message);
        }
        match dialect {
            // Every use of a type may make one; the resolver lists no calls of these constructors.
            Dialect::TypeScript | Dialect::JavaScript | Dialect::Python => {
                if own.len() > 1 && has_others {
                    let message = "Its type has more than one constructor.".to_owned();
                    return refusal(RefusalKind::Unsupported, message);
                }
                made.read_places(resolver)?;
            }
            Dialect::Java if has_others && made.has_derived() => {
                let message =
                    "Its type has more than one constructor, and types derive from it.".to_owned();
                return refusal(RefusalKind::Unsupported, message);
            }
            Dialect::Java => {}
            Dialect::CSharp => {}
            _ => {
                let message = "Constructors of this language are not changed yet.".to_owned();
                return refusal(RefusalKind::Unsupported, message);
            }
        }
        Ok(made)
    }

    fn has_derived(&self) -> bool {
        self.carriers.len() > 1 || !self.heirs.is_empty()
    }

    /// Files in which something of it is written.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileNo> + '_ {
        let types = self.carriers.iter().chain(&self.heirs);
        let places = self.places.iter().map(|place| place.file);
        types.map(|def| def.file).chain(places)
    }

    /// Walks the types that derive: of one without a constructor of its own the next ones.
    fn derive(&mut self, resolver: &Resolver<'_>, constructor: DefRef) {
        let mut next = 0;
        while let Some(carrier) = self.carriers.get(next).copied() {
            next += 1;
            for derived in resolver.subtypes(carrier) {
                if self.carriers.contains(&derived)
                    || self.heirs.contains(&derived)
                    || self.carriers.len() + self.heirs.len() > MAX_TYPES
                {
                    continue;
                }
                // A class without a name gives the arguments where it is made.
                if resolver.name(derived).is_empty() {
                    continue;
                }
                let own = resolver.constructors_of(derived);
                let inherits = own.is_empty() || own.contains(&constructor);
                match inherits {
                    true => self.carriers.push(derived),
                    false => self.heirs.push(derived),
                }
            }
        }
    }

    fn read_places(&mut self, resolver: &Resolver<'_>) -> Result<(), Refusal> {
        for carrier in self.carriers.clone() {
            let references = resolver.references_of(&[carrier]);
            let roles: Vec<_> = references
                .iter()
                .map(|reference| ((reference.file, reference.at), reference.role.0))
                .collect();
            let found = collect_from(resolver, &[carrier], references)?;
            self.unsure.extend(found.unsure);
            for (file, at) in found.places {
                let mut of_place = roles.iter().filter(|(place, _)| *place == (file, at));
                let is = |role: Role| of_place.clone().any(|(_, other)| *other == role as u8);
                let is_called = is(Role::Call);
                let is_read =
                    is(Role::Read) || is(Role::Write) || is(Role::ReadWrite) || is(Role::Attribute);
                let is_known = of_place.next().is_some();
                self.places.push(TypePlace {
                    file,
                    at,
                    is_called,
                    is_read: is_read && is_known,
                });
            }
        }
        self.places.sort_unstable();
        self.places.dedup();
        Ok(())
    }
}
