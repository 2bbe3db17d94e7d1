/**
 * The engine worker: owns the only engine, carries out what it asks for, and answers calls.
 *
 * Everything here is the same on the desktop and on the web; files, cache and the way back to the
 * extension host come in as interfaces.
 */
import type {
  ApplyOutcome,
  Config,
  DiffOf,
  DiffOutcome,
  DirRef,
  Disagreement,
  Effect,
  Event,
  FileEdit,
  FileRef,
  ModelOutcome,
  ModelRequest,
  MemoryReply,
  MemoryRequest,
  ProviderQuestion,
  Request,
  Response,
  Root,
  State,
  ReadLimits,
} from "../generated/protocol";
import { CANCELLED, failureAnswer } from "../core/envelope";
import { Batcher, Throttle } from "../core/batch";
import type { CacheUse, Configure, FromWorker, ToWorker, Usage } from "../core/messages";
import type { CacheStore } from "./cache";
import { fetched, LARGEST_FETCHED, type Commit, type ContextStore } from "./context";
import type { FileSource } from "./files";
import type { AskHost } from "./hostFiles";
import { ListQueue } from "./listQueue";
import { describe, isTrap, type Engine, type EngineModule } from "./module";
import type { PersonalStore } from "./personalSettings";
import { ReadQueue } from "./readQueue";
import type { TelemetryLogs } from "./telemetryLog";

