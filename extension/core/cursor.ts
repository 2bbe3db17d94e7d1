/** What stands at a cursor and can be put into the prompt window. */
import type { OutlineData, PositionData, ResolvedSymbol } from "../generated/answers";
import { simpleName } from "./symbolNames";
import { baseName } from "./paths";

/** Something to put in. */
export interface Target {
  /** What tools find it by: an id, or a file's path. */
  name: string;
  /** The file that declares it, as `rootName/relative/path`; empty where its name says enough. */
  filePath: string;
  label: string;
  /** Why it is offered. */
  description: string;
  icon: string;
}

/**
 * The targets of a cursor, the nearest first: what the name there means, the declaration around it, the type
 * that is in, the file. `meaning` is the data of `codecortex_resolveSymbolAtPosition`, `around` that of
 * `codecortex_getOutline` with the position; each undefined where the tool found nothing.
 */
export function targetsAt(
  filePath: string,
  meaning: PositionData | undefined,
  around: OutlineData | undefined,
): Target[] {
  const found: Target[] = [];
  const add = (target: Target): void => {
    if (!found.some(({ name }) => name === target.name)) {
      found.push(target);
    }
  };
  const offer = (symbol: ResolvedSymbol | undefined, filePath: string, where: "the name at" | "around"): void => {
    if (!symbol) {
      return;
    }
    const { path, typeId, memberId } = symbol;
    const put = (name: string, label: string, what: string, icon: string): void => {
      add({ name, filePath, label, description: `${where} the cursor · ${what}`, icon });
    };
    if (memberId === undefined) {
      put(typeId, simpleName(path), path, "symbol-class");
      return;
    }
    const typePath = path.replace(/\(.*$/, "").replace(/[.:+/#]+[^.:+/#]*$/, "");
    put(memberId, memberName(path), path, "symbol-method");
    if (where === "around") {
      put(typeId, simpleName(typePath), typePath, "symbol-class");
    }
  };
  if (meaning) {
    offer(meaning.resolved, meaning.symbol.definition.filePath, "the name at");
  }
  if (around) {
    offer(around.resolved, around.filePath, "around");
  }
  add({ name: filePath, filePath: "", label: baseName(filePath), description: "this file", icon: "symbol-file" });
  return found;
}

/** `A.B.Add(int)` → `Add(int)`. */
function memberName(path: string): string {
  const [, parameters = ""] = /(\(.*\))$/.exec(path) ?? [];
  return simpleName(path.slice(0, path.length - parameters.length)) + parameters;
}
