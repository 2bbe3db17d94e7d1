/**
 * The command line of the npm package: the native program where it is installed, else the engine's WebAssembly module
 * in the extension's worker (SPEC RPC1, X14).
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import { effectiveFormat } from "../core/config";
import { record } from "../core/json";
import { CONFIRMED } from "../generated/confirmed";
import type { AnswerFormat, Root } from "../generated/protocol";
import { helpText, readCommandLine, type CommandLine, type Values } from "./commandLine";
import { gate } from "./edits";
import { CommandError, EXIT, NATIVE_HINT } from "./failure";
import { serveMcp } from "./mcp";
import { ENGINE_VARIABLE, nativeProgram, platformPackage, runNative } from "./nativeProgram";
import { hint, print, printAnswer, printExact, warn } from "./output";
import { resolveRoots } from "./roots";
import { readToolTable } from "./toolTable";
import { NodeWorkspace } from "./workspace";

/** Scripts and module lie beside this file. */
const ASSETS = __dirname;
const MODULE = join(ASSETS, "wasm", "codecortex_bg.wasm");
const MANIFEST = join(ASSETS, "..", "package.json");

type Command = Extract<CommandLine, { kind: "command" }>;

void main(process.argv.slice(2)).then((code) => process.exit(code));

async function main(words: string[]): Promise<number> {
  try {
    return (await native(words)) ?? (await run(readCommandLine(words)));
  } catch (error) {
    return report(error, words);
  }
}

/** The native program's exit code; undefined where it is not to be had or not wanted. */
async function native(words: string[]): Promise<number | undefined> {
  const wanted = process.env[ENGINE_VARIABLE] ?? "";
  if (!["", "native", "wasm"].includes(wanted)) {
    throw new CommandError({
      code: "InvalidParams",
      message: `${ENGINE_VARIABLE} is native or wasm, not \`${wanted}\``,
      hint: "leave it out for the native program where it is installed",
    });
  }
  if (wanted === "wasm") {
    return undefined;
  }
  const program = nativeProgram(__filename);
  const code = program === undefined ? undefined : await runNative(program, words);
  if (code === undefined && wanted === "native") {
    const message = `the package ${platformPackage(process.platform, process.arch)} has no program that starts here`;
    throw new CommandError({ code: "Unavailable", message, hint: NATIVE_HINT }, EXIT.toolFailed);
  }
  if (program !== undefined && code === undefined) {
    warn(`${program} cannot be started; the WebAssembly program is used`);
  }
  return code;
}

function run(line: CommandLine): Promise<number> | number {
  switch (line.kind) {
    case "help":
      print(helpText(line.command));
      return EXIT.success;
    case "version":
      printExact(`codecortex ${version()}`);
      return EXIT.success;
    case "command":
      return RUN[line.command](line);
  }
}

const RUN: Record<Command["command"], (line: Command) => Promise<number> | number> = {
  call,
  mcp,
  index,
  tools,
  outline: (line) => show(line, "codecortex_getOutline", subject(line.positionals[0] ?? "")),
  search: (line) => show(line, "codecortex_searchApi", { labelQuery: line.positionals[0] }),
  status: (line) => show(line, "codecortex_status", {}),
};

async function call({ values, positionals: [tool = ""] }: Command): Promise<number> {
  const args = completed(values, readArguments(values));
  // the module is loaded a second time only where the row matters
  const row = CONFIRMED.has(tool) ? readToolTable(MODULE).rows.find(({ name }) => name === tool) : undefined;
  const gated = gate(row, args, values.apply === true ? "apply" : "plan");
  if (gated.kind === "refused") {
    throw new CommandError(gated.problem, EXIT.toolFailed);
  }
  const code = await answered(values, tool, gated.args);
  if (gated.isPlan && code === EXIT.success) {
    warn("nothing was changed; the native program has --apply, which makes the edit");
  }
  return code;
}

/** Calls a tool for a person: text unless JSON was asked for. */
function show({ values }: Command, tool: string, args: Record<string, unknown>): Promise<number> {
  const cursor = values.cursor === undefined ? {} : { cursor: values.cursor };
  const format = values.json === true ? "json" : "text";
  return answered(values, tool, completed(values, { ...args, ...cursor, format }));
}

async function answered(values: Values, tool: string, args: unknown): Promise<number> {
  const workspace = open(values, folders(values), false);
  const answer = await workspace.call(tool, args, { kind: "cli" });
  const code = printAnswer(answer);
  await workspace.close();
  return code;
}

async function mcp({ values }: Command): Promise<number> {
  await serveMcp({
    version: version(),
    table: readToolTable(MODULE),
    profile: values.profile === "full" ? "full" : "default",
    hasOutputSchemas: values["output-schemas"] === true,
    roots: values.root === undefined ? [] : folders(values),
    open: (roots) => open(values, roots, true),
    log: logger(values),
  });
  return EXIT.success;
}

