/** The table of tools, from the module itself (SPEC D6). */
import { readFileSync } from "node:fs";

import { initSync, instructions, tools } from "codecortex-wasm";

/** A row of the table, as `codecortex tools` prints it. */
export interface ToolRow {
  name: string;
  title: string;
  description: string;
  profile: "default" | "full";
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  needsConfirmation: boolean;
  inputSchema: ObjectSchema;
  /** Arguments that only the profile `full` lists. */
  fullArguments: Record<string, unknown>;
  outputSchema: ObjectSchema;
}

/** A JSON schema of an object. */
export interface ObjectSchema {
  [keyword: string]: unknown;
  type: "object";
  properties?: Record<string, object>;
}

/** The table and what a server tells its clients of it. */
export interface ToolTable {
  rows: ToolRow[];
  instructions: string;
}

/** Reads the table; `path` is the module's. */
export function readToolTable(path: string): ToolTable {
  initSync({ module: new WebAssembly.Module(readFileSync(path)) });
  return { rows: JSON.parse(tools()) as ToolRow[], instructions: instructions() };
}
