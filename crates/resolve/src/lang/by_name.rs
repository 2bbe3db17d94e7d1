//! Languages of the second rank: a name means everything of that name in files of the same language (SPEC D2).

use super::{InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules};

/// A language by its number.
#[derive(Debug)]
struct LanguageByNumber(u8);

impl LanguageRules for LanguageByNumber {
    fn family(&self) -> u8 {
        // Numbers of families with rules are below.
        self.0 | 0x80
    }

    fn is_by_name(&self) -> bool {
        true
    }
}

impl ModuleRules for LanguageByNumber {}

impl MemberRules for LanguageByNumber {}

impl OverloadRules for LanguageByNumber {}

impl InferRules for LanguageByNumber {}

/// The rules of a language of this number.
pub(super) fn rules_of_number(language: u8) -> &'static dyn LanguageRules {
    const MAX: usize = 64;
    static ALL: [LanguageByNumber; MAX] = {
        let mut all = [const { LanguageByNumber(0) }; MAX];
        let mut number = 0;
        while number < MAX {
            all[number] = LanguageByNumber(number as u8);
            number += 1;
        }
        all
    };
    &ALL[language as usize % MAX]
}
