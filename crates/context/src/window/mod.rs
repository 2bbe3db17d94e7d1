//! The prompt window: the code that a model gets within a budget, the reason for each piece, and
//! what was cut (SPEC PW1, PW2, D23; docs/prompt-window.md).

pub mod candidate;
pub mod candidates;
pub mod change;
pub mod code_lines;
pub mod detail_levels;
pub mod file_texts;
pub mod memo;
pub mod memo_lookup;
pub mod on_disk;
pub mod piece_levels;
pub mod settings;
pub mod state;
pub mod symbols;
pub mod version;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use codecortex_answer::budget::allocate;
use codecortex_answer::budget::allocate::{AllocatablePieces, CutReason, ServingRule, Share};
use codecortex_answer::budget::profile::{Grant, step};
use codecortex_index::FileId;
use codecortex_protocol::{characters, tokens_approx};

use crate::sources::Sources;
use crate::window::candidate::{WindowCandidate, WindowSource};
use crate::window::candidates::window_candidates;
use crate::window::detail_levels::{levels, sections_of};
use crate::window::memo_lookup::known_levels;
use crate::window::piece_levels::{DetailLevels, form_count, name_line};
use crate::window::settings::pinned_share;
use crate::window::state::PinEntry;

/// The headings of the parts, each with the letters they take.
const HEADINGS: [&str; 3] = ["## Pinned\n", "## Focus\n", "## Recent\n"];
const TITLE: &str = "# Prompt Window\n";
/// The most cut pieces that are named.
const MAX_CUT: usize = 50;
/// The most cut pieces with their cost.
const MAX_PRICED: usize = 10;

/// A window.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// What it may cost.
    pub budget_tokens: u32,
    /// In their order.
    pub pieces: Vec<WindowPiece>,
    /// What has no room, the most important first.
    pub cut: Vec<CutPiece>,
    /// How many were cut, named or not.
    pub cut_total: usize,
    /// `outline→names` and the like, with the piece.
    pub downgrades: Vec<String>,
    /// What people are to know of it.
    pub notices: Vec<String>,
    /// Files whose texts have to be read before the lines of all pieces are there; their pieces have signatures.
    pub missing: Vec<FileId>,
}

/// What is in a window.
#[derive(Clone, Debug)]
pub struct WindowPiece {
    /// Where it comes from.
    pub tier: WindowSource,
    /// Index of the root.
    pub root: u32,
    /// What it is about.
    pub entry: Arc<PinEntry>,
    /// Why it is here.
    pub reason: Cow<'static, str>,
    /// How it ranks.
    pub score: f64,
    /// The files that it is in.
    pub files: Vec<FileId>,
    /// The level of detail that is shown.
    pub form: &'static str,
    /// The text.
    pub text: String,
    /// Tokens that it would take as a pin with room for everything.
    pub pin_tokens: u32,
}

/// What has no room.
#[derive(Clone, Debug)]
pub struct CutPiece {
    /// Where it comes from.
    pub tier: WindowSource,
    /// Index of the root.
    pub root: u32,
    /// What it is about.
    pub entry: Arc<PinEntry>,
    /// Why it has none.
    pub reason: &'static str,
    /// Tokens that it would take; none where there are too many to look at.
    pub tokens: Option<u32>,
}

impl Window {
    /// The first pieces as Markdown.
    pub fn text(&self, pieces: usize) -> String {
        let mut out = TITLE.to_owned();
        for tier in WindowSource::ALL {
            let mut own = self.pieces[..pieces]
                .iter()
                .filter(|piece| piece.tier == tier)
                .peekable();
            if own.peek().is_some() {
                out += HEADINGS[tier as usize];
            }
            own.for_each(|piece| out += &piece.text);
        }
        out
    }

    /// Tokens of the whole text.
    pub fn used_tokens(&self) -> u32 {
        tokens_approx(&self.text(self.pieces.len()))
    }
}

/// Candidates with their forms, made when they are asked for.
struct CandidateSource<'a> {
    sources: &'a Sources<'a>,
    candidates: &'a [WindowCandidate],
    /// How many forms each has, and characters of the smallest one: there may be thousands of pins, of which
    /// most get no other.
    outer: Vec<(usize, usize)>,
    /// Files whose texts are missing for the forms that were made.
    missing: RefCell<BTreeSet<FileId>>,
}

impl CandidateSource<'_> {
    fn with<T>(&self, piece: usize, look: impl FnOnce(&DetailLevels) -> T) -> T {
        let levels = known_levels(self.sources, &self.candidates[piece]);
        self.missing.borrow_mut().extend(&levels.missing);
        look(&levels)
    }
}

impl AllocatablePieces for CandidateSource<'_> {
    fn count(&self) -> usize {
        self.candidates.len()
    }

    fn source(&self, piece: usize) -> usize {
        self.candidates[piece].tier as usize
    }

    fn forms(&self, piece: usize) -> usize {
        self.outer[piece].0
    }

    fn cost(&self, piece: usize, form: usize) -> usize {
        let (forms, smallest) = self.outer[piece];
        if form + 1 == forms {
            return smallest;
        }
        self.with(piece, |levels| characters(levels.form(form).1))
    }

    /// Nobody's code before an outline of all.
    fn first_turn(&self, piece: usize) -> usize {
        self.with(piece, |levels| levels.code_forms)
    }
}

/// The forms of an entry as a pin; none for what is not there any more.
pub fn levels_of(sources: &Sources<'_>, root: u32, entry: &Arc<PinEntry>) -> Option<DetailLevels> {
    let pin = (WindowSource::Pinned, f64::INFINITY);
    let candidate = WindowCandidate::from_tier(pin, root, Arc::clone(entry), "");
    let levels = levels(sources, &candidate);
    levels.file.is_some().then_some(levels)
}

