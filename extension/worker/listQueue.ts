/**
 * The folders the engine wants listed, handed in a few at a time.
 *
 * Handing in a folder may take a while: a warm start decodes the facts of all its files from the
 * cache. In small portions, with a pause after each, calls are answered in between and reading
 * starts while folders are still being listed.
 */
import type { DirRef } from "../generated/protocol";

/** Folders listed and handed in together. */
const PORTION = 8;

/** Lists folders in order, a limited number of portions at a time. */
export class ListQueue {
  private dirs: DirRef[] = [];
  private next = 0;
  private running = 0;
  private generation = 0;

  /** `list` lists some folders, hands them in and never rejects; `width` portions are on their way at the same time. */
  constructor(
    private readonly width: () => number,
    private readonly list: (dirs: DirRef[]) => Promise<void>,
  ) {}

  /** Adds folders. */
  add(dirs: DirRef[]): void {
    this.dirs = this.dirs.slice(this.next).concat(dirs);
    this.next = 0;
    this.pump();
  }

  /** Forgets what waits: the roots are others now. */
  clear(): void {
    this.generation += 1;
    this.running = 0;
    this.dirs = [];
    this.next = 0;
  }

  private pump(): void {
    while (this.running < this.width() && this.next < this.dirs.length) {
      const portion = this.dirs.slice(this.next, this.next + PORTION);
      this.next += portion.length;
      this.running += 1;
      const generation = this.generation;
      void this.list(portion).finally(() => {
        if (generation === this.generation) {
          this.running -= 1;
          this.pump();
        }
      });
    }
  }
}
