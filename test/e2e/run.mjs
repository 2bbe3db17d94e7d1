#!/usr/bin/env node
/**
 * The end-to-end tests: the .vsix in a real VS Code with the real Copilot Chat and a scripted model.
 *
 *   node test/e2e/run.mjs [words]     only tests whose name has one of the words
 *
 * Prints one line a test, writes {passed, failed, …} to test-results/e2e.json and screenshots beside it.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { COMPILE, program } from "../../xtask/lib/cargo.mjs";
import { createContext, root } from "../../xtask/lib/context.mjs";
import { packageFile } from "../../xtask/vscode.mjs";
import { createReport } from "./lib/report.mjs";
import { openSession } from "./lib/session.mjs";
import { addressTests } from "./suites/address.mjs";
import { chatScripts, chatTests } from "./suites/chat.mjs";
import { contextTests } from "./suites/context.mjs";
import { editScripts, editTests } from "./suites/edits.mjs";
import { graphTests } from "./suites/graph.mjs";
import { hostTests } from "./suites/host.mjs";
import { providersTests, sleepingTests } from "./suites/providers.mjs";
import { responsivenessTests } from "./suites/responsiveness.mjs";
import { mcpScripts, mcpTests } from "./suites/mcp.mjs";
import { observationTests } from "./suites/observations.mjs";
import { participantScripts, participantTests } from "./suites/participant.mjs";
import { recorderTests } from "./suites/recorder.mjs";
import { replayTests } from "./suites/replay.mjs";
import { reviewScripts, reviewTests } from "./suites/review.mjs";
import { rootsTests } from "./suites/roots.mjs";
import { scriptTests } from "./suites/script.mjs";
import { semanticsScripts, semanticsTests } from "./suites/semantics.mjs";
import { startTests } from "./suites/start.mjs";
import { telemetryTests } from "./suites/telemetry.mjs";
import { viewsTests } from "./suites/views.mjs";
import { walkthroughTests } from "./suites/walkthrough.mjs";
import { webTests } from "./suites/web.mjs";
import { windowTests } from "./suites/window.mjs";

const results = join(root, "test-results");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const BUILD_TIMEOUT_MS = 15 * 60_000;

/** The suites that share a window, by window. */
const WINDOWS = {
  vscode: {
    suites: {
      responsive: responsivenessTests,
      providers: providersTests,
      host: hostTests,
      context: contextTests,
      views: viewsTests,
      graph: graphTests,
      chat: chatTests,
      edits: editTests,
      participant: participantTests,
      review: reviewTests,
      telemetry: telemetryTests,
      walkthrough: walkthroughTests,
    },
  },
  // what a model asked for in other tests would be in it
  "vscode with an empty prompt window": {
    suites: {
      window: windowTests,
      observations: observationTests,
      recorder: recorderTests,
      semantics: semanticsTests,
      address: addressTests,
    },
  },
  "vscode with two folders": {
    suites: { sleeping: sleepingTests, roots: rootsTests, mcp: mcpTests, replay: replayTests, script: scriptTests },
    prepare: compile,
    options: {
      secondRoot: true,
      mcpServer: program("codecortex"),
      settings: { "chat.mcp.autostart": "newAndOutdated" },
    },
  },
  // `remote.extensionKind` moves the extension into the browser, where its web build runs
  "vscode in the browser": {
    suites: { web: webTests },
    options: { inBrowser: true, settings: { "remote.extensionKind": { [extensionId(manifest)]: ["web"] } } },
  },
};

let session;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void endEarly());
}
process.exitCode = await main(process.argv.slice(2));

async function main(words) {
  rmSync(join(results, "screenshots"), { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const report = createReport(words);
  for (const [name, window] of Object.entries(WINDOWS)) {
    await inWindow(report, name, window);
  }
  // npm start builds what is not up to date, which takes minutes
  await report.run("start", startTests, { manifest, results }, { timeoutMs: BUILD_TIMEOUT_MS });
  const summary = report.summary();
  writeFileSync(join(results, "e2e.json"), `${JSON.stringify(summary, undefined, 2)}\n`);
  console.log(`e2e: ${summary.passed} passed, ${summary.failed} failed`);
  return summary.failed === 0 && summary.passed > 0 ? 0 : 1;
}

/** Opens a window, which is a test too, and runs its suites in it. */
async function inWindow(report, name, { suites, prepare, options = {} }) {
  if (!Object.entries(suites).some(([suite, tests]) => report.wants(suite, tests))) {
    return;
  }
  const opening = async () => {
    await prepare?.();
    session = await openSession({
      fixture: join(root, "test", "fixtures", "workspace"),
      vsix: packageFile(),
      extension: extensionId(manifest),
      scripts: [
        ...chatScripts,
        ...editScripts,
        ...participantScripts,
        ...reviewScripts,
        ...mcpScripts,
        ...semanticsScripts,
      ],
      results,
      say: (text) => console.log(`       ${text}`),
      ...options,
    });
  };
  await report.run(
    name,
    { "opens with the .vsix installed and Copilot Chat active": opening },
    {},
    { always: true, timeoutMs: BUILD_TIMEOUT_MS },
  );
  const opened = session;
  if (!opened) {
    return;
  }
  try {
    for (const [suite, tests] of Object.entries(suites)) {
      await report.run(suite, tests, { ...opened, manifest, commandLine: program("codecortex") });
    }
  } finally {
    session = undefined;
    await opened.close();
  }
}

/** Whoever interrupts the tests does not want a VS Code to stay behind. */
async function endEarly() {
  await session?.close();
  process.exit(130);
}

function extensionId({ publisher, name }) {
  return `${publisher}.${name}`;
}

/** Nothing to do after the Rust tests, minutes without them. */
async function compile() {
  await createContext("test").exec("cargo", COMPILE);
}
