/** The failures that `npm test` repeats before its summary. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  failuresOfCargo,
  failuresOfNextest,
  failuresOfReport,
  failuresOfTap,
  failuresOfVitest,
} from "../../xtask/lib/failures.mjs";

test("nextest: what panicked, and each failed test once", () => {
  const output = `
        FAIL [   0.010s] a::it one
thread 'one' (12) panicked at a/tests/it.rs:3:5:
assertion failed: false
────────────
     Summary [   0.316s] 3 tests run: 1 passed, 1 failed, 1 timed out, 0 skipped
        FAIL [   0.010s] a::it one
     TIMEOUT [  60.000s] a::it two
error: test run failed
`;
  const [panic, ...listed] = failuresOfNextest(output);
  assert.match(panic, /^thread 'one' .*\nassertion failed: false/);
  assert.deepEqual(listed, ["FAIL [   0.010s] a::it one", "TIMEOUT [  60.000s] a::it two"]);
});

test("nextest: nothing where all passed", () => {
  assert.deepEqual(failuresOfNextest("     Summary [ 1.0s] 2 tests run: 2 passed, 0 skipped\n"), []);
});

test("cargo: failed tests and errors of the compiler", () => {
  const output =
    "test src/lib.rs - f (line 3) ... FAILED\ntest src/lib.rs - g (line 9) ... ok\nerror: doctest failed\n";
  assert.deepEqual(failuresOfCargo(output), ["src/lib.rs - f (line 3)", "error: doctest failed"]);
});

test("node: a failed test with its details, also below another", () => {
  const output = `TAP version 13
ok 1 - fine
  ---
  duration_ms: 1
  ...
    # Subtest: inner
    not ok 1 - inner
      ---
      error: 'no'
      ...
not ok 2 - outer
  ---
  error: '1 subtest failed'
  ...
# fail 2
`;
  assert.deepEqual(failuresOfTap(output), [
    "inner\n      ---\n      error: 'no'\n      ...",
    "outer\n  ---\n  error: '1 subtest failed'\n  ...",
  ]);
});

test("vitest: messages of assertions, and of a file that could not be run", () => {
  const testResults = [
    {
      name: "a.ts",
      message: "",
      assertionResults: [
        { status: "passed", fullName: "a b", failureMessages: [] },
        { status: "failed", fullName: "a c", failureMessages: ["expected 1"] },
      ],
    },
    { name: "b.ts", message: "no such module", assertionResults: [] },
  ];
  assert.deepEqual(failuresOfVitest({ testResults }), ["a c\nexpected 1", "b.ts\nno such module"]);
});

test("our runner: names and errors, cut to a page", () => {
  const error = Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n");
  const [text, ...more] = failuresOfReport({ tests: [{ name: "fine" }, { name: "broken", error }] });
  assert.deepEqual(more, []);
  assert.match(text, /^broken\nline 0\n[^]*\n… 21 lines$/);
});
