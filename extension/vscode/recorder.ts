/**
 * Records commands, test runs and saved files as observations, where a person wants that: the setting is off unless they
 * switch it on, and nothing is written in a workspace that has not opted in (SPEC X7).
 */
import { TaskGroup, tasks, TerminalShellExecutionCommandLineConfidence, window, workspace } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { dataOf } from "../core/envelope";
import type { Host } from "../core/host";
import { isOptedOut } from "../core/observations";
import { Recorder } from "../core/recorder";

const SETTING = "codecortex.observations.record";

/** Follows the setting; while it is off nothing is listened to. */
export function registerRecorder(host: Host): Disposable {
  let recording: Disposable | undefined;
  const follow = (): void => {
    if (isOn() && !recording) {
      recording = record(host);
    } else if (!isOn()) {
      recording?.dispose();
      recording = undefined;
    }
  };
  follow();
  const listening = [
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING)) {
        follow();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(follow),
  ];
  return {
    dispose: () => {
      recording?.dispose();
      disposeAll(listening);
    },
  };
}

function isOn(): boolean {
  return workspace.isTrusted && workspace.getConfiguration("codecortex").get("observations.record") === true;
}

function record(host: Host): Disposable {
  const recorder = new Recorder({
    isOn,
    folderOf: (path) => {
      const folder = workspace.getWorkspaceFolder(host.uri(path));
      return folder && host.path(folder.uri);
    },
    remember: async (observation) => {
      const read = dataOf(await host.look("codecortex_remember", { ...observation }));
      if ("problem" in read && !isOptedOut(read.hint)) {
        host.log.warn(`What was done could not be recorded: ${read.problem}`);
      }
      return "data" in read;
    },
    now: Date.now,
  });
  const listening: Disposable[] = [
    window.onDidEndTerminalShellExecution(({ execution: { commandLine }, exitCode }) => {
      // What was read off the screen may be anything.
      if (commandLine.confidence !== TerminalShellExecutionCommandLineConfidence.Low) {
        recorder.add({ kind: "command", commandLine: commandLine.value, exitCode });
      }
    }),
    tasks.onDidEndTaskProcess(({ execution: { task }, exitCode }) => {
      const isTest = task.group?.id === TaskGroup.Test.id;
      recorder.add({ kind: "task", name: task.name, isTest, exitCode });
    }),
    workspace.onDidSaveTextDocument(({ uri }) => {
      recorder.add({ kind: "edit", path: host.path(uri) });
    }),
    recorder,
  ];
  return {
    dispose: () => {
      disposeAll(listening);
    },
  };
}
