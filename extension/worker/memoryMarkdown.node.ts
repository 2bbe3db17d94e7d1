/**
 * The log for people as the back end, for emergencies: it holds summaries and nothing else;
 * `crates/memory/src/native/markdown.rs` is its twin.
 */
import {
  appendShown,
  purgeShown,
  shownId,
  shownLine,
  SHOWN,
  type Draft,
  type MemoryFolder,
  type ObservationStore,
} from "./memoryFolder.node";

/** Observations in `observations.md`. */
export class MarkdownLog implements ObservationStore {
  constructor(private readonly folder: MemoryFolder) {}

  read(): Uint8Array | null {
    return this.folder.bytes("markdown", SHOWN);
  }

  append(drafts: readonly Draft[]): number[] {
    return this.folder.write("markdown", (folder, check) => {
      const text = Buffer.from(folder.bytes(SHOWN) ?? []).toString("utf8");
      const last = text.split("\n").reduce((highest, line) => Math.max(highest, shownId(line) ?? 0), 0);
      const ids = drafts.map((_, at) => last + 1 + at);
      const lines = drafts.map((draft, at) => shownLine(draft, last + 1 + at));
      check();
      appendShown(folder, (text === "" || text.endsWith("\n") ? "" : "\n") + lines.join(""));
      return ids;
    });
  }

  purge(ids: readonly number[], tombstone: Draft): number {
    const [id] = this.append([tombstone]);
    this.folder.write("markdown", (folder, check) => {
      check();
      purgeShown(folder, new Set(ids));
    });
    return id ?? 0;
  }
}
