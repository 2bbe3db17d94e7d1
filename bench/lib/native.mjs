/** What the Rust half measures: the engine itself, without any process or disk around it. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { execFileSync } from "node:child_process";
import { assertAnswered, json, summary } from "./measure.mjs";
import { digits, row } from "./report.mjs";

/** Cold index against parsing alone; the WASM rows use the same runs. */
export function cold({ bench, tree, rounds }) {
  const runs = Array.from({ length: rounds }, () => json(bench, ["cold", tree("default"), "--rounds", "1"]));
  const of = (pick) => runs.map(pick);
  const median = (pick) => summary(of(pick)).median;
  const total = (name) => (run) => run.total[name].p50;
  const rows = [
    row({
      section: "cold index",
      what: "native, 1 thread, everything / parse alone",
      values: of(total("ratio")),
      unit: "×",
      target: ["≤", 2],
      beside: `tree-sitter parse of the same bytes ${digits(median(total("parseMs")))} ms cpu`,
      note: `index ${digits(median(total("indexMs")))} ms, of which the engine ${digits(median(total("engineMs")))} ms`,
    }),
  ];
  for (const language of Object.keys(runs[0].languages)) {
    const measured = (run) => run.languages[language];
    const { bytes, lines } = measured(runs[0]);
    const ms = median((run) => measured(run).analysisMs.p50);
    rows.push(
      row({
        section: "",
        what: `${language}: facts / parse alone`,
        values: of((run) => measured(run).ratio),
        unit: "×",
        beside: `parse ${digits(median((run) => measured(run).parseMs.p50))} ms cpu`,
        note: `${digits(bytes / 1e6)} MB, ${lines} lines, ${digits(bytes / 1e3 / ms)} MB/s`,
      }),
    );
  }
  return { rows, raw: runs };
}

/** An export of the engine read back, against everything anew. */
export function warm({ bench, tree, rounds }) {
  const raw = json(bench, ["warm", tree("default"), "--rounds", String(rounds)]);
  const { coldMs, warmMs, importMs, exportMs, cacheBytes, readAgain } = raw;
  return {
    rows: [
      row({
        section: "warm start",
        what: "engine: cold / warm from an export",
        values: [coldMs.p50 / warmMs.p50],
        unit: "×",
        beside: `cold ${digits(coldMs.p50)} ms, warm ${digits(warmMs.p50)} ms cpu`,
        note: `import ${digits(importMs.p50)} ms of it, export ${digits(exportMs.p50)} ms, ${digits(cacheBytes / 1e6)} MB, ${readAgain} files read again`,
      }),
    ],
    raw,
  };
}

