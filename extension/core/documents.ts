/**
 * Feeds open documents to the engine.
 *
 * The text of a document is read in slices, because a file of megabytes read at once would hold the
 * extension host. An edit that comes before the text is complete starts the reading again, so what
 * is sent is always one version's text; edits of what is not sent yet need no message at all.
 */
import type { TextChange } from "../generated/protocol";
import type { PlainEvent } from "./messages";
import type { Slices } from "./schedule";

/** A document of the editor, as far as it counts here. */
export interface OpenDocument {
  readonly path: string;
  readonly version: number;
  readonly isDirty: boolean;
  readonly isClosed: boolean;
  readonly lineCount: number;
  /** The text of lines `from` up to but without `to`, with their line ends. */
  lines(from: number, to: number): string;
}

/** What limits the feed. */
export interface FeedLimits {
  /** Longer documents are left to the disk, where they count as oversized. */
  maxCharacters(): number;
  /** Lines read in one piece of work. */
  linesPerSlice: number;
  /** An edit with more changes or characters is sent as a whole text, in slices. */
  mostChanges: number;
  mostCharacters: number;
}

/** Limits under which no piece of work takes more than about a millisecond. */
export const FEED_SLICE = { linesPerSlice: 2_000, mostChanges: 200, mostCharacters: 256 * 1024 };

interface Sent {
  version: number;
  dirty: boolean;
}

/** Sends `opened`, `edited`, `saved` and `closed`. */
export class DocumentFeed {
  private readonly sent = new Map<string, Sent>();
  private readonly reading = new Map<string, OpenDocument>();

  constructor(
    private readonly send: (event: PlainEvent) => void,
    private readonly slices: Slices,
    private readonly limits: FeedLimits,
  ) {}

  /** A document was opened, or is open when we start. */
  opened(document: OpenDocument): void {
    const waiting = this.reading.has(document.path);
    this.sent.delete(document.path);
    this.reading.set(document.path, document);
    if (!waiting) {
      this.slices.add("document", () => {
        this.read(document.path, []);
      });
    }
  }

  /**
   * A document changed, or only its dirty mark did. `convert` turns the editor's changes into the
   * engine's, which is not worth it where a whole text is sent instead.
   */
  edited<C extends { text: string }>(
    document: OpenDocument,
    changes: readonly C[],
    convert: (change: C) => TextChange,
  ): void {
    const { path, version, isDirty: dirty } = document;
    const sent = this.sent.get(path);
    if (!sent || (changes.length === 0 && sent.dirty === dirty)) {
      return;
    }
    if (this.isLarge(changes)) {
      this.opened(document);
      return;
    }
    this.sent.set(path, { version, dirty });
    this.send({ type: "edited", path, version, changes: changes.map(convert), dirty });
  }

  /** A document was written to the disk. */
  saved(path: string): void {
    const sent = this.sent.get(path);
    if (sent) {
      sent.dirty = false;
      this.send({ type: "saved", path });
    }
  }

  /** The editor let go of a document. */
  closed(path: string): void {
    this.reading.delete(path);
    if (this.sent.delete(path)) {
      this.send({ type: "closed", path });
    }
  }

  /** A new engine knows nothing: sends every document again. */
  replay(documents: Iterable<OpenDocument>): void {
    this.sent.clear();
    this.reading.clear();
    for (const document of documents) {
      this.opened(document);
    }
  }

  /** Reads the next lines; `parts` is what was read of version `version` so far. */
  private read(path: string, parts: string[], version?: number): void {
    const document = this.reading.get(path);
    if (!document || document.isClosed) {
      this.reading.delete(path);
      return;
    }
    const current = document.version;
    const pieces = current === version ? parts : [];
    const from = pieces.length * this.limits.linesPerSlice;
    pieces.push(document.lines(from, from + this.limits.linesPerSlice));
    if (from + this.limits.linesPerSlice < document.lineCount) {
      this.slices.add("document", () => {
        this.read(path, pieces, current);
      });
    } else {
      this.reading.delete(path);
      this.complete(document, pieces);
    }
  }

  private complete(document: OpenDocument, pieces: string[]): void {
    const characters = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (characters > this.limits.maxCharacters()) {
      return;
    }
    const { path, version, isDirty: dirty } = document;
    this.sent.set(path, { version, dirty });
    this.send({ type: "opened", path, version, text: pieces.join(""), dirty });
  }

  private isLarge(changes: readonly { text: string }[]): boolean {
    const characters = changes.reduce((sum, change) => sum + change.text.length, 0);
    return changes.length > this.limits.mostChanges || characters > this.limits.mostCharacters;
  }
}
