/** How the engine worker gets at folders and files, wherever they are. */
import type { FileRef, IgnoreFile, Listing, Root } from "../generated/protocol";

/** The facts of one file, or why there are none, with the state of the file they were taken from. */
export interface Outcome {
  size: number;
  mtimeMs: number;
  outcome: Uint8Array;
}

/** What analysing depends on besides the bytes. */
export interface AnalyseOptions {
  maxFileSize: number;
  excludeGenerated: boolean;
}

/** A folder to list, as the engine names it and as the file system does. */
export interface FolderRequest {
  root: number;
  rootPath: string;
  dir: string;
}

/** A place files come from. */
export interface FileSource {
  /** Lists folders; a folder that cannot be listed has `error` set. Never rejects for a folder's sake. */
  list(folders: FolderRequest[]): Promise<Listing[]>;
  /** Reads and analyses one file. Rejects with a sentence where that fails. */
  outcome(root: Root, file: FileRef, options: AnalyseOptions): Promise<Outcome>;
  /** How many files are worth asking for at the same time. */
  readonly width: number;
}

/** Files whose lines the engine wants with a folder's listing. */
export const IGNORE_FILES: readonly string[] = [".gitignore", ".ignore"];

/** An ignore file that counts for a root although it lies elsewhere. */
export const GIT_EXCLUDE = ".git/info/exclude";

/** What the user leaves out of all repositories. */
export const GLOBAL_EXCLUDES = "core.excludesFile";

/** Settings that travel with a root; they come with its listing. */
export const CONTEXT_CONFIG = ".context/config.json";

/** Longer ignore files are no ignore files. */
export const LARGEST_IGNORE_FILE = 1024 * 1024;

/** A listing of a folder that could not be read. */
export function failedListing(folder: FolderRequest, error: string): Listing {
  return { root: folder.root, dir: folder.dir, entries: [], ignoreFiles: [], error };
}

/** What an error code of the file system means, as a sentence without paths. */
export function sentence(code: string): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "NoPermissions":
      return "there is no permission to read it";
    case "ENOENT":
    case "FileNotFound":
      return "it is gone";
    case "ENOTDIR":
    case "FileNotADirectory":
      return "it is not a folder";
    case "EISDIR":
    case "FileIsADirectory":
      return "it is a folder";
    case "ELOOP":
      return "its links go in a circle";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    case "ENAMETOOLONG":
      return "its name is too long";
    default:
      return `reading failed (${code})`;
  }
}

/** An ignore file's text, where there is one. */
export function ignoreFile(name: string, text: string | undefined): IgnoreFile[] {
  return text === undefined ? [] : [{ name, text }];
}
