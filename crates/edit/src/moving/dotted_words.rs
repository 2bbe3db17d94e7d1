//! Words of texts that change with a move on request.

use crate::moving::plan::MovePlan;
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::TextPart;
use crate::source_change::{WordInText, WordPlace};
use crate::words::{WordHolder, WordHolders};

/// Changes the words of comments and strings that write the name with its module.
pub(super) fn change(plan: &mut MovePlan<'_, '_>) -> Result<(), Refusal> {
    let Some(name) = plan.of.dotted_name(plan.resolver) else {
        let message = "Texts of this language do not write a declaration with its file.";
        return plan.refuse(RefusalKind::Unsupported, message, []);
    };
    let options = plan.of.options;
    for (file, text) in plan.texts {
        let mut holders: Option<WordHolders> = None;
        for range in name.places(text) {
            let path = plan.resolver.workspace().path(*file).unwrap_or_default();
            let holders = holders.get_or_insert_with(|| WordHolders::new(path, text));
            let kind = match holders.holder_of(range.start) {
                WordHolder::Comment if options.comments => WordInText::Comment,
                WordHolder::String if options.strings => WordInText::String,
                _ => continue,
            };
            let written = vec![TextPart::Text(name.replacement().to_owned())];
            let (file, at) = (*file, range.start);
            match file == plan.of.old && plan.is_moved(at) {
                true => plan.moved.replace(range, written),
                false => plan.rewrite(file).replace(range, written),
            }
            plan.words.push(WordPlace { file, at, kind });
        }
    }
    plan.words.sort_unstable();
    Ok(())
}
