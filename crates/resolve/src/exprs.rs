//! A file's expressions in little room: eight bytes each where the file is not large, twenty as they are.
//!
//! Reading a file costs more than looking into it, so as many as possible stay read; and a question about a name
//! looks through all expressions of the files that have it, of which it needs the names alone.

use codecortex_bind::ExprKind;
use codecortex_bind::facts::{Expr, ExprId, IterationPart, Literal, NONE, NameId, Role};

/// So many rows get their room at once.
const LIKELY: usize = 1 << 16;

/// An expression as numbers: a name; what it is made of, or where it stands; a place, or what else it is made of; its
/// form, with a byte of its own above that.
type ExprRow<T> = [T; 4];

/// Rows in columns: looking through the names alone, side by side, compares eight at a time.
#[derive(Debug, Default)]
struct Columns<T> {
    names: Vec<T>,
    others: Vec<[T; 3]>,
}

impl<T: Copy> Columns<T> {
    fn reserve(&mut self, rows: usize) {
        self.names.reserve_exact(rows);
        self.others.reserve_exact(rows);
    }

    #[inline]
    fn push(&mut self, [name, of, at, head]: ExprRow<T>) {
        self.names.push(name);
        self.others.push([of, at, head]);
    }

    #[inline]
    fn get(&self, index: usize) -> Option<ExprRow<T>> {
        let [of, at, head] = *self.others.get(index)?;
        Some([*self.names.get(index)?, of, at, head])
    }

    fn memory(&self) -> usize {
        size_of_val(&*self.names) + size_of_val(&*self.others)
    }
}

/// Rows in two bytes a number where all of a file fit, or four.
#[derive(Debug)]
enum Rows {
    Narrow(Columns<u16>),
    Wide(Columns<u32>),
}

impl Default for Rows {
    fn default() -> Self {
        Self::Narrow(Columns::default())
    }
}

impl Rows {
    fn reserve(&mut self, rows: usize) {
        match self {
            Self::Narrow(columns) => columns.reserve(rows),
            Self::Wide(columns) => columns.reserve(rows),
        }
    }

    #[inline]
    fn push(&mut self, row: ExprRow<u32>) {
        match self {
            Self::Narrow(columns) if row.iter().all(|number| is_narrow(*number)) => {
                columns.push(row.map(|number| number as u16));
            }
            Self::Narrow(_) => {
                self.widen();
                self.push(row);
            }
            Self::Wide(columns) => columns.push(row),
        }
    }

    #[cold]
    fn widen(&mut self) {
        if let Self::Narrow(narrow) = self {
            let mut wide = Columns::default();
            wide.reserve(narrow.names.capacity());
            let rows = (0..narrow.names.len()).filter_map(|index| narrow.get(index));
            rows.for_each(|row| wide.push(row.map(widened)));
            *self = Self::Wide(wide);
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(rows) => rows.names.len(),
            Self::Wide(rows) => rows.names.len(),
        }
    }

    fn memory(&self) -> usize {
        match self {
            Self::Narrow(rows) => rows.memory(),
            Self::Wide(rows) => rows.memory(),
        }
    }

    #[inline]
    fn get(&self, index: usize) -> Option<ExprRow<u32>> {
        match self {
            Self::Narrow(rows) => rows.get(index).map(|row| row.map(widened)),
            Self::Wide(rows) => rows.get(index),
        }
    }

    /// The rows with a name, or with another number that is the same one.
    fn places(&self, name: NameId) -> Box<dyn Iterator<Item = usize> + '_> {
        match self {
            Self::Narrow(rows) => match u16::try_from(name) {
                Ok(name) => Box::new(places(&rows.names, name)),
                Err(_) => Box::new(std::iter::empty()),
            },
            Self::Wide(rows) => Box::new(places(&rows.names, name)),
        }
    }
}

/// Whether a number fits into two bytes, of which the largest is [`NONE`].
#[inline]
fn is_narrow(number: u32) -> bool {
    number.wrapping_add(1) <= u32::from(u16::MAX)
}

#[inline]
fn widened(number: u16) -> u32 {
    match number {
        u16::MAX => NONE,
        number => u32::from(number),
    }
}