/** The calls that latency is measured with, native, by pipe and in WASM alike. */
export function queries({ bench, tree, cache, quick }) {
  const file = join(cache, "queries.jsonl");
  const each = quick ? "40" : "150";
  const out = execFileSync(bench, ["queries", tree("million"), "--each", each], { maxBuffer: 1 << 28 });
  writeFileSync(file, out);
  return {
    file,
    lines: out
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

/** What a call may take at p95, in ms; in the module a question about uses twice, one in words three times as much. */
export function latencyTarget(name, isWasm = false) {
  if (name === "question") {
    return ["≤", isWasm ? 150 : 50];
  }
  if (name.startsWith("outline")) {
    return ["≤", 20];
  }
  return ["≤", isWasm && name.startsWith("references") ? 20 : 10];
}

/** Classes of calls with one more: the questions about uses of all names, rare and common ones alike. */
export function withAllReferences(classes) {
  const ofUses = Object.entries(classes).filter(([name]) => name.startsWith("references"));
  return { ...classes, "references, all of these": ofUses.flatMap(([, calls]) => calls) };
}

/** Calls on the big index, the engine alone. */
export function latency(context) {
  const { bench, tree } = context;
  const raw = json(bench, ["latency", tree("million"), "--queries", context.queries().file]);
  const rows = Object.entries(raw.classes).map(([name, { cpuMs, bytes, failed }]) => {
    assertAnswered(name, failed, cpuMs.n);
    return row({
      section: "latency, native",
      what: `${name}, p95`,
      values: [cpuMs.min, cpuMs.p50, cpuMs.max],
      shown: cpuMs.p95,
      unit: "ms",
      target: latencyTarget(name),
      beside: `p50 ${digits(cpuMs.p50)} ms, ${cpuMs.n} calls on ${raw.lines} lines`,
      note: `${digits(bytes / cpuMs.n / 1e3)} kB an answer${failed ? `, ${failed} answers are errors` : ""}`,
    });
  });
  return { rows, raw };
}

/** Following an editor: an edit, live context, the window, a day of edits, and the tokens of a session. */
export function live({ bench, tree, quick }) {
  const edits = quick ? 100_000 : 1_000_000;
  const { keystroke, window, day, session, forms } = json(bench, ["live", tree("million"), "--edits", String(edits)]);
  const late = day.residentMb.slice(day.residentMb.length / 2);
  const timed = (what, { min, p50, p95, max }, target, beside) =>
    row({
      section: what.startsWith("edit") ? "live, native" : "",
      what: `${what}, p95`,
      values: [min, p50, max],
      shown: p95,
      unit: "ms",
      target: ["≤", target],
      beside,
      note: `p50 ${digits(p50)} ms`,
    });
  const rows = [
    timed("edit of 100,000 lines to snapshot", keystroke.editMs, 0.2, ""),
    timed("live context of 100,000 lines", keystroke.liveContextMs, 10, ""),
    timed("prompt window after a change", window.anewMs, 5, `${window.pinned} pins and 512 used types`),
    timed("prompt window again", window.ms, 5, `${window.pinned} pins and 512 used types`),
    row({
      section: "",
      what: `memory over the second half of ${day.edits} edits: greatest / least`,
      values: [Math.max(...late) / Math.min(...late)],
      unit: "×",
      target: quick ? undefined : ["≤", 1.05], // with fewer edits the rings are not full before the half
      beside: `${day.documents} documents, ${digits(late.at(-1))} MB`,
      note: `${day.wrongTexts} texts that a plain model does not have`,
    }),
    row({
      section: "",
      what: "tokens of a session of edits without / with live context",
      values: [session.tokensWithout / session.tokensWith],
      unit: "×",
      beside: `${session.tokensWithout} against ${session.tokensWith} tokens`,
    }),
    row({
      section: "",
      what: "tokens of text / of JSON",
      values: [(100 * forms.textTokens) / forms.jsonTokens],
      unit: "%",
      target: ["≤", 60],
      beside: `${forms.answers} answers, ${forms.jsonTokens} tokens of JSON`,
    }),
  ];
  return { rows, raw: { keystroke, window, day, session, forms } };
}

/** How many of the edits were read by parts, how much of the file that was, and why the others were not. */
function howRead({ by, visitedNodes }, all) {
  const others = Object.entries(by).filter(([how]) => how !== "part");
  const whole = others.map(([how, { wholeMs }]) => `${how} ${wholeMs.n}`).join(", ");
  const nodes = `${visitedNodes.p50} nodes, p95 ${visitedNodes.p95}`;
  return `${by.part?.wholeMs.n ?? 0} of ${all} read by parts (${nodes})${whole ? `; whole: ${whole}` : ""}`;
}

/** An edit with the facts and hashes after it, and with the outline after it. */
export function keystroke({ bench, tree, quick }) {
  const raw = json(bench, ["keystroke", tree("million"), "--edits", quick ? "10" : "40"]);
  const rows = raw.facts.map(({ language, what, files, bytes, wholeMs, parseMs, oursMs, read }) =>
    row({
      section: "keystroke, native",
      what: `${language}, ${what}: edit to facts and hashes, p95`,
      values: [wholeMs.min, wholeMs.p50, wholeMs.max],
      shown: wholeMs.p95,
      unit: "ms",
      target: what.includes("≤") ? ["≤", 3] : ["≤", parseMs.p95 + 0.5],
      beside: `tree-sitter's incremental parse p50 ${digits(parseMs.p50)}, p95 ${digits(parseMs.p95)} ms`,
      note:
        `p50 ${digits(wholeMs.p50)} ms, without the parse ${digits(oursMs.p50)} ms; ` +
        `${files} files of ${digits(bytes / 1e3)} kB; ${howRead(read, wholeMs.n)}`,
    }),
  );
  rows.push(
    ...raw.outlines.map(({ language, bytes, answerBytes, wholeMs, parseMs }) =>
      row({
        section: "",
        what: `${language} ${digits(bytes / 1e3)} kB: edit + outline, p50`,
        values: [wholeMs.min, wholeMs.p50, wholeMs.max],
        shown: wholeMs.p50,
        unit: "ms",
        beside: `tree-sitter's incremental parse ${digits(parseMs.p50)} ms: ${digits(wholeMs.p50 / parseMs.p50)} ×`,
        note: `p95 ${digits(wholeMs.p95)} ms, answer ${digits(answerBytes / 1e3)} kB`,
      }),
    ),
  );
  return { rows, raw };
}
