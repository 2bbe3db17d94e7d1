/** What a person types: commands as a table, their options, help. Words are those of the native program. */
import { parseArgs } from "node:util";

import { CommandError, NATIVE_HINT } from "./failure";

/** An option as {@link parseArgs} takes it, with its help. */
interface OptionRow {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  /** What its value is called in the help. */
  value?: string;
  /** The only values it may have. */
  of?: readonly string[];
  /** Whether its value is a number from 1 on. */
  isCount?: boolean;
  help: string;
}

/** A command. */
export interface CommandRow {
  /** Its arguments beside options. */
  usage: string;
  /** How many arguments it takes at least and at most. */
  positionals: readonly [number, number];
  help: string;
  options: Record<string, OptionRow>;
}

const COMMON = {
  help: { type: "boolean", short: "h", help: "Print help" },
  verbose: { type: "boolean", short: "v", help: "Log more on stderr" },
} as const satisfies Record<string, OptionRow>;

const WORKSPACE = {
  root: {
    type: "string",
    short: "r",
    multiple: true,
    value: "FOLDER",
    help: "A folder of the workspace; repeatable [default: the current folder]",
  },
  "memory-ceiling": { type: "string", value: "MB", isCount: true, help: "Most megabytes that the index may hold" },
  "max-file-size": { type: "string", value: "BYTES", isCount: true, help: "Leave out larger files [default: 4194304]" },
  "include-generated": { type: "boolean", help: "Read generated code as any other" },
  "no-cache": { type: "boolean", help: "Read everything anew and write no cache" },
  "trust-context": { type: "boolean", help: "Use the `.context/` of the folders and write to it" },
} as const satisfies Record<string, OptionRow>;

const ANSWER = {
  "max-tokens": { type: "string", value: "N", isCount: true, help: "The most tokens an answer may cost" },
} as const satisfies Record<string, OptionRow>;

const SHOW = {
  ...ANSWER,
  json: { type: "boolean", help: "Print the envelope instead of text" },
  cursor: { type: "string", value: "CURSOR", help: "`nextCursor` of the previous answer" },
} as const satisfies Record<string, OptionRow>;

const PROFILE = {
  type: "string",
  value: "PROFILE",
  of: ["default", "full"],
  help: "`default`, the few that an agent needs most, or `full`",
} as const satisfies OptionRow;

/** The commands of the WebAssembly program. */
export const COMMANDS = {
  call: {
    usage: "TOOL",
    positionals: [1, 1],
    help: "Call one tool and print its answer",
    options: {
      args: { type: "string", value: "JSON", help: "The tool's arguments as a JSON object; `-` reads it from stdin" },
      apply: { type: "boolean", help: "Let a tool that edits change the files (native program alone)" },
      format: { type: "string", value: "FORMAT", of: ["json", "text", "both"], help: "json, text or both" },
      ...ANSWER,
      ...WORKSPACE,
    },
  },
  mcp: {
    usage: "",
    positionals: [0, 0],
    help: "Serve the tools to MCP clients over stdin and stdout",
    options: {
      profile: PROFILE,
      "output-schemas": { type: "boolean", help: "List each tool's `outputSchema` too" },
      ...WORKSPACE,
    },
  },
  outline: {
    usage: "SYMBOL|FILE",
    positionals: [1, 1],
    help: "Show the structure of a file, type or function",
    options: { ...SHOW, ...WORKSPACE },
  },
  search: {
    usage: "QUERY",
    positionals: [1, 1],
    help: "Find declarations by name or documentation",
    options: { ...SHOW, ...WORKSPACE },
  },
  status: {
    usage: "",
    positionals: [0, 0],
    help: "Show the state of the index",
    options: { ...SHOW, ...WORKSPACE },
  },
  index: {
    usage: "",
    positionals: [0, 0],
    help: "Build or refresh the index of a workspace and print its contents",
    options: {
      stats: { type: "string", value: "FORM", of: ["human", "json"], help: "human or json [default: human]" },
      ...WORKSPACE,
    },
  },
  tools: {
    usage: "",
    positionals: [0, 0],
    help: "Print the table of tools as JSON",
    options: { profile: PROFILE, json: { type: "boolean", help: "One line of JSON instead of an indented form" } },
  },
} as const satisfies Record<string, CommandRow>;

/** The name of a command. */
export type CommandName = keyof typeof COMMANDS;

