/** A recording of live context: what the module in VS Code gave out, the native program gives again. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { call, callOk } from "../lib/tools.mjs";

const CART = "web/src/cart.ts";

export const replayTests = {
  "nothing is recorded unless somebody wants it": async ({ host, workspace }) => {
    mkdirSync(join(workspace, ".context"), { recursive: true });
    writeFileSync(join(workspace, ".context", "config.json"), "{}\n");
    await host("open", { path: CART });
    await host("edit", { path: CART, find: "export", replace: "/* one */ export" });
    await look(host);
    await new Promise((done) => setTimeout(done, 3_000));
    assert.deepEqual(recordings(workspace), []);
  },

  "what VS Code recorded, the command line verifies": async ({ host, workspace, commandLine }) => {
    await host("setting", { key: "codecortex.live.record", value: true });
    await host("setting", { key: "codecortex.edits.confirm", value: false });
    try {
      await until("it is recorded", async () => {
        await look(host);
        return recordings(workspace).length > 0;
      });
      await host("edit", { path: CART, find: "/* one */", replace: "/* zwölf 😀 */" });
      const { data } = await look(host);
      const changes = [{ oldText: "/* zwölf", newText: "/* thirteen" }];
      const edits = [{ filePath: "workspace/web/src/cart.ts", baseVersion: data.current_document.versionId, changes }];
      await callOk(host, "codecortex_applyEdit", { edits, summary: "thirteen" });
      const stale = await call(host, "codecortex_applyEdit", { edits, summary: "stale" });
      assert.equal(stale.envelope.error.code, "VersionConflict");
      await look(host);
      const [name] = recordings(workspace);
      const file = join(workspace, ".context", "replay", name);
      await until("all is written", () => readFileSync(file, "utf8").includes('"summary":"stale"'));
      await until("the last payload is written", async () => {
        // The editor may still tell of a cursor that moved: then the payload after that is the last.
        await look(host);
        const kinds = readFileSync(file, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).kind);
        return kinds.at(-1) === "payload";
      });
      const text = readFileSync(file, "utf8");
      assert.ok(!text.includes(workspace), "no path of the machine");
      const told = execFileSync(commandLine, ["replay", name, "--root", workspace, "--verify", "--json"], {
        encoding: "utf8",
      });
      const { payloads, others } = JSON.parse(told);
      assert.ok(payloads >= 3, told);
      assert.deepEqual(others, [], told);
      const last = execFileSync(commandLine, ["replay", name, "--root", workspace, "--payload", String(payloads)], {
        encoding: "utf8",
      });
      assert.match(last, /thirteen 😀/);
      assert.match(last, /failed: stale/);
      return `${payloads} payloads`;
    } finally {
      await host("setting", { key: "codecortex.live.record", value: undefined });
      await host("setting", { key: "codecortex.edits.confirm", value: undefined });
      await host("open", { path: CART });
      await host("execute", { id: "workbench.action.files.revert" });
    }
  },
};

const look = (host) => callOk(host, "codecortex_getLiveContext", { filePath: "workspace/web/src/cart.ts" });

function recordings(workspace) {
  try {
    return readdirSync(join(workspace, ".context", "replay")).sort();
  } catch {
    return [];
  }
}
