/** Tells the user about crashes: once in a session, and once more when the engine is given up. */
import { commands, window } from "vscode";

import type { Disposable } from "../core/disposable";
import type { Host } from "../core/host";

const SHOW_LOG = "Show Log";
const START_AGAIN = "Start Again";

/** Shows the two messages. */
export function tellOfCrashes(host: Host): Disposable {
  let told = false;
  return host.onDidCrash(() => {
    if (host.supervisor.life.kind === "failed") {
      void offer(
        window.showErrorMessage(
          "CodeCortex stopped: its engine crashed again and again. Its tools are not available.",
          START_AGAIN,
          SHOW_LOG,
        ),
      );
    } else if (!told) {
      told = true;
      void offer(
        window.showWarningMessage("CodeCortex's engine crashed and is being restarted. Nothing is lost.", SHOW_LOG),
      );
    }
  });
}

async function offer(answer: Thenable<string | undefined>): Promise<void> {
  const choice = await answer;
  if (choice === SHOW_LOG) {
    await commands.executeCommand("codecortex.showLog");
  } else if (choice === START_AGAIN) {
    await commands.executeCommand("codecortex.reindex");
  }
}
