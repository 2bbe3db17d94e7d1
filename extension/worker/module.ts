/**
 * The WASM module as the workers use it; docs/wasm-api.md describes it.
 *
 * The workers depend on these interfaces, not on the generated glue, so that tests can put a small
 * engine of their own in its place.
 */
import type { Effect, Event } from "../generated/protocol";

/** One workspace. */
export interface Engine {
  handle(event: Event): Effect[];
  ingest(root: number, path: string, size: number, mtimeMs: number, outcome: Uint8Array): Effect[];
  exportCache(nowMs: number): Uint8Array;
  importCache(bytes: Uint8Array): boolean;
}

/** Reading a file's bytes; pure, so it may run in any worker. */
export interface Analyser {
  analyse(path: string, bytes: Uint8Array, maxFileSize: number, excludeGenerated: boolean): Uint8Array;
  unreadable(reason: string): Uint8Array;
}

/** What an instance of the module offers. */
export interface EngineModule extends Analyser {
  createEngine(): Engine;
  /** Has `tell` called with a number for the text that is parsed next, and with 0 when that is done. */
  watchParses(tell: (key: number) => void): void;
  /** Has the text of that number never be parsed. */
  leaveOutParse(key: number): void;
  /** Bytes of linear memory. */
  memoryBytes(): number;
}

/** Whether the module itself broke: after a trap its memory cannot be trusted any more. */
export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** An error as one line. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
