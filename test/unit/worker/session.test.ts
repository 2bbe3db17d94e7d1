import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Configure, FilesReply, HostRequest, FromWorker, PlainEvent } from "../../../extension/core/messages";
import type {
  CommitOutcome,
  DiffOutcome,
  Config,
  Effect,
  Event,
  FetchedFile,
  Listing,
  MemoryReply,
  MemoryRequest,
  PersonalSettings,
  Root,
  State,
} from "../../../extension/generated/protocol";
import type { CacheStore } from "../../../extension/worker/cache";
import type { Commit, ContextStore } from "../../../extension/worker/context";
import { SILENCE_MS } from "../../../extension/core/client";
import { EngineSession } from "../../../extension/worker/engineCore";
import type { AnalyseOptions, FileSource, FolderRequest, Outcome } from "../../../extension/worker/files";
import type { PersonalStore } from "../../../extension/worker/personalSettings";
import type { TelemetryLogs } from "../../../extension/worker/telemetryLog";
import { decode, encode, FakeModule } from "./fakes";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CONFIG: Required<Config> = {
  maxFileSize: 100,
  exclude: [],
  excludeGenerated: true,
  format: "json",
  keepContext: true,
  untrustedContexts: [],
  personal: { "/code/app": {} },
  memoryCeilingMb: 1024,
  tokenizer: "approx",
  anchorMinutes: 30,
  record: false,
  telemetry: true,
  externalTypes: null,
  angelscript: {},
};
const ROOTS: Root[] = [{ name: "app", path: "/code/app" }];
const CONFIGURE: Configure = { type: "configure", roots: ROOTS, config: CONFIG };
const STATE: State = { phase: "indexing", files: 1, pending: 2, skipped: 0, symbols: 3, lines: 4, revision: 5 };

/** Files that a test provides; a missing one cannot be read. */
class FakeFiles implements FileSource {
  readonly width = 2;
  readonly texts = new Map<string, string>();
  listed: FolderRequest[][] = [];
  hold: Promise<void> = Promise.resolve();

  async list(folders: FolderRequest[]): Promise<Listing[]> {
    this.listed.push(folders);
    await this.hold;
    return folders.map(({ root, dir }) => ({ root, dir, entries: [], ignoreFiles: [] }));
  }
  readonly limits: (readonly [path: string, maxFileSize: number, excludeGenerated: boolean])[] = [];

  async outcome(root: Root, file: { path: string }, options: AnalyseOptions): Promise<Outcome> {
    this.limits.push([file.path, options.maxFileSize, options.excludeGenerated]);
    await this.hold;
    const text = this.texts.get(`${root.path}/${file.path}`);
    if (text === undefined) {
      throw new Error("it is gone");
    }
    return { size: text.length, mtimeMs: 7, outcome: encode(text) };
  }
}

class FakeCache implements CacheStore {
  stored: Uint8Array | undefined;
  writes: string[] = [];
  refuse = false;

  read() {
    return this.refuse ? Promise.reject(new Error("disk failure")) : Promise.resolve(this.stored);
  }
  write(bytes: Uint8Array) {
    if (this.refuse) {
      return Promise.reject(new Error("disk full"));
    }
    this.writes.push(decode(bytes));
    return Promise.resolve();
  }
}

class FakeContext implements ContextStore {
  readonly texts = new Map<string, string>();
  commits: Commit[] = [];
  readonly requests: MemoryRequest[] = [];
  outcome: CommitOutcome = { type: "done", stamps: ["1"] };

  fetch(root: Root, path: string): Promise<FetchedFile> {
    const text = this.texts.get(`${root.path}/${path}`);
    return Promise.resolve(text === undefined ? {} : { bytes: encode(text), stamp: "0" });
  }
  commit(_root: Root, commit: Commit): Promise<CommitOutcome> {
    this.commits.push(commit);
    return Promise.resolve(this.outcome);
  }

  /** What git answers, when it does. */
  git: Promise<void> = Promise.resolve();

  async log(): Promise<string | null> {
    await this.git;
    return null;
  }

  memory(_root: Root, request: MemoryRequest): Promise<MemoryReply> {
    this.requests.push(request);
    return Promise.resolve({ type: "log", bytes: null, backend: "jsonl" });
  }

