/**
 * Turns VS Code's `files.exclude` into `.gitignore` patterns.
 *
 * The two differ in three ways: a glob without `**` counts from the folder's top, braces list
 * alternatives, and an entry can be switched off or depend on a sibling.
 */

/** A glob with more alternatives than this is cut: nobody writes one, and it would multiply. */
const MOST_ALTERNATIVES = 256;

/** The patterns of all entries that are on; those that hang on a sibling are left out, `.gitignore` has no such thing. */
export function ignorePatterns(exclude: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(exclude)
    .filter(([, value]) => value === true)
    .flatMap(([glob]) => toIgnore(glob));
}

function toIgnore(glob: string): string[] {
  const trimmed = glob.trim();
  if (trimmed === "") {
    return [];
  }
  return expandBraces(trimmed).map(anchor);
}

/** `**` at the start already says "anywhere"; everything else counts from the top. */
function anchor(glob: string): string {
  if (glob.startsWith("**/") || glob === "**") {
    return glob;
  }
  return glob.startsWith("/") ? glob : `/${glob}`;
}

/** `a.{b,c{d,e}}` → `a.b`, `a.cd`, `a.ce`. Braces that do not close stand for themselves. */
export function expandBraces(glob: string): string[] {
  const open = glob.indexOf("{");
  const close = open < 0 ? -1 : closing(glob, open);
  if (close < 0) {
    return [glob];
  }
  const head = glob.slice(0, open);
  const tails = expandBraces(glob.slice(close + 1));
  const middles = alternatives(glob.slice(open + 1, close)).flatMap(expandBraces);
  const all = middles.flatMap((middle) => tails.map((tail) => head + middle + tail));
  return all.slice(0, MOST_ALTERNATIVES);
}

function closing(glob: string, open: number): number {
  let depth = 0;
  for (let at = open; at < glob.length; at += 1) {
    if (glob[at] === "{") {
      depth += 1;
    } else if (glob[at] === "}") {
      depth -= 1;
      if (depth === 0) {
        return at;
      }
    }
  }
  return -1;
}

function alternatives(inside: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inside.length; at += 1) {
    const character = inside[at];
    if (character === "{") {
      depth += 1;
    } else if (character === "}") {
      depth -= 1;
    } else if (character === "," && depth === 0) {
      parts.push(inside.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(inside.slice(start));
  return parts;
}
