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
    readonly query = "",
  ) {}

  static from(parts: { scheme: string; authority?: string; path?: string; query?: string }): Uri {
    return new Uri(parts.scheme, parts.authority ?? "", parts.path ?? "", parts.query);
  }

  static joinPath(base: Uri, ...names: string[]): Uri {
    return new Uri(base.scheme, base.authority, [base.path, ...names].join("/"));
  }

  with(changes: { scheme?: string; query?: string; fragment?: string }): Uri {
    return new Uri(changes.scheme ?? this.scheme, this.authority, this.path, changes.query ?? this.query);
  }

  toString(): string {
    const query = this.query && `?${this.query}`;
    return `${this.scheme}://${this.authority}${this.path}${query}`;
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
  readonly start: Position;
  readonly end: Position;
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;

  constructor(from: number | Position, to: number | Position, endLine = 0, endCharacter = 0) {
    this.start = typeof from === "number" ? new Position(from, Number(to)) : from;
    this.end = typeof to === "number" ? new Position(endLine, endCharacter) : to;
    this.startLine = this.start.line;
    this.startCharacter = this.start.character;
    this.endLine = this.end.line;
    this.endCharacter = this.end.character;
  }

  get isEmpty(): boolean {
    return this.startLine === this.endLine && this.startCharacter === this.endCharacter;
  }

  contains(other: Range): boolean {
    const isBefore = (line: number, character: number, otherLine: number, otherCharacter: number) =>
      line < otherLine || (line === otherLine && character <= otherCharacter);
    return (
      isBefore(this.startLine, this.startCharacter, other.startLine, other.startCharacter) &&
      isBefore(other.endLine, other.endCharacter, this.endLine, this.endCharacter)
    );
  }
}

export class Location {
  constructor(
    readonly uri: Uri,
    readonly range: Range,
  ) {}
}

export class DocumentSymbol {
  children: DocumentSymbol[] = [];

  constructor(
    readonly name: string,
    readonly detail: string,
    readonly kind: number,
    readonly range: Range,
    readonly selectionRange: Range,
  ) {}
}

/** Numbers as VS Code has them, of the kinds that tests look at. */
export const SymbolKind = { File: 0, Class: 4, Method: 5, Variable: 12 };

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
  Window = 10,
  Notification = 15,
}

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}

export class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}

export const LanguageModelChatMessage = {
  User: (content: unknown) => ({ role: "user", content }),
  Assistant: (content: unknown) => ({ role: "assistant", content }),
};

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<void>();
  readonly token = { onCancellationRequested: this.cancelled.event };

  cancel(): void {
    this.cancelled.fire();
  }

  dispose(): void {
    this.cancelled.dispose();
  }
}

/** A model of the editor: what it was asked, and what it streams. */
export interface FakeModel {
  id: string;
  name: string;
  vendor: string;
  asked: { messages: unknown[]; options: { tools?: unknown[] } }[];
  parts: unknown[];
}

/** The models that the editor has. */
export const models: FakeModel[] = [];

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

/** What `lm.registerMcpServerDefinitionProvider` was given, by id. */
export const mcpProviders = new Map<string, unknown>();

/** A server of an MCP client's own process. */
export class McpStdioServerDefinition {
  constructor(
    readonly label: string,
    readonly command: string,
    readonly args: string[],
    readonly env: Record<string, string>,
    readonly version?: string,
  ) {}
}

