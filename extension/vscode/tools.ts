/** Offers the tools to Copilot Chat and every other user of VS Code's Language Model API. */
import {
  commands,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  MarkdownString,
  workspace,
  type ExtensionContext,
  type FileSystemWatcher,
  type LanguageModelTool,
} from "vscode";

import { effectiveFormat, withFormat } from "../core/config";
import { disposeAll, type Disposable } from "../core/disposable";
import { titleOfCall } from "../core/edits";
import { answerParts } from "../core/envelope";
import { invocationMessage } from "../core/invocation";
import { declaredTools, isScriptTool, type DeclaredTool } from "../core/manifest";
import { withdrawEdits } from "./editReview";
import type { Host } from "../core/host";
import { CONFIRMED } from "../generated/confirmed";

/**
 * Copilot replaces a result above 8,192 bytes by the name of a file; we stay below with room for
 * what it puts around (SPEC X1).
 */
const MOST_BYTES = 8_000;

/**
 * Registers every tool that the manifest declares, which is the whole generated table. Which of them a
 * model sees is up to the profile: the manifest's `when` clauses hide the others.
 */
export function registerTools(host: Host, context: ExtensionContext): Disposable {
  const tools = declaredTools(context.extension.packageJSON);
  const register = ({ name, displayName }: DeclaredTool): Disposable =>
    lm.registerTool(name, tool(host, name, displayName));
  const registered = tools.filter(({ name }) => !isScriptTool(name)).map(register);
  const ofScripts = tools.filter(({ name }) => isScriptTool(name));
  const scripts =
    ofScripts.length === 0 ? undefined : onceAngelScript(() => registered.push(...ofScripts.map(register)));
  return {
    dispose: () => {
      scripts?.dispose();
      disposeAll(registered);
    },
  };
}

/**
 * Runs something once the workspace has a script of AngelScript: at the start, or when the first one is made. The
 * manifest's `when` clauses show the names of its tools from then on (SPEC D16).
 */
function onceAngelScript(run: () => unknown): Disposable {
  let waiting: FileSystemWatcher | undefined = workspace.createFileSystemWatcher("**/*.[aA][sS]", false, true, true);
  const found = (): void => {
    if (!waiting) {
      return;
    }
    waiting.dispose();
    waiting = undefined;
    void commands.executeCommand("setContext", "codecortex.hasAngelScript", true);
    run();
  };
  const created = waiting.onDidCreate(found);
  void workspace.findFiles("**/*.[aA][sS]", undefined, 1).then(({ length }) => {
    if (length > 0) {
      found();
    }
  });
  return {
    dispose: () => {
      created.dispose();
      waiting?.dispose();
      waiting = undefined;
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
      // What nobody waits for any more is not asked of a person.
      const withdrawing = CONFIRMED.has(name) ? token.onCancellationRequested(withdraw) : undefined;
      const setting = host.settings.format;
      const format = effectiveFormat(input, setting);
      const answer = await host.call(
        {
          tool: name,
          args: withFormat(input, setting),
          caller: {
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
