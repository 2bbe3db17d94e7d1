/** Has the chosen model find something out, and shows what it concluded (SPEC IN1). */
import { commands, ProgressLocation, window, type CancellationToken, type Progress } from "vscode";

import { dataOf, type AnswerOf } from "../core/envelope";
import type { Host } from "../core/host";
import { progressOf } from "../core/texts";
import type { OpData } from "../generated/answers";
import { quotas } from "./describe";
import { pageAddress } from "./textViews";

const INVESTIGATE = "Investigate";
const LOOK_EVERY_MS = 1_000;
/** Characters of a question that a tab shows. */
const MOST_TITLE = 60;

/** Asks for a question and has it investigated. */
export async function investigate(host: Host, model: string): Promise<void> {
  const question = await window.showInputBox({
    title: "Investigate",
    prompt: "What is to be found out about this code.",
    placeHolder: "How are large batches processed?",
  });
  if (question === undefined || question.trim() === "") {
    return;
  }
  const known = await begun(host, question.trim(), model);
  if (!known) {
    return;
  }
  const title = `CodeCortex: ${question.trim()}`;
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  const done = await window.withProgress(options, (progress, token) => follow(host, known, progress, token));
  if (done === undefined || done.operation.state === "cancelled") {
    return;
  }
  await showInvestigation(done.operation.opId, question.trim());
}

/** Begins it, after saying what may be sent. */
async function begun(host: Host, question: string, model: string): Promise<OpData | undefined> {
  const detail = ["A model is asked up to twelve times, with the code that it asks for.", ...(await quotas(host))].join(
    "\n",
  );
  const chosen = await window.showInformationMessage(
    `Have ${model} investigate “${question}”?`,
    { modal: true, detail },
    INVESTIGATE,
  );
  return chosen === INVESTIGATE ? read(await host.look("codecortex_investigate", { question })) : undefined;
}

/** Waits for the end of an operation; gives it up when the person does. */
async function follow(
  host: Host,
  known: OpData,
  progress: Progress<{ message?: string }>,
  token: CancellationToken,
): Promise<OpData | undefined> {
  const { opId } = known.operation;
  let wake = (): void => undefined;
  const listening = token.onCancellationRequested(() => {
    wake();
  });
  try {
    let now: OpData | undefined = known;
    while (now?.operation.state === "running") {
      progress.report({ message: progressOf(now.operation) });
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, LOOK_EVERY_MS);
      });
      now = token.isCancellationRequested
        ? read(await host.look("codecortex_op", { opId, cancel: true }))
        : read(await host.look("codecortex_op", { opId }));
    }
    return now;
  } finally {
    listening.dispose();
  }
}

/** Shows an investigation as a page that can be read. */
async function showInvestigation(opId: string, question: string): Promise<void> {
  const name = question
    .replace(/[/\\?#%]/g, " ")
    .trim()
    .slice(0, MOST_TITLE);
  const address = pageAddress(`Investigation: ${name}.md`, {
    tool: "codecortex_op",
    args: { opId },
    page: "investigation",
  });
  await commands.executeCommand("markdown.showPreview", address);
}

function read(answer: AnswerOf<"codecortex_op" | "codecortex_investigate">): OpData | undefined {
  const found = dataOf(answer);
  if ("problem" in found) {
    const sentences = [found.problem, found.hint].filter((sentence) => sentence !== undefined);
    void window.showWarningMessage(`CodeCortex: ${sentences.join(" ")}`);
    return undefined;
  }
  return found.data;
}
