/** What the `codecortex` binary takes, with its process, its pipes and its disk. */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Server } from "./mcp.mjs";
import { assertAnswered, inTurn, json, processTime, quantile, summary } from "./measure.mjs";
import { latencyTarget, withAllReferences } from "./native.mjs";
import { digits, row } from "./report.mjs";

/** A name of the corpora, for one call and for `git grep`. */
const NAME = "BehaviorSubject";
/** The path of what one of the declarations of that name is. */
const SYMBOL = `UniRx.${NAME}`;

function index({ binary, environment }, tree, ...options) {
  return json(binary, ["index", "--root", tree, "--stats", "json", ...options], { env: environment });
}

/** One thread against two. */
export function threads({ rounds, tree, ...context }) {
  const at = (count) => () => index(context, tree("default"), "--no-cache", "--threads", String(count)).ms.total;
  const { one, two } = inTurn(rounds, { one: at(1), two: at(2) });
  const best = Math.min(...one) / Math.min(...two);
  return {
    rows: [
      row({
        section: "cold index",
        what: "binary, wall: 1 thread / 2 threads",
        values: one.map((ms, round) => ms / two[round]),
        unit: "×",
        target: ["≥", 1.6],
        beside: `1 thread ${digits(summary(one).median)} ms, 2 threads ${digits(summary(two).median)} ms`,
        note: `of the best rounds ${digits(best)} ×`,
      }),
    ],
    raw: { one, two },
  };
}

/** The binary with its cache against the binary without. */
export function warm({ rounds, tree, ...context }) {
  const root = tree("default");
  index(context, root);
  const run =
    (...options) =>
    () =>
      index(context, root, ...options);
  const { cold, warm } = inTurn(rounds, { cold: run("--no-cache"), warm: run() });
  const ratio = cold.map((account, round) => account.cpuMs.total / warm[round].cpuMs.total);
  const median = (accounts) => digits(summary(accounts.map((account) => account.cpuMs.total)).median);
  return {
    rows: [
      row({
        section: "warm start",
        what: "binary: cold / warm",
        values: ratio,
        unit: "×",
        beside: `cold ${median(cold)} ms, warm ${median(warm)} ms cpu`,
        note: `${warm[0].filesRead} files read again`,
      }),
    ],
    raw: { cold, warm },
  };
}

/** One call of a new process, and the first answer of a new server, in a workspace and in one of a million lines. */
export async function oneShot({ rounds, tree, medium, million, ...context }) {
  const parts = [
    await oneShotIn(context, { root: tree("medium"), lines: medium, rounds }),
    await oneShotIn(context, { root: tree("million"), lines: million, rounds }),
  ];
  return { rows: parts.flatMap((part) => part.rows), raw: parts.map((part) => part.raw) };
}

async function oneShotIn({ binary, environment }, { root, lines, rounds }) {
  if (!existsSync(join(root, ".git"))) {
    const git = (...args) => execFileSync("git", ["-C", root, ...args], { stdio: "ignore" });
    git("init", "--quiet");
    git("add", "--all");
  }
  const options = { env: environment };
  const call = ([tool, args]) => [binary, "call", tool, "--args", JSON.stringify(args), "--root", root];
  const asked = {
    search: ["codecortex_searchApi", { labelQuery: NAME }],
    uses: ["codecortex_findReferences", { symbol: SYMBOL }],
  };
  processTime(call(asked.search), options); // makes the cache
  const times = inTurn(rounds * 3, {
    search: () => processTime(call(asked.search), options),
    uses: () => processTime(call(asked.uses), options),
    gitGrep: () => processTime(["git", "-C", root, "grep", "-n", "-w", NAME]),
    grep: () => processTime(["grep", "-rnw", "--exclude-dir=.git", NAME, root]),
    nothing: () => processTime([binary, "--version"], options),
  });
  const of = (what, kind) => digits(summary(times[what].map((time) => time[kind])).median);
  const beside = `git grep ${of("gitGrep", "wall")} ms, grep -r ${of("grep", "wall")} ms`;
  const alone = `starting the binary alone ${of("nothing", "wall")} ms`;
  const rows = [];
  const server = {};
  for (const [what, question] of Object.entries(asked)) {
    server[what] = [];
    for (let round = 0; round < rounds * 2; round++) {
      server[what].push(await firstAnswer(binary, root, environment, question));
    }
    const to = `${what}, ${lines} lines, wall`;
    rows.push(
      row({
        section: what === "search" ? "one shot" : "",
        what: `\`codecortex call\` on a warm cache, ${to}`,
        values: times[what].map((time) => time.wall),
        unit: "ms",
        target: ["≤", 50],
        beside,
        note: `${of(what, "cpu")} ms cpu; ${alone}`,
      }),
      row({
        section: "",
        what: `first answer of a new \`codecortex mcp\`, ${to}`,
        values: server[what],
        unit: "ms",
        target: ["≤", 150],
        beside,
        note: "start, initialize, tools/call",
      }),
    );
  }
  return { rows, raw: { times, server } };
}

