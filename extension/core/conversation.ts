/**
 * What the chat participant tells a model, and how it goes on until there is an answer (SPEC D15).
 *
 * The live context and the prompt window are in the user's last message and nowhere else: they are made anew for
 * each request, so no message of the past has a text that is no more. Tool results are bounded by what the model
 * has room for; when there is none left, the model is asked to answer with what it knows.
 */

/** What a model is told once, before everything else. */
export const INSTRUCTIONS = `You are CodeCortex, a programming assistant that works on the text as it is at this moment.

- The user's last message begins with the live context. \`Current Document\` is the truth, unsaved changes included; the diffs are the trail that led to it; \`Plan Hints\` say which of your edits were done, which failed, and why. It is made anew before every request: where an older message says otherwise, the live context is right.
- The prompt window lists declarations that matter now. Ask for others with the codecortex tools (searchApi, getOutline, findReferences, getTypeMembers, getClassHierarchy, resolveSymbolAtPosition) before you guess or read whole files.
- Change code with codecortex_applyEdit alone: for each file the \`baseVersion\` that the live context shows behind its name (\`v…\`) and structured changes, small ones by \`oldText\`. Do not print whole files. For a file that is not the current document, first ask codecortex_getLiveContext for its version.
- The next payload says whether an edit was done or failed and why. After VersionConflict fit the edit to the \`diff\` that comes with it. When the user did not want an edit, ask what to do otherwise; do not repeat it.
- Name declarations in backquotes, and answer in short Markdown.`;

/** A message of the past. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
}

/** A tool call that a model asks for. */
export interface ToolCall {
  id: string;
  name: string;
  input: object;
}

/** A piece of what a model streams. */
export type Piece = { kind: "text"; text: string } | { kind: "call"; call: ToolCall };

/** What a model said at once, and what the tools that it called gave. */
export interface Round {
  text: string;
  calls: ToolCall[];
  /** In the order of the calls. */
  results: string[];
}

/** The model, the tools and the screen. */
export interface Talk {
  /** Streams what the model says to everything up to now. `mayCall`: whether it may call tools. */
  request(rounds: readonly Round[], mayCall: boolean): AsyncIterable<Piece>;
  /** Calls a tool; a failure is a result too. `tokens` is what the result may cost. */
  invoke(call: ToolCall, tokens: number): Promise<string>;
  /** Tokens of a text. */
  count(text: string): Promise<number>;
  /** Shows text to the person. */
  say(text: string): void;
  isCancelled(): boolean;
}

/** More rounds of tools than this are a model that goes in circles. */
export const MOST_ROUNDS = 25;
/** A result with less room than this says nothing. */
const LEAST_RESULT = 400;
/** The most that one result may take. */
const MOST_RESULT = 12_000;

/** How a conversation ended. */
export interface Ending {
  rounds: Round[];
  /** Why the model was stopped before it had done all it wanted. */
  stopped?: "rounds" | "room";
}

/** Goes on until the model has answered. `room` is how many tokens its calls and their results may take. */
export async function converse(talk: Talk, room: number): Promise<Ending> {
  const rounds: Round[] = [];
  let left = room;
  for (;;) {
    const isLast = rounds.length >= MOST_ROUNDS || left < LEAST_RESULT;
    const round = await listen(talk, rounds, !isLast);
    rounds.push(round);
    if (round.calls.length === 0 || talk.isCancelled()) {
      return { rounds };
    }
    if (isLast) {
      return { rounds, stopped: left < LEAST_RESULT ? "room" : "rounds" };
    }
    left -= await talk.count(round.text + JSON.stringify(round.calls));
    for (const [index, call] of round.calls.entries()) {
      const share = Math.floor(left / (round.calls.length - index));
      const result = await resultOf(talk, call, Math.min(MOST_RESULT, share));
      left -= await talk.count(result);
      round.results.push(result);
    }
  }
}

