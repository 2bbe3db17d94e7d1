#!/usr/bin/env node
/**
 * The set-up behind `npm start`, `npm run build` and `npm test`: finds what is missing, gets or builds
 * it, prints one line a step, and is over in a moment when nothing is missing.
 *
 * Plain Node 20 without any package, because it has to run before `npm ci`.
 *
 * A step is a row of a table, and everything the set-up knows is in such rows
 * (xtask/steps.mjs; those of the real VS Code in test/e2e/setup.mjs, exported as `vscodeSteps`):
 *
 *   name    what is set up, two or three words; printed in front of the line
 *   goals   for which goals the step is needed; left out: for all. The goals are
 *             'build'    everything up to the .vsix
 *             'code'     `npm start`, the user's own VS Code opens
 *             'browser'  `npm start -- --browser`, the VS Code server and a browser
 *             'test'     `npm test`
 *   needs   names of steps that have to be done before it; left out: none. Steps that do not need each
 *           other are done two at a time, the ones further up first.
 *   isDone  (context) => string | false, may be async. A quick look (milliseconds): the text that is
 *           printed behind the name, such as a version, when there is nothing to do; otherwise false.
 *   run     (context) => void, may be async. Does it. Afterwards `isDone` is asked again: it must not
 *           say false then, so a step cannot claim what did not happen.
 *   hint    string | (context) => string: what a person types when `run` has failed.
 *
 * The context (xtask/lib/context.mjs):
 *
 *   root      the repository's folder, absolute
 *   cache     <root>/.cache, made on demand, for stamps, downloads and logs; not in git
 *   goal      one of the goals above
 *   exec      (command, args, {cwd, env}) => Promise<string>: runs it without a shell, its output goes
 *             to the step's log and as progress to the terminal; the standard output is the value.
 *             Throws when the exit code is not 0.
 *   progress  (text) => void: what is going on right now
 *   which     (command) => string | undefined: the program's path, looked up in PATH
 *   debian    (packages) => Promise<void>: apt-get, as root or by passwordless sudo; otherwise throws
 *             with the exact command to type. A list in the list: the first of them that exists.
 *   stamp     whether files are as they were when something was built from them (xtask/lib/stamp.mjs);
 *             most steps that build use it through `built` (xtask/lib/built.mjs)
 */

import { pathToFileURL } from "node:url";

import { createContext } from "./lib/context.mjs";
import { runSteps } from "./lib/runner.mjs";

/**
 * Sets up everything for `goal`; resolves to whether that went well. Prints its own messages. `more` are steps
 * of the caller, for what can be done while the others go on.
 */
export async function setUp(goal, more = []) {
  const context = createContext(goal);
  const { steps } = await import("./steps.mjs");
  return runSteps(
    [...(await steps()), ...more].filter((step) => !step.goals || step.goals.includes(goal)),
    context,
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await setUp(process.argv[2] ?? "build")) ? 0 : 1;
}
