/** The telemetry page: what answers cost and how long they took, in an editor's tab. */
import { commands, Uri, ViewColumn, window, type ExtensionContext, type WebviewPanel } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import { freshNonce, pageHtml } from "../core/page";
import { telemetryView, type ToTelemetryPage } from "../core/telemetryView";

/** How often a page that is looked at is brought up to date, in ms. */
const FOLLOW_MS = 15_000;

/** Registers the command that shows the page. */
export function registerTelemetry(host: Host, context: ExtensionContext): Disposable {
  let open: TelemetryPage | undefined;
  const command = commands.registerCommand("codecortex.showTelemetry", () => {
    if (open) {
      open.reveal();
      return;
    }
    open = new TelemetryPage(host, context.extensionUri, () => {
      open = undefined;
    });
  });
  return {
    dispose: () => {
      open?.dispose();
      command.dispose();
    },
  };
}

class TelemetryPage implements Disposable {
  private readonly panel: WebviewPanel;
  private readonly listening: Disposable[];
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly host: Host,
    home: Uri,
    closed: () => void,
  ) {
    const [dist, media] = [Uri.joinPath(home, "dist", "webview"), Uri.joinPath(home, "media")];
    this.panel = window.createWebviewPanel("codecortex.telemetry", "CodeCortex Telemetry", ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [dist, media],
    });
    const { webview } = this.panel;
    this.timer = setInterval(() => {
      this.follow();
    }, FOLLOW_MS);
    this.listening = [
      // Whatever the page says, it wants to be up to date.
      webview.onDidReceiveMessage(() => {
        void this.show();
      }),
      this.panel.onDidChangeViewState(() => {
        this.follow();
      }),
      this.panel.onDidDispose(() => {
        clearInterval(this.timer);
        disposeAll(this.listening);
        closed();
      }),
    ];
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(Uri.joinPath(dist, "telemetry.js")).toString(),
      style: webview.asWebviewUri(Uri.joinPath(media, "telemetry.css")).toString(),
      nonce: freshNonce(),
      title: "Telemetry",
    });
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.panel.dispose();
  }

  private follow(): void {
    if (this.panel.visible) {
      void this.show();
    }
  }

  private async show(): Promise<void> {
    const found = dataOf(await this.host.look("codecortex_status", { telemetry: true, receipts: true }));
    const view = "data" in found ? telemetryView(found.data) : undefined;
    if (view) {
      const message: ToTelemetryPage = { kind: "view", view };
      void this.panel.webview.postMessage(message);
    }
  }
}
