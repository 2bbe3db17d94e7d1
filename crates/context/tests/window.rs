//! The prompt window as a room: what is put into it, what the file says, and what passes through `state.json` (SPEC PW1).
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use codecortex_analysis::folder_config::FolderConfig;
use codecortex_analysis::folder_facts::{FolderFacts, FolderLookup};
use codecortex_context::window::build_window;
use codecortex_context::window::change::WindowChange;
use codecortex_context::window::on_disk::{
    expire_focus, missing_file_texts, missing_texts, window_text,
};
use codecortex_context::window::settings::window_grant;
use codecortex_context::window::state::PinEntry;
use codecortex_context::{Context, Sources};
use codecortex_fixture::Workspace;
use codecortex_ledger::{FolderPart, Ledger};
use codecortex_protocol::{Beginning, Bytes, Effect, FetchedFile, GivenUp, Outbox, Room};

const SHOP: &str = "
//- /app/src/Order.cs
namespace Shop;
/// <summary>Sums up.</summary>
public class Order {
    public int Total() { return 3; }
}
//- /app/src/Cart.cs
namespace Shop;
public class Cart { public void Clear() { } }
";

/// One root whose folder was read.
struct OneFolder {
    ledger: Ledger,
    config: FolderConfig,
}

impl FolderLookup for OneFolder {
    fn folder(&self, root: u32) -> Option<FolderFacts<'_>> {
        (root == 0).then_some(FolderFacts {
            ledger: Some(&self.ledger),
            config: &self.config,
            has_config_file: false,
        })
    }

    fn root_count(&self) -> u32 {
        1
    }
}

fn folder() -> OneFolder {
    OneFolder {
        ledger: Ledger::default(),
        config: FolderConfig::default(),
    }
}

fn begun() -> Context {
    let mut context = Context::default();
    begin(&mut context, false);
    context
}

fn begin(context: &mut Context, are_same_roots: bool) {
    let beginning = Beginning {
        roots: 1,
        are_same_roots,
    };
    context.begin(beginning);
}

fn pin(path: &str) -> Arc<PinEntry> {
    Arc::new(PinEntry {
        id: format!("file:{path}"),
        path: path.to_owned(),
        since: 0,
    })
}

fn pins(context: &Context) -> usize {
    context.window.borrow().roots[0].pins.iter().count()
}

fn sources<'a>(
    workspace: &'a Workspace,
    folders: &'a OneFolder,
    context: &'a Context,
) -> Sources<'a> {
    Sources {
        code: &workspace.code,
        folders,
        context,
        saved_only: false,
    }
}

#[test]
fn a_window_that_nobody_uses_has_no_file() {
    let (workspace, folders, context) = (Workspace::new(SHOP), folder(), begun());
    let sources = sources(&workspace, &folders, &context);
    assert_eq!(window_text(&sources, 0, false), None);
    let wanted = window_text(&sources, 0, true).unwrap();
    assert!(wanted.starts_with("# Prompt Window"), "{wanted}");
    assert_eq!(window_text(&sources, 9, true), None, "no such root");
    assert!(missing_texts(&sources, 0).is_empty());
}

#[test]
fn a_pinned_file_is_in_the_window_until_it_is_unpinned() {
    let (workspace, folders, mut context) = (Workspace::new(SHOP), folder(), begun());
    context.change_window(0, &WindowChange::Pin(pin("src/Order.cs")));
    context.change_window(7, &WindowChange::Pin(pin("src/Cart.cs")));
    let text = window_text(&sources(&workspace, &folders, &context), 0, false).unwrap();
    assert!(
        text.contains("## Pinned") && text.contains("Order"),
        "{text}"
    );
    assert!(!text.contains("Cart"), "of a root that there is not");
    context.change_window(0, &WindowChange::Unpin("file:src/Order.cs".to_owned()));
    let sources = sources(&workspace, &folders, &context);
    assert_eq!(window_text(&sources, 0, false), None);
}

