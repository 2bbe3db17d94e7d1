/** Answers what the core asks a store of observations; `crates/host/src/observations.rs` is its twin (SPEC OB1, X7). */
import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import type { MemoryReply, MemoryRequest } from "../generated/protocol";
import { errorCode } from "./listing.node";
import { MemoryError, MemoryLog, type Draft } from "./memory.node";

/** The logs that were asked, by their roots: each knows the last name of its lock. */
const logs = new Map<string, MemoryLog>();

/** Does what is asked. The core looks into the log itself: it is handed over as it is. */
export function answerMemory(root: string, request: MemoryRequest): MemoryReply {
  try {
    if (request.type === "place") {
      return placeOf(root);
    }
    const log = logs.get(root) ?? new MemoryLog(root);
    logs.set(root, log);
    const elsewhere = otherBackend(log, request.backend ?? null);
    if (elsewhere !== undefined) {
      return elsewhere;
    }
    switch (request.type) {
      case "append":
        return { type: "recorded", ids: log.append(request.records as Draft[]), warnings: [] };
      case "purge":
        return { type: "recorded", ids: [log.purge(request.ids, request.tombstone as Draft)], warnings: [] };
      case "recall":
        return { type: "log", bytes: log.read() };
    }
  } catch (error) {
    return failure(error);
  }
}

/** What is not in lines of JSON is read by the `codecortex` program alone. */
function otherBackend(log: MemoryLog, backend: string | null): MemoryReply | undefined {
  const asked = backend ?? (log.isInDatabase() ? "sqlite" : "jsonl");
  if (asked === "jsonl" && !log.isInDatabase()) {
    return undefined;
  }
  const holder = log.isInDatabase() ? "sqlite" : asked;
  return {
    type: "failed",
    code: "Unavailable",
    message: `The observations are in ${holder}, which is not read here.`,
    hint: "Run `codecortex memory migrate --to jsonl`, or recall with the `codecortex` program.",
    retryable: false,
  };
}

function failure(error: unknown): MemoryReply {
  if (error instanceof MemoryError) {
    const retryable = error.code === "Busy" || error.code === "LockLost";
    const code = error.code === "Outside" ? "AccessDenied" : retryable ? "Busy" : "Unavailable";
    return { type: "failed", code, message: error.message, hint: "Call again.", retryable };
  }
  const system = errorCode(error);
  const [code, why] =
    system === "ENOSPC" || system === "EDQUOT"
      ? ["Unavailable", "the disk is full"]
      : ["EACCES", "EPERM", "EROFS"].includes(system)
        ? ["AccessDenied", "it cannot be written"]
        : ["InternalError", system];
  const message = `.context/memory: ${why}.`;
  return { type: "failed", code, message, hint: "Nothing was recorded; look at the folder.", retryable: false };
}

/** The branch that is checked out, and the name of the worktree where it is a linked one. */
function placeOf(root: string): MemoryReply {
  const nothing: MemoryReply = { type: "place", branch: null, worktree: null };
  for (let folder = root; ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    const kind = kindOf(git);
    if (kind === undefined) {
      if (dirname(folder) === folder) {
        return nothing;
      }
      continue;
    }
    const target = kind === "folder" ? undefined : /^gitdir:\s*(.+)$/m.exec(textOf(git) ?? "")?.[1]?.trim();
    if (kind === "file" && target === undefined) {
      return nothing;
    }
    const store = target === undefined ? git : resolve(folder, target);
    const branch = /^ref: refs\/heads\/(.+)$/m.exec(textOf(join(store, "HEAD")) ?? "")?.[1]?.trim() ?? null;
    const isLinked = target !== undefined && basename(dirname(store)) === "worktrees";
    return { type: "place", branch, worktree: isLinked ? basename(store) : null };
  }
}

function kindOf(path: string): "folder" | "file" | undefined {
  try {
    return lstatSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
