/**
 * The view "Changes": recent changes by class, and types whose description is out of date.
 *
 * It asks the engine only while somebody looks at it, and not more often than a person reads.
 */
import {
  commands,
  env,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
  type TreeDataProvider,
  type TreeView,
} from "vscode";

import { Throttle } from "../core/batch";
import type { ChangesData } from "../generated/answers";
import { changeGroups, type ChangeEntry, type ChangeGroup } from "../core/changes";
import { dataOf } from "../core/envelope";
import { withoutOnlyRoot } from "../core/roots";
import { disposeAll, type Disposable } from "../core/disposable";
import { currentRoots } from "./folders";
import type { Host } from "../core/host";
import { declaration, reveal } from "./reveal";

const VIEW = "codecortex.changes";

/** The index may change with every key; the list does not have to. */
const REFRESH_EVERY_MS = 1_000;

/** What is fetched at most: this many pages of this many changes. */
const PAGES = 5;
const PAGE = 200;

type Node = ChangeGroup | ChangeEntry;

function isGroup(node: Node): node is ChangeGroup {
  return "entries" in node;
}

/** Registers the view and its commands. */
export function showChanges(host: Host): Disposable {
  const view = new ChangesView(host);
  const registered: Disposable[] = [
    commands.registerCommand(`${VIEW}.refresh`, () => view.refresh()),
    commands.registerCommand(`${VIEW}.copyPath`, (node?: Node) => copyPath(node)),
    commands.registerCommand(`${VIEW}.open`, (entry?: ChangeEntry) => open(host, entry)),
    view,
  ];
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

class ChangesView implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly throttle = new Throttle(REFRESH_EVERY_MS);
  private readonly tree: TreeView<Node>;
  private readonly listening: Disposable[];
  private groups: ChangeGroup[] = [];
  /** What the list was made of: nothing of another engine or revision is shown for long. */
  private shown = "";
  private fetching = 0;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly host: Host) {
    this.tree = window.createTreeView<Node>(VIEW, { treeDataProvider: this, showCollapseAll: true });
    this.listening = [
      this.tree,
      this.tree.onDidChangeVisibility(() => {
        this.follow();
      }),
      host.onDidChange(() => {
        this.follow();
      }),
      this.throttle,
      this.changed,
    ];
    this.follow();
  }

  getTreeItem(node: Node): TreeItem {
    return isGroup(node) ? groupItem(node) : entryItem(node, this.host);
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? this.groups : isGroup(node) ? node.entries : [];
  }

  getParent(node: Node): Node | undefined {
    return isGroup(node) ? undefined : this.groups.find(({ entries }) => entries.includes(node));
  }

  /** Asks again, whatever is shown. */
  refresh(): Promise<void> {
    this.shown = this.state();
    return this.fetch();
  }

  dispose(): void {
    this.fetching += 1;
    disposeAll(this.listening);
  }

  /** What the engine would answer about, as a word; empty while it has nothing to say. */
  private state(): string {
    const { life, state, crashes } = this.host.view();
    return life.kind === "running" && state?.phase === "ready" ? `${String(crashes)}/${String(state.revision)}` : "";
  }

  private follow(): void {
    if (!this.tree.visible || this.state() === "" || this.state() === this.shown) {
      return;
    }
    this.throttle.run(() => {
      if (this.tree.visible) {
        void this.refresh();
      }
    });
  }

  private async fetch(): Promise<void> {
    this.fetching += 1;
    const { fetching } = this;
    const pages: ChangesData[] = [];
    let problem: string | undefined;
    let cursor: string | undefined;
    do {
      const page = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      const answer = await this.host.look("codecortex_changes", page);
      const read = this.host.meter.measure("changes: read", () => dataOf(answer));
      if ("problem" in read) {
        ({ problem } = read);
        break;
      }
      pages.push(read.data);
      cursor = read.data.nextCursor;
    } while (cursor !== undefined && pages.length < PAGES);
    // Somebody asked again meanwhile, or the view is gone.
    if (fetching === this.fetching) {
      this.show(pages, problem);
    }
  }

  private show(pages: readonly ChangesData[], problem: string | undefined): void {
    this.host.meter.measure("changes: show", () => {
      this.tree.message = problem;
      if (problem === undefined || pages.length > 0) {
        this.groups = changeGroups(pages);
      }
      this.changed.fire(undefined);
    });
  }
}

function groupItem(group: ChangeGroup): TreeItem {
  const item = new TreeItem(
    group.label,
    // What is only looks is folded until somebody wants to see it.
    group.id === "Cosmetic" ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded,
  );
  item.id = group.id;
  item.description = countOf(group);
  item.iconPath = new ThemeIcon(group.icon, group.isWarning ? new ThemeColor("list.warningForeground") : undefined);
  item.contextValue = "group";
  item.accessibilityInformation = { label: `${group.label}, ${item.description}` };
  return item;
}

/** `3`, or `200 of 1,204` where not all are in the list. */
function countOf({ entries, count }: ChangeGroup): string {
  const all = count.toLocaleString("en-US");
  return entries.length < count ? `${entries.length.toLocaleString("en-US")} of ${all}` : all;
}

function entryItem(entry: ChangeEntry, host: Host): TreeItem {
  const item = new TreeItem(entry.label, TreeItemCollapsibleState.None);
  item.id = entry.id;
  item.description = withoutOnlyRoot(entry.description, currentRoots(host.platform.windows));
  item.tooltip = new MarkdownString(entry.tooltip);
  item.iconPath = new ThemeIcon(entry.icon);
  item.contextValue = "change";
  if (entry.typeId !== undefined) {
    item.command = { command: `${VIEW}.open`, title: "Open Declaration", arguments: [entry] };
  }
  return item;
}

async function copyPath(node?: Node): Promise<void> {
  if (node && !isGroup(node)) {
    await env.clipboard.writeText(node.symbol);
  }
}

/** Opens the declaration of a type, or the file of a module. */
async function open(host: Host, entry?: ChangeEntry): Promise<void> {
  if (!entry?.typeId) {
    return;
  }
  const filePath = entry.filePath ?? "";
  const place = entry.isModule
    ? { filePath, line: 1 }
    : ((await declaration(host, { symbol: entry.typeId })) ?? { filePath, line: 1 });
  await reveal(host, place, entry.symbol);
}
