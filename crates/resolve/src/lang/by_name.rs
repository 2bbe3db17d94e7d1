//! Languages of the second rank: a name means everything of that name in files of the same language (SPEC D2).

use super::{InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules};

/// A language by its number.
#[derive(Debug)]
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

impl ModuleRules for ByName {}

impl MemberRules for ByName {}

impl OverloadRules for ByName {}

impl InferRules for ByName {}

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
