/** What a person does to the prompt window: one way for the page, the menus and the palette. */
import { commands, EventEmitter, Uri, window, workspace } from "vscode";

import { dataOf } from "../core/envelope";
import { simpleName } from "../core/symbolNames";
import type { Disposable } from "../core/disposable";
import { grouped } from "../core/status";
import type { PieceAction } from "../core/windowView";
import type { PinData } from "../generated/answers";
import type { Host } from "../core/host";
import { declaration, declarationIn, reveal, type Place } from "./reveal";

/** How long the status bar says what was done, in ms. */
const SAID_MS = 5_000;

/** A sentence of more names is not read. */
const MOST_NAMED = 3;

/** What a piece is found by. */
export interface PieceName {
  id: string;
  symbol: string;
  /** The workspace folder that it is in, where there are several. */
  folder?: string;
}

/** Changes of the window, as the tool `codecortex_pin` names them. */
export type WindowChange = Exclude<PieceAction, "open"> | "clear";

const DONE: Readonly<Record<WindowChange, string>> = {
  pin: "Pinned",
  unpin: "Unpinned",
  add: "Added to focus:",
  dismiss: "Dismissed",
  clear: "Taken out of focus:",
};

const AS_IT_WAS: Readonly<Record<WindowChange, string>> = {
  pin: "is pinned already",
  unpin: "is not pinned",
  add: "is in focus already",
  dismiss: "is dismissed already",
  clear: "is not in focus",
};

/** The folder that pins are kept in, where somebody wants one. */
const CONTEXT_FOLDER = ".context";
const KEEP = "Keep a .context Folder";

/** The actions. */
export class WindowActions implements Disposable {
  private readonly said = new EventEmitter<string>();
  /** Something was done, as a sentence. */
  readonly onDidSay = this.said.event;
  private isTold = false;

  constructor(private readonly host: Host) {}

  /** Does something to a piece that the window lists. */
  async act(action: PieceAction, piece: PieceName): Promise<void> {
    const { id, symbol, folder } = piece;
    const isFile = id.startsWith("file:");
    if (action === "open") {
      await reveal(this.host, await this.placeOf(piece), symbol);
    } else {
      // What is taken out may be gone, and is known by its id; a file is put in by its path.
      const isPutIn = action === "pin" || action === "add";
      await this.change(action, [isFile && isPutIn ? symbol : id], folder);
    }
  }

  /** Where it is declared: in its own folder, where several declare the same. */
  private async placeOf({ id, symbol, folder }: PieceName): Promise<Place | undefined> {
    if (id.startsWith("file:")) {
      return declaration(this.host, { filePath: folder === undefined ? symbol : `${folder}/${symbol}` });
    }
    const own = folder === undefined ? undefined : await declarationIn(this.host, symbol, folder);
    return own ?? declaration(this.host, { symbol: id });
  }

  /** Changes the window, and says what became of it. Resolves to whether it was done. */
  async change(action: WindowChange, symbols: readonly string[], folder?: string): Promise<boolean> {
    const args = {
      action,
      ...(symbols.length > 0 ? { symbols } : {}),
      ...(folder === undefined ? {} : { folder }),
    };
    const read = dataOf(await this.host.look("codecortex_pin", args));
    if ("problem" in read) {
      void window.showWarningMessage(`CodeCortex: ${read.problem}`);
      return false;
    }
    this.host.promptWindow.invalidate();
    const sentence = whatWasDone(action, read.data);
    this.said.fire(sentence);
    window.setStatusBarMessage(sentence, SAID_MS);
    if (action === "pin") {
      void this.tellWherePinsAre();
    }
    return true;
  }

  /** Pins last as long as the engine does, unless they are written down: said once, with the way to that. */
  private async tellWherePinsAre(): Promise<void> {
    if (this.isTold || !this.host.settings.config.keepContext) {
      return;
    }
    this.isTold = true;
    const folders = workspace.workspaceFolders ?? [];
    const found = await Promise.all(folders.map(({ uri }) => isThere(Uri.joinPath(uri, CONTEXT_FOLDER))));
    if (!found.includes(true)) {
      const choice = await window.showInformationMessage(
        "Pins last until this window is closed. A folder .context in the workspace keeps them.",
        KEEP,
      );
      if (choice === KEEP) {
        await commands.executeCommand("codecortex.keepContext");
      }
    }
  }

  dispose(): void {
    this.said.dispose();
  }
}

async function isThere(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** `Pinned OrderService (139 tokens). The prompt window has 444 of 4,000 tokens.` */
function whatWasDone(action: WindowChange, data: PinData): string {
  const names = data.changed.map(({ symbol }) => shortName(symbol));
  const tokens = data.changed.reduce((sum, piece) => sum + piece.tokens, 0);
  const price = action === "pin" || action === "add" ? ` (${grouped(tokens)} tokens)` : "";
  const unchanged = (data.unchanged ?? []).map((symbol) => `${shortName(symbol)} ${AS_IT_WAS[action]}.`);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const done = names.length > 0 ? [`${DONE[action]} ${names.slice(0, MOST_NAMED).join(", ")}${more}${price}.`] : [];
  const nothing = done.length + unchanged.length === 0 ? ["Nothing is in focus."] : [];
  const window = `The prompt window has ${grouped(data.usedTokens)} of ${grouped(data.budgetTokens)} tokens.`;
  return [...done, ...unchanged, ...nothing, window].join(" ");
}

function shortName(symbol: string): string {
  return symbol.includes("/") ? (symbol.split("/").at(-1) ?? symbol) : simpleName(symbol);
}
