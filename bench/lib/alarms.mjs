/** Reviews of past commits that changed an exported name (SPEC RV3): what is found in them, commit by commit. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { dice } from "./measure.mjs";

/** What of a declaration changes where its name is not what it was for who uses it. */
const OTHER = ["removed", "renamed", "visibility", "parameters", "return", "generics"];
/** One review takes well under a second; a minute says that it hangs. */
const LONGEST_MS = 60_000;
/** A clone may lack objects: after so many commits that give no answer the rest is not tried. */
const MOST_UNANSWERED = 10;

/**
 * The findings of the last `count` commits of a repository that changed an exported name: `{ name, commits, findings,
 * unanswered }`. A finding also has `repository` and `commit`.
 */
export function alarms({ folder, count, binary, environment = process.env }) {
  const place = mkdtempSync(join(tmpdir(), "alarms-"));
  try {
    return reviewed({ folder, count, binary, place, environment });
  } finally {
    rmSync(place, { recursive: true });
  }
}

function reviewed({ folder, count, binary, place, environment }) {
  const [name, root] = [basename(folder), join(place, "clone")];
  const options = { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] };
  const git = (...args) => execFileSync("git", ["-c", "core.hooksPath=/dev/null", ...args], options);
  git("clone", "--quiet", "--shared", "--no-checkout", folder, root);
  const env = { ...environment, XDG_CACHE_HOME: join(place, "cache") };
  const ask = (commit, step) => {
    const args = ["review", "--root", root, "--base", `${commit}~1`, step, "--json"];
    const answer = JSON.parse(execFileSync(binary, args, { ...options, env, timeout: LONGEST_MS }));
    if (!answer.ok) {
      throw new Error(JSON.stringify(answer.error));
    }
    return answer.data;
  };
  const result = { name, commits: 0, findings: [], unanswered: [] };
  const history = git("-C", root, "log", "--no-merges", "--min-parents=1", "--format=%H").split("\n").filter(Boolean);
  for (const commit of history) {
    if (result.commits === count || result.unanswered.length === MOST_UNANSWERED) {
      break;
    }
    try {
      git("-C", root, "checkout", "--quiet", "--force", "--detach", commit);
      if (!ask(commit, "--index").units.some(changesExported)) {
        continue;
      }
      const { findings } = ask(commit, "--findings");
      result.findings.push(...findings.map((finding) => ({ repository: name, commit, ...finding })));
      result.commits += 1;
    } catch (error) {
      result.unanswered.push({ commit, why: String(error.stdout || error.message).split("\n")[0] });
    }
  }
  return result;
}

/** Whether a unit changes a name that others may use; tests are used by nobody. */
export function changesExported({ change_class, tags, symbols = [] }) {
  const isOther = ({ changes = [] }) => changes.some((word) => OTHER.includes(word));
  return change_class === "Structure" && !tags.includes("test_file") && symbols.some(isOther);
}

/** How many findings are of each category and severity, the most frequent first. */
export function counted(findings) {
  const counts = new Map();
  for (const { category, severity } of findings) {
    const what = `${category} ${severity}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].sort(([a, of], [b, than]) => than - of || a.localeCompare(b));
}

/** So many of some findings, drawn at random, in their order. */
export function drawn(findings, many, seed) {
  const roll = dice(seed);
  const left = findings.map((_, at) => at);
  const taken = [];
  while (taken.length < many && left.length > 0) {
    taken.push(...left.splice(roll(left.length), 1));
  }
  return taken.sort((a, b) => a - b).map((at) => findings[at]);
}

/** A finding on a line. */
export function told({ repository, commit, file, line, severity, category, message, evidence = [] }) {
  const places = evidence.length > 0 ? ` [${evidence.join(", ")}]` : "";
  return `${repository} ${commit.slice(0, 10)} ${severity} ${category} ${file}:${line} ${message}${places}`;
}
