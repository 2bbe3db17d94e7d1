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
  constructor(readonly value: string) {}
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

export const workspace = {
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
