/** What a person has described: a type, a file, a folder or all; what that costs is said before anything is sent (SPEC SE3). */
import { ProgressLocation, Uri, window, workspace } from "vscode";

import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import { list, record, text } from "../core/json";
import { grouped, quotaLeft } from "../core/semantics";

const DESCRIBE = "Describe";

/** Arguments of `codecortex_describe`. */
export type Described = { symbol: string } | { filePath: string } | { all: true };

/** Every type whose text is missing or stale. */
export const EVERYTHING: Described = { all: true };

/** The open file. */
export function openFile(host: Host): Described | undefined {
  const document = window.activeTextEditor?.document;
  if (!document || document.uri.scheme === "codecortex") {
    void window.showInformationMessage("Open a file whose types are to be described.");
    return undefined;
  }
  return { filePath: host.path(document.uri) };
}

/** The file or folder of a menu, else the open file. */
export function fileAt(host: Host, uri: unknown): Described | undefined {
  return uri instanceof Uri ? { filePath: host.path(uri) } : openFile(host);
}

/** The type of a row of the view. */
export function typeOf(node: unknown): Described | undefined {
  const id = text(record(node).id);
  return id === "" ? undefined : { symbol: id };
}

/** Has a model describe types, after saying what that costs and what the quotas leave. */
export async function describeWith(host: Host, model: string, what: Described): Promise<void> {
  const count = async () => dataOf(await host.look("codecortex_describe", { ...what, dryRun: true }));
  const cost = await window.withProgress({ location: ProgressLocation.Window, title: "CodeCortex: counting" }, count);
  if ("problem" in cost) {
    void window.showWarningMessage(`CodeCortex: ${cost.problem}`);
    return;
  }
  const { total, promptTokens = 0 } = cost.data;
  if (total === 0) {
    void window.showInformationMessage("CodeCortex: every type here is described as it is.");
    return;
  }
  const texts = total === 1 ? "one text" : `${grouped(total)} texts`;
  const sentence = `Ask ${model} about ${texts} (${grouped(promptTokens)} tokens and the answers)?`;
  const detail = (await quotas(host)).join("\n");
  if ((await window.showInformationMessage(sentence, { modal: true, detail }, DESCRIBE)) !== DESCRIBE) {
    return;
  }
  const begun = dataOf(await host.look("codecortex_describe", { ...what }));
  if ("problem" in begun) {
    void window.showWarningMessage(`CodeCortex: ${begun.problem}`);
  }
}

/** What the quotas of each folder leave; with several folders, whose they are. */
export async function quotas(host: Host): Promise<string[]> {
  const folders = workspace.workspaceFolders ?? [];
  const status = dataOf(await host.look("codecortex_status", {}));
  const contexts = "data" in status ? list(status.data.context).map(record) : [];
  const left = folders.map(async ({ name, uri }) => {
    const state = await read(Uri.joinPath(uri, ".context", "state.json"));
    const texts = record(contexts.find(({ rootName }) => rootName === name)?.texts);
    const sentences = quotaLeft(record(texts.modelSettings), state, Date.now());
    return folders.length > 1 ? sentences.map((sentence) => `${name}: ${sentence}`) : sentences;
  });
  return (await Promise.all(left)).flat();
}

async function read(uri: Uri): Promise<string> {
  return workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => "",
  );
}
