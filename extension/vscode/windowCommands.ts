/** Commands and menu entries of the prompt window. */
import { commands, env, Uri, window } from "vscode";

import { dataOf } from "../core/envelope";
import { targetsAt, type Target } from "../core/cursor";
import { disposeAll, type Disposable } from "../core/disposable";
import { record, text } from "../core/json";
import type { ToolAnswers, ToolName } from "../generated/answers";
import type { PieceAction } from "../core/windowView";
import { folderOf } from "./folders";
import type { Host } from "../core/host";
import { managePacks, buildPack } from "./packCommands";
import { pickType } from "./typePick";
import type { PieceName, WindowActions, WindowChange } from "./windowActions";

type PutIn = Extract<WindowChange, "pin" | "add">;

/** Registers them. */
export function registerWindowCommands(host: Host, actions: WindowActions): Disposable {
  const onPiece =
    (action: PieceAction) =>
    (context?: unknown): unknown => {
      const piece = pieceOf(context);
      return piece && actions.act(action, piece);
    };
  const handlers: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
    pinFile: (one, all) => putFiles(host, actions, "pin", one, all),
    focusFile: (one, all) => putFiles(host, actions, "add", one, all),
    pinHere: () => putNearest(host, actions, "pin"),
    focusHere: () => putNearest(host, actions, "add"),
    pinSymbol: () => pinPicked(host, actions),
    addTypeToFocus: () => {
      pickType(host, actions);
    },
    clearFocus: () => actions.change("clear", []),
    buildPack: () => buildPack(host),
    managePacks: () => managePacks(host),
    "window.open": onPiece("open"),
    "window.pin": onPiece("pin"),
    "window.unpin": onPiece("unpin"),
    "window.add": onPiece("add"),
    "window.dismiss": onPiece("dismiss"),
    "window.copyPath": (context) => {
      const piece = pieceOf(context);
      return piece && env.clipboard.writeText(piece.symbol);
    },
  };
  const registered = Object.entries(handlers).map(([name, handler]) =>
    commands.registerCommand(`codecortex.${name}`, handler),
  );
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

/** The row of the page whose menu was opened, as its `data-vscode-context` says. */
function pieceOf(context: unknown): PieceName | undefined {
  const from = record(context);
  const [id, symbol, folder] = [text(from.codecortexId), text(from.codecortexSymbol), text(from.codecortexFolder)];
  return id === "" ? undefined : { id, symbol, ...(folder === "" ? {} : { folder }) };
}

/** The files of the explorer's selection, or the one of an editor's tab, or the open one. */
async function putFiles(host: Host, actions: WindowActions, action: PutIn, one: unknown, all: unknown): Promise<void> {
  const chosen = Array.isArray(all) && all.length > 0 ? all : [one ?? window.activeTextEditor?.document.uri];
  const files = chosen.filter((uri) => uri instanceof Uri).map((uri) => host.path(uri));
  if (files.length > 0) {
    await actions.change(action, files);
  }
}

/** What is nearest to the cursor: the name there, else the declaration around it, else the file. */
async function putNearest(host: Host, actions: WindowActions, action: PutIn): Promise<void> {
  const [nearest] = await targets(host);
  if (nearest) {
    await actions.change(action, [nearest.name], folderOf(host, nearest.filePath));
  }
}

async function pinPicked(host: Host, actions: WindowActions): Promise<void> {
  const found = await targets(host);
  const choices = found.map((target) => ({ ...target, label: `$(${target.icon}) ${target.label}` }));
  const options = { title: "Pin Symbol at Cursor", placeHolder: "What to keep in the prompt window" };
  const picked = choices.length > 0 ? await window.showQuickPick(choices, options) : undefined;
  if (picked) {
    await actions.change("pin", [picked.name], folderOf(host, picked.filePath));
  }
}

export async function targets(host: Host): Promise<Target[]> {
  const editor = window.activeTextEditor;
  if (!editor || editor.document.uri.scheme === "codecortex") {
    void window.showInformationMessage("Open a file and put the cursor on a symbol.");
    return [];
  }
  const { line, character } = editor.selection.active;
  // In front of a declaration is not in it, for who reads letters; a person means the line.
  const first = editor.document.lineAt(line).firstNonWhitespaceCharacterIndex;
  const filePath = host.path(editor.document.uri);
  const at = { filePath, position: { line: line + 1, character: Math.max(character, first) + 1 } };
  const look = async <Name extends ToolName>(tool: Name): Promise<ToolAnswers[Name] | undefined> => {
    const read = dataOf(await host.look(tool, at));
    return "data" in read ? read.data : undefined;
  };
  const [meaning, around] = await Promise.all([
    look("codecortex_resolveSymbolAtPosition"),
    look("codecortex_getOutline"),
  ]);
  return targetsAt(filePath, meaning, around);
}