export const lm = {
  onDidChangeChatModels: new EventEmitter<void>().event,
  selectChatModels: ({ id }: { id?: string } = {}) =>
    Promise.resolve(
      models
        .filter((model) => id === undefined || model.id === id)
        .map((model) => ({
          ...model,
          sendRequest(messages: unknown[], options: { tools?: unknown[] }) {
            model.asked.push({ messages, options });
            return Promise.resolve({ stream: model.parts });
          },
        })),
    ),
  registerMcpServerDefinitionProvider(id: string, provider: unknown) {
    mcpProviders.set(id, provider);
    return { dispose: () => mcpProviders.delete(id) };
  },
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
  configured: new EventEmitter<{ affectsConfiguration(section: string): boolean }>(),
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
  /** What modal messages say below. */
  details: [] as string[],
  said: [] as string[],
  answer: undefined as string | undefined,
  executed: [] as unknown[][],
  progress: [] as { reports: { message?: string }[]; cancel(): void; over: boolean }[],
  clipboard: "",
  documents: [] as { content: unknown; options: unknown }[],
  items: [] as { text: string; tooltip: MarkdownString | undefined; backgroundColor: ThemeColor | undefined }[],
};

const show = (message: string, options?: unknown) => {
  shown.messages.push(message);
  if (typeof options === "object" && options !== null && "detail" in options) {
    shown.details.push(String(options.detail));
  }
  return Promise.resolve(shown.answer);
};

/** What `commands.registerCommand` was given, by name. */
export const registeredCommands = new Map<string, (...args: unknown[]) => unknown>();

/** A tree view that was made. */
export interface FakeTree {
  provider: { getChildren(node?: unknown): unknown[]; getTreeItem(node: unknown): TreeItem };
  visible: boolean;
  message: string | undefined;
  description?: string;
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

/** Language providers that are registered, by what they provide. */
export const registeredProviders = new Map<string, unknown>();

const register = (kind: string) => (_selector: unknown, provider: unknown) => {
  registeredProviders.set(kind, provider);
  return { dispose: () => registeredProviders.delete(kind) };
};

export const languages = {
  getLanguages: () => Promise.resolve(["markdown", "json"]),
  registerDefinitionProvider: register("definition"),
  registerReferenceProvider: register("references"),
  registerImplementationProvider: register("implementation"),
  registerDocumentSymbolProvider: register("documentSymbol"),
  registerTypeHierarchyProvider: register("typeHierarchy"),
  registerCallHierarchyProvider: register("callHierarchy"),
  registerHoverProvider: register("hover"),
  registerRenameProvider: register("rename"),
  registerCodeActionsProvider: register("codeActions"),
  registerWorkspaceSymbolProvider: (provider: unknown) => register("workspaceSymbol")(undefined, provider),
};

/** A kind of action: words with dots. */
export class CodeActionKind {
  static readonly RefactorExtract = new CodeActionKind("refactor.extract");
  static readonly RefactorInline = new CodeActionKind("refactor.inline");
  static readonly RefactorMove = new CodeActionKind("refactor.move");

  constructor(readonly value: string) {}

  append(part: string): CodeActionKind {
    return new CodeActionKind(`${this.value}.${part}`);
  }

  contains({ value }: CodeActionKind): boolean {
    return value === this.value || value.startsWith(`${this.value}.`);
  }
}

export class CodeAction {
  edit?: WorkspaceEdit;

