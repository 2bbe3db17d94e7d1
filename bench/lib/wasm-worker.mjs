/**
 * One instance of the WASM module in a worker, as in VS Code: it analyses, or it owns an engine.
 * Each message names a function below; what that gives is posted back.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

const glue = await import(workerData.glue);
const { memory } = glue.initSync({ module: workerData.module });

const LIMITS = [4 * 1024 * 1024, true];
const ROOT = "/bench";
const MTIME_MS = 1e12;
const EXPORT_MS = 2e12;

let engine;
let nextCall = 0;

/** Processor time in ms: of this thread, or of the process where Node cannot tell threads apart. */
function cpuTime() {
  const { user, system } = process.threadCpuUsage ? process.threadCpuUsage() : process.cpuUsage();
  return (user + system) / 1e3;
}

/**
 * What work took. The process's time has that of V8's compiler in it, which works beside this thread while
 * functions are new; the thread cannot have taken longer than the wall says, so the lesser of both is nearer.
 */
function timed(work) {
  const [cpuBefore, wallBefore] = [cpuTime(), performance.now()];
  const value = work();
  const wall = performance.now() - wallBefore;
  return { value, wall, cpu: Math.min(cpuTime() - cpuBefore, wall) };
}

function send(event) {
  return engine.handle(event);
}

const functions = {
  /** Facts of files; the outcomes only where they are wanted. */
  analyse({ root, files, keep }) {
    const contents = files.map((path) => [path, readFileSync(join(root, path))]);
    const outcomes = [];
    const { cpu, wall } = timed(() => {
      for (const [path, bytes] of contents) {
        const outcome = glue.analyse(path, bytes, ...LIMITS);
        if (keep) {
          outcomes.push({ path, size: bytes.length, outcome });
        }
      }
    });
    return { cpu, wall, outcomes, memory: memory.buffer.byteLength };
  },

  /** An engine that knows these outcomes, instead of the one before. */
  open({ outcomes }) {
    engine?.free();
    engine = new glue.Engine();
    const { cpu, wall } = timed(() => fill(outcomes));
    return { cpu, wall, memory: memory.buffer.byteLength };
  },

  /** The same from an export of an engine before; nothing is analysed. */
  exportCache() {
    const { value, cpu } = timed(() => engine.exportCache(EXPORT_MS));
    return { bytes: value, cpu, memory: memory.buffer.byteLength };
  },

  openWarm({ cache, outcomes }) {
    engine = new glue.Engine();
    let missing = 0;
    const { cpu, wall } = timed(() => {
      engine.importCache(cache);
      missing = fill(outcomes);
    });
    return { cpu, wall, missing, memory: memory.buffer.byteLength };
  },

  call({ tool, args }) {
    const total = { cpu: 0, wall: 0, ok: false };
    const events = [{ type: "call", id: ++nextCall, tool, args, caller: { kind: "lm" } }];
    for (const event of events) {
      const { value, cpu, wall } = timed(() => send(event));
      total.cpu += cpu;
      total.wall += wall;
      for (const effect of value) {
        if (effect.type === "answer") {
          total.ok = effect.answer.ok;
        } else if (effect.type === "ask") {
          const reply = replyTo(effect.request); // reading is the host's time
          if (reply) {
            events.push({ type: "replied", id: effect.id, reply, nowMs: MTIME_MS });
          }
        }
      }
    }
    return total;
  },

  /** Letters typed anywhere in a long document, and live context now and then. */
  follow({ lines }) {
    engine = new glue.Engine();
    fill([]);
    const path = "/elsewhere/long.txt";
    const text = "some words of a line that is neither short nor long\n".repeat(lines);
    send({ type: "opened", path, version: 0, text, dirty: false });
    const [editMs, liveContextMs] = [[], []];
    for (let version = 1; version <= 4_000; version += 1) {
      const at = { line: (version * 7_919) % lines, character: version % 20 };
      send({ type: "time", nowMs: MTIME_MS + version * 100 });
      const change = { start: at, end: at, text: "x" };
      const event = { type: "edited", path, version, changes: [change], dirty: true };
      editMs.push(timed(() => send(event)).cpu);
      if (version % 40 === 0) {
        send({ type: "editor", active: path, selections: [{ start: at, end: at }], visible: [] });
        const { cpu, ok } = functions.call({ tool: "codecortex_getLiveContext", args: { maxTokens: 1_900 } });
        if (!ok) {
          throw new Error("no live context");
        }
        liveContextMs.push(cpu);
      }
    }
    return { editMs, liveContextMs };
  },

  /** Symbols pinned, and the window listed again and again. */
  pin({ pins }) {
    const names = new Set();
    for (const letters of ["e", "a", "o", "t", "s", "r", "i"]) {
      let cursor;
      do {
        const { items = [], nextCursor } = data("codecortex_searchApi", { labelQuery: letters, limit: 200, cursor });
        items.forEach(({ typeId, path }) => names.add(typeId ?? path));
        cursor = nextCursor;
      } while (cursor && names.size < pins);
    }
    const all = [...names].slice(0, pins);
    let pinned = 0;
    for (let start = 0; start < all.length; start += 50) {
      const symbols = all.slice(start, start + 50);
      pinned += data("codecortex_pin", { action: "pin", symbols }).ok === false ? 0 : symbols.length;
    }
    const list = { tool: "codecortex_getContext", args: { list: true } };
    return { pinned, times: Array.from({ length: 50 }, () => functions.call(list).cpu) };
  },

  /** A file opened, letters typed and taken back, the outline asked after each. */
  keystrokes({ path, strokes }) {
    return typed(path, strokes, { tool: "codecortex_getOutline", args: { filePath: path } });
  },

  /** The same, to the facts and hashes alone. */
  facts({ path, strokes }) {
    return typed(path, strokes, { tool: "codecortex_changes", args: { limit: 1 } });
  },
};

