//! Takes the grammars' parse tables and the archives of standard libraries out of what every instance of the module copies
//! into its memory.
//!
//! A linker puts all constants into one segment that an instance copies when it is made: 36 MB, nearly all of it tables
//! of grammars that a worker may never need. Here each large table and each archive becomes a passive segment, which is
//! part of the module, shared by all instances, and takes no memory of any of them until it is copied. The three functions
//! of [`IMPORTED`] are made here as well: `crates/syntax/src/parse_tables.rs` copies a language's tables with them when its
//! first text is parsed, `crates/external/src/standard_library/embedded.rs` a library when a lookup first asks for it, and
//! `wasm/src/allocator.rs` hands out the addresses at which all of that would have been.
//!
//! A table may lie elsewhere than where it was linked because only `TSLanguage` has its address, and because it has no
//! addresses itself.

mod grammar;
mod image;

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use walrus::ir::{BinaryOp, Value};
use walrus::{
    ConstExpr, DataId, DataKind, FunctionId, FunctionKind, ImportKind, InstrSeqBuilder, LocalId,
    MemoryId, Module,
};

use grammar::{Table, tables_of};
use image::Image;

/// The name that Rust imports the functions from.
const IMPORTED: &str = "passive_data";

/// Tables of fewer bytes stay: a segment and its branches cost something too.
const LEAST: u32 = 4096;

/// What was taken out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) grammars: usize,
    pub(crate) tables: usize,
    pub(crate) archives: usize,
    pub(crate) bytes: usize,
}

/// A table with the segment that it became.
struct Passive {
    table: Table,
    segment: DataId,
}

/// Makes the tables of all grammars passive segments, and those of `archives` that the module has.
///
/// # Errors
/// A module without grammars, names or the imports, and a grammar whose tables are not where they are expected.
pub(crate) fn make_passive(module: &mut Module, archives: &[Vec<u8>]) -> Result<Taken> {
    let memory = module
        .memories
        .iter()
        .map(|memory| memory.id())
        .next()
        .context("the module has no memory")?;
    let image = Image::of(module);
    let languages = languages(module);
    ensure!(
        !languages.is_empty(),
        "the module has no function `tree_sitter_…` that gives a grammar; it needs its names"
    );
    let mut tables = Vec::new();
    for (name, address) in &languages {
        let found = tables_of(&image, *address).with_context(|| name.clone())?;
        tables.extend(found.into_iter().filter(|table| table.length >= LEAST));
    }
    let count = tables.len();
    tables.extend(archives.iter().filter_map(|bytes| image.find(bytes)));
    let archives = tables.len() - count;
    tables.sort_unstable_by_key(|table| table.address);
    ensure!(
        tables.windows(2).all(|two| two[0].end() <= two[1].address),
        "two tables overlap"
    );
    let mut passive = cut(module, memory, &tables)?;
    // the largest first: that is the order in which their room is handed out
    passive.sort_by_key(|one| std::cmp::Reverse(one.table.length));
    make_functions(module, memory, &passive)?;
    Ok(Taken {
        grammars: languages.len(),
        tables: count,
        archives,
        bytes: passive.iter().map(|one| one.table.length as usize).sum(),
    })
}

/// The addresses of all grammars, by the functions that return them: `tree_sitter_rust` is a constant.
fn languages(module: &Module) -> BTreeMap<String, u32> {
    module
        .funcs
        .iter()
        .filter_map(|function| {
            let name = function.name.as_deref()?;
            let is_grammar =
                name.starts_with("tree_sitter_") && !name.contains("_external_scanner_");
            let FunctionKind::Local(local) = &function.kind else {
                return None;
            };
            let body = &local.block(local.entry_block()).instrs;
            match body.as_slice() {
                [(walrus::ir::Instr::Const(constant), _)] if is_grammar => match constant.value {
                    Value::I32(address) => Some((name.to_owned(), address as u32)),
                    _ => None,
                },
                _ => None,
            }
        })
        .collect()
}

