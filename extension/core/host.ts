/**
 * The extension's side of the engine: everything the surfaces share.
 *
 * It wires supervisor, client, document feed and bridge together and tells the surfaces when what
 * they show has changed; it draws nothing itself.
 */
import type { ExtensionContext, LogOutputChannel, Uri } from "vscode";

import { EngineClient, type Call, type Cancellation } from "./client";
import type { OwnQuestions } from "./consult";
import { disposeAll, type Disposable } from "./disposable";
import { DocumentFeed, FEED_SLICE } from "./documents";
import { Emitter } from "./emitter";
import { answerParts, type AnswerOf } from "./envelope";
import { Ledger } from "./ledger";
import type {
  Assets,
  FilesReply,
  FilesRequest,
  FromWorker,
  HostRequest,
  PlainEvent,
  StartOptions,
  Usage,
} from "./messages";
import { toPath, toUri, type UriParts } from "./paths";
import { HoldMeter, Slices } from "./schedule";
import { sameConfig, type Settings } from "./config";
import type { EngineView } from "./status";
import { Supervisor, type Life } from "./supervisor";
import { WindowFeed } from "./windowFeed";
import type { ToolName } from "../generated/answers";
import type {
  Answer,
  ModelOutcome,
  ModelRequest,
  ProviderQuestion,
  ProviderReply,
  Root,
  State,
} from "../generated/protocol";
import type { Platform } from "./platform";

/** So many files more or less are worth a line in the log. */
const WORTH_LOGGING = 50;

/** What the host is made with. */
export interface HostParts {
  context: ExtensionContext;
  platform: Platform;
  log: LogOutputChannel;
  meter: HoldMeter;
  slices: Slices;
  /** Reads the settings and folders of this moment. */
  settings(): Settings;
  roots(): Root[];
  /** Reads files that only the editor can reach. */
  serveFiles(request: FilesRequest): Promise<FilesReply>;
  /** Asks the editor's language providers. */
  askProviders(question: ProviderQuestion): Promise<ProviderReply>;
  /** Asks the language model that the user chose. */
  askModel(id: number, request: ModelRequest): Promise<ModelOutcome>;
  /** Nobody waits for that answer any more. */
  cancelModel(id: number): void;
  /** What is asked by ourselves right now. */
  own: OwnQuestions;
  /** Makes an address of its parts. */
  uri(parts: UriParts): Uri;
  /** Shows a person a sentence that they should know of. */
  warn(sentence: string): void;
}

/** The engine as the surfaces see it. */
export class Host implements Disposable {
  readonly ledger = new Ledger();
  readonly documents: DocumentFeed;
  readonly promptWindow: WindowFeed;
  readonly supervisor: Supervisor;
  private readonly client: EngineClient;
  private readonly changes: Emitter<EngineView>;
  private readonly crashes: Emitter<string>;
  private readonly calls: Emitter<string>;
  private readonly replays: (() => void)[] = [];
  private readonly beforeCalls: (() => void)[] = [];
  private state: State | undefined;
  private usage: Usage | undefined;
  private logged: State | undefined;
  private inForce: Settings;
  private configured = "";
  private launched = false;
  /** Counts launches and crashes: what was begun for an engine that is gone is not finished. */
  private launch = 0;
  private assets: Assets | Error = new Error("the extension's files were not read yet");

  /** What the status bar shows has changed. */
  readonly onDidChange: Emitter<EngineView>["event"];
  /** The engine is gone, with the reason. */
  readonly onDidCrash: Emitter<string>["event"];
  /** A tool has answered: its name. */
  readonly onDidCall: Emitter<string>["event"];

