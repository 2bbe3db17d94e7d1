/**
 * Keeps the extension host free.
 *
 * The thread is shared by every extension of the user, so nothing of ours may hold it for more
 * than a few milliseconds. {@link HoldMeter} measures what we do there; {@link Slices} does long
 * work in pieces and lets everybody else run in between.
 */
import type { Disposable } from "./disposable";

/** The longest time one piece of our work held the thread, and which piece that was. */
export interface Hold {
  name: string;
  ms: number;
}

/** Measures how long our code holds the thread. */
export class HoldMeter {
  private depth = 0;
  private totalMs = 0;
  private frozenMs: number | undefined;
  private readonly worst = new Map<string, number>();

  /** `now` is a clock in milliseconds with fractions. */
  constructor(private readonly now: () => number) {}

  /** Runs `work` and remembers how long it took; work inside other measured work counts once. */
  measure<T>(name: string, work: () => T): T {
    const start = this.now();
    this.depth += 1;
    try {
      return work();
    } finally {
      this.depth -= 1;
      if (this.depth === 0) {
        this.record(name, this.now() - start);
      }
    }
  }

  /** Adds a hold that was measured elsewhere. */
  record(name: string, ms: number): void {
    this.totalMs += ms;
    this.worst.set(name, Math.max(ms, this.worst.get(name) ?? 0));
  }

  /** Forgets the longest holds, for who wants to know those of what follows. */
  restart(): void {
    this.worst.clear();
  }

  /** Ends activation: what was held up to now is its cost. */
  activated(): void {
    this.frozenMs ??= this.totalMs;
  }

  /** What activation cost the thread in all, up to now while it still runs. */
  get activationMs(): number {
    return this.frozenMs ?? this.totalMs;
  }

  /** The longest holds, the worst first. */
  holds(): Hold[] {
    return [...this.worst].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
  }

  /** The longest hold of all. */
  get longest(): Hold {
    return this.holds()[0] ?? { name: "", ms: 0 };
  }
}

/** One piece of work with the name it is measured under. */
interface Piece {
  name: string;
  work: () => void;
}

/** Runs pieces of work in order, a few milliseconds at a time. */
export class Slices implements Disposable {
  private readonly pieces: Piece[] = [];
  private readonly waiting: (() => void)[] = [];
  private scheduled = false;
  private disposed = false;

  /**
   * `defer` runs a function after everybody else had a turn. `budgetMs` is when a slice stops taking
   * further pieces: a slice holds the thread for at most this and one piece.
   */
  constructor(
    private readonly meter: HoldMeter,
    private readonly now: () => number,
    private readonly defer: (run: () => void) => void,
    private readonly failed: (name: string, error: unknown) => void,
    private readonly budgetMs = 1.5,
  ) {}

  /** Puts a piece of work at the end of the queue. */
  add(name: string, work: () => void): void {
    if (this.disposed) {
      return;
    }
    this.pieces.push({ name, work });
    this.schedule();
  }

  /** Resolves when the queue is empty. */
  drained(): Promise<void> {
    if (this.pieces.length === 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  dispose(): void {
    this.disposed = true;
    this.pieces.length = 0;
    this.release();
  }

  private schedule(): void {
    if (!this.scheduled) {
      this.scheduled = true;
      this.defer(() => {
        this.scheduled = false;
        this.slice();
      });
    }
  }

  private slice(): void {
    const start = this.now();
    this.meter.measure(this.pieces[0]?.name ?? "slice", () => {
      for (let piece = this.pieces.shift(); piece; piece = this.next(start)) {
        this.runPiece(piece);
      }
    });
    if (this.pieces.length > 0) {
      this.schedule();
    } else {
      this.release();
    }
  }

  private next(start: number): Piece | undefined {
    return this.now() - start < this.budgetMs ? this.pieces.shift() : undefined;
  }

  private runPiece(piece: Piece): void {
    try {
      piece.work();
    } catch (error) {
      this.failed(piece.name, error);
    }
  }

  private release(): void {
    for (const resolve of this.waiting.splice(0)) {
      resolve();
    }
  }
}
