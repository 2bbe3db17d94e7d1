/** The command that reads a symbol, a file or a folder again, whatever the cache says (SPEC D30). */
import { window } from "vscode";

import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";

/** What somebody wrote, as arguments of `codecortex_invalidate`: a path has a slash. */
export function readAgainArguments(wanted: string): { symbol: string } | { filePath: string } {
  const isPath = /[\\/]/.test(wanted) && !wanted.includes("::") && !wanted.includes("(");
  return isPath ? { filePath: wanted } : { symbol: wanted };
}

/** Asks what is to be read again, has it read, and says how much that was. */
export async function readAgain(host: Host): Promise<void> {
  const document = window.activeTextEditor?.document;
  const here = document?.uri.scheme === "file" ? host.path(document.uri) : "";
  const wanted = await window.showInputBox({
    title: "Read Again",
    prompt: "A symbol, or the path of a file or folder with a slash in it.",
    placeHolder: "Core.NodeStore or app/src/store.ts",
    value: here,
  });
  if (wanted === undefined || wanted.trim() === "") {
    return;
  }
  const read = dataOf(await host.look("codecortex_invalidate", readAgainArguments(wanted.trim())));
  if ("problem" in read) {
    void window.showWarningMessage(`CodeCortex: ${read.problem}`);
    return;
  }
  const { total, types } = read.data;
  const stale = types > 0 ? `; texts of ${String(types)} types count as stale` : "";
  void window.showInformationMessage(`CodeCortex reads again: ${String(total)} files${stale}.`);
}
