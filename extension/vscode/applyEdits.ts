/**
 * Edits that tools ask for, made by the editor: all files or none, as one undo step, after a person agreed
 * where the settings want that (SPEC LC4, D28). What was unsaved stays so; what no editor held is saved.
 */
import { Position, Range, Uri, workspace, WorkspaceEdit, type TextDocument } from "vscode";

import { changedText, decodedText } from "../core/edits";
import { toUri } from "../core/paths";
import type { ApplyOutcome, FileEdit, TextChange } from "../generated/protocol";

/** What is to be done to a file. */
interface Planned {
  uri: Uri;
  /** None where the file is to be made. */
  document: TextDocument | undefined;
  changes: TextChange[];
  /** Whether it is saved afterwards. */
  isSaved: boolean;
}

/** Makes an edit. `windows` says how paths are written here. */
export async function applyEdits(files: FileEdit[], summary: string | null, windows: boolean): Promise<ApplyOutcome> {
  const planned: Planned[] = [];
  for (const file of files) {
    const uri = Uri.from(toUri(file.path, windows));
    const plan = await planOf(uri, file);
    if (!plan) {
      return { type: "conflict", path: file.path };
    }
    planned.push(plan);
  }
  const wantsAgreement = workspace.getConfiguration("codecortex").get("edits.confirm") !== false;
  if (!(await workspace.applyEdit(edit(planned, summary, wantsAgreement)))) {
    return wantsAgreement ? { type: "rejected" } : { type: "failed", reason: "the editor refused it." };
  }
  const saved = planned.filter((plan) => plan.isSaved);
  await Promise.all(saved.map(async ({ uri }) => (await workspace.openTextDocument(uri)).save()));
  return { type: "done" };
}

/** What is to be done, where the file is as it was when the edit was thought of. */
async function planOf(uri: Uri, file: FileEdit): Promise<Planned | undefined> {
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (typeof file.version === "number") {
    const isSame = open?.version === file.version;
    return isSame ? { uri, document: open, changes: file.changes, isSaved: false } : undefined;
  }
  if (!file.bytes) {
    return undefined;
  }
  if (typeof file.stamp !== "string") {
    const isThere = await exists(uri);
    return isThere ? undefined : { uri, document: undefined, changes: file.changes, isSaved: true };
  }
  const document = open ?? (await workspace.openTextDocument(uri));
  const offsetAt = ({ line, character }: TextChange["start"]): number =>
    document.offsetAt(new Position(line, character));
  // The text is the expected one if the changes make of it what is expected.
  const after = changedText(document.getText(), file.changes, offsetAt);
  const isSame = !document.isDirty && after === decodedText(file.bytes);
  return isSame ? { uri, document, changes: file.changes, isSaved: true } : undefined;
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

function edit(planned: Planned[], summary: string | null, needsConfirmation: boolean): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  const label = summary === null || summary === "" ? "CodeCortex" : `CodeCortex: ${summary}`;
  for (const { uri, document, changes } of planned) {
    const metadata = { label, needsConfirmation };
    if (!document) {
      edit.createFile(uri, { ignoreIfExists: false }, metadata);
    }
    for (const { start, end, text } of changes) {
      edit.replace(uri, new Range(start.line, start.character, end.line, end.character), text, metadata);
    }
  }
  return edit;
}
