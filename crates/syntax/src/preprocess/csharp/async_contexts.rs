//! Which functions await: whether `await` before parentheses is an operator or the name of what is called.

use super::tokens::is_value;

/// Heads of blocks that are part of the function around them.
const STATEMENTS: [&str; 17] = [
    "if", "for", "foreach", "while", "switch", "using", "lock", "fixed", "catch", "new", "with",
    "is", "else", "do", "try", "finally", "when",
];
/// What declares no function.
const TYPES: [&str; 6] = [
    "class",
    "struct",
    "interface",
    "enum",
    "record",
    "namespace",
];

/// Whether a word says what a block is.
pub(super) fn decides(word: &str) -> bool {
    STATEMENTS.contains(&word) || TYPES.contains(&word)
}

/// What was read since the last statement or block.
#[derive(Clone, Copy, Debug, Default)]
struct StatementHeader {
    is_async: bool,
    is_statement: bool,
    is_type: bool,
}

struct Block {
    awaits: bool,
    /// What stands before its brace, where that is in parentheses.
    outer: StatementHeader,
    parentheses: usize,
}

/// The places of `await` among tokens that stand in no asynchronous function. Statements of a file itself may await.
pub(super) fn without_await<'t>(
    word: impl Fn(usize) -> &'t str,
    count: usize,
    is_modifier: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut blocks: Vec<Block> = Vec::new();
    let (mut header, mut parentheses) = (StatementHeader::default(), 0_usize);
    for at in 0..count {
        let awaits = blocks.last().is_none_or(|block| block.awaits);
        match word(at) {
            "await" if !awaits && !header.is_async => found.push(at),
            "async" => header.is_async |= is_modifier(at),
            "(" | "[" => parentheses += 1,
            ")" | "]" => parentheses = parentheses.saturating_sub(1),
            ";" if parentheses == 0 => header = StatementHeader::default(),
            "{" => {
                let before = at.checked_sub(1).map_or("", &word);
                let is_function = before == "=>" || before == ")" && !header.is_statement;
                blocks.push(Block {
                    awaits: header.is_async || awaits && !header.is_type && !is_function,
                    outer: header,
                    parentheses,
                });
                (header, parentheses) = (StatementHeader::default(), 0);
            }
            "}" => {
                if let Some(block) = blocks.pop() {
                    parentheses = block.parentheses;
                    header = match parentheses {
                        0 => StatementHeader::default(),
                        _ => block.outer,
                    };
                }
            }
            word if STATEMENTS.contains(&word) => header.is_statement = true,
            kind if TYPES.contains(&kind) && parentheses == 0 => {
                let next = word(at + 1);
                header.is_type |= is_value(next) && !STATEMENTS.contains(&next) && next != "as";
            }
            _ => {}
        }
    }
    found
}
