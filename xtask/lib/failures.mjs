/** Names and messages of failed tests, read from what the runners print: a log's last lines then say what failed. */

/** Lines of one failure, at most: an assertion of two long texts fills pages. */
const MAX_LINES = 30;

/** cargo-nextest: a line a failed test behind the summary, and what panicked. */
export function failuresOfNextest(output) {
  const listed = /^\s+((?:FAIL|TIMEOUT|ABORT|SIG[A-Z]+|XFAIL)(?: \[.*?\])? .*)$/gm;
  const end = output.slice(output.lastIndexOf("Summary ["));
  return unique([...panics(output), ...[...end.matchAll(listed)].map(([, line]) => line)]);
}

/** `cargo test`: `test name ... FAILED`, and what panicked. */
export function failuresOfCargo(output) {
  const listed = [...output.matchAll(/^(?:test (.*) \.\.\. FAILED|error: .*)$/gm)].map(([line, name]) => name ?? line);
  return unique([...panics(output), ...listed]);
}

/** Node's runner as TAP: `not ok 3 - name` with a block of details behind it. */
export function failuresOfTap(output) {
  const failed = /^( *)not ok \d+ - (.*)\n((?:\1 {2}.*\n)*)/gm;
  return unique([...output.matchAll(failed)].map(([, , name, details]) => cut(`${name}\n${details}`)));
}

/** Vitest's report: the messages of each failed assertion, and of files that could not be run. */
export function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const texts = failed.map((test) => cut([test.fullName, ...test.failureMessages].join("\n")));
    return texts.length === 0 && message ? [cut(`${name}\n${message}`)] : texts;
  });
}

/** Our own runner's report: `tests` with `error`. */
export function failuresOfReport({ tests = [] }) {
  return tests.filter(({ error }) => error !== undefined).map(({ name, error }) => cut(`${name}\n${error}`));
}

function panics(output) {
  const said = /^\s*thread '.*' (?:\(\d+\) )?panicked at .*(?:\n.*){0,6}/gm;
  return [...output.matchAll(said)].map(([text]) => cut(text));
}

function cut(text) {
  const lines = text.trimEnd().split("\n");
  return lines.length <= MAX_LINES
    ? lines.join("\n")
    : [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} lines`].join("\n");
}

function unique(texts) {
  return [...new Set(texts)];
}
