/** The status bar item: what the engine is doing, and everything behind it in the tooltip. */
import { MarkdownString, StatusBarAlignment, ThemeColor, window, type StatusBarItem } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { isIndexing, statusItem, TOOLTIP_COMMANDS, type EngineView, type Severity } from "../core/status";
import type { Host } from "../core/host";

const BACKGROUND: Readonly<Record<Severity, string | undefined>> = {
  normal: undefined,
  warning: "statusBarItem.warningBackground",
  error: "statusBarItem.errorBackground",
};

/** Every saved file is a moment of indexing; an item that blinks each time would be in the way. */
const FLICKER_MS = 300;

/** Shows the item and keeps it up to date. */
export function showStatusBar(host: Host): Disposable {
  const item = window.createStatusBarItem("codecortex.status", StatusBarAlignment.Right, 90);
  item.name = "CodeCortex";
  draw(item, host.view());
  item.show();
  let late: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(late);
    late = undefined;
    host.meter.measure("status bar", () => {
      draw(item, host.view());
    });
  };
  const listening = host.onDidChange((view) => {
    if (isIndexing(view)) {
      late ??= setTimeout(now, FLICKER_MS);
    } else {
      now();
    }
  });
  return {
    dispose: () => {
      clearTimeout(late);
      disposeAll([item, listening]);
    },
  };
}

function draw(item: StatusBarItem, view: EngineView): void {
  const { text, label, tooltip, severity } = statusItem(view);
  const background = BACKGROUND[severity];
  item.text = text;
  item.command = view.life.kind === "failed" ? "codecortex.showStatus" : "codecortex.openWindow";
  item.accessibilityInformation = { label };
  item.backgroundColor = background === undefined ? undefined : new ThemeColor(background);
  const markdown = new MarkdownString(tooltip, true);
  markdown.isTrusted = { enabledCommands: TOOLTIP_COMMANDS };
  item.tooltip = markdown;
}
