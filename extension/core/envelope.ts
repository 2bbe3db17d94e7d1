/**
 * Envelopes: those that the extension itself has to give because the engine cannot, the same as the
 * engine's, so that a caller needs no second way of reading (SPEC TC1, TC3); and how they are read.
 */
import type { Envelope, ErrorCode, ToolAnswers, ToolName } from "../generated/answers";
import type { Answer, AnswerFormat } from "../generated/protocol";

declare const TOOL: unique symbol;

/** An answer of a tool. Only the type says of which: it is bytes until {@link dataOf} reads it. */
export interface AnswerOf<Name extends ToolName> extends Answer {
  readonly [TOOL]?: Name;
}

/** Why there is no answer of the engine. */
export interface Failure {
  code: ErrorCode;
  /** What happened, in one sentence. */
  message: string;
  /** Whether the same call may succeed later. */
  retryable: boolean;
  /** What the caller can do next. */
  hint: string;
}

/** The caller gave up. */
export const CANCELLED: Failure = {
  code: "Cancelled",
  message: "The call was cancelled before it was answered.",
  retryable: true,
  hint: "Call the tool again if the answer is still wanted.",
};

/** The engine is not there; `reason` says why. */
export function unavailable(reason: string, retryable: boolean): Failure {
  return {
    code: "Unavailable",
    message: reason,
    retryable,
    hint: retryable
      ? "CodeCortex is restarting its engine; call the tool again in a few seconds."
      : 'Ask the user to run the command "CodeCortex: Reindex Workspace"; until then read and search files with other tools.',
  };
}

/** A failure in the form asked for. */
export function failureAnswer(failure: Failure, format: AnswerFormat): Answer {
  const answer: Answer = { ok: false };
  if (format !== "text") {
    answer.json = accounted({ ok: false, error: failure });
  }
  if (format !== "json") {
    answer.text = `// error ${failure.code}: ${failure.message}\n// hint: ${failure.hint}\n`;
  }
  return answer;
}

/** The envelope of a failure with what it costs, the account included, as the engine's have (SPEC D14). */
function accounted(envelope: { ok: false; error: Failure }): string {
  const budget = { budget_tokens: null, tokens_approx: 0, truncated: false, downgrade_applied: [] };
  for (;;) {
    const text = JSON.stringify({ ...envelope, budget });
    const tokens = Math.ceil(Array.from(text).length / 4);
    if (tokens <= budget.tokens_approx) {
      return text;
    }
    budget.tokens_approx = tokens;
  }
}

/** The forms of an answer that go to the caller, exactly as they are. */
export function answerParts(answer: Answer): string[] {
  return [answer.json, answer.text].filter((part) => typeof part === "string");
}

/**
 * A JSON answer's `data`, or what went wrong as a sentence, with what can be done about it. The engine is of the same build as the types, and the
 * contract tests hold its answers to them: nothing inside is looked at again.
 */
export function dataOf<Name extends ToolName>({
  json,
}: AnswerOf<Name>): { data: ToolAnswers[Name] } | { problem: string; hint?: string } {
  try {
    const envelope = JSON.parse(json ?? "") as Envelope<Name>;
    if (envelope.ok) {
      return { data: envelope.data };
    }
    const { message, hint } = envelope.error;
    return { problem: message, ...(hint === undefined ? {} : { hint }) };
  } catch {
    return { problem: "The engine gave no answer that can be read." };
  }
}
