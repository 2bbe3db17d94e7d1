#!/usr/bin/env node
/**
 * `npm test`: sets up what is missing and runs every suite; the last line is `N passed, N failed`.
 *
 *   npm test -- rust unit     only these suites
 *
 * A suite ends in counts, read from what its runner wrote. A runner that fails without a failed test, or
 * passes without a test, is a failure. What failed stands once more before the summary. The checks of `npm run lint` count only when they fail: they are no tests.
 */

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { EVERYTHING } from "./lib/cargo.mjs";
import { fromCargo, fromNextest, fromTap } from "./lib/counts.mjs";
import { root } from "./lib/context.mjs";
import { CLIPPY, lint } from "./lint.mjs";
import {
  failuresOfCargo,
  failuresOfNextest,
  failuresOfReport,
  failuresOfTap,
  failuresOfVitest,
} from "./lib/failures.mjs";
import { look } from "./lib/look.mjs";
import { setUp } from "./setup.mjs";

const results = join(root, "test-results");

const SUITES = {
  lint: async () => ({ passed: 0, failed: (await lint()).failed, mayBeEmpty: true }),
  rust: rustTests,
  doc: () =>
    cargoTests(["test", "--quiet", "--locked", "--workspace", "--doc", "--no-fail-fast"], { mayBeEmpty: true }),
  unit: unitTests,
  xtask: () => nodeTests("xtask"),
  wasm: () => nodeTests("wasm"),
  contract: () => nodeTests("contract"),
  e2e: () => resultFile("e2e.json", process.execPath, ["test/e2e/run.mjs"]),
};

process.exitCode = await main(process.argv.slice(2));

async function main(names) {
  const unknown = names.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    console.error(`no suite ${unknown.join(", ")}; there are: ${Object.keys(SUITES).join(", ")}`);
    return 2;
  }
  const wanted = Object.entries(SUITES).filter(([name]) => names.length === 0 || names.includes(name));
  if (!(await setUp("test", compiledAhead(wanted.map(([name]) => name))))) {
    console.log("0 passed, 1 failed");
    return 1;
  }
  mkdirSync(results, { recursive: true });
  const counts = [];
  for (const [name, suite] of wanted) {
    counts.push(await runSuite(name, suite));
  }
  return summary(counts);
}

/** Steps beside the ones of the set-up: the module for VS Code alone does not keep two cores busy. */
function compiledAhead(suites) {
  const steps = [
    { suite: "rust", ...ahead("rust tests", ["build helper"], rustTestCommand("--no-run")) },
    // one cargo at a time has the folder
    { suite: "lint", ...ahead("clippy", ["build helper", "rust linters", "rust tests"], CLIPPY) },
  ];
  return steps.filter(({ suite }) => suites.includes(suite));
}

/** What is wrong is no failure of the set-up: the suite, which asks cargo the same, says it. */
function ahead(name, needs, args) {
  let said = false;
  const run = async ({ exec }) => {
    said = await exec("cargo", args).then(
      () => "compiled",
      () => "not compiled, its suite says why",
    );
  };
  return { name, needs, isDone: () => said, run };
}

async function runSuite(name, suite) {
  console.log(`\n── ${name} ${"─".repeat(76 - name.length)}`);
  const started = Date.now();
  const { passed, failed, failures = [], exitCode = 0, mayBeEmpty = false } = await orFailure(suite);
  // what went wrong outside of a test counts as one
  const broken = failed === 0 && (exitCode !== 0 || (passed === 0 && !mayBeEmpty));
  return { name, passed, failed: broken ? 1 : failed, failures, seconds: (Date.now() - started) / 1000 };
}

async function orFailure(suite) {
  try {
    return await suite();
  } catch (error) {
    console.error(error.stack);
    return { passed: 0, failed: 1 };
  }
}

function summary(counts) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  const [passed, failed] = [sum("passed"), sum("failed")];
  for (const { name, failures } of counts) {
    failures.forEach((text) => console.log(`\n── failed: ${name}\n${text}`));
  }
  console.log(`\n── summary ${"─".repeat(69)}`);
  for (const count of counts) {
    const mark = count.failed === 0 ? "✓" : "✗";
    const numbers = `${count.passed} passed, ${count.failed} failed`.padEnd(24);
    console.log(`${mark} ${count.name.padEnd(10)} ${numbers} ${count.seconds.toFixed(1)} s`);
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function rustTests() {
  const args = rustTestCommand("--no-fail-fast");
  return args[0] === "nextest"
    ? run("cargo", args, (output) => ({ ...fromNextest(output), failures: failuresOfNextest(output) }))
    : cargoTests(args);
}

function rustTestCommand(option) {
  const hasNextest = look("cargo", ["nextest", "--version"]) !== undefined;
  return hasNextest
    ? ["nextest", "run", option, "--status-level", "slow", ...EVERYTHING]
    : ["test", "--quiet", option, ...EVERYTHING];
}

function cargoTests(args, options) {
  const withFailures = (output) => ({ ...fromCargo(output), failures: failuresOfCargo(output) });
  return run("cargo", args, withFailures, options);
}

async function unitTests() {
  const report = join(results, "unit.json");
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json"];
  rmSync(report, { force: true });
  return run(process.execPath, [...args, `--outputFile.json=${report}`], () => {
    const results = JSON.parse(readFileSync(report, "utf8"));
    const failures = failuresOfVitest(results);
    return { passed: results.numPassedTests, failed: results.numFailedTests, failures };
  });
}

/** The files `*.test.mjs` of a folder below test/, by Node's own runner. */
async function nodeTests(folder) {
  const files = readdirSync(join(root, "test", folder)).filter((name) => name.endsWith(".test.mjs"));
  if (files.length === 0) {
    throw new Error(`test/${folder} has no *.test.mjs`);
  }
  const report = join(results, `${folder}.tap`);
  const reporters = ["spec", "stdout", "tap", report].map(
    (value, index) => `--test-reporter${index % 2 === 0 ? "" : "-destination"}=${value}`,
  );
  rmSync(report, { force: true });
  const paths = files.map((name) => join("test", folder, name));
  return run(process.execPath, ["--test", ...reporters, ...paths], () => {
    const output = readFileSync(report, "utf8");
    return { ...fromTap(output), failures: failuresOfTap(output) };
  });
}

/** A runner of our own: it writes {passed, failed} to a file in test-results. */
function resultFile(file, command, args) {
  rmSync(join(results, file), { force: true });
  return run(command, args, () => {
    const report = JSON.parse(readFileSync(join(results, file), "utf8"));
    return { passed: report.passed, failed: report.failed, failures: failuresOfReport(report) };
  });
}

/** Runs it with its output as ours; `count` makes counts of that output. */
function run(command, args, count, options = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const [stream, ours] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        ours.write(text);
      });
    }
    child.on("error", (error) => console.error(`${command}: ${error.message}`));
    child.on("close", (code) => done({ ...counted(count, output), exitCode: code ?? 1, ...options }));
  });
}

function counted(count, output) {
  try {
    return count(stripVTControlCharacters(output));
  } catch (error) {
    console.error(`the suite left no counts: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}
