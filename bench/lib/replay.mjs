/**
 * What texts about types cost over real commits: refreshes and tokens under our rules beside describing every type of a
 * changed file again.
 *
 * Every type has a text, types that need one another have one together. At each commit `codecortex changes` says which
 * texts go stale, and `codecortex_getSemantic` what the prompt for each costs; "NO SEMANTIC CHANGE" is handed in, so that
 * the next commit is compared with this one. Changes that nobody else sees are collected as the product does: five of
 * them, or a day, by the times of the commits.
 *
 * Beside it every commit is indexed from nothing in a work tree of its own: a type whose hash of structure or of public
 * behaviour is another than in the commit before must be among those that went stale.
 */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { row } from "./report.mjs";

/** Tokens that an answer is taken to cost: five sections, or the sections that change. */
const ANSWER = { whole: 400, change: 150 };
/** Internal changes after which a text is stale, and seconds; changes within the window are one. */
const DRIFT = { changes: 5, seconds: 86_400, window: 600 };
const TEXT =
  "ROLE:\nKeeps what belongs together and answers questions about it.\nLIFECYCLE:\nMade when it is needed, gone with its owner.\n" +
  "EDGE_CASES:\nNothing to keep is allowed.\nLIMITATIONS:\nOne thread at a time.\nRECOMMENDATIONS:\nGive it back when it is not needed.\n";
const ROOM = 64 << 20;

/** Replays the last `commits` of every clone below `checkouts` that is named in `names`, or of all. */
export async function replay({ binary, checkouts, names, commits, environment, say }) {
  const results = [];
  for (const name of names) {
    say(`replay: ${commits} commits of ${name}`);
    results.push({ name, ...(await replayOne({ binary, folder: join(checkouts, name), commits, environment })) });
  }
  return { rows: rowsOf(results), raw: results };
}

function rowsOf(results) {
  const sum = (key) => results.reduce((all, result) => all + result[key], 0);
  const all = { name: "all", ...Object.fromEntries(COUNTS.map((key) => [key, sum(key)])) };
  const share = (result, ours, theirs) => (100 * result[ours]) / Math.max(1, result[theirs]);
  return [...results, all].flatMap((result) => {
    const isAll = result === all;
    return [
      row({
        section: "replay",
        what: `${result.name}: texts made again, of those of changed files`,
        values: [share(result, "refreshes", "fileRefreshes")],
        unit: "%",
        target: ["≤", isAll ? 35 : 105],
        beside: `${result.refreshes} of ${result.fileRefreshes} over ${result.commits} commits`,
        note: REASONS.map((reason) => `${reason} ${result[reason]}`).join(", "),
      }),
      row({
        section: "",
        what: `${result.name}: tokens of them`,
        values: [share(result, "tokens", "fileTokens")],
        unit: "%",
        target: isAll ? ["≤", 22] : undefined,
        beside: `${result.tokens} of ${result.fileTokens}`,
      }),
      row({
        section: "",
        what: `${result.name}: changes of structure or public behaviour that no text was made again for`,
        values: [result.missed],
        target: ["≤", 0],
        beside: `${result.differing} found by indexing every commit from nothing`,
      }),
    ];
  });
}

/** Why a text is made again: `changes` says it of the first type of a text that is asked for. */
const REASONS = ["own", "named", "bases", "drift", "group", "renamed", "new"];
const COUNTS = ["commits", "refreshes", "fileRefreshes", "tokens", "fileTokens", "differing", "missed", ...REASONS];

async function replayOne({ binary, folder, commits, environment }) {
  const git = (...args) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: ROOM });
  const ours = (...args) =>
    execFileSync(binary, [...args, "--root", folder], {
      encoding: "utf8",
      env: environment,
      maxBuffer: ROOM,
      stdio: ["ignore", "pipe", "ignore"],
    });
  const log = past(git, commits);
  rmSync(join(folder, ".context"), { recursive: true, force: true });
  git("checkout", "-q", "-f", "--detach", log[0].hash);
  ours("init");
  const state = { whole: new Map(), drift: new Map() };
  await describe(binary, folder, environment, typesOf(folder), state);
  const counts = Object.fromEntries(COUNTS.map((key) => [key, 0]));
  const full = fromNothing({ binary, git, environment });
  try {
    full.differing(log[0].hash);
    for (const [before, commit] of log.slice(1).map((commit, at) => [log[at], commit])) {
      git("checkout", "-q", "-f", "--detach", commit.hash);
      const files = new Set(git("diff", "--name-only", before.hash, commit.hash).split("\n"));
      const changes = JSON.parse(ours("changes", "--json")).data.roots[0].changes;
      const stale = await count({ binary, folder, environment, files, changes, commit, state, counts });
      const differing = full.differing(commit.hash);
      const missed = differing.filter(({ id }) => !stale.has(id));
      counts.differing += differing.length;
      counts.missed += missed.length;
      missed.forEach(({ id, fqn }) => process.stderr.write(`missed: ${fqn} (${id}) in ${commit.hash}\n`));
    }
  } finally {
    full.end();
  }
  return counts;
}

