/** Commands for observations: record the selection, find, forget, export (SPEC OB1, X7). */
import { commands, Uri, window, workspace, type QuickPickItem } from "vscode";

import { dataOf } from "../core/envelope";
import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import { relativeIn, shownObservation, type Observation } from "../core/observations";
import type { ToolAnswers } from "../generated/answers";
import { showAnswer, type Source } from "./textViews";
import { targets } from "./windowCommands";

/** Characters of a selection that are recorded: a page, not a file. */
const MOST_SELECTED = 8000;
/** Observations that a list shows. */
const SHOWN = 100;
const FORGET = "Forget";
const PURGE = "Delete from Files";

/** Registers them. */
export function registerObservationCommands(host: Host): Disposable {
  const handlers: Readonly<Record<string, () => unknown>> = {
    rememberSelection: () => rememberSelection(host),
    recallObservations: () => recallObservations(host),
    forgetObservations: () => forgetObservations(host),
    exportObservations: () => exportObservations(),
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

/** Asks for a sentence and records it with the selection, its file and the declaration around it. */
async function rememberSelection(host: Host): Promise<void> {
  const editor = window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection).slice(0, MOST_SELECTED) ?? "";
  const note = await window.showInputBox({
    title: "Remember",
    prompt: "A note for later sessions. Secrets are removed.",
    value: selected.includes("\n") ? "" : selected.trim(),
  });
  if (note === undefined || note.trim() === "") {
    return;
  }
  const [nearest] = editor ? await targets(host) : [];
  const folder = editor && workspace.getWorkspaceFolder(editor.document.uri);
  const file = editor && folder ? relativeIn(host.path(folder.uri), host.path(editor.document.uri)) : undefined;
  const data = await ask(host, "codecortex_remember", {
    text: selected.trim() === "" || selected.trim() === note.trim() ? note : `${note}\n\n${selected}`,
    symbols: nearest && !nearest.name.startsWith("file:") ? [nearest.name] : [],
    more: { actor: "orchestrator", type: "note", ...(file === undefined ? {} : { files: [file] }) },
  });
  if (data) {
    void window.showInformationMessage(`Recorded as #${data.id}: ${data.summary}`);
  }
}

/** Lists what was observed, by words; one that is picked is shown whole. */
async function recallObservations(host: Host): Promise<void> {
  const query = await window.showInputBox({
    title: "Recall",
    prompt: "Words that it has; nothing for the newest.",
  });
  if (query === undefined) {
    return;
  }
  const items = await listed(host, query.trim());
  const picked = items && (await window.showQuickPick(items, { title: "Recall", matchOnDetail: true }));
  if (picked) {
    await showAnswer(`Observation ${picked.id}`, observationPage(picked.id));
  }
}

/** What shows all of an observation, read-only. */
export function observationPage(id: number): Source {
  return { tool: "codecortex_recall", args: { ids: [id], filter: {} }, page: "observation" };
}

/** Has those forgotten that somebody ticks. */
async function forgetObservations(host: Host): Promise<void> {
  const items = await listed(host, "");
  const options = { title: "Forget", placeHolder: "Observations to hide from all answers", canPickMany: true };
  const picked = items && (await window.showQuickPick(items, { ...options, canPickMany: true }));
  if (!picked || picked.length === 0) {
    return;
  }
  await forget(
    host,
    picked.map(({ id }) => id),
  );
}

/** Has observations forgotten, after asking; says whether they were. */
export async function forget(host: Host, ids: readonly number[]): Promise<boolean> {
  const count = ids.length === 1 ? `Observation #${ids[0]}` : `${ids.length} observations`;
  const choice = await window.showWarningMessage(
    `${count} will be hidden from all answers. Deletion from the files cannot be undone.`,
    { modal: true },
    FORGET,
    PURGE,
  );
  if (choice === undefined) {
    return false;
  }
  return (await ask(host, "codecortex_forget", { ids, purge: choice === PURGE })) !== undefined;
}

/** Saves a copy of the log of the only folder, or of the one that somebody picks. */
async function exportObservations(): Promise<void> {
  const folders = workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await window.showWorkspaceFolderPick() : folders[0];
  if (!folder) {
    return;
  }
  const log = Uri.joinPath(folder.uri, ".context", "memory", "observations.jsonl");
  const bytes = await workspace.fs.readFile(log).then(
    (read) => read,
    () => undefined,
  );
  if (!bytes) {
    void window.showInformationMessage("No observations are recorded here as lines of JSON.");
    return;
  }
  const target = await window.showSaveDialog({
    title: "Export Observations",
    defaultUri: Uri.joinPath(folder.uri, "observations.jsonl"),
    filters: { "JSON Lines": ["jsonl"] },
  });
  if (target) {
    await workspace.fs.writeFile(target, bytes);
  }
}

interface ObservationPick extends QuickPickItem {
  id: number;
}

async function listed(host: Host, query: string): Promise<ObservationPick[] | undefined> {
  const args = { filter: { limit: SHOWN }, ...(query === "" ? {} : { query }) };
  const data = await ask(host, "codecortex_recall", args);
  if (data?.items.length === 0) {
    void window.showInformationMessage("There is no such observation.");
    return undefined;
  }
  return data?.items.map((item: Observation) => ({ id: item.id, ...shownObservation(item) }));
}

/** An answer's data; nothing where it went wrong, which is shown. */
export async function ask<T extends "codecortex_remember" | "codecortex_recall" | "codecortex_forget">(
  host: Host,
  tool: T,
  args: Record<string, unknown>,
): Promise<ToolAnswers[T] | undefined> {
  const read = dataOf(await host.look(tool, args));
  if ("problem" in read) {
    const sentences = [read.problem, read.hint].filter((sentence) => sentence !== undefined);
    void window.showWarningMessage(`CodeCortex: ${sentences.join(" ")}`);
    return undefined;
  }
  return read.data;
}
