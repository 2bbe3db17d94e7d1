/** Gathers what comes in bursts. */
import type { Disposable } from "./disposable";

/** When a {@link Batcher} hands over: after a quiet moment, and at the latest after `maxMs`. */
export interface BatchTimes {
  quietMs: number;
  maxMs: number;
}

/**
 * Gathers distinct items and hands them over together: as soon as nothing came for `quietMs`, but
 * never later than `maxMs` after the first. So a checkout of thousands of files is one batch, and a
 * file that is written without end is still seen.
 */
export class Batcher<T> implements Disposable {
  private items = new Set<T>();
  private first = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = 0;

  constructor(
    private readonly times: BatchTimes,
    private readonly now: () => number,
    private readonly flush: (items: Set<T>) => void,
  ) {}

  /** Adds an item; one that is there already is not added twice. */
  add(item: T): void {
    const now = this.now();
    if (this.items.size === 0) {
      this.first = now;
    }
    this.items.add(item);
    this.due = Math.min(now + this.times.quietMs, this.first + this.times.maxMs);
    // The timer is left alone while it runs: re-arming it for each of thousands of items costs more
    // than to look once whether it came too early.
    this.timer ??= this.arm(this.due - now);
  }

  /** Hands over now what there is. */
  handOver(): void {
    this.disarm();
    if (this.items.size > 0) {
      const items = this.items;
      this.items = new Set();
      this.flush(items);
    }
  }

  dispose(): void {
    this.disarm();
    this.items.clear();
  }

  private arm(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.timer = undefined;
      const left = this.due - this.now();
      if (left > 0) {
        this.timer = this.arm(left);
      } else {
        this.handOver();
      }
    }, ms);
  }

  private disarm(): void {
    if (this.timer !== undefined) {
      clearTimeout(this.timer);
      this.timer = undefined;
    }
  }
}

/** Runs a function at most once per `ms`, the last time always. */
export class Throttle implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted: (() => void) | undefined;

  constructor(private readonly ms: number) {}

  /** Runs `work` now where nothing ran lately, otherwise when the time has come, unless newer work replaces it. */
  run(work: () => void): void {
    if (this.timer !== undefined) {
      this.wanted = work;
      return;
    }
    work();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const next = this.wanted;
      this.wanted = undefined;
      if (next) {
        this.run(next);
      }
    }, this.ms);
  }

  dispose(): void {
    if (this.timer !== undefined) {
      clearTimeout(this.timer);
      this.timer = undefined;
    }
    this.wanted = undefined;
  }
}
