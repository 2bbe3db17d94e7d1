/** A `codecortex mcp` and what it is asked. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const CLIENT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

/** A server over a folder; whoever starts one ends it. */
export class Server {
  #process;
  #lines;
  #ended;
  #last = 0;

  constructor(binary, root, environment) {
    this.#process = spawn(binary, ["mcp", "--root", root], { env: environment, stdio: ["pipe", "pipe", "ignore"] });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#ended = new Promise((resolve) => this.#process.once("exit", resolve));
  }

  /** What every client says first. */
  async initialize() {
    await this.#ask("initialize", CLIENT);
    this.#send({ method: "notifications/initialized" });
  }

  /** The answer of a tool, as the server gives it; a failure of the tool is one too. */
  async call(name, args) {
    return this.#ask("tools/call", { name, arguments: args });
  }

  async end() {
    this.#process.stdin.end();
    await this.#ended;
  }

  #send(message) {
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async #ask(method, params) {
    const id = ++this.#last;
    this.#send({ id, method, params });
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) {
        throw new Error(`the server ended before it answered ${method}`);
      }
      const message = JSON.parse(value);
      if (message.error) {
        throw new Error(`${method}: ${message.error.message}`);
      }
      if (message.id === id) {
        return message.result;
      }
    }
  }
}