/** Values of options by their names; absent ones were not given. */
export type Values = Partial<Record<string, string | boolean | (string | boolean)[]>>;

/** A command line. */
export type CommandLine =
  | { kind: "help"; command: CommandName | undefined }
  | { kind: "version" }
  | { kind: "command"; command: CommandName; values: Values; positionals: string[] };

/** Reads a command line, which is without the program's name. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const at = words.findIndex((word) => !word.startsWith("-"));
  const before = at < 0 ? words : words.slice(0, at);
  if (before.includes("--version") || before.includes("-V")) {
    return { kind: "version" };
  }
  const word = words[at];
  if (word === undefined || before.includes("--help") || before.includes("-h") || word === "help") {
    return { kind: "help", command: undefined };
  }
  if (!isCommand(word)) {
    const message = `the WebAssembly program has no command \`${word}\``;
    throw new CommandError({
      code: "InvalidParams",
      message,
      hint: `it has ${Object.keys(COMMANDS).join(", ")}; ${NATIVE_HINT}`,
    });
  }
  const row: CommandRow = COMMANDS[word];
  const { values, positionals } = parsed(word, row, [...before, ...words.slice(at + 1)]);
  if (values.help === true) {
    return { kind: "help", command: word };
  }
  check(word, row, values, positionals);
  return { kind: "command", command: word, values, positionals };
}

function parsed(command: CommandName, { options }: CommandRow, words: string[]) {
  try {
    const config = Object.fromEntries(
      Object.entries({ ...COMMON, ...options }).map(([name, { type, short, multiple }]: [string, OptionRow]) => [
        name,
        { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
      ]),
    );
    return parseArgs({ args: words, options: config, allowPositionals: true, strict: true });
  } catch (error) {
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
    throw usage(command, first.charAt(0).toLowerCase() + first.slice(1));
  }
}

function check(command: CommandName, row: CommandRow, values: Values, positionals: string[]): void {
  const [least, most] = row.positionals;
  if (positionals.length < least) {
    throw usage(command, `\`codecortex ${command}\` lacks ${row.usage}`);
  }
  const [extra] = positionals.slice(most);
  if (extra !== undefined) {
    throw usage(command, `\`codecortex ${command}\` does not take \`${extra}\``);
  }
  for (const [name, { of, isCount }] of Object.entries(row.options)) {
    const value = values[name];
    if (typeof value !== "string") {
      continue;
    }
    if (of !== undefined && !of.includes(value)) {
      throw usage(command, `--${name} is ${of.join(", ")}, not \`${value}\``);
    }
    if (isCount === true && !(/^\d+$/.test(value) && Number(value) >= 1 && Number.isSafeInteger(Number(value)))) {
      throw usage(command, `--${name} is a number from 1 on, not \`${value}\``);
    }
  }
}

function usage(command: CommandName, message: string): CommandError {
  const hint = `\`codecortex ${command} --help\` lists its arguments`;
  return new CommandError({ code: "InvalidParams", message, hint });
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

/** The help of a command, or of all. */
export function helpText(command: CommandName | undefined): string {
  if (command === undefined) {
    const commands = columns(Object.entries(COMMANDS).map(([name, { help }]) => [name, help]));
    return `A semantic IDE for LLM coders: outlines, symbols and context of a workspace, within a budget of tokens.
This is the WebAssembly program; it edits no files and asks no models.

Usage: codecortex COMMAND

Commands:
${commands}

Options:
${columns([
  ["-h, --help", COMMON.help.help],
  ["-V, --version", "Print version"],
])}

Results go to stdout, everything else to stderr. Exit codes: 0 success, 1 a tool failed, 2 usage.
`;
  }
  const { usage, help, options }: CommandRow = COMMANDS[command];
  const rows = Object.entries({ ...options, ...COMMON }).map(([name, row]: [string, OptionRow]): [string, string] => {
    const short = row.short === undefined ? "" : `-${row.short}, `;
    const value = row.value === undefined ? "" : ` ${row.value}`;
    return [`${short}--${name}${value}`, row.help];
  });
  return `${help}

Usage: codecortex ${command} [OPTIONS]${usage === "" ? "" : ` ${usage}`}

Options:
${columns(rows)}
`;
}

function columns(rows: (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, help]) => `  ${name.padEnd(width)}${help}`).join("\n");
}