#[test]
fn focus_ends_at_its_time() {
    let (mut workspace, folders, mut context) = (Workspace::new(SHOP), folder(), begun());
    let now = 1_700_000_000_000_u64;
    workspace.code.tell_time(now as f64);
    let focus = |path: &str, until| WindowChange::Focus(pin(path), until);
    context.change_window(0, &focus("src/Order.cs", now - 1));
    context.change_window(0, &focus("src/Cart.cs", now + 60_000));
    let before = context.window.borrow().revision;
    expire_focus(&sources(&workspace, &folders, &context));
    let window = context.window.borrow();
    assert_eq!(window.roots[0].focus.len(), 1);
    assert_eq!(window.roots[0].focus[0].entry.path, "src/Cart.cs");
    assert!(window.revision > before);
}

#[test]
fn what_is_pinned_passes_through_the_folder_of_its_root() {
    let mut context = begun();
    context.change_window(0, &WindowChange::Pin(pin("src/Order.cs")));
    let mut ledger = Ledger::default();
    context.save(0, &mut ledger);
    let mut other = begun();
    assert_eq!(other.load(0, &mut ledger), None);
    assert_eq!(pins(&other), 1);
    other.forget(0, true);
    assert_eq!(pins(&other), 1, "the disk does not have it");
    other.forget(0, false);
    assert_eq!(pins(&other), 0);
}

#[test]
fn a_damaged_state_is_reported() {
    let mut ledger = Ledger::default();
    let mut context = begun();
    context.change_window(0, &WindowChange::Pin(pin("src/Order.cs")));
    context.save(0, &mut ledger);
    for value in ledger.foreign_state_mut().values_mut() {
        *value = serde_json::json!("no window");
    }
    let problem = begun().load(0, &mut ledger).unwrap();
    assert!(problem.starts_with("state.json: "), "{problem}");
}

#[test]
fn new_settings_keep_the_window_and_other_roots_do_not() {
    let mut context = begun();
    context.change_window(0, &WindowChange::Pin(pin("src/Order.cs")));
    begin(&mut context, true);
    assert_eq!(pins(&context), 1);
    begin(&mut context, false);
    assert_eq!(pins(&context), 0);
}

#[test]
fn a_view_hears_once_that_the_window_is_another() {
    let (mut workspace, mut context) = (Workspace::new(SHOP), begun());
    let told = |context: &mut Context, workspace: &Workspace| {
        let mut outbox = Outbox::default();
        context.idle(&workspace.code, &mut outbox);
        let effects = outbox.into_effects();
        let changes = effects
            .iter()
            .filter(|effect| matches!(effect, Effect::WindowChanged));
        changes.count()
    };
    told(&mut context, &workspace);
    assert_eq!(told(&mut context, &workspace), 0);
    context.note_change();
    assert_eq!(told(&mut context, &workspace), 1);
    workspace.write("src/Cart.cs", "namespace Shop;\npublic class Cart { }\n");
    assert_eq!(told(&mut context, &workspace), 1);
    assert_eq!(told(&mut context, &workspace), 0);
}

#[test]
fn caches_are_given_up_and_the_window_stays() {
    let mut context = begun();
    context.change_window(0, &WindowChange::Pin(pin("src/Order.cs")));
    context.shed(GivenUp::Caches);
    assert_eq!(pins(&context), 1);
    assert_eq!(context.held_bytes(), Context::default().held_bytes());
}

const STACK: &str = "
//- /app/src/Stack.cs
namespace Shop;
/// <summary>Holds things.</summary>
public partial class Stack
    : Base, IStack
{
    private int count;

    /// <summary>Puts one on.</summary>
    public void Push(
        Item item,
        bool twice)
    {
        count += twice ? 2 : 1;
\t\tChanged();
    }
    public int Count => count;
}
//- /app/src/Stack.More.cs
namespace Shop;
public partial class Stack {
    public void Clear() { count = 0; }
}
";

/// Pins something by its path.
fn pin_symbol(context: &mut Context, id: &str, path: &str) {
    let entry = PinEntry {
        id: id.to_owned(),
        path: path.to_owned(),
        since: 0,
    };
    context.change_window(0, &WindowChange::Pin(Arc::new(entry)));
}

/// Reads what the window's file lacks, as a host does.
fn read_missing(workspace: &Workspace, folders: &OneFolder, context: &mut Context) -> Vec<String> {
    let missing = missing_file_texts(&sources(workspace, folders, context), 0, false);
    let files = missing.iter().map(|path| workspace.fetched(path));
    let files: Vec<FetchedFile> = files.collect();
    context.load_file_texts(&workspace.code, 0, &missing, &files);
    missing
}

