/**
 * The files the engine wants read, and how many are on their way.
 *
 * The engine may ask for tens of thousands at once and for a file it asked for already: a file that
 * waits is not queued twice, and a handful of files, which is what an edit or a save gives, goes in
 * front of a long queue.
 */
import type { FileRef } from "../generated/protocol";

/** Up to this many files in one request are wanted before everything else. */
const URGENT = 32;

/** Hands out files in order, a limited number at a time. */
export class ReadQueue {
  private urgent: FileRef[] = [];
  private files: FileRef[] = [];
  private next = 0;
  private readonly waiting = new Set<string>();
  private running = 0;
  private generation = 0;

  /** `read` reads one file and never rejects; `width` files are read at the same time. */
  constructor(
    private readonly width: () => number,
    private readonly read: (file: FileRef) => Promise<void>,
  ) {}

  /** Files that wait or are being read. */
  get pending(): number {
    return this.waiting.size + this.running;
  }

  /** Adds files, the most wanted first. */
  add(files: FileRef[]): void {
    const fresh = files.filter((file) => !this.waiting.has(key(file)));
    for (const file of fresh) {
      this.waiting.add(key(file));
    }
    if (files.length <= URGENT) {
      this.urgent.push(...fresh);
    } else {
      this.files = this.files.slice(this.next).concat(fresh);
      this.next = 0;
    }
    this.pump();
  }

  /** Forgets what waits; what is being read comes to its end. */
  clear(): void {
    this.generation += 1;
    this.running = 0;
    this.urgent = [];
    this.files = [];
    this.next = 0;
    this.waiting.clear();
  }

  private pump(): void {
    while (this.running < this.width()) {
      const file = this.take();
      if (!file) {
        return;
      }
      this.running += 1;
      const generation = this.generation;
      void this.read(file).finally(() => {
        if (generation === this.generation) {
          this.running -= 1;
          this.pump();
        }
      });
    }
  }

  private take(): FileRef | undefined {
    const urgent = this.urgent.shift();
    const file = urgent ?? this.files[this.next];
    if (file) {
      this.next += urgent ? 0 : 1;
      this.waiting.delete(key(file));
    }
    return file;
  }
}

function key(file: FileRef): string {
  return `${file.root}:${file.path}`;
}
