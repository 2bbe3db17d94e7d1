/** The table. */

import { cpus, loadavg, totalmem } from "node:os";

import { summary } from "./measure.mjs";

/**
 * A row: `what` was measured, the `values` of the rounds with their `unit`, what ran `beside` it, and
 * the `target` as `[comparison, number]`. The median of the values is shown, or what `shown` says.
 */
export function row({ section, what, values, unit = "", beside = "", target, note = "", shown }) {
  const { median, min, max } = summary(values);
  const value = shown ?? median;
  const meets = (value) => (target[0] === "≤" ? value <= target[1] : value >= target[1]);
  const met = target && meets(value);
  // Rounds of one thing differ by what else the machine did; calls of different things do not.
  const metAtBest = target && shown === undefined && (meets(min) || meets(max));
  return { section, what, value, median, min, max, rounds: values.length, unit, beside, target, met, metAtBest, note };
}

/** The rows as a Markdown table. */
export function markdown(rows) {
  const lines = ["| | figure | measured | min–max | target | beside |", "|---|---|---|---|---|---|"];
  for (const { section, what, value, min, max, rounds, unit, target, met, metAtBest, beside, note } of rows) {
    const number = (value) => `${digits(value)}${unit && ` ${unit}`}`;
    const range = rounds > 1 ? `${digits(min)}–${digits(max)} (${rounds})` : "";
    const goal = target ? `${target[0]} ${number(target[1])} ${met ? "✓" : metAtBest ? "✓ at best" : "✗"}` : "";
    const told = [beside, note].filter(Boolean).join("; ");
    lines.push(`| ${section} | ${what} | **${number(value)}** | ${range} | ${goal} | ${told} |`);
  }
  return lines.join("\n");
}

/** Three digits that mean something. */
export function digits(value) {
  if (value >= 100) {
    return String(Math.round(value));
  }
  return value >= 10 ? value.toFixed(1) : value >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}

/** What a reader has to know to judge the figures. */
export function machine() {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    processors: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    loadAverage: loadavg().map((load) => Number(load.toFixed(1))),
  };
}