async function listen(talk: Talk, rounds: readonly Round[], mayCall: boolean): Promise<Round> {
  const round: Round = { text: "", calls: [], results: [] };
  for await (const piece of talk.request(rounds, mayCall)) {
    if (piece.kind === "call") {
      round.calls.push(piece.call);
    } else {
      round.text += piece.text;
      talk.say(piece.text);
    }
  }
  return round;
}

/** A result that fits; what a tool gives above its share is cut, so that the next request has room. */
async function resultOf(talk: Talk, call: ToolCall, tokens: number): Promise<string> {
  if (tokens < LEAST_RESULT || talk.isCancelled()) {
    return "This result has no room. Answer with the information that you have.";
  }
  const result = await talk.invoke(call, tokens);
  const cost = await talk.count(result);
  if (cost <= tokens) {
    return result;
  }
  const kept = Math.max(0, Math.floor((result.length * tokens) / cost) - 100);
  return `${result.slice(0, kept).replace(/[\uD800-\uDBFF]$/, "")}\n… cut: the result was longer than the room left.`;
}

/** How the room of a model is shared out, in tokens. */
export interface Shares {
  live: number;
  window: number;
  history: number;
}

/** Shares of what a model takes in; what is left is for the question and the tools. */
export function sharesOf(maxInputTokens: number): Shares {
  const part = (share: number, most: number): number => Math.floor(Math.min(most, maxInputTokens * share));
  return { live: part(0.25, 12_000), window: part(0.12, 4_000), history: part(0.25, 24_000) };
}

/** The newest turns whose tokens fit, beginning with a user's. */
export function newestThatFit(turns: readonly Turn[], tokens: readonly number[], room: number): Turn[] {
  let left = room;
  let first = turns.length;
  while (first > 0 && (tokens[first - 1] ?? Infinity) <= left) {
    first -= 1;
    left -= tokens[first] ?? 0;
  }
  while (first < turns.length && turns[first]?.role !== "user") {
    first += 1;
  }
  return turns.slice(first);
}

/** The parts of a user's last message. */
export interface LastMessage {
  live: string;
  window: string;
  /** What the user attached, each as text. */
  attached: readonly string[];
  question: string;
}

/** The user's last message: the context as it is now, then what was asked. */
export function lastMessage({ live, window, attached, question }: LastMessage): string {
  const parts = [live, window === "" ? "" : `# Prompt Window\n${window}`, ...attached, `# Question\n${question}`];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Where something is that a person may want to go to. */
export interface Place {
  name: string;
  filePath: string;
  /** First line, from 1. */
  line: number;
}

/** The declarations that a tool's answer tells of. */
export function placesIn(result: string): Place[] {
  const places: Place[] = [];
  const look = (value: unknown, file: string | undefined): void => {
    if (Array.isArray(value)) {
      for (const one of value) {
        look(one, file);
      }
    } else if (typeof value === "object" && value !== null) {
      const fields: Record<string, unknown> = { ...value };
      const filePath = typeof fields.filePath === "string" ? fields.filePath : file;
      const { name, startLine } = fields;
      if (typeof name === "string" && typeof startLine === "number" && filePath !== undefined) {
        places.push({ name, filePath, line: startLine });
      }
      for (const field of Object.values(fields)) {
        look(field, filePath);
      }
    }
  };
  try {
    look(JSON.parse(result), undefined);
  } catch {
    // A result in another form has no places that could be told from its text.
  }
  return places;
}

/** The places whose names an answer has in backquotes, each once, in the order of the answer. */
export function mentioned(answer: string, places: readonly Place[], most: number): Place[] {
  const byName = new Map<string, Place>();
  for (const place of places) {
    byName.set(place.name, byName.get(place.name) ?? place);
  }
  const found = new Set<Place>();
  for (const [, code = ""] of answer.matchAll(/`([^`\n]+)`/g)) {
    const last = /([\p{L}_$][\p{L}\p{N}_$]*)(?:\(.*\))?$/u.exec(code.trim())?.[1];
    const place = last === undefined ? undefined : byName.get(last);
    if (place && found.size < most) {
      found.add(place);
    }
  }
  return [...found];
}
