/** The tools of scripts in a game of Unreal Engine, as Language Model tools (SPEC AS2, D9, D16). */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { root } from "../../../xtask/lib/context.mjs";
import { mismatch } from "../../contract/matching.mjs";
import { until } from "../lib/companion.mjs";
import { call, callOk, isReady } from "../lib/tools.mjs";

const FIXTURE = join(root, "test", "fixtures", "unreal");
const CASES = join(root, "test", "contract", "unreal", "cases.json");

/** What the folders of the fixture are called in a workspace of two folders. */
const FOLDERS = { game: "workspace", plugin: "second" };

const NAMES = [
  "angelscript_searchApi",
  "angelscript_getTypeMembers",
  "angelscript_getClassHierarchy",
  "angelscript_findReferences",
  "angelscript_resolveSymbolAtPosition",
];

/** Why each script tool does not answer; VS Code lists what manifests declare, registered or not. */
async function refused(host) {
  const asked = NAMES.map((name) => host("invokeTool", { name, input: {} }).then(() => undefined, String));
  return (await Promise.all(asked)).filter((why) => why !== undefined);
}

/** The cases with the names of the folders in which they are asked here. */
function casesHere() {
  let text = readFileSync(CASES, "utf8");
  for (const [there, here] of Object.entries(FOLDERS)) {
    text = text.replaceAll(`"${there}/`, `"${here}/`);
  }
  return JSON.parse(text);
}

export const scriptTests = {
  "without a script its tools are not registered": async ({ host }) => {
    await until("every file is in the index", () => isReady(host));
    assert.equal((await refused(host)).length, NAMES.length);
  },

  "with the first script they are there": async ({ host, workspace }) => {
    for (const [there, here] of Object.entries(FOLDERS)) {
      cpSync(join(FIXTURE, there), join(dirname(workspace), here), { recursive: true });
    }
    await until("all five answer", async () => (await refused(host)).length === 0);
    await until("the scripts are in the index", async () => {
      const { data } = await callOk(host, "codecortex_status", {});
      return data.languages.angelscript?.files === 4;
    });
  },

  "they give what their contract says": async ({ host }) => {
    const cases = casesHere();
    assert.ok(cases.length >= 30, `${cases.length} cases`);
    const problems = [];
    for (const { name, tool, args, expect } of cases) {
      const { envelope } = await call(host, tool, args);
      problems.push(
        ...[mismatch(expect, envelope)].flatMap((problem) => problem ?? []).map((what) => `${name}: ${what}`),
      );
    }
    assert.deepEqual(problems, []);
    return `${cases.length} cases`;
  },

  "source that is gone is said to be": async ({ host, workspace }) => {
    const file = join(workspace, "Script", "Gone.as");
    writeFileSync(file, "class AGone : ALamp {}\n");
    const source = async () => {
      const { data } = await callOk(host, "angelscript_getClassHierarchy", { name: "ALamp" });
      return data.sourceByClass.AGone;
    };
    await until("the script is in the index", source);
    assert.equal((await source()).preview, "class AGone : ALamp {}");
    rmSync(file);
    await until("it is gone or cannot be read", async () => {
      const found = await source();
      return found === undefined || found.preview === "<source unavailable>";
    });
  },

  "a script outside of every folder has an absolute path": async ({ host, workspace }) => {
    const folder = join(dirname(workspace), "elsewhere");
    mkdirSync(folder);
    const file = join(folder, "Outside.as");
    writeFileSync(file, "UCLASS()\nclass AOutside\n{\n    int Own = 1;\n}\n");
    await host("open", { path: "../elsewhere/Outside.as" });
    const outline = async () => (await call(host, "codecortex_getOutline", { filePath: file })).envelope;
    await until("the open script can be read", async () => (await outline()).ok);
    assert.equal((await outline()).data.filePath, file);
  },

  "the language is one with that of another extension": async ({ host, manifest }) => {
    const ours = `${manifest.publisher}.${manifest.name}`.toLowerCase();
    const both = await host("languages", { id: "angelscript" });
    assert.deepEqual(both.sort(), ["codecortex-tests.e2e-companion", ours].sort());
    const { languageId } = await host("text", { path: "Script/Lamp.as" });
    assert.equal(languageId, "angelscript");
  },
};
