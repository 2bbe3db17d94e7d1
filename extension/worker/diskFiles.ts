/** Files on the disk: folders are listed and files read in the parse workers, beside the parsing. */
import type { FileRef, Listing, Root } from "../generated/protocol";
import { joinPath } from "../core/paths";
import { failedListing, type AnalyseOptions, type FileSource, type FolderRequest, type Outcome } from "./files";
import { describe } from "./module";
import type { ParserPool } from "./pool";

/** Folders listed in one job: enough to make the message cheap, few enough to share the work. */
const FOLDERS_PER_JOB = 24;

/** Files that the workers read themselves. */
export class DiskFiles implements FileSource {
  constructor(private readonly pool: ParserPool) {}

  get width(): number {
    return this.pool.width;
  }

  async list(folders: FolderRequest[]): Promise<Listing[]> {
    const jobs: Promise<Listing[]>[] = [];
    for (let start = 0; start < folders.length; start += FOLDERS_PER_JOB) {
      jobs.push(this.listSome(folders.slice(start, start + FOLDERS_PER_JOB)));
    }
    return (await Promise.all(jobs)).flat();
  }

  outcome(root: Root, file: FileRef, options: AnalyseOptions): Promise<Outcome> {
    return this.pool.run({ kind: "file", file: joinPath(root.path, file.path), path: file.path, options });
  }

  private async listSome(folders: FolderRequest[]): Promise<Listing[]> {
    try {
      return await this.pool.run({ kind: "list", folders });
    } catch (error) {
      return folders.map((folder) => failedListing(folder, describe(error)));
    }
  }
}