/// Where a name is. Most are in few places, so runs without it are passed at once.
fn places<T: Copy + PartialEq>(names: &[T], name: T) -> impl Iterator<Item = usize> + '_ {
    const RUN: usize = 64;
    let runs = names.chunks(RUN).enumerate();
    // Without an early end it is compared many at a time.
    let has = move |run: &[T]| run.iter().fold(false, |has, other| has | (*other == name));
    let runs = runs.filter(move |(_, run)| has(run));
    runs.flat_map(move |(number, run)| {
        let names = run.iter().enumerate();
        let names = names.filter(move |(_, other)| **other == name);
        names.map(move |(place, _)| number * RUN + place)
    })
}

/// A use's role and the spaces of names it looks in, as a byte: three bits and five.
fn mark_of(role: Role, spaces: u8) -> u8 {
    role as u8 | spaces << 3
}

/// An expression as a row.
fn packed(expr: &Expr) -> ExprRow<u32> {
    let (mark, [name, of, at]) = match *expr {
        Expr::Opaque => (0, [0; 3]),
        Expr::Name {
            name,
            scope,
            at,
            role,
            spaces,
        } => (mark_of(role, spaces), [name, scope, at]),
        Expr::Member {
            of,
            name,
            at,
            role,
            spaces,
        } => (mark_of(role, spaces), [name, of, at]),
        Expr::Module { name, at, level } => (level, [name, 0, at]),
        // What is given stands beside the rows.
        Expr::Keyword { call, name, at, .. } => (0, [name, call, at]),
        Expr::This { scope } | Expr::Super { scope } | Expr::SelfType { scope } => {
            (0, [0, scope, 0])
        }
        Expr::Call { of, args } | Expr::New { of, args } | Expr::Apply { of, args } => {
            (0, [0, of, args])
        }
        Expr::Index { of, by } => (0, [0, of, by]),
        Expr::Await { of }
        | Expr::Unwrap { of }
        | Expr::Deref { of }
        | Expr::Pointer { of }
        | Expr::Value { of }
        | Expr::TypeOf { of }
        | Expr::Array { of }
        | Expr::Union { of }
        | Expr::Tuple { of } => (0, [0, of, 0]),
        Expr::Iter { of, part } => (part as u8, [0, of, 0]),
        Expr::Entry { of, index } | Expr::ContextualParam { of, index } => (0, [0, of, index]),
        Expr::ContextualType { call, index } => (0, [0, call, index]),
        Expr::Operator { name, left, right } => (0, [name, left, right]),
        Expr::Map { key, value } => (0, [0, key, value]),
        Expr::Function { def } => (0, [0, def, 0]),
        Expr::Object { scope, of } => (0, [0, scope, of]),
        Expr::Literal { of } => (of as u8, [0; 3]),
        Expr::Constant { of, value } => (of as u8, [value, 0, 0]),
        Expr::Discriminant { member, value } => (0, [member, value, 0]),
        Expr::Indirect { of, narrowed } => (0, [0, of, narrowed]),
    };
    let form = ExprKind::of(expr) as u8;
    [name, of, at, u32::from(form) | u32::from(mark) << 8]
}

/// A file's expressions.
#[derive(Debug)]
pub(crate) struct Exprs {
    rows: Rows,
    /// What named arguments are given, by the argument.
    given: Box<[(ExprId, ExprId)]>,
}

/// Expressions that come one by one.
#[derive(Debug, Default)]
pub(crate) struct Packing {
    rows: Rows,
    given: Vec<(ExprId, ExprId)>,
}

impl Packing {
    /// Takes the next expression of so many.
    #[inline]
    pub(crate) fn push(&mut self, all: usize, expr: &Expr) {
        let index = self.rows.len();
        if index == 0 {
            self.rows.reserve(all.min(LIKELY));
        }
        if let Expr::Keyword { value, .. } = *expr {
            self.given.push((index as ExprId, value));
        }
        self.rows.push(packed(expr));
    }

    /// All of them.
    pub(crate) fn finish(self) -> Exprs {
        Exprs {
            given: self.given.into(),
            rows: self.rows,
        }
    }
}

impl Exprs {
    /// Bytes that they take.
    pub(crate) fn memory(&self) -> usize {
        self.rows.memory() + size_of_val(&*self.given)
    }

