//! Which names are declared already, for languages in which assigning to a new one declares it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Facts;
use crate::facts::ItemIndex;

/// The names in those declarations that were asked about. Each looks at every item once, so that a table
/// of ten thousand assignments stays linear.
#[derive(Debug, Default)]
pub(super) struct NamesOfDeclarations {
    holders: FxHashMap<Option<ItemIndex>, DeclarationNames>,
}

/// The names in one declaration.
#[derive(Debug, Default)]
struct DeclarationNames {
    names: FxHashSet<Box<str>>,
    /// How many of the file's items were looked at.
    seen: usize,
}

impl NamesOfDeclarations {
    /// Whether an item in `parent` has this name. Items are only ever added.
    pub(super) fn has(&mut self, facts: &Facts, parent: Option<ItemIndex>, name: &str) -> bool {
        let holder = self.holders.entry(parent).or_default();
        let first = holder.seen.max(parent.map_or(0, |parent| parent as usize));
        for item in facts.items.get(first..).unwrap_or(&[]) {
            if item.parent == parent {
                holder.names.insert(facts.str(item.name).into());
            }
        }
        holder.seen = facts.items.len();
        holder.names.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Outcome, analyse_text};

    /// A name is declared once, however far behind it is assigned again.
    #[test]
    fn far_assignments_declare_nothing() {
        let table: String = (0..3000).map(|i| format!("v{i} = {i}\n")).collect();
        let fields: String = (0..3000)
            .map(|i| format!("        self.f{i} = {i}\n"))
            .collect();
        let text = format!(
            "{table}v0 = 1\nclass C:\n    def set(self):\n{fields}    def again(self):\n        self.f0 = 1\n"
        );
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: false,
        };
        let Outcome::Facts(facts) = analyse_text("a.py", &text, limits) else {
            panic!("no facts");
        };
        for name in ["v0", "f0"] {
            let found = facts
                .items
                .iter()
                .filter(|item| facts.str(item.name) == name);
            assert_eq!(found.count(), 1, "{name}");
        }
    }
}
