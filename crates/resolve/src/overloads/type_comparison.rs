//! Whether and how a value of one type converts to another: an argument to the type of a parameter.

use codecortex_bind::facts::{DefKind, Literal, flag};

use crate::ids::{DefRef, FileNo, Name};
use crate::library_types;
use crate::overloads::conversion::{Conversion, Variance};
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::Ty;

/// How a value of one type converts to another, by the rules of a file's language. Type arguments deeper than `depth`
/// are not compared.
pub(crate) fn conversion(
    resolver: &Resolver<'_>,
    takes: &Ty,
    actual: &Ty,
    file: FileNo,
    depth: u32,
) -> Conversion {
    let Some(depth) = depth.checked_sub(1) else {
        return Conversion::Maybe;
    };
    let types = TypeComparison {
        resolver,
        file,
        depth,
    };
    // Tables know how their types convert.
    let told = |of: &Ty| match of {
        Ty::Instance(def, _) if tables::is_told(resolver, *def) => {
            Some(tables::as_named(resolver, of))
        }
        _ => None,
    };
    let (named_takes, named_actual) = (told(takes), told(actual));
    let takes = named_takes.as_ref().unwrap_or(takes);
    let actual = named_actual.as_ref().unwrap_or(actual);
    // The order counts: what nothing is known of, then what stands for several types, then types by their form.
    types
        .of_undetermined(takes, actual)
        .or_else(|| types.of_union(takes, actual))
        .or_else(|| types.of_type_param_or_top(takes, actual))
        .unwrap_or_else(|| types.by_form(takes, actual))
}

/// Compares types by the rules of a file's language.
struct TypeComparison<'r, 'w> {
    resolver: &'r Resolver<'w>,
    file: FileNo,
    /// How deep the parts of the types are compared.
    depth: u32,
}

impl TypeComparison<'_, '_> {
    /// How parts of the types convert.
    fn part(&self, takes: &Ty, actual: &Ty) -> Conversion {
        conversion(self.resolver, takes, actual, self.file, self.depth)
    }

    /// Whether neither of two types converts to the other.
    fn are_unlike(&self, a: &Ty, b: &Ty) -> bool {
        self.part(a, b) == Conversion::No && self.part(b, a) == Conversion::No
    }

    fn text(&self, name: Name) -> &str {
        self.resolver.workspace.text(name)
    }

