/** A hover that says what a type is for, where the user wants that (SPEC SE3). */
import { Hover, languages, MarkdownString, workspace, type HoverProvider } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import { roleOf } from "../core/texts";
import { NAMED_ENDINGS, RESOLVED_ENDINGS } from "../generated/languages";
import { ask, at } from "./providers/engine";

const SETTING = "codecortex.hover.role";

/** Registers the hover while the setting is on. */
export function showRoles(host: Host): Disposable {
  let registered: Disposable | undefined;
  const follow = (): void => {
    const isOn = workspace.getConfiguration("codecortex").get("hover.role") === true;
    if (isOn === (registered !== undefined)) {
      return;
    }
    registered?.dispose();
    const endings = [...RESOLVED_ENDINGS, ...NAMED_ENDINGS].join(",");
    registered = isOn ? languages.registerHoverProvider({ pattern: `**/*.{${endings}}` }, roleHover(host)) : undefined;
  };
  follow();
  const listening = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTING)) {
      follow();
    }
  });
  return {
    dispose: () => {
      disposeAll([listening, { dispose: () => registered?.dispose() }]);
    },
  };
}

function roleHover(host: Host): HoverProvider {
  return {
    provideHover: async (document, position, token) => {
      const place = { ...at(host, document, position), includeDocumentation: false };
      const resolved = (await ask(host, "codecortex_resolveSymbolAtPosition", place, token))?.resolved;
      // A text is about a type: at each of its members it would be in the way.
      if (!resolved || resolved.memberId !== undefined) {
        return undefined;
      }
      const data = await ask(host, "codecortex_getSemantic", { symbol: resolved.typeId, prompt: "never" }, token);
      const role = data && roleOf(data);
      return role === undefined ? undefined : new Hover(new MarkdownString(role));
    },
  };
}
