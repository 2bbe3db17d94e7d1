/**
 * The programs that are running for the set-up, each in a process group of its own: cargo and npm start others,
 * which go on when only the first is ended.
 */

import { spawn } from "node:child_process";

const GROUPS = process.platform !== "win32";
/** What a person or a shell ends the set-up with; the value is the exit code that shells expect. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

const running = new Set();
let guarded = false;

/** As `spawn`; inside `endingChildren` in a group of its own, which `endChildren` ends. */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: GROUPS && guarded });
  running.add(child);
  for (const event of ["error", "close"]) {
    child.once(event, () => running.delete(child));
  }
  return child;
}

/** Ends all of them with what they have started. */
export function endChildren() {
  for (const child of running) {
    try {
      if (GROUPS && guarded) {
        process.kill(-child.pid, "SIGTERM");
      } else {
        child.kill();
      }
    } catch {
      // it has just ended by itself
    }
  }
}

/** Does `work`; a signal meanwhile ends the children, which a terminal's Ctrl-C does not reach, and this process. */
export async function endingChildren(work) {
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => {
    const listener = () => {
      endChildren();
      // who listens for a signal has to end the process: it does not end by itself any more
      process.exit(code);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  guarded = true;
  try {
    return await work();
  } finally {
    guarded = false;
    listeners.forEach((remove) => remove());
  }
}
