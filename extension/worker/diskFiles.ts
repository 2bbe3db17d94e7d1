/** Files on the disk: folders are listed and files read in the parse workers, beside the parsing. */
import type { FileRef, Listing, Root } from "../generated/protocol";
import { joinPath } from "../core/paths";
import { failedListing, type AnalyseOptions, type FileSource, type FolderRequest, type Outcome } from "./files";
import { describe } from "./module";
import type { ParserPool } from "./pool";

/** Files that the workers read themselves. */
export class DiskFiles implements FileSource {
  constructor(private readonly pool: ParserPool) {}

  get width(): number {
    return this.pool.width;
  }

  async list(folders: FolderRequest[]): Promise<Listing[]> {
    if (folders.length === 0) {
      return [];
    }
    try {
      return await this.pool.run({ kind: "list", folders });
    } catch (error) {
      return folders.map((folder) => failedListing(folder, describe(error)));
    }
  }

  outcome(root: Root, file: FileRef, options: AnalyseOptions): Promise<Outcome> {
    return this.pool.run({ kind: "file", file: joinPath(root.path, file.path), path: file.path, options });
  }
}
