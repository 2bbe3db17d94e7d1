/**
 * Calls to the engine, over a channel whose other end may die.
 *
 * A call made while the engine starts or restarts waits for it; a call the engine took with it is
 * answered `Unavailable`, not repeated, because it may be what killed the engine.
 */
import type { Answer, Caller, AnswerFormat } from "../generated/protocol";
import type { Disposable } from "./disposable";
import { CANCELLED, failureAnswer, unavailable, type Failure } from "./envelope";
import type { ToWorker } from "./messages";

/** What `vscode.CancellationToken` looks like from here. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): Disposable;
}

/** A tool call. */
export interface Call {
  tool: string;
  args: unknown;
  caller: Caller;
  /** The form of an answer that the extension has to give itself. */
  format: AnswerFormat;
}

/** How the client reaches the engine. */
export interface ClientLink {
  post(message: ToWorker): void;
  /** Whether a worker is there that takes messages. */
  connected(): boolean;
  /** Why no worker will come, where none will. */
  givenUp(): string | undefined;
  /** Called when the engine took a call and then said nothing for {@link SILENCE_MS}. */
  silent(): void;
}

/** An engine that holds a call this long without any sign of life hangs. */
export const SILENCE_MS = 60_000;

interface Pending {
  call: Call;
  sent: boolean;
  settle(answer: Answer): void;
}

/** Numbers calls and brings their answers back. */
export class EngineClient implements Disposable {
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private heardAt = 0;
  /** Questions that a person has not answered yet: the engine waits with them, and is not silent. */
  private questions = 0;
  private watch: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly link: ClientLink,
    private readonly now: () => number,
  ) {}

  /** Calls a tool. Always resolves to an answer: failures are envelopes too. */
  call(call: Call, cancellation?: Cancellation): Promise<Answer> {
    if (cancellation?.isCancellationRequested) {
      return Promise.resolve(failureAnswer(CANCELLED, call.format));
    }
    const givenUp = this.link.givenUp();
    if (givenUp !== undefined) {
      return Promise.resolve(failureAnswer(unavailable(givenUp, false), call.format));
    }
    return new Promise((resolve) => {
      const id = this.nextId;
      this.nextId += 1;
      const listening = cancellation?.onCancellationRequested(() => {
        this.cancel(id);
      });
      this.pending.set(id, {
        call,
        sent: false,
        settle: (answer) => {
          listening?.dispose();
          this.pending.delete(id);
          resolve(answer);
        },
      });
      this.send();
    });
  }

  /** Hands every waiting call to the worker that is there now. */
  send(): void {
    if (!this.link.connected()) {
      return;
    }
    for (const [id, pending] of this.pending) {
      if (!pending.sent) {
        pending.sent = true;
        const { tool, args, caller } = pending.call;
        this.post(id, { kind: "call", id, tool, args, caller });
      }
    }
  }

  /** The engine answered. An answer to a call that was cancelled meanwhile is dropped. */
  answered(id: number, answer: Answer): void {
    this.pending.get(id)?.settle(answer);
  }

  /** The engine gave a sign of life. */
  heard(): void {
    this.heardAt = this.now();
  }

  /** Does something that waits for a person, who may take longer than an engine that lives is silent. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    this.questions += 1;
    try {
      return await work();
    } finally {
      this.questions -= 1;
      this.heard();
    }
  }

  /** The engine is gone with everything it had been sent. */
  lost(reason: string): void {
    this.fail((pending) => pending.sent, unavailable(reason, true));
  }

  /** The engine will not come back. */
  abandoned(reason: string): void {
    this.fail(() => true, unavailable(reason, false));
  }

  dispose(): void {
    clearTimeout(this.watch);
    this.fail(() => true, unavailable("CodeCortex was shut down.", false));
  }

  private post(id: number, message: ToWorker): void {
    try {
      this.link.post(message);
      this.guard();
    } catch (error) {
      // Arguments that cannot be cloned, such as functions; no caller of ours makes them.
      const reason = error instanceof Error ? error.message : String(error);
      const failure: Failure = {
        code: "InternalError",
        message: `The arguments could not be passed on: ${reason}`,
        retryable: false,
        hint: "Pass plain JSON values.",
      };
      const pending = this.pending.get(id);
      pending?.settle(failureAnswer(failure, pending.call.format));
    }
  }

  private cancel(id: number): void {
    const pending = this.pending.get(id);
    if (pending) {
      if (pending.sent) {
        this.link.post({ kind: "cancel", id });
      }
      pending.settle(failureAnswer(CANCELLED, pending.call.format));
    }
  }

  private fail(which: (pending: Pending) => boolean, failure: Failure): void {
    for (const pending of [...this.pending.values()].filter(which)) {
      pending.settle(failureAnswer(failure, pending.call.format));
    }
  }

  /** Looks after the longest allowed silence whether the engine still lives. */
  private guard(): void {
    if (this.watch !== undefined) {
      return;
    }
    this.heardAt = this.now();
    const look = (inMs: number): void => {
      this.watch = setTimeout(() => {
        this.watch = undefined;
        const silence = this.questions > 0 ? 0 : this.now() - this.heardAt;
        if (![...this.pending.values()].some((pending) => pending.sent)) {
          return;
        }
        if (silence >= SILENCE_MS) {
          this.link.silent();
        } else {
          look(SILENCE_MS - silence);
        }
      }, inMs);
    };
    look(SILENCE_MS);
  }
}
