//! Bindings as bytes: a few for each use of a name, so that a million lines stay a few megabytes in
//! memory and in the cache.
//!
//! What stands beside one another in a file refers to what is near: places, scopes and expressions are
//! written as the distance to the one before. One description serves both directions, so they cannot
//! differ ([`Coder`]).

mod exprs;

use std::cell::RefCell;

use crate::codec::exprs::expr;
use crate::exports::Exports;
use crate::facts::{
    Assignment, Base, Bindings, ConditionalRegion, Def, DefKind, Expr, GlobImport, NONE, Narrowing,
    Relation, Scope, ScopeKind,
};

/// Writes or reads numbers.
trait Coder {
    /// A byte.
    fn byte(&mut self, value: &mut u8);
    /// A number, small ones in few bytes.
    fn number(&mut self, value: &mut u32);
    /// A number near another, or [`NONE`].
    fn near(&mut self, value: &mut u32, base: u32);
    /// The length of a table; what is there when writing, what follows when reading.
    fn length(&mut self, length: usize) -> usize;
    /// Whether it can go on.
    fn is_sound(&self) -> bool;
}

struct BindingsWriter(Vec<u8>);

impl BindingsWriter {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

impl Coder for BindingsWriter {
    fn byte(&mut self, value: &mut u8) {
        self.0.push(*value);
    }

    fn number(&mut self, value: &mut u32) {
        self.varint(u64::from(*value));
    }

    fn near(&mut self, value: &mut u32, base: u32) {
        if *value == NONE {
            self.0.push(0);
            return;
        }
        let distance = i64::from(*value) - i64::from(base);
        let zigzag = ((distance << 1) ^ (distance >> 63)) as u64;
        self.varint(zigzag + 1);
    }

    fn length(&mut self, length: usize) -> usize {
        self.varint(length as u64);
        length
    }

    fn is_sound(&self) -> bool {
        true
    }
}

struct BindingsReader<'b> {
    bytes: &'b [u8],
    is_sound: bool,
}

impl BindingsReader<'_> {
    #[inline]
    fn varint(&mut self) -> u64 {
        // Most numbers are small.
        if let Some((&byte, rest)) = self.bytes.split_first()
            && byte < 0x80
        {
            self.bytes = rest;
            return u64::from(byte);
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> u64 {
        let mut value = 0_u64;
        for shift in (0..63).step_by(7) {
            let Some((&byte, rest)) = self.bytes.split_first() else {
                break;
            };
            self.bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return value;
            }
        }
        self.is_sound = false;
        0
    }
}

impl Coder for BindingsReader<'_> {
    #[inline]
    fn byte(&mut self, value: &mut u8) {
        match self.bytes.split_first() {
            Some((&byte, rest)) => {
                *value = byte;
                self.bytes = rest;
            }
            None => self.is_sound = false,
        }
    }

    #[inline]
    fn number(&mut self, value: &mut u32) {
        *value = self.varint() as u32;
    }

    #[inline]
    fn near(&mut self, value: &mut u32, base: u32) {
        let written = self.varint();
        if written == 0 {
            *value = NONE;
            return;
        }
        let zigzag = written - 1;
        let distance = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        *value = (i64::from(base) + distance) as u32;
    }

    fn length(&mut self, _length: usize) -> usize {
        let length = self.varint() as usize;
        // Every entry takes a byte at least.
        if length > self.bytes.len() {
            self.is_sound = false;
            return 0;
        }
        length
    }

    fn is_sound(&self) -> bool {
        self.is_sound
    }
}

/// What the entry before said.
#[derive(Default)]
struct PreviousEntry {
    at: u32,
    scope: u32,
}

/// A closed set of words as a byte.
fn word<C: Coder, T: Copy + PartialEq>(coder: &mut C, value: &mut T, all: &[T]) {
    let mut index = all.iter().position(|known| known == value).unwrap_or(0) as u8;
    coder.byte(&mut index);
    if let Some(known) = all.get(usize::from(index)) {
        *value = *known;
    }
}

/// So many entries of a table get their room at once.
const LIKELY: usize = 1 << 16;

fn table<T: Clone, C: Coder>(
    coder: &mut C,
    entries: &mut Vec<T>,
    blank: &T,
    mut code: impl FnMut(&mut C, &mut T, u32),
) {
    let length = coder.length(entries.len());
    // What damaged bytes claim is not believed beyond what files have.
    entries.reserve_exact(length.min(LIKELY).saturating_sub(entries.len()));
    for index in 0..length {
        if !coder.is_sound() {
            return;
        }
        if entries.len() <= index {
            entries.push(blank.clone());
        }
        code(coder, &mut entries[index], index as u32);
    }
}

