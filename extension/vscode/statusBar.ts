/** The status bar item: what the engine is doing, and everything behind it in the tooltip. */
import { MarkdownString, StatusBarAlignment, ThemeColor, window, type StatusBarItem } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { statusItem, TOOLTIP_COMMANDS, type EngineView, type Severity } from "../core/status";
import type { Host } from "./host";

const BACKGROUND: Readonly<Record<Severity, string | undefined>> = {
  normal: undefined,
  warning: "statusBarItem.warningBackground",
  error: "statusBarItem.errorBackground",
};

/** Shows the item and keeps it up to date. */
export function showStatusBar(host: Host): Disposable {
  const item = window.createStatusBarItem("codecortex.status", StatusBarAlignment.Right, 90);
  item.name = "CodeCortex";
  item.command = "codecortex.showStatus";
  draw(item, host.view());
  item.show();
  const listening = host.onDidChange((view) => {
    host.meter.measure("status bar", () => {
      draw(item, view);
    });
  });
  return {
    dispose: () => {
      disposeAll([item, listening]);
    },
  };
}

function draw(item: StatusBarItem, view: EngineView): void {
  const { text, label, tooltip, severity } = statusItem(view);
  const background = BACKGROUND[severity];
  item.text = text;
  item.accessibilityInformation = { label };
  item.backgroundColor = background === undefined ? undefined : new ThemeColor(background);
  const markdown = new MarkdownString(tooltip, true);
  markdown.isTrusted = { enabledCommands: TOOLTIP_COMMANDS };
  item.tooltip = markdown;
}
