/** Plans of `codecortex_refactor` as edits of the editor: it makes them, shows them where that is wanted, and undoes them. */
import { Uri, workspace, WorkspaceEdit, type CancellationToken } from "vscode";

import { dataOf, type AnswerOf } from "../../core/envelope";
import type { Host } from "../../core/host";
import type { TextChange } from "../../generated/protocol";
import { rangeOf } from "../spans";
import { addressOf, EDITOR } from "./engine";

/** What becomes of a file; the schema of answers leaves the changes out, which only editors get. */
interface PlannedFile {
  filePath: string;
  operation?: string;
  movedTo?: string;
  change?: { version?: number; edits: TextChange[] };
}

/** A plan, or why there is none. */
export type PlannedEdit = { summary: string; edit: WorkspaceEdit } | { reason: string };

/** Plans a refactoring. */
export async function plannedEdit(
  host: Host,
  args: Record<string, unknown>,
  token: CancellationToken,
): Promise<PlannedEdit> {
  const call = {
    tool: "codecortex_refactor" as const,
    args: { ...args, format: "json" },
    caller: EDITOR,
    format: "json" as const,
  };
  const answer: AnswerOf<"codecortex_refactor"> = await host.call(call, token);
  const read = dataOf(answer);
  if (!("data" in read)) {
    return { reason: read.problem };
  }
  const edit = new WorkspaceEdit();
  for (const file of read.data.files as unknown as PlannedFile[]) {
    const problem = addFile(host, edit, file);
    if (problem !== undefined) {
      return { reason: problem };
    }
  }
  return { summary: read.data.summary, edit };
}

/** Adds what becomes of a file; or says why it cannot. */
function addFile(host: Host, edit: WorkspaceEdit, file: PlannedFile): string | undefined {
  const uri = addressOf(host, file.filePath);
  const { change } = file;
  if (file.operation === "deleted") {
    edit.deleteFile(uri);
    return undefined;
  }
  if (!change) {
    return `The plan for ${file.filePath} has no changes.`;
  }
  if (file.operation === "created") {
    const text = change.edits.map(({ text }) => text).join("");
    edit.createFile(uri, { contents: new TextEncoder().encode(text) });
    return undefined;
  }
  // Positions are those of the text that the engine planned with.
  if (change.version !== undefined && versionOf(uri) !== change.version) {
    return `${file.filePath} was changed meanwhile. Nothing was changed.`;
  }
  change.edits.forEach((each) => {
    edit.replace(uri, rangeOf(each), each.text);
  });
  if (file.movedTo !== undefined) {
    edit.renameFile(uri, addressOf(host, file.movedTo));
  }
  return undefined;
}

function versionOf(uri: Uri): number | undefined {
  return workspace.textDocuments.find((open) => open.uri.toString() === uri.toString())?.version;
}
