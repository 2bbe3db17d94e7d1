/** Packs as the tool `codecortex_pack` tells them. */
import type { PackData } from "../generated/answers";
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

/** The packs of an answer; none where there was no answer. */
export function packs(data: PackData | undefined): Pack[] {
  const all = data?.packs ?? [];
  return all.map(({ name, filePath, filter, active, types, tokenEstimate }) => ({
    name,
    filePath,
    root: filePath.replace(/\/\.context\/packs\/[^/]*$/, ""),
    filter,
    active,
    types: grouped(types),
    tokens: grouped(tokenEstimate),
  }));
}

/** What a person is told of a pack that was built. */
export function packSummary({ name, types, tokens }: Pack): string {
  return `The pack ${name} has ${types} types in ${tokens} tokens.`;
}

/** Whether a pack may be called that. */
export function isPackName(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name);
}
