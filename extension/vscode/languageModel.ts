/** The model that the user chose among those of the editor, asked for the engine (SPEC SE2). */
import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  commands,
  lm,
  window,
  type ExtensionContext,
  type LanguageModelChat,
} from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import { addressIn, type ModelAddress } from "../core/addressModel";
import { record } from "../core/json";
import { askModel, type ChatModel } from "../core/languageModel";
import { describeWith, EVERYTHING, fileAt, openFile, typeOf, type Described } from "./describe";
import { investigate } from "./investigate";
import type { ModelMessage, ModelOutcome, ModelRequest } from "../generated/protocol";
import { askForAddress, modelAt, removeKey, setKey } from "./modelAddress";

/** Where the choice is kept: a person's, for this workspace. */
const CHOICE = "codecortex.model";
const BY_ADDRESS = "address";
const LIMITS = { timeoutMs: 120_000, mostCharacters: 256 * 1024 };
/** Texts that are made at a time; the editor's models are asked politely. */
const SLOTS = 2;

/** What is open, by the engine's numbers. */
const open = new Map<number, AbortController>();
let chosen: Chosen | undefined;

/** A model and what people call it. */
interface Chosen {
  name: string;
  model: ChatModel;
  /** Where it is, if it is none of the editor's. */
  address?: ModelAddress;
}

/** Asks the chosen model. */
export async function askChosenModel(id: number, request: ModelRequest): Promise<ModelOutcome> {
  const controller = new AbortController();
  open.set(id, controller);
  try {
    return await askModel(chosen?.model, request, LIMITS, controller.signal);
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
        const tools = (request.tools ?? []).map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema: record(inputSchema),
        }));
        const justification = `CodeCortex asks it about ${request.subject}.`;
        const messages = request.messages.map(messageOf);
        const response = await model.sendRequest(messages, { justification, tools }, source.token);
        for await (const part of response.stream) {
          if (part instanceof LanguageModelTextPart) {
            yield part.value;
          } else if (part instanceof LanguageModelToolCallPart) {
            yield { call: { id: part.callId, name: part.name, arguments: JSON.stringify(part.input) } };
          }
        }
      } finally {
        source.dispose();
      }
    },
  };
}

/** The editor has no role for instructions and none for tools: both speak as the user. */
function messageOf({ role, content, calls = [], callId }: ModelMessage): LanguageModelChatMessage {
  if (role === "tool") {
    return LanguageModelChatMessage.User([
      new LanguageModelToolResultPart(callId ?? "", [new LanguageModelTextPart(content)]),
    ]);
  }
  if (role !== "assistant") {
    return LanguageModelChatMessage.User(content);
  }
  const said = content === "" ? [] : [new LanguageModelTextPart(content)];
  const called = calls.map(({ id, name, arguments: given }) => new LanguageModelToolCallPart(id, name, inputOf(given)));
  return LanguageModelChatMessage.Assistant([...said, ...called]);
}

/** What a model wrote as arguments, as far as they are an object. */
function inputOf(given: string): object {
  try {
    return record(JSON.parse(given));
  } catch {
    return {};
  }
}

/** Finds the model of the last time, and registers the commands around models. */
export function registerModel(host: Host, context: ExtensionContext): Disposable {
  const tell = (): void => {
    host.send({ type: "model", name: chosen?.name ?? null, slots: SLOTS });
  };
  host.onLaunch(tell);
  const at = (address: ModelAddress): Chosen => ({ name: address.model, model: modelAt(context, address), address });
  const find = async (): Promise<void> => {
    const choice = context.workspaceState.get(CHOICE);
    const address = addressIn(choice);
    if (address) {
      chosen = at(address);
    } else {
      // Without a choice nothing is asked for: some editors ask for consent when models are listed.
      const [model] = typeof choice === "string" ? await lm.selectChatModels({ id: choice }) : [];
      chosen = model && { name: model.name, model: chatModel(model) };
    }
    tell();
  };
  const choose = async (): Promise<void> => {
    const models = await lm.selectChatModels();
    const none = { label: "$(circle-slash) No model", description: "", choice: undefined };
    const byAddress = { label: "$(globe) By address…", description: "OpenAI-compatible", choice: BY_ADDRESS } as const;
    const items: { label: string; description: string; choice: LanguageModelChat | typeof BY_ADDRESS | undefined }[] =
      models.map((model) => ({ label: model.name, description: model.vendor, choice: model }));
    items.push(byAddress, none);
    const picked = await window.showQuickPick(items, {
      placeHolder:
        models.length > 0 ? "The model that describes, investigates and reviews" : "This editor offers no models",
    });
    if (picked) {
      const { choice } = picked;
      if (choice === BY_ADDRESS) {
        const address = await askForAddress(context);
        if (!address) {
          return;
        }
        chosen = at(address);
        await context.workspaceState.update(CHOICE, address);
      } else {
        chosen = choice && { name: choice.name, model: chatModel(choice) };
        await context.workspaceState.update(CHOICE, choice?.id);
      }
      tell();
    }
  };
  /** Does something with the chosen model; one is chosen first where there is none. */
  const withModel = async (work: (model: string) => Promise<void>): Promise<void> => {
    if (!chosen) {
      await choose();
    }
    if (chosen) {
      await work(chosen.name);
    }
  };
  const describe = async (what: Described | undefined): Promise<void> => {
    if (what) {
      await withModel((model) => describeWith(host, model, what));
    }
  };
  void find().catch(() => undefined);
  const registered = [
    commands.registerCommand("codecortex.chooseModel", choose),
    commands.registerCommand("codecortex.setModelKey", () => setKey(context, chosen?.address)),
    commands.registerCommand("codecortex.removeModelKey", () => removeKey(context, chosen?.address)),
    commands.registerCommand("codecortex.describe", () => describe(openFile(host))),
    commands.registerCommand("codecortex.describeFile", (uri?: unknown) => describe(fileAt(host, uri))),
    commands.registerCommand("codecortex.describeAll", () => describe(EVERYTHING)),
    ...["describe", "retry"].map((name) =>
      commands.registerCommand(`codecortex.texts.${name}`, (node?: unknown) => describe(typeOf(node))),
    ),
    commands.registerCommand("codecortex.investigate", () => withModel((model) => investigate(host, model))),
    lm.onDidChangeChatModels(() => void find().catch(() => undefined)),
  ];
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}
