/**
 * A workspace without an editor: the extension's engine worker, supervised as there, on folders of the disk.
 * The disk tells of no changes; before a call every folder is listed again.
 */
import { EngineClient, type Cancellation } from "../core/client";
import { readSettings, type RawSettings } from "../core/config";
import type { FilesReply, FromWorker, HostRequest } from "../core/messages";
import { Supervisor } from "../core/supervisor";
import { workerEnvironment } from "../core/workerEnvironment";
import type { Answer, AnswerFormat, Caller, Config, Root, State } from "../generated/protocol";
import { cacheFile } from "./cachePlace";
import { launchEngine } from "./engineProcess";

/** What a person said of a workspace. */
export interface WorkspaceOptions {
  roots: Root[];
  /** Where the workers' scripts and the module are. */
  assets: string;
  useCache: boolean;
  /** Whether a `.context/` of a root is used. */
  trustContext: boolean;
  settings: Pick<RawSettings, "maxFileSize" | "excludeGenerated" | "memoryCeiling">;
  /** Whether the workspace lives on, so that the disk may change between calls. */
  isServed: boolean;
}

/** A reply to what only an editor can do. */
const NO_EDITOR = "The WebAssembly program edits no files.";
const NO_MODEL = "The WebAssembly program asks no model.";

/** A folder's ignore file that changes has every folder below it listed again. */
const EVERYTHING = ".ignore";

/** How long the end of the process waits for the cache to be written, in ms. */
const SAVE_PATIENCE_MS = 5_000;

/** An indexed workspace. */
export class NodeWorkspace {
  private readonly supervisor: Supervisor;
  private readonly client: EngineClient;
  private readonly waiting = new Set<() => void>();
  private state: State | undefined;
  private isConnected = false;
  private calls = 0;
  private saved: (() => void) | undefined;

  /** `log` is given lines for stderr. */
  constructor(
    private readonly options: WorkspaceOptions,
    private readonly log: (level: string, line: string) => void,
  ) {
    this.supervisor = new Supervisor(
      {
        launch: () => launchEngine(options.assets, workerEnvironment(process.env, false)),
        startOptions: (useCache) => this.startOptions(useCache),
        launched: () => {
          this.configure();
        },
        message: (message) => {
          this.receive(message);
        },
        lifeChanged: () => undefined,
        crashed: (reason) => {
          this.crashed(reason);
        },
      },
      Date.now,
    );
    this.client = new EngineClient(
      {
        post: (message) => {
          this.supervisor.post(message);
        },
        connected: () => this.isConnected,
        givenUp: () => (this.supervisor.life.kind === "failed" ? this.supervisor.life.reason : undefined),
        silent: () => {
          this.supervisor.kill("the engine did not answer");
        },
      },
      Date.now,
    );
    this.supervisor.start();
  }

  /** Calls a tool when the index is what the disk is. Always resolves to an answer. */
  async call(tool: string, args: unknown, caller: Caller, cancellation?: Cancellation): Promise<Answer> {
    const format: AnswerFormat = caller.kind === "mcp" ? "both" : "json";
    await this.upToDate();
    return this.client.call({ tool, args, caller, format }, cancellation);
  }

  /** Resolves when every file is in the index, or there is no engine any more. */
  async ready(): Promise<void> {
    while (!this.isSettled()) {
      await new Promise<void>((done) => {
        this.waiting.add(done);
      });
    }
  }

