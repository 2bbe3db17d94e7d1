/** The view "Texts": types by where the text about them stands, the queue, and what a model cost (SPEC SE3). */
import {
  commands,
  FileType,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
} from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import { grouped, textGroups, typeTexts, type TextEntry, type TextGroup, type TypeText } from "../core/semantics";
import type { StatusData } from "../generated/answers";
import { FollowedTree } from "./followedTree";
import { declaration, reveal } from "./reveal";
import { showAnswer } from "./textViews";

const VIEW = "codecortex.texts";
/** Whether there is anything to list. */
const STATE = "codecortex.textsAre";
/** A larger `index.json` would hold the thread of all extensions while it is read: its folder is counted, not listed. */
const MOST_BYTES = 16 * 1024 * 1024;

type Node = TextGroup | TextEntry;

function isGroup(node: Node): node is TextGroup {
  return "entries" in node;
}

/** Registers the view and its commands; describing is the business of whoever knows models. */
export function showTexts(host: Host): Disposable {
  const view = new TextsView(host);
  const onEntry = (run: (entry: TextEntry) => unknown) => (node?: Node) =>
    node === undefined || isGroup(node) ? undefined : run(node);
  const cancel = async (args: Record<string, unknown>): Promise<void> => {
    const read = dataOf(await host.look("codecortex_describe", { ...args, cancel: true }));
    if ("problem" in read) {
      void window.showWarningMessage(`CodeCortex: ${read.problem}`);
    }
    view.expect();
  };
  const handlers: Readonly<Record<string, (node?: Node) => unknown>> = {
    refresh: () => view.refresh(),
    open: onEntry(async ({ id, symbol }) => {
      await reveal(host, await declaration(host, { symbol: id }), symbol);
    }),
    show: onEntry(({ id, label }) =>
      showAnswer(`Text: ${label}`, { tool: "codecortex_getSemantic", args: { symbol: id, prompt: "never" } }),
    ),
    cancel: onEntry(({ id }) => cancel({ symbol: id })),
    cancelAll: () => cancel({ all: true }),
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

class TextsView extends FollowedTree<Node> {
  private groups: TextGroup[] = [];
  /** What the last `index.json` and `state.json` of each folder said. */
  private readonly folders = new Map<string, { mtimes: string; types: TypeText[] }>();

  constructor(host: Host) {
    super(host, VIEW, "**/.context/{config,index,state}.json", true);
    this.follow();
  }

  override getTreeItem(node: Node): TreeItem {
    return isGroup(node) ? groupItem(node) : entryItem(node);
  }

  override getChildren(node?: Node): Node[] {
    return node === undefined ? this.groups : isGroup(node) ? node.entries : [];
  }

  override getParent(node: Node): Node | undefined {
    return isGroup(node) ? undefined : this.groups.find(({ entries }) => entries.includes(node));
  }

  protected override async fetch(): Promise<() => void> {
    const status = dataOf(await this.host.look("codecortex_status", {}));
    const folders = workspace.workspaceFolders ?? [];
    const known = await Promise.all(folders.map((folder) => this.typesOf(folder.uri)));
    return () => {
      const types = known.flatMap((of) => (of === "large" ? [] : of));
      this.groups = textGroups(types);
      const isLarge = known.includes("large");
      const { cost, held } = "data" in status ? spentOf(status.data) : { cost: "", held: undefined };
      this.tree.description = cost;
      this.tree.message =
        "problem" in status ? status.problem : isLarge ? "A folder has too many types to list them all." : held;
      const waiting = types.some(({ state }) => state === "pending" || state === "failed");
      void commands.executeCommand("setContext", STATE, types.length > 0 || isLarge ? "some" : "none");
      void commands.executeCommand("setContext", "codecortex.textsWait", waiting);
    };
  }

  /** The types of a folder; read again only where a file is another one. */
  private async typesOf(folder: Uri): Promise<TypeText[] | "large"> {
    const files = ["index.json", "state.json"].map((name) => Uri.joinPath(folder, ".context", name));
    const found = await Promise.all(files.map(statOf));
    const [index] = found;
    const key = folder.toString();
    if (index?.type !== FileType.File) {
      this.folders.delete(key);
      return [];
    }
    if (index.size > MOST_BYTES) {
      return "large";
    }
    const mtimes = found.map((file) => `${file?.mtime ?? ""}/${file?.size ?? ""}`).join();
    const before = this.folders.get(key);
    if (before?.mtimes === mtimes) {
      return before.types;
    }
    const [indexText = "", stateText = ""] = await Promise.all(files.map(textOf));
    const types = this.host.meter.measure("texts: read", () => typeTexts(key, indexText, stateText));
    this.folders.set(key, { mtimes, types });
    return types;
  }
}

/** What models cost in all folders, in the form of a tree's description, and why nothing is sent. */
function spentOf({ context = [] }: StatusData): { cost: string; held: string | undefined } {
  const texts = context.flatMap((folder) => folder.texts ?? []);
  const calls = texts.reduce((sum, of) => sum + of.calls, 0);
  const tokens = texts.reduce((sum, of) => sum + of.tokens, 0);
  const waiting = context.reduce((sum, folder) => sum + folder.waiting, 0);
  const held = texts.map((of) => of.held).find((why) => why !== undefined);
  const noModel = waiting > 0 && texts.every((of) => of.model === undefined) ? "Texts wait for a model." : undefined;
  return {
    cost: calls === 0 ? "" : `${grouped(calls)} ${calls === 1 ? "request" : "requests"}, ${grouped(tokens)} tokens`,
    held: held === undefined ? noModel : `Nothing is sent: ${held}`,
  };
}

async function statOf(uri: Uri) {
  return workspace.fs.stat(uri).then(
    (found) => found,
    () => undefined,
  );
}

async function textOf(uri: Uri): Promise<string> {
  return workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => "",
  );
}

function groupItem({ state, label, icon, color, isFolded, count, entries }: TextGroup): TreeItem {
  const item = new TreeItem(label, isFolded ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded);
  item.id = state;
  item.description = entries.length < count ? `${grouped(entries.length)} of ${grouped(count)}` : grouped(count);
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
  item.contextValue = `group-${state}`;
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

function entryItem(entry: TextEntry): TreeItem {
  const item = new TreeItem(entry.label, TreeItemCollapsibleState.None);
  item.id = `${entry.state}/${entry.key}`;
  item.description = entry.description;
  item.tooltip = new MarkdownString(entry.tooltip);
  item.iconPath = new ThemeIcon(entry.icon);
  item.contextValue = `text-${entry.state}`;
  item.command = { command: `${VIEW}.open`, title: "Open Declaration", arguments: [entry] };
  return item;
}
