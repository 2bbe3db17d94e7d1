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
  const [root] = currentRoots(host.platform.windows);
  if (!root) {
    stream.markdown("Open a folder whose changes are to be reviewed.");
    return;
  }
  const several = currentRoots(host.platform.windows).length > 1;
  const args = { mode: "uncommitted", ...(several ? { folder: root.name } : {}) };
  const scope: ReviewScope = {
    label: several ? `Uncommitted changes of ${root.name}` : "Uncommitted changes",
    args,
    root,
  };
  const ask: AskReview = (given) => host.look("codecortex_reviewChanges", given);
  const reviewed = await reviewOf(scope, ask);
  stream.markdown(reviewAnswer(scope.label, reviewed.index, reviewed.findings));
  await commands.executeCommand("codecortex.review.show", reviewed);
  if (reviewed.units.length > 0 && !token.isCancellationRequested) {
    stream.progress(`${request.model.name} reviews the change`);
    await commands.executeCommand(
      "codecortex.review.show",
      await byPickedModel({ host, request, stream, token }, reviewed, ask),
    );
  }
  stream.button({ command: "codecortex.review.focus", title: "Show the Review" });
}

/** What the picked model finds; says which of it stands. */
async function byPickedModel(turn: ChatTurn, reviewed: Reviewed, ask: AskReview): Promise<Reviewed> {
  const { host, request, stream, token } = turn;
  const wish = request.prompt.trim();
  const maxTokens = Math.min(MOST_TOKENS, Math.floor(request.model.maxInputTokens / 2));
  const args = { ...reviewed.scope.args, step: "prompt", maxTokens, ...(wish === "" ? {} : { wish }) };
  const read = dataOf(await host.look("codecortex_reviewChanges", args));
  const prompt = "problem" in read ? undefined : read.data.prompt;
  if (!prompt) {
    stream.markdown(`\n\n_${"problem" in read ? read.problem : "There is nothing to ask a model."}_`);
    return reviewed;
  }
  const messages = [prompt.system, prompt.user].map((text) => LanguageModelChatMessage.User(text));
  const response = await request.model.sendRequest(messages, {}, token);
  let written = "";
  for await (const part of response.text) {
    written += part;
    if (written.length > MOST_CHARACTERS) {
      break;
    }
  }
  const findings = jsonIn(written);
  if (!findings) {
    stream.markdown("\n\n_The model did not answer with findings._");
    return reviewed;
  }
  const checked = await withFindings(reviewed, findings, ask);
  const before = new Set(reviewed.findings.map(({ id }) => id));
  const own = checked.findings.filter(({ id }) => !before.has(id));
  const dropped = checked.dropped > 0 ? ` ${counted(checked.dropped, "finding")} did not stand.` : "";
  const head = own.length === 0 ? "The model found nothing." : `The model found ${counted(own.length, "problem")}:`;
  stream.markdown(`\n\n${head}${dropped}\n\n${own.map(findingRow).join("\n")}`);
  return checked;
}
