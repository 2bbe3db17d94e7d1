/** A small engine and small workers in the place of the real ones. */
import type { FromParser, Job, ToParser } from "../../../extension/worker/jobs";
import type { Engine, EngineModule } from "../../../extension/worker/module";
import type { ParserProcess } from "../../../extension/worker/pool";
import type { Effect, Event } from "../../../extension/generated/protocol";

/** Bytes of a text, and back. */
export const encode = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** What was handed in for one file. */
export interface Ingested {
  root: number;
  path: string;
  size: number;
  mtimeMs: number;
  outcome: string;
}

/** An engine that records what it is told and answers what a test wants. */
export class FakeEngine implements Engine {
  events: Event[] = [];
  ingested: Ingested[] = [];
  imported: string | undefined;
  /** What each event gives; an error is thrown. */
  onEvent: (event: Event) => Effect[] | Error = () => [];
  onIngest: (file: Ingested) => Effect[] | Error = () => [];
  acceptsCache = true;
  exports = 0;

  handle(event: Event): Effect[] {
    this.events.push(event);
    return orThrow(this.onEvent(event));
  }
  ingest(root: number, path: string, size: number, mtimeMs: number, outcome: Uint8Array): Effect[] {
    const file = { root, path, size, mtimeMs, outcome: decode(outcome) };
    this.ingested.push(file);
    return orThrow(this.onIngest(file));
  }
  exportCache(nowMs: number): Uint8Array {
    this.exports += 1;
    return encode(`cache at ${nowMs}`);
  }
  importCache(bytes: Uint8Array): boolean {
    this.imported = decode(bytes);
    return this.acceptsCache;
  }
}

function orThrow(effects: Effect[] | Error): Effect[] {
  if (effects instanceof Error) {
    throw effects;
  }
  return effects;
}

/** A module whose facts of a file are its text in capitals. */
export class FakeModule implements EngineModule {
  readonly engine = new FakeEngine();

  analyse(path: string, bytes: Uint8Array, maxFileSize: number, excludeGenerated: boolean): Uint8Array {
    const text = decode(bytes);
    if (text === "trap") {
      throw new WebAssembly.RuntimeError("unreachable");
    }
    return encode(`${path} ${maxFileSize} ${String(excludeGenerated)} ${text.toUpperCase()}`);
  }
  unreadable(reason: string): Uint8Array {
    return encode(`unreadable: ${reason}`);
  }
  createEngine(): Engine {
    return this.engine;
  }
  /** Told of parses, once somebody watches them. */
  parses: ((key: number) => void) | undefined;
  leftOut: number[] = [];
  watchParses(tell: (key: number) => void): void {
    this.parses = tell;
  }
  leaveOutParse(key: number): void {
    this.leftOut.push(key);
  }
  memoryBytes(): number {
    return 1_000;
  }
}

/** A parse worker that answers when a test says so. */
export class FakeParser implements ParserProcess {
  jobs: { id: number; job: Job }[] = [];
  terminated = false;
  private answer: ((message: FromParser) => void) | undefined;
  private exit: ((reason: string) => void) | undefined;

  post(message: ToParser): void {
    if (message.kind === "job") {
      this.jobs.push(message);
    }
  }
  onMessage(listener: (message: FromParser) => void): void {
    this.answer = listener;
  }
  onExit(listener: (reason: string) => void): void {
    this.exit = listener;
  }
  terminate(): void {
    this.terminated = true;
    this.exit?.("terminated");
  }
  /** Answers the oldest job. */
  done(outcome = "facts"): void {
    const job = this.take();
    const result = job.job.kind === "list" ? [] : { size: 1, mtimeMs: 2, outcome: encode(outcome) };
    this.answer?.({ id: job.id, ok: true, result, memoryBytes: 500 });
  }
  fails(reason: string, broken: boolean): void {
    this.answer?.({ id: this.take().id, ok: false, reason, broken, memoryBytes: 500 });
  }
  dies(reason: string): void {
    this.exit?.(reason);
  }

  private take(): { id: number; job: Job } {
    const job = this.jobs.shift();
    if (!job) {
      throw new Error("this worker has nothing to do");
    }
    return job;
  }
}

/** Lets promises that are settled run on. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** The smallest module there is. */
export const EMPTY_MODULE = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
