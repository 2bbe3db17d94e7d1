/** `codecortex mcp` on the WebAssembly engine: the tools for MCP clients, over stdin and stdout (SPEC RPC1, X5). */
/* eslint-disable @typescript-eslint/no-deprecated -- the server without schemas of its own is for those whose tools
check their arguments themselves, and today's clients name their folders by roots alone */
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";

import { Server, type CallToolResult, type ServerContext, type Tool } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";

import type { Cancellation } from "../core/client";
import { list, record, text } from "../core/json";
import type { Answer, Root } from "../generated/protocol";
import { gate } from "./edits";
import { CommandError } from "./failure";
import { resolveRoots } from "./roots";
import type { ToolRow, ToolTable } from "./toolTable";
import type { NodeWorkspace } from "./workspace";

/** What a server is made with. */
export interface McpOptions {
  version: string;
  table: ToolTable;
  profile: "default" | "full";
  hasOutputSchemas: boolean;
  /** The folders that the command line names; none where the client's count. */
  roots: Root[];
  open: (roots: Root[]) => NodeWorkspace;
  log: (level: string, line: string) => void;
}

/** A client that offers roots and does not name them is not waited for any longer, in ms. */
const ROOTS_PATIENCE_MS = 3_000;

/** Serves until the client closes stdin. What was asked before is answered then. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const served = new ServedWorkspace(options);
  // Stdin ends for the transport when the last call is answered: it gives up open ones then.
  const input = new PassThrough();
  process.stdin.pipe(input, { end: false });
  const transport = new StdioServerTransport(input, process.stdout);
  serveStdio(() => makeServer(options, served), {
    transport,
    onerror: (error) => {
      options.log("warn", error.message);
    },
  });
  if ((await end()) === "stdin") {
    await served.idle(() => input.readableLength > 0);
  }
  await served.close();
  input.end();
  // A pipe may still be writing the last answers.
  await new Promise((done) => process.stdout.write("", done));
}

/** Resolves when the client closes stdin, or somebody stops the process. */
function end(): Promise<"stdin" | "signal"> {
  return new Promise((done) => {
    for (const event of ["end", "error"]) {
      process.stdin.once(event, () => {
        done("stdin");
      });
    }
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        done("signal");
      });
    }
  });
}

/** The workspace of a session, opened at its first call. */
class ServedWorkspace {
  private workspace: Promise<NodeWorkspace> | undefined;
  private open = new Set<Promise<unknown>>();

  constructor(private readonly options: McpOptions) {
    if (options.roots.length > 0) {
      this.workspace = Promise.resolve(options.open(options.roots));
    }
  }

  async call(server: Server, row: ToolRow | undefined, name: string, args: unknown, stop: AbortSignal) {
    const work = this.answer(server, row, name, args, stop);
    this.open.add(work);
    try {
      return await work;
    } finally {
      this.open.delete(work);
    }
  }

  /** Resolves when no call is open, and nothing `isUnread` that may become one. */
  async idle(isUnread: () => boolean): Promise<void> {
    do {
      await Promise.allSettled(this.open);
      // A message that was read a moment ago has its call by then.
      await new Promise((done) => setImmediate(done));
    } while (this.open.size > 0 || isUnread());
  }

  async close(): Promise<void> {
    await (await this.workspace)?.close();
  }

  private async answer(
    server: Server,
    row: ToolRow | undefined,
    name: string,
    args: unknown,
    stop: AbortSignal,
  ): Promise<Answer> {
    const gated = gate(row, args, "asGiven");
    if (gated.kind === "refused") {
      return new CommandError(gated.problem).answer("both");
    }
    this.workspace ??= clientRoots(server, this.options).then((roots) => this.options.open(roots));
    const workspace = await this.workspace;
    return workspace.call(name, gated.args, { kind: "mcp" }, cancellation(stop));
  }
}

function makeServer(options: McpOptions, served: ServedWorkspace): Server {
  const { table, version, profile } = options;
  const server = new Server(
    { name: "codecortex", title: "CodeCortex", version },
    { capabilities: { tools: {} }, instructions: table.instructions },
  );
  const shown = table.rows.filter((row) => profile === "full" || row.profile === "default");
  const tools = shown.map((row) => listed(row, options));
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }, context: ServerContext) => {
    const row = table.rows.find(({ name }) => name === params.name);
    const answer = await served.call(server, row, params.name, params.arguments ?? null, context.mcpReq.signal);
    return result(answer);
  });
  return server;
}

/** A row as MCP lists it: annotations only where they differ from what a client assumes. */
function listed(row: ToolRow, { profile, hasOutputSchemas }: McpOptions): Tool {
  const annotations = {
    readOnlyHint: row.readOnly,
    openWorldHint: false,
    ...(row.readOnly || row.destructive ? {} : { destructiveHint: false }),
    ...(row.readOnly || !row.idempotent ? {} : { idempotentHint: true }),
  };
  const all = { ...row.inputSchema.properties, ...row.fullArguments } as Record<string, object>;
  const inputSchema = profile === "full" ? { ...row.inputSchema, properties: all } : row.inputSchema;
  return {
    name: row.name,
    description: row.description,
    inputSchema: inputSchema as Tool["inputSchema"],
    annotations,
    ...(hasOutputSchemas ? { outputSchema: row.outputSchema } : {}),
  };
}

/** An answer as MCP has it: the envelope as an object, the text form as text (SPEC TC8). */
function result({ ok, json, text: words }: Answer): CallToolResult {
  const envelope = json ?? "";
  return {
    content: [{ type: "text", text: words ?? envelope }],
    isError: !ok,
    ...(envelope === "" ? {} : { structuredContent: record(JSON.parse(envelope)) }),
  };
}

function cancellation(signal: AbortSignal): Cancellation {
  return {
    get isCancellationRequested() {
      return signal.aborted;
    },
    onCancellationRequested: (listener) => {
      signal.addEventListener("abort", listener, { once: true });
      return {
        dispose: () => {
          signal.removeEventListener("abort", listener);
        },
      };
    },
  };
}

/** The folders of a client that has some, else the one we were started in. */
async function clientRoots(server: Server, { log }: McpOptions): Promise<Root[]> {
  const here = resolveRoots(["."]);
  if (server.getClientCapabilities()?.roots === undefined) {
    return here;
  }
  try {
    const named = await server.listRoots(undefined, { timeout: ROOTS_PATIENCE_MS });
    const roots = list(named.roots).flatMap((root) => folderOf(text(record(root).uri)));
    return roots.length > 0 ? roots : here;
  } catch (error) {
    log("warn", `the client does not name its roots: ${error instanceof Error ? error.message : String(error)}`);
    return here;
  }
}

/** The folder of an address; none where it is none of this disk. */
function folderOf(uri: string): Root[] {
  try {
    return resolveRoots([fileURLToPath(uri)]);
  } catch {
    return [];
  }
}
