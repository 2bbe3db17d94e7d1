/**
 * What an editor's language model is asked for the engine, and what its answer means there (SPEC SE2).
 *
 * The engine wrote the messages and reads the answer; here a conversation goes in and text comes out, bounded in size
 * and time. What a model says is data: nothing here looks into it.
 */
import type { ModelFailure, ModelOutcome, ModelRequest } from "../generated/protocol";

/** The editor's model, as far as it is used here. */
export interface ChatModel {
  /** Sends a conversation; gives the answer piece by piece. Fails as the editor fails. */
  send(request: ModelRequest, isCancelled: AbortSignal): AsyncIterable<string>;
}

/** How much an answer may have, and how long it may take. */
export interface ModelLimits {
  timeoutMs: number;
  mostCharacters: number;
}

/** Kinds of failure by what the editor calls them. */
const FAILURES: Readonly<Record<string, ModelFailure>> = {
  NoPermissions: "refused",
  Blocked: "refused",
  NotFound: "absent",
  ChatQuotaExceeded: "limited",
  ChatRateLimited: "limited",
};

/** Asks, and answers in any case: at the latest when the time is over or nobody waits any more. */
export async function askModel(
  model: ChatModel | undefined,
  request: ModelRequest,
  { timeoutMs, mostCharacters }: ModelLimits,
  cancelled: AbortSignal,
): Promise<ModelOutcome> {
  if (!model) {
    return failed("absent", "No model was chosen. Run “CodeCortex: Choose Model”.");
  }
  const ending = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, timeoutMs);
  const cancel = (): void => {
    ending.abort();
  };
  cancelled.addEventListener("abort", cancel);
  try {
    let text = "";
    for await (const piece of model.send(request, ending.signal)) {
      text += piece;
      if (text.length > mostCharacters) {
        ending.abort();
        return failed("malformed", `The model's answer has more than ${mostCharacters} characters.`);
      }
      if (ending.signal.aborted) {
        break;
      }
    }
    return ending.signal.aborted ? ended(isLate) : { type: "answered", text, calls: [], usage: null };
  } catch (error) {
    return ending.signal.aborted ? ended(isLate) : failureOf(error);
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener("abort", cancel);
  }
}

function ended(isLate: boolean): ModelOutcome {
  return isLate ? failed("timedOut", "The model took too long.") : failed("cancelled", "Nobody waits for it.");
}

function failureOf(error: unknown): ModelOutcome {
  const { code, name, message } = (error ?? {}) as { code?: unknown; name?: unknown; message?: unknown };
  const known = [code, name].map((word) => FAILURES[String(word)]).find((failure) => failure !== undefined);
  return failed(known ?? "unreachable", typeof message === "string" && message ? message : "The model failed.");
}

function failed(failure: ModelFailure, message: string): ModelOutcome {
  return { type: "failed", failure, message, retryAfterMs: null };
}
