/**
 * `@codecortex /review`: the units of a change by risk and what is found in it, then what the picked model finds, as far
 * as the index does not contradict it (SPEC RV3).
 */
import {
  commands,
  LanguageModelChatMessage,
  type CancellationToken,
  type ChatRequest,
  type ChatResponseStream,
} from "vscode";

import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import { counted, findingRow, jsonIn, reviewAnswer, type ReviewScope } from "../core/review";
import { reviewOf, withFindings, type AskReview, type Reviewed } from "../core/reviewSession";
import { currentRoots } from "./folders";

/** Tokens of the change and its context that a model is told at most. */
const MOST_TOKENS = 16_000;
/** Characters of an answer that are read. */
const MOST_CHARACTERS = 256 * 1024;

interface ChatTurn {
  host: Host;
  request: ChatRequest;
  stream: ChatResponseStream;
  token: CancellationToken;
}

/** Reviews what is not committed in the first folder; what the person wrote is what the model looks at. */
export async function reviewInChat({ host, request, stream, token }: ChatTurn): Promise<void> {
  const roots = currentRoots(host.platform.windows);
  const [root] = roots;
  if (!root) {
    stream.markdown("Open a folder whose changes are to be reviewed.");
    return;
  }
  const several = roots.length > 1;
  const args = { mode: "uncommitted", ...(several ? { folder: root.name } : {}) };
  const label = several ? `Uncommitted changes of ${root.name}` : "Uncommitted changes";
  const scope: ReviewScope = { label, args, root };
  const ask: AskReview = (given) => host.look("codecortex_reviewChanges", given);
  const reviewed = await reviewOf(scope, ask);
  await commands.executeCommand("codecortex.review.show", reviewed);
  // What is written before a step counts as a part of it, which the chat folds: it is said when the model is done.
  const said = [reviewAnswer(label, reviewed.index, reviewed.findings)];
  if (reviewed.units.length > 0 && !token.isCancellationRequested) {
    stream.progress(`${request.model.name} reviews the change`);
    try {
      const { text, checked } = await byPickedModel({ request, token }, reviewed, ask);
      said.push(text);
      await commands.executeCommand("codecortex.review.show", checked);
    } catch (error) {
      stream.markdown(said.join("\n\n"));
      throw error;
    }
  }
  stream.markdown(said.join("\n\n"));
  stream.button({ command: "codecortex.review.focus", title: "Show the Review" });
}

/** What the picked model finds, and which of it stands. */
async function byPickedModel(
  { request, token }: Pick<ChatTurn, "request" | "token">,
  reviewed: Reviewed,
  ask: AskReview,
): Promise<{ text: string; checked: Reviewed }> {
  const wish = request.prompt.trim();
  const maxTokens = Math.min(MOST_TOKENS, Math.floor(request.model.maxInputTokens / 2));
  const args = { ...reviewed.scope.args, step: "prompt", maxTokens, ...(wish === "" ? {} : { wish }) };
  const read = dataOf(await ask(args));
  const prompt = "problem" in read ? undefined : read.data.prompt;
  if (!prompt) {
    return { text: `_${"problem" in read ? read.problem : "There is nothing to ask a model."}_`, checked: reviewed };
  }
  const findings = jsonIn(await answerTo(request, prompt, token));
  if (!findings) {
    return { text: "_The model did not answer with findings._", checked: reviewed };
  }
  const checked = await withFindings(reviewed, findings, ask);
  const before = new Set(reviewed.findings.map(({ id }) => id));
  const own = checked.findings.filter(({ id }) => !before.has(id));
  const head = own.length === 0 ? "The model found nothing." : `The model found ${counted(own.length, "problem")}:`;
  const dropped = checked.dropped > 0 ? ` ${counted(checked.dropped, "finding")} did not stand.` : "";
  return { text: [`${head}${dropped}`, own.map(findingRow).join("\n")].join("\n\n"), checked };
}

async function answerTo(
  { model }: ChatRequest,
  { system, user }: { system: string; user: string },
  token: CancellationToken,
): Promise<string> {
  const messages = [system, user].map((text) => LanguageModelChatMessage.User(text));
  const response = await model.sendRequest(messages, {}, token);
  let written = "";
  for await (const part of response.text) {
    written += part;
    if (written.length > MOST_CHARACTERS) {
      break;
    }
  }
  return written;
}
