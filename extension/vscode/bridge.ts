/** Serves files that the workers cannot reach themselves through the editor's file systems. */
import { FileSystemError, FileType, Uri, workspace } from "vscode";

import type { Addresses } from "../core/addresses";
import type { FilesReply, FilesRequest, HostEntry } from "../core/messages";
import { toUri } from "../core/paths";
import type { HoldMeter } from "../core/schedule";
import type { EntryKind } from "../generated/protocol";
import type { AppliedEdits } from "./appliedEdits";
import { applyEdits } from "./applyEdits";
import { commit } from "./contextFiles";

/** Files asked for at the same time; each is a round trip to a file system that may be remote. */
const STATS_AT_ONCE = 16;

/** What serving needs. */
export interface BridgeParts {
  windows: boolean;
  meter: HoldMeter;
  /** What language providers named. */
  addresses: Addresses<Uri>;
  /** Keeps what is applied, for `undo`. */
  applied: AppliedEdits;
}

/** Answers requests of the engine worker. Never rejects. */
export function bridge(parts: BridgeParts): (request: FilesRequest) => Promise<FilesReply> {
  const { windows, meter, addresses, applied } = parts;
  return async (request) => {
    try {
      if (request.op === "commit") {
        const root = Uri.from(toUri(request.root, windows));
        return { op: "commit", outcome: await commit(root, request.expect, request.changes) };
      }
      if (request.op === "apply") {
        const { files, summary, undoes } = request;
        return { op: "apply", outcome: await applyEdits(files, { summary, undoes, applied }, windows) };
      }
      if (request.op === "appliedEdits") {
        return { op: "appliedEdits", edits: await applied.list(request.lastWithContents) };
      }
      if (request.op === "readOutside") {
        const uri = addresses.of(request.path) ?? Uri.from(toUri(request.path, windows));
        return await readOutside(uri, request.maxBytes, meter);
      }
      const uri = Uri.from(toUri(request.path, windows));
      return request.op === "list" ? await list(uri, meter) : await read(uri, request.maxBytes, meter);
    } catch (error) {
      return { op: "failed", code: error instanceof FileSystemError ? error.code : "Unknown" };
    }
  };
}

async function list(folder: Uri, meter: HoldMeter): Promise<FilesReply> {
  const found = await workspace.fs.readDirectory(folder);
  const entries: HostEntry[] = [];
  for (let start = 0; start < found.length; start += STATS_AT_ONCE) {
    const some = meter.measure("bridge: list", () =>
      found.slice(start, start + STATS_AT_ONCE).map(([name, type]) => entry(folder, name, type)),
    );
    entries.push(...(await Promise.all(some)).flat());
  }
  return { op: "list", entries };
}

/** An entry that vanished meanwhile is left out. */
async function entry(folder: Uri, name: string, type: FileType): Promise<HostEntry[]> {
  const kind = kindOf(type);
  if (kind !== "file") {
    return [{ name, kind, size: 0, mtimeMs: 0 }];
  }
  try {
    const { size, mtime } = await workspace.fs.stat(Uri.joinPath(folder, name));
    return [{ name, kind, size, mtimeMs: mtime }];
  } catch {
    return [];
  }
}

/** A link carries the mark of what it leads to as well; it counts as a link. */
function kindOf(type: FileType): EntryKind {
  if ((type & FileType.SymbolicLink) !== 0) {
    return "symlink";
  }
  if ((type & FileType.Directory) !== 0) {
    return "dir";
  }
  return (type & FileType.File) !== 0 ? "file" : "other";
}

async function read(file: Uri, maxBytes: number, meter: HoldMeter): Promise<FilesReply> {
  const { size, mtime, type } = await workspace.fs.stat(file);
  if ((type & FileType.File) === 0) {
    return { op: "failed", code: "FileIsADirectory" };
  }
  if (size > maxBytes) {
    return { op: "failed", code: "FileTooLarge" };
  }
  const content = await workspace.fs.readFile(file);
  return meter.measure("bridge: read", () => ({ op: "read", size, mtimeMs: mtime, bytes: own(content) }));
}

/** What has no file system may have a text: classes in archives, sources that are made from binaries. */
async function readOutside(file: Uri, maxBytes: number, meter: HoldMeter): Promise<FilesReply> {
  if (workspace.fs.isWritableFileSystem(file.scheme) !== undefined) {
    return read(file, maxBytes, meter);
  }
  const document = await workspace.openTextDocument(file);
  return meter.measure("bridge: read", () => {
    const bytes = own(new TextEncoder().encode(document.getText()));
    return bytes.length > maxBytes
      ? { op: "failed", code: "FileTooLarge" }
      : { op: "read", size: bytes.length, mtimeMs: 0, bytes };
  });
}

/** Bytes that can be handed over: the editor's may be a part of a buffer that others use. */
function own(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = content;
  const whole = buffer instanceof ArrayBuffer && buffer.byteLength === content.byteLength;
  return whole ? new Uint8Array(buffer) : new Uint8Array(content);
}