    fn is_value(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::External(Some(name), _)
            if self.resolver.rules(self.file).is_value_type(self.text(*name)))
    }

    /// Conversions of which little is known, and of what has no type of its own: `null`.
    fn of_undetermined(&self, takes: &Ty, actual: &Ty) -> Option<Conversion> {
        let null = self.resolver.rules(self.file).literal(Literal::Null);
        Some(match (takes, actual) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => Conversion::Maybe,
            // What a type from outside has may be a value as well.
            (_, Ty::ExternalType(..)) => self.part(takes, &Ty::external()),
            (Ty::Param(a), Ty::Param(b)) if a == b => Conversion::Same,
            (_, Ty::External(Some(name), _)) if self.text(*name) == null => {
                match self.is_value(takes) {
                    true => Conversion::No,
                    false => Conversion::Derived,
                }
            }
            _ => return None,
        })
    }

    /// One of several types takes what any of them takes; each of several types that are given has to convert.
    fn of_union(&self, takes: &Ty, actual: &Ty) -> Option<Conversion> {
        let best = match (takes, actual) {
            (Ty::Union(parts), _) => parts.iter().map(|part| self.part(part, actual)).min(),
            (_, Ty::Union(parts)) => parts.iter().map(|part| self.part(takes, part)).max(),
            _ => return None,
        };
        Some(best.unwrap_or(Conversion::No))
    }

    /// Conversions from and to type parameters, and to the type that takes everything.
    fn of_type_param_or_top(&self, takes: &Ty, actual: &Ty) -> Option<Conversion> {
        let rules = self.resolver.rules(self.file);
        Some(match (takes, actual) {
            (Ty::Param(param), _) => self.to_param(*param, actual),
            (Ty::External(Some(top), _), _) if rules.is_top_type(self.text(*top)) => match actual {
                // It may be a value as well, which others take better.
                Ty::External(None, _) => Conversion::Maybe,
                Ty::External(Some(b), _) if top == b => Conversion::Same,
                actual if self.is_value(actual) => Conversion::Boxed,
                _ => Conversion::Derived,
            },
            (_, Ty::Param(param)) => match self.resolver.bound_of(*param) {
                Some(bound) => self.part(takes, &bound).max(Conversion::Derived),
                None => Conversion::No,
            },
            _ => return None,
        })
    }

    fn to_param(&self, param: DefRef, actual: &Ty) -> Conversion {
        if is_of_other_kind(self.resolver, param, actual, self.file) {
            return Conversion::No;
        }
        if let Some(bound) = self.resolver.bound_of(param) {
            return self.part(&bound, actual).max(Conversion::Derived);
        }
        match self.resolver.rules(self.file).boxes_type_args() && self.is_value(actual) {
            true => Conversion::Boxed,
            false => Conversion::Derived,
        }
    }

    /// Conversions between types of which the form is known.
    fn by_form(&self, takes: &Ty, actual: &Ty) -> Conversion {
        match (takes, actual) {
            (Ty::External(None, _), Ty::Instance(..))
            | (Ty::Instance(..), Ty::External(None, _)) => Conversion::No,
            (Ty::External(None, _), _) | (_, Ty::External(None, _)) => Conversion::Maybe,
            (Ty::Instance(of, _), _) => self.to_instance(*of, actual),
            (Ty::External(Some(name), args), _) => self.to_library_type(takes, *name, args, actual),
            (Ty::Array(a), Ty::Array(b)) => match self.part(a, b) {
                Conversion::Boxed => Conversion::No,
                Conversion::Derived if self.is_value(a) => Conversion::No,
                conversion => conversion,
            },
            (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
                let fits = a.iter().zip(b.iter()).map(|(a, b)| self.part(a, b));
                fits.max().unwrap_or(Conversion::Same)
            }
            (Ty::Map(_), Ty::Map(_)) => Conversion::Same,
            (Ty::Pointer(a), Ty::Pointer(b)) => self.part(a, b),
            (Ty::Object(..), Ty::Object(..)) | (Ty::Function(..), Ty::Function(..)) => {
                Conversion::Maybe
            }
            _ => Conversion::No,
        }
    }

    /// Conversions to a type of the workspace.
    fn to_instance(&self, of: DefRef, actual: &Ty) -> Conversion {
        match actual {
            Ty::Instance(given, _)
                if of == *given || self.resolver.parts(of).types.contains(given) =>
            {
                Conversion::Same
            }
            Ty::Instance(given, _) if self.resolver.is_subtype(*given, of) => Conversion::Derived,
            Ty::External(Some(given), _) if is_library(of.file) => {
                let name = self.resolver.name(of);
                let rules = self.resolver.rules(self.file);
                let by_names = || rules.external_conversion(name, self.text(*given));
                self.by_library(of, actual).unwrap_or_else(by_names)
            }
            _ => Conversion::No,
        }
    }

    /// Conversions between types that the language's own library declares; nothing where it does not declare what is
    /// given.
    fn by_library(&self, of: DefRef, actual: &Ty) -> Option<Conversion> {
        let actual = tables::as_declared(self.resolver, actual.clone(), self.file);
        let Ty::Instance(given, _) = actual else {
            return None;
        };
        Some(match given == of {
            true => Conversion::Same,
            false if self.resolver.is_subtype(given, of) => Conversion::Derived,
            false => Conversion::No,
        })
    }

    /// The same between types that tables know by their names.
    fn by_library_of(&self, takes: &Ty, actual: &Ty) -> Option<Conversion> {
        match tables::as_declared(self.resolver, takes.clone(), self.file) {
            Ty::Instance(of, _) => self.by_library(of, actual),
            _ => None,
        }
    }

    /// Conversions to a type of a library: its name and arguments.
    fn to_library_type(&self, takes: &Ty, name: Name, args: &[Ty], actual: &Ty) -> Conversion {
        let rules = self.resolver.rules(self.file);
        match actual {
            Ty::External(Some(given), given_args) if name == *given => {
                self.between_arguments(self.text(name), args, given_args)
            }
            Ty::External(Some(given), given_args) => {
                let mut pairs = args.iter().zip(given_args.iter());
                let has_same_count = args.len() == given_args.len();
                match has_same_count && pairs.any(|(a, b)| self.are_unlike(a, b)) {
                    true => Conversion::No,
                    false => {
                        let by_names =
                            || rules.external_conversion(self.text(name), self.text(*given));
                        match self.by_library_of(takes, actual) {
                            Some(Conversion::No) if rules.has_implicit_conversions() => by_names(),
                            Some(conversion) => conversion,
                            None => by_names(),
                        }
                    }
                }
            }
            Ty::Instance(of, _) => {
                let def = self.resolver.def(*of);
                match def.map(|def| rules.implied_bases(def.kind)) {
                    Some(bases) if bases.contains(&self.text(name)) => Conversion::Derived,
                    _ => self.by_library_bases(takes, actual),
                }
            }
            Ty::Array(of) => {
                let is_other = matches!(args, [one] if self.are_unlike(one, of));
                let is_sequence = library_types::is_sequence(self.text(name)) && !is_other;
                match is_sequence && rules.arrays_are_sequences() {
                    true => Conversion::Derived,
                    false => Conversion::No,
                }
            }
            _ => Conversion::No,
        }
    }

    /// Conversions of a type of the workspace by its bases from outside.
    fn by_library_bases(&self, takes: &Ty, actual: &Ty) -> Conversion {
        let bases = self.resolver.external_bases(actual);
        let fits = bases.iter().map(|base| match base {
            Ty::External(Some(_), _) => self.part(takes, base),
            _ => Conversion::Maybe,
        });
        let best = fits.min().unwrap_or(Conversion::No);
        best.max(Conversion::Derived)
    }

    /// Conversions between two uses of one generic type.
    fn between_arguments(&self, name: &str, takes: &[Ty], given: &[Ty]) -> Conversion {
        let rules = self.resolver.rules(self.file);
        let last = takes.len().saturating_sub(1);
        let mut pairs = takes.iter().zip(given).enumerate();
        if pairs.any(|(index, (takes, given))| {
            self.argument_differs(takes, given, rules.variance(name, index == last))
        }) {
            return Conversion::No;
        }
        match (takes.len(), given.len()) {
            _ if !rules.types_differ_by_arity() => Conversion::Same,
            (takes, given) if takes == given => Conversion::Same,
            // `Task<T>` is a `Task`, not the other way round; what only takes a `T` is no `Action`.
            (0, _) if rules.variance(name, true) != Variance::Contravariant => Conversion::Derived,
            _ => Conversion::No,
        }
    }

    /// Whether a type argument cannot stand where another one is asked for.
    fn argument_differs(&self, takes: &Ty, given: &Ty, variance: Variance) -> bool {
        let conversion = self.part(takes, given);
        if self.is_invariant(takes, given) {
            return !matches!(conversion, Conversion::Same | Conversion::Maybe);
        }
        let other_way = || self.part(given, takes) == Conversion::No;
        let is_param = matches!(takes, Ty::Param(_)) || matches!(given, Ty::Param(_));
        match variance {
            Variance::Contravariant if !is_param => other_way(),
            Variance::Covariant => conversion == Conversion::No,
            _ => conversion == Conversion::No && other_way(),
        }
    }

    /// Whether one of two type arguments is a number or the like, which no other stands for there: a list of `int?`
    /// is none of `int`.
    fn is_invariant(&self, takes: &Ty, given: &Ty) -> bool {
        let is_value = |ty: &Ty| match ty {
            Ty::External(Some(name), _) => {
                let name = self.text(*name);
                let held = name.strip_suffix('?').unwrap_or(name);
                self.resolver.rules(self.file).is_value_type(held)
            }
            _ => false,
        };
        !matches!(takes, Ty::Param(_)) && (is_value(takes) || is_value(given))
    }
}

