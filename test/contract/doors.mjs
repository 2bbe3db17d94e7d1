/**
 * The ways to the tools: the module as VS Code runs it, one-shot calls, a warm batch, an MCP server. Each gives
 * `{ask(tool, args) => envelope, close()}` over the same folder.
 */

import { spawn, spawnSync } from "node:child_process";
import { basename, join, sep } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

import { root } from "../../xtask/lib/context.mjs";

const PATIENCE_MS = 30_000;
const program = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug", "codecortex");

/** What VS Code starts: the bundled engine worker with the shipped module. */
export async function openWorker(folder) {
  const dist = join(root, "dist");
  const worker = new Worker(join(dist, "engine.worker.js"));
  const waiting = new Waiting();
  const ready = waiting.of("ready");
  worker.on("message", (message) => {
    if (message.kind === "answer") {
      waiting.settle(message.id, JSON.parse(message.answer.json));
    } else if (message.kind === "state" && message.state.phase === "ready") {
      waiting.settle("ready");
    } else if (message.kind === "failed") {
      waiting.failAll(new Error(message.reason));
    }
  });
  worker.on("error", (error) => waiting.failAll(error));
  const config = { maxFileSize: 1_000_000, exclude: [], excludeGenerated: true, format: "json" };
  const roots = [{ name: basename(folder), path: folder.split(sep).join("/") }];
  worker.postMessage({
    kind: "start",
    options: { assets: { kind: "folder", path: dist }, useCache: false, workers: 1 },
  });
  worker.postMessage({ kind: "event", event: { type: "configure", roots, config } });
  await ready;
  let id = 0;
  return {
    ask(tool, args) {
      id += 1;
      const answer = waiting.of(id);
      worker.postMessage({ kind: "call", id, tool, args, door: { kind: "cli" } });
      return answer;
    },
    close: () => worker.terminate(),
  };
}

/** `codecortex call`, a process for every question; the exit code has to agree with the envelope. */
export function openCall(folder) {
  return {
    ask(tool, args) {
      const line = ["call", tool, "--root", folder, "--no-cache", "--args", JSON.stringify(args)];
      const { status, stdout, stderr } = spawnSync(program, line, { encoding: "utf8" });
      const envelope = parse(stdout, `exit code ${status}, ${stderr}`);
      if (status !== (envelope.ok ? 0 : 1)) {
        throw new Error(`exit code ${status} for ${stdout}`);
      }
      return envelope;
    },
    close: () => undefined,
  };
}

/** `codecortex batch`: a line in, a line out. */
export function openBatch(folder) {
  const { child, waiting, send } = openProcess(["batch", "--root", folder, "--no-cache"], ({ id, result }) => [
    id,
    result,
  ]);
  let id = 0;
  return {
    ask(tool, args) {
      id += 1;
      const answer = waiting.of(id);
      send({ id, tool, args });
      return answer;
    },
    close: () => closeProcess(child),
  };
}

/** `codecortex mcp`: JSON-RPC, a line a message. */
export async function openMcp(folder) {
  const { child, waiting, send } = openProcess(["mcp", "--root", folder, "--no-cache"], (message) => [
    message.id,
    message,
  ]);
  let id = 0;
  const request = (method, params) => {
    id += 1;
    const answer = waiting.of(id);
    send({ jsonrpc: "2.0", id, method, params });
    return answer;
  };
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "contract", version: "1" } };
  await request("initialize", client);
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    async ask(tool, args) {
      const { result, error } = await request("tools/call", { name: tool, arguments: args });
      if (error) {
        throw new Error(`an error of the protocol instead of an envelope: ${JSON.stringify(error)}`);
      }
      if (Boolean(result.isError) === result.structuredContent.ok) {
        throw new Error(`isError is ${result.isError} for ${JSON.stringify(result.structuredContent)}`);
      }
      return result.structuredContent;
    },
    close: () => closeProcess(child),
  };
}

/** A program that answers line by line; `read` gives a line's id and answer. */
function openProcess(args, read) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Waiting();
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaints = (complaints + text).slice(-2000);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [id, answer] = read(parse(line, complaints));
    waiting.settle(id, answer);
  });
  child.on("error", (error) => waiting.failAll(error));
  child.on("close", (code) => waiting.failAll(new Error(`it ended with ${code}: ${complaints}`)));
  return { child, waiting, send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`) };
}

/** The end of its input ends such a program. */
function closeProcess(child) {
  return new Promise((done) => {
    child.on("close", done);
    child.stdin.end();
  });
}

function parse(line, otherwise) {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`no JSON on stdout: ${line.slice(0, 500)} (${otherwise})`);
  }
}

/** Answers that are still to come, by id. */
class Waiting {
  #open = new Map();

  of(id) {
    return new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`no answer to ${id} in ${PATIENCE_MS} ms`)), PATIENCE_MS);
      this.#open.set(id, { done, failed, timer });
    });
  }

  settle(id, answer) {
    const { done, timer } = this.#open.get(id) ?? {};
    this.#open.delete(id);
    clearTimeout(timer);
    done?.(answer);
  }

  failAll(error) {
    for (const { failed, timer } of this.#open.values()) {
      clearTimeout(timer);
      failed(error);
    }
    this.#open.clear();
  }
}
