/** Steps that build something from files, and are done when neither has changed since. */

import { statSync } from "node:fs";
import { join } from "node:path";

/**
 * `inputs` and `outputs` give files and folders of the repository, `work` builds, `detail` says what is
 * printed (left out: the last output and its size).
 */
export function built({ name, goals, inputs, outputs, work, detail = describe, hint }) {
  return {
    name,
    goals,
    hint,
    isDone: (context) => context.stamp.matches(name, inputs(), outputs()) && detail(context, outputs()),
    run: (context) => context.stamp.around(name, inputs(), outputs(), () => work(context)),
  };
}

function describe({ root }, outputs) {
  const last = outputs.at(-1);
  return `${last}, ${(statSync(join(root, last)).size / 1e6).toFixed(1)} MB`;
}
