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
  /** What waits, and in which of the two queues. */
  private readonly waiting = new Map<string, "urgent" | "later">();
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
    if (files.length <= URGENT) {
      this.urgent.push(...this.fresh(files, "urgent"));
    } else {
      this.files = this.files.slice(this.next).concat(this.fresh(files, "later"));
      this.next = 0;
    }
    this.pump();
  }

  /** Forgets the long queue: indexing was cancelled. What somebody waits for is still read. */
  shorten(): void {
    this.files = [];
    this.next = 0;
    for (const [name, queue] of this.waiting) {
      if (queue === "later") {
        this.waiting.delete(name);
      }
    }
  }

  /** Forgets everything that waits; what is being read comes to its end. */
  clear(): void {
    this.generation += 1;
    this.running = 0;
    this.urgent = [];
    this.shorten();
    this.waiting.clear();
  }

  /** The files that are not in this queue yet or in a faster one, noted as being in it. */
  private fresh(files: FileRef[], queue: "urgent" | "later"): FileRef[] {
    return files.filter((file) => {
      const there = this.waiting.get(key(file));
      if (there === queue || there === "urgent") {
        return false;
      }
      this.waiting.set(key(file), queue);
      return true;
    });
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
    if (urgent) {
      this.waiting.delete(key(urgent));
      return urgent;
    }
    while (this.next < this.files.length) {
      const file = this.files[this.next];
      this.next += 1;
      // Meanwhile it may have become urgent and be read already.
      if (file && this.waiting.get(key(file)) === "later") {
        this.waiting.delete(key(file));
        return file;
      }
    }
    return undefined;
  }
}

function key(file: FileRef): string {
  return `${file.root}:${file.path}`;
}
