//! What calls want kept in `.context/` and the disk does not have yet, and the answers that wait for it (SPEC D37,
//! X12): `ok` means done and on the disk.
//!
//! Each thing that is to be kept has a number. A commit includes all up to one number; when it is done, the answers up to
//! that number are given. Where another process wrote first, the folder is read anew, and what is not on the disk yet
//! is done again on top of what that process wrote.

use std::collections::BTreeMap;

use codecortex_ledger::Millis;
use codecortex_protocol::{Beginning, ErrorCode, Room, ToolError};

/// An answer waits this many ms for a process that writes, at most.
pub const PATIENCE_MS: u64 = 20_000;
/// A folder is read anew this often for one answer, at most: every time another process wrote first.
const MAX_CONFLICTS: u32 = 200;

/// A call whose answer waits.
#[derive(Debug)]
pub struct HeldCall<Answered> {
    /// The number of the call.
    pub id: u32,
    /// The call and its answer.
    pub answered: Answered,
    /// Whether the call fails where the disk takes nothing; otherwise the answer is as good without it.
    pub must_be_kept: bool,
    /// Since when it waits, in ms since 1970.
    since: Millis,
    /// The roots that have to be written, each with the number of the last thing that the call wants kept.
    waits_for: BTreeMap<u32, u64>,
}

/// Why something is not on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritten {
    /// Another process writes, or wrote first again and again.
    Busy,
    /// The disk does not allow it.
    Disk(String),
    /// What was handed in is refused by what is there now.
    Refused(String),
    /// The folders of the workspace are others now.
    Abandoned,
}

impl NotWritten {
    /// The failure of a call whose words are not kept.
    pub fn into_error(self) -> ToolError {
        match self {
            Self::Busy => ToolError::new(
                ErrorCode::Busy,
                "Nothing was kept: another process is writing `.context/`.",
            )
            .retryable()
            .hint("Call again."),
            Self::Disk(why) => ToolError::new(
                ErrorCode::Unavailable,
                format!("Nothing was kept: `.context/` cannot be written: {why}"),
            )
            .hint(
                "Make the folder writable, then call again; calls that only read work without it.",
            ),
            Self::Refused(why) => ToolError::new(
                ErrorCode::VersionConflict,
                format!("Nothing was kept: {why}."),
            )
            .hint("Check the current state, then call again."),
            Self::Abandoned => ToolError::new(
                ErrorCode::Cancelled,
                "Nothing was kept: the folders of the workspace are others now.",
            )
            .hint("Call again."),
        }
    }
}

#[derive(Debug)]
struct RootWrites<Effect> {
    /// Number, call, and what it wants kept, in order.
    kept: Vec<(u64, u32, Effect)>,
    /// The last number that the update at work includes.
    taken: u64,
    /// Times that another process wrote first since something was written.
    conflicts: u32,
}

impl<Effect> Default for RootWrites<Effect> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            taken: 0,
            conflicts: 0,
        }
    }
}

/// An answer that waits for nothing any more, and why its effects are not kept; none where they are.
pub type ReadyCall<Answered> = (HeldCall<Answered>, Option<NotWritten>);

/// The effects that are not on the disk yet, by root, and the answers that wait for them. `Answered` is a call with its
/// answer.
#[derive(Debug)]
pub struct Unwritten<Effect, Answered> {
    last: u64,
    roots: BTreeMap<u32, RootWrites<Effect>>,
    held: Vec<HeldCall<Answered>>,
    ready: Vec<ReadyCall<Answered>>,
}

impl<Effect, Answered> Default for Unwritten<Effect, Answered> {
    fn default() -> Self {
        Self {
            last: 0,
            roots: BTreeMap::new(),
            held: Vec::new(),
            ready: Vec::new(),
        }
    }
}

impl<Code, Effect: Clone, Answered> Room<Code> for Unwritten<Effect, Answered> {
    /// With other roots nothing of before can be written.
    fn begin(&mut self, beginning: Beginning) {
        if beginning.are_same_roots {
            return;
        }
        self.roots.clear();
        let held = std::mem::take(&mut self.held);
        self.ready.extend(
            held.into_iter()
                .map(|call| (call, Some(NotWritten::Abandoned))),
        );
    }
}

impl<Effect: Clone, Answered> Unwritten<Effect, Answered> {
    /// Notes what a call does that is to be kept.
    pub fn note(&mut self, call: u32, kept: Vec<(u32, Effect)>) {
        for (root, kept) in kept {
            self.last += 1;
            let of_root = self.roots.entry(root).or_default();
            of_root.kept.push((self.last, call, kept));
        }
    }

    /// The roots to which a call has something unwritten, each with the number of the last of it.
    pub fn roots_of_call(&self, call: u32) -> BTreeMap<u32, u64> {
        let numbers = self.roots.iter().filter_map(|(root, of_root)| {
            let own = of_root.kept.iter().filter(|(_, of, _)| *of == call);
            Some((*root, own.map(|(number, ..)| *number).max()?))
        });
        numbers.collect()
    }

    /// Has the answer of a call wait until these roots are written.
    pub fn hold(&mut self, mut call: HeldCall<Answered>, roots: BTreeMap<u32, u64>, now: Millis) {
        call.since = now;
        call.waits_for = roots;
        self.held.push(call);
    }

