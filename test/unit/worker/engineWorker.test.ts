import { describe, expect, it } from "vitest";

import type { FromWorker, ToWorker } from "../../../extension/core/messages";
import { HostContext } from "../../../extension/worker/context";
import { NO_PERSONAL_SETTINGS } from "../../../extension/worker/personalSettings";
import { NO_TELEMETRY_LOG } from "../../../extension/worker/telemetryLog";
import { NO_CACHE } from "../../../extension/worker/cache";
import { EngineWorker, type Platform } from "../../../extension/worker/engineWorker";
import { HostFiles } from "../../../extension/worker/hostFiles";
import { EMPTY_MODULE, FakeModule, FakeParser, settle } from "./fakes";

const START: Extract<ToWorker, { kind: "start" }> = {
  kind: "start",
  options: { assets: { kind: "folder", path: "dist" }, useCache: true, workers: 1 },
};
const call = (id: number): ToWorker => ({ kind: "call", id, tool: "t", args: {}, caller: {} });

function setUp(changes: Partial<Platform> = {}) {
  const module = new FakeModule();
  const posted: FromWorker[] = [];
  const life = { exits: 0 };
  const worker = new EngineWorker({
    compile: () => Promise.resolve(EMPTY_MODULE),
    instantiate: () => module,
    spawnParser: () => new FakeParser(),
    cores: 2,
    cache: () => NO_CACHE,
    files: (pool, ask) => new HostFiles(ask, pool),
    context: (ask) => new HostContext(ask),
    personal: NO_PERSONAL_SETTINGS,
    telemetry: NO_TELEMETRY_LOG,
    lastWords: () => undefined,
    post: (message) => posted.push(message),
    exit: () => {
      life.exits += 1;
    },
    crashable: false,
    ...changes,
  });
  return { worker, module, posted, life };
}

describe("EngineWorker", () => {
  it("lets messages wait until the engine is there, in order", async () => {
    const { worker, module, posted } = setUp();
    worker.receive(START);
    worker.receive({ kind: "event", event: { type: "reindex" } });
    worker.receive(call(1));
    expect(module.engine.events).toEqual([]);
    await settle();
    expect(module.engine.events.map((event) => event.type)).toEqual(["reindex", "time", "call"]);
    expect(posted[0]).toMatchObject({ kind: "ready", cache: "absent" });
  });

  it("does not even begin a call that was cancelled while it waited", async () => {
    const { worker, module, posted } = setUp();
    worker.receive(START);
    worker.receive(call(1));
    worker.receive(call(2));
    worker.receive({ kind: "cancel", id: 1 });
    worker.receive({ kind: "cancel", id: 9 });
    await settle();
    expect(module.engine.events).toMatchObject([{ type: "time" }, { type: "call", id: 2 }]);
    expect(posted).toContainEqual(expect.objectContaining({ kind: "answer", id: 1 }));
  });

  it("notes what it parses where the host sees it, and leaves out what it is told", async () => {
    const { worker, module } = setUp();
    const parsing = new SharedArrayBuffer(4);
    const seen = new Int32Array(parsing);
    worker.receive({ ...START, options: { ...START.options, parsing, leftOut: [7, 0xffff_ffff] } });
    await settle();
    expect(module.leftOut).toEqual([7, 0xffff_ffff]);
    module.parses?.(0xffff_fffe);
    expect(Atomics.load(seen, 0) >>> 0).toBe(0xffff_fffe);
    module.parses?.(0);
    expect(Atomics.load(seen, 0)).toBe(0);
  });

  it("says which text it broke at, also where threads share no memory", async () => {
    const { worker, module, posted } = setUp();
    module.engine.onEvent = () => {
      module.parses?.(9);
      return new WebAssembly.RuntimeError("unreachable");
    };
    worker.receive(START);
    worker.receive({ kind: "event", event: { type: "reindex" } });
    await settle();
    expect(posted.at(-1)).toMatchObject({ kind: "failed", parsing: 9 });
  });

  it("says why it cannot start, and ends", async () => {
    const { worker, posted, life } = setUp({ compile: () => Promise.reject(new Error("no such file")) });
    worker.receive(START);
    await settle();
    expect(posted).toEqual([{ kind: "failed", reason: "the engine could not be started: no such file" }]);
    expect(life.exits).toBe(1);
  });

  it("ends with the panic's message when the engine traps", async () => {
    const { worker, module, posted, life } = setUp({ lastWords: () => "panicked at index.rs" });
    module.engine.onEvent = () => new WebAssembly.RuntimeError("unreachable");
    worker.receive(START);
    worker.receive({ kind: "event", event: { type: "reindex" } });
    await settle();
    expect(posted.at(-1)).toEqual({
      kind: "failed",
      reason: "panicked at index.rs (unreachable (at the event reindex))",
    });
    expect(life.exits).toBe(1);
  });

  it("crashes on demand only where a test may ask", async () => {
    const refuses = setUp();
    refuses.worker.receive({ kind: "crash" });
    expect(refuses.life.exits).toBe(0);
    const obeys = setUp({ crashable: true });
    obeys.worker.receive(START);
    await settle();
    obeys.worker.receive({ kind: "crash" });
    expect(obeys.life.exits).toBe(1);
  });

  it("brings files of the editor to the engine", async () => {
    const { worker, module, posted } = setUp();
    module.engine.onEvent = (event) =>
      event.type === "configure" ? [{ type: "list", dirs: [{ root: 0, dir: "src" }] }] : [];
    worker.receive(START);
    worker.receive({
      kind: "event",
      event: {
        type: "configure",
        roots: [{ name: "app", path: "/memfs:/-/app" }],
        config: {
          maxFileSize: 9,
          exclude: [],
          excludeGenerated: true,
          format: "json",
          keepContext: true,
          memoryCeilingMb: 1024,
          tokenizer: "approx",
          anchorMinutes: 30,
          record: false,
          telemetry: true,
          externalTypes: null,
          angelscript: {},
          untrustedContexts: [],
          personal: {},
        },
      },
    });
    await settle();
    expect(posted.at(-1)).toEqual({ kind: "files", id: 1, request: { op: "list", path: "/memfs:/-/app/src" } });
    const entries = [{ name: "a.ts", kind: "file" as const, size: 1, mtimeMs: 2 }];
    worker.receive({ kind: "files", id: 1, reply: { op: "list", entries } });
    worker.receive({ kind: "files", id: 1, reply: { op: "list", entries: [] } });
    await settle();
    expect(module.engine.events.at(-1)).toEqual({
      type: "listed",
      listings: [{ root: 0, dir: "src", entries, ignoreFiles: [] }],
    });
  });
});
