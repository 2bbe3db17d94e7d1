/** What the walkthrough needs: its commands, and the marks by which its steps complete by themselves. */
import { commands, window, type ExtensionContext, type TabChangeEvent } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";

/** What a person has come to know; steps of the walkthrough wait for these. */
const MILESTONES = ["indexed", "asked", "edited"] as const;
export type Milestone = (typeof MILESTONES)[number];

/** The key under which VS Code keeps what was reached in other sessions. */
const KEPT = "codecortex.milestones";

const reached = new Set<Milestone>();
let keep: () => void = () => undefined;

/** Registers the commands, and notes when the workspace is indexed for the first time. */
export function registerWalkthrough(host: Host, context: ExtensionContext): Disposable {
  const kept: unknown = context.globalState.get(KEPT);
  keep = () => void context.globalState.update(KEPT, [...reached]);
  MILESTONES.filter((milestone) => Array.isArray(kept) && kept.includes(milestone)).forEach(announce);
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
    window.tabGroups.onDidChangeTabs((change) => {
      if (mayBeWalkthrough(change)) {
        reached.forEach(announce);
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
    announce(milestone);
    keep();
  }
}

/**
 * Completes the step that waits for a milestone. VS Code listens from the first look at any walkthrough on, and a
 * context that is set by then counts for nothing, not even later: so it is set for a moment only, again for each look.
 */
function announce(milestone: Milestone): void {
  reached.add(milestone);
  const context = `codecortex.${milestone}`;
  void commands.executeCommand("setContext", context, true);
  void commands.executeCommand("setContext", context, false);
}

/** The page of walkthroughs is of no kind that extensions know. */
function mayBeWalkthrough({ opened, changed }: TabChangeEvent): boolean {
  return [...opened, ...changed].some(({ input, isActive }) => isActive && input === undefined);
}