#[test]
fn a_pinned_function_shows_its_lines_as_they_stand_in_the_file() {
    let (mut workspace, folders, mut context) = (Workspace::new(STACK), folder(), begun());
    pin_symbol(&mut context, "T_none_none", "Shop.Stack.Push");
    let text = |workspace: &Workspace, context: &Context| {
        window_text(&sources(workspace, &folders, context), 0, false).unwrap()
    };
    // The text is not here yet: the signature stands for it.
    let before = text(&workspace, &context);
    assert!(
        before.contains("  + public void Push(Item item, bool twice)\n"),
        "{before}"
    );
    assert_eq!(
        read_missing(&workspace, &folders, &mut context),
        ["src/Stack.cs"]
    );
    let lines = "### Shop.Stack.Push [method] app/src/Stack.cs:9-15\nPuts one on.\n\
                 9:     public void Push(\n10:         Item item,\n11:         bool twice)\n12:     {\n\
                 13:         count += twice ? 2 : 1;\n14: \t\tChanged();\n15:     }\n";
    let whole = text(&workspace, &context);
    assert!(whole.contains(lines), "{whole}");
    assert!(
        read_missing(&workspace, &folders, &mut context).is_empty(),
        "it is kept"
    );
    // A file in another state has to be read again, and its old lines are gone.
    workspace.write(
        "src/Stack.cs",
        "namespace Shop;\npublic class Stack { public void Push() { } }\n",
    );
    let changed = text(&workspace, &context);
    assert!(!changed.contains("twice"), "{changed}");
    assert_eq!(
        read_missing(&workspace, &folders, &mut context),
        ["src/Stack.cs"]
    );
    let changed = text(&workspace, &context);
    assert!(
        changed.contains("2: public class Stack { public void Push() { } }\n"),
        "{changed}"
    );
}

#[test]
fn the_outline_of_a_type_is_its_declaring_lines_by_file() {
    let (workspace, folders, mut context) = (Workspace::new(STACK), folder(), begun());
    pin_symbol(&mut context, "T_none", "Shop.Stack");
    let mut missing = read_missing(&workspace, &folders, &mut context);
    missing.sort();
    assert_eq!(missing, ["src/Stack.More.cs", "src/Stack.cs"]);
    let sources = sources(&workspace, &folders, &context);
    let text = window_text(&sources, 0, false).unwrap();
    let lines = "app/src/Stack.More.cs:2-4\nHolds things.\n2: public partial class Stack {\n\
                 3:     public void Clear() { count = 0; }\napp/src/Stack.cs\n\
                 3: public partial class Stack\n4:     : Base, IStack\n… 4 lines\n9:     public void Push(\n\
                 10:         Item item,\n11:         bool twice)\n… 4 lines\n16:     public int Count => count;\n\
                 Implements: IStack\n";
    assert!(text.contains(lines), "{text}");
}

#[test]
fn a_pinned_file_shows_the_lines_that_declare() {
    let (workspace, folders, mut context) = (Workspace::new(STACK), folder(), begun());
    context.change_window(0, &WindowChange::Pin(pin("src/Stack.More.cs")));
    assert_eq!(
        read_missing(&workspace, &folders, &mut context),
        ["src/Stack.More.cs"]
    );
    let text = window_text(&sources(&workspace, &folders, &context), 0, false).unwrap();
    assert!(text.contains("2: public partial class Stack {\n"), "{text}");
}

#[test]
fn a_file_of_the_folder_has_no_lines_that_are_not_saved() {
    let (mut workspace, folders, mut context) = (Workspace::new(STACK), folder(), begun());
    pin_symbol(&mut context, "T_none_none", "Shop.Stack.Clear");
    let unsaved =
        "namespace Shop;\npublic partial class Stack {\n    public void Clear() { Secret(); }\n}\n";
    workspace.open("src/Stack.More.cs", unsaved);
    let sources = sources(&workspace, &folders, &context);
    // A call shows the editor's text, whichever of the two is asked for first.
    let granted = window_grant(&sources, None, None).unwrap();
    for _ in 0..2 {
        let window = build_window(&sources, None, &granted);
        assert_eq!(window.pieces[0].form, "source");
        assert!(
            window.pieces[0]
                .text
                .contains("3:     public void Clear() { Secret(); }\n")
        );
        let file = window_text(&sources, 0, false).unwrap();
        assert!(!file.contains("Secret"), "{file}");
        assert!(missing_file_texts(&sources, 0, false).is_empty());
    }
}

