/** Completion scripts for shells and manual pages, as the native program prints them. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The names that shells look for. */
const COMPLETIONS = {
  bash: "codecortex.bash",
  elvish: "codecortex.elv",
  fish: "codecortex.fish",
  powershell: "_codecortex.ps1",
  zsh: "_codecortex",
};

/** Writes both into folders of `out`; `program` is the native program. */
export async function writeShellFiles({ exec, program, out }) {
  const [completions, pages] = ["completions", "man"].map((name) => join(out, name));
  mkdirSync(completions, { recursive: true });
  mkdirSync(pages, { recursive: true });
  for (const [shell, file] of Object.entries(COMPLETIONS)) {
    writeFileSync(join(completions, file), await exec(program, ["completions", shell]));
  }
  const commands = (await exec(program, ["man", "--list"])).split("\n").filter((line) => line !== "");
  for (const words of [[], ...commands.map((line) => line.split(" "))]) {
    writeFileSync(join(pages, `${["codecortex", ...words].join("-")}.1`), await exec(program, ["man", ...words]));
  }
}