fn scope_kind<C: Coder>(coder: &mut C, kind: &mut ScopeKind) {
    word(coder, kind, &ScopeKind::ALL);
}

fn def_kind<C: Coder>(coder: &mut C, kind: &mut DefKind) {
    word(coder, kind, &DefKind::ALL);
}

fn scope<C: Coder>(coder: &mut C, scope: &mut Scope, index: u32, before: &mut PreviousEntry) {
    scope_kind(coder, &mut scope.kind);
    coder.near(&mut scope.parent, index);
    coder.near(&mut scope.owner, before.scope);
    if scope.owner != NONE {
        before.scope = scope.owner;
    }
    coder.near(&mut scope.start, before.at);
    coder.near(&mut scope.end, scope.start);
    before.at = scope.start;
}

fn def<C: Coder>(coder: &mut C, def: &mut Def, before: &mut PreviousEntry, expr: &mut u32) {
    def_kind(coder, &mut def.kind);
    coder.number(&mut def.name);
    coder.byte(&mut def.spaces);
    coder.number(&mut def.flags);
    coder.near(&mut def.scope, before.scope);
    before.scope = def.scope;
    coder.near(&mut def.start, before.at);
    before.at = def.start;
    coder.near(&mut def.at, def.start);
    coder.near(&mut def.end, def.start);
    coder.number(&mut def.from);
    for part in [&mut def.ty, &mut def.value, &mut def.container] {
        coder.near(part, *expr);
        if *part != NONE {
            *expr = *part;
        }
    }
    coder.near(&mut def.inner, def.scope);
}

fn code<C: Coder>(coder: &mut C, facts: &mut Bindings) {
    code_declared(coder, facts);
    let mut before = PreviousEntry::default();
    table(
        coder,
        &mut facts.exprs,
        &Expr::Opaque,
        |coder, entry, own| {
            expr(coder, entry, own, &mut before);
        },
    );
    code_rest(coder, facts);
}

/// What stands before the expressions.
fn code_declared<C: Coder>(coder: &mut C, facts: &mut Bindings) {
    let blank_scope = Scope {
        kind: ScopeKind::File,
        parent: NONE,
        owner: NONE,
        start: 0,
        end: 0,
    };
    let blank_def = Def {
        name: 0,
        kind: DefKind::Variable,
        spaces: 0,
        flags: 0,
        scope: 0,
        at: 0,
        start: 0,
        end: 0,
        from: 0,
        ty: NONE,
        value: NONE,
        inner: NONE,
        container: NONE,
    };
    let mut before = PreviousEntry::default();
    table(
        coder,
        &mut facts.scopes,
        &blank_scope,
        |coder, entry, index| {
            scope(coder, entry, index, &mut before);
        },
    );
    let (mut before, mut last) = (PreviousEntry::default(), 0);
    table(coder, &mut facts.defs, &blank_def, |coder, entry, _| {
        def(coder, entry, &mut before, &mut last);
    });
}

/// What stands behind the expressions.
fn code_rest<C: Coder>(coder: &mut C, facts: &mut Bindings) {
    let mut last = 0;
    table(coder, &mut facts.lists, &0, |coder, entry, _| {
        coder.near(entry, last);
        last = *entry;
    });
    let star = GlobImport {
        scope: 0,
        of: 0,
        flags: 0,
    };
    table(coder, &mut facts.glob_imports, &star, |coder, entry, _| {
        coder.number(&mut entry.scope);
        coder.near(&mut entry.of, 0);
        coder.number(&mut entry.flags);
    });
    let base = Base {
        def: 0,
        relation: Relation::Extends,
        of: 0,
    };
    table(coder, &mut facts.bases, &base, |coder, entry, _| {
        coder.number(&mut entry.def);
        word(coder, &mut entry.relation, &Relation::ALL);
        coder.near(&mut entry.of, 0);
    });
    let narrowing = Narrowing {
        of: 0,
        start: 0,
        end: 0,
        ty: 0,
        not: false,
    };
    table(
        coder,
        &mut facts.narrowings,
        &narrowing,
        |coder, entry, _| {
            coder.near(&mut entry.of, 0);
            coder.number(&mut entry.start);
            coder.near(&mut entry.end, entry.start);
            coder.near(&mut entry.ty, entry.of);
            word(coder, &mut entry.not, &[false, true]);
        },
    );
    let mut last = 0;
    let assignment = Assignment { to: 0, value: 0 };
    table(
        coder,
        &mut facts.assignments,
        &assignment,
        |coder, entry, _| {
            coder.near(&mut entry.to, last);
            last = entry.to;
            coder.near(&mut entry.value, last);
        },
    );
    table(coder, &mut facts.exported, &0, |coder, entry, _| {
        coder.number(entry)
    });
    let region = ConditionalRegion {
        start: 0,
        end: 0,
        condition: 0,
    };
    table(
        coder,
        &mut facts.conditional_regions,
        &region,
        |coder, entry, _| {
            coder.number(&mut entry.start);
            coder.near(&mut entry.end, entry.start);
            coder.number(&mut entry.condition);
        },
    );
}