#[test]
fn a_text_in_another_state_is_no_text() {
    let (workspace, folders, mut context) = (Workspace::new(STACK), folder(), begun());
    pin_symbol(&mut context, "T_none_none", "Shop.Stack.Clear");
    let missing = missing_file_texts(&sources(&workspace, &folders, &context), 0, false);
    let other = |text: Option<&str>| FetchedFile {
        bytes: text.map(|text| Bytes(text.as_bytes().to_vec())),
        stamp: None,
        error: None,
    };
    for file in [
        other(Some("namespace Other;\n// one\n// two\n")),
        other(None),
    ] {
        context.load_file_texts(&workspace.code, 0, &missing, &[file]);
        let sources = sources(&workspace, &folders, &context);
        let text = window_text(&sources, 0, false).unwrap();
        assert!(text.contains("  + public void Clear()\n"), "{text}");
        assert!(
            missing_file_texts(&sources, 0, false).is_empty(),
            "it is not read again and again"
        );
    }
}

#[test]
fn code_comes_after_the_outlines_of_all_and_is_cut_where_it_has_no_room() {
    let body: String = (0..300)
        .map(|n| format!("        Use({n}, \"some words\");\n"))
        .collect();
    let fixture = format!(
        "//- /app/src/Long.cs\nnamespace Shop;\npublic class Long {{\n    public void Run() {{\n{body}    }}\n    \
         public void Stop() {{ }}\n}}\n"
    );
    let (workspace, folders, mut context) = (Workspace::new(&fixture), folder(), begun());
    pin_symbol(&mut context, "T_none_none", "Shop.Long.Run");
    pin_symbol(&mut context, "T_none", "Shop.Long");
    read_missing(&workspace, &folders, &mut context);
    let sources = sources(&workspace, &folders, &context);
    let mut granted = window_grant(&sources, None, None).unwrap();
    let window = build_window(&sources, None, &granted);
    let forms: Vec<&str> = window.pieces.iter().map(|piece| piece.form).collect();
    assert_eq!(forms, ["source, cut", "outline"]);
    let code = &window.pieces[0].text;
    assert!(
        code.contains("26:         Use(22, \"some words\");\n… 277 lines\n304:     }\n"),
        "{code}"
    );
    assert!(
        window
            .downgrades
            .contains(&"Shop.Long.Run: source→source, cut".to_owned())
    );
    granted.budget_tokens = 100_000;
    let window = build_window(&sources, None, &granted);
    assert_eq!(window.pieces[0].form, "source");
    assert!(
        window.pieces[0]
            .text
            .contains("303:         Use(299, \"some words\");\n304:     }\n")
    );
    for budget in (0..400).step_by(7) {
        granted.budget_tokens = budget;
        let window = build_window(&sources, None, &granted);
        assert!(
            window.pieces.is_empty() || window.used_tokens() <= budget,
            "{budget}"
        );
    }
}

#[test]
fn documentation_that_the_lines_have_is_not_said_twice() {
    let fixture = "
//- /app/src/dice.py
class Die:
    \"\"\"Is thrown.\"\"\"
    def throw(self) -> int:
        \"\"\"Gives a number.\"\"\"
        return 4
";
    let (workspace, folders, mut context) = (Workspace::new(fixture), folder(), begun());
    context.change_window(0, &WindowChange::Pin(pin("src/dice.py")));
    pin_symbol(&mut context, "T_none", "dice.Die");
    pin_symbol(&mut context, "T_none_none", "dice.Die.throw");
    read_missing(&workspace, &folders, &mut context);
    let text = window_text(&sources(&workspace, &folders, &context), 0, false).unwrap();
    let method = "5\n3:     def throw(self) -> int:\n4:         \"\"\"Gives a number.\"\"\"\n5:         return 4\n";
    assert!(text.contains(method), "{text}");
    assert_eq!(text.matches("Is thrown.").count(), 1, "{text}");
}

#[test]
fn a_window_that_nobody_uses_reads_nothing() {
    let (workspace, folders, context) = (Workspace::new(STACK), folder(), begun());
    assert!(missing_file_texts(&sources(&workspace, &folders, &context), 0, false).is_empty());
}
