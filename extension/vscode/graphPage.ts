/** The page of the dependency graph, in an editor's tab (SPEC UX1). */
import { commands, Uri, ViewColumn, window, workspace, type ExtensionContext, type WebviewPanel } from "vscode";

import { Throttle } from "../core/batch";
import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import {
  changedPlaces,
  graphArguments,
  graphView,
  MOST_NODES,
  requestFor,
  startOfItem,
  type FromGraphPage,
  type GraphRequest,
  type GraphStart,
  type GraphView,
  type ToGraphPage,
} from "../core/graphView";
import type { Host } from "../core/host";
import { record } from "../core/json";
import { freshNonce, pageHtml } from "../core/page";
import type { GraphData } from "../generated/answers";
import { currentRoots } from "./folders";
import { declaration, declarationIn, reveal } from "./reveal";
import { targets } from "./windowCommands";

const PAGE = "codecortex.graph";
/** The index may change with every key; a drawing does not have to, in ms. */
const FOLLOW_EVERY_MS = 2_000;
/** Pages of a review's units that are looked at. */
const PAGES = 20;

/** What was wrong, as a sentence. */
class GraphProblem extends Error {}

/** Registers the commands that show the page. */
export function registerGraph(host: Host, context: ExtensionContext): Disposable {
  let open: GraphPage | undefined;
  const show = (start: GraphStart): void => {
    open ??= new GraphPage(host, context.extensionUri, () => {
      open = undefined;
    });
    open.show(requestFor(start));
  };
  const handlers: Readonly<Record<string, (item?: unknown) => unknown>> = {
    showGraph: () => {
      show({ kind: "all" });
    },
    showGraphOf: async (item) => {
      const start = startOfItem(record(item)) ?? (await startAtCursor(host));
      if (start) {
        show(start);
      }
    },
    showGraphOfChanges: () => {
      show({ kind: "changes" });
    },
    saveGraph: () => open?.askForSvg(),
  };
  const registered: Disposable[] = Object.entries(handlers).map(([name, handler]) =>
    commands.registerCommand(`codecortex.${name}`, handler),
  );
  return {
    dispose: () => {
      open?.dispose();
      disposeAll(registered);
    },
  };
}

/** What is nearest to the cursor: a type, that of a member, or the types of the file. */
async function startAtCursor(host: Host): Promise<GraphStart | undefined> {
  const [nearest] = await targets(host);
  if (!nearest) {
    return undefined;
  }
  const { name, label, filePath } = nearest;
  return filePath === "" ? { kind: "folder", folder: name } : { kind: "symbol", symbol: name, label };
}

class GraphPage implements Disposable {
  private readonly panel: WebviewPanel;
  private readonly listening: Disposable[];
  private readonly throttle = new Throttle(FOLLOW_EVERY_MS);
  private request: GraphRequest = requestFor({ kind: "all" });
  private view: GraphView | undefined;
  /** Ids of all that a person has unfolded, with what was there before; empty where nothing is unfolded. */
  private unfolded: ReadonlySet<string> = new Set();
  /** The index that was asked. */
  private revision = -1;
  private asking = 0;

