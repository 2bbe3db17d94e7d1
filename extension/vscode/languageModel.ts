/** The model that the user chose among those of the editor, asked for the engine (SPEC SE2). */
import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  ProgressLocation,
  commands,
  lm,
  window,
  type ExtensionContext,
  type LanguageModelChat,
} from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import { askModel, type ChatModel } from "../core/languageModel";
import type { ModelOutcome, ModelRequest } from "../generated/protocol";

/** Where the choice is kept: a person's, for this workspace. */
const CHOICE = "codecortex.model";
const LIMITS = { timeoutMs: 120_000, mostCharacters: 256 * 1024 };
/** Texts that are made at a time; the editor's models are asked politely. */
const PLACES = 2;

/** What is open, by the engine's numbers. */
const open = new Map<number, AbortController>();
let chosen: LanguageModelChat | undefined;

/** Asks the chosen model. */
export async function askChosenModel(id: number, request: ModelRequest): Promise<ModelOutcome> {
  const controller = new AbortController();
  open.set(id, controller);
  try {
    return await askModel(chosen && chatModel(chosen), request, LIMITS, controller.signal);
  } finally {
    open.delete(id);
  }
}

/** Nobody waits for this any more. */
export function cancelModel(id: number): void {
  open.get(id)?.abort();
}

function chatModel(model: LanguageModelChat): ChatModel {
  return {
    async *send(request, isCancelled) {
      const source = new CancellationTokenSource();
      isCancelled.addEventListener("abort", () => {
        source.cancel();
      });
      try {
        const messages = request.messages.map(({ role, content }) =>
          role === "assistant" ? LanguageModelChatMessage.Assistant(content) : LanguageModelChatMessage.User(content),
        );
        const justification = `CodeCortex asks it about ${request.subject}.`;
        const response = await model.sendRequest(messages, { justification }, source.token);
        yield* response.text;
      } finally {
        source.dispose();
      }
    },
  };
}

/** Finds the model of the last time, and registers the commands around models. */
export function registerModel(host: Host, context: ExtensionContext): Disposable {
  const tell = (): void => {
    host.send({ type: "model", name: chosen?.name ?? null, places: PLACES });
  };
  host.onLaunch(tell);
  const find = async (): Promise<void> => {
    const id = context.workspaceState.get<string>(CHOICE);
    // Without a choice nothing is asked for: some editors ask for consent when models are listed.
    chosen = id === undefined ? undefined : (await lm.selectChatModels({ id }))[0];
    tell();
  };
  const choose = async (): Promise<void> => {
    const models = await lm.selectChatModels();
    const none = { label: "$(circle-slash) No model", description: "", model: undefined };
    const items = models.map((model) => ({ label: model.name, description: model.vendor, model }));
    const picked = await window.showQuickPick([...items, none], {
      placeHolder: models.length > 0 ? "The model that describes types" : "This editor offers no models",
    });
    if (picked) {
      chosen = picked.model;
      await context.workspaceState.update(CHOICE, chosen?.id);
      tell();
    }
  };
  const describe = async (): Promise<void> => {
    if (!chosen) {
      await choose();
    }
    if (chosen) {
      await describeHere(host);
    }
  };
  void find().catch(() => undefined);
  const registered = [
    commands.registerCommand("codecortex.chooseModel", choose),
    commands.registerCommand("codecortex.describe", describe),
    lm.onDidChangeChatModels(() => void find().catch(() => undefined)),
  ];
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

/** Describes the types of the open file, after saying what that costs. */
async function describeHere(host: Host): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (!document || document.uri.scheme === "codecortex") {
    void window.showInformationMessage("Open a file whose types are to be described.");
    return;
  }
  const filePath = host.path(document.uri);
  const count = async () => dataOf(await host.look("codecortex_describe", { filePath, dryRun: true }));
  const cost = await window.withProgress({ location: ProgressLocation.Window, title: "CodeCortex: counting" }, count);
  if ("problem" in cost) {
    void window.showWarningMessage(`CodeCortex: ${cost.problem}`);
    return;
  }
  const { total, promptTokens } = cost.data;
  if (total === 0) {
    void window.showInformationMessage("CodeCortex: every type here is described as it is.");
    return;
  }
  const sentence = `Ask ${chosen?.name ?? "the model"} about ${total} texts (${promptTokens ?? 0} tokens and the answers)?`;
  if ((await window.showInformationMessage(sentence, { modal: true }, "Describe")) === "Describe") {
    await host.look("codecortex_describe", { filePath });
  }
}