/// Bindings as bytes: what joining files needs ([`BindingsHead`]), then the rest, compressed.
#[must_use]
pub fn encode(mut bindings: Bindings) -> Vec<u8> {
    let mut head = BindingsWriter(Vec::new());
    head.varint(bindings.names.len() as u64);
    for name in &bindings.names {
        head.varint(name.len() as u64);
        head.0.extend_from_slice(name.as_bytes());
    }
    code_entries(&mut head, &mut Exports::from_bindings(&bindings));
    let mut body = BindingsWriter(Vec::new());
    code(&mut body, &mut bindings);
    let mut bytes = BindingsWriter(Vec::new());
    bytes.varint(head.0.len() as u64);
    bytes.0.extend_from_slice(&head.0);
    bytes
        .0
        .extend_from_slice(&lz4_flex::compress_prepend_size(&body.0));
    bytes.0
}

/// What joining files needs of one: its names and what can be found from other files.
#[derive(Debug)]
pub struct BindingsHead<'b> {
    /// Every name, each once.
    pub names: Vec<&'b str>,
    /// What can be found from other files.
    pub entries: Exports,
}

/// The first part of [`encode`]'s bytes; `None` for bytes that are not ones.
#[must_use]
pub fn decode_head(bytes: &[u8]) -> Option<BindingsHead<'_>> {
    let (names, entries) = parts_of_head(bytes)?;
    let entries = read_entries(entries, names.len())?;
    Some(BindingsHead { names, entries })
}

/// The names of the first part, and the bytes of its entries.
fn parts_of_head(bytes: &[u8]) -> Option<(Vec<&str>, &[u8])> {
    let (head, _) = parts(bytes)?;
    let mut reader = BindingsReader {
        bytes: head,
        is_sound: true,
    };
    let count = reader.length(0);
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        let length = reader.length(0);
        let name = std::str::from_utf8(reader.bytes.get(..length)?).ok()?;
        names.push(name);
        reader.bytes = &reader.bytes[length..];
        if !reader.is_sound {
            return None;
        }
    }
    reader.is_sound.then_some((names, reader.bytes))
}

fn read_entries(bytes: &[u8], names: usize) -> Option<Exports> {
    let mut reader = BindingsReader {
        bytes,
        is_sound: true,
    };
    let mut entries = Exports::default();
    code_entries(&mut reader, &mut entries);
    let is_whole = reader.is_sound && reader.bytes.is_empty();
    (is_whole && entries.is_sound(names)).then_some(entries)
}

/// Writes the first part of [`encode`]'s bytes with a number for each name, for who keeps the names of many files in
/// one table. False, and nothing is written, for bytes that are not ones.
pub fn encode_numbered(
    bytes: &[u8],
    mut number_of: impl FnMut(&str) -> u32,
    out: &mut Vec<u8>,
) -> bool {
    let Some((names, entries)) = parts_of_head(bytes) else {
        return false;
    };
    let mut writer = BindingsWriter(std::mem::take(out));
    writer.varint(names.len() as u64);
    for name in names {
        writer.varint(u64::from(number_of(name)));
    }
    *out = writer.0;
    out.extend_from_slice(entries);
    true
}

/// The entries of [`encode_numbered`]'s bytes; the numbers are put into `numbers`, in place of what was there. `None`
/// for bytes that are not ones.
#[must_use]
pub fn decode_numbered(bytes: &[u8], numbers: &mut Vec<u32>) -> Option<Exports> {
    let mut reader = BindingsReader {
        bytes,
        is_sound: true,
    };
    numbers.clear();
    for _ in 0..reader.length(0) {
        numbers.push(reader.varint() as u32);
    }
    reader.is_sound.then_some(())?;
    read_entries(reader.bytes, numbers.len())
}