/// The window of a root, or of all of them, within a grant.
pub fn build_window(sources: &Sources<'_>, only: Option<u32>, grant: &Grant) -> Window {
    let candidates = window_candidates(sources, only);
    let around = characters(&name_line(""));
    let has_texts = !sources.context.texts.is_empty(); // most workspaces have none
    let outer = candidates.iter().map(|candidate| {
        let sections = match has_texts {
            true => sections_of(sources, candidate.root, &candidate.entry.id).len(),
            false => 0,
        };
        (form_count(sections), candidate.letters as usize + around)
    });
    let candidates = CandidateSource {
        sources,
        outer: outer.collect(),
        candidates: &candidates,
        missing: RefCell::default(),
    };
    let share = pinned_share(sources, only);
    let mut tokens = grant.budget_tokens;
    loop {
        let mut window = fill(&candidates, grant, tokens, share);
        let text = window.text(window.pieces.len());
        let exact = sources.code.config().tokenizer.exact(&text).unwrap_or(0);
        if exact <= grant.budget_tokens || tokens == 0 {
            window.missing = candidates.missing.take().into_iter().collect();
            drop_unshown_texts(sources, &window);
            return window;
        }
        // Counted exactly it is more than the letters say: less by the same part.
        let less = u64::from(tokens) * u64::from(grant.budget_tokens) / u64::from(exact);
        tokens = (less as u32).min(tokens - 1);
    }
}

/// Texts that the window does not show are dropped, if there are too many.
fn drop_unshown_texts(sources: &Sources<'_>, window: &Window) {
    if !window.missing.is_empty() {
        return; // more will be here in a moment
    }
    let shown = window.pieces.iter().flat_map(|piece| &piece.files);
    let shown = shown.filter_map(|file| {
        let file = sources.code.index().file(*file)?;
        Some((file.root, &*file.path))
    });
    let mut texts = sources.context.file_texts.borrow_mut();
    texts.shrink_to(&shown.collect());
}

fn fill(candidates: &CandidateSource<'_>, grant: &Grant, tokens: u32, share: u32) -> Window {
    let overhead = TITLE.len() + HEADINGS.iter().map(|heading| heading.len()).sum::<usize>();
    let room = (tokens as usize * 4).saturating_sub(overhead);
    let rules = WindowSource::ALL.map(|tier| {
        let own = grant.cap(tier.as_str()) as usize * 4;
        ServingRule {
            cap: match tier {
                WindowSource::Pinned => own.min(room * share as usize / 100),
                _ => own.min(room),
            },
            top_k: match tier {
                WindowSource::Pinned => usize::MAX,
                _ => grant.top_k,
            },
            is_fair: tier == WindowSource::Pinned,
        }
    });
    let shares = allocate(candidates, &rules, room);
    let mut window = Window {
        budget_tokens: grant.budget_tokens,
        ..Window::default()
    };
    for (place, share) in shares.iter().enumerate() {
        match share {
            Share::Form(form) => add(&mut window, candidates, place, *form),
            Share::Cut(why) => cut(&mut window, candidates, place, *why),
        }
    }
    let pins_cut = shares.iter().enumerate().any(|(place, share)| {
        candidates.source(place) == WindowSource::Pinned as usize
            && *share == Share::Cut(CutReason::Source)
    });
    if pins_cut {
        window.notices.push(format!(
            "Pins may take {share} % of the window; those without room come in when others are unpinned."
        ));
    }
    window
}

fn add(window: &mut Window, candidates: &CandidateSource<'_>, place: usize, form: usize) {
    let candidate = &candidates.candidates[place];
    let (name, text, richest, files) = candidates.with(place, |levels| {
        let (name, text) = levels.form(form);
        let (richest, whole) = levels.form(0);
        let richest = (richest, tokens_approx(whole));
        let files = levels.file.map(|_| levels.files.clone());
        (name, text.to_owned(), richest, files)
    });
    let Some(files) = files else {
        window.cut_total += 1;
        if window.cut.len() < MAX_CUT {
            window.cut.push(CutPiece {
                tier: candidate.tier,
                root: candidate.root,
                entry: Arc::clone(&candidate.entry),
                reason: "it is not there any more",
                tokens: None,
            });
        }
        return;
    };
    if form > 0 {
        let path = &candidate.entry.path;
        window
            .downgrades
            .push(format!("{path}: {}", step(richest.0, name)));
    }
    window.pieces.push(WindowPiece {
        tier: candidate.tier,
        root: candidate.root,
        entry: Arc::clone(&candidate.entry),
        reason: candidate.reason.clone(),
        score: candidate.score,
        files,
        form: name,
        text,
        pin_tokens: richest.1,
    });
}

fn cut(window: &mut Window, candidates: &CandidateSource<'_>, place: usize, why: CutReason) {
    window.cut_total += 1;
    if window.cut.len() >= MAX_CUT {
        return;
    }
    let candidate = &candidates.candidates[place];
    let is_priced = window.cut.len() < MAX_PRICED;
    window.cut.push(CutPiece {
        tier: candidate.tier,
        root: candidate.root,
        entry: Arc::clone(&candidate.entry),
        reason: match why {
            CutReason::Budget => "the window is full",
            CutReason::Source if candidate.tier == WindowSource::Pinned => {
                "pins have taken their part"
            }
            CutReason::Source => "its part of the window is full",
            CutReason::TopK => "enough of its kind are in",
        },
        tokens: is_priced.then(|| candidates.with(place, |levels| tokens_approx(levels.form(0).1))),
    });
}
