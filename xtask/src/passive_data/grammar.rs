//! Where a grammar's tables lie and how long they are, from its `TSLanguage` (the parser's header, versions 14 and 15).

use anyhow::{Context, Result, ensure};

use super::image::Image;

/// Offsets in `TSLanguage` where an address has four bytes.
mod offset {
    pub(super) const VERSION: u32 = 0;
    pub(super) const SYMBOLS: u32 = 4;
    pub(super) const TOKENS: u32 = 12;
    pub(super) const STATES: u32 = 20;
    pub(super) const LARGE_STATES: u32 = 24;
    pub(super) const PRODUCTIONS: u32 = 28;
    pub(super) const LONGEST_ALIASES: u32 = 36;
    pub(super) const LARGE_TABLE: u32 = 40;
    pub(super) const SMALL_TABLE: u32 = 44;
    pub(super) const SMALL_TABLE_MAP: u32 = 48;
    pub(super) const ACTIONS: u32 = 52;
    pub(super) const ALIASES: u32 = 84;
    pub(super) const LEX_MODES: u32 = 88;
    pub(super) const PRIMARY_STATES: u32 = 132;
}

/// Bytes of an entry of the list of actions.
const ACTION: u32 = 8;

/// A table of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// Where it was linked.
    pub(super) address: u32,
    /// In bytes.
    pub(super) length: u32,
}

impl Table {
    pub(super) fn end(self) -> u32 {
        self.address + self.length
    }
}

/// The numbers at the beginning of `TSLanguage`.
struct Counts {
    symbols: u32,
    tokens: u32,
    states: u32,
    large_states: u32,
}

/// The tables of the grammar at an address that have no addresses in them.
pub(super) fn tables_of(image: &Image<'_>, language: u32) -> Result<Vec<Table>> {
    let field = |offset| image.u32(language.wrapping_add(offset));
    let version = field(offset::VERSION)?;
    let lex_mode = match version {
        14 => 4,
        15 => 6,
        _ => anyhow::bail!("no grammar of version 14 or 15"),
    };
    let counts = Counts {
        symbols: field(offset::SYMBOLS)?,
        tokens: field(offset::TOKENS)?,
        states: field(offset::STATES)?,
        large_states: field(offset::LARGE_STATES)?,
    };
    let small_states = counts
        .states
        .checked_sub(counts.large_states)
        .context("more large states than states")?;
    let longest = image.u16(language.wrapping_add(offset::LONGEST_ALIASES))?;
    let aliases = product([field(offset::PRODUCTIONS)?, u32::from(longest), 2])?;
    let large = Table {
        address: field(offset::LARGE_TABLE)?,
        length: product([counts.large_states, counts.symbols, 2])?,
    };
    let map = Table {
        address: field(offset::SMALL_TABLE_MAP)?,
        length: product([small_states, 4, 1])?,
    };
    let mut walk = Walk::new(&counts);
    walk.large(image.bytes(large.address, large.length)?);
    let small = Table {
        address: field(offset::SMALL_TABLE)?,
        length: match small_states {
            0 => 0,
            _ => walk.small(
                image.from(field(offset::SMALL_TABLE)?)?,
                image.bytes(map.address, map.length)?,
            )?,
        },
    };
    let actions = field(offset::ACTIONS)?;
    let tables = [
        large,
        small,
        map,
        Table {
            address: actions,
            length: walk.actions(image.from(actions)?)?,
        },
        Table {
            address: field(offset::ALIASES)?,
            length: aliases,
        },
        Table {
            address: field(offset::LEX_MODES)?,
            length: product([counts.states, lex_mode, 1])?,
        },
        Table {
            address: field(offset::PRIMARY_STATES)?,
            length: product([counts.states, 2, 1])?,
        },
    ];
    let tables = tables.into_iter().filter(|table| table.length > 0);
    tables
        .map(|table| image.bytes(table.address, table.length).map(|_| table))
        .collect()
}

/// The bytes of a table.
fn product(factors: [u32; 3]) -> Result<u32> {
    factors
        .into_iter()
        .try_fold(1, u32::checked_mul)
        .context("a table of more bytes than there are addresses")
}

/// Reads the tables as the parser does, to find where those end whose length is written nowhere.
struct Walk<'a> {
    counts: &'a Counts,
    /// The actions that a token leads to.
    last_action: u32,
}

impl<'a> Walk<'a> {
    fn new(counts: &'a Counts) -> Self {
        Self {
            counts,
            last_action: 0,
        }
    }

    /// The table with a row a state, a column a symbol; the columns of tokens come first.
    fn large(&mut self, table: &[u8]) {
        for row in table.chunks_exact(self.counts.symbols.max(1) as usize * 2) {
            for cell in row.chunks_exact(2).take(self.counts.tokens as usize) {
                self.leads_to(cell);
            }
        }
    }

    /// The table that lists, for a state, values and the symbols with each; its length in bytes.
    fn small(&mut self, table: &[u8], map: &[u8]) -> Result<u32> {
        let mut end = 0;
        for start in map.chunks_exact(4) {
            let start = u32::from_le_bytes([start[0], start[1], start[2], start[3]]);
            end = end.max(self.state(table, start as usize * 2)?);
        }
        Ok(u32::try_from(end)?)
    }

    /// One state's list; where it ends.
    fn state(&mut self, table: &[u8], start: usize) -> Result<usize> {
        const BEYOND: &str = "a state's list goes beyond its segment";
        let number = |at: usize| {
            let bytes = table.get(at..at + 2).context(BEYOND)?;
            Ok::<_, anyhow::Error>(u16::from_le_bytes([bytes[0], bytes[1]]))
        };
        let groups = number(start)?;
        let mut at = start + 2;
        for _ in 0..groups {
            let symbols = usize::from(number(at + 2)?);
            let list = table.get(at + 4..at + 4 + symbols * 2).context(BEYOND)?;
            let has_token = list.chunks_exact(2).any(|symbol| {
                u32::from(u16::from_le_bytes([symbol[0], symbol[1]])) < self.counts.tokens
            });
            if has_token {
                self.leads_to(&table[at..at + 2]);
            }
            at += 4 + symbols * 2;
        }
        Ok(at)
    }

    fn leads_to(&mut self, cell: &[u8]) {
        let action = u32::from(u16::from_le_bytes([cell[0], cell[1]]));
        self.last_action = self.last_action.max(action);
    }

    /// The length of the list of actions in bytes: the last that is led to begins with how many follow.
    fn actions(&self, list: &[u8]) -> Result<u32> {
        let last = self.last_action * ACTION;
        let following = *list
            .get(last as usize)
            .context("an action beyond its segment")?;
        ensure!(following > 0 || self.last_action == 0, "an empty action");
        Ok(last + (1 + u32::from(following)) * ACTION)
    }
}
