/** A model by its address, chosen by a person; its key is kept by the editor alone, encrypted (SPEC SE2). */
import { window, type ExtensionContext } from "vscode";

import { addressIn, addressModel, addressProblem, mayHaveKey, type ModelAddress } from "../core/addressModel";
import type { ChatModel } from "../core/languageModel";

/** Where the last address is kept: a person's, for all workspaces, so that it is typed once. */
const LAST = "codecortex.modelAddress";
const TITLE = "Model by Address";

/** The name under which the editor keeps the key of an address. */
const secretOf = ({ url }: ModelAddress): string => `codecortex.modelKey ${url}`;

/** The model at an address, with the key that the editor keeps for it. */
export function modelAt({ secrets }: ExtensionContext, address: ModelAddress): ChatModel {
  return addressModel(address, async () => secrets.get(secretOf(address)));
}

/** Asks for an address and the model's name there, then for its key where it has none yet. */
export async function askForAddress(context: ExtensionContext): Promise<ModelAddress | undefined> {
  const last = addressIn(context.globalState.get(LAST));
  const url = await window.showInputBox({
    title: TITLE,
    prompt: "An OpenAI-compatible address; /chat/completions is put behind it.",
    placeHolder: "https://api.example.com/v1",
    value: last?.url ?? "",
    ignoreFocusOut: true,
    validateInput: (value) => addressProblem(value.trim()),
  });
  if (url === undefined || addressProblem(url.trim()) !== undefined) {
    return undefined;
  }
  const model = await window.showInputBox({
    title: TITLE,
    prompt: "The model's name there.",
    value: last?.model ?? "",
    ignoreFocusOut: true,
  });
  if (model === undefined || model.trim() === "") {
    return undefined;
  }
  const address = { url: url.trim(), model: model.trim() };
  await context.globalState.update(LAST, address);
  if (mayHaveKey(address.url) && (await context.secrets.get(secretOf(address))) === undefined) {
    await askForKey(context, address, "The key; nothing where it needs none.");
  }
  return address;
}

/** Asks for the key of the chosen address, or else of the last one. */
export async function setKey(context: ExtensionContext, chosen: ModelAddress | undefined): Promise<void> {
  const address = chosen ?? addressIn(context.globalState.get(LAST));
  if (!address) {
    void window.showInformationMessage("Choose a model by its address first.");
    return;
  }
  if (!mayHaveKey(address.url)) {
    void window.showWarningMessage("A key is sent over https or to this machine alone; this address is neither.");
    return;
  }
  await askForKey(context, address, `The key for ${address.url}.`);
}

/** Has the editor forget the key of the chosen address, or else of the last one. */
export async function removeKey(context: ExtensionContext, chosen: ModelAddress | undefined): Promise<void> {
  const address = chosen ?? addressIn(context.globalState.get(LAST));
  if (!address || (await context.secrets.get(secretOf(address))) === undefined) {
    void window.showInformationMessage("There is no key.");
    return;
  }
  await context.secrets.delete(secretOf(address));
  void window.showInformationMessage(`The key for ${address.url} was removed.`);
}

async function askForKey({ secrets }: ExtensionContext, address: ModelAddress, prompt: string): Promise<void> {
  const key = await window.showInputBox({
    title: TITLE,
    prompt: `${prompt} VS Code keeps it encrypted; it is in no setting and no file.`,
    password: true,
    ignoreFocusOut: true,
  });
  if (key !== undefined && key.trim() !== "") {
    await secrets.store(secretOf(address), key.trim());
  }
}
