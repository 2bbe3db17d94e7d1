/** What a person may type at the command line of the npm package (SPEC X14). */
import { describe, expect, it } from "vitest";

import { COMMANDS, helpText, readCommandLine, type CommandName } from "../../../extension/node/commandLine";
import { CommandError } from "../../../extension/node/failure";

const read = (line: string) => readCommandLine(line.split(" ").filter((word) => word !== ""));

/** What is said of a line that cannot be read. */
function refused(line: string): { code: string; message: string; hint: string } {
  try {
    read(line);
  } catch (error) {
    if (error instanceof CommandError) {
      return error.problem;
    }
    throw error;
  }
  throw new Error(`${line} was read`);
}

describe("a command line", () => {
  it("is a command with its options, wherever they stand", () => {
    expect(read("-v call codecortex_status --root a -r b --max-tokens=50")).toMatchObject({
      kind: "command",
      command: "call",
      values: { verbose: true, root: ["a", "b"], "max-tokens": "50" },
      positionals: ["codecortex_status"],
    });
  });

  it("asks for help or the version, of a command too", () => {
    expect(read("")).toEqual({ kind: "help", command: undefined });
    expect(read("--help")).toEqual({ kind: "help", command: undefined });
    expect(read("call --help")).toEqual({ kind: "help", command: "call" });
    expect(read("-V")).toEqual({ kind: "version" });
  });

  it("is refused with what would be right", () => {
    expect(refused("review").hint).toContain("call, mcp");
    expect(refused("constructor").message).toContain("`constructor`");
    expect(refused("call").message).toContain("lacks TOOL");
    expect(refused("call a b").message).toContain("`b`");
    expect(refused("call a --format xml").message).toContain("json, text, both");
    expect(refused("call a --max-tokens 0").message).toContain("from 1 on");
    expect(refused("call a --max-tokens 1e400").message).toContain("from 1 on");
    expect(refused("call a --what").message).toContain("--what");
    expect(refused("call a --root").hint).toContain("--help");
  });

  it("has a help for each command that names each option", () => {
    for (const name of Object.keys(COMMANDS) as CommandName[]) {
      const help = helpText(name);
      for (const option of Object.keys(COMMANDS[name].options)) {
        expect(help).toContain(`--${option}`);
      }
      expect(helpText(undefined)).toContain(`  ${name} `);
    }
  });
});