  constructor(
    readonly title: string,
    readonly kind?: CodeActionKind,
  ) {}
}

export const CodeActionTriggerKind = { Invoke: 1, Automatic: 2 };

export class Hover {
  constructor(readonly contents: MarkdownString) {}
}

export const extensions = { onDidChange: new EventEmitter<void>().event };

/** A thread of comments that was made. */
export interface FakeThread {
  uri: Uri;
  comments: { body: MarkdownString }[];
  state?: number;
  contextValue?: string;
  collapsibleState?: number;
  isDisposed: boolean;
}

/** The threads made so far. */
export const threads: FakeThread[] = [];

export enum CommentMode {
  Editing = 0,
  Preview = 1,
}

export enum CommentThreadState {
  Unresolved = 0,
  Resolved = 1,
}

export enum CommentThreadCollapsibleState {
  Collapsed = 0,
  Expanded = 1,
}

export const comments = {
  createCommentController: () => ({
    createCommentThread(uri: Uri, _range: Range, given: FakeThread["comments"]) {
      const thread = { uri, comments: given, isDisposed: false, dispose: () => (thread.isDisposed = true) };
      threads.push(thread);
      return thread;
    },
    dispose: () => undefined,
  }),
};

/** What commands give, by their names. */
export const commandResults = new Map<string, (...args: unknown[]) => unknown>();

export const commands = {
  registerCommand(name: string, run: (...args: unknown[]) => unknown) {
    registeredCommands.set(name, run);
    return { dispose: () => registeredCommands.delete(name) };
  },
  executeCommand(...call: unknown[]) {
    shown.executed.push(call);
    const [name, ...args] = call;
    return Promise.resolve().then(() => commandResults.get(String(name))?.(...args));
  },
};

/** A page that was asked for: what it was sent, and a way to say something for it. */
export interface FakePage {
  view: {
    visible: boolean;
    description: string;
    webview: { html: string; options: { enableScripts?: boolean; localResourceRoots?: Uri[] } };
  };
  sent: unknown[];
  says: EventEmitter<unknown>;
  disposed: EventEmitter<unknown>;
}

/** What `window.registerWebviewViewProvider` was given, by id. */
export const pageProviders = new Map<string, { resolveWebviewView(view: unknown): void }>();

/** Opens the page of a provider, as the editor does when somebody looks at it. */
export function openPage(id: string): FakePage {
  const page = fakePage();
  pageProviders.get(id)?.resolveWebviewView(page.view);
  return page;
}

function fakePage() {
  const [says, disposed, sent] = [new EventEmitter<unknown>(), new EventEmitter<unknown>(), [] as unknown[]];
  const webview = {
    html: "",
    options: {},
    cspSource: "https://webview",
    asWebviewUri: (uri: Uri) => uri,
    onDidReceiveMessage: says.event,
    postMessage(message: unknown) {
      sent.push(message);
      return Promise.resolve(true);
    },
  };
  const view = { visible: true, description: "", webview, onDidDispose: disposed.event };
  return { view, sent, says, disposed };
}

/** A page in an editor's tab. */
export interface FakePanel extends FakePage {
  title: string;
  reveals: number;
}

/** The tabs with pages that are open, by their kind. */
export const panels = new Map<string, FakePanel>();

export enum ViewColumn {
  Active = -1,
}

/** What ends in terminals and tasks. */
export const endings = {
  shell: new EventEmitter<unknown>(),
  task: new EventEmitter<unknown>(),
  trusted: new EventEmitter<unknown>(),
};

export enum TerminalShellExecutionCommandLineConfidence {
  Low = 0,
  Medium = 1,
  High = 2,
}

export const TaskGroup = { Test: { id: "test" } };
export const tasks = { onDidEndTaskProcess: endings.task.event };

export const window = {
  activeTextEditor: undefined as
    | { document: { uri: Uri; lineAt?: unknown }; selection?: { active: { line: number; character: number } } }
    | undefined,
  registerWebviewViewProvider(id: string, provider: { resolveWebviewView(view: unknown): void }) {
    pageProviders.set(id, provider);
    return { dispose: () => pageProviders.delete(id) };
  },
  createWebviewPanel(kind: string, title: string) {
    const page = fakePage();
    const panel = {
      title,
      reveals: 0,
      visible: true,
      webview: page.view.webview,
      onDidChangeViewState: new EventEmitter<unknown>().event,
      onDidDispose: page.disposed.event,
      reveal: () => {
        panel.reveals += 1;
      },
      dispose: () => {
        panels.delete(kind);
        page.disposed.fire(undefined);
      },
    };
    panels.set(kind, Object.assign(panel, page));
    return panel;
  },
  /** Where a person saves. */
  saveTo: undefined as Uri | undefined,
  showSaveDialog: () => Promise.resolve(window.saveTo),
  setStatusBarMessage(message: string) {
    shown.said.push(message);
    return { dispose: () => undefined };
  },
  /** Which of the choices a person takes, by its label. */
  picks: [] as string[],
  showQuickPick(choices: readonly { label: string }[]) {
    const pick = window.picks.shift();
    return Promise.resolve(choices.find(({ label }) => label === pick));
  },
  /** What a person types into boxes, one after the other. */
  inputs: [] as string[],
  showInputBox: () => Promise.resolve(window.inputs.shift()),
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
  onDidEndTerminalShellExecution: endings.shell.event,
  onDidChangeTextEditorSelection: editor.selected.event,
  onDidChangeActiveTextEditor: editor.activated.event,
  showWarningMessage: show,
  showErrorMessage: show,
  tabGroups: { all: [] as { tabs: { label: string; input?: unknown }[] }[], close: () => Promise.resolve(true) },
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
  withProgress<T>(_options: unknown, task: (progress: unknown, token: unknown) => Promise<T>) {
    const cancelled = new EventEmitter<void>();
    const token = { isCancellationRequested: false, onCancellationRequested: cancelled.event };
    const run = {
      reports: [] as { message?: string }[],
      cancel: () => {
        token.isCancellationRequested = true;
        cancelled.fire();
      },
      over: false,
    };
    shown.progress.push(run);
    const progress = { report: (report: { message?: string }) => run.reports.push(report) };
    return task(progress, token).then((result) => {
      run.over = true;
      return result;
    });
  },
};

export const workspace = {
  onDidGrantWorkspaceTrust: endings.trusted.event,
  workspaceFolders: [] as { name: string; uri: Uri }[],
  textDocuments: [] as unknown[],
  onDidOpenTextDocument: editor.opened.event,
  onDidChangeTextDocument: editor.changed.event,
  onDidSaveTextDocument: editor.saved.event,
  onDidCloseTextDocument: editor.closed.event,
  onDidChangeWorkspaceFolders: editor.folders.event,
  onDidChangeConfiguration: editor.configured.event,
  isTrusted: true,
  /** What `getConfiguration` gives, by full key. */
  settings: new Map<string, unknown>(),
  /** So many of the next edits are refused. */
  refuseEdits: 0,
  /** The path of a file that cannot be saved. */
  unsavable: "",
  getConfiguration: (section: string) => ({ get: (key: string) => workspace.settings.get(`${section}.${key}`) }),
  registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
  /** An address opens the document that is held, or the file; anything else is a document already. */
  openTextDocument(what: unknown): Promise<unknown> {
    if (!(what instanceof Uri)) {
      return Promise.resolve(what);
    }
    const held = workspace.textDocuments.find((one) => (one as FakeDocument).uri.toString() === what.toString());
    const file = fakeFiles.get(what.toString());
    if (!held && file) {
      const document = new FakeDocument(what, new TextDecoder().decode(file.bytes));
      workspace.textDocuments.push(document);
      return Promise.resolve(document);
    }
    return Promise.resolve(held ?? what);
  },
  async applyEdit(edit: WorkspaceEdit): Promise<boolean> {
    if (workspace.refuseEdits > 0) {
      workspace.refuseEdits -= 1;
      return false;
    }
    for (const step of edit.steps) {
      await step();
    }
    return true;
  },
  asRelativePath: (uri: Uri) => uri.path.split("/").slice(3).join("/"),
  getWorkspaceFolder: (uri: Uri) => workspace.workspaceFolders.find((folder) => uri.path.startsWith(folder.uri.path)),
  findFiles: (pattern: string) => {
    const ending = pattern.endsWith("[aA][sS]") ? ".as" : pattern;
    const paths = [...fakeFiles.keys()].filter((address) => address.toLowerCase().endsWith(ending));
    return Promise.resolve(paths);
  },
  createFileSystemWatcher(pattern: RelativePattern) {
    const watcher = new FakeWatcher(pattern);
    watchers.push(watcher);
    return watcher;
  },
  fs: {
    /** Nothing is known of schemes whose documents somebody makes. */
    isWritableFileSystem: (scheme: string) => (["file", "memfs"].includes(scheme) ? true : undefined),
    stat(uri: Uri) {
      return Promise.resolve().then(() => {
        const { type, mtime, bytes } = found(uri);
        return { type, mtime, ctime: 0, size: bytes.length };
      });
    },
    readFile(uri: Uri) {
      return Promise.resolve().then(() => found(uri).bytes);
    },
    writeFile(uri: Uri, bytes: Uint8Array) {
      fakeFiles.set(uri.toString(), { type: FileType.File, mtime: 1, bytes });
      return Promise.resolve();
    },
    createDirectory(uri: Uri) {
      fakeFiles.set(uri.toString(), { type: FileType.Directory, mtime: 1, bytes: new Uint8Array() });
      return Promise.resolve();
    },
    delete(uri: Uri) {
      fakeFiles.delete(uri.toString());
      return Promise.resolve();
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

/** A place in a text. */
export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class TabInputText {
  constructor(readonly uri: Uri) {}
}

export class TabInputTextDiff {
  constructor(
    readonly original: Uri,
    readonly modified: Uri,
  ) {}
}

/** A document that the fake editor holds. */
export class FakeDocument {
  constructor(
    readonly uri: Uri,
    private content: string,
    public isDirty = false,
    public version = 1,
  ) {}

  getText(): string {
    return this.content;
  }

  offsetAt({ line, character }: Position): number {
    const before = this.content.split("\n").slice(0, line);
    return before.reduce((sum, text) => sum + text.length + 1, 0) + character;
  }

  positionAt(offset: number): Position {
    const lines = this.content.slice(0, offset).split("\n");
    return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  }

  /** Puts text at the start, as a person would. */
  type(text: string): void {
    this.become(text + this.content);
  }

  become(text: string): void {
    this.content = text;
    this.isDirty = true;
    this.version += 1;
  }

  save(): Promise<boolean> {
    if (workspace.unsavable === this.uri.path) {
      return Promise.resolve(false);
    }
    this.isDirty = false;
    fakeFiles.set(this.uri.toString(), {
      type: FileType.File,
      mtime: 1,
      bytes: new TextEncoder().encode(this.content),
    });
    return Promise.resolve(true);
  }
}

/** Changes of several files. */
export class WorkspaceEdit {
  readonly steps: (() => Promise<void>)[] = [];

  get size(): number {
    return this.steps.length;
  }

  createFile(uri: Uri, { contents = new Uint8Array() }: { contents?: Uint8Array } = {}): void {
    this.steps.push(() => {
      fakeFiles.set(uri.toString(), { type: FileType.File, mtime: 1, bytes: contents });
      return Promise.resolve();
    });
  }

  renameFile(from: Uri, to: Uri): void {
    this.steps.push(() => {
      const file = fakeFiles.get(from.toString());
      fakeFiles.delete(from.toString());
      if (file) {
        fakeFiles.set(to.toString(), file);
      }
      const held = (workspace.textDocuments as FakeDocument[]).findIndex(
        ({ uri }) => uri.toString() === from.toString(),
      );
      if (held >= 0) {
        workspace.textDocuments.splice(held, 1);
      }
      return Promise.resolve();
    });
  }

  deleteFile(uri: Uri): void {
    this.steps.push(() => {
      fakeFiles.delete(uri.toString());
      return Promise.resolve();
    });
  }

  replace(uri: Uri, range: Range, text: string): void {
    this.steps.push(async () => {
      const document = (await workspace.openTextDocument(uri)) as FakeDocument;
      const { start, end } = range;
      const before = document.getText();
      document.become(before.slice(0, document.offsetAt(start)) + text + before.slice(document.offsetAt(end)));
    });
  }
}
