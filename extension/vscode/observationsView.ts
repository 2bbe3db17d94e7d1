/** The view "Observations": what was noted, the newest first, and whether it still holds (SPEC OB1, X7). */
import {
  commands,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
  workspace,
} from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import { isOptedOut, observationEntry, type Observation, type ObservationEntry } from "../core/observations";
import { absolutePath } from "../core/roots";
import { currentRoots } from "./folders";
import { FollowedTree } from "./followedTree";
import type { Host } from "../core/host";
import { ask, forget, observationPage } from "./observationCommands";
import { declaration, reveal } from "./reveal";
import { showAnswer } from "./textViews";

const VIEW = "codecortex.observations";
/** What the view is empty for, so that it can say so. */
const STATE = "codecortex.observationsAre";
const WRITERS = ["codecortex_remember", "codecortex_forget"] as const;
const PAGE = 100;
/** Pages that somebody may ask for; a search finds the rest. */
const MOST_PAGES = 20;
const KEEP = "Keep Observations";

/** Shown below a list that goes on. */
const MORE = "more";
type Node = ObservationEntry | typeof MORE;

/** Registers the view and its commands. */
export function showObservations(host: Host): Disposable {
  const view = new ObservationsView(host);
  const handlers: Readonly<Record<string, (node?: Node) => unknown>> = {
    refresh: () => view.refresh(),
    search: () => view.search(),
    clearSearch: () => view.find(""),
    more: () => view.more(),
    open: (node) => open(host, node),
    show: (node) => show(node),
    forget: async (node) => {
      if (node !== undefined && node !== MORE && (await forget(host, [node.id]))) {
        await view.refresh();
      }
    },
    optIn: async () => {
      if (await optIn(host)) {
        view.expect();
      }
    },
  };
  const registered = Object.entries(handlers).map(([name, handler]) =>
    commands.registerCommand(`${VIEW}.${name}`, handler),
  );
  return {
    dispose: () => {
      disposeAll([...registered, view]);
    },
  };
}

class ObservationsView extends FollowedTree<Node> {
  private entries: Node[] = [];
  private query = "";
  private pages = 1;

  constructor(host: Host) {
    super(host, VIEW, "**/.context/{config.json,memory/*}", WRITERS, false);
    this.follow();
  }

  override getTreeItem(node: Node): TreeItem {
    return node === MORE ? moreItem() : entryItem(node);
  }

  override getChildren(node?: Node): Node[] {
    return node === undefined ? this.entries : [];
  }

  override getParent(): undefined {
    return undefined;
  }

  /** Asks for words and lists what has them. */
  async search(): Promise<void> {
    const query = await window.showInputBox({
      title: "Search Observations",
      prompt: "Words that an observation has; nothing for all.",
      value: this.query,
    });
    if (query !== undefined) {
      await this.find(query.trim());
    }
  }

  /** Lists what has these words; all, without any. */
  async find(query: string): Promise<void> {
    this.query = query;
    this.pages = 1;
    this.tree.description = query === "" ? "" : `“${query}”`;
    void commands.executeCommand("setContext", "codecortex.observationsSearched", query !== "");
    await this.refresh();
  }

  /** Lists one page more. */
  async more(): Promise<void> {
    this.pages = Math.min(MOST_PAGES, this.pages + 1);
    await this.refresh();
  }

  protected override async fetch(): Promise<() => void> {
    const items: Observation[] = [];
    let cursor: string | undefined;
    let problem: string | undefined;
    let isOff = false;
    for (let page = 0; page < this.pages && (page === 0 || cursor !== undefined); page += 1) {
      const args = {
        filter: { limit: PAGE },
        ...(this.query === "" ? {} : { query: this.query }),
        ...(cursor === undefined ? {} : { cursor }),
      };
      const read = dataOf(await this.host.look("codecortex_recall", args));
      if ("problem" in read) {
        isOff = isOptedOut(read.hint);
        problem = isOff ? undefined : read.problem;
        break;
      }
      items.push(...read.data.items);
      cursor = read.data.nextCursor;
    }
    return () => {
      this.tree.message = problem;
      const now = Date.now();
      const hasMore = cursor !== undefined && this.pages < MOST_PAGES;
      this.entries = [...items.map((item) => observationEntry(item, now)), ...(hasMore ? ([MORE] as const) : [])];
      const none = this.query === "" ? "none" : "unmatched";
      void commands.executeCommand("setContext", STATE, isOff ? "off" : items.length === 0 ? none : "some");
    };
  }
}

function entryItem(entry: ObservationEntry): TreeItem {
  const item = new TreeItem(entry.label, TreeItemCollapsibleState.None);
  item.id = String(entry.id);
  item.description = entry.description;
  item.tooltip = new MarkdownString(entry.tooltip);
  item.iconPath = new ThemeIcon(entry.icon, entry.color === undefined ? undefined : new ThemeColor(entry.color));
  item.contextValue = "observation";
  item.accessibilityInformation = { label: entry.spoken };
  item.command = { command: `${VIEW}.open`, title: "Open", arguments: [entry] };
  return item;
}

function moreItem(): TreeItem {
  const item = new TreeItem("Load More", TreeItemCollapsibleState.None);
  item.id = MORE;
  item.iconPath = new ThemeIcon("ellipsis");
  item.command = { command: `${VIEW}.more`, title: "Load More" };
  return item;
}

/** Opens the code that an observation is about: its first symbol or else its first file; the text of it where it names none. */
async function open(host: Host, node?: Node): Promise<void> {
  if (node === undefined || node === MORE) {
    return;
  }
  const whole = await ask(host, "codecortex_recall", { ids: [node.id], filter: {} });
  const [item] = whole?.items ?? [];
  if (!item) {
    return;
  }
  const [symbol] = item.symbols ?? [];
  const place = symbol === undefined ? undefined : await declaration(host, { symbol });
  if (symbol !== undefined && place) {
    await reveal(host, place, symbol);
    return;
  }
  const [file] = item.refs?.files ?? [];
  const roots = currentRoots(host.platform.windows);
  const [root] = roots;
  const path = file === undefined ? undefined : (absolutePath(file, roots) ?? (root && `${root.path}/${file}`));
  const opened =
    path !== undefined &&
    (await Promise.resolve(workspace.openTextDocument(host.uri(path))).then(
      (document) => window.showTextDocument(document, { preview: true }),
      () => undefined,
    ));
  if (!opened) {
    await show(node);
  }
}

/** Shows all of an observation. */
async function show(node?: Node): Promise<void> {
  if (node !== undefined && node !== MORE) {
    await showAnswer(`Observation ${node.id}`, observationPage(node.id));
  }
}

/** Has a person decide that observations are kept in a folder; says whether it was done. */
async function optIn(host: Host): Promise<boolean> {
  const folders = workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await window.showWorkspaceFolderPick() : folders[0];
  if (!folder) {
    return false;
  }
  if (!host.settings.config.keepContext) {
    void window.showInformationMessage(
      "CodeCortex writes no .context folder here: the workspace is not trusted, or the setting codecortex.context.keep is off.",
    );
    return false;
  }
  const detail =
    "Notes of you and agents are stored in .context/memory of this folder, without secrets, for later sessions. " +
    "It is a setting of your own, kept outside of the folder: no repository can make it.";
  const chosen = await window.showInformationMessage(
    "Keep observations of this workspace?",
    { modal: true, detail },
    KEEP,
  );
  if (chosen !== KEEP) {
    return false;
  }
  const root = folders.indexOf(folder);
  host.send({ type: "keepContext", root });
  host.keepObservations(root);
  return true;
}
