/** Edits by the model through our tool: shown, agreed to or refused, told in the next live context, taken back. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { call, callOk } from "../lib/tools.mjs";
import { ask, newChat, waitForAnswer } from "../lib/window.mjs";

const CART = "web/src/cart.ts";
const CLIENT = "web/src/orderClient.ts";
const SERVICE = "src/Orders/OrderService.cs";

const liveOf = (filePath) => () => ({ name: "codecortex_getLiveContext", input: { filePath } });

/** An edit based on the version that the live context before it told. */
const editOf = (filePath, summary, oldText, newText) => (results) => ({
  name: "codecortex_applyEdit",
  input: { summary, edits: [{ filePath, baseVersion: versionIn(results.at(-1)), changes: [{ oldText, newText }] }] },
});

function versionIn(live) {
  return JSON.parse(live).data.current_document.versionId;
}

/** How the model behaves: it looks, edits, looks again, and says what it was told. */
export const editScripts = [
  {
    prompt: /raise the limit of lines/,
    calls: [liveOf(SERVICE), editOf(SERVICE, "raise the limit", "MaxLines = 200", "MaxLines = 500"), liveOf(SERVICE)],
    answer: ([, edited, live]) => {
      const { plan_hints: hints, recent_diffs: diffs, current_document: now } = JSON.parse(live).data;
      return JSON.parse(edited).ok && hints[0].status === "done" && diffs[0].origin === "tool" && now.dirty
        ? "The limit is raised, unsaved as it was"
        : `Not told: ${edited} ${live}`;
    },
  },
  {
    prompt: /delete the whole limit/,
    calls: [
      liveOf(SERVICE),
      editOf(SERVICE, "delete the limit", "public const int", "private const int"),
      liveOf(SERVICE),
    ],
    answer: ([, edited, live]) => {
      const { plan_hints: hints, recent_diffs: diffs } = JSON.parse(live).data;
      const isTold = hints[0].status === "failed" && diffs[0].is_error === true;
      return JSON.parse(edited).error.code === "Cancelled" && isTold
        ? "You did not want that"
        : `Not told: ${edited} ${live}`;
    },
  },
];

