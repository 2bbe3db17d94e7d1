/** Symbols as people read them: the name, where it stands in, the icon of its kind. */

/** Codicons of types by their kind. */
export const KIND_ICONS: ReadonlyMap<string, string> = new Map([
  ["class", "symbol-class"],
  ["record", "symbol-class"],
  ["struct", "symbol-structure"],
  ["union", "symbol-structure"],
  ["interface", "symbol-interface"],
  ["trait", "symbol-interface"],
  ["enum", "symbol-enum"],
  ["delegate", "symbol-method"],
  ["module", "symbol-file"],
]);

/** The last name of a path, whatever the language writes between names. */
export function simpleName(path: string): string {
  return path.split(/[.:+/#$]+/).findLast((part) => part !== "") ?? path;
}

/** What stands before the name of a path, without the sign between them; empty where it stands alone. */
export function containerOf(path: string, name: string): string {
  const before = path.endsWith(name) ? path.slice(0, path.length - name.length) : path;
  return before.replace(/[.:+/\\#$]+$/, "");
}
