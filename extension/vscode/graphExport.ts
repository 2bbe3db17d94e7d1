/** "Export Dependency Graph": which types depend on which, as a new document. */
import { languages, window, workspace } from "vscode";

import { dataOf } from "../core/envelope";
import { graphDocument, NOTATIONS } from "../core/graph";
import { baseName } from "../core/paths";
import { currentRoots } from "./folders";
import type { Host } from "../core/host";

/** A drawing of more types than these shows nothing. */
const MOST_TYPES = 150;

interface Scope {
  label: string;
  description?: string;
  args: Record<string, unknown>;
}

/** Asks what to draw and how, and opens it. */
export async function exportGraph(host: Host): Promise<void> {
  const scope = await window.showQuickPick(scopes(host), { title: "Dependency Graph", placeHolder: "Of which types?" });
  const picked =
    scope && (await window.showQuickPick(NOTATIONS, { title: "Dependency Graph", placeHolder: "As what?" }));
  if (!picked) {
    return;
  }
  const { notation } = picked;
  const answer = await host.look("codecortex_exportGraph", { ...scope.args, notation, limit: MOST_TYPES });
  const read = dataOf(answer);
  if ("problem" in read) {
    void window.showErrorMessage(`CodeCortex: ${read.problem}`);
    return;
  }
  const { language, content } = graphDocument(notation, read.data);
  // Nobody has to have an extension for Graphviz.
  const known = await languages.getLanguages();
  const options = { language: known.includes(language) ? language : "plaintext", content };
  await window.showTextDocument(await workspace.openTextDocument(options), { preview: false });
}

/** The open file, each folder of the workspace, and all of them. */
function scopes(host: Host): Scope[] {
  const all: Scope[] = [];
  const document = window.activeTextEditor?.document;
  if (document && workspace.getWorkspaceFolder(document.uri)) {
    const path = host.path(document.uri);
    all.push({ label: `Types in ${baseName(path)} and their dependencies`, args: { folder: path, depth: 1 } });
  }
  const roots = currentRoots(host.platform.windows);
  if (roots.length > 1) {
    all.push(...roots.map(({ name, path }) => ({ label: `Folder ${name}`, args: { folder: path } })));
  }
  return [...all, { label: "The whole workspace", description: "the best connected types", args: {} }];
}
