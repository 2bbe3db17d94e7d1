/**
 * Plugins of agents, from the data that `codecortex install` writes (`crates/installer/data`): the MCP server through npx,
 * instructions, the skill, and a language server for what no other one serves. Each is a folder that its agent installs.
 */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { root } from "../lib/context.mjs";

const DATA = join(root, "crates/installer/data");
/** Languages for which agents bring no language server, with the endings of their files. */
const SERVED = { angelscript: [".as"] };

/** What each plugin has, by its folder; a text stands as it is, anything else becomes JSON. */
const PLUGINS = {
  "claude-code": (of) => ({
    ".claude-plugin/plugin.json": manifest(of),
    ".mcp.json": servers(of, "claude-code"),
    ".lsp.json": { [of.name]: { ...languageServer(of), extensionToLanguage: extensions() } },
    ...skill(of),
  }),
  "copilot-cli": (of) => ({
    "plugin.json": { ...manifest(of), skills: ["skills/"], mcpServers: ".mcp.json", lspServers: "lsp.json" },
    ".mcp.json": servers(of, "copilot-cli"),
    "lsp.json": { lspServers: { [of.name]: { ...languageServer(of), fileExtensions: extensions() } } },
    ...skill(of),
  }),
  "gemini-cli": (of) => ({
    "gemini-extension.json": {
      name: of.name,
      version: of.version,
      description: of.description,
      ...servers(of, "gemini-cli"),
      contextFileName: "GEMINI.md",
    },
    "GEMINI.md": text("instructions.md"),
    ...skill(of),
  }),
  codex: (of) => skill(of),
};

/** Writes the plugins below a folder, each in a folder of its agent's name. */
export function writePlugins({ product, out }) {
  for (const [agent, files] of Object.entries(PLUGINS)) {
    const folder = join(out, agent, product.name);
    for (const [path, content] of Object.entries(files(product))) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`);
    }
    copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  }
}

function manifest({ name, version, description, license, publisher, keywords, repository }) {
  const address = repository === undefined ? {} : { repository: repository.url };
  return { name, version, description, author: { name: publisher }, license, keywords, ...address };
}

/** The program of this version, with what it is asked to do. */
const invocation = ({ name, version }, ...args) => ({ command: "npx", args: ["-y", `${name}@${version}`, ...args] });

/** The MCP server, as the agent's row of the installer's data has it. */
function servers(of, id) {
  const { agents } = JSON.parse(readFileSync(join(DATA, "agents.json"), "utf8"));
  const { mcp } = agents.find((agent) => agent.id === id);
  const { command, args } = invocation(of, "mcp");
  const entry = Object.entries(mcp.entry).map(([key, value]) => [
    key,
    { $command: command, $args: args, $invocation: [command, ...args] }[value] ?? value,
  ]);
  return { [mcp.key]: { [of.name]: Object.fromEntries(entry) } };
}

const languageServer = (of) => invocation(of, "lsp", "--languages", Object.keys(SERVED).join(","));

function extensions() {
  return Object.fromEntries(
    Object.entries(SERVED).flatMap(([language, endings]) => endings.map((end) => [end, language])),
  );
}

const skill = ({ name }) => ({ [`skills/${name}/SKILL.md`]: text("SKILL.md") });

function text(file) {
  return readFileSync(join(DATA, file), "utf8");
}
