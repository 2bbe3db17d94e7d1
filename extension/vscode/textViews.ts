/** Read-only documents made of tools' answers: the outline of a file, the status. */
import { EventEmitter, Uri, window, workspace } from "vscode";

import { Throttle } from "../core/batch";
import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import { investigationPage } from "../core/texts";
import { observationText } from "../core/observations";
import type { ToolAnswers, ToolName } from "../generated/answers";

const SCHEME = "codecortex";

/** What is shown follows the index, but nobody reads faster than this. */
const REFRESH_EVERY_MS = 1_000;

/** What a document of ours shows: a tool's answer, in text form or as a page made of its data. */
export interface Source {
  tool: ToolName;
  args: Record<string, unknown>;
  page?: keyof typeof PAGES;
}

/** Pages made of an answer's data. */
const PAGES = {
  observation: (data: ToolAnswers["codecortex_recall"]): string =>
    data.items.map(observationText).join("\n") || "This observation was forgotten.\n",
  investigation: investigationPage,
};

const changes = new EventEmitter<Uri>();

/** Serves the documents; what they show is in their address, so they survive a reload of the window. */
export function registerTextViews(host: Host): Disposable {
  const provider = workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri) => content(host, uri),
  });
  const refreshes = new Throttle(REFRESH_EVERY_MS);
  let seen = "";
  const following = host.onDidChange(({ life, state }) => {
    const now = `${life.kind} ${state?.phase ?? ""} ${state?.revision ?? ""}`;
    if (now !== seen) {
      seen = now;
      refreshes.run(refresh);
    }
  });
  return {
    dispose: () => {
      disposeAll([provider, following, refreshes, changes]);
    },
  };
}

/**
 * Opens a tool's answer. `title` is what the tab says; the manifest gives it a language of its own by the
 * title's beginning, since a language service would find an outline full of mistakes.
 */
export async function showAnswer(title: string, source: Source): Promise<void> {
  const uri = pageAddress(title, source);
  const document = await workspace.openTextDocument(uri);
  await window.showTextDocument(document, { preview: true });
}

/** The address of a document of ours, which is asked for anew. */
export function pageAddress(title: string, source: Source): Uri {
  const uri = Uri.from({ scheme: SCHEME, path: `/${title}`, query: JSON.stringify(source) });
  changes.fire(uri);
  return uri;
}

/** Has the open documents asked for again. */
function refresh(): void {
  for (const { uri } of workspace.textDocuments) {
    if (uri.scheme === SCHEME) {
      changes.fire(uri);
    }
  }
}

async function content(host: Host, uri: Uri): Promise<string> {
  const { tool, args, page } = JSON.parse(uri.query) as Source;
  if (page !== undefined && Object.hasOwn(PAGES, page)) {
    const read = dataOf(await host.look(tool, args));
    return "problem" in read ? `${read.problem}\n` : PAGES[page](read.data as never);
  }
  const answer = await host.call({
    tool,
    args: { ...args, format: "text" },
    caller: { kind: "editor" },
    format: "text",
  });
  return answer.text ?? answer.json ?? "";
}
