/**
 * The view "Review": a change as units by risk, with what is found in it, also as comments in the editor.
 *
 * It asks for nothing until somebody wants a change reviewed.
 */
import {
  commands,
  EventEmitter,
  MarkdownString,
  Range,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
  type CommentThread,
  type TreeDataProvider,
  type TreeView,
} from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import { baseName } from "../core/paths";
import { counted, reviewGroups, type ReviewEntry, type ReviewGroup, type ReviewScope } from "../core/review";
import { byModel, ReviewProblem, reviewOf, withDismissed, type AskReview, type Reviewed } from "../core/reviewSession";
import type { Finding } from "../generated/answers";
import { currentRoots } from "./folders";
import { reveal } from "./reveal";
import { ReviewComments } from "./reviewComments";

const VIEW = "codecortex.review";
/** Tells menus that there is a review. */
const SHOWN = "codecortex.reviewShown";

type Node = ReviewGroup | ReviewEntry;

function isGroup(node: Node): node is ReviewGroup {
  return "entries" in node;
}

/** Registers the view, its commands and the comments. */
export function showReview(host: Host): Disposable {
  const view = new ReviewView(host);
  const handlers: Readonly<Record<string, (argument?: unknown) => unknown>> = {
    uncommitted: () => view.begin({ mode: "uncommitted" }, "Uncommitted changes"),
    working: () => view.begin({ mode: "working" }, "Unstaged changes"),
    staged: () => view.begin({ mode: "staged" }, "Staged changes"),
    branch: () => reviewBranch(view),
    refresh: () => view.refresh(),
    askModel: () => askModel(view),
    clear: () => {
      view.clear();
    },
    show: (reviewed) => {
      view.show(reviewed as Reviewed);
    },
    open: (entry) => view.open(entry as ReviewEntry | undefined),
    dismiss: (of) => view.dismiss(of as CommentThread | ReviewEntry | undefined),
    resolve: (thread) => {
      view.resolve(thread as CommentThread, true);
    },
    unresolve: (thread) => {
      view.resolve(thread as CommentThread, false);
    },
  };
  const registered: Disposable[] = Object.entries(handlers).map(([name, handler]) =>
    commands.registerCommand(`${VIEW}.${name}`, handler),
  );
  return {
    dispose: () => {
      disposeAll([...registered, view]);
    },
  };
}

/** The folder that is reviewed: the only one, or that which a person picks. */
async function scopeOf(host: Host, args: Record<string, string>, label: string): Promise<ReviewScope | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await window.showWorkspaceFolderPick() : folders[0];
  const roots = currentRoots(host.platform.windows);
  const root = folder && roots[folders.indexOf(folder)];
  if (!root) {
    return undefined;
  }
  const several = folders.length > 1;
  return {
    label: several ? `${label} of ${root.name}` : label,
    args: several ? { ...args, folder: root.name } : args,
    root,
  };
}

/** Compares with what a person names. */
async function reviewBranch(view: ReviewView): Promise<void> {
  const base = await window.showInputBox({
    title: "Review Branch",
    prompt: "What the branch is compared with: a branch, tag or commit. Changes since their merge base are reviewed.",
    value: "main",
  });
  const name = base?.trim() ?? "";
  if (name !== "") {
    await view.begin({ base: name }, `Changes since ${name}`);
  }
}

/** Has the chosen model review what is shown. */
async function askModel(view: ReviewView): Promise<void> {
  const wish = await window.showInputBox({
    title: "Review with Model",
    prompt:
      "What the review should look at; nothing for everything. The change and its context go to the model you chose.",
  });
  if (wish !== undefined) {
    await view.askModel(wish.trim());
  }
}

