/** The module as VS Code runs it: the bundled engine worker, without the editor around it. */

import { basename, join, sep } from "node:path";
import { Worker } from "node:worker_threads";

const PATIENCE_MS = 30_000;

/** Opens `folders` as a workspace; resolves when all of it is indexed. `dist` is the extension's folder. */
export async function openWorker(dist, folders) {
  const worker = new Worker(join(dist, "engine.worker.js"));
  const waiting = new Waiting();
  worker.on("error", (error) => waiting.failAll(error));
  worker.on("message", (message) => {
    if (message.kind === "answer") {
      waiting.settle(message.id, message.answer);
    } else if (message.kind === "state" && message.state.phase === "ready") {
      waiting.settle("ready");
    } else if (message.kind === "failed") {
      waiting.failAll(new Error(message.reason));
    }
  });
  const ready = waiting.of("ready");
  const options = { assets: { kind: "folder", path: dist }, useCache: false, workers: 1 };
  const roots = folders.map((folder) => ({ name: basename(folder), path: folder.split(sep).join("/") }));
  // the settings' defaults, those of the command line too
  const config = { maxFileSize: 4 * 1024 * 1024, exclude: [], excludeGenerated: true, format: "json" };
  worker.postMessage({ kind: "start", options });
  worker.postMessage({ kind: "event", event: { type: "configure", roots, config } });
  await ready;
  let id = 0;
  return {
    /** The answer to a call, `{ok, json, text}`. */
    call(tool, args, caller) {
      id += 1;
      const answer = waiting.of(id);
      worker.postMessage({ kind: "call", id, tool, args, caller });
      return answer;
    },
    close: () => worker.terminate(),
  };
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
