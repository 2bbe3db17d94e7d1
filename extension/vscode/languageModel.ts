/** The model that the user chose among those of the editor, asked for the engine (SPEC SE2). */
import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  commands,
  lm,
  window,
  type ExtensionContext,
  type LanguageModelChat,
} from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import { askModel, type ChatModel } from "../core/languageModel";
import { describeWith, EVERYTHING, fileAt, openFile, typeOf, type Described } from "./describe";
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
  const describe = async (what: () => Described | undefined): Promise<void> => {
    const described = what();
    if (described && !chosen) {
      await choose();
    }
    if (described && chosen) {
      await describeWith(host, chosen.name, described);
    }
  };
  void find().catch(() => undefined);
  const registered = [
    commands.registerCommand("codecortex.chooseModel", choose),
    commands.registerCommand("codecortex.describe", () => describe(() => openFile(host))),
    commands.registerCommand("codecortex.describeFile", (uri?: unknown) => describe(() => fileAt(host, uri))),
    commands.registerCommand("codecortex.describeAll", () => describe(() => EVERYTHING)),
    ...["describe", "retry"].map((name) =>
      commands.registerCommand(`codecortex.texts.${name}`, (node?: unknown) => describe(() => typeOf(node))),
    ),
    lm.onDidChangeChatModels(() => void find().catch(() => undefined)),
  ];
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}
