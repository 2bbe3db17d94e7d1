/** Tells listeners of something; what a `vscode.EventEmitter` looks like from here. */
import type { Disposable } from "./disposable";

/** One event. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<{ hear: (value: T) => void }>();

  /** `failed` is told what a listener throws: a broken one must not keep the others from hearing. */
  constructor(private readonly failed: (error: unknown) => void) {}

  /** Listens until what it gives is disposed of. */
  readonly event = (hear: (value: T) => void): Disposable => {
    // The same function may listen twice.
    const listener = { hear };
    this.listeners.add(listener);
    return {
      dispose: () => {
        this.listeners.delete(listener);
      },
    };
  };

  /** Tells everybody who listens now. */
  fire(value: T): void {
    for (const { hear } of [...this.listeners]) {
      try {
        hear(value);
      } catch (error) {
        this.failed(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
