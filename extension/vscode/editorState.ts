/** Tells the engine what the editor shows: the active document, selections, the lines on the screen, problems (SPEC LC2). */
import { DiagnosticSeverity, languages, window, workspace, type Diagnostic, type Uri } from "vscode";

import { Batcher, Throttle } from "../core/batch";
import { disposeAll, type Disposable } from "../core/disposable";
import type { Severity } from "../generated/protocol";
import { isFile } from "./documents";
import type { Host } from "../core/host";
import { spanOf } from "./spans";

/** The cursor moves with every keystroke; the engine needs to know a little later. */
const SHOWN_EVERY_MS = 100;
/** Language services tell of problems in bursts. */
const PROBLEMS = { quietMs: 150, maxMs: 1_000 };
/** Nobody is shown more problems of one file. */
const MOST_PROBLEMS = 100;

const SEVERITIES: Readonly<Record<DiagnosticSeverity, Severity>> = {
  [DiagnosticSeverity.Error]: "error",
  [DiagnosticSeverity.Warning]: "warning",
  [DiagnosticSeverity.Information]: "information",
  [DiagnosticSeverity.Hint]: "hint",
};

/** Follows editors and problems; what a call is about to ask for is told before it. */
export function tellEditorState(host: Host): Disposable {
  const throttle = new Throttle(SHOWN_EVERY_MS);
  let told = "";
  const tell = (): void => {
    const editor = window.activeTextEditor;
    if (!editor || !isFile(editor.document)) {
      return;
    }
    const active = host.path(editor.document.uri);
    const event = { selections: editor.selections.map(spanOf), visible: editor.visibleRanges.map(spanOf) };
    const now = JSON.stringify([active, event]);
    if (now !== told) {
      told = now;
      host.send({ type: "editor", active, ...event });
    }
  };
  const soon = (): void => {
    throttle.run(() => {
      host.meter.measure("editor: shows", tell);
    });
  };
  const problems = new Batcher<string>(PROBLEMS, Date.now, (addresses) => {
    host.slices.add("editor: problems", () => {
      tellProblems(host, addresses);
    });
  });
  const add = (uris: readonly Uri[]): void => {
    for (const uri of uris) {
      problems.add(uri.toString());
    }
  };
  host.onLaunch(() => {
    told = "";
    soon();
    add(workspace.textDocuments.map(({ uri }) => uri));
  });
  host.onBeforeCall(() => {
    problems.handOver();
    tell();
  });
  const listening = [
    window.onDidChangeActiveTextEditor(soon),
    window.onDidChangeTextEditorSelection(soon),
    window.onDidChangeTextEditorVisibleRanges(soon),
    languages.onDidChangeDiagnostics(({ uris }) => {
      add(uris);
    }),
    workspace.onDidOpenTextDocument(({ uri }) => {
      add([uri]);
    }),
  ];
  return {
    dispose: () => {
      disposeAll([throttle, problems, ...listening]);
    },
  };
}

/** Problems of open documents; what nobody has open is no live context. */
function tellProblems(host: Host, addresses: ReadonlySet<string>): void {
  for (const document of workspace.textDocuments) {
    if (addresses.has(document.uri.toString()) && isFile(document)) {
      const found = languages.getDiagnostics(document.uri).slice(0, MOST_PROBLEMS);
      host.send({ type: "diagnosed", path: host.path(document.uri), diagnostics: found.map(problem) });
    }
  }
}

function problem({ range, severity, message, source }: Diagnostic) {
  return { span: spanOf(range), severity: SEVERITIES[severity], message, source: source ?? null };
}