  async diff(): Promise<DiffOutcome> {
    await this.git;
    return { type: "failed", reason: "There is no git.", hint: "" };
  }
}

/** The person's own settings, and what a person said of observations. */
class FakePersonal {
  settings: Record<string, PersonalSettings> = {};
  said: [path: string, keep: boolean][] = [];
  problem: string | undefined;
  readonly store: PersonalStore = {
    read: (paths) => Object.fromEntries(paths.map((path) => [path, this.settings[path] ?? {}])),
    keepObservations: (path, keep) => {
      this.said.push([path, keep]);
      return this.problem;
    },
  };
}

function setUp(useCache = true) {
  const module = new FakeModule();
  const files = new FakeFiles();
  const cache = new FakeCache();
  const context = new FakeContext();
  const personal = new FakePersonal();
  const lines: [paths: string[], line: string][] = [];
  const telemetry: TelemetryLogs = {
    append: (roots, line) => {
      lines.push([roots.map(({ path }) => path), line]);
      return Promise.resolve();
    },
    read: () => Promise.resolve({ type: "telemetry", files: lines.map(([, line]) => line), error: null }),
  };
  const posted: FromWorker[] = [];
  const broken: string[] = [];
  const asked: HostRequest[] = [];
  const host: { reply: FilesReply } = { reply: { op: "failed", code: "Unknown" } };
  const session = new EngineSession({
    module,
    files,
    cache,
    context,
    personal: personal.store,
    telemetry,
    ask: (request) => {
      asked.push(request);
      return Promise.resolve(host.reply);
    },
    useCache,
    parsers: () => ({ bytes: 50, count: 1 }),
    post: (message) => posted.push(message),
    broken: (reason) => broken.push(reason),
    now: () => Date.now(),
  });
  const { engine } = module;
  /** Answers one kind of event with effects, once. */
  const reply = (type: Event["type"], effects: Effect[] | Error) => {
    engine.onEvent = (event) => (event.type === type ? effects : []);
  };
  const send = (event: PlainEvent) => {
    session.receive({ kind: "event", event });
  };
  const settle = () => vi.advanceTimersByTimeAsync(10);
  return { session, engine, files, cache, context, personal, lines, posted, broken, asked, host, reply, send, settle };
}

