/**
 * Keeps the engine worker alive.
 *
 * A panic or an exhausted memory ends the worker, never the extension host. The supervisor starts
 * it again from its cache, has everything replayed that the engine knew from the editor, waits
 * longer after each crash, and gives up when crashes do not end: an engine that dies all the time
 * would otherwise burn the user's machine in silence. A text whose parse an engine did not come back
 * from is left out by the next one.
 */
import type { Disposable } from "./disposable";
import type { FromWorker, Handed, StartOptions, ToWorker } from "./messages";

/** A worker, whatever it runs on. */
export interface EngineProcess {
  post(message: ToWorker, hand?: Handed): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Called once when the worker is gone, however that came. */
  onExit(listener: (reason: string) => void): void;
  terminate(): void;
}

/** Where the engine stands. */
export type Life =
  | { kind: "stopped" }
  | { kind: "starting" }
  | { kind: "running" }
  | { kind: "restarting"; inMs: number; reason: string }
  | { kind: "failed"; reason: string };

/** What the supervisor needs from the outside. */
export interface SupervisorHooks {
  launch(): EngineProcess;
  startOptions(useCache: boolean): StartOptions;
  /** A worker was launched: send it folders, settings, open documents and waiting calls. */
  launched(): void;
  message(message: FromWorker): void;
  lifeChanged(life: Life): void;
  /** A worker is gone; what it had not answered will not be answered. `crash` counts from 1. */
  crashed(reason: string, crash: number): void;
}

/** When to give up and how long to wait. */
export interface RestartPolicy {
  /** More crashes than this within `withinMs` end the attempts. */
  crashes: number;
  withinMs: number;
  firstDelayMs: number;
  longestDelayMs: number;
}

/** Five crashes in ten minutes are bad luck, six are a defect. */
export const RESTART_POLICY: RestartPolicy = {
  crashes: 5,
  withinMs: 10 * 60_000,
  firstDelayMs: 250,
  longestDelayMs: 8_000,
};

/** Texts that are left out at most; what comes after them takes the place of the first. */
const MOST_LEFT_OUT = 64;

/** The cache is not read again when this many crashes came since the engine last ran. */
const CRASHES_BLAMED_ON_CACHE = 2;

/** Starts the worker, watches it and starts it again. */
export class Supervisor implements Disposable {
  private process: EngineProcess | undefined;
  private current: Life = { kind: "stopped" };
  private crashTimes: number[] = [];
  private crashesSinceReady = 0;
  private total = 0;
  private cause: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Where the worker notes what it parses: a number, 0 between two texts. */
  private parsing: Int32Array<SharedArrayBuffer> | undefined;
  /** The same as the worker said itself when it broke. */
  private failedAt = 0;
  private leftOut: number[] = [];

  constructor(
    private readonly hooks: SupervisorHooks,
    private readonly now: () => number,
    private readonly policy: RestartPolicy = RESTART_POLICY,
  ) {}

  /** Where the engine stands. */
  get life(): Life {
    return this.current;
  }

  /** How often the worker was started again. */
  get crashes(): number {
    return this.total;
  }

  /** Starts the worker, also again after it was given up; does nothing while there is one. */
  start(): void {
    if (this.process || this.current.kind === "restarting") {
      return;
    }
    this.crashTimes = [];
    this.launch();
  }

  /** Passes a message on; without a worker it is dropped, since {@link SupervisorHooks.launched} replays what counts. */
  post(message: ToWorker, hand?: Handed): void {
    this.process?.post(message, hand);
  }

  /** Starts the worker anew because a setting asks for it; that is no crash. */
  restart(): void {
    const process = this.process;
    if (process) {
      this.process = undefined;
      process.terminate();
      this.launch();
    }
  }

  /** Ends a worker that no longer reacts; it is started again like after a crash. */
  kill(reason: string): void {
    this.cause = reason;
    this.process?.terminate();
  }

  dispose(): void {
    clearTimeout(this.timer);
    const process = this.process;
    this.process = undefined;
    process?.terminate();
    this.become({ kind: "stopped" });
  }

  private launch(): void {
    this.timer = undefined;
    this.cause = undefined;
    let process: EngineProcess;
    try {
      process = this.hooks.launch();
    } catch (error) {
      this.down(error instanceof Error ? error.message : String(error));
      return;
    }
    this.process = process;
    process.onMessage((message) => {
      this.receive(process, message);
    });
    process.onExit((reason) => {
      if (this.process === process) {
        this.process = undefined;
        this.down(this.cause ?? reason);
      }
    });
    const useCache = this.crashesSinceReady < CRASHES_BLAMED_ON_CACHE;
    this.parsing = newCell();
    const options: StartOptions = { ...this.hooks.startOptions(useCache), leftOut: this.leftOut };
    if (this.parsing) {
      options.parsing = this.parsing.buffer;
    }
    process.post({ kind: "start", options });
    this.become({ kind: "starting" });
    this.hooks.launched();
  }

  private receive(process: EngineProcess, message: FromWorker): void {
    if (this.process !== process) {
      return;
    }
    if (message.kind === "failed") {
      this.cause = message.reason;
      this.failedAt = message.parsing ?? 0;
      return;
    }
    if (message.kind === "ready") {
      this.become({ kind: "running" });
    }
    if (message.kind === "state" && message.state.phase === "ready") {
      // Only an engine that got through its work shows that neither cache nor files were the cause.
      this.crashesSinceReady = 0;
    }
    this.hooks.message(message);
  }

  private down(reason: string): void {
    const now = this.now();
    this.leaveOutWhatItParsed();
    this.total += 1;
    this.crashesSinceReady += 1;
    this.crashTimes = [...this.crashTimes.filter((time) => now - time < this.policy.withinMs), now];
    if (this.crashTimes.length > this.policy.crashes) {
      this.become({ kind: "failed", reason });
    } else {
      const inMs = Math.min(this.policy.longestDelayMs, this.policy.firstDelayMs * 2 ** (this.crashTimes.length - 1));
      this.become({ kind: "restarting", inMs, reason });
      this.timer = setTimeout(() => {
        this.launch();
      }, inMs);
    }
    this.hooks.crashed(reason, this.total);
  }

  /** The text that the worker was at when it went is not tried by the next one. */
  private leaveOutWhatItParsed(): void {
    const key = this.parsing ? Atomics.load(this.parsing, 0) >>> 0 : this.failedAt;
    this.parsing = undefined;
    this.failedAt = 0;
    if (key !== 0) {
      this.leftOut = [...this.leftOut, key].slice(-MOST_LEFT_OUT);
    }
  }

  private become(life: Life): void {
    this.current = life;
    this.hooks.lifeChanged(life);
  }
}

/** Memory for one number that a worker writes; none in browsers that let no threads share any. */
function newCell(): Int32Array<SharedArrayBuffer> | undefined {
  return typeof SharedArrayBuffer === "undefined" ? undefined : new Int32Array(new SharedArrayBuffer(4));
}