/// The bindings of [`encode`]'s bytes; `None` for bytes that are not ones.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Bindings> {
    let head = decode_head(bytes)?;
    let names: Vec<Box<str>> = head.names.into_iter().map(Into::into).collect();
    let mut exprs = Vec::new();
    let bindings = decode_body(bytes, names.len(), |_, expr| exprs.push(*expr))?;
    Some(Bindings {
        names,
        exprs,
        ..bindings
    })
}

/// The same without the names, for whoever has so many of them from [`decode_head`] already, and without the
/// expressions: each is handed to `take` with how many there are in all, in their order, for who keeps them in
/// another form. What it was handed counts for nothing where there are no bindings in the end.
#[must_use]
pub fn decode_body(bytes: &[u8], names: usize, take: impl FnMut(usize, &Expr)) -> Option<Bindings> {
    /// No file of the size that is let in has more.
    const LARGEST: usize = 1 << 28;
    let (_, body) = parts(bytes)?;
    let (size, body) = lz4_flex::block::uncompressed_size(body).ok()?;
    if size > LARGEST {
        return None;
    }
    SCRATCH.with_borrow_mut(|scratch| {
        if scratch.len() < size {
            scratch.resize(size, 0);
        }
        let length = lz4_flex::block::decompress_into(body, scratch).ok()?;
        let bindings = (length == size).then(|| read_body(&scratch[..size], names, take));
        scratch.truncate(KEPT);
        scratch.shrink_to(KEPT);
        bindings.flatten()
    })
}

/// So much of [`SCRATCH`] stays between files: most fit.
const KEPT: usize = 1 << 18;

thread_local! {
    /// Where bodies are unpacked: a question reads hundreds of them.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn read_body(body: &[u8], names: usize, take: impl FnMut(usize, &Expr)) -> Option<Bindings> {
    let mut reader = BindingsReader {
        bytes: body,
        is_sound: true,
    };
    let mut bindings = Bindings::default();
    code_declared(&mut reader, &mut bindings);
    let exprs = read_exprs(&mut reader, &bindings, names, take)?;
    code_rest(&mut reader, &mut bindings);
    let is_whole = reader.is_sound && reader.bytes.is_empty();
    (is_whole && bindings.is_sound_with(names, exprs)).then_some(bindings)
}

/// Hands out the expressions one by one, none of them kept: putting all down to read them once more was a fifth of
/// reading a file. How many they are; nothing where one is not sound.
fn read_exprs(
    reader: &mut BindingsReader<'_>,
    bindings: &Bindings,
    names: usize,
    mut take: impl FnMut(usize, &Expr),
) -> Option<usize> {
    let mut before = PreviousEntry::default();
    let mut entry = Expr::Opaque;
    let length = reader.length(0);
    for own in 0..length {
        expr(reader, &mut entry, own as u32, &mut before);
        if !reader.is_sound || !bindings.has_parts_of(&entry, names) {
            return None;
        }
        take(length, &entry);
    }
    Some(length)
}

/// Head and body.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut reader = BindingsReader {
        bytes,
        is_sound: true,
    };
    let length = reader.length(0);
    let rest = reader.bytes;
    reader
        .is_sound
        .then(|| rest.split_at_checked(length))
        .flatten()
}

