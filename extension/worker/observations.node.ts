/** Answers what the core asks a store of observations; `crates/host/src/observations.rs` is its twin (SPEC OB1, X7). */
import { lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import type { MemoryReply, MemoryRequest } from "../generated/protocol";
import { RefusedError } from "./confined.node";
import { errorCode } from "./errorCode.node";
import { readSmall } from "./gitIgnores.node";
import { LockError } from "./lock.node";
import { MemoryLog } from "./memory.node";
import { DatabaseLog, hasDatabases } from "./memoryDatabase.node";
import { ElsewhereError, MemoryFolder, type Backend, type Draft, type ObservationStore } from "./memoryFolder.node";
import { MarkdownLog } from "./memoryMarkdown.node";

/** The folders that were asked, by their roots: each knows the last name of its lock. */
const folders = new Map<string, MemoryFolder>();

/** Does what is asked. The core looks into the records itself: they are handed over as they are. */
export function answerMemory(root: string, request: MemoryRequest): MemoryReply {
  try {
    if (request.type === "place") {
      return placeOf(root);
    }
    const folder = folders.get(root) ?? new MemoryFolder(root);
    folders.set(root, folder);
    const backend = backendOf(request.backend) ?? folder.holder() ?? "jsonl";
    if (backend === "sqlite" && !hasDatabases()) {
      return NO_DATABASES;
    }
    const store = storeOf(root, folder, backend);
    switch (request.type) {
      case "append": {
        const drafts = request.records as Draft[];
        const ids = store.append(drafts);
        return { type: "recorded", ids, warnings: [...folder.takeWarnings(), ...warnings(backend, drafts)] };
      }
      case "purge": {
        const ids = [store.purge(request.ids, request.tombstone as Draft)];
        return { type: "recorded", ids, warnings: folder.takeWarnings() };
      }
      case "recall":
        return { type: "log", bytes: store.read(), backend };
    }
  } catch (error) {
    return failure(error);
  }
}

function backendOf(asked: string | null | undefined): Backend | undefined {
  return asked === "jsonl" || asked === "markdown" || asked === "sqlite" ? asked : undefined;
}

function storeOf(root: string, folder: MemoryFolder, backend: Backend): ObservationStore {
  switch (backend) {
    case "jsonl":
      return new MemoryLog(root, folder);
    case "markdown":
      return new MarkdownLog(folder);
    case "sqlite":
      return new DatabaseLog(folder);
  }
}

function warnings(backend: Backend, drafts: readonly Draft[]): string[] {
  const has = (value: unknown) => value !== undefined && value !== null;
  const cut = drafts.filter(({ detail, refs }) => has(detail) || has(refs)).length;
  return backend === "markdown" && cut > 0 ? [`Markdown keeps only summaries: ${cut} details are lost.`] : [];
}

const NO_DATABASES: MemoryReply = {
  type: "failed",
  code: "Unavailable",
  message: "The observations are in sqlite, which the Node of this editor has not.",
  hint: "Run `codecortex memory migrate --to jsonl`, or recall with the `codecortex` program.",
  retryable: false,
};

function failure(error: unknown): MemoryReply {
  if (error instanceof LockError) {
    return { type: "failed", code: "Busy", message: error.message, hint: "Call again.", retryable: true };
  }
  if (error instanceof ElsewhereError) {
    const hint = "Set `flags.observations_backend`, or run `codecortex memory migrate`.";
    return { type: "failed", code: "Unavailable", message: error.message, hint, retryable: false };
  }
  if (error instanceof RefusedError) {
    const message = `.context/memory: ${error.message}.`;
    const hint = "Delete or move the named entry; links are not followed there.";
    return { type: "failed", code: "AccessDenied", message, hint, retryable: false };
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
    const target = kind === "folder" ? undefined : /^gitdir:\s*(.+)$/m.exec(readSmall(git) ?? "")?.[1]?.trim();
    if (kind === "file" && target === undefined) {
      return nothing;
    }
    const store = target === undefined ? git : resolve(folder, target);
    const branch = /^ref: refs\/heads\/(.+)$/m.exec(readSmall(join(store, "HEAD")) ?? "")?.[1]?.trim() ?? null;
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
