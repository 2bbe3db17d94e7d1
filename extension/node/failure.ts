/** What can go wrong at the command line: for people on stderr, for programs as an envelope on stdout. */
import { failureAnswer } from "../core/envelope";
import type { ErrorCode } from "../generated/answers";
import type { Answer, AnswerFormat } from "../generated/protocol";

/** A failure of the command line. */
export interface CommandProblem {
  code: ErrorCode;
  /** What is wrong, in one sentence without its full stop. */
  message: string;
  /** The next step, without a full stop. */
  hint: string;
}

/** Exit codes, those of the native program. */
export const EXIT = { success: 0, toolFailed: 1, usage: 2 } as const;

/** Why a command did not do its work. */
export class CommandError extends Error {
  constructor(
    readonly problem: CommandProblem,
    readonly exitCode: number = EXIT.usage,
  ) {
    super(problem.message);
  }

  /** The same as a tool's answer. */
  answer(format: AnswerFormat): Answer {
    const { code, message, hint } = this.problem;
    return failureAnswer({ code, message: `${message}.`, retryable: false, hint: `${hint}.` }, format);
  }
}

/** The next step where the WebAssembly program has no answer. */
export const NATIVE_HINT = "use the native program, such as by `cargo install codecortex`; it has every command";