fn code_entries<C: Coder>(coder: &mut C, entries: &mut Exports) {
    let Exports {
        members,
        namespaces,
        globals,
        outside,
        extensions,
        derived,
        renamed,
        free_names,
    } = entries;
    table(coder, members, &(0, 0, 0), |coder, (path, name, def), _| {
        coder.number(path);
        coder.number(name);
        coder.number(def);
    });
    for pairs in [namespaces, globals, outside, extensions, derived, renamed] {
        table(coder, pairs, &(0, 0), |coder, (name, place), _| {
            coder.number(name);
            coder.number(place);
        });
    }
    table(coder, free_names, &0, |coder, byte, _| coder.byte(byte));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{IterationPart, Literal, Role};

    #[test]
    fn a_numbered_head_says_what_the_head_says() {
        let bindings = crate::bind_named("one two one three", [].into_iter(), [].into_iter());
        let bytes = encode(bindings);
        let head = decode_head(&bytes).unwrap();
        let mut numbered = Vec::new();
        let number =
            |name: &str| 1000 + head.names.iter().position(|known| *known == name).unwrap() as u32;
        assert!(encode_numbered(&bytes, number, &mut numbered));
        let mut numbers = vec![7];
        let entries = decode_numbered(&numbered, &mut numbers);
        assert_eq!(entries.as_ref(), Some(&head.entries));
        assert!(
            numbers
                .iter()
                .copied()
                .eq(1000..1000 + head.names.len() as u32)
        );
        for length in 0..numbered.len() {
            assert_eq!(decode_numbered(&numbered[..length], &mut numbers), None);
        }
        for at in 0..numbered.len() {
            let mut bad = numbered.clone();
            bad[at] ^= 0x95;
            // Whatever it says then, it leads to no name that is not there.
            let entries = decode_numbered(&bad, &mut numbers);
            assert!(entries.is_none_or(|entries| entries.is_sound(numbers.len())));
        }
        let before = numbered.clone();
        assert!(!encode_numbered(&bytes[..3], number, &mut numbered) && numbered == before);
    }

    /// An expression of each form, with parts that differ, in the order of their numbers.
    fn one_of_each_form() -> Vec<Expr> {
        let (at, role, spaces) = (300, Role::ALL[2], 5);
        vec![
            Expr::Opaque,
            Expr::Name {
                name: 1,
                scope: 2,
                at: 40,
                role,
                spaces,
            },
            Expr::Member {
                of: 1,
                name: 2,
                at,
                role: Role::ALL[1],
                spaces: 9,
            },
            Expr::Module {
                name: 3,
                at: 310,
                level: 2,
            },
            Expr::This { scope: 4 },
            Expr::Super { scope: 5 },
            Expr::SelfType { scope: 200 },
            Expr::Call { of: 2, args: 7 },
            Expr::New { of: 3, args: NONE },
            Expr::Index { of: 1, by: 2 },
            Expr::Apply { of: 4, args: 130 },
            Expr::Keyword {
                call: 7,
                name: 300,
                at: NONE,
                value: 11,
            },
            Expr::Await { of: 10 },
            Expr::Iter {
                of: 12,
                part: IterationPart::ALL[1],
            },
            Expr::Entry { of: 3, index: 1 },
            Expr::Unwrap { of: 14 },
            Expr::Deref { of: 13 },
            Expr::Pointer { of: NONE },
            Expr::Value { of: 2 },
            Expr::TypeOf { of: 18 },
            Expr::Operator {
                name: 2,
                left: 19,
                right: NONE,
            },
            Expr::Union { of: 3 },
            Expr::Tuple { of: 400 },
            Expr::Array { of: 22 },
            Expr::Map { key: 22, value: 1 },
            Expr::Function { def: 77 },
            Expr::Object { scope: 6, of: 2 },
            Expr::ContextualType { call: 7, index: 3 },
            Expr::ContextualParam { of: 25, index: 200 },
            Expr::Constant {
                of: Literal::ALL[1],
                value: 9,
            },
            Expr::Discriminant {
                member: 3,
                value: 29,
            },
            Expr::Indirect {
                of: 30,
                narrowed: 4,
            },
            Expr::Literal {
                of: Literal::ALL[2],
            },
            Expr::Name {
                name: 1,
                scope: 6,
                at: 320,
                role,
                spaces: 31,
            },
        ]
    }

    /// Caches keep these bytes: another order or another distance needs another version of them.
    #[test]
    fn the_bytes_of_each_form_stay() {
        let mut bindings = Bindings {
            exprs: one_of_each_form(),
            ..Bindings::default()
        };
        let mut writer = BindingsWriter(Vec::new());
        code(&mut writer, &mut bindings);
        let hex: String = writer.0.iter().map(|byte| format!("{byte:02x}")).collect();
        let expected = concat!(
            "00002200012a0105510249020289040303150204050503068703070a0f080a0009100e0a0c85020b08ac0200010c",
            "040d02010e16010f02100611001220130214020200150716a106170218042e199b011a8403301b28031c06c8011d",
            "01091e03021f0236200201fa0184031500000000000000",
        );
        assert_eq!(hex, expected);
        let mut reader = BindingsReader {
            bytes: &writer.0,
            is_sound: true,
        };
        let mut read = Bindings::default();
        code(&mut reader, &mut read);
        assert!(reader.is_sound && reader.bytes.is_empty());
        assert_eq!(read.exprs, one_of_each_form());
    }
}
