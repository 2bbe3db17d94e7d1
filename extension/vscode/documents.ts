/** Tells the engine what the editor holds: open documents, their edits, and where the cursor is. */
import {
  Range,
  window,
  workspace,
  type TextDocument,
  type TextDocumentContentChangeEvent,
  type TextEditor,
} from "vscode";

import { Throttle } from "../core/batch";
import { disposeAll, type Disposable } from "../core/disposable";
import type { OpenDocument } from "../core/documents";
import type { Position, TextChange } from "../generated/protocol";
import type { Host } from "./host";

/** The cursor moves with every keystroke; the engine needs to know a little later. */
const SELECTION_EVERY_MS = 100;

/** Feeds documents and selection. */
export function feedDocuments(host: Host): Disposable {
  const feed = host.documents;
  const selections = new Throttle(SELECTION_EVERY_MS);
  const measured =
    <T>(name: string, listener: (event: T) => void) =>
    (event: T) => {
      host.meter.measure(`documents: ${name}`, () => {
        listener(event);
      });
    };
  const select = (editor: TextEditor | undefined): void => {
    if (editor && isFile(editor.document)) {
      selections.run(() => {
        feed.selected(host.path(editor.document.uri), position(editor.selection.active));
      });
    }
  };
  host.onLaunch(() => {
    feed.replay(workspace.textDocuments.filter(isFile).map((document) => opened(document, host)));
    select(window.activeTextEditor);
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
    window.onDidChangeTextEditorSelection(
      measured("select", ({ textEditor }) => {
        select(textEditor);
      }),
    ),
    window.onDidChangeActiveTextEditor(measured("select", select)),
  ];
  return {
    dispose: () => {
      disposeAll([selections, ...listening]);
    },
  };
}

/** Whether a document is a file of the disk or of the workspace's file system, not a view or a draft. */
function isFile({ uri }: TextDocument): boolean {
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
