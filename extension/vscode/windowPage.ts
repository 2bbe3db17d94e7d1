/** The view "Prompt Window": a page that follows the engine's window, and does what a person wants of it. */
import { commands, Uri, window, type ExtensionContext, type WebviewView, type WebviewViewProvider } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { freshNonce, pageHtml } from "../core/page";
import { OFFERED, windowView, type FromPage, type ToPage } from "../core/windowView";
import type { Host } from "../core/host";
import { registerObservationCommands } from "./observationCommands";
import { WindowActions } from "./windowActions";
import { registerWindowCommands } from "./windowCommands";

/** The view's id, in the manifest too. */
export const WINDOW_VIEW = "codecortex.window";

/** Shows the view. */
export function showWindow(host: Host, context: ExtensionContext): Disposable {
  const actions = new WindowActions(host);
  const page = new WindowPage(host, actions, context.extensionUri);
  const registered: Disposable[] = [
    window.registerWebviewViewProvider(WINDOW_VIEW, page),
    commands.registerCommand("codecortex.openWindow", () => commands.executeCommand(`${WINDOW_VIEW}.focus`)),
    registerWindowCommands(host, actions),
    registerObservationCommands(host),
    page,
    actions,
  ];
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

class WindowPage implements WebviewViewProvider, Disposable {
  private view: WebviewView | undefined;
  /** What the page shows, as it was sent. */
  private sent = "";
  private readonly listening: Disposable[];
  private hasFocus = false;

  constructor(
    private readonly host: Host,
    private readonly actions: WindowActions,
    private readonly home: Uri,
  ) {
    this.listening = [
      host.onDidChange(() => {
        this.follow();
      }),
      actions.onDidSay((text) => {
        this.post({ kind: "said", text });
      }),
    ];
  }

  resolveWebviewView(view: WebviewView): void {
    this.host.meter.measure("window: open", () => {
      this.view = view;
      this.sent = "";
      const { webview } = view;
      const [dist, media] = [Uri.joinPath(this.home, "dist", "webview"), Uri.joinPath(this.home, "media")];
      webview.options = { enableScripts: true, localResourceRoots: [dist, media] };
      webview.onDidReceiveMessage((message: FromPage) => {
        this.receive(message);
      });
      view.onDidDispose(() => {
        this.view = undefined;
      });
      webview.html = pageHtml({
        cspSource: webview.cspSource,
        script: webview.asWebviewUri(Uri.joinPath(dist, "window.js")).toString(),
        style: webview.asWebviewUri(Uri.joinPath(media, "window.css")).toString(),
        nonce: freshNonce(),
        title: "Prompt Window",
      });
    });
  }

  dispose(): void {
    this.view = undefined;
    disposeAll(this.listening);
  }

  private receive(message: FromPage): void {
    switch (message.kind) {
      case "ready":
        // The page was made anew, as whenever it comes out of hiding.
        this.sent = "";
        this.follow();
        break;
      case "piece":
        void this.actions.act(message.action, message);
        break;
      case "command":
        if (OFFERED.includes(message.command)) {
          void commands.executeCommand(message.command);
        }
        break;
    }
  }

  private follow(): void {
    this.host.meter.measure("window: show", () => {
      const known = this.host.view();
      const hasFocus =
        known.window?.pieces.some(({ tier, ageMinutes }) => tier === "focus" && ageMinutes !== undefined) === true;
      if (hasFocus !== this.hasFocus) {
        this.hasFocus = hasFocus;
        void commands.executeCommand("setContext", "codecortex.hasFocus", hasFocus);
      }
      if (!this.view?.visible) {
        return;
      }
      const view = windowView(known);
      this.view.description = view.kind === "window" ? view.percent : "";
      const text = JSON.stringify(view);
      if (text !== this.sent) {
        this.sent = text;
        this.post({ kind: "view", view });
      }
    });
  }

  private post(message: ToPage): void {
    void this.view?.webview.postMessage(message);
  }
}
