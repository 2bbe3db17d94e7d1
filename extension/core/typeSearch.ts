/** What a search for types offers, made of the data of `codecortex_searchApi`. */
import { containerOf, KIND_ICONS } from "./symbolNames";
import { list, record, text } from "./json";

/** A type that was found. */
export interface FoundType {
  symbol: string;
  /** The file that declares it, as `rootName/relative/path`. */
  filePath: string;
  label: string;
  icon: string;
  /** Where it stands in. */
  description: string;
  /** Its documentation, else its file. */
  detail: string;
}

/** The types among the results, each once, in their order. */
export function foundTypes(data: unknown): FoundType[] {
  const found = new Map<string, FoundType>();
  for (const item of list(record(data).items).map(record)) {
    const [symbol, label, kind, filePath] = [text(item.path), text(item.name), text(item.kind), text(item.filePath)];
    const icon = KIND_ICONS.get(kind);
    if (icon !== undefined && symbol !== "" && !found.has(symbol)) {
      const description = containerOf(symbol, label);
      found.set(symbol, { symbol, label, icon, description, detail: text(item.doc) || filePath, filePath });
    }
  }
  return [...found.values()];
}