describe("EngineSession", () => {
  it("tells how long an answer took, and keeps lines of telemetry in their order", async () => {
    const { engine, session, posted, lines, reply, send, settle } = setUp();
    send(CONFIGURE);
    reply("call", [
      { type: "keepTelemetry", line: "{1}" },
      { type: "keepTelemetry", line: "{2}" },
      { type: "answer", id: 9, answer: { ok: true, json: "{}", text: null } },
    ]);
    session.receive({ kind: "call", id: 9, tool: "codecortex_status", args: {}, caller: { kind: "cli" } });
    await settle();
    const answered = engine.events.filter((event) => event.type === "answered");
    expect(answered).toEqual([{ type: "answered", id: 9, tookUs: expect.any(Number) as number }]);
    expect(posted).toContainEqual(expect.objectContaining({ kind: "answer", id: 9 }));
    expect(lines).toEqual([
      [["/code/app"], "{1}"],
      [["/code/app"], "{2}"],
    ]);
    reply("ending", [{ type: "keepTelemetry", line: "{3}" }]);
    session.receive({ kind: "save" });
    await settle();
    expect(lines.at(-1)).toEqual([["/code/app"], "{3}"]);
    expect(posted.at(-1)).toEqual({ kind: "saved" });
  });

  it("has the editor make an edit, and tells the engine what became of it", async () => {
    const { engine, asked, host, reply, send, settle } = setUp();
    const files = [{ path: "/code/app/a.ts", version: 3, changes: [], diff: "" }];
    reply("reindex", [{ type: "ask", id: 7, request: { type: "apply", summary: "why", files } }]);
    host.reply = { op: "apply", outcome: { type: "rejected" } };
    send({ type: "reindex" });
    await settle();
    expect(asked).toEqual([{ op: "apply", summary: "why", undoes: null, files }]);
    expect(engine.events.at(-1)).toMatchObject({
      type: "replied",
      id: 7,
      reply: { type: "apply", outcome: { type: "rejected" } },
    });
    host.reply = { op: "failed", code: "Unknown" };
    send({ type: "reindex" });
    await settle();
    expect(engine.events.at(-1)).toMatchObject({
      type: "replied",
      id: 7,
      reply: { type: "apply", outcome: { type: "failed" } },
    });
  });

  it("has the editor ask its language providers, and tells the engine in any case", async () => {
    const { engine, asked, host, reply, send, settle } = setUp();
    const question = { about: "references" as const, path: "/code/app/a.ts", position: { line: 1, character: 2 } };
    reply("reindex", [{ type: "ask", id: 8, request: { type: "providers", question } }]);
    host.reply = { op: "consult", reply: { outcome: "answered", complete: true } };
    send({ type: "reindex" });
    await settle();
    expect(asked).toEqual([{ op: "consult", question }]);
    expect(engine.events.at(-1)).toMatchObject({
      type: "replied",
      id: 8,
      reply: { type: "providers", reply: { outcome: "answered", complete: true } },
    });
    host.reply = { op: "failed", code: "Unknown" };
    send({ type: "reindex" });
    await settle();
    expect(engine.events.at(-1)).toMatchObject({ type: "replied", id: 8, reply: { type: "providers", reply: {} } });
  });

  it("gives up calls that wait, and what the engine takes back", async () => {
    const { engine, asked, reply, send, session, settle } = setUp();
    send(CONFIGURE);
    session.receive({ kind: "cancel", id: 3 });
    expect(engine.events.at(-1)).toEqual({ type: "cancelCall", id: 3 });
    reply("cancelCall", [{ type: "cancel", id: 9 }]);
    session.receive({ kind: "cancel", id: 4 });
    await settle();
    expect(asked).toEqual([{ op: "cancelModel", id: 9 }]);
  });

  it("does not begin a call that was given up while the cache was read", async () => {
    const { engine, posted, send, session, settle } = setUp();
    send(CONFIGURE);
    send({ ...CONFIGURE, roots: [] });
    session.receive({ kind: "call", id: 5, tool: "codecortex_status", args: {}, caller: {} });
    session.receive({ kind: "cancel", id: 5 });
    await settle();
    expect(engine.events.map((event) => event.type)).not.toContain("call");
    expect(posted).toMatchObject([{ kind: "answer", id: 5, answer: { ok: false } }]);
  });

  it("replies to what was asked before the folders changed: the engine knows what it still waits for", async () => {
    const { engine, context, reply, send, settle } = setUp();
    context.texts.set("/code/app/a.ts", "x");
    send(CONFIGURE);
    reply("reindex", [{ type: "ask", id: 4, request: { type: "texts", files: [{ root: 0, path: "a.ts" }] } }]);
    send({ type: "reindex" });
    send({ type: "reindex" });
    await settle();
    const replied = engine.events.filter((event) => event.type === "replied");
    expect(replied).toHaveLength(2);
  });

  it("puts the person's own settings into force, and follows them before each call", async () => {
    const { engine, personal, send, session, settle } = setUp();
    personal.settings["/code/app"] = { record: true };
    send(CONFIGURE);
    await settle();
    const configured = () => engine.events.filter((event) => event.type === "configure");
    expect(configured().at(-1)?.config.personal).toEqual({ "/code/app": { record: true } });
    const call = (id: number) => {
      session.receive({ kind: "call", id, tool: "t", args: {}, caller: {} });
    };
    call(1);
    await settle();
    expect(configured().length).toBe(1);
    personal.settings["/code/app"] = { record: false };
    call(2);
    await settle();
    expect(configured().at(-1)?.config.personal).toEqual({ "/code/app": { record: false } });
    expect(engine.events.at(-1)).toMatchObject({ type: "call", id: 2 });
  });

  it("keeps observations when a person says so, and says why it cannot", async () => {
    const { engine, personal, posted, send, session, settle } = setUp();
    send(CONFIGURE);
    await settle();
    session.receive({ kind: "observations", root: 0, keep: true });
    session.receive({ kind: "observations", root: 7, keep: true });
    await settle();
    expect(personal.said).toEqual([["/code/app", true]]);
    expect(engine.events.filter((event) => event.type === "configure").length).toBe(2);
    personal.problem = "the disk is full";
    session.receive({ kind: "observations", root: 0, keep: true });
    expect(posted).toContainEqual({ kind: "notice", text: "Observations are not kept: the disk is full." });
  });

  it("logs what language providers disagree about", async () => {
    const { posted, reply, send, settle } = setUp();
    const one = { language: "typescript", kind: "method", shape: "name", tier: "exact", count: 2 };
    reply("reindex", [{ type: "disagreed", disagreements: [one] }]);
    send({ type: "reindex" });
    await settle();
    expect(posted).toContainEqual({
      kind: "log",
      level: "info",
      message: "Language providers disagree on 2 uses of a typescript method behind name; ours: exact.",
    });
  });

  it("lists what the engine asks for and hands the listings in together", async () => {
    const { engine, files, reply, send, settle } = setUp();
    const dirs = [
      { root: 0, dir: "" },
      { root: 0, dir: "src" },
      { root: 9, dir: "no such root" },
    ];
    reply("configure", [{ type: "list", dirs }]);
    send(CONFIGURE);
    await settle();
    expect(files.listed).toEqual([
      [
        { root: 0, rootPath: "/code/app", dir: "" },
        { root: 0, rootPath: "/code/app", dir: "src" },
      ],
    ]);
    expect(engine.events.at(-1)).toMatchObject({ type: "listed", listings: [{ dir: "" }, { dir: "src" }] });
  });

  it("hands in a large workspace in portions and answers calls in between", async () => {
    const { session, engine, reply, send } = setUp();
    const dirs = Array.from({ length: 50 }, (_, dir) => ({ root: 0, dir: `d${dir}` }));
    reply("configure", [{ type: "list", dirs }]);
    send(CONFIGURE);
    while (!engine.events.some((event) => event.type === "listed")) {
      await vi.advanceTimersToNextTimerAsync();
    }
    session.receive({ kind: "call", id: 1, tool: "t", args: {}, caller: {} });
    await vi.advanceTimersByTimeAsync(100);
    const order = engine.events.map((event) => event.type);
    expect(order.indexOf("call")).toBeLessThan(order.lastIndexOf("listed"));
    const listed = engine.events.flatMap((event) => (event.type === "listed" ? event.listings : []));
    expect(listed.map((listing) => listing.dir)).toEqual(dirs.map(({ dir }) => dir));
  });

  it("hands in facts, and for a file that cannot be read the reason", async () => {
    const { engine, files, reply, send, settle } = setUp();
    files.texts.set("/code/app/a.ts", "facts");
    reply("configure", [
      {
        type: "read",
        files: [
          { root: 0, path: "a.ts" },
          { root: 0, path: "gone.ts" },
        ],
      },
    ]);
    send(CONFIGURE);
    await settle();
    expect(engine.ingested).toEqual([
      { root: 0, path: "a.ts", size: 5, mtimeMs: 7, outcome: "facts" },
      { root: 0, path: "gone.ts", size: 0, mtimeMs: 0, outcome: "unreadable: it is gone" },
    ]);
  });

  it("reads each file by the limits of its folder, where that has some", async () => {
    const { files, reply, send, settle } = setUp();
    reply("configure", [
      { type: "read", files: [{ root: 0, path: "a.ts" }], limits: { maxFileSize: 5, excludeGenerated: false } },
    ]);
    send(CONFIGURE);
    await settle();
    reply("configure", [{ type: "read", files: [{ root: 0, path: "b.ts" }] }]);
    send(CONFIGURE);
    await settle();
    expect(files.limits).toEqual([
      ["a.ts", 5, false],
      ["b.ts", 100, true],
    ]);
  });

  it("goes on with what handing in asks for", async () => {
    const { engine, files, reply, send, settle } = setUp();
    files.texts.set("/code/app/a.ts", "a");
    files.texts.set("/code/app/b.ts", "b");
    engine.onIngest = ({ path }) => (path === "a.ts" ? [{ type: "read", files: [{ root: 0, path: "b.ts" }] }] : []);
    reply("configure", [{ type: "read", files: [{ root: 0, path: "a.ts" }] }]);
    send(CONFIGURE);
    await settle();
    expect(engine.ingested.map((file) => file.path)).toEqual(["a.ts", "b.ts"]);
  });

  it.each(["configure", "reindex"] as const)("drops what was asked for before %s", async (type) => {
    const { engine, files, reply, send, settle } = setUp();
    let release: () => void = () => undefined;
    files.hold = new Promise((resolve) => {
      release = resolve;
    });
    files.texts.set("/code/app/a.ts", "old");
    reply("configure", [
      { type: "list", dirs: [{ root: 0, dir: "" }] },
      { type: "read", files: [{ root: 0, path: "a.ts" }] },
    ]);
    send(CONFIGURE);
    engine.onEvent = () => [];
    send(type === "configure" ? CONFIGURE : { type });
    release();
    await settle();
    expect(engine.ingested).toEqual([]);
    expect(engine.events.filter((event) => event.type === "listed")).toEqual([]);
  });

  it("reads nothing more once indexing is cancelled", async () => {
    const { engine, files, reply, send, settle } = setUp();
    for (let file = 0; file < 100; file += 1) {
      files.texts.set(`/code/app/${file}.ts`, "x");
    }
    const wanted = [...files.texts.keys()].map((path) => ({ root: 0, path: path.slice("/code/app/".length) }));
    reply("configure", [{ type: "read", files: wanted }]);
    send(CONFIGURE);
    send({ type: "cancelIndexing" });
    await settle();
    expect(engine.ingested.length).toBe(2);
    expect(engine.events.at(-1)).toEqual({ type: "cancelIndexing" });
  });

  it("takes changed paths apart again", () => {
    const { session, engine } = setUp();
    session.receive({ kind: "changed", paths: "/a\0/b\nc" });
    expect(engine.events).toEqual([{ type: "changed", paths: ["/a", "/b\nc"] }]);
  });

  it("takes other calls in while git hangs, and says that it lives", async () => {
    const { session, engine, context, posted, settle } = setUp();
    let ends = (): void => undefined;
    context.git = new Promise((resolve) => {
      ends = resolve;
    });
    const asked: Record<string, Effect[]> = {
      slow: [
        { type: "ask", id: 1, request: { type: "diff", root: 0, of: { type: "uncommitted" } } },
        { type: "ask", id: 2, request: { type: "log", root: 0, most: 5 } },
      ],
      quick: [{ type: "answer", id: 2, answer: { ok: true, json: "{}", text: null } }],
    };
    engine.onEvent = (event) => (event.type === "call" ? (asked[event.tool] ?? []) : []);
    session.receive({ kind: "event", event: CONFIGURE });
    const call = (id: number, tool: string) => {
      session.receive({ kind: "call", id, tool, args: {}, caller: {} });
    };
    call(1, "slow");
    call(2, "quick");
    expect(posted.filter((message) => message.kind === "answer").map(({ id }) => id)).toEqual([2]);
    expect(posted.some((message) => message.kind === "alive")).toBe(false);
    await vi.advanceTimersByTimeAsync(3 * SILENCE_MS);
    // Never as long as the host takes for the silence of one that hangs.
    expect(posted.filter((message) => message.kind === "alive").length).toBeGreaterThan(6);
    const replied = () => engine.events.flatMap((event) => (event.type === "replied" ? [event.reply.type] : []));
    expect(replied()).toEqual([]);
    ends();
    await settle();
    expect(replied().sort()).toEqual(["diff", "log"]);
    const heard = posted.length;
    await vi.advanceTimersByTimeAsync(3 * SILENCE_MS);
    expect(posted.length).toBe(heard);
  });

  it("passes answers through untouched", () => {
    const { session, reply, posted } = setUp();
    const answer = { ok: true, json: '{"ok":true,"data":1}', text: "// 1" };
    reply("call", [{ type: "answer", id: 3, answer }]);
    session.receive({
      kind: "call",
      id: 3,
      tool: "t",
      args: { any: "thing" },
      caller: { kind: "lm", maxBytes: 8_000 },
    });
    expect(posted).toEqual([{ kind: "answer", id: 3, answer }]);
  });

  it("answers a call that the engine could not take", () => {
    const { session, reply, posted, broken } = setUp();
    reply("call", new Error("invalid type: string"));
    session.receive({ kind: "call", id: 3, tool: "t", args: "x", caller: {} });
    const [log, answer] = posted;
    expect(log).toMatchObject({ kind: "log", level: "error" });
    expect(answer).toMatchObject({ kind: "answer", id: 3, answer: { ok: false } });
    expect(broken).toEqual([]);
  });

  it("ends after a trap and touches the engine no more", async () => {
    const { session, engine, reply, broken, send } = setUp();
    reply("reindex", new WebAssembly.RuntimeError("unreachable"));
    send({ type: "reindex" });
    expect(broken).toEqual(["unreachable (at the event reindex)"]);
    const events = engine.events.length;
    session.receive({ kind: "changed", paths: "/a" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(engine.events.length).toBe(events);
    expect(broken.length).toBe(1);
  });

  it("shows the first state at once and the last one soon, never all", async () => {
    const { reply, send, posted } = setUp();
    reply(
      "reindex",
      Array.from({ length: 100 }, (_, files): Effect => ({ type: "state", state: { ...STATE, files } })),
    );
    send({ type: "reindex" });
    await vi.advanceTimersByTimeAsync(1_000);
    const files = posted.map((message) => (message.kind === "state" ? message.state.files : -1));
    expect(files).toEqual([0, 99]);
    expect(posted[0]).toMatchObject({ usage: { engineBytes: 1_000, parserBytes: 50, parsers: 1 } });
  });

  it("tells that the window changed after a quiet moment, and while there is none all the same", async () => {
    const { reply, send, posted } = setUp();
    reply("reindex", [{ type: "windowChanged" }]);
    const told = () => posted.filter(({ kind }) => kind === "window").length;
    send({ type: "reindex" });
    send({ type: "reindex" });
    await vi.advanceTimersByTimeAsync(149);
    expect(told()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(told()).toBe(1);
    for (let key = 0; key < 12; key += 1) {
      send({ type: "reindex" });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(told()).toBe(3);
  });

  it("tells the state again when memory was given back", async () => {
    const { session, reply, send, posted } = setUp();
    session.usageChanged();
    expect(posted).toEqual([]);
    reply("reindex", [{ type: "state", state: STATE }]);
    send({ type: "reindex" });
    await vi.advanceTimersByTimeAsync(1_000);
    session.usageChanged();
    expect(posted.length).toBe(2);
  });

  describe("the cache", () => {
    it("is read before anything else", async () => {
      const { session, engine, cache } = setUp();
      cache.stored = encode("earlier");
      expect(await session.readCache()).toBe("used");
      expect(engine.imported).toBe("earlier");
    });

    it("is read again before other folders or settings, and everything later waits for that", async () => {
      const { session, engine, cache, send, settle } = setUp();
      send(CONFIGURE);
      cache.stored = encode("newer");
      send({ ...CONFIGURE, roots: [] });
      session.receive({ kind: "changed", paths: "/a" });
      send({ ...CONFIGURE, config: { ...CONFIG, exclude: ["out"] } });
      send({ type: "closed", path: "/a" });
      expect(engine.events.length).toBe(1);
      await settle();
      expect(engine.imported).toBe("newer");
      expect(engine.events.map((event) => event.type)).toEqual([
        "configure",
        "configure",
        "changed",
        "configure",
        "closed",
      ]);
    });

    it("may be absent, useless, unreadable or unwanted", async () => {
      const absent = setUp();
      expect(await absent.session.readCache()).toBe("absent");
      const useless = setUp();
      useless.cache.stored = encode("of another version");
      useless.engine.acceptsCache = false;
      expect(await useless.session.readCache()).toBe("refused");
      const unreadable = setUp();
      unreadable.cache.refuse = true;
      expect(await unreadable.session.readCache()).toBe("refused");
      expect(unreadable.posted).toMatchObject([{ kind: "log", message: "reading the cache: disk failure" }]);
      const unwanted = setUp(false);
      unwanted.cache.stored = encode("maybe the cause of the crash");
      expect(await unwanted.session.readCache()).toBe("skipped");
      expect(unwanted.engine.imported).toBeUndefined();
    });

    it("is written once when several moments were good", async () => {
      const { reply, send, cache, engine } = setUp();
      reply("reindex", [{ type: "saveCache" }]);
      send({ type: "reindex" });
      await vi.advanceTimersByTimeAsync(1_500);
      send({ type: "reindex" });
      await vi.advanceTimersByTimeAsync(1_999);
      expect(cache.writes).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(cache.writes).toEqual([`cache at ${Date.now()}`]);
      expect(engine.exports).toBe(1);
    });

    it("is not written again for every saved file", async () => {
      const { reply, send, cache } = setUp();
      reply("reindex", [{ type: "saveCache" }]);
      for (let save = 0; save < 50; save += 1) {
        send({ type: "reindex" });
        await vi.advanceTimersByTimeAsync(3_000);
      }
      await vi.advanceTimersByTimeAsync(60_000);
      expect(cache.writes.length).toBeGreaterThanOrEqual(3);
      expect(cache.writes.length).toBeLessThanOrEqual(4);
    });

    it("may fail without harm", async () => {
      const { reply, send, cache, posted, broken } = setUp();
      cache.refuse = true;
      reply("reindex", [{ type: "saveCache" }]);
      send({ type: "reindex" });
      await vi.advanceTimersByTimeAsync(5_000);
      expect(posted).toMatchObject([{ kind: "log", message: "writing the cache: disk full" }]);
      expect(broken).toEqual([]);
    });
  });

  describe("the folder .context", () => {
    it("is read and written for the engine", async () => {
      const { engine, context, reply, send, settle } = setUp();
      context.texts.set("/code/app/package.json", "{}");
      send(CONFIGURE);
      const files = [
        { root: 0, path: "package.json" },
        { root: 0, path: "gone" },
        { root: 7, path: "no such root" },
      ];
      reply("reindex", [{ type: "ask", id: 4, request: { type: "texts", files } }]);
      send({ type: "reindex" });
      await settle();
      expect(engine.events.at(-1)).toEqual({
        type: "replied",
        id: 4,
        reply: { type: "texts", files: [{ bytes: encode("{}"), stamp: "0" }, {}, {}] },
        nowMs: expect.any(Number) as number,
      });
      const commit = { expect: [{ path: ".context/index.json" }], changes: [] };
      reply("reindex", [{ type: "ask", id: 5, request: { type: "commit", root: 0, ...commit } }]);
      send({ type: "reindex" });
      await settle();
      expect(context.commits).toMatchObject([commit]);
      expect(engine.events.at(-1)).toMatchObject({
        type: "replied",
        id: 5,
        reply: { type: "commit", outcome: context.outcome },
      });
    });

    it("reads through the editor what is outside of every root", async () => {
      const { engine, asked, host, reply, send, settle } = setUp();
      send(CONFIGURE);
      host.reply = { op: "read", size: 2, mtimeMs: 5, bytes: encode("{}") };
      reply("reindex", [{ type: "ask", id: 6, request: { type: "outsideTexts", paths: ["/lib/lib.d.ts"] } }]);
      send({ type: "reindex" });
      await settle();
      expect(asked).toMatchObject([{ op: "readOutside", path: "/lib/lib.d.ts" }]);
      const read = { bytes: encode("{}"), stamp: "5-2" };
      expect(engine.events.at(-1)).toMatchObject({ type: "replied", id: 6, reply: { files: [read] } });
      host.reply = { op: "failed", code: "FileNotFound" };
      send({ type: "reindex" });
      await settle();
      expect(engine.events.at(-1)).toMatchObject({ type: "replied", id: 6, reply: { files: [{}] } });
    });

    it("gets the earliest of several ticks", async () => {
      const { engine, reply, send } = setUp();
      reply("reindex", [
        { type: "tick", afterMs: 500 },
        { type: "tick", afterMs: 100 },
        { type: "tick", afterMs: 900 },
      ]);
      send({ type: "reindex" });
      await vi.advanceTimersByTimeAsync(99);
      expect(engine.events.map((event) => event.type)).toEqual(["reindex"]);
      await vi.advanceTimersByTimeAsync(1);
      expect(engine.events.at(-1)).toEqual({ type: "tick", nowMs: Date.now() });
      await vi.advanceTimersByTimeAsync(2_000);
      expect(engine.events).toHaveLength(2);
    });

    it("has its notices told", () => {
      const { reply, send, posted } = setUp();
      reply("reindex", [{ type: "notice", text: "The disk is full." }]);
      send({ type: "reindex" });
      expect(posted).toEqual([{ kind: "notice", text: "The disk is full." }]);
    });
  });
});
