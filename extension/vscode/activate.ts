/** What the extension does when it starts, for desktop and web alike. */
import { Uri, window, type ExtensionContext } from "vscode";

import { Addresses } from "../core/addresses";
import { OwnQuestions } from "../core/consult";
import type { Disposable } from "../core/disposable";
import { HoldMeter, Slices } from "../core/schedule";
import { AppliedEdits } from "./appliedEdits";
import { bridge } from "./bridge";
import { showChanges } from "./changesView";
import { registerChat } from "./chat";
import { registerCommands } from "./commands";
import { registerDiagnostics } from "./diagnostics";
import { feedDocuments } from "./documents";
import { tellEditorState } from "./editorState";
import { registerEditReview } from "./editReview";
import { currentRoots, followFolders } from "./folders";
import { askChosenModel, cancelModel, registerModel } from "./languageModel";
import { registerGraph } from "./graphPage";
import { Host } from "../core/host";
import { openLog } from "./log";
import { offerMcpServer } from "./mcpServer";
import { tellOfCrashes } from "./notices";
import { showObservations } from "./observationsView";
import type { Platform } from "../core/platform";
import { showProgress } from "./progress";
import { askProviders } from "./providers/ask";
import { offerProviders } from "./providers/offer";
import { registerRecorder } from "./recorder";
import { showReview } from "./reviewView";
import { showRoles } from "./roleHover";
import { currentSettings, followSettings } from "./settings";
import { showStatusBar } from "./statusBar";
import { showTexts } from "./textsView";
import { registerTextViews } from "./textViews";
import { registerTools } from "./tools";
import { registerWalkthrough } from "./walkthrough";
import { watchFiles } from "./watcher";
import { registerTelemetry } from "./telemetryPage";
import { showWindow } from "./windowPage";

/** The surfaces, each in a file of its own, in the order in which they come up. */
const SURFACES: readonly [name: string, start: (host: Host, context: ExtensionContext) => Disposable][] = [
  ["diagnostics", registerDiagnostics],
  ["status bar", showStatusBar],
  ["tools", registerTools],
  ["MCP server", offerMcpServer],
  ["edit review", registerEditReview],
  ["chat", registerChat],
  ["commands", registerCommands],
  ["text views", registerTextViews],
  ["prompt window", showWindow],
  ["telemetry", registerTelemetry],
  ["graph", registerGraph],
  ["changes", showChanges],
  ["review", showReview],
  ["observations", showObservations],
  ["texts", showTexts],
  ["notices", tellOfCrashes],
  ["progress", showProgress],
  ["documents", feedDocuments],
  ["editor state", tellEditorState],
  ["watcher", watchFiles],
  ["folders", followFolders],
  ["settings", followSettings],
  ["walkthrough", registerWalkthrough],
  ["language providers", offerProviders],
  ["language model", registerModel],
  ["recorder", registerRecorder],
  ["role hover", showRoles],
];

/**
 * Brings the surfaces up one by one, each in a slice of its own: the thread belongs to every
 * extension of the user. Resolves when all are there: who calls a tool before that waits for it.
 */
export function activateExtension(context: ExtensionContext, platform: Platform): Promise<void> {
  const meter = new HoldMeter(() => platform.clock());
  return meter.measure("activate", () => {
    const log = openLog();
    const slices = new Slices(
      meter,
      () => performance.now(),
      (run) => void setTimeout(run, 0),
      (name, error) => {
        log.error(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      },
    );
    const own = new OwnQuestions();
    const addresses = new Addresses<Uri>();
    const { windows } = platform;
    const host: Host = new Host({
      context,
      platform,
      log,
      meter,
      slices,
      settings: currentSettings,
      roots: () => currentRoots(windows),
      serveFiles: bridge({ windows, meter, addresses, applied: new AppliedEdits(context.storageUri) }),
      askModel: askChosenModel,
      cancelModel,
      own,
      uri: (parts) => Uri.from(parts),
      warn: (sentence) => void window.showWarningMessage(`CodeCortex: ${sentence}`),
      askProviders: askProviders({ windows, meter, own, addresses, timeoutMs: () => host.settings.providerTimeoutMs }),
    });
    context.subscriptions.push(log, slices, host);
    for (const [name, start] of SURFACES) {
      slices.add(`activate: ${name}`, () => context.subscriptions.push(start(host, context)));
    }
    return new Promise((resolve) => {
      slices.add("activate: engine", () => {
        void host.start().finally(() => {
          meter.activated();
        });
        resolve();
      });
    });
  });
}
