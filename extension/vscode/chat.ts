/**
 * `@codecortex`: answers with the model that the person picked, our tools, and the live context, which is made
 * anew for each request and never becomes part of the conversation (SPEC D15).
 */
import {
  chat,
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  ChatResponseTurn,
  LanguageModelChatMessage,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
  Location,
  Position,
  Range,
  ThemeIcon,
  Uri,
  window,
  type CancellationToken,
  type ChatContext,
  type ChatFollowup,
  type ChatPromptReference,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  type ExtensionContext,
  type LanguageModelChatTool,
} from "vscode";

import { dataOf } from "../core/envelope";
import { absolutePath } from "../core/roots";
import { changesAnswer, recallAnswer, windowAnswer } from "../core/chatAnswers";
import { isOptedOut } from "../core/observations";
import {
  converse,
  INSTRUCTIONS,
  lastMessage,
  mentioned,
  newestThatFit,
  placesIn,
  sharesOf,
  type Piece,
  type Place,
  type Round,
  type Talk,
  type ToolCall,
  type Turn,
} from "../core/conversation";
import { offeredTools } from "../core/manifest";
import { escaped } from "../core/markdown";
import { semanticAnswer } from "../core/texts";
import type { Disposable } from "../core/disposable";
import type { ToolAnswers, ToolName } from "../generated/answers";
import { currentRoots } from "./folders";
import type { Host } from "../core/host";
import { reviewInChat } from "./chatReview";
import { reach } from "./walkthrough";

/** The participant's id in the manifest. */
const PARTICIPANT = "codecortex.participant";
/** The tool that changes files; others that a person agrees to change none of the code. */
const EDITS: ToolName = "codecortex_applyEdit";
/** What an answer takes of a model's window. */
const ANSWER_TOKENS = 4_000;
/** Attachments that are shown to the model. */
const MOST_ATTACHED = 8;
const ATTACHED_TOKENS = 3_000;
/** Tokens of the code that a task is about. */
const TASK_TOKENS = 4_000;
/** Observations that an answer lists. */
const MOST_RECALLED = 15;
/** Declarations below an answer that a person can go to. */
const MOST_PLACES = 8;

/** What follow-ups need to know of a turn. */
interface TurnMetadata {
  command?: string;
  hasEdited: boolean;
}

/** Registers the participant. */
export function registerChat(host: Host, context: ExtensionContext): Disposable {
  const participant = chat.createChatParticipant(PARTICIPANT, (request, history, stream, token) =>
    answer({ host, context, request, history, stream, token }),
  );
  participant.iconPath = new ThemeIcon("symbol-structure");
  participant.followupProvider = {
    provideFollowups: ({ metadata }) => followups(metadata as TurnMetadata | undefined),
  };
  return participant;
}

/** One turn. */
interface TurnParts {
  host: Host;
  context: ExtensionContext;
  request: ChatRequest;
  history: ChatContext;
  stream: ChatResponseStream;
  token: CancellationToken;
}

