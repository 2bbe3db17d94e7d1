//! What the tests of the module call (feature `smoke`), here and in a native program.
//!
//! A WASM build that parses a snippet proves little: with a C allocator that is too simple the first
//! megabytes still go well. So the test parses tens of megabytes in one instance, keeps some trees while it
//! frees others, and compares every count with the native program's.

use std::cell::RefCell;
use std::collections::VecDeque;

use codecortex_syntax::LANGUAGES;
use tree_sitter::{Parser, Tree};
use wasm_bindgen::prelude::wasm_bindgen;

/// So many trees are alive at a time, so that memory is not freed in the order it was taken.
const KEPT: usize = 5;

thread_local! {
    static TREES: RefCell<VecDeque<Tree>> = const { RefCell::new(VecDeque::new()) };
}

/// The number of nodes, named or not, in the tree of `bytes`; nothing where the language is not in this build.
#[wasm_bindgen(js_name = countNodes)]
#[must_use]
pub fn count_nodes(language_id: &str, bytes: &[u8]) -> Option<u32> {
    let row = LANGUAGES.iter().find(|row| row.id == language_id)?;
    let mut parser = Parser::new();
    parser.set_language(&row.language.grammar()?).ok()?;
    let tree = parser.parse(bytes, None)?;
    let count = visit(&tree);
    TREES.with_borrow_mut(|trees| {
        trees.push_back(tree);
        if trees.len() > KEPT {
            trees.pop_front();
        }
    });
    Some(count)
}

/// Has every text of a language parsed by a grammar that does not come to an end at some marks. False where the language
/// is not known, or another one has it.
#[wasm_bindgen(js_name = standInFor)]
#[must_use]
pub fn stand_in_for(language_id: &str) -> bool {
    let row = LANGUAGES.iter().find(|row| row.id == language_id);
    row.is_some_and(|row| codecortex_syntax::stand_in::stand_in_for(row.language))
}

/// Goes to every node: a count that tree-sitter keeps in the root would not touch the others' memory.
fn visit(tree: &Tree) -> u32 {
    let mut cursor = tree.walk();
    let mut count = 1;
    loop {
        if cursor.goto_first_child() {
            count += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
        count += 1;
    }
}
