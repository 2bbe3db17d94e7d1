/** Commands for packs: texts of types that a filter chooses (SPEC PK1). */
import { commands, window, workspace, type InputBox } from "vscode";

import { dataOf } from "../core/envelope";
import { absolutePath } from "../core/roots";
import { isPackName, packs, packSummary } from "../core/packs";
import type { PackData } from "../generated/answers";
import { currentRoots } from "./folders";
import type { Host } from "../core/host";

const OPEN = "Open";
const ACTIVATE = "Activate";

/** Asks for a name and a filter, and builds the pack. */
export async function buildPack(host: Host): Promise<void> {
  const root = await pickRoot(host);
  if (root === undefined) {
    return;
  }
  const name = await window.showInputBox({
    title: "Build Pack (1/2)",
    prompt: "Name of the pack: letters, digits, - and _.",
    placeHolder: "core",
    validateInput: (value) =>
      value === "" || isPackName(value) ? undefined : "Letters, digits, - and _, at most 64 of them.",
  });
  if (name === undefined || !isPackName(name)) {
    return;
  }
  const known = packs(await packData(host, { action: "list", root })).find((pack) => pack.name === name);
  const built = await askFilter(host, { action: "build", name, root }, known?.filter ?? "");
  if (built) {
    await tellOfPack(host, root, name, built);
  }
}

/** The filter is asked for until it can be read, or somebody gives up. Resolves to what was built. */
function askFilter(host: Host, args: Record<string, unknown>, filter: string): Promise<PackData | undefined> {
  const box = window.createInputBox();
  box.title = "Build Pack (2/2)";
  box.prompt = "Which types: namespace:, type:, access:, tag:, depends: with * and ?, AND, OR, !, brackets.";
  box.placeholder = "namespace:App.Core AND access:public";
  box.value = filter;
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(() => void tryFilter(host, args, box, resolve));
    box.onDidHide(() => {
      box.dispose();
      resolve(undefined);
    });
    box.show();
  });
}

async function tryFilter(
  host: Host,
  args: Record<string, unknown>,
  box: InputBox,
  resolve: (built: PackData) => void,
): Promise<void> {
  box.busy = true;
  const read = dataOf(await host.look("codecortex_pack", { ...args, filter: box.value }));
  box.busy = false;
  if ("problem" in read) {
    box.validationMessage = read.problem;
  } else {
    resolve(read.data);
    box.hide();
  }
}

async function tellOfPack(host: Host, root: string, name: string, built: PackData): Promise<void> {
  host.promptWindow.invalidate();
  const [pack] = packs(built);
  if (!pack) {
    return;
  }
  const offers = pack.active ? [OPEN] : [ACTIVATE, OPEN];
  const choice = await window.showInformationMessage(packSummary(pack), ...offers);
  if (choice === ACTIVATE) {
    await packData(host, { action: "activate", name, root });
    host.promptWindow.invalidate();
  } else if (choice === OPEN) {
    await openPack(host, root, name, pack.filePath);
  }
}

/** The file where there is one; without `.context/` the text as it would be. */
async function openPack(host: Host, root: string, name: string, filePath: string): Promise<void> {
  const path = absolutePath(filePath, currentRoots(host.platform.windows));
  try {
    await window.showTextDocument(await workspace.openTextDocument(host.uri(path ?? "")));
  } catch {
    const shown = await packData(host, { action: "show", name, root });
    const content = shown?.text ?? "";
    await window.showTextDocument(await workspace.openTextDocument({ language: "markdown", content }));
  }
}

/** Lets somebody tick the packs whose types weigh more. */
export async function managePacks(host: Host): Promise<void> {
  const all = packs(await packData(host, { action: "list" }));
  if (all.length === 0) {
    const choice = await window.showInformationMessage("There are no packs yet.", "Build Pack…");
    if (choice !== undefined) {
      await commands.executeCommand("codecortex.buildPack");
    }
    return;
  }
  const items = all.map((pack) => ({
    label: pack.name,
    description: `${pack.types} types, ${pack.tokens} tokens`,
    detail: pack.filter,
    picked: pack.active,
    pack,
  }));
  const picked = await window.showQuickPick(items, {
    title: "Activate Packs",
    placeHolder: "Types of active packs weigh more in the prompt window",
    canPickMany: true,
  });
  if (!picked) {
    return;
  }
  for (const { pack } of items) {
    const isWanted = picked.some((one) => one.pack === pack);
    if (isWanted !== pack.active) {
      await packData(host, { action: isWanted ? "activate" : "deactivate", name: pack.name, root: pack.root });
    }
  }
  host.promptWindow.invalidate();
}

/** An answer's data; nothing where it went wrong, which is shown. */
async function packData(host: Host, args: Record<string, unknown>): Promise<PackData | undefined> {
  const read = dataOf(await host.look("codecortex_pack", args));
  if ("problem" in read) {
    void window.showWarningMessage(`CodeCortex: ${read.problem}`);
    return undefined;
  }
  return read.data;
}

/** The engine's name of the only folder, or of the one that somebody picks. */
async function pickRoot(host: Host): Promise<string | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await window.showWorkspaceFolderPick() : folders[0];
  const path = folder && host.path(folder.uri);
  return currentRoots(host.platform.windows).find((root) => root.path === path)?.name;
}
