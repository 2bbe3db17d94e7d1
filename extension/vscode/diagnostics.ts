/** Commands for our own tests; the palette does not show them. */
import { commands } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { EngineView } from "../core/status";
import type { Hold } from "../core/schedule";
import type { Host } from "../core/host";

/** What a test wants to know of a running extension. */
interface Diagnostics {
  longestHoldMs: number;
  activationMs: number;
  state: EngineView["state"];
  workerRestarts: number;
  life: EngineView["life"]["kind"];
  usage: EngineView["usage"];
  /** The longest holds, the worst first, to see who is to blame. */
  holds: Hold[];
}

/** Registers the commands. */
export function registerDiagnostics(host: Host): Disposable {
  const registered = [commands.registerCommand("codecortex.internal.diagnostics", () => diagnose(host))];
  if (host.platform.testing) {
    registered.push(
      commands.registerCommand("codecortex.internal.crashWorker", () => {
        host.supervisor.post({ kind: "crash" });
      }),
      commands.registerCommand("codecortex.internal.forgetHolds", () => {
        host.meter.restart();
      }),
    );
  }
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

function diagnose(host: Host): Diagnostics {
  const { life, state, usage, crashes } = host.view();
  return {
    longestHoldMs: host.meter.longest.ms,
    activationMs: host.meter.activationMs,
    state,
    workerRestarts: crashes,
    life: life.kind,
    usage,
    holds: host.meter.holds().slice(0, 10),
  };
}
