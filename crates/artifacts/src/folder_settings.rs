//! The settings of a root's folder `.context/`, from its `config.json` and a person's own (SPEC FL1).

use codecortex_analysis::Analysis;
use codecortex_analysis::folder_config::FolderConfig;
use codecortex_protocol::Outbox;

use crate::contexts::Contexts;

impl Contexts {
    /// Reads a root's settings. Returns whether they differ from those before.
    pub fn read_config(&mut self, code: &Analysis, root: u32) -> bool {
        let text = code.workspace().folder_config(root).map(str::to_owned);
        let personal = code.personal_of(root);
        let Some(folder) = self.folders.get_mut(root as usize) else {
            return false;
        };
        let read = match text.as_deref().map(FolderConfig::read) {
            Some(Ok((config, wrong))) => {
                let wrong = wrong.iter();
                let problems = wrong.map(|why| format!("config.json: {why}; the rest of it holds"));
                folder.account.problems.extend(problems);
                config
            }
            Some(Err(why)) => {
                let problem = format!("config.json: {why}; its defaults hold");
                folder.account.problems.push(problem);
                FolderConfig::default()
            }
            None => FolderConfig::default(),
        };
        let (config, ignored) = read.for_person(&personal);
        folder.config = config;
        folder.account.problems.extend(ignored.iter().map(|key| {
            format!("config.json: `{key}` counts only in your own settings (`codecortex settings`)")
        }));
        let is_other = folder.config_text != text;
        folder.config_text = text;
        is_other
    }

    /// Puts changed settings into force: everything is hashed again by them. Returns whether they differ from those before.
    pub fn apply_config(&mut self, code: &mut Analysis, outbox: &mut Outbox, root: u32) -> bool {
        let before = self.problem_count(root);
        let is_other = self.read_config(code, root);
        if let Some(folder) = self.folders.get_mut(root as usize) {
            let switches = folder.config.switches();
            let ledger = folder.ledger.as_mut();
            if let Some(ledger) = ledger.filter(|ledger| *ledger.config() != switches) {
                ledger.configure(switches);
            }
            folder.needs_all = true;
        }
        self.notify_problems(code, outbox, root, before);
        is_other
    }

    /// The number of problems with a root's files since the last report.
    pub fn problem_count(&self, root: u32) -> usize {
        let folder = self.folders.get(root as usize);
        folder.map_or(0, |folder| folder.account.problems.len())
    }

    /// Notifies people of the problems with a root's files from a count on.
    pub fn notify_problems(
        &self,
        code: &mut Analysis,
        outbox: &mut Outbox,
        root: u32,
        from: usize,
    ) {
        let folder = self.folders.get(root as usize);
        let problems = folder.and_then(|folder| folder.account.problems.get(from..));
        for problem in problems.unwrap_or_default() {
            code.notice(outbox, format!(".context/{problem}."));
        }
    }
}
