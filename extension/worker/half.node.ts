/**
 * The names of files that are not whole yet: they say whose they are, so that what a process left when it was killed
 * can be told from what another one is writing. `crates/confined/src/partial_files.rs` has the same.
 */
import { randomInt } from "node:crypto";

import { isGone, isKnown, ownOwner, parseOwner, shownOwner } from "./owner.node";

/** How the names of files begin that are not whole yet. */
const HALF = ".writing-";
/** From this age on a half file has no writer any more of whom nobody can say whether he is there. */
const ABANDONED_MS = 60 * 60_000;

/** A name that no other file has: several workers of one process count for themselves. */
export function halfName(): string {
  return `${HALF}${shownOwner(ownOwner())}-${randomInt(2 ** 47)}`;
}

/** Whether nobody is writing it any more. */
export function isLeft(name: string, mtimeMs: number, nameless: boolean): boolean {
  if (!name.startsWith(HALF)) {
    return false;
  }
  const owner = parseOwner(/^([^-]*)-/.exec(name.slice(HALF.length))?.[1] ?? "");
  if (owner === undefined) {
    return nameless;
  }
  return isGone(owner) || (!isKnown(owner) && Date.now() - mtimeMs > ABANDONED_MS);
}
