/**
 * Parse workers: started when there is work, ended when there has been none for a while.
 *
 * Linear memory never shrinks, so ending the workers is how the memory of a big index is given
 * back. A file that kills or hangs its worker costs that one file: the worker is replaced, what else
 * it had been given goes to another one.
 */
import type { FromParser, Job, JobResults, ToParser } from "./jobs";

/** A parse worker, whatever it runs on. */
export interface ParserProcess {
  post(message: ToParser, hand: ArrayBuffer[]): void;
  onMessage(listener: (message: FromParser) => void): void;
  /** Called once when the worker is gone. */
  onExit(listener: (reason: string) => void): void;
  terminate(): void;
}

/** How the pool is run. */
export interface PoolOptions {
  spawn(): ParserProcess;
  module: WebAssembly.Module;
  size: number;
  /** A worker without work for this long is ended. */
  idleMs: number;
  /** A job that takes longer than this is given up with its worker. */
  timeoutMs: number;
  /** Something a person may want to read about. */
  warn(message: string): void;
  /** A worker was ended because there was nothing to do. */
  rested(): void;
}

/** Idle and time limits: short enough to give memory back soon, long enough for slow disks. */
export const POOL_TIMES = { idleMs: 3_000, timeoutMs: 60_000 };

/** Jobs a worker is given ahead, so that it need not wait for the next one. */
const AHEAD = 3;

/** The size where the user chose none: one core stays free for the editor. */
export function poolSize(chosen: number, cores: number): number {
  return chosen > 0 ? chosen : Math.max(1, Math.min(cores - 1, 4));
}

/** The job failed; the message is a sentence for the user. */
export class JobError extends Error {}

interface Task {
  id: number;
  job: Job;
  hand: ArrayBuffer[];
  resolve(result: JobResults[Job["kind"]]): void;
  reject(error: JobError): void;
}

interface Parser {
  process: ParserProcess;
  /** Given and not answered, in order; the first one is being worked on. */
  tasks: Task[];
  memoryBytes: number;
  watch: ReturnType<typeof setTimeout> | undefined;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Runs jobs on a few workers. */
export class ParserPool {
  private readonly queue: Task[] = [];
  private readonly parsers = new Set<Parser>();
  private nextId = 1;
  private disposed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Workers alive. */
  get alive(): number {
    return this.parsers.size;
  }

  /** How many workers there may be. */
  get size(): number {
    return this.options.size;
  }

  /** Jobs that keep every worker busy without a pause. */
  get width(): number {
    return this.options.size * AHEAD;
  }

  /** Linear memory of all workers, as of their last answers. */
  get memoryBytes(): number {
    return [...this.parsers].reduce((sum, parser) => sum + parser.memoryBytes, 0);
  }

  /** Runs a job; `hand` is given away with it. */
  run<K extends Job["kind"]>(job: Extract<Job, { kind: K }>, hand: ArrayBuffer[] = []): Promise<JobResults[K]> {
    if (this.disposed) {
      return Promise.reject(new JobError("the parsers were shut down"));
    }
    return new Promise((resolve, reject) => {
      this.queue.push({
        id: this.nextId,
        job,
        hand,
        // A worker answers a job with the result of its kind; see `FromParser`.
        resolve: (result) => {
          resolve(result as JobResults[K]);
        },
        reject,
      });
      this.nextId += 1;
      this.distribute();
    });
  }

  /** Ends all workers; what was not done is rejected. */
  dispose(): void {
    this.disposed = true;
    const lost = [...this.queue.splice(0), ...[...this.parsers].flatMap((parser) => parser.tasks)];
    for (const parser of [...this.parsers]) {
      this.end(parser);
    }
    for (const task of lost) {
      task.reject(new JobError("the parsers were shut down"));
    }
  }

  private distribute(): void {
    while (this.queue.length > 0) {
      const parser = this.freest();
      if (!parser) {
        return;
      }
      const task = this.queue.shift();
      if (task) {
        this.give(parser, task);
      }
    }
  }

  /** The worker with least to do, a new one while there may be more and all are busy. */
  private freest(): Parser | undefined {
    let best: Parser | undefined;
    for (const parser of this.parsers) {
      if (!best || parser.tasks.length < best.tasks.length) {
        best = parser;
      }
    }
    if ((!best || best.tasks.length > 0) && this.parsers.size < this.options.size) {
      return this.spawn();
    }
    return best && best.tasks.length < AHEAD ? best : undefined;
  }

  private spawn(): Parser {
    const parser: Parser = {
      process: this.options.spawn(),
      tasks: [],
      memoryBytes: 0,
      watch: undefined,
      idle: undefined,
    };
    this.parsers.add(parser);
    parser.process.onMessage((message) => {
      this.answered(parser, message);
    });
    parser.process.onExit((reason) => {
      this.lost(parser, reason);
    });
    parser.process.post({ kind: "module", module: this.options.module }, []);
    return parser;
  }

  private give(parser: Parser, task: Task): void {
    clearTimeout(parser.idle);
    parser.tasks.push(task);
    parser.process.post({ kind: "job", id: task.id, job: task.job }, task.hand);
    if (parser.tasks.length === 1) {
      this.watch(parser);
    }
  }

  private answered(parser: Parser, message: FromParser): void {
    if (!this.parsers.has(parser)) {
      return;
    }
    parser.memoryBytes = message.memoryBytes;
    const index = parser.tasks.findIndex((task) => task.id === message.id);
    const [task] = index < 0 ? [] : parser.tasks.splice(index, 1);
    if (message.ok) {
      task?.resolve(message.result);
    } else {
      task?.reject(new JobError(message.reason));
      if (message.broken) {
        this.replace(parser);
        return;
      }
    }
    this.watch(parser);
    this.distribute();
    this.rest(parser);
  }

  /** The worker died: the job it was at is to blame, the others go elsewhere. */
  private lost(parser: Parser, reason: string): void {
    if (this.parsers.has(parser)) {
      this.blame(parser, `the parser gave up on it: ${reason}`);
    }
  }

  private blame(parser: Parser, reason: string): void {
    parser.tasks.shift()?.reject(new JobError(reason));
    this.options.warn(`A parse worker was replaced: ${reason}`);
    this.replace(parser);
  }

  private replace(parser: Parser): void {
    const left = parser.tasks.splice(0);
    this.end(parser);
    for (const task of left.reverse()) {
      // Bytes that were handed over died with the worker; the caller reads them again.
      if (task.hand.length > 0) {
        task.reject(new JobError("the parser was replaced while the file waited"));
      } else {
        this.queue.unshift(task);
      }
    }
    this.distribute();
  }

  private end(parser: Parser): void {
    this.parsers.delete(parser);
    clearTimeout(parser.watch);
    clearTimeout(parser.idle);
    parser.process.terminate();
  }

  /** Times the job the worker is at now. */
  private watch(parser: Parser): void {
    clearTimeout(parser.watch);
    if (parser.tasks.length > 0) {
      parser.watch = setTimeout(() => {
        this.blame(parser, `the parser did not come to an end within ${this.options.timeoutMs / 1000} s`);
      }, this.options.timeoutMs);
    }
  }

  private rest(parser: Parser): void {
    if (parser.tasks.length === 0) {
      clearTimeout(parser.idle);
      parser.idle = setTimeout(() => {
        this.end(parser);
        this.options.rested();
      }, this.options.idleMs);
    }
  }
}