    /// The expression of this number, unpacked.
    pub(crate) fn get(&self, id: ExprId) -> Option<Expr> {
        let [name, of, at, head] = self.rows.get(id as usize)?;
        let (form, mark) = (head as u8, (head >> 8) as u8);
        let (role, spaces) = (Role::ALL[usize::from(mark & 7)], mark >> 3);
        let literal = Literal::ALL[usize::from(mark & 7)];
        Some(match ExprKind::ALL[usize::from(form)] {
            ExprKind::Opaque => Expr::Opaque,
            ExprKind::Name => Expr::Name {
                name,
                scope: of,
                at,
                role,
                spaces,
            },
            ExprKind::Member => Expr::Member {
                of,
                name,
                at,
                role,
                spaces,
            },
            ExprKind::Module => Expr::Module {
                name,
                at,
                level: mark,
            },
            ExprKind::This => Expr::This { scope: of },
            ExprKind::Super => Expr::Super { scope: of },
            ExprKind::SelfType => Expr::SelfType { scope: of },
            ExprKind::Call => Expr::Call { of, args: at },
            ExprKind::New => Expr::New { of, args: at },
            ExprKind::Index => Expr::Index { of, by: at },
            ExprKind::Apply => Expr::Apply { of, args: at },
            ExprKind::Keyword => Expr::Keyword {
                call: of,
                name,
                at,
                value: self.given(id),
            },
            ExprKind::Await => Expr::Await { of },
            ExprKind::Iter => Expr::Iter {
                of,
                part: IterationPart::ALL[usize::from(mark & 1)],
            },
            ExprKind::Entry => Expr::Entry { of, index: at },
            ExprKind::Unwrap => Expr::Unwrap { of },
            ExprKind::Deref => Expr::Deref { of },
            ExprKind::Pointer => Expr::Pointer { of },
            ExprKind::Value => Expr::Value { of },
            ExprKind::TypeOf => Expr::TypeOf { of },
            ExprKind::Operator => Expr::Operator {
                name,
                left: of,
                right: at,
            },
            ExprKind::Union => Expr::Union { of },
            ExprKind::Tuple => Expr::Tuple { of },
            ExprKind::Array => Expr::Array { of },
            ExprKind::Map => Expr::Map { key: of, value: at },
            ExprKind::Function => Expr::Function { def: of },
            ExprKind::Object => Expr::Object { scope: of, of: at },
            ExprKind::ContextualType => Expr::ContextualType {
                call: of,
                index: at,
            },
            ExprKind::ContextualParam => Expr::ContextualParam { of, index: at },
            ExprKind::Literal => Expr::Literal { of: literal },
            ExprKind::Constant => Expr::Constant {
                of: literal,
                value: name,
            },
            ExprKind::Discriminant => Expr::Discriminant {
                member: name,
                value: of,
            },
            ExprKind::Indirect => Expr::Indirect { of, narrowed: at },
        })
    }

    fn given(&self, argument: ExprId) -> ExprId {
        let place = self.given.binary_search_by_key(&argument, |entry| entry.0);
        place.map_or(NONE, |place| self.given[place].1)
    }

