/** Runs tests one after the other, says how each ended, and counts. */

const TEST_TIMEOUT_MS = 180_000;

/** `words`: only tests whose full name has one of them; none: all. */
export function createReport(words) {
  const outcomes = [];
  const wanted = (name) => words.length === 0 || words.some((word) => name.includes(word));
  return {
    /** Whether any test of the suite is to run. */
    wants: (suite, tests) => Object.keys(tests).some((title) => wanted(`${suite}: ${title}`)),

    /** `tests` maps what is true afterwards to a function of `subject` that throws when it is not. */
    async run(suite, tests, subject, { always = false, timeoutMs = TEST_TIMEOUT_MS } = {}) {
      for (const [title, test] of Object.entries(tests)) {
        const name = `${suite}: ${title}`;
        if (always || wanted(name)) {
          const outcome = await runOne(name, timeoutMs, () => test(subject));
          outcomes.push(outcome);
          if (outcome.error !== undefined) {
            await subject.window?.screenshot(`failed ${title}`).catch(() => undefined);
          }
        }
      }
    },

    summary() {
      const failed = outcomes.filter(({ error }) => error !== undefined).length;
      return { passed: outcomes.length - failed, failed, tests: outcomes };
    },
  };
}

async function runOne(name, timeoutMs, test) {
  const started = Date.now();
  let error;
  let note;
  try {
    note = await withinTime(timeoutMs, test());
  } catch (thrown) {
    error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
  const ms = Date.now() - started;
  const line = `${error === undefined ? "ok  " : "FAIL"}   ${name}  (${(ms / 1000).toFixed(1)} s)`;
  console.log(note ? `${line}\n       ${note}` : line);
  if (error !== undefined) {
    console.error(error.replaceAll(/^/gm, "       "));
  }
  return { name, ms, ...(note ? { note } : {}), ...(error === undefined ? {} : { error }) };
}

async function withinTime(timeoutMs, work) {
  let timer;
  const late = new Promise((_, failed) => {
    timer = setTimeout(() => failed(new Error(`not over after ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