async function answer(turn: TurnParts): Promise<ChatResult> {
  const { command } = turn.request;
  reach("asked");
  try {
    switch (command) {
      case "window":
        return await show(turn, "codecortex_getContext", { list: true }, windowAnswer);
      case "changes":
        return await show(turn, "codecortex_changes", { limit: 100 }, changesAnswer);
      case "live":
        return await showLive(turn);
      case "context":
        return await showTask(turn);
      case "recall":
        return await recall(turn);
      case "describe":
        return await showDescribed(turn);
      case "review":
        await reviewInChat(turn);
        return done(command, false);
      default:
        return await ask(turn);
    }
  } catch (error) {
    if (turn.token.isCancellationRequested) {
      return {};
    }
    turn.host.log.error(`chat: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return { errorDetails: { message: sentence(error) } };
  }
}

/** Shows what a tool says, without a model. */
async function show<Name extends ToolName>(
  { host, stream, request }: TurnParts,
  tool: Name,
  args: Record<string, unknown>,
  text: (data: ToolAnswers[Name]) => string,
): Promise<ChatResult> {
  const read = dataOf(await host.look(tool, args));
  stream.markdown("problem" in read ? read.problem : text(read.data));
  return done(request.command, false);
}

/** Shows what a type is for, and offers to have it described where nobody has, or the code has changed since. */
async function showDescribed({ host, request, stream }: TurnParts): Promise<ChatResult> {
  const symbol = request.prompt.trim();
  if (symbol === "") {
    stream.markdown("Say which type, as in `/describe Cart`.");
    return done(request.command, false);
  }
  const read = dataOf(await host.look("codecortex_getSemantic", { symbol, prompt: "needed" }));
  if ("problem" in read) {
    stream.markdown([read.problem, read.hint ?? ""].join(" "));
    return done(request.command, false);
  }
  stream.markdown(semanticAnswer(read.data));
  if (read.data.semanticState === "none" || read.data.semanticState === "stale") {
    const { typeId } = read.data.resolved;
    stream.button({ command: "codecortex.texts.describe", title: "Describe…", arguments: [{ id: typeId }] });
  }
  return done(request.command, false);
}

/** Shows word for word what a model would be told. */
async function showLive(turn: TurnParts): Promise<ChatResult> {
  const { live, window } = await contextNow(turn, sharesOf(turn.request.model.maxInputTokens));
  const text = lastMessage({ live, window, attached: [], question: "…" });
  turn.stream.markdown(`Your next question contains this context:\n\n${fenced(text)}`);
  return done(turn.request.command, false);
}

/** Shows the code that a task in words is about, and what was observed of it, as a sub-agent would be told. */
async function showTask({ host, request, stream, token }: TurnParts): Promise<ChatResult> {
  const query = request.prompt.trim();
  if (query === "") {
    stream.markdown("Describe the task, as in `/context keep the port in url_for`.");
    return done(request.command, false);
  }
  const args = { query, mode: "mixed", maxTokens: TASK_TOKENS, format: "text" };
  const call = { tool: "codecortex_getContext", args, caller: { kind: "editor" as const }, format: "text" as const };
  const { text } = await host.call(call, token);
  stream.markdown(text === undefined || text === null ? "There was no answer." : fenced(text));
  return done(request.command, false);
}

/** Shows what was noted, the newest first; by the words that the person wrote, if any. */
async function recall({ host, request, stream }: TurnParts): Promise<ChatResult> {
  const query = request.prompt.trim();
  const args = { filter: { limit: MOST_RECALLED }, ...(query === "" ? {} : { query }) };
  const read = dataOf(await host.look("codecortex_recall", args));
  if ("data" in read) {
    stream.markdown(recallAnswer(read.data, query));
    stream.button({ command: "codecortex.observations.focus", title: "Show Observations" });
  } else if (isOptedOut(read.hint)) {
    stream.markdown("This workspace records no observations.");
    stream.button({ command: "codecortex.observations.optIn", title: "Keep Observations" });
  } else {
    stream.markdown(escaped(read.problem));
  }
  return done(request.command, false);
}

/** A text as it is, in a block with more ticks than it has. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}markdown\n${text}\n${fence}`;
}

async function ask(turn: TurnParts): Promise<ChatResult> {
  const { request, stream, token } = turn;
  const { model } = request;
  if (request.prompt.trim() === "") {
    stream.markdown(
      "Ask about the code, or describe a change. `/window` shows a model's context, `/changes` shows changes.",
    );
    return done(undefined, false);
  }
  const shares = sharesOf(model.maxInputTokens);
  const count = async (text: string): Promise<number> => await model.countTokens(text, token);
  const past = await pastOf(turn.history, shares.history, count);
  const attached = await attachments(turn);
  const tools = toolsFor(turn);
  const overhead = await count([INSTRUCTIONS, JSON.stringify(tools), request.prompt, ...attached].join("\n"));
  const pastTokens = await count(past.map(({ text }) => text).join("\n"));
  const room = model.maxInputTokens - overhead - pastTokens - shares.live - shares.window - ANSWER_TOKENS;
  const places: Place[] = [];
  const talk: Talk = {
    request: (rounds, mayCall) => requestOf(turn, { past, attached, tools: mayCall ? tools : [], rounds, shares }),
    invoke: async (call, tokens) => {
      const result = await invoke(turn, call, tokens, count);
      places.push(...placesIn(result));
      return result;
    },
    count,
    say: (text) => {
      stream.markdown(text);
    },
    isCancelled: () => token.isCancellationRequested,
  };
  referToActive(stream);
  const { rounds, stopped } = await converse(talk, room);
  const said = rounds.map(({ text }) => text).join("");
  linkPlaces(turn, mentioned(said, places, MOST_PLACES));
  if (stopped) {
    const why =
      stopped === "room" ? "The model has no room for more tool results" : "The model called tools again and again";
    stream.markdown(`\n\n_${why}; ask on to continue from here._`);
  }
  return done(
    undefined,
    rounds.some(({ calls }) => calls.some(({ name }) => name === EDITS)),
  );
}

function done(command: string | undefined, hasEdited: boolean): ChatResult {
  const metadata: TurnMetadata = command === undefined ? { hasEdited } : { command, hasEdited };
  return { metadata };
}

/** What a request to the model is made of. */
interface RequestParts {
  past: readonly Turn[];
  attached: readonly string[];
  tools: LanguageModelChatTool[];
  rounds: readonly Round[];
  shares: { live: number; window: number };
}

/** One request: the past, the last message with the context as it is at this moment, and what tools said since. */
async function* requestOf(turn: TurnParts, parts: RequestParts): AsyncIterable<Piece> {
  const { request, token } = turn;
  const now = await contextNow(turn, parts.shares);
  const question = lastMessage({ ...now, attached: parts.attached, question: request.prompt });
  const messages = [
    LanguageModelChatMessage.User(INSTRUCTIONS),
    ...parts.past.map(({ role, text }) =>
      role === "user" ? LanguageModelChatMessage.User(text) : LanguageModelChatMessage.Assistant(text),
    ),
    LanguageModelChatMessage.User(question),
    ...parts.rounds.flatMap(roundMessages),
  ];
  const options = { tools: parts.tools, justification: "To answer your question to @codecortex." };
  const response = await request.model.sendRequest(messages, options, token);
  for await (const part of response.stream) {
    if (part instanceof LanguageModelTextPart) {
      yield { kind: "text", text: part.value };
    } else if (part instanceof LanguageModelToolCallPart) {
      yield { kind: "call", call: { id: part.callId, name: part.name, input: part.input } };
    }
  }
}

function roundMessages({ text, calls, results }: Round): LanguageModelChatMessage[] {
  const said = text === "" ? [] : [new LanguageModelTextPart(text)];
  const called = calls.map(({ id, name, input }) => new LanguageModelToolCallPart(id, name, input));
  const given = calls.map(
    ({ id }, index) => new LanguageModelToolResultPart(id, [new LanguageModelTextPart(results[index] ?? "")]),
  );
  return [LanguageModelChatMessage.Assistant([...said, ...called]), LanguageModelChatMessage.User(given)];
}

/** Live context and prompt window of this moment, as text. */
async function contextNow({ host, token }: TurnParts, shares: { live: number; window: number }) {
  const text = async (tool: string, maxTokens: number): Promise<string> => {
    const args = { maxTokens, format: "text" };
    const told = await host.call({ tool, args, caller: { kind: "lm", maxTokens }, format: "text" }, token);
    return told.text ?? "";
  };
  return {
    live: await text("codecortex_getLiveContext", shares.live),
    window: await text("codecortex_getContext", shares.window),
  };
}

/** What was said before, the newest of it; none of it has live context, because that was never part of it. */
async function pastOf(
  { history }: ChatContext,
  room: number,
  count: (text: string) => Promise<number>,
): Promise<Turn[]> {
  const turns = history.flatMap((turn): Turn[] => {
    if (turn instanceof ChatRequestTurn) {
      return [{ role: "user", text: turn.prompt }];
    }
    return turn instanceof ChatResponseTurn ? [{ role: "assistant", text: markdownOf(turn) }] : [];
  });
  const said = turns.filter(({ text }) => text.trim() !== "");
  return newestThatFit(said, await Promise.all(said.map(({ text }) => count(text))), room);
}

function markdownOf({ response }: ChatResponseTurn): string {
  return response.map((part) => (part instanceof ChatResponseMarkdownPart ? part.value.value : "")).join("");
}

/** What the person attached: files and ranges as they are now, texts as they are. */
async function attachments({ host, request, token }: TurnParts): Promise<string[]> {
  const active = window.activeTextEditor?.document.uri.toString();
  const shown: string[] = [];
  for (const reference of request.references.slice(0, MOST_ATTACHED)) {
    const place = placeOf(reference);
    if (!place) {
      shown.push(typeof reference.value === "string" ? `# Attached\n${reference.value}` : "");
    } else if (place.range || place.uri.toString() !== active) {
      const lines = place.range && { startLine: place.range.start.line + 1, endLine: place.range.end.line + 1 };
      const args = { filePath: host.path(place.uri), ...lines, maxTokens: ATTACHED_TOKENS, format: "text" };
      const call = {
        tool: "codecortex_getLiveContext",
        args,
        caller: { kind: "lm" as const },
        format: "text" as const,
      };
      const { text } = await host.call(call, token);
      shown.push(`# Attached: ${place.uri.path}\n${text ?? ""}`);
    }
  }
  return shown.filter((text) => text !== "");
}

function placeOf({ value }: ChatPromptReference): { uri: Uri; range?: Range } | undefined {
  if (value instanceof Uri) {
    return { uri: value };
  }
  return value instanceof Location ? { uri: value.uri, range: value.range } : undefined;
}

/** Our tools that the profile offers, and any other that the person named. */
function toolsFor({ host, context, request }: TurnParts): LanguageModelChatTool[] {
  const offered = new Set(offeredTools(context.extension.packageJSON, host.settings.profile));
  const named = new Set(request.toolReferences.map(({ name }) => name));
  return lm.tools
    .filter(({ name }) => offered.has(name) || named.has(name))
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

/** Calls a tool as the person's chat would; what goes wrong is a result that the model can read. */
async function invoke(
  { request, token }: TurnParts,
  { name, input }: ToolCall,
  tokens: number,
  count: (text: string) => Promise<number>,
): Promise<string> {
  try {
    const { toolInvocationToken } = request;
    const tokenizationOptions = { tokenBudget: tokens, countTokens: count };
    const result = await lm.invokeTool(name, { input, toolInvocationToken, tokenizationOptions }, token);
    return result.content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("\n");
  } catch (error) {
    if (token.isCancellationRequested) {
      throw error;
    }
    return `The tool could not be called: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The document that the context is about is what the answer used. */
function referToActive(stream: ChatResponseStream): void {
  const editor = window.activeTextEditor;
  if (editor) {
    stream.reference(editor.document.uri);
  }
}

/** Links to the declarations that the answer names. */
function linkPlaces({ host, stream }: TurnParts, places: readonly Place[]): void {
  const roots = currentRoots(host.platform.windows);
  const known = places.flatMap(({ name, filePath, line }) => {
    const path = absolutePath(filePath, roots);
    return path === undefined ? [] : [{ name, at: new Location(host.uri(path), new Position(line - 1, 0)) }];
  });
  known.forEach(({ name, at }, index) => {
    // VS Code shows where an anchor leads, not what it is called.
    stream.markdown(`${index === 0 ? "\n\n" : " · "}\`${name}\` `);
    stream.anchor(at, name);
  });
}

function followups(turn: TurnMetadata | undefined): ChatFollowup[] {
  if (turn?.hasEdited) {
    return [
      { prompt: "Which uses of the changed code are affected, and do they still fit?", label: "Check the uses" },
      { prompt: "", command: "changes", label: "Show changes" },
    ];
  }
  if (turn?.command === "review") {
    return [{ prompt: "Fix what the review found, the gravest first.", label: "Fix the findings" }];
  }
  return turn?.command === "window"
    ? [{ prompt: "", command: "live", label: "Show the model's context" }]
    : [{ prompt: "", command: "window", label: "Show the prompt window" }];
}

/** What went wrong, as a person should read it. */
function sentence(error: unknown): string {
  if (error instanceof LanguageModelError) {
    switch (error.code) {
      case LanguageModelError.NoPermissions.name:
        return "You did not allow CodeCortex to use this model. Pick another model, or allow it under Manage Language Model Access.";
      case LanguageModelError.Blocked.name:
        return "The model refused the request or its quota is used up. Try again later or pick another model.";
      case LanguageModelError.NotFound.name:
        return "The model is not there any more. Pick another one below the chat's input.";
      default:
        return `The model failed: ${error.message}`;
    }
  }
  return `CodeCortex could not answer: ${error instanceof Error ? error.message : String(error)}`;
}