/** From starting a server to its first answer. */
async function firstAnswer(binary, root, environment, [tool, args]) {
  const started = performance.now();
  const server = new Server(binary, root, environment);
  try {
    await server.initialize();
    const answer = await server.call(tool, args);
    if (answer.isError) {
      throw new Error(`the server answers with an error: ${JSON.stringify(answer).slice(0, 300)}`);
    }
    return performance.now() - started;
  } finally {
    await server.end();
  }
}

/** The same calls through a pipe, one after the other. */
export async function batch({ tree, binary, environment, queries }) {
  const classes = {};
  await inBatch({ binary, environment }, tree("million"), async (ask) => {
    for (const { id, tool, args, class: name } of queries().lines) {
      (classes[name] ??= []).push(await ask(id, tool, args));
    }
  });
  const rows = Object.entries(withAllReferences(classes)).map(([name, times]) => {
    // Of a question in words most is one thread's work, and a neighbour makes more of its time than its target.
    const isLong = name === "question" && times.every(({ cpu }) => cpu > 0);
    const spent = times.map((time) => (isLong ? time.cpu : time.wall));
    assertAnswered(name, times.filter(({ answer }) => !answer.result.ok).length, times.length);
    return row({
      section: "latency, `batch`",
      what: `${name}, p95, ${isLong ? "processor time of the main thread" : "pipe included, wall"}`,
      values: spent,
      shown: quantile(spent, 0.95),
      unit: "ms",
      target: latencyTarget(name),
      beside: `p50 ${digits(quantile(spent, 0.5))} ms`,
      note: told(times),
    });
  });
  return { rows, raw: classes };
}

/** Runs `codecortex batch` over a tree whose index is built; `use` is given what asks it one question. */
export async function inBatch({ binary, environment }, root, use) {
  const child = spawn(binary, ["batch", "--root", root], { env: environment, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id, tool, args) => {
    const [begun, cpu] = [performance.now(), cpuOf(child.pid)];
    child.stdin.write(`${JSON.stringify({ id, tool, args })}\n`);
    const answer = JSON.parse((await lines.next()).value);
    return { wall: performance.now() - begun, own: answer.ms, cpu: cpuOf(child.pid) - cpu, answer };
  };
  try {
    await ask(0, "codecortex_status", {}); // the index is built now
    await use(ask);
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** What the answers themselves say, and what the system says of the program's main thread. */
function told(times) {
  const p95 = (name) =>
    digits(
      quantile(
        times.map((time) => time[name]),
        0.95,
      ),
    );
  const cpu = times.some((time) => time.cpu > 0) ? `, cpu p95 ${p95("cpu")} ms` : "";
  return `\`ms\` of the answers p95 ${p95("own")} ms${cpu}`;
}

/** Processor time of a program's main thread in ms, where the system tells. */
function cpuOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** What the process holds at most while it indexes the big corpus. */
export function memory({ tree, cache, environment, ...context }) {
  const folder = join(cache, "memory");
  rmSync(folder, { recursive: true, force: true });
  const own = { ...context, environment: { ...environment, XDG_CACHE_HOME: folder } };
  const [cold, warm] = [index(own, tree("million")), index(own, tree("million"))];
  const mb = (bytes) => bytes / 1e6;
  const most = ({ lines }) => Math.round((150 * lines) / 1e6);
  const told = ({ lines, symbols, indexBytes }) =>
    `${lines} lines, ${symbols} symbols, index ${digits(mb(indexBytes ?? 0))} MB`;
  return {
    rows: [
      row({
        section: "memory",
        what: "`codecortex index`, peak RSS, cache written",
        values: [mb(cold.peakRssBytes)],
        unit: "MB",
        target: ["≤", most(cold)],
        beside: `source ${digits(mb(cold.bytes))} MB`,
        note: told(cold),
      }),
      row({
        section: "",
        what: "the same from a warm cache",
        values: [mb(warm.peakRssBytes)],
        unit: "MB",
        target: ["≤", most(warm)],
        beside: `cache ${digits(mb(warm.cacheBytes))} MB`,
      }),
    ],
    raw: { cold, warm },
  };
}
