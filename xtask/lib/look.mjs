/** A quick question to another program. */

import { spawnSync } from "node:child_process";

import { root } from "./context.mjs";

/** What it says on its standard output, or undefined where it is absent or fails. */
export function look(command, args) {
  const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], windowsHide: true };
  const { status, stdout } = spawnSync(command, args, options);
  return status === 0 ? stdout.trim() : undefined;
}
