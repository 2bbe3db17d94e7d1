/** What stands at a cursor and can be put into the prompt window. */
import { simpleName } from "./symbolNames";
import { record, text } from "./json";
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
export function targetsAt(filePath: string, meaning: unknown, around: unknown): Target[] {
  const found: Target[] = [];
  const add = (target: Target): void => {
    if (target.name !== "" && !found.some(({ name }) => name === target.name)) {
      found.push(target);
    }
  };
  for (const [data, description] of [
    [meaning, "the name at the cursor"],
    [around, "around the cursor"],
  ] as const) {
    const resolved = record(record(data).resolved);
    const [path, memberId, typeId] = [text(resolved.path), text(resolved.memberId), text(resolved.typeId)];
    const filePath = text(record(data).filePath) || text(record(record(record(data).symbol).definition).filePath);
    const put = (name: string, label: string, what: string, icon: string): void => {
      add({ name, filePath, label, description: `${description} · ${what}`, icon });
    };
    if (memberId === "") {
      put(typeId, simpleName(path), path, "symbol-class");
      continue;
    }
    const typePath = path.replace(/\(.*$/, "").replace(/[.:+/#]+[^.:+/#]*$/, "");
    put(memberId, memberName(path), path, "symbol-method");
    if (data === around) {
      put(typeId, simpleName(typePath), typePath, "symbol-class");
    }
  }
  add({ name: filePath, filePath: "", label: baseName(filePath), description: "this file", icon: "symbol-file" });
  return found;
}

/** `A.B.Add(int)` → `Add(int)`. */
function memberName(path: string): string {
  const [, parameters = ""] = /(\(.*\))$/.exec(path) ?? [];
  return simpleName(path.slice(0, path.length - parameters.length)) + parameters;
}
