/** Goes through the steps in order and says what happens, one line each. */

import { SetupError, closeLog, openLog } from "./context.mjs";

const NAME_WIDTH = 18;
/** Where there is no terminal to rewrite a line in, a long step says this often that it lives. */
const HEARTBEAT_MS = 30_000;

export async function runSteps(steps, context) {
  const started = Date.now();
  for (const step of steps) {
    if (!(await runStep(step, context))) {
      return false;
    }
  }
  console.log(`set-up done in ${seconds(started)}`);
  return true;
}

async function runStep(step, context) {
  const started = Date.now();
  const screen = createScreen(step.name, started);
  try {
    let detail = await step.isDone(context);
    if (detail === false) {
      openLog(context, step.name, screen.progress);
      screen.progress("started");
      await step.run(context);
      detail = await step.isDone(context);
      if (detail === false) {
        throw new SetupError("it ran without an error, but what it should have made is not there");
      }
    }
    screen.end("✓", `${detail}${Date.now() - started > 200 ? `  ${seconds(started)}` : ""}`);
    return true;
  } catch (error) {
    screen.end("✗", error.message);
    if (!(error instanceof SetupError)) {
      console.error(error.stack);
    } else if (error.tail) {
      console.error(error.tail.trimEnd().replaceAll(/^/gm, "    "));
    }
    if (context.logFile) {
      console.error(`\n  All it said: ${context.logFile}`);
    }
    const hint = typeof step.hint === "function" ? await step.hint(context) : step.hint;
    if (hint) {
      console.error(`\n  What to do: ${hint}\n`);
    }
    return false;
  } finally {
    closeLog(context);
  }
}

/** On a terminal one line that is rewritten; elsewhere a line at start, now and then, and at the end. */
function createScreen(name, started) {
  const label = name.padEnd(NAME_WIDTH);
  const terminal = process.stdout.isTTY;
  let last = "";
  let shown = 0;
  const show = (text) => {
    last = text;
    const now = Date.now();
    if (terminal && now - shown > 80) {
      const line = `… ${label} ${seconds(started)}  ${text}`;
      process.stdout.write(`\r\x1b[2K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`);
      shown = now;
    } else if (!terminal && (shown === 0 || now - shown > HEARTBEAT_MS)) {
      console.log(`… ${label} ${shown === 0 ? text : `${seconds(started)}  ${text}`}`.slice(0, 160));
      shown = now;
    }
  };
  const timer = setInterval(() => last && show(last), terminal ? 500 : HEARTBEAT_MS);
  return {
    progress: show,
    end(mark, text) {
      clearInterval(timer);
      process.stdout.write(`${terminal ? "\r\x1b[2K" : ""}${mark} ${label} ${text}\n`);
    },
  };
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
