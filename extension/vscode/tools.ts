/** Offers the tools to Copilot Chat and every other user of VS Code's Language Model API. */
import {
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  MarkdownString,
  type ExtensionContext,
  type LanguageModelTool,
} from "vscode";

import { effectiveFormat, withFormat } from "../core/config";
import { disposeAll, type Disposable } from "../core/disposable";
import { titleOfCall } from "../core/edits";
import { answerParts } from "../core/envelope";
import { invocationMessage } from "../core/invocation";
import { declaredTools } from "../core/manifest";
import { withdrawEdits } from "./editReview";
import type { Host } from "../core/host";

/**
 * Copilot replaces a result above 8,192 bytes by the name of a file; we stay below with room for
 * what it puts around (SPEC X1).
 */
const MOST_BYTES = 8_000;
/** The tool that waits for a person. */
const EDIT = "codecortex_applyEdit";

/**
 * Registers every tool that the manifest declares, which is the whole generated table. Which of them a
 * model sees is up to the profile: the manifest's `when` clauses hide the others.
 */
export function registerTools(host: Host, context: ExtensionContext): Disposable {
  const tools = declaredTools(context.extension.packageJSON);
  const registered = tools.map(({ name, displayName }) => lm.registerTool(name, tool(host, name, displayName)));
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

function tool(host: Host, name: string, displayName: string): LanguageModelTool<object> {
  return {
    prepareInvocation: ({ input }) => ({
      // A plain string would show its backquotes.
      invocationMessage: new MarkdownString(invocationMessage(name, displayName, input)),
    }),
    invoke: async ({ input, tokenizationOptions }, token) => {
      const withdraw = (): void => {
        withdrawEdits(titleOfCall(input));
      };
      const withdrawing = name === EDIT ? token.onCancellationRequested(withdraw) : undefined;
      const setting = host.settings.format;
      const format = effectiveFormat(input, setting);
      const answer = await host.call(
        {
          tool: name,
          args: withFormat(input, setting),
          door: {
            kind: "lm",
            maxBytes: format === "both" ? MOST_BYTES / 2 : MOST_BYTES,
            maxTokens: tokenizationOptions?.tokenBudget ?? null,
            providers: host.settings.providerTimeoutMs > 0,
          },
          format,
        },
        token,
      );
      withdrawing?.dispose();
      return new LanguageModelToolResult(answerParts(answer).map((part) => new LanguageModelTextPart(part)));
    },
  };
}
