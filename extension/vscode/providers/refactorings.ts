/** Rename, extract, inline and move from the index. */
import {
  CodeAction,
  CodeActionKind,
  CodeActionTriggerKind,
  workspace,
  type CancellationToken,
  type CodeActionProvider,
  type Range,
  type RenameProvider,
  type TextDocument,
} from "vscode";

import type { Host } from "../../core/host";
import { endingOf } from "../../core/paths";
import { at } from "./engine";
import { plannedEdit } from "./plannedEdit";

/** The name of what is extracted, until a person gives it another one. */
const EXTRACTED = "extracted";
/** So many other documents are offered as the place of a declaration. */
const MOST_TARGETS = 5;

/** The kinds that are offered, for a menu of one kind. */
export const REFACTORING_KINDS = [
  CodeActionKind.RefactorExtract,
  CodeActionKind.RefactorInline,
  CodeActionKind.RefactorMove,
];

/** Rename Symbol. What is refused is shown with its reason. */
export function renameProvider(host: Host): RenameProvider {
  return {
    provideRenameEdits: async (document, position, newName, token) => {
      const args = { action: "rename", ...at(host, document, position), newName };
      const planned = await plannedEdit(host, args, token);
      if ("reason" in planned) {
        throw new Error(planned.reason);
      }
      return planned.edit;
    },
  };
}

/** An action whose edit is planned when somebody chooses it. */
class Refactoring extends CodeAction {
  constructor(
    title: string,
    kind: CodeActionKind,
    readonly args: Record<string, unknown>,
  ) {
    super(title, kind);
  }
}

/** Actions on a selection and on a name. They are only listed where somebody asks, never at a move of the cursor. */
export function refactoringProvider(host: Host): CodeActionProvider<Refactoring> {
  return {
    provideCodeActions: (document, range, { only, triggerKind }) => {
      if (triggerKind === CodeActionTriggerKind.Automatic) {
        return [];
      }
      const found = range.isEmpty ? ofName(host, document, range) : ofSelection(host, document, range);
      return found.filter(({ kind }) => !only || (kind !== undefined && only.contains(kind)));
    },
    resolveCodeAction: async (action, token) => planned(host, action, token),
  };
}

function ofSelection(host: Host, document: TextDocument, range: Range): Refactoring[] {
  const end = { line: range.end.line + 1, character: range.end.character + 1 };
  const args = { ...at(host, document, range.start), end, newName: EXTRACTED };
  const kind = CodeActionKind.RefactorExtract;
  return [
    new Refactoring("Extract into variable", kind.append("variable"), { action: "extractVariable", ...args }),
    new Refactoring("Extract into function", kind.append("function"), { action: "extractMethod", ...args }),
  ];
}

function ofName(host: Host, document: TextDocument, range: Range): Refactoring[] {
  if (!document.getWordRangeAtPosition(range.start)) {
    return [];
  }
  const place = at(host, document, range.start);
  const inline = new Refactoring("Inline", CodeActionKind.RefactorInline, { action: "inline", ...place });
  const moves = targets(document).map((path) => {
    return new Refactoring(`Move to ${path}`, CodeActionKind.RefactorMove, { action: "move", ...place, newPath: path });
  });
  return [inline, ...moves];
}

/** Other open documents of the same folder and ending: no path is made up. */
function targets({ uri }: TextDocument): string[] {
  const folder = workspace.getWorkspaceFolder(uri)?.uri;
  const start = `${folder?.path.replace(/\/$/, "") ?? ""}/`;
  const others = workspace.textDocuments.map((other) => other.uri).filter((other) => other.scheme === uri.scheme);
  const paths = others.map(({ path }) => path).filter((path) => path !== uri.path && path.startsWith(start));
  const alike = paths.filter((path) => endingOf(path) === endingOf(uri.path));
  return folder ? alike.slice(0, MOST_TARGETS).map((path) => path.slice(start.length)) : [];
}

async function planned(host: Host, action: Refactoring, token: CancellationToken): Promise<Refactoring> {
  const plan = await plannedEdit(host, action.args, token);
  if ("reason" in plan) {
    throw new Error(plan.reason);
  }
  action.edit = plan.edit;
  return action;
}