  constructor(
    private readonly host: Host,
    home: Uri,
    closed: () => void,
  ) {
    const [dist, media] = [Uri.joinPath(home, "dist", "webview"), Uri.joinPath(home, "media")];
    this.panel = window.createWebviewPanel(PAGE, "Dependency Graph", ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [dist, media],
    });
    const { webview } = this.panel;
    this.listening = [
      this.throttle,
      webview.onDidReceiveMessage((message: FromGraphPage) => {
        void this.receive(message);
      }),
      host.onDidChange(() => {
        this.follow();
      }),
      this.panel.onDidChangeViewState(() => {
        this.follow();
      }),
      this.panel.onDidDispose(() => {
        this.asking += 1;
        disposeAll(this.listening);
        closed();
      }),
    ];
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(Uri.joinPath(dist, "graph.js")).toString(),
      style: webview.asWebviewUri(Uri.joinPath(media, "graph.css")).toString(),
      nonce: freshNonce(),
      title: "Dependency Graph",
    });
  }

  /** Shows another graph. */
  show(request: GraphRequest): void {
    this.request = request;
    this.unfolded = new Set();
    this.panel.reveal();
    void this.fetch();
  }

  /** Has the page hand its drawing over. */
  askForSvg(): void {
    this.post({ kind: "save" });
  }

  dispose(): void {
    this.panel.dispose();
  }

  private async receive(message: FromGraphPage): Promise<void> {
    switch (message.kind) {
      case "ready":
        // The page was made anew, as whenever it comes out of hiding.
        if (this.view) {
          this.post({ kind: "graph", view: this.view, isMore: false });
        }
        break;
      case "show":
        this.show(message.request);
        break;
      case "expand":
        // A module's neighbours are there already, as far as they are shown; what it hides are its types.
        await (this.request.level === "module" ? this.open(message.id) : this.fetch(message.id));
        break;
      case "open":
        await this.open(message.id);
        break;
      case "save":
        await save(message.svg);
        break;
    }
  }

  /** Asks again when the index is another one and somebody looks. */
  private follow(): void {
    const { state } = this.host.view();
    if (this.panel.visible && state?.phase === "ready" && state.revision !== this.revision) {
      this.throttle.run(() => void this.fetch());
    }
  }

  /** Asks for the graph; with `id`, for it with the neighbours of that node. */
  private async fetch(id?: string): Promise<void> {
    this.asking += 1;
    const { asking, view: before } = this;
    this.revision = this.host.view().state?.revision ?? -1;
    try {
      const view = await (id === undefined ? this.graph() : this.withNeighbours(id));
      // Somebody asked for something else meanwhile, or the page is gone.
      if (asking === this.asking && JSON.stringify(view) !== JSON.stringify(before)) {
        this.view = view;
        this.panel.title = `Graph: ${view.title}`;
        this.post({ kind: "graph", view, isMore: before?.title === view.title });
      }
    } catch (error) {
      if (!(error instanceof GraphProblem)) {
        throw error;
      }
      if (asking === this.asking) {
        this.post({ kind: "problem", text: error.message });
      }
    }
  }

  private async graph(): Promise<GraphView> {
    const { request, view, unfolded } = this;
    if (unfolded.size > 0 && view) {
      return this.among(unfolded, view);
    }
    const changed = request.start.kind === "changes" ? await this.changed() : [];
    const args = graphArguments(request, changed);
    if (!args) {
      throw new GraphProblem("No uncommitted change touches a type.");
    }
    return graphView(await this.ask(args), request);
  }

  /** What is shown, with the neighbours of a node: asked for as a whole, for what is between old and new. */
  private async withNeighbours(id: string): Promise<GraphView> {
    const { request, view } = this;
    const node = view?.nodes.find((node) => node.id === id);
    if (!view || !node) {
      return this.graph();
    }
    const around = { ...request, direction: "both" as const, depth: 1 };
    const start = { kind: "symbol", symbol: id, label: node.name } as const;
    const found = await this.ask({ ...graphArguments({ ...around, start }) });
    const ids = [...view.nodes, ...(found.types ?? [])].map((node) => node.id);
    this.unfolded = new Set(ids.slice(0, MOST_NODES));
    return this.among(this.unfolded, view);
  }

  private async among(ids: ReadonlySet<string>, { nodes }: GraphView): Promise<GraphView> {
    const { level } = this.request;
    const starts = new Set(nodes.filter(({ isStart }) => isStart).map(({ id }) => id));
    const args = { notation: "json", limit: MOST_NODES, level, symbols: [...ids], depth: 0 };
    return graphView(await this.ask(args), this.request, starts);
  }

  /** Where uncommitted changes are: what a review says of each folder that has git. */
  private async changed(): Promise<string[]> {
    const roots = currentRoots(this.host.platform.windows);
    const places: string[] = [];
    let problem: string | undefined;
    for (const { name } of roots) {
      const folder = roots.length > 1 ? { folder: name } : {};
      let cursor: string | undefined;
      for (let page = 0; page < PAGES && (page === 0 || cursor !== undefined); page += 1) {
        const args = { mode: "uncommitted", step: "index", ...folder, ...(cursor === undefined ? {} : { cursor }) };
        const read = dataOf(await this.host.look("codecortex_reviewChanges", args));
        if ("problem" in read) {
          ({ problem } = read);
          break;
        }
        places.push(...changedPlaces(read.data.review_index ?? []).map((place) => `${name}/${place}`));
        cursor = read.data.nextCursor;
      }
    }
    if (places.length === 0 && problem !== undefined) {
      throw new GraphProblem(problem);
    }
    return places;
  }

  private async ask(args: Record<string, unknown>): Promise<GraphData> {
    const read = dataOf(await this.host.look("codecortex_exportGraph", args));
    if ("problem" in read) {
      throw new GraphProblem([read.problem, read.hint].filter((sentence) => sentence !== undefined).join(" "));
    }
    return read.data;
  }

  /** Goes to the code of a type; of a module, to the graph of its types. */
  private async open(id: string): Promise<void> {
    const node = this.view?.nodes.find((node) => node.id === id);
    if (!node) {
      return;
    }
    if (node.kind === "module") {
      this.show(requestFor({ kind: "folder", folder: node.path }));
      return;
    }
    const [folder = ""] = node.file.split("/");
    const isShared = currentRoots(this.host.platform.windows).length > 1;
    const own = isShared ? await declarationIn(this.host, node.path, folder) : undefined;
    const place = own ?? (await declaration(this.host, { symbol: id })) ?? { filePath: node.file, line: 1 };
    await reveal(this.host, place, node.path);
  }

  private post(message: ToGraphPage): void {
    void this.panel.webview.postMessage(message);
  }
}

/** Writes a drawing where a person says. */
async function save(svg: string): Promise<void> {
  const [folder] = workspace.workspaceFolders ?? [];
  const target = await window.showSaveDialog({
    title: "Save Dependency Graph",
    filters: { SVG: ["svg"] },
    ...(folder ? { defaultUri: Uri.joinPath(folder.uri, "dependencies.svg") } : {}),
  });
  if (!target) {
    return;
  }
  try {
    await workspace.fs.writeFile(target, new TextEncoder().encode(svg));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`CodeCortex: The drawing was not written: ${reason}`);
    return;
  }
  void window.showInformationMessage(`The graph is in ${workspace.asRelativePath(target)}.`);
}