/// Whether a type parameter that stands for values alone, or for none, is given the other.
fn is_of_other_kind(resolver: &Resolver<'_>, param: DefRef, actual: &Ty, file: FileNo) -> bool {
    let kinds = flag::VALUE_TYPE | flag::REFERENCE_TYPE;
    let wanted = resolver.def(param).map_or(0, |def| def.flags & kinds);
    let given = match actual {
        _ if wanted == 0 => 0,
        Ty::Instance(of, _) => match resolver.def(*of).map(|def| def.kind) {
            Some(DefKind::Struct | DefKind::Enum) => flag::VALUE_TYPE,
            Some(DefKind::Class | DefKind::Interface | DefKind::Delegate) => flag::REFERENCE_TYPE,
            _ => 0,
        },
        Ty::External(Some(name), _) => {
            let name = resolver.workspace.text(*name).trim_end_matches('?');
            let rules = resolver.rules(file);
            let is_object = || rules.is_top_type(name) || rules.literal(Literal::Text) == name;
            match name {
                _ if rules.is_value_type(name) => flag::VALUE_TYPE,
                _ if is_object() => flag::REFERENCE_TYPE,
                _ => 0,
            }
        }
        Ty::Array(_) | Ty::Function(..) => flag::REFERENCE_TYPE,
        Ty::Param(given) => resolver.def(*given).map_or(0, |def| def.flags & kinds),
        _ => 0,
    };
    given != 0 && wanted & given == 0
}
