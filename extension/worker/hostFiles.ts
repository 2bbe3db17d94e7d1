/**
 * Files that only the editor can reach: virtual workspaces, and everything on the web.
 *
 * The extension host lists and reads, the bytes are analysed in a parse worker like any other.
 */
import type { ListingEntry, FileRef, IgnoreFile, Listing, Root } from "../generated/protocol";
import type { FilesReply, HostRequest } from "../core/messages";
import { joinPath } from "../core/paths";
import {
  CONTEXT_CONFIG,
  failedListing,
  GIT_EXCLUDE,
  IGNORE_FILES,
  ignoreFile,
  LARGEST_IGNORE_FILE,
  sentence,
  type AnalyseOptions,
  type FileSource,
  type FolderRequest,
  type Outcome,
} from "./files";
import { JobError, type ParserPool } from "./pool";

/** Asks the extension host. */
export type AskHost = (request: HostRequest) => Promise<FilesReply>;

/** Requests on their way to the extension host. */
export class HostRequests {
  private readonly pending = new Map<number, (reply: FilesReply) => void>();
  private nextId = 1;

  /** `post` sends a request with its number. */
  constructor(private readonly post: (id: number, request: HostRequest) => void) {}

  /** Sends a request. */
  readonly ask: AskHost = (request) =>
    new Promise((resolve) => {
      const id = this.nextId;
      this.nextId += 1;
      this.pending.set(id, resolve);
      this.post(id, request);
    });

  /** The host replied. */
  replied(id: number, reply: FilesReply): void {
    const resolve = this.pending.get(id);
    this.pending.delete(id);
    resolve?.(reply);
  }
}

/** Files through the extension host. */
export class HostFiles implements FileSource {
  constructor(
    private readonly ask: AskHost,
    private readonly pool: ParserPool,
  ) {}

  get width(): number {
    return this.pool.width;
  }

  list(folders: FolderRequest[]): Promise<Listing[]> {
    return Promise.all(folders.map((folder) => this.listOne(folder)));
  }

  async outcome(root: Root, file: FileRef, options: AnalyseOptions): Promise<Outcome> {
    const reply = await this.ask({ op: "read", path: joinPath(root.path, file.path), maxBytes: options.maxFileSize });
    if (reply.op !== "read") {
      throw new JobError(reply.op === "failed" ? sentence(reply.code) : "the editor did not read it");
    }
    const { bytes, size, mtimeMs } = reply;
    return this.pool.run({ kind: "bytes", path: file.path, bytes, size, mtimeMs, options }, [bytes.buffer]);
  }

  private async listOne(folder: FolderRequest): Promise<Listing> {
    const path = joinPath(folder.rootPath, folder.dir);
    const reply = await this.ask({ op: "list", path });
    if (reply.op !== "list") {
      return failedListing(folder, reply.op === "failed" ? sentence(reply.code) : "the editor did not list it");
    }
    const entries: ListingEntry[] = reply.entries;
    const names = IGNORE_FILES.filter((name) => entries.some((entry) => entry.name === name && entry.kind === "file"));
    if (folder.dir === "" && entries.some((entry) => entry.name === ".git" && entry.kind === "dir")) {
      names.push(GIT_EXCLUDE);
    }
    if (folder.dir === "" && entries.some((entry) => entry.name === ".context" && entry.kind === "dir")) {
      names.push(CONTEXT_CONFIG);
    }
    const ignoreFiles = await Promise.all(names.map((name) => this.ignoreLines(path, name)));
    return { root: folder.root, dir: folder.dir, entries, ignoreFiles: ignoreFiles.flat() };
  }

  private async ignoreLines(folder: string, name: string): Promise<IgnoreFile[]> {
    const reply = await this.ask({ op: "read", path: joinPath(folder, name), maxBytes: LARGEST_IGNORE_FILE });
    return ignoreFile(name, reply.op === "read" ? new TextDecoder().decode(reply.bytes) : undefined);
  }
}

/** Sends each root to the source that can read it. */
export class RoutedFiles implements FileSource {
  /** `isHosted` says whether only the editor can read the root with this path. */
  constructor(
    private readonly disk: FileSource,
    private readonly hosted: FileSource,
    private readonly isHosted: (rootPath: string) => boolean,
  ) {}

  get width(): number {
    return this.disk.width;
  }

  async list(folders: FolderRequest[]): Promise<Listing[]> {
    const hosted = folders.filter((folder) => this.isHosted(folder.rootPath));
    const disk = folders.filter((folder) => !this.isHosted(folder.rootPath));
    const parts = await Promise.all([this.disk.list(disk), this.hosted.list(hosted)]);
    return parts.flat();
  }

  outcome(root: Root, file: FileRef, options: AnalyseOptions): Promise<Outcome> {
    return (this.isHosted(root.path) ? this.hosted : this.disk).outcome(root, file, options);
  }
}