    /// Takes the call of this number out, whose answer nobody wants any more. What it wants kept is written all the same.
    pub fn take_held(&mut self, id: u32) -> Option<HeldCall<Answered>> {
        let place = self.held.iter().position(|held| held.id == id)?;
        Some(self.held.remove(place))
    }

    /// The roots that answers wait for.
    pub fn awaited_roots(&self) -> Vec<u32> {
        let mut roots: Vec<u32> = self
            .held
            .iter()
            .flat_map(|call| call.waits_for.keys().copied())
            .collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Whether an answer waits for a root.
    pub fn is_awaited(&self, root: u32) -> bool {
        self.held
            .iter()
            .any(|call| call.waits_for.contains_key(&root))
    }

    /// What a root is to keep and the disk does not have, in order, for what was read anew.
    pub fn kept_of(&self, root: u32) -> Vec<Effect> {
        let kept = self
            .roots
            .get(&root)
            .map_or(&[][..], |of_root| &of_root.kept);
        kept.iter().map(|(.., kept)| kept.clone()).collect()
    }

    /// An update of a root begins: it includes everything until now.
    pub fn take(&mut self, root: u32) {
        if let Some(of_root) = self.roots.get_mut(&root) {
            of_root.taken = self.last;
        }
    }

    /// What the last update of a root included is on the disk.
    pub fn written(&mut self, root: u32) {
        let Some(of_root) = self.roots.get_mut(&root) else {
            return;
        };
        let taken = of_root.taken;
        of_root.kept.retain(|(number, ..)| *number > taken);
        of_root.conflicts = 0;
        self.release(root, taken, None);
    }

    /// Another process wrote first. Whether it did so too often for what waits.
    pub fn conflicted(&mut self, root: u32) {
        let Some(of_root) = self.roots.get_mut(&root) else {
            return;
        };
        of_root.conflicts += 1;
        if of_root.conflicts > MAX_CONFLICTS {
            self.failed(root, NotWritten::Busy);
        }
    }

    /// What the last update of a root included cannot be written: it is as if it had not been asked for.
    pub fn failed(&mut self, root: u32, why: NotWritten) {
        let Some(of_root) = self.roots.get_mut(&root) else {
            return;
        };
        let taken = of_root.taken;
        of_root.kept.retain(|(number, ..)| *number > taken);
        of_root.conflicts = 0;
        self.release(root, taken, Some(why));
    }

    /// A single call's part is refused by what is there now; what else there is goes on.
    pub fn refused(&mut self, call: u32, why: String) {
        for of_root in self.roots.values_mut() {
            of_root.kept.retain(|(_, of, _)| *of != call);
        }
        let is_it = |held: &mut HeldCall<Answered>| held.id == call;
        let refused: Vec<HeldCall<Answered>> = self.held.extract_if(.., is_it).collect();
        let refused = refused.into_iter();
        self.ready
            .extend(refused.map(|held| (held, Some(NotWritten::Refused(why.clone())))));
    }

    /// The call that wants something kept that fits, where it is not written yet.
    pub fn call_of(&self, root: u32, fits: impl Fn(&Effect) -> bool) -> Option<u32> {
        let kept = &self.roots.get(&root)?.kept;
        let found = kept.iter().find(|(.., kept)| fits(kept));
        found.map(|(_, call, _)| *call)
    }

    /// Gives up on what has waited too long. The roots whose unwritten actions are dropped.
    pub fn expire(&mut self, now: Millis) -> Vec<u32> {
        // Before the host has told the time nothing has waited.
        let untimed = self.held.iter_mut().filter(|call| call.since == 0);
        untimed.for_each(|call| call.since = now);
        let is_due = |call: &HeldCall<Answered>| now.saturating_sub(call.since) > PATIENCE_MS;
        let mut roots: Vec<u32> = self
            .held
            .iter()
            .filter(|call| is_due(call))
            .flat_map(|call| call.waits_for.keys().copied())
            .collect();
        roots.sort_unstable();
        roots.dedup();
        for root in &roots {
            self.take(*root);
            self.failed(*root, NotWritten::Busy);
        }
        roots
    }

    /// Answers that wait for nothing any more.
    pub fn take_ready(&mut self) -> Vec<ReadyCall<Answered>> {
        std::mem::take(&mut self.ready)
    }

    fn release(&mut self, root: u32, taken: u64, why: Option<NotWritten>) {
        let mut waiting = Vec::new();
        for mut call in std::mem::take(&mut self.held) {
            let is_included = call
                .waits_for
                .get(&root)
                .is_some_and(|number| *number <= taken);
            if is_included {
                call.waits_for.remove(&root);
            }
            match &why {
                Some(why) if is_included => self.ready.push((call, Some(why.clone()))),
                _ if is_included && call.waits_for.is_empty() => self.ready.push((call, None)),
                _ => waiting.push(call),
            }
        }
        self.held = waiting;
    }
}

impl<Answered> HeldCall<Answered> {
    /// A call that was answered.
    pub fn new(id: u32, answered: Answered, must_be_kept: bool) -> Self {
        Self {
            id,
            answered,
            must_be_kept,
            since: 0,
            waits_for: BTreeMap::new(),
        }
    }
}
