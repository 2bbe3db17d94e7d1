/** Tells the engine what the editor holds: open documents and their edits. */
import { Range, workspace, type TextDocument, type TextDocumentContentChangeEvent } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { OpenDocument } from "../core/documents";
import type { Position, TextChange } from "../generated/protocol";
import type { Host } from "../core/host";

/** Feeds documents. */
export function feedDocuments(host: Host): Disposable {
  const feed = host.documents;
  const measured =
    <T>(name: string, listener: (event: T) => void) =>
    (event: T) => {
      host.meter.measure(`documents: ${name}`, () => {
        listener(event);
      });
    };
  host.onLaunch(() => {
    feed.replay(workspace.textDocuments.filter(isFile).map((document) => opened(document, host)));
  });
  const ifFile = (work: (document: TextDocument) => void) => (document: TextDocument) => {
    if (isFile(document)) {
      work(document);
    }
  };
  const listening = [
    workspace.onDidOpenTextDocument(
      measured(
        "open",
        ifFile((document) => {
          feed.opened(opened(document, host));
        }),
      ),
    ),
    workspace.onDidChangeTextDocument(
      measured("edit", ({ document, contentChanges }) => {
        if (isFile(document)) {
          feed.edited(opened(document, host), contentChanges, textChange);
        }
      }),
    ),
    workspace.onDidSaveTextDocument(
      measured(
        "save",
        ifFile((document) => {
          feed.saved(host.path(document.uri));
        }),
      ),
    ),
    workspace.onDidCloseTextDocument(
      measured(
        "close",
        ifFile((document) => {
          feed.closed(host.path(document.uri));
        }),
      ),
    ),
  ];
  return {
    dispose: () => {
      disposeAll(listening);
    },
  };
}

/** Whether a document is a file of the disk or of the workspace's file system, not a view or a draft. */
export function isFile({ uri }: TextDocument): boolean {
  return uri.scheme === "file" || (workspace.workspaceFolders ?? []).some((folder) => folder.uri.scheme === uri.scheme);
}

function opened(document: TextDocument, host: Host): OpenDocument {
  const path = host.path(document.uri);
  return {
    path,
    get version() {
      return document.version;
    },
    get isDirty() {
      return document.isDirty;
    },
    get isClosed() {
      return document.isClosed;
    },
    get lineCount() {
      return document.lineCount;
    },
    lines: (from, to) => document.getText(new Range(from, 0, to, 0)),
  };
}

function textChange({ range, text }: TextDocumentContentChangeEvent): TextChange {
  return { start: position(range.start), end: position(range.end), text };
}

function position({ line, character }: Position): Position {
  return { line, character };
}
