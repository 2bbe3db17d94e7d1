/** Counts of passed and failed tests, read from what the runners print. */

/** cargo-nextest: one line, `Summary [ 1.2s] 12 tests run: 11 passed (1 slow), 1 failed, 2 skipped`. */
export function fromNextest(output) {
  const [, run] = /Summary \[.*?\]\s+(\d+)(?:\/\d+)? tests? run:/.exec(output) ?? [];
  const [, passed] = /tests? run: (\d+) passed/.exec(output) ?? [];
  return { passed: number(passed), failed: number(run) - number(passed) };
}

/** `cargo test`: a line for every program, `test result: ok. 3 passed; 0 failed; …`. */
export function fromCargo(output) {
  const counts = { passed: 0, failed: 0 };
  for (const [, passed, failed] of output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)) {
    counts.passed += number(passed);
    counts.failed += number(failed);
  }
  return counts;
}

/** Node's runner as TAP: comment lines at the end, `# pass 3`. What was cancelled did not pass. */
export function fromTap(output) {
  const last = (word) => number([...output.matchAll(new RegExp(`^# ${word} (\\d+)$`, "gm"))].at(-1)?.[1]);
  return { passed: last("pass"), failed: last("fail") + last("cancelled") };
}

function number(text) {
  if (text === undefined) {
    throw new Error("its closing line is not there");
  }
  return Number(text);
}
