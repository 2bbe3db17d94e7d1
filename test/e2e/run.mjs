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

import { root } from "../../xtask/lib/context.mjs";
import { packageFile } from "../../xtask/vscode.mjs";
import { createReport } from "./lib/report.mjs";
import { openSession } from "./lib/session.mjs";
import { chatScripts, chatTests } from "./suites/chat.mjs";
import { hostTests } from "./suites/host.mjs";
import { responsivenessTests } from "./suites/responsiveness.mjs";
import { startTests } from "./suites/start.mjs";
import { webTests } from "./suites/web.mjs";

const results = join(root, "test-results");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

process.exitCode = await main(process.argv.slice(2));

async function main(words) {
  rmSync(join(results, "screenshots"), { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const report = createReport(words);
  await inVsCode(report);
  await report.run("web", webTests, { manifest, results });
  await report.run("start", startTests, { manifest });
  writeFileSync(join(results, "e2e.json"), `${JSON.stringify(report.summary(), undefined, 2)}\n`);
  const { passed, failed } = report.summary();
  console.log(`e2e: ${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** The suites that share one window. That it opens is a test too. */
async function inVsCode(report) {
  const suites = { responsive: responsivenessTests, host: hostTests, chat: chatTests };
  if (!Object.entries(suites).some(([name, tests]) => report.wants(name, tests))) {
    return;
  }
  let session;
  const opening = async () => {
    session = await openSession({
      fixture: join(root, "test", "fixtures", "workspace"),
      vsix: packageFile(),
      extension: `${manifest.publisher}.${manifest.name}`,
      scripts: chatScripts,
      results,
      say: (text) => console.log(`       ${text}`),
    });
  };
  await report.run(
    "vscode",
    { "opens with the .vsix installed and Copilot Chat active": opening },
    {},
    { always: true },
  );
  if (!session) {
    return;
  }
  try {
    for (const [name, tests] of Object.entries(suites)) {
      await report.run(name, tests, { ...session, manifest });
    }
  } finally {
    await session.close();
  }
}