/** What each keystroke and the question behind it take, in ms of processor time. */
function typed(path, strokes, question) {
  const file = join(workerData.root, path);
  const text = readFileSync(file, "utf8");
  const outcome = glue.analyse(path, readFileSync(file), ...LIMITS);
  engine?.free();
  engine = new glue.Engine();
  fill([{ path, size: text.length, outcome }]);
  send({ type: "opened", path: `${ROOT}/${path}`, version: 0, text, dirty: false });
  functions.call(question);
  // The first edit reads the file as a whole, because there is nothing to go by.
  const warm = strokes.slice(0, 2);
  const times = [...warm, ...strokes].map(({ line, character, inserts }, version) => {
    const at = { line, character };
    const change = { start: at, end: inserts ? at : { line, character: character + 1 }, text: inserts ? "x" : "" };
    const event = { type: "edited", path: `${ROOT}/${path}`, version: version + 1, changes: [change], dirty: true };
    return timed(() => {
      send(event);
      if (!functions.call(question).ok) {
        throw new Error(`no answer about ${path}`);
      }
    }).cpu;
  });
  return times.slice(warm.length);
}

/** What a tool answers on a door without the limit of a model's; `{ok: false}` where it fails. */
function data(tool, args) {
  const effects = send({ type: "call", id: ++nextCall, tool, args, caller: { kind: "mcp" } });
  const answer = effects.find((effect) => effect.type === "answer")?.answer;
  return answer?.ok ? JSON.parse(answer.json).data : { ok: false };
}

/** The reply to a question of a call: texts that an answer shows, from the disk; nobody has committed anything. */
function replyTo(request) {
  const read = ({ path }) => {
    const file = join(workerData.root, path);
    return existsSync(file) ? { bytes: readFileSync(file) } : {};
  };
  switch (request.type) {
    case "texts":
      return { type: "texts", files: request.files.map(read) };
    case "log":
      return { type: "log", log: null };
    default:
      return undefined;
  }
}

/** Configures the engine and carries out what it asks for; how many files it asked to read. */
function fill(outcomes) {
  const [files, folders] = [new Map(), new Map([["", new Map()]])];
  for (const file of outcomes) {
    files.set(file.path, file);
    list(folders, file);
  }
  let read = 0;
  const config = { maxFileSize: LIMITS[0], exclude: [], excludeGenerated: LIMITS[1], format: "json" };
  const queue = send({ type: "configure", roots: [{ name: "bench", path: ROOT }], config });
  for (const effect of queue) {
    if (effect.type === "list") {
      const listings = effect.dirs.map(({ root, dir }) => {
        const entries = [...(folders.get(dir)?.values() ?? [])];
        return { root, dir, entries, ignoreFiles: [] };
      });
      queue.push(...send({ type: "listed", listings }));
    } else if (effect.type === "read") {
      read += effect.files.length;
      for (const { root, path } of effect.files) {
        const { size, outcome } = files.get(path);
        if (outcome) {
          queue.push(...engine.ingest(root, path, size, MTIME_MS, outcome));
        }
      }
    }
  }
  return read;
}

function list(folders, { path, size }) {
  let entry = { name: path.slice(path.lastIndexOf("/") + 1), kind: "file", size, mtimeMs: MTIME_MS };
  for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, Math.max(end, 0));
    const isKnown = folders.has(folder);
    const entries = folders.get(folder) ?? new Map();
    folders.set(folder, entries.set(entry.name, entry));
    if (isKnown || folder === "") {
      break;
    }
    entry = { name: folder.slice(folder.lastIndexOf("/") + 1), kind: "dir", size: 0, mtimeMs: 0 };
    path = folder;
  }
}

parentPort.on("message", ({ name, message }) => {
  try {
    parentPort.postMessage({ value: functions[name](message) });
  } catch (error) {
    parentPort.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
