/**
 * Edits that tools ask for, made by the editor: all files or none, as one undo step, after a person agreed
 * where the settings want that (SPEC LC4, D28). What somebody has open stays unsaved, as after typing; what no tab shows is
 * saved: the editor may hold such a text too, for a while after its tab was closed or for another extension.
 */
import {
  Position,
  Range,
  TabInputText,
  TabInputTextDiff,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
  type TextDocument,
} from "vscode";

import { changedText, decodedText, editTitle, sameText } from "../core/edits";
import { isHidden, nameProblem } from "../core/fileNames";
import { baseName, toUri } from "../core/paths";
import type { ApplyOutcome, FileEdit, TextChange } from "../generated/protocol";
import type { AppliedEdits, AppliedText } from "./appliedEdits";
import { reviewEdit } from "./editReview";
import { reach } from "./walkthrough";

/** What is to be done to a file. */
interface Planned {
  /** As the engine writes it. */
  path: string;
  uri: Uri;
  changes: TextChange[];
  /** None where the file is to be made. */
  document: TextDocument | undefined;
  /** What a file that is to be made holds. */
  made?: Uint8Array;
  /** Whether the file is to be deleted. */
  deleted?: boolean;
  /** Where the file is to be afterwards. */
  movedTo?: { path: string; uri: Uri };
  before: string;
  after: string;
  /** Whether it is saved afterwards. */
  isSaved: boolean;
}

/** What is known of an edit beside its files. */
export interface EditRecord {
  /** What it is for. */
  summary: string | null;
  /** The applied edit that it takes back. */
  undoes?: string | null;
  /** Keeps what is applied, for `undo`. */
  applied?: AppliedEdits;
}

/** Makes an edit. `windows` says how paths are written here. */
export async function applyEdits(files: FileEdit[], edit: EditRecord, windows: boolean): Promise<ApplyOutcome> {
  const { summary } = edit;
  if (!workspace.isTrusted) {
    return failed("the workspace is not trusted; the user can trust it (Workspaces: Manage Workspace Trust).");
  }
  const refused = files.find((file) => isRefused(file, windows));
  if (refused) {
    return failed(`git, CodeCortex or another system keeps the name ${refused.path} for itself.`);
  }
  const proposed = await planAll(files, windows);
  if (!Array.isArray(proposed)) {
    return proposed;
  }
  const title = editTitle(
    summary,
    proposed.map(({ uri }) => baseName(uri.path)),
  );
  // What other programs run because of its name is never written unseen.
  const wantsAgreement =
    workspace.getConfiguration("codecortex").get("edits.confirm") !== false ||
    files.some((file) => isHidden(pathInside(file, windows)));
  if (wantsAgreement) {
    const shown = proposed.map(({ uri, document, after }) => ({ uri, isNew: document === undefined, after }));
    if (!(await reviewEdit({ title, files: shown }))) {
      return { type: "rejected" };
    }
  }
  // A person takes their time: what they agreed to must still fit.
  const planned = wantsAgreement ? await planAll(files, windows) : proposed;
  if (!Array.isArray(planned)) {
    return planned;
  }
  const outcome = await carryOut(planned, title);
  if (outcome.type === "done") {
    await note(planned, edit);
  }
  return outcome;
}

/** Keeps what takes an edit back; the edit stands where that fails. */
async function note(planned: Planned[], { summary, undoes, applied }: EditRecord): Promise<void> {
  try {
    if (typeof undoes === "string") {
      await applied?.forget(undoes);
      return;
    }
    await applied?.keep(summary, planned.map(appliedText));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showWarningMessage(`CodeCortex: the edit was made, but cannot be undone by CodeCortex: ${reason}`);
  }
}

/** What a file held and holds. Saving may have changed what was planned, such as the end of the last line. */
function appliedText({ path, document, made, deleted, movedTo, before, after }: Planned): AppliedText {
  const isNow = (uri: Uri) => workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  const now = movedTo ? isNow(movedTo.uri) : document;
  return {
    path: movedTo?.path ?? path,
    ...(movedTo ? { movedFrom: path } : {}),
    before: made ? null : before,
    after: deleted ? null : (now?.getText() ?? after),
  };
}

/** A file's path below its workspace folder, or the whole one where it is in none. */
function pathInside({ path }: FileEdit, windows: boolean): string {
  const uri = Uri.from(toUri(path, windows));
  const folder = workspace.getWorkspaceFolder(uri)?.uri.path.replace(/\/$/, "");
  return folder !== undefined && uri.path.startsWith(`${folder}/`) ? uri.path.slice(folder.length + 1) : uri.path;
}

/** Whether a file of the workspace has a name that leads elsewhere than it says, here or on other systems. */
function isRefused(file: FileEdit, windows: boolean): boolean {
  const path = pathInside(file, windows);
  if (path.startsWith("/")) {
    return false; // a document that a person opened from elsewhere
  }
  const problem = nameProblem(path);
  const isNew = typeof file.version !== "number" && typeof file.stamp !== "string";
  return problem === "owned" || (problem === "unportable" && isNew);
}

async function planAll(files: FileEdit[], windows: boolean): Promise<Planned[] | ApplyOutcome> {
  const planned: Planned[] = [];
  for (const file of files) {
    const plan = await movedPlan(file, await planOf(Uri.from(toUri(file.path, windows)), file), windows);
    if (!plan) {
      return { type: "conflict", path: file.path };
    }
    planned.push(plan);
  }
  return planned;
}

