/**
 * A model by its address, in the way that most servers of models have in common: `POST …/chat/completions` (SPEC SE2).
 *
 * What comes is read up to a bound and is data. A key goes into one header, to the address that it was given for and to no
 * other, over an encrypted connection or to this machine; it is in no setting, no file of ours, no log and no message.
 */
import { list, record, text } from "./json";
import { ModelTrouble, type ChatModel, type ModelPiece } from "./languageModel";
import type { ModelMessage, ModelRequest } from "../generated/protocol";

/** Where a model is and what it is called there. */
export interface ModelAddress {
  /** What `/chat/completions` is put behind, such as `https://api.example.com/v1`. */
  url: string;
  model: string;
}

/** Bytes of an answer that are read. */
const MOST_BYTES = 1 << 20;
const LONGEST_WAIT_MS = 86_400_000;

/** What is wrong with an address; nothing where it serves. */
export function addressProblem(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) {
    return "Give an address that begins with https:// or http://.";
  }
  return parsed.username === "" && parsed.password === ""
    ? undefined
    : "Give the key by itself, not within the address.";
}

/** Whether a key may go there: nobody on the way can read it. */
export function mayHaveKey(url: string): boolean {
  if (addressProblem(url) !== undefined) {
    return false;
  }
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** What a stored choice says, if anything. */
export function addressIn(stored: unknown): ModelAddress | undefined {
  const { url, model } = record(stored);
  const [where, name] = [text(url), text(model)];
  return name === "" || addressProblem(where) !== undefined ? undefined : { url: where, model: name };
}

/** The model at an address. `keyOf` is asked before each request, so that a key that is taken away is gone. */
export function addressModel(
  address: ModelAddress,
  keyOf: () => Promise<string | undefined>,
  send: typeof fetch = fetch,
): ChatModel {
  return {
    async *send(request, isCancelled) {
      const key = mayHaveKey(address.url) ? await keyOf() : undefined;
      const response = await send(`${address.url.replace(/\/+$/, "")}/chat/completions`, {
        method: "POST",
        // A key goes to the address that was given and to no other.
        redirect: "error",
        signal: isCancelled,
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(bodyOf(address, request)),
      });
      const trouble = troubleOf(response);
      if (trouble) {
        await response.body?.cancel();
        throw trouble;
      }
      yield* answerOf(await bounded(response));
    },
  };
}

function bodyOf({ model }: ModelAddress, { messages, tools = [], maxOutputTokens }: ModelRequest): object {
  const offered = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  return {
    model,
    messages: messages.map(messageOf),
    max_tokens: maxOutputTokens,
    temperature: 0,
    ...(offered.length === 0 ? {} : { tools: offered }),
  };
}

function messageOf({ role, content, calls = [], callId }: ModelMessage): object {
  const called = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: given },
  }));
  return {
    role,
    content,
    ...(called.length === 0 ? {} : { tool_calls: called }),
    ...(callId === undefined || callId === null ? {} : { tool_call_id: callId }),
  };
}

function troubleOf({ status, headers, ok }: Response): ModelTrouble | undefined {
  if (ok) {
    return undefined;
  }
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  const wait = Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0) * 1_000, LONGEST_WAIT_MS);
  if (status === 401 || status === 403) {
    return new ModelTrouble("refused", `The model's server refused the key (${status}).`);
  }
  if (status === 429) {
    return new ModelTrouble("limited", "The model's server has had too many requests (429).", wait);
  }
  return status >= 500
    ? new ModelTrouble("unreachable", `The model's server failed (${status}).`, wait)
    : new ModelTrouble("malformed", `The model's server did not accept the request (${status}).`);
}

/** The text of a response, as far as anybody reads. */
async function bounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let [said, bytes] = ["", 0];
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || !value) {
      return said + decoder.decode();
    }
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      throw new ModelTrouble("malformed", `The model's answer has more than ${MOST_BYTES} bytes.`);
    }
    said += decoder.decode(value, { stream: true });
  }
}

function* answerOf(said: string): Generator<ModelPiece> {
  let answer: Record<string, unknown>;
  try {
    answer = record(JSON.parse(said));
  } catch {
    throw new ModelTrouble("malformed", "The model's server answered without JSON.");
  }
  const [choice] = list(answer.choices);
  const { message } = record(choice);
  if (typeof message !== "object" || message === null) {
    throw new ModelTrouble("malformed", "The model's server answered without a message.");
  }
  const { content, tool_calls: calls } = record(message);
  yield text(content);
  for (const call of list(calls).map(record)) {
    const { name, arguments: given } = record(call.function);
    yield { call: { id: text(call.id), name: text(name), arguments: text(given) } };
  }
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = record(answer.usage);
  if (typeof inputTokens === "number") {
    yield { usage: { inputTokens, outputTokens: typeof outputTokens === "number" ? outputTokens : 0 } };
  }
}
