/** The counts that `npm test` reads from its runners' output. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromCargo, fromNextest, fromTap } from "../../xtask/lib/counts.mjs";

test("nextest: all passed, with remarks between the numbers", () => {
  const line = "     Summary [  12.004s] 123 tests run: 123 passed (2 slow, 1 flaky), 4 skipped";
  assert.deepEqual(fromNextest(line), { passed: 123, failed: 0 });
});

test("nextest: what failed, timed out or could not start did not pass", () => {
  const line = "     Summary [   0.316s] 18 tests run: 14 passed, 2 failed, 1 timed out, 1 exec failed, 0 skipped";
  assert.deepEqual(fromNextest(line), { passed: 14, failed: 4 });
});

test("nextest: one test, and a run that was stopped", () => {
  assert.deepEqual(fromNextest("Summary [ 0.1s] 1 test run: 1 passed, 0 skipped"), { passed: 1, failed: 0 });
  assert.deepEqual(fromNextest("Summary [ 0.1s] 3/9 tests run: 2 passed, 1 failed, 0 skipped"), {
    passed: 2,
    failed: 1,
  });
});

test("cargo: the programs' lines are added up", () => {
  const output = `
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: FAILED. 4 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s
`;
  assert.deepEqual(fromCargo(output), { passed: 7, failed: 2 });
});

test("node: only the closing lines count, cancelled is failed", () => {
  const output = "# Subtest: # pass 9\n# tests 6\n# suites 0\n# pass 4\n# fail 1\n# cancelled 1\n# skipped 0\n";
  assert.deepEqual(fromTap(output), { passed: 4, failed: 2 });
});

test("output without a closing line is an error, not zero tests", () => {
  assert.throws(() => fromNextest("error: could not compile"));
  assert.throws(() => fromTap(""));
});
