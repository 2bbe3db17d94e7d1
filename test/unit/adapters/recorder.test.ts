/** What a person does, recorded only where that is switched on. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { registerRecorder } from "../../../extension/vscode/recorder";
import { editor, endings, TaskGroup, Uri, workspace } from "../vscode";
import { READY, setUp } from "./setUp";

const SETTING = "codecortex.observations.record";
const USAGE = { engineBytes: 1, parserBytes: 0, parsers: 0 };
const configured = () => {
  editor.configured.fire({ affectsConfiguration: (key: string) => key === SETTING });
};

beforeEach(() => {
  vi.useFakeTimers();
  workspace.workspaceFolders = [{ name: "app", uri: Uri.from({ scheme: "file", path: "/code/app" }) }];
});
afterEach(() => {
  vi.useRealTimers();
  workspace.settings.clear();
  workspace.isTrusted = true;
});

async function started() {
  const played = setUp();
  await played.host.start();
  await played.settle();
  const worker = played.worker();
  worker.say({ kind: "ready", startMs: 1, cache: "absent" });
  worker.say({ kind: "state", state: READY, usage: USAGE });
  await played.settle();
  const surface = registerRecorder(played.host);
  const recorded = () =>
    worker.posted.flatMap((message) =>
      message.kind === "call" && message.tool === "codecortex_remember" ? [message.args] : [],
    );
  const work = async () => {
    endings.shell.fire({ execution: { commandLine: { value: "make", confidence: 2 } }, exitCode: 2 });
    endings.shell.fire({ execution: { commandLine: { value: "$ guess", confidence: 0 } }, exitCode: 0 });
    endings.task.fire({ execution: { task: { name: "unit", group: TaskGroup.Test } }, exitCode: 0 });
    editor.saved.fire({ uri: Uri.from({ scheme: "file", path: "/code/app/src/a.ts" }) });
    await vi.advanceTimersByTimeAsync(25_000);
  };
  return { surface, worker, recorded, work };
}

describe("the recorder", () => {
  it("records nothing unless it is switched on, and nothing after it is switched off", async () => {
    const { surface, recorded, work } = await started();
    await work();
    expect(recorded()).toEqual([]);
    workspace.settings.set(SETTING, true);
    configured();
    await work();
    expect(recorded()).toMatchObject([{ text: "Edited a.ts", more: { files: ["src/a.ts"], type: "edit" } }]);
    workspace.settings.set(SETTING, false);
    configured();
    await work();
    expect(recorded().length).toBe(1);
    surface.dispose();
  });

  it("records commands whose text is known, test runs and saved files", async () => {
    workspace.settings.set(SETTING, true);
    const { surface, worker, recorded, work } = await started();
    await work();
    for (let answered = 0; answered < 3; answered += 1) {
      const call = worker.posted.filter((message) => message.kind === "call").at(-1);
      const json = JSON.stringify({ ok: true, data: { id: answered, summary: "" } });
      worker.say({ kind: "answer", id: call?.id ?? 0, answer: { ok: true, json } });
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(recorded()).toMatchObject([
      { text: "Edited a.ts" },
      { text: "Ran make: failed with exit code 2", more: { commands: ["make"] } },
      { text: "Test run unit succeeded", more: { type: "test" } },
    ]);
    surface.dispose();
  });

  it("records nothing in a workspace that nobody trusts", async () => {
    workspace.settings.set(SETTING, true);
    workspace.isTrusted = false;
    const { surface, recorded, work } = await started();
    await work();
    expect(recorded()).toEqual([]);
    surface.dispose();
  });
});
