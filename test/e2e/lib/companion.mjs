/** Calls into the extension host (test/e2e/companion). */

import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { e2eRoot, sleep } from "../../../xtask/vscode.mjs";

const WAIT_MS = 120_000;

/** The server takes over unpacked folders that are there before anything is installed. */
export function placeCompanion(extensions) {
  for (const name of ["companion", "sleeper"]) {
    cpSync(join(e2eRoot, name), join(extensions, `codecortex-tests.e2e-${name}-0.0.1`), { recursive: true });
  }
}

/** Waits for the companion to say where it listens; the value calls one of its operations. */
export async function connectCompanion(folder) {
  const file = join(folder, "companion-port");
  await until("the extension host has started", () => existsSync(file) && readFileSync(file, "utf8") !== "");
  return async (operation, parameters = {}) => {
    // read each time: a restarted extension host listens elsewhere
    const address = `http://127.0.0.1:${readFileSync(file, "utf8")}/`;
    const response = await fetch(address, { method: "POST", body: JSON.stringify({ operation, parameters }) });
    const { value, error } = await response.json();
    if (error !== undefined) {
      throw new Error(error);
    }
    return value;
  };
}

/** Polls until `look` gives something true and resolves to that. */
export async function until(what, look, waitMs = WAIT_MS) {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const seen = await look();
    if (seen) {
      return seen;
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${waitMs / 1000} s in vain until ${what}`);
    }
    await sleep(100);
  }
}
