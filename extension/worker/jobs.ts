/** What the engine worker asks of its parse workers. */
import type { Listing } from "../generated/protocol";
import type { AnalyseOptions, FolderRequest, Outcome } from "./files";

/** One piece of work for a parse worker. */
export type Job =
  | { kind: "list"; folders: FolderRequest[] }
  /** Read the file at `file` and analyse it under its relative `path`. */
  | { kind: "file"; file: string; path: string; options: AnalyseOptions }
  /** Analyse bytes that were read elsewhere. */
  | {
      kind: "bytes";
      path: string;
      bytes: Uint8Array<ArrayBuffer>;
      size: number;
      mtimeMs: number;
      options: AnalyseOptions;
    };

/** What a job of each kind gives. */
export interface JobResults {
  list: Listing[];
  file: Outcome;
  bytes: Outcome;
}

/** To a parse worker. The module comes first and once; jobs follow. */
export type ToParser = { kind: "module"; module: WebAssembly.Module } | { kind: "job"; id: number; job: Job };

/** From a parse worker, in the order of the jobs. */
export type FromParser =
  | { id: number; ok: true; result: JobResults[Job["kind"]]; memoryBytes: number }
  /** `broken`: the worker's instance trapped and must not be used again. */
  | { id: number; ok: false; reason: string; broken: boolean; memoryBytes: number };