  constructor(private readonly parts: HostParts) {
    const failed = (error: unknown): void => {
      parts.log.error(`a surface failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    };
    this.changes = new Emitter(failed);
    this.crashes = new Emitter(failed);
    this.onDidChange = this.changes.event;
    this.onDidCrash = this.crashes.event;
    this.calls = new Emitter(failed);
    this.onDidCall = this.calls.event;
    this.inForce = parts.settings();
    this.supervisor = new Supervisor(
      {
        launch: () => parts.platform.launch(this.ready()),
        startOptions: (useCache) => this.startOptions(useCache),
        // Starting a thread takes long enough by itself.
        launched: () => {
          this.launch += 1;
          const { launch } = this;
          parts.slices.add("engine: configure", () => {
            this.replay(launch);
          });
        },
        message: (message) => {
          this.meter.measure(`engine: ${message.kind}`, () => {
            this.receive(message);
          });
        },
        lifeChanged: (life) => {
          this.lifeChanged(life);
        },
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
        connected: () => this.launched,
        givenUp: () => (this.supervisor.life.kind === "failed" ? this.supervisor.life.reason : undefined),
        silent: () => {
          this.supervisor.kill("the engine did not answer");
        },
      },
      Date.now,
    );
    this.documents = new DocumentFeed(
      (event) => {
        this.send(event);
      },
      parts.slices,
      {
        ...FEED_SLICE,
        maxCharacters: () => this.inForce.config.maxFileSize,
      },
    );
    this.promptWindow = new WindowFeed({
      ask: () => this.look("codecortex_getContext", { list: true }),
      changed: () => {
        this.show();
      },
      measure: (work) => {
        this.meter.measure("window: read", work);
      },
    });
  }

  get log(): LogOutputChannel {
    return this.parts.log;
  }

  get meter(): HoldMeter {
    return this.parts.meter;
  }

  get slices(): Slices {
    return this.parts.slices;
  }

  /** What we ask other providers right now: ours say nothing to it. */
  get own(): OwnQuestions {
    return this.parts.own;
  }

  get platform(): Platform {
    return this.parts.platform;
  }

  /** The settings in force. */
  get settings(): Settings {
    return this.inForce;
  }

  /** Everything there is to show. */
  view(): EngineView {
    const { life, crashes } = this.supervisor;
    const { window, problem } = this.promptWindow;
    const { state, usage } = this;
    return { life, state, usage, spends: this.ledger.byCost(), crashes, window, windowProblem: problem };
  }

  /** The engine's path of an address. */
  path(uri: Uri): string {
    return toPath(uri, this.platform.windows);
  }

  /** The address of an engine's path. */
  uri(path: string): Uri {
    return this.parts.uri(toUri(path, this.platform.windows));
  }

  /** Starts the engine, also again after it was given up. */
  async start(): Promise<void> {
    const { context, platform } = this.parts;
    this.assets = await platform
      .assets(context)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    this.meter.measure("engine: start", () => {
      this.supervisor.start();
    });
  }

  /** Tells the engine of something that happened. */
  send(event: PlainEvent): void {
    this.supervisor.post({ kind: "event", event });
  }

  /** A person says that observations of a root are kept. */
  keepObservations(root: number): void {
    this.supervisor.post({ kind: "observations", root, keep: true });
  }

  /** Tells the engine of files that changed. */
  changed(paths: Iterable<string>): void {
    this.supervisor.post({ kind: "changed", paths: [...paths].join("\0") });
  }

  /** Does something each time a new engine was launched and configured. */
  onLaunch(replay: () => void): void {
    this.replays.push(replay);
  }

  /** Does something before each call, so that the answer knows of it. */
  onBeforeCall(work: () => void): void {
    this.beforeCalls.push(work);
  }

  /** Reads settings and folders again and tells the engine where they differ. */
  configure(): void {
    const before = this.inForce;
    this.inForce = this.parts.settings();
    if (before.workers !== this.inForce.workers) {
      this.launched = false;
      this.client.lost("The engine is being restarted because a setting changed.");
      this.supervisor.restart();
      return;
    }
    const roots = this.parts.roots();
    const key = JSON.stringify(roots);
    if (key !== this.configured || !sameConfig(before.config, this.inForce.config)) {
      this.sendConfiguration(roots, key);
    }
  }

  /** Calls a tool; what the model is given is booked, what a person asks for is not. */
  async call(call: Call, cancellation?: Cancellation): Promise<Answer> {
    const begin = Date.now();
    // Text that is still being read belongs to what the answer is about.
    await this.settled();
    const answer = await this.client.call(call, cancellation);
    this.calls.fire(call.tool);
    if (call.caller.kind === "lm") {
      this.ledger.book(call.tool, answerParts(answer), Date.now() - begin);
      this.show();
    }
    return answer;
  }

  /** Resolves when the engine was told all that happened in the editor up to now. */
  private async settled(): Promise<void> {
    for (const work of this.beforeCalls) {
      work();
    }
    await this.slices.drained();
  }

  /** Calls a tool for what a person is shown: that is no use of a symbol, and costs no model anything. */
  look<Name extends ToolName>(tool: Name, args: Record<string, unknown>): Promise<AnswerOf<Name>> {
    return this.call({ tool, args: { ...args, format: "json" }, caller: { kind: "editor" }, format: "json" });
  }

  dispose(): void {
    disposeAll([this.changes, this.crashes, this.calls, this.promptWindow, this.client, this.supervisor]);
  }

  private startOptions(useCache: boolean): StartOptions {
    const { context, platform } = this.parts;
    const options = { assets: this.ready(), useCache, workers: this.inForce.workers };
    const cache = platform.cache(context);
    return cache === undefined ? options : { ...options, cache };
  }

  /** What workers are started from; where it could not be had, that is why the start fails. */
  private ready(): Assets {
    if (this.assets instanceof Error) {
      throw this.assets;
    }
    return this.assets;
  }

  /** Tells a new engine all that the old one knew from the editor; calls come last. */
  private replay(launch: number): void {
    if (launch !== this.launch) {
      return;
    }
    const roots = this.parts.roots();
    this.sendConfiguration(roots, JSON.stringify(roots));
    for (const replay of this.replays) {
      replay();
    }
    void this.slices.drained().then(() => {
      if (launch === this.launch) {
        this.launched = true;
        this.client.send();
      }
    });
  }

  private sendConfiguration(roots: Root[], key: string): void {
    this.configured = key;
    this.send({ type: "configure", roots, config: this.inForce.config });
  }

  private receive(message: FromWorker): void {
    this.client.heard();
    switch (message.kind) {
      case "ready":
        this.log.info(`The engine started in ${message.startMs.toFixed(0)} ms; cache: ${message.cache}.`);
        break;
      case "state":
        this.stateChanged(message.state, message.usage);
        break;
      case "answer":
        this.client.answered(message.id, message.answer);
        break;
      case "window":
        this.promptWindow.invalidate();
        break;
      case "log":
        this.log[message.level](message.message);
        break;
      case "notice":
        this.log.warn(message.text);
        this.parts.warn(message.text);
        break;
      case "files":
        void this.serve(message.id, message.request);
        break;
      case "alive":
      case "failed":
      case "saved":
        break;
    }
  }

  private async serve(id: number, request: HostRequest): Promise<void> {
    const reply = await this.replyTo(request);
    this.meter.measure("bridge: reply", () => {
      this.supervisor.post({ kind: "files", id, reply }, reply.op === "read" ? [reply.bytes.buffer] : []);
    });
  }

  private async replyTo(request: HostRequest): Promise<FilesReply> {
    switch (request.op) {
      case "consult":
        return { op: "consult", reply: await this.parts.askProviders(request.question) };
      case "askModel":
        return { op: "askModel", outcome: await this.parts.askModel(request.id, request.request) };
      case "cancelModel":
        this.parts.cancelModel(request.id);
        return { op: "failed", code: "Cancelled" };
      case "apply": {
        const reply = await this.client.patiently(() => this.parts.serveFiles(request));
        // The changes themselves come before the news that they were made: so the engine knows whose they are.
        await this.settled();
        return reply;
      }
      default:
        return this.parts.serveFiles(request);
    }
  }

  private stateChanged(state: State, usage: Usage): void {
    this.logState(state);
    this.state = state;
    this.usage = usage;
    this.show();
    this.promptWindow.follow(state.phase);
  }

  /** Every saved file makes the phases change; only what a reader of the log would miss is written as such. */
  private logState(state: State): void {
    if (this.state?.phase === state.phase) {
      return;
    }
    const line = `${state.phase}: ${state.files} files, ${state.symbols} symbols, ${state.pending} pending, ${state.skipped} left out.`;
    const passing = state.phase === "scanning" || state.phase === "indexing";
    const known = this.logged?.phase === state.phase && Math.abs(this.logged.files - state.files) < WORTH_LOGGING;
    if (passing || known) {
      this.log.debug(line);
    } else {
      this.logged = state;
      this.log.info(line);
    }
  }

  private lifeChanged(life: Life): void {
    if (life.kind === "restarting" || life.kind === "failed") {
      this.log.error(`The engine stopped: ${life.reason}`);
    }
    this.show();
  }

  private crashed(reason: string): void {
    this.launch += 1;
    this.launched = false;
    this.state = undefined;
    this.usage = undefined;
    this.promptWindow.follow(undefined);
    if (this.supervisor.life.kind === "failed") {
      this.client.abandoned(reason);
    } else {
      this.client.lost(reason);
    }
    this.crashes.fire(reason);
  }

  private show(): void {
    this.changes.fire(this.view());
  }
}
