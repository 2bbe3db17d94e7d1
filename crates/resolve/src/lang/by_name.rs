//! Languages of the second rank: a name means everything of that name in files of the same language (SPEC D2).

use super::LanguageRules;
use crate::resolver::{LookupResult, Resolver};
use crate::workspace::{DefRef, FileNo, Name, split_path};

/// A language by its number.
struct ByName(u8);

impl LanguageRules for ByName {
    fn family(&self) -> u8 {
        // Numbers of families with rules are below.
        self.0 | 0x80
    }

    fn is_by_name(&self) -> bool {
        true
    }
}

/// The rules of a language of this number.
pub(super) fn of(language: u8) -> &'static dyn LanguageRules {
    const MOST: usize = 64;
    static ALL: [ByName; MOST] = {
        let mut all = [const { ByName(0) }; MOST];
        let mut number = 0;
        while number < MOST {
            all[number] = ByName(number as u8);
            number += 1;
        }
        all
    };
    &ALL[language as usize % MOST]
}

impl Resolver<'_> {
    /// Everything that is declared by a name, the nearest first: in the file, in its folder, elsewhere. It is
    /// never sure.
    pub(crate) fn declared_as(&self, file: FileNo, name: Name) -> LookupResult {
        let folder = |file| self.workspace.path(file).map(|path| split_path(path).0);
        let mut defs: Vec<DefRef> = self.globals(file, name).collect();
        let is_far = |of: &DefRef| (of.file != file, folder(of.file) != folder(file), *of);
        defs.sort_by_key(is_far);
        LookupResult::defs(defs).inferred()
    }
}
