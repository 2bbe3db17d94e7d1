/** Reviews of changes to thirty files: in a big workspace that is open, and by a process that has no cache (SPEC RV1, RV3). */

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inBatch } from "./binary.mjs";
import { dice, processTime, quantile, summary } from "./measure.mjs";
import { digits, row } from "./report.mjs";

const CODE = /\.(cs|ts|py|rs|go)$/u;
const CHANGES = { quick: 12, usual: 40 };
const FILES = 30;
const PLACES = 3;
const BUDGET = 8_000;
const WORDS = /^\s+(return|if|var|let|const|for)\b/u;

/** Commits that change thirty files each, asked about one after the other. */
export async function warmReview({ tree, cache, quick, ...context }) {
  const root = join(cache, "review");
  const commits = makeChanges(root, tree("million"), quick ? CHANGES.quick : CHANGES.usual);
  const times = [];
  await inBatch(context, root, async (ask) => {
    for (const [base, head] of commits) {
      const args = { base, head, step: "bundle", maxTokens: BUDGET };
      const given = await ask(1, "codecortex_reviewChanges", args);
      if (!given.answer.result.ok) {
        throw new Error(JSON.stringify(given.answer.result.error));
      }
      times.push(given);
    }
  });
  rmSync(root, { recursive: true });
  // The first has the names of all files joined.
  const [first, ...others] = times;
  const walls = others.map(({ wall }) => wall);
  const spent = others.map(({ wall, cpu }) => cpu || wall);
  return {
    rows: [
      row({
        section: "review",
        what: `a change of ${FILES} files, warm, p95, git included, wall`,
        values: walls,
        shown: quantile(walls, 0.95),
        unit: "ms",
        target: ["≤", 500],
        beside: `p50 ${digits(quantile(walls, 0.5))} ms; the first ${digits(first.wall)} ms`,
        note: `processor time of the main thread p50 ${digits(quantile(spent, 0.5))}, p95 ${digits(quantile(spent, 0.95))} ms`,
      }),
    ],
    raw: times.map(({ wall, own, cpu }) => ({ wall, own, cpu })),
  };
}

/** The same as a command, without a cache. */
export function coldReview({ tree, cache, rounds, binary, environment, medium }) {
  const root = join(cache, "review-medium");
  const commits = makeChanges(root, tree("medium"), rounds);
  const times = commits.map(([base, head]) => {
    const home = mkdtempSync(join(tmpdir(), "review-"));
    const args = ["review", "--root", root, "--base", base, "--head", head, "--budget", String(BUDGET), "--json"];
    const spent = processTime([binary, ...args], { env: { ...environment, XDG_CACHE_HOME: home } });
    rmSync(home, { recursive: true });
    return spent;
  });
  rmSync(root, { recursive: true });
  const { median } = summary(times.map(({ cpu }) => cpu));
  return {
    rows: [
      row({
        section: "",
        what: `the same as a command without a cache, ${medium} lines, wall`,
        values: times.map(({ wall }) => wall),
        unit: "ms",
        target: ["≤", 2_000],
        beside: `${digits(median)} ms of processor time`,
      }),
    ],
    raw: times,
  };
}

/** A repository of a tree with so many commits; what each changed, as the commit before and itself. */
function makeChanges(root, tree, many) {
  rmSync(root, { recursive: true, force: true });
  cpSync(tree, root, { recursive: true, dereference: true });
  const git = (...args) =>
    execFileSync(
      "git",
      ["-C", root, "-c", "gc.auto=0", "-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args],
      {
        encoding: "utf8",
        maxBuffer: 1 << 28,
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "base");
  const files = git("ls-files", "-z")
    .split("\0")
    .filter((path) => CODE.test(path) && statSync(join(root, path)).size > 3_000);
  const roll = dice(11);
  const heads = [git("rev-parse", "HEAD").trim()];
  for (let change = 0; change < many; change += 1) {
    for (let done = 0; done < FILES;) {
      done += edit(join(root, files[roll(files.length)]), roll) ? 1 : 0;
    }
    git("commit", "-qam", `change ${change}`);
    heads.push(git("rev-parse", "HEAD").trim());
  }
  return heads.slice(1).map((head, at) => [heads[at], head]);
}

/** Edits a file in up to three places: repeats a statement, or widens the blank after `return`. Returns whether it edited any. */
function edit(path, roll) {
  const lines = readFileSync(path, "utf8").split("\n");
  let edited = 0;
  for (let tried = 0; tried < 200 && edited < PLACES; tried += 1) {
    const at = roll(lines.length);
    const line = lines[at];
    if (!WORDS.test(line) || line.includes('"')) {
      continue;
    }
    if (line.includes("return ")) {
      lines[at] = line.replace("return ", "return  ");
      edited += 1;
    } else if (/;\s*$/u.test(line)) {
      lines.splice(at, 0, line);
      edited += 1;
    }
  }
  writeFileSync(path, lines.join("\n"));
  return edited > 0;
}
