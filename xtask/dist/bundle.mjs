/** The MCP bundle (`.mcpb`, manifest 0.3) and the entry for the MCP registry (`server.json`). */

import { copyFileSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../lib/context.mjs";
import { writeZip } from "./archive.mjs";
import { emptyFolder } from "./product.mjs";

/** Characters of a description in the registry, at most. */
const MAX_DESCRIPTION = 100;

/** Writes the bundle to `path`; `npm` is the staged npm package, which it has whole. */
export async function writeBundle({ exec, product, stage, npm, path }) {
  emptyFolder(stage);
  cpSync(npm, join(stage, "server"), { recursive: true });
  copyFileSync(join(root, "media/icon.png"), join(stage, "icon.png"));
  for (const file of ["LICENSE", "NOTICE"]) {
    copyFileSync(join(npm, file), join(stage, file));
  }
  const manifest = bundleManifest(product, await defaultTools(exec, npm));
  writeFileSync(join(stage, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeZip(stage, path);
}

function bundleManifest({ name, displayName, version, description, license, publisher, keywords, repository }, tools) {
  return {
    manifest_version: "0.3",
    name,
    display_name: displayName,
    version,
    description,
    author: { name: publisher },
    ...(repository ? { repository } : {}),
    license,
    keywords,
    icon: "icon.png",
    server: {
      type: "node",
      entry_point: "server/lib/cli.js",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/server/lib/cli.js", "mcp", "--root", "${user_config.folder}"],
        env: {},
      },
    },
    tools,
    compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: ">=20.0.0" } },
    user_config: {
      folder: {
        type: "directory",
        title: "Folder",
        description: "The repository that is indexed. Nothing leaves this machine.",
        required: true,
      },
    },
  };
}

/** The tools that a client is listed, as the staged package prints them. */
async function defaultTools(exec, npm) {
  const args = [join(npm, "lib/cli.js"), "tools", "--json", "--profile", "default"];
  const rows = JSON.parse(await exec(process.execPath, args, { env: { CODECORTEX_ENGINE: "wasm" } }));
  return rows.map(({ name, description }) => ({ name, description }));
}

/** The registry's entry: the npm package, started with `mcp`. */
export function registryEntry({ name, displayName, version, description, mcpName, repository }) {
  if (description.length > MAX_DESCRIPTION) {
    throw new Error(`the description has ${description.length} characters, the registry takes ${MAX_DESCRIPTION}`);
  }
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: displayName,
    description,
    version,
    ...(repository ? { repository: { url: repository.url, source: "github" } } : {}),
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
      },
    ],
  };
}
