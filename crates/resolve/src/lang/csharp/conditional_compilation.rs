//! Conditional compilation: a use leads to no declaration that no target of its project compiles beside it.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::lookup::result::LookupResult;
use crate::memo::LanguageMemo;
use crate::resolver::Resolver;

/// Brackets in brackets are followed this deep.
const DEEPEST: u32 = 64;

/// Targets of a project, a bit for each.
type Targets = u64;

/// Every target there may be.
const ALL: Targets = Targets::MAX;

/// The conditional regions of a file with the targets that compile them; more than that many targets tell nothing.
const MAX_TARGETS: usize = 64;

/// Regions of a file by first byte, end, and the targets that compile them.
type CompiledRegions = Rc<[(u32, u32, Targets)]>;

/// Which targets compile which regions.
#[derive(Debug, Default)]
struct ConditionMemo {
    files: RefCell<FxHashMap<FileNo, CompiledRegions>>,
}

impl LanguageMemo for ConditionMemo {
    fn clear(&mut self) {
        self.files.get_mut().clear();
    }
}

/// Of what was found for a use that which one of the project's targets compiles beside it; of another project that which
/// one of its targets compiles. A use that no target compiles keeps all: somebody builds it otherwise.
pub(super) fn compiled_together(
    resolver: &Resolver<'_>,
    at: ExprRef,
    mut found: LookupResult,
) -> LookupResult {
    let is_conditional = |file: FileNo| {
        let bound = resolver.file(file);
        bound.is_some_and(|bound| !bound.conditional_regions().is_empty())
    };
    if !found.defs.iter().any(|def| is_conditional(def.file)) {
        return found;
    }
    let written = resolver.expr(at).written();
    let of_use = written.map_or(0, |(_, place, _)| targets_of(resolver, at.file, place));
    if of_use == 0 {
        return found;
    }
    let is_compiled = |def: &DefRef| {
        let place = resolver.def(*def).map(|def| def.start);
        let of_def = place.map_or(ALL, |place| targets_of(resolver, def.file, place));
        match is_of_same_project(resolver, def.file, at.file) {
            true => of_def & of_use != 0,
            false => of_def != 0,
        }
    };
    let before = found.defs.len();
    found.defs.retain(is_compiled);
    match found.is_empty() && before > 0 {
        true => LookupResult::external(),
        false => found,
    }
}

fn is_of_same_project(resolver: &Resolver<'_>, a: FileNo, b: FileNo) -> bool {
    let folder = |file| {
        let path = resolver.workspace.path(file).unwrap_or_default();
        let project = resolver.workspace.hints().project_of(path);
        project.map(|(folder, _)| folder)
    };
    a == b || folder(a) == folder(b)
}

/// The targets that compile a place: all where nobody says.
fn targets_of(resolver: &Resolver<'_>, file: FileNo, place: u32) -> Targets {
    let memo = resolver.languages.get::<ConditionMemo>();
    let regions = resolver.memoize(&memo.files, file, || regions(resolver, file));
    let around = regions
        .iter()
        .filter(|(start, end, _)| *start <= place && place < *end);
    around.fold(ALL, |all, (_, _, targets)| all & targets)
}

fn regions(resolver: &Resolver<'_>, file: FileNo) -> CompiledRegions {
    let path = resolver.workspace.path(file).unwrap_or_default();
    let project = resolver.workspace.hints().project_of(path);
    let targets = project.map_or(&[][..], |(_, brought)| &brought.targets);
    let Some(bound) = resolver
        .file(file)
        .filter(|_| (1..=MAX_TARGETS).contains(&targets.len()))
    else {
        return Rc::default();
    };
    let compiled = bound.conditional_regions().iter().map(|region| {
        let condition = resolver.workspace.text(bound.name(region.condition));
        let bits = targets.iter().enumerate().map(|(index, symbols)| {
            let is_set = |symbol: &str| {
                symbols
                    .binary_search_by(|known| known.as_str().cmp(symbol))
                    .is_ok()
            };
            // What cannot be read is compiled.
            Targets::from(holds(condition, &is_set).unwrap_or(true)) << index
        });
        (region.start, region.end, bits.fold(0, |all, bit| all | bit))
    });
    compiled.collect()
}

/// Whether a condition holds where some symbols are set; nothing where it cannot be read.
fn holds(condition: &str, is_set: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut parser = ConditionParser {
        rest: condition,
        is_set,
        depth: 0,
    };
    let holds = parser.or()?;
    parser.rest.is_empty().then_some(holds)
}

/// Reads a condition without blanks by recursive descent.
struct ConditionParser<'c> {
    rest: &'c str,
    is_set: &'c dyn Fn(&str) -> bool,
    depth: u32,
}

impl ConditionParser<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn or(&mut self) -> Option<bool> {
        let mut holds = self.and()?;
        while self.takes("||") {
            holds |= self.and()?;
        }
        Some(holds)
    }

    fn and(&mut self) -> Option<bool> {
        let mut holds = self.equality()?;
        while self.takes("&&") {
            holds &= self.equality()?;
        }
        Some(holds)
    }

    fn equality(&mut self) -> Option<bool> {
        let mut holds = self.unary()?;
        loop {
            if self.takes("==") {
                holds = holds == self.unary()?;
            } else if self.takes("!=") {
                holds = holds != self.unary()?;
            } else {
                return Some(holds);
            }
        }
    }

    fn unary(&mut self) -> Option<bool> {
        let mut is_denied = false;
        while self.takes("!") {
            is_denied = !is_denied;
        }
        Some(self.primary()? != is_denied)
    }

    fn primary(&mut self) -> Option<bool> {
        if self.takes("(") {
            self.depth += 1;
            let inner = if self.depth <= DEEPEST {
                self.or()
            } else {
                None
            };
            self.depth -= 1;
            return inner.filter(|_| self.takes(")"));
        }
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = self.rest.find(|c| !is_of_name(c));
        let (name, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
        self.rest = rest;
        match name {
            "" => None,
            "true" => Some(true),
            "false" => Some(false),
            name => Some((self.is_set)(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn conditions_hold_as_the_language_says() {
        let is_set = |symbol: &str| matches!(symbol, "A" | "B");
        for (condition, expected) in [
            ("A", Some(true)),
            ("!A", Some(false)),
            ("C", Some(false)),
            ("A&&C", Some(false)),
            ("C&&C||A", Some(true)),
            ("!(A)&&(C)", Some(false)),
            ("!(C)&&!(A&&C)&&(B)", Some(true)),
            ("A==B", Some(true)),
            ("A!=B", Some(false)),
            ("!!A", Some(true)),
            ("true&&!false", Some(true)),
            ("", None),
            ("A B", None),
            ("(A", None),
            ("A>=2", None),
        ] {
            assert_eq!(holds(condition, &is_set), expected, "{condition}");
        }
        let deep = "(".repeat(1000) + "A" + &")".repeat(1000);
        assert_eq!(holds(&deep, &is_set), None);
    }
}
