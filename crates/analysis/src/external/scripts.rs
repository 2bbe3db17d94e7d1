//! How scripts are read: as people say it, else as an engine does (SPEC AS1, D3).

use codecortex_protocol::{AutomaticImports, ScriptSettings};
use codecortex_resolve::{MemberTemplate, ScriptImports, ScriptRules};
use codecortex_syntax::Language;

use crate::analysis::Analysis;
use crate::external::{is_said_still, settings};
use crate::folder_config::FolderConfig;

/// What rules for scripts follow from: the settings of each folder, and what the engine says.
pub type SaidOfScripts = (Vec<Option<String>>, Option<bool>);

/// Tells the resolver how scripts are read, where that is something else than before.
pub fn take_script_rules(code: &Analysis) {
    if !code.index.has_language(Language::AngelScript) {
        return;
    }
    let by_engine = code.external.automatic_imports;
    let mut names = code.names.borrow_mut();
    let is_same =
        |(said, engine): &SaidOfScripts| *engine == by_engine && is_said_still(code, said);
    if !names.scripts.as_ref().is_some_and(is_same) {
        names.workspace.set_scripts(rules(code));
        names.scripts = Some((settings(code), by_engine));
    }
}

/// What settings say, the first folder that says anything before those of the workspace.
fn rules(code: &Analysis) -> ScriptRules {
    let texts = settings(code).into_iter().flatten();
    let own = texts.filter_map(|text| Some(FolderConfig::read(&text).ok()?.0.angelscript));
    let all: Vec<ScriptSettings> = own.chain([code.config.angelscript.clone()]).collect();
    let imports = all.iter().find_map(|of| of.automatic_imports);
    let by_engine = || code.external.automatic_imports;
    let is_automatic = match imports.unwrap_or_default() {
        AutomaticImports::True => Some(true),
        AutomaticImports::False => Some(false),
        AutomaticImports::Auto => by_engine(),
    };
    let generated = all.iter().find_map(|of| of.generated_members.as_ref());
    let generated = generated.into_iter().flatten();
    ScriptRules {
        imports: match is_automatic {
            Some(true) => ScriptImports::All,
            Some(false) => ScriptImports::Only,
            None => ScriptImports::Preferred,
        },
        generated: generated
            .filter_map(|member| MemberTemplate::parse(&member.name))
            .collect(),
    }
}