/** What a session works with. */
export interface SessionParts {
  module: EngineModule;
  files: FileSource;
  cache: CacheStore;
  context: ContextStore;
  personal: PersonalStore;
  telemetry: TelemetryLogs;
  /** Asks the extension host. */
  ask: AskHost;
  useCache: boolean;
  /** Memory of the parse workers. */
  parsers(): { bytes: number; count: number };
  post(message: FromWorker): void;
  /** The engine broke beyond repair; the worker has to end. */
  broken(reason: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A status bar cannot be read faster than this. */
const STATE_EVERY_MS = 100;

/** Who types is not told of each key; who types on and on sees the window move all the same. */
const WINDOW_TIMES = { quietMs: 150, maxMs: 600 };

/** How often an engine that waits for another program says that it lives: who hears nothing for a minute ends it. */
const ALIVE_EVERY_MS = 10_000;

/** The cache is not written while work follows on work. */
const SAVE_AFTER_MS = 2_000;

/**
 * The cache is written as a whole, and a saved file is read again in a moment should it be missing: so
 * writing comes at most once a minute, and takes at most a hundredth of the time.
 */
const SAVE_EVERY_MS = 60_000;
const SAVE_SHARE = 100;

/** One engine at work. */
export class EngineSession {
  private readonly engine: Engine;
  private readonly reads: ReadQueue;
  /** By root, where one has limits of its own. */
  private readonly limits = new Map<number, ReadLimits | null | undefined>();
  private readonly lists: ListQueue;
  private readonly states = new Throttle(STATE_EVERY_MS);
  private readonly windows: Batcher<"window">;
  private roots: Root[] = [];
  private config: Required<Config> | undefined;
  /** Grows when the roots change: what was asked for before must not be handed in afterwards. */
  private generation = 0;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private saving = Promise.resolve();
  /** Lines of the log leave in their order. */
  private appending = Promise.resolve();
  private tickTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the tick that was asked for is due. */
  private tickAt = Infinity;
  /** When each open call came, in ms of a clock that does not jump. */
  private readonly begun = new Map<number, number>();
  /** When the cache may be written again. */
  private nextSave = 0;
  private dead = false;
  /** Messages that came while the cache was read. */
  private held: ToWorker[] | undefined;
  private lastState: State | undefined;

  constructor(private readonly parts: SessionParts) {
    this.engine = parts.module.createEngine();
    this.reads = new ReadQueue(
      () => parts.files.width,
      (file) => this.read(file),
    );
    this.windows = new Batcher(
      WINDOW_TIMES,
      () => parts.now(),
      () => {
        parts.post({ kind: "window" });
      },
    );
    this.lists = new ListQueue(
      () => parts.files.width,
      (dirs) => this.list(dirs),
    );
  }

  /** Reads the cache. Comes before each `configure`: the engine lets go of it once its index is complete. */
  async readCache(): Promise<CacheUse> {
    if (!this.parts.useCache || this.dead) {
      return "skipped";
    }
    try {
      const bytes = await this.parts.cache.read();
      if (!bytes) {
        return "absent";
      }
      return this.engine.importCache(bytes) ? "used" : "refused";
    } catch (error) {
      this.report(error, "reading the cache");
      return "refused";
    }
  }

  /** A message of the extension host. Those that come while the cache is read wait in order. */
  receive(message: ToWorker): void {
    if (message.kind === "cancel") {
      this.cancel(message.id);
    } else if (this.held) {
      this.held.push(message);
    } else if (this.config && message.kind === "event" && message.event.type === "configure") {
      void this.configureAgain(message);
    } else {
      this.take(message);
    }
  }

  /** Other folders or settings: most files are still what they were when the cache was written. */
  private async configureAgain(message: ToWorker): Promise<void> {
    this.held = [];
    await this.readCache();
    const held = this.held;
    this.held = undefined;
    this.take(message);
    for (const later of held) {
      this.receive(later);
    }
  }

  private take(message: ToWorker): void {
    switch (message.kind) {
      case "event":
        this.event(message.event);
        break;
      case "changed":
        this.handle({ type: "changed", paths: message.paths.split("\0") });
        break;
      case "call":
        this.call(message);
        break;
      case "observations":
        this.keepObservations(message.root, message.keep);
        break;
      case "save":
        void this.saveNow();
        break;
      case "start":
      case "cancel":
      case "files":
      case "crash":
        // Dealt with before a session sees them.
        break;
    }
  }

  private event(event: Extract<ToWorker, { kind: "event" }>["event"]): void {
    if (event.type === "configure") {
      this.generation += 1;
      event = this.withPersonal(event);
      this.roots = event.roots;
      this.config = event.config;
      this.reads.clear();
      this.lists.clear();
    } else if (event.type === "reindex") {
      this.generation += 1;
      this.reads.clear();
      this.lists.clear();
    } else if (event.type === "cancelIndexing") {
      this.reads.shorten();
    }
    if (event.type === "opened" || event.type === "edited") {
      this.tellTime();
    }
    this.handle(event);
  }

  /** The settings with those that the person made for these folders. */
  private withPersonal(event: Configure): Configure {
    const personal = this.parts.personal.read(event.roots.map((root) => root.path));
    return { ...event, config: { ...event.config, personal } };
  }

  /** Another program of the person's may have changed their settings. */
  private followPersonal(): void {
    const known = this.config?.personal;
    const now = this.parts.personal.read(this.roots.map((root) => root.path));
    if (this.config && JSON.stringify(known) !== JSON.stringify(now)) {
      this.receive({ kind: "event", event: { type: "configure", roots: this.roots, config: this.config } });
    }
  }

  /** A person says whether observations of a folder are kept. */
  private keepObservations(root: number, keep: boolean): void {
    const folder = this.roots[root];
    if (!folder || !this.config) {
      return;
    }
    const problem = this.parts.personal.keepObservations(folder.path, keep);
    if (problem !== undefined) {
      this.parts.post({ kind: "notice", text: `Observations are not kept: ${problem}.` });
      return;
    }
    this.receive({ kind: "event", event: { type: "configure", roots: this.roots, config: this.config } });
  }

  private call(message: Extract<ToWorker, { kind: "call" }>): void {
    const { id, tool, args, caller } = message;
    this.followPersonal();
    if (this.held) {
      this.held.push(message);
      return;
    }
    if (this.dead) {
      // This worker is ending. The call has done nothing, and its client answers that it can be made again.
      return;
    }
    this.tellTime();
    this.begun.set(id, performance.now());
    const problem = this.handle({ type: "call", id, tool, args, caller });
    if (problem !== undefined) {
      this.begun.delete(id);
      const failure = {
        code: "InternalError" as const,
        message: `The engine could not take the call: ${problem}`,
        retryable: false,
        hint: "Check the arguments against the tool's schema.",
      };
      this.parts.post({ kind: "answer", id, answer: failureAnswer(failure, this.config?.format ?? "json") });
    }
  }

  /** Nobody wants the answer to a call any more. One that waits for the cache is not begun. */
  private cancel(id: number): void {
    const index = this.held?.findIndex((message) => message.kind === "call" && message.id === id) ?? -1;
    if (index >= 0) {
      this.held?.splice(index, 1);
      this.parts.post({ kind: "answer", id, answer: failureAnswer(CANCELLED, this.config?.format ?? "json") });
    } else {
      this.handle({ type: "cancelCall", id });
    }
  }

  /** Does what the engine asks for. It hears of it in any case: somebody waits. */
  private async ask(id: number, request: Request): Promise<void> {
    const reply = await this.port(id, request);
    this.handle({ type: "replied", id, reply, nowMs: this.parts.now() });
  }

  /** The port of each kind of question. */
  private port(id: number, request: Request): Promise<Response> {
    switch (request.type) {
      case "texts":
        return this.texts(request.files, request.confined ?? false);
      case "outsideTexts":
        return this.outsideTexts(request.paths);
      case "log":
        return this.log(request.root, request.most);
      case "diff":
        return this.diff(request.root, request.of);
      case "memory":
        return this.memory(request.root, request.request);
      case "commit":
        return this.commit(request.root, { expect: request.expect, changes: request.changes });
      case "apply":
        return this.apply(request.summary ?? null, request.undoes ?? null, request.files);
      case "appliedEdits":
        return this.appliedEdits(request.lastWithContents);
      case "providers":
        return this.consult(request.question);
      case "telemetry":
        return this.telemetry();
      case "model":
        return this.askModel(id, request.request);
    }
  }

  /** The lines of the log, with those that are on their way. */
  private async telemetry(): Promise<Response> {
    await this.appending;
    return this.parts.telemetry.read(this.roots);
  }

  /** Has the editor make an edit that a tool asks for. */
  private async apply(summary: string | null, undoes: string | null, files: FileEdit[]): Promise<Response> {
    const reply = await this.parts.ask({ op: "apply", summary, undoes, files });
    const outcome: ApplyOutcome =
      reply.op === "apply" ? reply.outcome : { type: "failed", reason: "the editor could not make it." };
    return { type: "apply", outcome };
  }

  /** Asks the editor which edits can be taken back. */
  private async appliedEdits(lastWithContents: boolean): Promise<Response> {
    const reply = await this.parts.ask({ op: "appliedEdits", lastWithContents });
    return reply.op === "appliedEdits"
      ? { type: "appliedEdits", edits: reply.edits, error: null }
      : { type: "appliedEdits", edits: [], error: "the editor could not read them." };
  }

  /** Has the editor ask its language providers. */
  private async consult(question: ProviderQuestion): Promise<Response> {
    const reply = await this.parts.ask({ op: "consult", question });
    return { type: "providers", reply: reply.op === "consult" ? reply.reply : {} };
  }

  /** Has the editor ask its language model. */
  private async askModel(id: number, request: ModelRequest): Promise<Response> {
    const reply = await this.patiently(this.parts.ask({ op: "askModel", id, request }));
    const outcome: ModelOutcome =
      reply.op === "askModel"
        ? reply.outcome
        : {
            type: "failed",
            failure: "unreachable",
            message: "The editor could not ask the model.",
            retryAfterMs: null,
          };
    return { type: "model", outcome };
  }

  private logDisagreements(disagreements: Disagreement[]): void {
    for (const { language, kind, shape, tier, count } of disagreements) {
      const message = `Language providers disagree on ${count} uses of a ${language} ${kind} behind ${shape}; ours: ${tier}.`;
      this.parts.post({ kind: "log", level: "info", message });
    }
  }

  /** The engine has no clock; versions of documents have a time. */
  private tellTime(): void {
    this.handle({ type: "time", nowMs: this.parts.now() });
  }

  /** Tells the engine and does what it asks for; gives what was wrong with the event, if anything. */
  private handle(event: Event): string | undefined {
    return this.guarded(`the event ${event.type}`, () => this.engine.handle(event));
  }

  private guarded(what: string, work: () => Effect[]): string | undefined {
    if (this.dead) {
      return "the engine broke";
    }
    try {
      for (const effect of work()) {
        this.perform(effect);
      }
      return undefined;
    } catch (error) {
      return this.report(error, what);
    }
  }

  private report(error: unknown, what: string): string {
    const reason = describe(error);
    if (isTrap(error)) {
      this.dead = true;
      clearTimeout(this.saveTimer);
      clearTimeout(this.tickTimer);
      this.windows.dispose();
      this.parts.broken(`${reason} (at ${what})`);
    } else {
      this.parts.post({ kind: "log", level: "error", message: `${what}: ${reason}` });
    }
    return reason;
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case "list":
        this.lists.add(effect.dirs);
        break;
      case "read":
        for (const { root } of effect.files) {
          this.limits.set(root, effect.limits);
        }
        this.reads.add(effect.files);
        break;
      case "state":
        this.tell(effect.state);
        break;
      case "saveCache":
        this.saveSoon();
        break;
      case "ask":
        void this.ask(effect.id, effect.request);
        break;
      case "cancel":
        // Whatever else it was ends by itself.
        void this.parts.ask({ op: "cancelModel", id: effect.id });
        break;
      case "disagreed":
        this.logDisagreements(effect.disagreements);
        break;
      case "windowChanged":
        this.windows.add("window");
        break;
      case "tick":
        this.tickIn(effect.afterMs);
        break;
      case "notice":
        this.parts.post({ kind: "notice", text: effect.text });
        break;
      case "keepTelemetry":
        this.appending = this.appending.then(() =>
          this.parts.telemetry.append(this.roots, effect.line, this.parts.now()),
        );
        break;
      case "answer":
        this.parts.post({ kind: "answer", id: effect.id, answer: effect.answer });
        this.answered(effect.id);
        break;
    }
  }

  /** Tells the engine how long an answer took, once the answer is on its way. */
  private answered(id: number): void {
    const begun = this.begun.get(id);
    if (begun !== undefined) {
      this.begun.delete(id);
      const tookUs = 1_000 * (performance.now() - begun);
      queueMicrotask(() => this.handle({ type: "answered", id, tookUs }));
    }
  }

  // Every question has its reply, also where the roots changed meanwhile: the engine knows which it still waits for.

  private async texts(wanted: FileRef[], isConfined: boolean): Promise<Response> {
    const files = await Promise.all(
      wanted.map(({ root, path }) => {
        const found = this.roots[root];
        return found ? this.parts.context.fetch(found, path, isConfined) : Promise.resolve({});
      }),
    );
    return { type: "texts", files };
  }

  /** What lies outside of every root may be anything that the editor can show. */
  private async outsideTexts(paths: string[]): Promise<Response> {
    const read = (path: string) => this.parts.ask({ op: "readOutside", path, maxBytes: LARGEST_FETCHED });
    const files = await Promise.all(paths.map(async (path) => fetched(await read(path))));
    return { type: "texts", files };
  }

  private async log(rootIndex: number, most: number): Promise<Response> {
    const root = this.roots[rootIndex];
    return { type: "log", log: root ? await this.patiently(this.parts.context.log(root, most)) : null };
  }

  private async diff(rootIndex: number, of: DiffOf): Promise<Response> {
    const root = this.roots[rootIndex];
    const outcome: DiffOutcome = root
      ? await this.patiently(this.parts.context.diff(root, of))
      : { type: "failed", reason: "There is no such folder.", hint: "Call again." };
    return { type: "diff", outcome };
  }

  private async memory(rootIndex: number, request: MemoryRequest): Promise<Response> {
    const root = this.roots[rootIndex];
    const reply: MemoryReply = root
      ? await this.parts.context.memory(root, request)
      : {
          type: "failed",
          code: "Unavailable",
          message: "The folder is no longer in the workspace.",
          hint: "Call again.",
          retryable: true,
        };
    return { type: "memory", reply };
  }

  private async commit(rootIndex: number, commit: Commit): Promise<Response> {
    const root = this.roots[rootIndex];
    const outcome = root ? await this.parts.context.commit(root, commit) : { type: "conflict" as const };
    return { type: "commit", outcome };
  }

  /** Waits for another program, which may take longer than an engine that lives is silent. */
  private async patiently<T>(work: Promise<T>): Promise<T> {
    const beat = setInterval(() => {
      this.parts.post({ kind: "alive" });
    }, ALIVE_EVERY_MS);
    try {
      return await work;
    } finally {
      clearInterval(beat);
    }
  }

  /** Of several ticks only the earliest counts. */
  private tickIn(afterMs: number): void {
    const at = this.parts.now() + afterMs;
    if (at >= this.tickAt) {
      return;
    }
    this.tickAt = at;
    clearTimeout(this.tickTimer);
    this.tickTimer = setTimeout(() => {
      this.tickAt = Infinity;
      this.handle({ type: "tick", nowMs: this.parts.now() });
    }, afterMs);
  }

  private async list(dirs: DirRef[]): Promise<void> {
    const { generation } = this;
    const folders = dirs.flatMap(({ root, dir }) => {
      const rootPath = this.roots[root]?.path;
      return rootPath === undefined ? [] : [{ root, rootPath, dir }];
    });
    const listings = await this.parts.files.list(folders);
    await turn();
    if (generation === this.generation) {
      this.handle({ type: "listed", listings });
    }
  }

  private async read(file: FileRef): Promise<void> {
    const { generation, config } = this;
    const root = this.roots[file.root];
    if (!root || !config) {
      return;
    }
    // A folder's `.context/config.json` may say otherwise than the settings
    const { maxFileSize, excludeGenerated } = this.limits.get(file.root) ?? config;
    const { size, mtimeMs, outcome } = await this.parts.files
      .outcome(root, file, { maxFileSize, excludeGenerated })
      .catch((error: unknown) => ({
        size: 0,
        mtimeMs: 0,
        outcome: this.parts.module.unreadable(describe(error)),
      }));
    if (generation === this.generation) {
      this.guarded(`the facts of ${file.path}`, () => this.engine.ingest(file.root, file.path, size, mtimeMs, outcome));
    }
  }

  /** Memory was given back: the state is told again. */
  usageChanged(): void {
    if (this.lastState) {
      this.tell(this.lastState);
    }
  }

  private tell(state: State): void {
    this.lastState = state;
    this.states.run(() => {
      this.parts.post({ kind: "state", state, usage: this.usage() });
    });
  }

  private usage(): Usage {
    const { bytes, count } = this.parts.parsers();
    return { engineBytes: this.parts.module.memoryBytes(), parserBytes: bytes, parsers: count };
  }

  private saveSoon(): void {
    clearTimeout(this.saveTimer);
    const wait = Math.max(SAVE_AFTER_MS, this.nextSave - this.parts.now());
    this.saveTimer = setTimeout(() => {
      this.saveTimer = undefined;
      this.saving = this.saving.then(() => this.save());
    }, wait);
  }

  /** Writes what was to be written later, because there will be no later. */
  private async saveNow(): Promise<void> {
    if (this.saveTimer !== undefined) {
      clearTimeout(this.saveTimer);
      this.saveTimer = undefined;
      this.saving = this.saving.then(() => this.save());
    }
    this.handle({ type: "ending" });
    await Promise.all([this.saving, this.appending]);
    this.parts.post({ kind: "saved" });
  }

  private async save(): Promise<void> {
    if (this.dead) {
      return;
    }
    const begin = this.parts.now();
    try {
      await this.parts.cache.write(this.engine.exportCache(begin));
      const end = this.parts.now();
      this.nextSave = end + Math.max(SAVE_EVERY_MS, SAVE_SHARE * (end - begin));
    } catch (error) {
      this.report(error, "writing the cache");
    }
  }
}

/** Lets waiting messages in: a call must not wait for a whole workspace to be handed in. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
