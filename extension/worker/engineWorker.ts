/**
 * The engine worker's life: loads the module, reads the cache, then passes messages to the session.
 * What comes before that is done waits in order.
 */
import { failureAnswer, CANCELLED } from "../core/envelope";
import type { Assets, FromWorker, StartOptions, ToWorker } from "../core/messages";
import type { CacheStore } from "./cache";
import type { ContextStore } from "./context";
import { EngineSession } from "./engineCore";
import type { FileSource } from "./files";
import { HostRequests, type AskHost } from "./hostFiles";
import { describe, type EngineModule } from "./module";
import type { PersonalStore } from "./personalSettings";
import type { TelemetryLogs } from "./telemetryLog";
import { ParserPool, POOL_TIMES, poolSize, type ParserProcess } from "./pool";

/** What differs between desktop and web. */
export interface Platform {
  /** Compiles the module. */
  compile(assets: Assets): Promise<WebAssembly.Module>;
  instantiate(module: WebAssembly.Module): EngineModule;
  /** Starts a parse worker. */
  spawnParser(assets: Assets): ParserProcess;
  cores: number;
  cache(location: string | undefined): CacheStore;
  files(pool: ParserPool, ask: AskHost): FileSource;
  context(ask: AskHost): ContextStore;
  personal: PersonalStore;
  telemetry: TelemetryLogs;
  /** What the module printed last before it trapped, which is the panic's message. */
  lastWords(): string | undefined;
  post(message: FromWorker): void;
  /** Ends this worker. */
  exit(): void;
  /** Whether a test may have the worker crash. */
  crashable: boolean;
}

/** Receives the messages of the extension host. */
export class EngineWorker {
  private readonly requests: HostRequests;
  private session: EngineSession | undefined;
  private waiting: ToWorker[] = [];
  /** The number of the text that the engine parses; 0 between two. */
  private parsing = 0;

  constructor(private readonly platform: Platform) {
    this.requests = new HostRequests((id, request) => {
      platform.post({ kind: "files", id, request });
    });
  }

  /** A message of the extension host. */
  receive(message: ToWorker): void {
    switch (message.kind) {
      case "start":
        void this.start(message.options);
        break;
      case "files":
        this.requests.replied(message.id, message.reply);
        break;
      case "cancel":
        this.cancel(message.id);
        break;
      case "crash":
        if (this.platform.crashable) {
          this.broken("a test asked for it");
        }
        break;
      default:
        if (this.session) {
          this.session.receive(message);
        } else {
          this.waiting.push(message);
        }
    }
  }

  private async start(options: StartOptions): Promise<void> {
    const { platform } = this;
    const begin = performance.now();
    try {
      const compiled = await platform.compile(options.assets);
      const module = platform.instantiate(compiled);
      this.watchParses(module, options);
      const pool = this.pool(options, compiled);
      const session = new EngineSession({
        module,
        files: platform.files(pool, this.requests.ask),
        cache: platform.cache(options.cache),
        context: platform.context(this.requests.ask),
        personal: platform.personal,
        telemetry: platform.telemetry,
        ask: this.requests.ask,
        useCache: options.useCache,
        parsers: () => ({ bytes: pool.memoryBytes, count: pool.alive }),
        post: (message) => {
          platform.post(message);
        },
        broken: (reason) => {
          this.broken(reason);
        },
        now: () => Date.now(),
      });
      const cache = await session.readCache();
      platform.post({ kind: "ready", startMs: performance.now() - begin, cache });
      this.session = session;
      for (const message of this.waiting.splice(0)) {
        session.receive(message);
      }
    } catch (error) {
      this.broken(`the engine could not be started: ${describe(error)}`);
    }
  }

  private pool(options: StartOptions, module: WebAssembly.Module): ParserPool {
    return new ParserPool({
      ...POOL_TIMES,
      spawn: () => this.platform.spawnParser(options.assets),
      module,
      size: poolSize(options.workers, this.platform.cores),
      warn: (message) => {
        this.platform.post({ kind: "log", level: "warn", message });
      },
      rested: () => this.session?.usageChanged(),
    });
  }

  /** Notes for the extension host what the engine parses, and leaves out what one before it did not come back from. */
  private watchParses(module: EngineModule, { parsing, leftOut }: StartOptions): void {
    const cell = parsing && new Int32Array(parsing);
    module.watchParses((key) => {
      this.parsing = key;
      if (cell) {
        Atomics.store(cell, 0, key);
      }
    });
    for (const key of leftOut ?? []) {
      module.leaveOutParse(key);
    }
  }

  /** A call that still waits for the engine is not even begun; one that is at work ends where it waits. */
  private cancel(id: number): void {
    const index = this.waiting.findIndex((message) => message.kind === "call" && message.id === id);
    if (index >= 0) {
      this.waiting.splice(index, 1);
      this.platform.post({ kind: "answer", id, answer: failureAnswer(CANCELLED, "json") });
    } else {
      this.session?.receive({ kind: "cancel", id });
    }
  }

  private broken(reason: string): void {
    const words = this.platform.lastWords();
    const failed: FromWorker = { kind: "failed", reason: words === undefined ? reason : `${words} (${reason})` };
    this.platform.post(this.parsing === 0 ? failed : { ...failed, parsing: this.parsing });
    this.platform.exit();
  }
}
