/** The folder `.context/`: made by a command, kept up to date by the engine worker, shared with others. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { deleteFolder } from "../lib/folder.mjs";
import { callOk, isReady } from "../lib/tools.mjs";

const CLASS = "OrderService";

/** What `index.json` says of the class, if it says anything yet. */
function typeOf(workspace) {
  const file = join(workspace, ".context", "index.json");
  if (!existsSync(file)) {
    return undefined;
  }
  return JSON.parse(readFileSync(file, "utf8")).types.find(({ fqn }) => fqn.endsWith(`.${CLASS}`));
}

export const contextTests = {
  "nothing is written before somebody wants it": async ({ host, workspace }) => {
    await until("the index is ready", () => isReady(host));
    await callOk(host, "codecortex_getOutline", { symbol: CLASS, form: "outline" });
    assert.ok(!existsSync(join(workspace, ".context")));
  },

  "a command makes the folder, with every type and its project": async ({ host, workspace }) => {
    await host("execute", { id: "codecortex.keepContext" });
    await until("the class is in index.json", () => typeOf(workspace) !== undefined);
    const { structureHash, projectId, files } = typeOf(workspace);
    assert.match(structureHash, /^[0-9A-Z]{8}$/);
    assert.match(projectId, /^P_/);
    assert.deepEqual(files, ["src/Orders/OrderService.cs"]);
    assert.match(readFileSync(join(workspace, ".context", ".gitignore"), "utf8"), /^cache\/$/m);
  },

  "a saved change is there in a moment, with its class": async ({ host, workspace }) => {
    const file = join(workspace, "src", "Orders", "OrderService.cs");
    const before = readFileSync(file, "utf8");
    const { publicImplHash } = typeOf(workspace);
    const begin = Date.now();
    try {
      writeFileSync(file, before.replace("MaxLines = 200", "MaxLines = 201"));
      await until("the hash is another", () => typeOf(workspace).publicImplHash !== publicImplHash);
      assert.equal(typeOf(workspace).changeClass, "PublicBehavior");
      assert.equal((await callOk(host, "codecortex_status", {})).data.context[0].failure, undefined);
      return `${Date.now() - begin} ms after it was saved`;
    } finally {
      writeFileSync(file, before);
      await until("it is as before", () => typeOf(workspace).publicImplHash === publicImplHash);
    }
  },

  "an outline that was asked for is a file, and kept fresh": async ({ host, workspace }) => {
    const { data } = await callOk(host, "codecortex_getOutline", { symbol: CLASS, form: "outline" });
    const file = join(workspace, ".context", "types", `${typeOf(workspace).id}.outline.md`);
    await until("the file is there", () => existsSync(file));
    assert.equal(readFileSync(file, "utf8").trim(), data.outlineText.trim());
  },

  "a renamed class is found by what it was called": async ({ host, workspace }) => {
    const file = join(workspace, "src", "Orders", "OrderService.cs");
    const before = readFileSync(file, "utf8");
    const { id, fqn } = typeOf(workspace);
    try {
      writeFileSync(file, before.replaceAll(CLASS, "OrderDesk"));
      await until("the alias is known", async () => {
        const { data } = await callOk(host, "codecortex_aliases", {});
        return data.aliases.some(({ oldTypeId }) => oldTypeId === id);
      });
      const { data } = await callOk(host, "codecortex_getOutline", { symbol: fqn });
      assert.ok(data.resolved.path.endsWith(".OrderDesk"), JSON.stringify(data.resolved));
      assert.equal(data.resolved.redirectedFrom, fqn);
    } finally {
      writeFileSync(file, before);
      await until("it is called as before", () => typeOf(workspace)?.id === id);
    }
  },

  "a deleted folder stays away": async ({ host, workspace }) => {
    await deleteFolder(join(workspace, ".context"));
    const file = join(workspace, "web", "src", "cart.ts");
    const before = readFileSync(file, "utf8");
    try {
      writeFileSync(file, `${before}\n// a remark\n`);
      const { since } = (await callOk(host, "codecortex_changes", {})).data;
      await until("the change was seen", async () => {
        const { data } = await callOk(host, "codecortex_changes", { folder: "workspace/web" });
        return data.changes.length > 0 && data.since === since;
      });
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      assert.ok(!existsSync(join(workspace, ".context")));
    } finally {
      writeFileSync(file, before);
    }
  },
};
