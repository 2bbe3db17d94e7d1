/** What a search for types offers, made of the data of `codecortex_searchApi`. */
import type { SearchData } from "../generated/answers";
import { containerOf, KIND_ICONS } from "./symbolNames";

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
export function foundTypes({ items }: SearchData): FoundType[] {
  const found = new Map<string, FoundType>();
  for (const { path: symbol, name: label, kind, filePath, doc = "" } of items) {
    const icon = KIND_ICONS.get(kind);
    if (icon !== undefined && !found.has(symbol)) {
      const description = containerOf(symbol, label);
      found.set(symbol, { symbol, label, icon, description, detail: doc || filePath, filePath });
    }
  }
  return [...found.values()];
}