async function index({ values }: Command): Promise<number> {
  const begin = performance.now();
  const workspace = open(values, folders(values), false);
  const { json } = await workspace.call("codecortex_status", { format: "json" }, { kind: "cli" });
  const seconds = (performance.now() - begin) / 1000;
  await workspace.close();
  const { ok, data, ...rest } = record(JSON.parse(json ?? "{}"));
  if (ok !== true) {
    printExact(JSON.stringify({ ok, ...rest }));
    return EXIT.toolFailed;
  }
  const { files, lines, symbols, languages, skipped, filesWithSyntaxErrors, memoryBytes } = record(data);
  const account = { files, lines, symbols, languages, skipped, filesWithSyntaxErrors, indexBytes: memoryBytes };
  if (values.stats === "json") {
    printExact(JSON.stringify({ ...account, ms: { total: seconds * 1000 } }));
  } else {
    print(`${String(files)} files, ${String(lines)} lines, ${String(symbols)} symbols in ${seconds.toFixed(2)} s`);
  }
  return EXIT.success;
}

function tools({ values }: Command): number {
  const { rows } = readToolTable(MODULE);
  const shown = values.profile === "default" ? rows.filter(({ profile }) => profile === "default") : rows;
  printExact(values.json === true ? JSON.stringify(shown) : JSON.stringify(shown, undefined, 2));
  return EXIT.success;
}

function open(values: Values, roots: Root[], isServed: boolean): NodeWorkspace {
  const given = (name: string) => (typeof values[name] === "string" ? Number(values[name]) : undefined);
  const options = {
    roots,
    assets: ASSETS,
    useCache: values["no-cache"] !== true,
    trustContext: values["trust-context"] === true || isSet(process.env.CODECORTEX_TRUST_CONTEXT),
    settings: {
      maxFileSize: given("max-file-size"),
      excludeGenerated: values["include-generated"] !== true,
      memoryCeiling: given("memory-ceiling"),
    },
    isServed,
  };
  return new NodeWorkspace(options, logger(values));
}

function isSet(variable: string | undefined): boolean {
  return variable === "true" || variable === "1";
}

/** The folders of the workspace. */
function folders({ root }: Values): Root[] {
  return resolveRoots(Array.isArray(root) ? root.map(String) : ["."]);
}

/** Errors are told in any case, the rest where it was asked for. */
function logger(values: Values): (level: string, line: string) => void {
  return (level, line) => {
    if (level === "error" || values.verbose === true) {
      warn(line);
    }
  };
}

/** The arguments of `--args`, whatever JSON they are: the tool says what is wrong with them. */
function readArguments({ args }: Values): unknown {
  const written = args === "-" ? readFileSync(0, "utf8") : typeof args === "string" ? args : "{}";
  try {
    return JSON.parse(written) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The arguments are not JSON: ${reason}`.replace(/\.$/, "");
    const next = 'Give a JSON object with --args, such as \'{"symbol":"NodeStore"}\'';
    throw new CommandError({ code: "InvalidParams", message, hint: next }, EXIT.toolFailed);
  }
}

/** What the command line says beside a call's own arguments; what the call says itself wins. */
function completed(values: Values, args: unknown): unknown {
  if (args !== null && (typeof args !== "object" || Array.isArray(args))) {
    return args;
  }
  const tokens = values["max-tokens"] === undefined ? {} : { maxTokens: Number(values["max-tokens"]) };
  const format = values.format === undefined ? {} : { format: values.format };
  return { ...tokens, ...format, ...args };
}

/** A file that is there, or what looks like a path; else a symbol. */
function subject(what: string): Record<string, unknown> {
  const path = resolve(what);
  if (existsSync(path) && statSync(path).isFile()) {
    return { filePath: path };
  }
  const name = what.slice(Math.max(what.lastIndexOf("/"), what.lastIndexOf("\\")) + 1);
  return what.length > name.length && name.includes(".") ? { filePath: what } : { symbol: what };
}

function version(): string {
  return String(record(JSON.parse(readFileSync(MANIFEST, "utf8"))).version);
}

/** For people on stderr, and for programs on stdout where they read it (SPEC D13). */
function report(error: unknown, words: string[]): number {
  if (!(error instanceof CommandError)) {
    throw error;
  }
  warn(error.message);
  hint(error.problem.hint);
  const [command] = words.filter((word) => !word.startsWith("-"));
  const format = words.find((_, at) => words[at - 1] === "--format") ?? "json";
  if (command === "mcp") {
    const data = record(JSON.parse(error.answer("json").json ?? "{}"));
    const code = error.problem.code === "InvalidParams" ? INVALID_PARAMS : INTERNAL_ERROR;
    printExact(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message: error.message, data } }));
  } else if (words.includes("--json") || command === "call") {
    printAnswer(error.answer(effectiveFormat({ format }, "json") satisfies AnswerFormat));
  }
  return error.exitCode;
}

/** Codes of JSON-RPC. */
const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;
