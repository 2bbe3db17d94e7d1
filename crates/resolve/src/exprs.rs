//! A file's expressions in little room: eight bytes each where the file is not large, twenty as they are.
//!
//! Reading a file costs more than looking into it, so as many as possible stay read; and a question about a name
//! looks through all expressions of the files that have it, of which it needs the names alone.

use codecortex_bind::Form;
use codecortex_bind::facts::{Expr, ExprId, Literal, NONE, NameId, Part, Role};

/// So many rows get their room at once.
const LIKELY: usize = 1 << 16;

/// An expression as numbers: a name; what it is made of, or where it stands; a place, or what else it is made of; its
/// form, with a byte of its own above that.
type Row<T> = [T; 4];

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
    fn push(&mut self, [name, of, at, head]: Row<T>) {
        self.names.push(name);
        self.others.push([of, at, head]);
    }

    #[inline]
    fn get(&self, index: usize) -> Option<Row<T>> {
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
    fn push(&mut self, row: Row<u32>) {
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
    fn get(&self, index: usize) -> Option<Row<u32>> {
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
fn packed(expr: &Expr) -> Row<u32> {
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
        Expr::Entry { of, index } | Expr::Given { of, index } => (0, [0, of, index]),
        Expr::Expected { call, index } => (0, [0, call, index]),
        Expr::Operator { name, left, right } => (0, [name, left, right]),
        Expr::Map { key, value } => (0, [0, key, value]),
        Expr::Function { def } => (0, [0, def, 0]),
        Expr::Object { scope, of } => (0, [0, scope, of]),
        Expr::Literal { of } => (of as u8, [0; 3]),
        Expr::Constant { of, value } => (of as u8, [value, 0, 0]),
        Expr::Having { member, value } => (0, [member, value, 0]),
        Expr::Through { of, tells } => (0, [0, of, tells]),
    };
    let form = Form::of(expr) as u8;
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
        Some(match Form::ALL[usize::from(form)] {
            Form::Opaque => Expr::Opaque,
            Form::Name => Expr::Name {
                name,
                scope: of,
                at,
                role,
                spaces,
            },
            Form::Member => Expr::Member {
                of,
                name,
                at,
                role,
                spaces,
            },
            Form::Module => Expr::Module {
                name,
                at,
                level: mark,
            },
            Form::This => Expr::This { scope: of },
            Form::Super => Expr::Super { scope: of },
            Form::SelfType => Expr::SelfType { scope: of },
            Form::Call => Expr::Call { of, args: at },
            Form::New => Expr::New { of, args: at },
            Form::Index => Expr::Index { of, by: at },
            Form::Apply => Expr::Apply { of, args: at },
            Form::Keyword => Expr::Keyword {
                call: of,
                name,
                at,
                value: self.given(id),
            },
            Form::Await => Expr::Await { of },
            Form::Iter => Expr::Iter {
                of,
                part: Part::ALL[usize::from(mark & 1)],
            },
            Form::Entry => Expr::Entry { of, index: at },
            Form::Unwrap => Expr::Unwrap { of },
            Form::Deref => Expr::Deref { of },
            Form::Pointer => Expr::Pointer { of },
            Form::Value => Expr::Value { of },
            Form::TypeOf => Expr::TypeOf { of },
            Form::Operator => Expr::Operator {
                name,
                left: of,
                right: at,
            },
            Form::Union => Expr::Union { of },
            Form::Tuple => Expr::Tuple { of },
            Form::Array => Expr::Array { of },
            Form::Map => Expr::Map { key: of, value: at },
            Form::Function => Expr::Function { def: of },
            Form::Object => Expr::Object { scope: of, of: at },
            Form::Expected => Expr::Expected {
                call: of,
                index: at,
            },
            Form::Given => Expr::Given { of, index: at },
            Form::Literal => Expr::Literal { of: literal },
            Form::Constant => Expr::Constant {
                of: literal,
                value: name,
            },
            Form::Having => Expr::Having {
                member: name,
                value: of,
            },
            Form::Through => Expr::Through { of, tells: at },
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
        let form = 0..Form::ALL.len();
        (form, numbers, 0..8_usize, 0..32_u8, any::<u8>()).prop_map(
            |(form, (a, b, c, d), which, spaces, level)| {
                let (role, literal) = (Role::ALL[which], Literal::ALL[which]);
                match Form::ALL[form] {
                    Form::Opaque => Expr::Opaque,
                    Form::Name => Expr::Name {
                        name: a,
                        scope: b,
                        at: c,
                        role,
                        spaces,
                    },
                    Form::Member => Expr::Member {
                        of: a,
                        name: b,
                        at: c,
                        role,
                        spaces,
                    },
                    Form::Module => Expr::Module {
                        name: a,
                        at: b,
                        level,
                    },
                    Form::This => Expr::This { scope: a },
                    Form::Super => Expr::Super { scope: a },
                    Form::SelfType => Expr::SelfType { scope: a },
                    Form::Call => Expr::Call { of: a, args: b },
                    Form::New => Expr::New { of: a, args: b },
                    Form::Index => Expr::Index { of: a, by: b },
                    Form::Apply => Expr::Apply { of: a, args: b },
                    Form::Keyword => Expr::Keyword {
                        call: a,
                        name: b,
                        at: c,
                        value: d,
                    },
                    Form::Await => Expr::Await { of: a },
                    Form::Iter => Expr::Iter {
                        of: a,
                        part: Part::ALL[which % 2],
                    },
                    Form::Entry => Expr::Entry { of: a, index: b },
                    Form::Unwrap => Expr::Unwrap { of: a },
                    Form::Deref => Expr::Deref { of: a },
                    Form::Pointer => Expr::Pointer { of: a },
                    Form::Value => Expr::Value { of: a },
                    Form::TypeOf => Expr::TypeOf { of: a },
                    Form::Operator => Expr::Operator {
                        name: a,
                        left: b,
                        right: c,
                    },
                    Form::Union => Expr::Union { of: a },
                    Form::Tuple => Expr::Tuple { of: a },
                    Form::Array => Expr::Array { of: a },
                    Form::Map => Expr::Map { key: a, value: b },
                    Form::Function => Expr::Function { def: a },
                    Form::Object => Expr::Object { scope: a, of: b },
                    Form::Expected => Expr::Expected { call: a, index: b },
                    Form::Given => Expr::Given { of: a, index: b },
                    Form::Literal => Expr::Literal { of: literal },
                    Form::Constant => Expr::Constant {
                        of: literal,
                        value: a,
                    },
                    Form::Having => Expr::Having {
                        member: a,
                        value: b,
                    },
                    Form::Through => Expr::Through { of: a, tells: b },
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
