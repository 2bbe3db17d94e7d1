/**
 * Shows a person what an edit would change and waits for what they decide (SPEC LC4, D28).
 *
 * The changes are a diff editor of their own, with both decisions in its title bar; a notification that stays
 * offers them too, wherever the person is. Edits that come meanwhile wait for their turn.
 */
import { commands, EventEmitter, ProgressLocation, Uri, window, workspace } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { baseName } from "../core/paths";

/** Addresses of texts that are not there yet; the path is the file's, so that it looks like it. */
const SCHEME = "codecortex-edit";
/** Tells menus and commands that something waits for a decision. */
const PENDING = "codecortex.editPending";

/** What is to be decided. */
export interface Proposal {
  /** What the edit is for, in a few words. */
  title: string;
  files: ProposedFile[];
}

/** A file as the edit would leave it. */
export interface ProposedFile {
  uri: Uri;
  isNew: boolean;
  after: string;
}

interface Review {
  proposal: Proposal;
  number: number;
  decide(isAgreed: boolean): void;
}

const texts = new Map<string, string>();
const decided = new EventEmitter<void>();
let current: Review | undefined;
let turn = Promise.resolve();
let reviews = 0;
/** What waits for its turn. */
const waiting = new Set<Proposal>();

/** Registers the texts and the decisions. */
export function registerEditReview(): Disposable {
  const registered = [
    workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => texts.get(uri.query) ?? "",
    }),
    commands.registerCommand("codecortex.edits.apply", () => current?.decide(true)),
    commands.registerCommand("codecortex.edits.discard", () => current?.decide(false)),
    commands.registerCommand("codecortex.edits.show", () => current && show(current)),
  ];
  return {
    dispose: () => {
      withdrawEdits();
      disposeAll(registered);
    },
  };
}

/** Resolves to whether a person wants the edit. */
export function reviewEdit(proposal: Proposal): Promise<boolean> {
  waiting.add(proposal);
  const answer = turn.then(() => (waiting.delete(proposal) ? ask(proposal) : false));
  turn = answer.then(
    () => undefined,
    () => undefined,
  );
  return answer;
}

/** Nobody waits any more for the edits of this title, or for any: they are not done. */
export function withdrawEdits(title?: string): void {
  const isMeant = (proposal: Proposal): boolean => title === undefined || proposal.title === title;
  for (const proposal of [...waiting].filter(isMeant)) {
    waiting.delete(proposal);
  }
  if (current && isMeant(current.proposal)) {
    current.decide(false);
  }
}

async function ask(proposal: Proposal): Promise<boolean> {
  reviews += 1;
  const number = reviews;
  const isAgreed = new Promise<boolean>((resolve) => {
    current = { proposal, number, decide: resolve };
  });
  proposal.files.forEach((file, index) => texts.set(`${number}.${index}`, file.after));
  try {
    await commands.executeCommand("setContext", PENDING, true);
    if (current) {
      await show(current);
      notify(current);
    }
    return await isAgreed;
  } finally {
    current = undefined;
    decided.fire();
    await commands.executeCommand("setContext", PENDING, false);
    await close(proposal.title);
    proposal.files.forEach((_, index) => texts.delete(`${number}.${index}`));
  }
}

/** One file beside what it becomes, or the list of all files. */
async function show({ proposal, number }: Review): Promise<void> {
  const pairs = proposal.files.map(({ uri, isNew }, index) => {
    const after = uri.with({ scheme: SCHEME, query: `${number}.${index}`, fragment: "" });
    return { uri, before: isNew ? undefined : uri, after };
  });
  const [only] = pairs;
  if (pairs.length === 1 && only) {
    const options = { preview: false, preserveFocus: true };
    const before = only.before ?? only.after.with({ query: "" });
    await commands.executeCommand("vscode.diff", before, only.after, tabTitle(proposal.title), options);
    return;
  }
  const resources = pairs.map(({ uri, before, after }) => [uri, before, after]);
  await commands.executeCommand("vscode.changes", tabTitle(proposal.title), resources);
  // Who looks at another file meanwhile does not lose it.
  await commands.executeCommand("workbench.action.keepEditor");
}

function tabTitle(title: string): string {
  return `${title} (proposed)`;
}

/** The notification: it stays until there is a decision. */
function notify({ proposal }: Review): void {
  const { files, title } = proposal;
  const [first] = files;
  const what = files.length === 1 && first ? baseName(first.uri.path) : `${files.length} files`;
  const choices = [
    "[Apply](command:codecortex.edits.apply)",
    "[Discard](command:codecortex.edits.discard)",
    "[Show Changes](command:codecortex.edits.show)",
  ];
  const options = {
    location: ProgressLocation.Notification,
    title: `${title}: change ${what}? ${choices.join(" · ")}`,
  };
  void window.withProgress(
    options,
    () =>
      new Promise<void>((resolve) => {
        const ending = decided.event(() => {
          ending.dispose();
          resolve();
        });
      }),
  );
}

async function close(title: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  // A list of files has their number behind its title.
  const ours = tabs.filter((tab) => tab.label.startsWith(tabTitle(title)));
  if (ours.length > 0) {
    await window.tabGroups.close(ours, true);
  }
}