/** The same for a file that is moved, where nothing is at its new place but, on a disk that folds case, itself. */
async function movedPlan(file: FileEdit, plan: Planned | undefined, windows: boolean): Promise<Planned | undefined> {
  if (!plan || typeof file.movedTo !== "string") {
    return plan;
  }
  const uri = Uri.from(toUri(file.movedTo, windows));
  const isItself = file.movedTo.toLowerCase() === file.path.toLowerCase();
  return !isItself && (await exists(uri)) ? undefined : { ...plan, movedTo: { path: file.movedTo, uri } };
}

/** What is to be done, where the file is as it was when the edit was thought of. */
async function planOf(uri: Uri, file: FileEdit): Promise<Planned | undefined> {
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (file.deleted === true) {
    const plan = changed(file, open ?? (await workspace.openTextDocument(uri)), false);
    const isKnown = typeof file.version === "number" ? open?.version === file.version : !plan.document.isDirty;
    return isKnown && plan.after === "" ? { ...plan, deleted: true } : undefined;
  }
  if (typeof file.version === "number") {
    return open?.version === file.version ? changed(file, open, !open.isDirty && !hasTab(uri)) : undefined;
  }
  if (!file.bytes) {
    return undefined;
  }
  const expected = decodedText(file.bytes);
  if (typeof file.stamp !== "string") {
    const { path, bytes } = file;
    const plan = { path, uri, document: undefined, changes: [], made: bytes, before: "", after: expected };
    return (await exists(uri)) ? undefined : { ...plan, isSaved: false };
  }
  const plan = changed(file, open ?? (await workspace.openTextDocument(uri)), true);
  // The text is the expected one if the changes make of it what is expected.
  return !plan.document.isDirty && sameText(plan.after, expected) ? plan : undefined;
}

function changed({ path, changes }: FileEdit, document: TextDocument, isSaved: boolean) {
  const offsetAt = ({ line, character }: TextChange["start"]): number =>
    document.offsetAt(new Position(line, character));
  const before = document.getText();
  const after = changedText(before, changes, offsetAt);
  return { path, uri: document.uri, document, changes, before, after, isSaved };
}

/** Whether a person sees that the file is unsaved. */
function hasTab(uri: Uri): boolean {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.flatMap(({ input }) => {
    if (input instanceof TabInputTextDiff) {
      return [input.modified];
    }
    return input instanceof TabInputText ? [input.uri] : [];
  });
  return shown.some((one) => one.toString() === uri.toString());
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Changes and saves all files; where one of them cannot be, none is changed. */
async function carryOut(planned: Planned[], title: string): Promise<ApplyOutcome> {
  if (!(await workspace.applyEdit(edit(planned, title)))) {
    const moved = planned.find(({ document, before }) => document && document.getText() !== before);
    await takeBack(planned);
    return moved ? { type: "conflict", path: moved.path } : failed("the editor refused it.");
  }
  for (const { uri, movedTo, isSaved } of planned) {
    const isDone = !isSaved || (await (await workspace.openTextDocument(movedTo?.uri ?? uri)).save());
    if (!isDone) {
      await takeBack(planned);
      return failed(`${baseName(uri.path)} could not be saved.`);
    }
  }
  reach("edited");
  return { type: "done" };
}

function failed(reason: string): ApplyOutcome {
  return { type: "failed", reason };
}

function edit(planned: Planned[], title: string): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  const metadata = { label: `CodeCortex: ${title}`, needsConfirmation: false };
  // New files come whole and before all else: VS Code makes one undo step of changes of texts that stand together.
  for (const { uri, made } of planned) {
    if (made) {
      edit.createFile(uri, { ignoreIfExists: false, contents: made }, metadata);
    }
  }
  for (const { uri, movedTo } of planned) {
    if (movedTo) {
      edit.renameFile(uri, movedTo.uri, { overwrite: false }, metadata);
    }
  }
  for (const { uri, movedTo, deleted, changes } of planned) {
    for (const { start, end, text } of deleted ? [] : changes) {
      const range = new Range(start.line, start.character, end.line, end.character);
      edit.replace(movedTo?.uri ?? uri, range, text, metadata);
    }
  }
  for (const { uri, deleted } of planned) {
    if (deleted) {
      edit.deleteFile(uri, {}, metadata);
    }
  }
  return edit;
}

/** Gives back to what was changed the text that it had, and deletes what was made. */
async function takeBack(planned: Planned[]): Promise<void> {
  const back = new WorkspaceEdit();
  const written: TextDocument[] = [];
  for (const { uri, document, before, after, isSaved, deleted, movedTo } of planned) {
    if (deleted) {
      if (!(await exists(uri))) {
        back.createFile(uri, { ignoreIfExists: true, contents: new TextEncoder().encode(before) });
      }
    } else if (movedTo) {
      if ((await exists(movedTo.uri)) && !(await exists(uri))) {
        const moved = await workspace.openTextDocument(movedTo.uri);
        back.replace(movedTo.uri, new Range(new Position(0, 0), moved.positionAt(moved.getText().length)), before);
        back.renameFile(movedTo.uri, uri, { overwrite: false });
      }
    } else if (!document) {
      if ((await exists(uri)) && ["", after].includes((await workspace.openTextDocument(uri)).getText())) {
        back.deleteFile(uri, { ignoreIfNotExists: true });
      }
    } else if (before !== after && sameText(document.getText(), after)) {
      back.replace(uri, new Range(new Position(0, 0), document.positionAt(document.getText().length)), before);
      if (isSaved) {
        written.push(document);
      }
    }
  }
  if (back.size > 0 && (await workspace.applyEdit(back))) {
    await Promise.all(written.map((document) => document.save()));
  }
}