class ReviewView implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly comments = new ReviewComments();
  private readonly tree: TreeView<Node>;
  private groups: ReviewGroup[] = [];
  private reviewed: Reviewed | undefined;
  private asking = 0;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly host: Host) {
    this.tree = window.createTreeView<Node>(VIEW, { treeDataProvider: this, showCollapseAll: true });
  }

  getTreeItem(node: Node): TreeItem {
    return isGroup(node) ? groupItem(node) : entryItem(node);
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? this.groups : isGroup(node) ? node.entries : [];
  }

  getParent(node: Node): Node | undefined {
    return isGroup(node) ? undefined : this.groups.find(({ entries }) => entries.includes(node));
  }

  /** Reviews a change. */
  async begin(args: Record<string, string>, label: string): Promise<void> {
    const scope = await scopeOf(this.host, args, label);
    if (scope) {
      await commands.executeCommand(`${VIEW}.focus`);
      await this.work(() => reviewOf(scope, this.ask));
    }
  }

  /** Reviews the same again. */
  async refresh(): Promise<void> {
    const { reviewed } = this;
    if (reviewed) {
      await this.work(() => reviewOf(reviewed.scope, this.ask));
    }
  }

  /** Adds what the chosen model finds. */
  async askModel(wish: string): Promise<void> {
    const { reviewed } = this;
    if (reviewed) {
      await this.work(() => byModel(reviewed, wish, this.ask));
    }
  }

  /** Shows what a chat has reviewed. */
  show(reviewed: Reviewed): void {
    this.reviewed = reviewed;
    const { scope, units, findings, index, dropped } = reviewed;
    this.groups = reviewGroups(units, findings);
    this.comments.show(findings, (file) => this.host.uri(`${scope.root.path}/${file}`));
    this.tree.description = scope.label;
    const without = dropped > 0 ? ` ${counted(dropped, "finding")} of the model did not stand.` : "";
    this.tree.message =
      units.length === 0 ? "There are no changes." : [...(index.notes ?? []), without].join(" ").trim() || undefined;
    this.changed.fire(undefined);
    void commands.executeCommand("setContext", SHOWN, true);
  }

  /** Takes the review away. */
  clear(): void {
    this.asking += 1;
    this.reviewed = undefined;
    this.groups = [];
    this.comments.show([], () => Uri.from({ scheme: "untitled" }));
    this.tree.description = undefined;
    this.tree.message = undefined;
    this.changed.fire(undefined);
    void commands.executeCommand("setContext", SHOWN, false);
  }

  /** Opens the difference of a unit, or the place of a finding with its comment. */
  async open(entry?: ReviewEntry): Promise<void> {
    const { reviewed } = this;
    if (!entry || !reviewed) {
      return;
    }
    const { root } = reviewed.scope;
    const show = () => reveal(this.host, { filePath: `${root.name}/${entry.filePath}`, line: entry.line }, entry.label);
    if (entry.finding) {
      this.comments.expand(entry.finding.id);
    }
    if (entry.finding ?? entry.icon === "diff-added") {
      await show();
      return;
    }
    // Where there is no git extension, or nothing to compare with, the file itself is shown.
    await this.showDifference(entry, reviewed).catch(show);
  }

  /** A finding that a person does not want to see again; it can be taken back at once. */
  async dismiss(of?: CommentThread | ReviewEntry): Promise<void> {
    const finding = of && ("finding" in of ? of.finding : this.comments.of(of as CommentThread));
    if (!finding || !this.reviewed) {
      return;
    }
    // What went wrong was said.
    if (!(await this.change(finding, "dismiss"))) {
      return;
    }
    const undo = "Undo";
    const said = await window.showInformationMessage(`Dismissed: ${finding.message}`, undo);
    if (said === undo) {
      await this.change(finding, "restore");
    }
  }

  /** A finding is done with, or open again. */
  resolve(thread: CommentThread, isResolved: boolean): void {
    this.comments.resolve(thread, isResolved);
  }

  dispose(): void {
    this.asking += 1;
    disposeAll([this.tree, this.changed, this.comments]);
  }

  private async showDifference(entry: ReviewEntry, { index, scope }: Reviewed): Promise<void> {
    const { mode, base: named } = scope.args;
    const base =
      named === undefined ? (mode === "working" ? INDEX : "HEAD") : (index.review_metadata?.base_branch ?? named);
    const before = gitUri(this.host.uri(`${scope.root.path}/${entry.oldPath ?? entry.filePath}`), base);
    if (entry.isDeleted) {
      await commands.executeCommand("vscode.open", before);
      return;
    }
    const file = this.host.uri(`${scope.root.path}/${entry.filePath}`);
    // What is on the disk may have more than what is staged.
    const after = mode === "staged" ? gitUri(file, INDEX) : file;
    const selection = new Range(entry.line - 1, 0, entry.line - 1, 0);
    const title = `${baseName(entry.filePath)} (${scope.label})`;
    await commands.executeCommand("vscode.diff", before, after, title, { selection });
  }

  private readonly ask: AskReview = (args) => this.host.look("codecortex_reviewChanges", args);

  private async change(finding: Finding, what: "dismiss" | "restore"): Promise<boolean> {
    const { reviewed } = this;
    return reviewed !== undefined && (await this.work(() => withDismissed(reviewed, finding, what, this.ask)));
  }

  /** Shows what comes of it, unless something else was asked for meanwhile; whether it was done. */
  private async work(run: () => Promise<Reviewed>): Promise<boolean> {
    this.asking += 1;
    const { asking } = this;
    return window.withProgress({ location: { viewId: VIEW } }, async () => {
      try {
        const reviewed = await run();
        if (asking === this.asking) {
          this.show(reviewed);
        }
        return true;
      } catch (error) {
        if (!(error instanceof ReviewProblem)) {
          throw error;
        }
        void window.showWarningMessage(`CodeCortex: ${error.message}`);
        return false;
      }
    });
  }
}

/** Git's index, as the editor's git extension names it; where it has no change of a file, `HEAD` is meant. */
const INDEX = "~";

/** A file as it is in git, by the editor's own git extension. */
function gitUri(file: Uri, ref: string): Uri {
  return file.with({ scheme: "git", query: JSON.stringify({ path: file.fsPath, ref }) });
}

function groupItem({ id, label, icon, color, isFolded, entries }: ReviewGroup): TreeItem {
  const state = isFolded ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded;
  const item = new TreeItem(label, state);
  item.id = id;
  item.description = String(entries.length);
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
  item.contextValue = "group";
  item.accessibilityInformation = { label: `${label}, ${String(entries.length)}` };
  return item;
}

function entryItem(entry: ReviewEntry): TreeItem {
  const item = new TreeItem(entry.label, TreeItemCollapsibleState.None);
  item.id = entry.id;
  item.description = entry.description;
  item.tooltip = new MarkdownString(entry.tooltip);
  item.iconPath = new ThemeIcon(entry.icon, entry.color === undefined ? undefined : new ThemeColor(entry.color));
  item.contextValue = entry.finding ? "finding" : "unit";
  item.command = { command: `${VIEW}.open`, title: "Open", arguments: [entry] };
  return item;
}
