/**
 * As much of the module `vscode` as the adapters under test need when no editor is there.
 *
 * Tests reach the extra handles (`registeredTools`, `fakeFiles`) by importing this file itself.
 */

/** An address. */
export class Uri {
  private constructor(
    readonly scheme: string,
    readonly authority: string,
    readonly path: string,
  ) {}

  static from({ scheme, authority = "", path = "" }: { scheme: string; authority?: string; path?: string }): Uri {
    return new Uri(scheme, authority, path);
  }

  static joinPath(base: Uri, ...names: string[]): Uri {
    return new Uri(base.scheme, base.authority, [base.path, ...names].join("/"));
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}`;
  }
}

/** An event with its listeners. */
export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event = (listener: (value: T) => void) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export class MarkdownString {
  isTrusted: unknown;

  constructor(
    readonly value: string,
    readonly supportThemeIcons = false,
  ) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class Range {
  constructor(
    readonly startLine: number,
    readonly startCharacter: number,
    readonly endLine: number,
    readonly endCharacter: number,
  ) {}
}

export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string,
  ) {}
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export enum TreeItemCollapsibleState {
  None = 0,
  Collapsed = 1,
  Expanded = 2,
}

export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: TreeItemCollapsibleState,
  ) {}
}

export enum StatusBarAlignment {
  Left = 1,
  Right = 2,
}

export enum ProgressLocation {
  Notification = 15,
}

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelToolResult {
  constructor(readonly content: LanguageModelTextPart[]) {}
}

export enum FileType {
  Unknown = 0,
  File = 1,
  Directory = 2,
  SymbolicLink = 64,
}

export class FileSystemError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** What `lm.registerTool` was given, by name. */
export const registeredTools = new Map<string, unknown>();

export const lm = {
  registerTool(name: string, tool: unknown) {
    registeredTools.set(name, tool);
    return { dispose: () => registeredTools.delete(name) };
  },
};

/** A file or folder of the fake file system. */
export interface FakeFile {
  type: FileType;
  mtime: number;
  bytes: Uint8Array;
}

/** Files by their address. */
export const fakeFiles = new Map<string, FakeFile>();

function found(uri: Uri): FakeFile {
  const file = fakeFiles.get(uri.toString());
  if (!file) {
    throw new FileSystemError("FileNotFound");
  }
  return file;
}

/** What happens in the fake editor; tests fire these. */
export const editor = {
  opened: new EventEmitter<unknown>(),
  changed: new EventEmitter<unknown>(),
  saved: new EventEmitter<unknown>(),
  closed: new EventEmitter<unknown>(),
  selected: new EventEmitter<unknown>(),
  activated: new EventEmitter<unknown>(),
  folders: new EventEmitter<{ added: unknown[]; removed: unknown[] }>(),
};

/** A file watcher that was made, with its events. */
export class FakeWatcher {
  disposed = false;
  readonly created = new EventEmitter<Uri>();
  readonly changed = new EventEmitter<Uri>();
  readonly deleted = new EventEmitter<Uri>();
  readonly onDidCreate = this.created.event;
  readonly onDidChange = this.changed.event;
  readonly onDidDelete = this.deleted.event;

  constructor(readonly pattern: RelativePattern) {}

  dispose(): void {
    this.disposed = true;
  }
}

/** The watchers made so far. */
export const watchers: FakeWatcher[] = [];

/** What was shown to the user, and what they answer. */
export const shown = {
  messages: [] as string[],
  answer: undefined as string | undefined,
  executed: [] as unknown[][],
  progress: [] as { reports: { message?: string }[]; cancel(): void; over: boolean }[],
  clipboard: "",
  documents: [] as { content: unknown; options: unknown }[],
  items: [] as { text: string; tooltip: MarkdownString | undefined; backgroundColor: ThemeColor | undefined }[],
};

const show = (message: string) => {
  shown.messages.push(message);
  return Promise.resolve(shown.answer);
};

/** What `commands.registerCommand` was given, by name. */
export const registeredCommands = new Map<string, (...args: unknown[]) => unknown>();

/** A tree view that was made. */
export interface FakeTree {
  provider: { getChildren(node?: unknown): unknown[]; getTreeItem(node: unknown): TreeItem };
  visible: boolean;
  message: string | undefined;
  visibility: EventEmitter<unknown>;
  /** How often it was told that what it shows has changed. */
  refreshes: number;
}

/** The tree views made so far. */
export const trees: FakeTree[] = [];

export const env = {
  clipboard: {
    writeText(text: string) {
      shown.clipboard = text;
      return Promise.resolve();
    },
  },
};

export const languages = { getLanguages: () => Promise.resolve(["markdown", "json"]) };

export const commands = {
  registerCommand(name: string, run: (...args: unknown[]) => unknown) {
    registeredCommands.set(name, run);
    return { dispose: () => registeredCommands.delete(name) };
  },
  executeCommand(...call: unknown[]) {
    shown.executed.push(call);
    return Promise.resolve();
  },
};

export const window = {
  activeTextEditor: undefined as { document: { uri: Uri } } | undefined,
  /** Which of the choices a person takes, by its label. */
  picks: [] as string[],
  showQuickPick(choices: readonly { label: string }[]) {
    const pick = window.picks.shift();
    return Promise.resolve(choices.find(({ label }) => label === pick));
  },
  showInformationMessage: show,
  showTextDocument(content: unknown, options: unknown) {
    shown.documents.push({ content, options });
    return Promise.resolve();
  },
  createTreeView(_id: string, { treeDataProvider }: { treeDataProvider: FakeTree["provider"] }) {
    const visibility = new EventEmitter<unknown>();
    const tree: FakeTree = { provider: treeDataProvider, visible: true, message: undefined, visibility, refreshes: 0 };
    const { onDidChangeTreeData } = treeDataProvider as unknown as {
      onDidChangeTreeData: EventEmitter<unknown>["event"];
    };
    onDidChangeTreeData(() => {
      tree.refreshes += 1;
    });
    trees.push(tree);
    return Object.assign(tree, { onDidChangeVisibility: visibility.event, dispose: () => undefined });
  },
  onDidChangeTextEditorSelection: editor.selected.event,
  onDidChangeActiveTextEditor: editor.activated.event,
  showWarningMessage: show,
  showErrorMessage: show,
  createStatusBarItem() {
    const item = {
      text: "",
      tooltip: undefined,
      backgroundColor: undefined,
      show: () => undefined,
      dispose: () => undefined,
    };
    shown.items.push(item);
    return item;
  },
  withProgress(_options: unknown, task: (progress: unknown, token: unknown) => Promise<void>) {
    const cancelled = new EventEmitter<void>();
    const run = {
      reports: [] as { message?: string }[],
      cancel: () => {
        cancelled.fire();
      },
      over: false,
    };
    shown.progress.push(run);
    const progress = { report: (report: { message?: string }) => run.reports.push(report) };
    return task(progress, { onCancellationRequested: cancelled.event }).then(() => {
      run.over = true;
    });
  },
};

export const workspace = {
  workspaceFolders: [] as { name: string; uri: Uri }[],
  textDocuments: [] as unknown[],
  onDidOpenTextDocument: editor.opened.event,
  onDidChangeTextDocument: editor.changed.event,
  onDidSaveTextDocument: editor.saved.event,
  onDidCloseTextDocument: editor.closed.event,
  onDidChangeWorkspaceFolders: editor.folders.event,
  openTextDocument: (what: unknown) => Promise.resolve(what),
  getWorkspaceFolder: (uri: Uri) => workspace.workspaceFolders.find((folder) => uri.path.startsWith(folder.uri.path)),
  createFileSystemWatcher(pattern: RelativePattern) {
    const watcher = new FakeWatcher(pattern);
    watchers.push(watcher);
    return watcher;
  },
  fs: {
    stat(uri: Uri) {
      return Promise.resolve().then(() => {
        const { type, mtime, bytes } = found(uri);
        return { type, mtime, ctime: 0, size: bytes.length };
      });
    },
    readFile(uri: Uri) {
      return Promise.resolve().then(() => found(uri).bytes);
    },
    readDirectory(uri: Uri) {
      return Promise.resolve().then(() => {
        found(uri);
        const start = `${uri.toString()}/`;
        return [...fakeFiles]
          .filter(([address]) => address.startsWith(start) && !address.slice(start.length).includes("/"))
          .map(([address, { type }]): [string, FileType] => [address.slice(start.length), type]);
      });
    },
  },
};
