/** Packs as the tool `codecortex_pack` tells them. */
import { count, list, record, text } from "./json";
import { grouped } from "./status";

/** A pack. */
export interface Pack {
  name: string;
  /** `rootName/.context/packs/name.md`. */
  filePath: string;
  root: string;
  filter: string;
  active: boolean;
  /** How many types are in it. */
  types: string;
  tokens: string;
}

/** The packs of an answer's data. */
export function packs(data: unknown): Pack[] {
  return list(record(data).packs)
    .map(record)
    .map((from) => {
      const filePath = text(from.filePath);
      return {
        name: text(from.name),
        filePath,
        root: filePath.replace(/\/\.context\/packs\/[^/]*$/, ""),
        filter: text(from.filter),
        active: from.active === true,
        types: grouped(count(from.types)),
        tokens: grouped(count(from.tokenEstimate)),
      };
    });
}

/** What a person is told of a pack that was built. */
export function packSummary({ name, types, tokens }: Pack): string {
  return `The pack ${name} has ${types} types in ${tokens} tokens.`;
}

/** Whether a pack may be called that. */
export function isPackName(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name);
}