  /** Ends the engine after what it has to write. */
  async close(): Promise<void> {
    if (this.options.useCache && this.supervisor.life.kind === "running") {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, SAVE_PATIENCE_MS);
        this.saved = () => {
          clearTimeout(timer);
          done();
        };
        this.supervisor.post({ kind: "save" });
      });
    }
    this.client.dispose();
    this.supervisor.dispose();
  }

  private isSettled(): boolean {
    const phase = this.state?.phase;
    const isIndexed = phase === "ready" || phase === "cancelled" || phase === "empty";
    return isIndexed || this.supervisor.life.kind === "failed" || this.supervisor.life.kind === "stopped";
  }

  /** The first call has the index that was just made; later ones have every folder listed again. */
  private async upToDate(): Promise<void> {
    await this.ready();
    this.calls += 1;
    if (this.calls === 1 || !this.options.isServed || !this.isConnected) {
      return;
    }
    const paths = this.options.roots.map(({ path }) => `${path}/${EVERYTHING}`);
    this.supervisor.post({ kind: "changed", paths: paths.join("\0") });
    // Messages keep their order: this answer knows of the change, and a later state is one after it.
    const { json } = await this.client.call({
      tool: "codecortex_status",
      args: { format: "json" },
      caller: { kind: "editor" },
      format: "json",
    });
    if (!/"phase":"(?:ready|cancelled|empty)"/.test(json ?? "")) {
      this.state = undefined;
      await this.ready();
    }
  }

  private startOptions(useCache: boolean) {
    const { assets, roots } = this.options;
    const options = {
      assets: { kind: "folder" as const, path: assets },
      useCache: useCache && this.options.useCache,
      workers: 0,
    };
    return this.options.useCache ? { ...options, cache: cacheFile(roots, process.env) } : options;
  }

  private configure(): void {
    const { roots } = this.options;
    this.state = undefined;
    this.supervisor.post({ kind: "event", event: { type: "configure", roots, config: this.config() } });
    this.supervisor.post({ kind: "event", event: { type: "watching", unwatched: "unavailable" } });
    this.isConnected = true;
    this.client.send();
  }

  private config(): Required<Config> {
    const { config } = readSettings({ ...NO_SETTINGS, ...this.options.settings });
    const untrusted = this.options.trustContext ? [] : this.options.roots.map(({ path }) => path);
    return { ...config, untrustedContexts: untrusted };
  }

  private receive(message: FromWorker): void {
    this.client.heard();
    switch (message.kind) {
      case "state":
        this.state = message.state;
        this.wake();
        break;
      case "answer":
        this.client.answered(message.id, message.answer);
        break;
      case "files":
        this.supervisor.post({ kind: "files", id: message.id, reply: replyTo(message.request) });
        break;
      case "log":
        this.log(message.level, message.message);
        break;
      case "notice":
        this.log("warn", message.text);
        break;
      case "saved":
        this.saved?.();
        break;
      case "ready":
        this.log("info", `the engine started in ${message.startMs.toFixed(0)} ms; cache: ${message.cache}`);
        break;
      case "window":
      case "alive":
      case "failed":
        break;
    }
  }

  private crashed(reason: string): void {
    this.isConnected = false;
    this.state = undefined;
    this.log("error", `the engine stopped: ${reason}`);
    if (this.supervisor.life.kind === "failed") {
      this.client.abandoned(reason);
    } else {
      this.client.lost(reason);
    }
    this.saved?.();
    this.wake();
  }

  private wake(): void {
    for (const done of this.waiting) {
      this.waiting.delete(done);
      done();
    }
  }
}

/** Nothing is set: `readSettings` has the defaults. */
const NO_SETTINGS: RawSettings = {
  maxFileSize: undefined,
  exclude: undefined,
  excludeGenerated: undefined,
  format: undefined,
  workers: undefined,
  profile: undefined,
  anchorMinutes: undefined,
  record: undefined,
  telemetry: undefined,
  keepContext: undefined,
  memoryCeiling: undefined,
  mergeProviders: false,
  providerTimeout: undefined,
  externalTypes: undefined,
  automaticImports: undefined,
  generatedMembers: undefined,
  filesExclude: [],
};

/** The reply to what the worker would have an editor do. */
function replyTo(request: HostRequest): FilesReply {
  switch (request.op) {
    case "apply":
      return { op: "apply", outcome: { type: "failed", reason: NO_EDITOR } };
    case "appliedEdits":
      return { op: "appliedEdits", edits: [] };
    case "consult":
      return { op: "consult", reply: {} };
    case "askModel":
      return {
        op: "askModel",
        outcome: { type: "failed", failure: "unreachable", message: NO_MODEL, retryAfterMs: null },
      };
    default:
      return { op: "failed", code: "Unavailable" };
  }
}