export const editTests = {
  "an edit of unsaved text is shown, agreed to, and told as done": async ({ host, window }) => {
    await host("open", { path: SERVICE, line: 10 });
    await host("edit", { path: SERVICE, find: "namespace", replace: "// unsaved\nnamespace" });
    await newChat(window.page);
    await ask(window.page, "raise the limit of lines");
    const notification = await proposal(window.page, "raise the limit");
    await window.page.locator(".monaco-diff-editor .view-line", { hasText: "MaxLines = 500" }).first().waitFor();
    await window.page.waitForTimeout(800); // the diff is coloured a moment later
    await window.screenshot("edit-proposed");
    const before = await host("text", { path: SERVICE });
    assert.match(before.text, /MaxLines = 200/, "nothing happens before somebody agreed");
    await notification.getByText("Apply", { exact: true }).click();
    await waitForAnswer(window.page, "unsaved as it was");
    const after = await host("text", { path: SERVICE });
    assert.equal(after.text, before.text.replace("MaxLines = 200", "MaxLines = 500"));
    assert.equal(after.isDirty, true);
    await notification.waitFor({ state: "detached" });
    assert.ok((await host("tabs")).every((label) => !label.includes("proposed")));
    await window.screenshot("edit-done");
  },

  "one undo takes the edit back and leaves what was typed": async ({ host }) => {
    await host("open", { path: SERVICE, line: 10 });
    await host("execute", { id: "undo" });
    const { text } = await host("text", { path: SERVICE });
    assert.match(text, /MaxLines = 200/);
    assert.match(text, /^\/\/ unsaved$/m);
    const { data } = await callOk(host, "codecortex_getLiveContext", { filePath: SERVICE });
    assert.equal(data.recent_diffs[0].origin, "editor", "a person took it back");
  },

  "a refusal changes nothing, and the next live context says so": async ({ host, window }) => {
    await newChat(window.page);
    const { text } = await host("text", { path: SERVICE });
    await ask(window.page, "delete the whole limit");
    await proposal(window.page, "delete the limit");
    // The button in the title of the diff, which is in front.
    await window.page.locator(".editor-actions .action-label[aria-label^='Discard Proposed Edit']").first().click();
    await waitForAnswer(window.page, "You did not want that");
    assert.equal((await host("text", { path: SERVICE })).text, text);
    await window.screenshot("edit-refused");
  },

  "files that no editor holds are changed together, saved, and one undo takes all back": async (session) => {
    const { host, workspace, window } = session;
    const files = [CART, CLIENT].map((path) => ({ path, text: readFileSync(join(workspace, path), "utf8") }));
    const edits = [];
    for (const { path, text } of files) {
      const [first] = text.split("\n");
      const { data } = await callOk(host, "codecortex_getLiveContext", { filePath: path });
      const changes = [{ startLine: 1, endLine: 1, newText: `// seen\n${first}\n` }];
      edits.push({ filePath: path, baseVersion: data.current_document.versionId, changes });
    }
    edits.push({
      filePath: "web/src/fresh.ts",
      baseVersion: "new",
      changes: [{ newText: "export const fresh = 1;\n" }],
    });
    const answer = callOk(host, "codecortex_applyEdit", { edits, summary: "mark what was seen" });
    const notification = await proposal(window.page, "mark what was seen");
    await window.page.locator(".multiDiffEntry").nth(2).waitFor();
    await window.page.waitForTimeout(800);
    await window.screenshot("edit-proposed-files");
    await notification.getByText("Apply", { exact: true }).click();
    const { data } = await answer;
    assert.equal(data.files.length, 3);
    for (const [index, { path, text }] of files.entries()) {
      assert.equal(readFileSync(join(workspace, path), "utf8"), `// seen\n${text}`, `${path} is saved`);
      const live = await callOk(host, "codecortex_getLiveContext", { filePath: path });
      assert.equal(live.data.recent_diffs[0].origin, "tool");
      assert.equal(live.data.current_document.versionId, data.files[index].versionId);
    }
    assert.equal(readFileSync(join(workspace, "web/src/fresh.ts"), "utf8"), "export const fresh = 1;\n");
    await host("open", { path: CART });
    await host("execute", { id: "workbench.action.focusActiveEditorGroup" });
    await window.page.keyboard.press("Control+Z");
    await until(
      "the first file is what it was",
      async () => (await host("text", { path: CART })).text === files[0].text,
    );
    await until("the new file is gone", () => !existsSync(join(workspace, "web/src/fresh.ts")));
    for (const { path, text } of files) {
      await until(`${path} is what it was`, async () => (await host("text", { path })).text === text);
      // Where no editor held it, VS Code shows it after a while: it is unsaved.
      await until(`${path} is saved as it was`, async () => {
        await host("execute", { id: "workbench.action.files.saveAll" });
        return readFileSync(join(workspace, path), "utf8") === text;
      });
    }
  },

  "what changed while a person looked at it is not written over": async ({ host, window }) => {
    const { data } = await callOk(host, "codecortex_getLiveContext", { filePath: SERVICE });
    const changes = [{ oldText: "MaxLines = 200", newText: "MaxLines = 1" }];
    const edits = [{ filePath: SERVICE, baseVersion: data.current_document.versionId, changes }];
    const answer = call(host, "codecortex_applyEdit", { edits, summary: "one line" });
    const notification = await proposal(window.page, "one line");
    await host("edit", { path: SERVICE, find: "MaxLines = 200", replace: "MaxLines = 201" });
    await notification.getByText("Apply", { exact: true }).click();
    const { envelope } = await answer;
    assert.equal(envelope.error.code, "VersionConflict");
    assert.match((await host("text", { path: SERVICE })).text, /MaxLines = 201/);
  },

  "a call that is given up takes its question back": async ({ host, window }) => {
    const { data } = await callOk(host, "codecortex_getLiveContext", { filePath: SERVICE });
    const changes = [{ oldText: "MaxLines = 201", newText: "MaxLines = 2" }];
    const edits = [{ filePath: SERVICE, baseVersion: data.current_document.versionId, changes }];
    const input = { edits, summary: "given up" };
    const answer = host("invokeTool", { name: "codecortex_applyEdit", input, cancelAfterMs: 4_000 }).catch(
      () => undefined,
    );
    const notification = await proposal(window.page, "given up");
    await answer;
    await notification.waitFor({ state: "detached" });
    assert.match((await host("text", { path: SERVICE })).text, /MaxLines = 201/);
    const { data: live } = await callOk(host, "codecortex_getLiveContext", { filePath: SERVICE });
    assert.equal(live.plan_hints[0].status, "failed");
  },

  "without the setting edits are made at once": async ({ host }) => {
    await host("setting", { key: "codecortex.edits.confirm", value: false });
    try {
      const { data } = await callOk(host, "codecortex_getLiveContext", { filePath: SERVICE });
      const changes = [{ oldText: "MaxLines = 201", newText: "MaxLines = 300" }];
      const edits = [{ filePath: SERVICE, baseVersion: data.current_document.versionId, changes }];
      await callOk(host, "codecortex_applyEdit", { edits });
      assert.match((await host("text", { path: SERVICE })).text, /MaxLines = 300/);
    } finally {
      await host("setting", { key: "codecortex.edits.confirm", value: undefined });
      await host("open", { path: SERVICE });
      await host("execute", { id: "workbench.action.files.revert" });
      await host("execute", { id: "workbench.action.closeAllEditors" });
    }
  },
};

/** The question whether the edit of this purpose is wanted. */
async function proposal(page, purpose) {
  const notification = page.locator(".notification-list-item", { hasText: `${purpose}: change` });
  await notification.waitFor();
  return notification;
}
