/** What the walkthrough needs: its commands, and the marks by which its steps complete by themselves. */
import { commands, type ExtensionContext } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "./host";

/** What a person has come to know; steps of the walkthrough wait for these. */
export type Milestone = "indexed" | "asked" | "edited";

const reached = new Set<Milestone>();

/** Registers the commands, and notes when the workspace is indexed for the first time. */
export function registerWalkthrough(host: Host, context: ExtensionContext): Disposable {
  const registered = [
    commands.registerCommand("codecortex.openWalkthrough", () =>
      commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`, false),
    ),
    commands.registerCommand("codecortex.askChat", () =>
      commands.executeCommand("workbench.action.chat.open", { query: "@codecortex ", isPartialQuery: true }),
    ),
    host.onDidChange(({ state }) => {
      if (state?.phase === "ready" && state.files > 0) {
        reach("indexed");
      }
    }),
  ];
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

/** Notes that a person did something for the first time. */
export function reach(milestone: Milestone): void {
  if (!reached.has(milestone)) {
    reached.add(milestone);
    void commands.executeCommand("setContext", `codecortex.${milestone}`, true);
  }
}
