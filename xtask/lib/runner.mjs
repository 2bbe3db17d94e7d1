/**
 * Does the steps, each as soon as those it needs are done, and says what happens, one line each.
 *
 * Two at a time: compilers and downloads leave a core idle for minutes, and a third step would have none.
 */

import { endChildren, endingChildren } from "./children.mjs";
import { SetupError, forStep } from "./context.mjs";
import { createScreen, seconds } from "./screen.mjs";

const AT_ONCE = 2;

/** Resolves to whether all went well. After a failure nothing is started, and what is running is ended. */
export async function runSteps(steps, context) {
  const started = Date.now();
  const ok = await endingChildren(() => runAll(steps, context));
  if (ok) {
    console.log(`set-up done in ${seconds(started)}`);
  }
  return ok;
}

async function runAll(steps, context) {
  const screen = createScreen();
  const state = { waiting: [...steps], running: new Map(), failed: false };
  for (;;) {
    startReady(state, (step) => runStep(step, context, screen, () => state.failed));
    if (state.running.size === 0) {
      break;
    }
    const { step, ok } = await Promise.race(state.running.values());
    state.running.delete(step);
    if (!ok) {
      state.failed = true;
      endChildren();
    }
  }
  if (!state.failed && state.waiting.length > 0) {
    throw new Error(`steps that wait for each other: ${state.waiting.map(({ name }) => name).join(", ")}`);
  }
  return !state.failed;
}

/** Starts what needs nothing that is still to be done, in the order of the table. */
function startReady({ waiting, running, failed }, run) {
  while (!failed && running.size < AT_ONCE) {
    const missing = new Set([...waiting, ...running.keys()].map(({ name }) => name));
    const index = waiting.findIndex(({ needs = [] }) => !needs.some((name) => missing.has(name)));
    if (index < 0) {
      break;
    }
    const [step] = waiting.splice(index, 1);
    running.set(
      step,
      run(step).then((ok) => ({ step, ok })),
    );
  }
}

async function runStep(step, context, screen, isOver) {
  const started = Date.now();
  const line = screen.open(step.name, started);
  const own = forStep(context, step.name, line.progress);
  try {
    const detail = await doStep(step, own, line);
    if (isOver()) {
      throw new SetupError("ended");
    }
    line.end("✓", `${detail}${Date.now() - started > 200 ? `  ${seconds(started)}` : ""}`);
    return true;
  } catch (error) {
    // the step that failed before it has said all there is to say
    if (isOver()) {
      line.end("✗", "ended, as another step has failed");
    } else {
      line.end("✗", error.message);
      await explain(error, step, own);
    }
    return false;
  } finally {
    own.closeLog();
  }
}

async function doStep(step, context, { progress }) {
  const before = await step.isDone(context);
  if (before !== false) {
    return before;
  }
  progress("started");
  await step.run(context);
  const after = await step.isDone(context);
  if (after === false) {
    throw new SetupError("it ran without an error, but what it should have made is not there");
  }
  return after;
}

async function explain(error, step, context) {
  if (!(error instanceof SetupError)) {
    console.error(error.stack);
  } else if (error.tail) {
    console.error(error.tail.trimEnd().replaceAll(/^/gm, "    "));
  }
  if (context.logFile()) {
    console.error(`\n  All it said: ${context.logFile()}`);
  }
  const hint = typeof step.hint === "function" ? await step.hint(context) : step.hint;
  if (hint) {
    console.error(`\n  What to do: ${hint}\n`);
  }
}