/// Cuts tables, in the order of their addresses, out of the segments that instances copy.
fn cut(module: &mut Module, memory: MemoryId, tables: &[Table]) -> Result<Vec<Passive>> {
    let mut passive = Vec::new();
    for (start, id) in image::active_segments(module) {
        let value = std::mem::take(&mut module.data.get_mut(id).value);
        let end = start + u32::try_from(value.len())?;
        let within = tables
            .iter()
            .filter(|table| start <= table.address && table.end() <= end);
        let mut done = 0;
        for table in within {
            let at = (table.address - start) as usize;
            let behind = at + table.length as usize;
            add_active(module, memory, start, done, &value[done..at])?;
            let segment = module
                .data
                .add(DataKind::Passive, value[at..behind].to_vec());
            passive.push(Passive {
                table: *table,
                segment,
            });
            done = behind;
        }
        add_active(module, memory, start, done, &value[done..])?;
        module.memories.get_mut(memory).data_segments.remove(&id);
        module.data.delete(id);
    }
    ensure!(
        passive.len() == tables.len(),
        "a table does not lie within one segment"
    );
    Ok(passive)
}

fn add_active(
    module: &mut Module,
    memory: MemoryId,
    start: u32,
    at: usize,
    value: &[u8],
) -> Result<()> {
    if value.iter().any(|byte| *byte != 0) {
        let offset = start + u32::try_from(at)?;
        let kind = DataKind::Active {
            memory,
            offset: ConstExpr::Value(Value::I32(offset as i32)),
        };
        let id = module.data.add(kind, value.to_vec());
        module.memories.get_mut(memory).data_segments.insert(id);
    }
    Ok(())
}

/// `address(nth)`, `size(address)` and `copy(address, to)`, each a chain of comparisons.
fn make_functions(module: &mut Module, memory: MemoryId, passive: &[Passive]) -> Result<()> {
    replace(module, "address", |body, locals| {
        for (nth, one) in passive.iter().enumerate() {
            returning(body, locals[0], nth as i32, |then| {
                then.i32_const(one.table.address as i32);
            });
        }
        body.i32_const(0);
    })?;
    replace(module, "size", |body, locals| {
        for Passive { table, .. } in passive {
            returning(body, locals[0], table.address as i32, |then| {
                then.i32_const(table.length as i32);
            });
        }
        body.i32_const(0);
    })?;
    replace(module, "copy", |body, locals| {
        for Passive { table, segment } in passive {
            returning(body, locals[0], table.address as i32, |then| {
                then.local_get(locals[1])
                    .i32_const(0)
                    .i32_const(table.length as i32)
                    .memory_init(memory, *segment);
            });
        }
        // nobody asks for a table whose size is 0
        body.unreachable();
    })
}

/// Does `then` and returns where the local has that value.
fn returning(
    body: &mut InstrSeqBuilder<'_>,
    local: LocalId,
    value: i32,
    then: impl FnOnce(&mut InstrSeqBuilder<'_>),
) {
    body.local_get(local)
        .i32_const(value)
        .binop(BinaryOp::I32Eq)
        .if_else(
            None,
            |branch| {
                then(branch);
                branch.return_();
            },
            |_| {},
        );
}

/// Gives a function that is imported, perhaps by several crates, its body.
fn replace(
    module: &mut Module,
    name: &str,
    build: impl Fn(&mut InstrSeqBuilder<'_>, &[LocalId]),
) -> Result<()> {
    let imported = imported(module, name);
    ensure!(
        !imported.is_empty(),
        "the module does not import `{IMPORTED}.{name}`"
    );
    for function in imported {
        module.replace_imported_func(function, |(body, locals)| build(body, locals))?;
    }
    Ok(())
}

fn imported(module: &Module, name: &str) -> Vec<FunctionId> {
    module
        .imports
        .iter()
        .filter(|import| import.module == IMPORTED && import.name == name)
        .filter_map(|import| match import.kind {
            ImportKind::Function(function) => Some(function),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;
