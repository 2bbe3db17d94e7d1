/** Shows that indexing goes on, where it goes on for long enough to be worth a notification. */
import { commands, ProgressLocation, window, type Progress } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { grouped, isIndexing, percent, type EngineView } from "../core/status";
import type { Host } from "../core/host";

/** Less than this many files are read before anybody has looked up. */
const WORTH_FILES = 200;

/** A notification that goes away at once is noise. */
const AFTER_MS = 1_500;

/** Watches the engine's state and shows a cancellable notification while it indexes. */
export function showProgress(host: Host): Disposable {
  let running: Run | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let indexing = false;
  const listening = host.onDidChange((view) => {
    const busy = isIndexing(view);
    if (busy !== indexing) {
      indexing = busy;
      void commands.executeCommand("setContext", "codecortex.indexing", busy);
    }
    if (!busy) {
      clearTimeout(timer);
      timer = undefined;
      running?.end();
      running = undefined;
      return;
    }
    running?.show(view);
    timer ??= setTimeout(() => {
      const now = host.view();
      if (isIndexing(now) && (now.state?.pending ?? 0) >= WORTH_FILES) {
        running = new Run(host);
        running.show(now);
      } else {
        timer = undefined;
      }
    }, AFTER_MS);
  });
  return {
    dispose: () => {
      clearTimeout(timer);
      running?.end();
      disposeAll([listening]);
    },
  };
}

/** One notification from its start to its end. */
class Run {
  private progress: Progress<{ message?: string; increment?: number }> | undefined;
  private finish: (() => void) | undefined;
  private shown = 0;

  constructor(host: Host) {
    void window.withProgress(
      { location: ProgressLocation.Notification, title: "CodeCortex: indexing", cancellable: true },
      (progress, token) => {
        this.progress = progress;
        token.onCancellationRequested(() => {
          host.send({ type: "cancelIndexing" });
        });
        return new Promise<void>((resolve) => {
          this.finish = resolve;
        });
      },
    );
  }

  show({ state }: EngineView): void {
    if (state) {
      const done = percent(state);
      const message = `${grouped(state.files)} of ${grouped(state.files + state.pending)} files`;
      this.progress?.report({ message, increment: Math.max(0, done - this.shown) });
      this.shown = Math.max(this.shown, done);
    }
  }

  end(): void {
    this.finish?.();
  }
}
