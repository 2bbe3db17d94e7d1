/** Steps that build something from files, and are done when neither has changed since. */

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * `inputs` and `outputs` give files and folders of the repository, `work` builds, `detail` says what is
 * printed (left out: the last output and its size). `stamp` tells steps of one name apart that build the same otherwise.
 */
export function built({ name, stamp = name, goals, needs, inputs, outputs, work, detail = describe, hint }) {
  let ran = false;
  return {
    name,
    goals,
    needs,
    hint,
    async isDone(context) {
      if (context.stamp.matches(stamp, inputs(), outputs())) {
        return detail(context, outputs());
      }
      // somebody saved a file during the work: what was made is whole, only not the newest
      const made = ran && outputs().every((output) => existsSync(join(context.root, output)));
      return made && `${await detail(context, outputs())}, sources changed meanwhile`;
    },
    async run(context) {
      await context.stamp.around(stamp, inputs(), outputs(), () => work(context));
      ran = true;
    },
  };
}

function describe({ root }, outputs) {
  const last = outputs.at(-1);
  return `${last}, ${(statSync(join(root, last)).size / 1e6).toFixed(1)} MB`;
}
