/** Repeating, summarising, running programs. */

import { execFileSync } from "node:child_process";

/** Median, least and greatest of some numbers. */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}

/** The value that `share` of the numbers do not exceed. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** The last line that a program prints, read as JSON. */
export function json(program, args, options = {}) {
  const out = execFileSync(program, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
  return JSON.parse(out);
}

/**
 * What a program took, in ms: on the wall, and on processors with everything it started. The shell
 * knows both; Node tells only the first. Exit codes are not looked at: `grep` has its own.
 */
export function processTime(command, options = {}) {
  const timed = `TIMEFORMAT='%R %U %S'; time "$@" >/dev/null 2>&1 </dev/null`;
  const out = execFileSync("bash", ["-c", `{ ${timed}; } 2>&1; true`, "bash", ...command], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    ...options,
  });
  const [wall, user, system] = out.trim().split("\n").at(-1).split(" ").map(Number);
  return { wall: wall * 1e3, cpu: (user + system) * 1e3 };
}

/** Several programs in turn, so that what else the machine does meets all of them. */
export function inTurn(rounds, programs) {
  const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(programs)) {
      times[name].push(measure());
    }
  }
  return times;
}

/**
 * Throws where every call of a class ended with an error, which takes no time: a binary that is too old, say. Names that
 * nothing has are asked for on purpose.
 */
export function assertAnswered(name, failed, calls) {
  if (!name.endsWith("missing") && failed === calls) {
    throw new Error(`${name}: all of ${calls} calls ended with an error`);
  }
}

/** Numbers below a limit, the same in every run. */
export function dice(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
