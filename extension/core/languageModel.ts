/**
 * What an editor's language model is asked for the engine, and what its answer means there (SPEC SE2).
 *
 * The engine wrote the messages and reads the answer; here a conversation goes in and text comes out, bounded in size
 * and time. What a model says is data: nothing here looks into it.
 */
import type { ModelFailure, ModelOutcome, ModelRequest, ModelToolCall, ModelUsage } from "../generated/protocol";

/** A piece of an answer: text, a tool that the model wants called, or what it cost. */
export type ModelPiece = string | { call: ModelToolCall } | { usage: ModelUsage };

/** A model, as far as it is used here. */
export interface ChatModel {
  /** Sends a conversation; gives the answer piece by piece. Fails as the editor fails, or with a {@link ModelTrouble}. */
  send(request: ModelRequest, isCancelled: AbortSignal): AsyncIterable<ModelPiece>;
}

/** A failure of which is known what kind it is. */
export class ModelTrouble extends Error {
  constructor(
    readonly failure: ModelFailure,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
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
    let read = 0;
    let usage: ModelUsage | null = null;
    const calls: ModelToolCall[] = [];
    for await (const piece of model.send(request, ending.signal)) {
      if (typeof piece === "string") {
        text += piece;
        read += piece.length;
      } else if ("call" in piece) {
        calls.push(piece.call);
        read += piece.call.arguments.length + piece.call.name.length;
      } else {
        ({ usage } = piece);
      }
      if (read > mostCharacters) {
        ending.abort();
        return failed("malformed", `The model's answer has more than ${mostCharacters} characters.`);
      }
      if (ending.signal.aborted) {
        break;
      }
    }
    return ending.signal.aborted ? ended(isLate) : { type: "answered", text, calls, usage };
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
  if (error instanceof ModelTrouble) {
    return { ...failed(error.failure, error.message), retryAfterMs: error.retryAfterMs };
  }
  const { code, name, message } = (error ?? {}) as { code?: unknown; name?: unknown; message?: unknown };
  const known = [code, name].map((word) => FAILURES[String(word)]).find((failure) => failure !== undefined);
  return failed(known ?? "unreachable", typeof message === "string" && message ? message : "The model failed.");
}

function failed(failure: ModelFailure, message: string): Extract<ModelOutcome, { type: "failed" }> {
  return { type: "failed", failure, message, retryAfterMs: null };
}
