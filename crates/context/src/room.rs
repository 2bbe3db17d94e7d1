//! The context of a model as a room of the session: the prompt window of each root, and the map.

use codecortex_analysis::analysis::Analysis;
use codecortex_ledger::{FolderPart, Ledger};
use codecortex_protocol::{Beginning, Effect, GivenUp, Outbox, Room};

use crate::sources::Context;
use crate::window::state::{RootWindow, of_index};
use crate::window::version::window_version;

impl Room<Analysis> for Context {
    fn begin(&mut self, beginning: Beginning) {
        if !beginning.are_same_roots {
            let window = self.window.get_mut();
            window.roots.clear();
            window
                .roots
                .resize_with(beginning.roots, RootWindow::default);
        }
        self.texts.clear();
        self.map.take();
        self.memo.take();
        self.file_texts.take();
    }

    /// Reports another window to the view that shows it.
    fn idle(&mut self, code: &Analysis, outbox: &mut Outbox) {
        let version = window_version(self, code);
        if self.told != version {
            self.told = version;
            outbox.push(Effect::WindowChanged);
        }
    }

    fn held_bytes(&self) -> usize {
        self.map.borrow().memory() + self.file_texts.borrow().bytes()
    }

    fn shed(&mut self, step: GivenUp) {
        if step == GivenUp::Caches {
            self.memo.take();
            self.map.take();
            self.file_texts.take();
        }
    }
}

impl FolderPart for Context {
    fn load(&mut self, root: u32, ledger: &mut Ledger) -> Option<String> {
        let state = self.window.get_mut();
        state.revision += 1;
        let window = state.roots.get_mut(root as usize)?;
        *window = RootWindow::default();
        window.load(ledger.foreign_state_mut())
    }

    fn save(&self, root: u32, ledger: &mut Ledger) {
        if let Some(window) = self.window.borrow().roots.get(root as usize) {
            window.save(ledger.foreign_state_mut());
            ledger.set_packs(of_index(&window.packs));
        }
    }

    fn forget(&mut self, root: u32, has_news: bool) {
        self.texts.remove(&root);
        let window = self.window.get_mut().roots.get_mut(root as usize);
        if let Some(window) = window.filter(|_| !has_news) {
            *window = RootWindow::default();
        }
    }
}