    /// All of them in order, unpacked.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Expr> {
        (0..self.rows.len()).filter_map(|index| self.get(index as ExprId))
    }

    /// Every use of a name that is written in the text: its expression, the name, its first byte and role.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (ExprId, NameId, u32, Role)> {
        (0..self.rows.len()).filter_map(|index| self.used(index))
    }

    /// Those of one name.
    pub(crate) fn uses_of(&self, name: NameId) -> impl Iterator<Item = (ExprId, u32, Role)> {
        let uses = self.rows.places(name).filter_map(|index| self.used(index));
        uses.map(|(expr, _, at, role)| (expr, at, role))
    }

    fn used(&self, index: usize) -> Option<(ExprId, NameId, u32, Role)> {
        let (name, at, role) = self.get(index as ExprId)?.written()?;
        Some((index as ExprId, name, at, role))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers on both sides of what fits into two bytes.
    fn number() -> impl Strategy<Value = u32> {
        prop_oneof![0..40_u32, 65_530..65_540_u32, Just(NONE), any::<u32>()]
    }

    fn expr() -> impl Strategy<Value = Expr> {
        let numbers = (number(), number(), number(), number());
        let form = 0..ExprKind::ALL.len();
        (form, numbers, 0..8_usize, 0..32_u8, any::<u8>()).prop_map(
            |(form, (a, b, c, d), which, spaces, level)| {
                let (role, literal) = (Role::ALL[which], Literal::ALL[which]);
                match ExprKind::ALL[form] {
                    ExprKind::Opaque => Expr::Opaque,
                    ExprKind::Name => Expr::Name {
                        name: a,
                        scope: b,
                        at: c,
                        role,
                        spaces,
                    },
                    ExprKind::Member => Expr::Member {
                        of: a,
                        name: b,
                        at: c,
                        role,
                        spaces,
                    },
                    ExprKind::Module => Expr::Module {
                        name: a,
                        at: b,
                        level,
                    },
                    ExprKind::This => Expr::This { scope: a },
                    ExprKind::Super => Expr::Super { scope: a },
                    ExprKind::SelfType => Expr::SelfType { scope: a },
                    ExprKind::Call => Expr::Call { of: a, args: b },
                    ExprKind::New => Expr::New { of: a, args: b },
                    ExprKind::Index => Expr::Index { of: a, by: b },
                    ExprKind::Apply => Expr::Apply { of: a, args: b },
                    ExprKind::Keyword => Expr::Keyword {
                        call: a,
                        name: b,
                        at: c,
                        value: d,
                    },
                    ExprKind::Await => Expr::Await { of: a },
                    ExprKind::Iter => Expr::Iter {
                        of: a,
                        part: IterationPart::ALL[which % 2],
                    },
                    ExprKind::Entry => Expr::Entry { of: a, index: b },
                    ExprKind::Unwrap => Expr::Unwrap { of: a },
                    ExprKind::Deref => Expr::Deref { of: a },
                    ExprKind::Pointer => Expr::Pointer { of: a },
                    ExprKind::Value => Expr::Value { of: a },
                    ExprKind::TypeOf => Expr::TypeOf { of: a },
                    ExprKind::Operator => Expr::Operator {
                        name: a,
                        left: b,
                        right: c,
                    },
                    ExprKind::Union => Expr::Union { of: a },
                    ExprKind::Tuple => Expr::Tuple { of: a },
                    ExprKind::Array => Expr::Array { of: a },
                    ExprKind::Map => Expr::Map { key: a, value: b },
                    ExprKind::Function => Expr::Function { def: a },
                    ExprKind::Object => Expr::Object { scope: a, of: b },
                    ExprKind::ContextualType => Expr::ContextualType { call: a, index: b },
                    ExprKind::ContextualParam => Expr::ContextualParam { of: a, index: b },
                    ExprKind::Literal => Expr::Literal { of: literal },
                    ExprKind::Constant => Expr::Constant {
                        of: literal,
                        value: a,
                    },
                    ExprKind::Discriminant => Expr::Discriminant {
                        member: a,
                        value: b,
                    },
                    ExprKind::Indirect => Expr::Indirect { of: a, narrowed: b },
                }
            },
        )
    }

    proptest! {
        /// What was put in comes out, whatever the numbers; so do its uses.
        #[test]
        fn expressions_are_what_they_were(exprs in prop::collection::vec(expr(), 0..200), name in number()) {
            let mut packing = Packing::default();
            exprs.iter().for_each(|expr| packing.push(exprs.len(), expr));
            let packed = packing.finish();
            prop_assert_eq!(packed.iter().collect::<Vec<_>>(), exprs.clone());
            prop_assert_eq!(packed.get(exprs.len() as ExprId), None);
            let written = exprs.iter().enumerate().filter_map(|(id, expr)| {
                let (name, at, role) = expr.written()?;
                Some((id as ExprId, name, at, role))
            });
            let written: Vec<_> = written.collect();
            prop_assert_eq!(packed.uses().collect::<Vec<_>>(), written.clone());
            let of_name = written.iter().filter(|use_| use_.1 == name && name != NONE);
            let of_name: Vec<_> = of_name.map(|(id, _, at, role)| (*id, *at, *role)).collect();
            prop_assert_eq!(packed.uses_of(name).filter(|_| name != NONE).collect::<Vec<_>>(), of_name);
        }
    }
}
