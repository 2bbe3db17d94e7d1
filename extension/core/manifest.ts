/** Reads the extension's own manifest. */

/** A tool that `contributes.languageModelTools` declares. */
export interface DeclaredTool {
  name: string;
  displayName: string;
}

/** The tools of a manifest, in its order; entries that are none are left out. */
export function declaredTools(manifest: unknown): DeclaredTool[] {
  const declared = property(property(manifest, "contributes"), "languageModelTools");
  return Array.isArray(declared) ? declared.flatMap(tool) : [];
}

/** Whether a tool is one of AngelScript's names, which are offered where there is AngelScript (SPEC D16). */
export function isScriptTool(name: string): boolean {
  return name.startsWith("angelscript_");
}

/** The names of the tools that a profile offers to models: those without a condition, or all. AngelScript's names are
 * others of the same tools. */
export function offeredTools(manifest: unknown, profile: "default" | "full"): string[] {
  const declared = property(property(manifest, "contributes"), "languageModelTools");
  const offered = Array.isArray(declared) ? declared : [];
  return offered
    .filter((entry) => profile === "full" || property(entry, "when") === undefined)
    .flatMap((entry) => tool(entry).map(({ name }) => name))
    .filter((name) => !isScriptTool(name));
}

function tool(entry: unknown): DeclaredTool[] {
  const name = property(entry, "name");
  const displayName = property(entry, "displayName");
  return typeof name === "string" ? [{ name, displayName: typeof displayName === "string" ? displayName : name }] : [];
}

function property(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null
    ? Object.entries(object).find(([key]) => key === name)?.[1]
    : undefined;
}