/** Indexes commits without anything that is known of others, in a work tree of its own. */
function fromNothing({ binary, git, environment }) {
  const folder = mkdtempSync(join(tmpdir(), "replay-"));
  const tree = join(folder, "tree");
  git("worktree", "add", "-q", "--no-checkout", "--detach", tree, "HEAD");
  const hashes = ({ structureHash, publicImplHash }) => `${structureHash} ${publicImplHash}`;
  let known = new Map();
  return {
    /** The types that were there in the commit before and whose structure or public behaviour is another now. */
    differing(commit) {
      execFileSync("git", ["-C", tree, "checkout", "-q", "-f", "--detach", commit], { stdio: "ignore" });
      rmSync(join(tree, ".context"), { recursive: true, force: true });
      const cache = join(folder, "cache");
      rmSync(cache, { recursive: true, force: true });
      execFileSync(binary, ["init", "--root", tree], {
        env: { ...environment, XDG_CACHE_HOME: cache },
        stdio: "ignore",
      });
      const types = typesOf(tree);
      const found = types.filter((type) => known.has(type.id) && known.get(type.id) !== hashes(type));
      known = new Map(types.map((type) => [type.id, hashes(type)]));
      return found;
    },
    end() {
      git("worktree", "remove", "--force", tree);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The last commits that touched code, the oldest first, with the one before them. */
function past(git, commits) {
  const log = git(
    "log",
    "--first-parent",
    "--no-merges",
    "--format=%x00%H %ct",
    "--name-only",
    "-n",
    String(8 * commits),
    "HEAD",
  );
  const all = log
    .split("\0")
    .slice(1)
    .map((entry) => {
      const [head, ...files] = entry.trim().split("\n");
      const [hash, time] = head.split(" ");
      return { hash, time: Number(time), isCode: files.some((file) => CODE.test(file)) };
    });
  return all
    .filter(({ isCode }) => isCode)
    .slice(0, commits + 1)
    .reverse();
}

const CODE = /\.(cs|ts|tsx|js|py|rs|go|java)$/u;

function typesOf(folder) {
  return JSON.parse(readFileSync(join(folder, ".context", "index.json"), "utf8")).types;
}

/** Counts one commit: what we make again, and what stands in changed files. Why each text went stale, by type. */
async function count({ binary, folder, environment, files, changes, commit, state, counts }) {
  const types = new Map(typesOf(folder).map((type) => [type.id, type]));
  const reasons = new Map();
  for (const change of changes) {
    const { id, stale, what } = change;
    if (!types.has(id)) {
      continue;
    }
    if (what !== "changed") {
      reasons.set(id, what);
    } else if (stale && stale !== "drift") {
      reasons.set(id, stale);
    } else if (change.changeClass === "Internal") {
      collect(state.drift, id, commit.time);
    }
  }
  for (const [id, { changes: many, since }] of state.drift) {
    const isDue = many >= DRIFT.changes || commit.time - since >= DRIFT.seconds;
    if (types.has(id) && !reasons.has(id) && isDue) {
      reasons.set(id, "drift");
    }
  }
  const refreshed = [...reasons.keys()];
  refreshed.forEach((id) => state.drift.delete(id));
  const inFiles = [...types.values()].filter((type) => type.files.some((file) => files.has(file)));
  const fresh = refreshed.map((id) => types.get(id));
  const { texts, tokens } = await describe(binary, folder, environment, fresh, state);
  counts.commits++;
  counts.refreshes += texts.length;
  counts.tokens += tokens;
  texts.forEach((id) => counts[reasons.get(id)]++);
  counts.fileRefreshes += inFiles.length;
  counts.fileTokens += inFiles.reduce((sum, { id }) => sum + (state.whole.get(id) ?? 0) + ANSWER.whole, 0);
  return reasons;
}

function collect(drift, id, time) {
  const known = drift.get(id) ?? { changes: 0, since: time, last: 0 };
  if (time - known.last > DRIFT.window) {
    known.changes++;
  }
  known.last = time;
  drift.set(id, known);
}

/**
 * Has texts handed in for types: the type of each text that was asked for, and the tokens of prompts and answers. A
 * group has one text.
 */
async function describe(binary, folder, environment, types, state) {
  if (types.length === 0) {
    return { texts: [], tokens: 0 };
  }
  const session = batch(binary, folder, environment);
  let tokens = 0;
  const texts = [];
  const done = new Set();
  for (const { id } of types) {
    const asked = { symbol: id, prompt: "always", maxTokens: 100_000 };
    const { ok, data } = await session("codecortex_getSemantic", asked);
    const unit = data?.groupId ?? id;
    if (!ok || done.has(unit)) {
      continue;
    }
    done.add(unit);
    texts.push(id);
    const isFirst = (data.sections ?? []).length === 0;
    if (isFirst) {
      // What describing them anew costs, each its part of a group's prompt.
      const members = data.typeIds ?? [id];
      members.forEach((member) => state.whole.set(member, data.promptTokens / members.length));
    }
    tokens += data.promptTokens + (isFirst ? ANSWER.whole : ANSWER.change);
    await session("codecortex_submitSemantic", { ticket: data.ticket, text: isFirst ? TEXT : "NO SEMANTIC CHANGE" });
  }
  await session.end();
  return { texts, tokens };
}

/** A running `codecortex batch`. */
function batch(binary, folder, environment) {
  const child = spawn(binary, ["batch", "--root", folder], { env: environment, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (tool, args) => {
    child.stdin.write(`${JSON.stringify({ id: 1, tool, args })}\n`);
    const { value, done } = await lines.next();
    if (done) {
      throw new Error("codecortex batch has ended");
    }
    return JSON.parse(value).result;
  };
  call.end = () =>
    new Promise((resolve, reject) => {
      child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`codecortex batch ended with ${code}`))));
      child.stdin.end();
    });
  return call;
}

/** The clones below a folder. */
export function clonesIn(folder, names) {
  const missing = names.filter((name) => !existsSync(join(folder, name, ".git")));
  if (missing.length > 0) {
    throw new Error(`no clones in ${folder}: ${missing.join(", ")}`);
  }
  return names;
}
