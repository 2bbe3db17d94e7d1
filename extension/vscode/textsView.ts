/** The view "Texts": types by where the text about them stands, the queue, and what a model cost (SPEC SE3). */
import { commands, MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, window } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import {
  grouped,
  MOST_LISTED,
  TEXT_STATES,
  textGroups,
  textList,
  textLists,
  type TextEntry,
  type TextGroup,
  type TextList,
  type TextState,
} from "../core/semantics";
import type { StatusData } from "../generated/answers";
import { FollowedTree } from "./followedTree";
import { declaration, reveal } from "./reveal";
import { showAnswer } from "./textViews";

const VIEW = "codecortex.texts";
const WRITERS = ["codecortex_submitSemantic", "codecortex_describe"] as const;
/** Whether there is anything to list. */
const STATE = "codecortex.textsAre";

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

  constructor(host: Host) {
    super(host, VIEW, "**/.context/{config,index,state}.json", WRITERS, true);
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
    const status = await this.look({});
    const lists = "problem" in status ? [] : (textLists(status.data) ?? (await this.byState()));
    return () => {
      this.groups = textGroups(lists);
      const { cost, held } = "data" in status ? spentOf(status.data) : { cost: "", held: undefined };
      this.tree.description = cost;
      this.tree.message = "problem" in status ? status.problem : held;
      const waiting = this.groups.some(({ state }) => state === "pending" || state === "failed");
      void commands.executeCommand("setContext", STATE, this.groups.length > 0 ? "some" : "none");
      void commands.executeCommand("setContext", "codecortex.textsWait", waiting);
    };
  }

  private async look(only: { reason?: TextState }) {
    return dataOf(await this.host.look("codecortex_status", { list: "texts", limit: MOST_LISTED, ...only }));
  }

  /** Where one page does not have all types, each state has its own. */
  private async byState(): Promise<TextList[]> {
    const known = await Promise.all(TEXT_STATES.map(async (reason) => [reason, await this.look({ reason })] as const));
    return known.flatMap(([state, of]) => ("problem" in of ? [] : [textList(state, of.data)]));
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
