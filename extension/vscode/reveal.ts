/** Goes to where something is declared now. */
import { Range, window, workspace } from "vscode";

import { dataOf } from "../core/envelope";
import { absolutePath } from "../core/roots";
import { currentRoots } from "./folders";
import type { Host } from "../core/host";

/** A place as answers name it. */
export interface Place {
  /** `rootName/relative/path`. */
  filePath: string;
  /** From 1. */
  line: number;
}

/** Where a symbol, by its path or id, or a file is now; undefined where it is not there. */
export async function declaration(
  host: Host,
  what: { symbol: string } | { filePath: string },
): Promise<Place | undefined> {
  const answer = await host.look("codecortex_getOutline", { ...what, form: "compact", maxTokens: 2_000 });
  const read = dataOf(answer);
  return "problem" in read ? undefined : { filePath: read.data.filePath, line: read.data.startLine };
}

/** Where a folder of the workspace declares a symbol that others declare too. */
export async function declarationIn(host: Host, symbol: string, folder: string): Promise<Place | undefined> {
  const read = dataOf(await host.look("codecortex_resolveSymbol", { symbol, maxTokens: 2_000 }));
  const candidates = "problem" in read ? [] : read.data.candidates;
  const places = candidates.flatMap(({ declarations }) => declarations);
  const own = places.find(({ filePath }) => filePath.startsWith(`${folder}/`));
  return own && { filePath: own.filePath, line: own.startLine };
}

/** Opens the place; says so where `symbol` is nowhere any more. */
export async function reveal(host: Host, place: Place | undefined, symbol: string): Promise<void> {
  const path = place && absolutePath(place.filePath, currentRoots(host.platform.windows));
  if (!place || path === undefined) {
    void window.showInformationMessage(`CodeCortex does not know any more where ${symbol} is declared.`);
    return;
  }
  const at = new Range(place.line - 1, 0, place.line - 1, 0);
  await window.showTextDocument(await workspace.openTextDocument(host.uri(path)), { selection: at, preview: true });
}
