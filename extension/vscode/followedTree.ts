/**
 * A tree view that asks for what it shows while somebody looks at it, and not more often than a person reads.
 *
 * Nothing is asked, watched or read before it is seen for the first time.
 */
import {
  EventEmitter,
  window,
  workspace,
  type FileSystemWatcher,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from "vscode";

import { Batcher, Throttle } from "../core/batch";
import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import type { ToolName } from "../generated/answers";

/** The index may change with every key; the list does not have to. */
const REFRESH_EVERY_MS = 1_000;
/** The engine hears of a file as late as we do; what it makes of it comes after that. */
const FILES_SETTLE = { quietMs: 1_000, maxMs: 5_000 };

/** What is in `.context/` changes what the view shows. */
export abstract class FollowedTree<Node> implements TreeDataProvider<Node>, Disposable {
  protected readonly tree: TreeView<Node>;
  private readonly changed = new EventEmitter<undefined>();
  private readonly throttle = new Throttle(REFRESH_EVERY_MS);
  private readonly files = new Batcher<string>(FILES_SETTLE, Date.now, () => {
    this.stale = true;
    this.follow();
  });
  private readonly listening: Disposable[];
  private watcher: FileSystemWatcher | undefined;
  /** Of which engine and revision what is shown is. */
  private shown = "";
  private stale = true;
  private fetching = 0;
  readonly onDidChangeTreeData = this.changed.event;

  /**
   * `watched` is a pattern of the files below a workspace folder that the view is about; `writers` are the tools that
   * write them: of a file in a folder that was just made, the editor may tell nobody.
   */
  protected constructor(
    protected readonly host: Host,
    view: string,
    private readonly watched: string,
    writers: readonly ToolName[],
    showCollapseAll: boolean,
  ) {
    const written: ReadonlySet<string> = new Set(writers);
    this.tree = window.createTreeView<Node>(view, { treeDataProvider: this, showCollapseAll });
    this.listening = [
      this.tree,
      this.tree.onDidChangeVisibility(() => {
        this.follow();
      }),
      host.onDidChange(() => {
        this.follow();
      }),
      host.onDidCall((tool) => {
        if (written.has(tool)) {
          this.expect();
        }
      }),
    ];
  }

  abstract getTreeItem(node: Node): TreeItem;
  abstract getChildren(node?: Node): Node[];
  abstract getParent(node: Node): Node | undefined;

  /** Asks for what is to be shown; what it gives shows that. */
  protected abstract fetch(): Promise<() => void>;

  /** Asks again, whatever is shown. */
  async refresh(): Promise<void> {
    this.shown = this.state();
    this.stale = false;
    this.fetching += 1;
    const { fetching } = this;
    const show = await this.fetch();
    // Somebody asked again meanwhile, or the view is gone.
    if (fetching === this.fetching) {
      this.host.meter.measure("tree: show", () => {
        show();
        this.changed.fire(undefined);
      });
    }
  }

  /** A file that the view is about was just written: looks again as soon as the engine has read it. */
  expect(): void {
    this.files.add("files");
  }

  dispose(): void {
    this.fetching += 1;
    disposeAll([...this.listening, this.throttle, this.files, this.changed]);
    this.watcher?.dispose();
  }

  /** Shows what is seen already anew, if somebody looks. */
  protected follow(): void {
    const state = this.state();
    if (!this.tree.visible || state === "") {
      return;
    }
    this.watcher ??= this.watch();
    if (this.stale || state !== this.shown) {
      this.throttle.run(() => {
        if (this.tree.visible) {
          void this.refresh();
        }
      });
    }
  }

  /** What the engine would answer about, as a word; empty while it has nothing to say. */
  private state(): string {
    const { life, state, crashes } = this.host.view();
    return life.kind === "running" && state?.phase === "ready" ? `${String(crashes)}/${String(state.revision)}` : "";
  }

  private watch(): FileSystemWatcher {
    const watcher = workspace.createFileSystemWatcher(this.watched);
    const changed = (): void => {
      this.expect();
    };
    this.listening.push(watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed));
    return watcher;
  }
}
