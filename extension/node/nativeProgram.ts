/** The native program, where the package of this platform is installed beside this one: it is the whole of CodeCortex. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";

/** What picks the program: `native`, `wasm`, or the native one where it is there. */
export const ENGINE_VARIABLE = "CODECORTEX_ENGINE";

const SIGNALS: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The package that has the native program of a platform. */
export function platformPackage(platform: string, arch: string): string {
  return `@codecortex/${platform}-${arch}`;
}

/** The native program's path; undefined where it is not installed. `from` is a file of this package. */
export function nativeProgram(from: string): string | undefined {
  try {
    const manifest = `${platformPackage(process.platform, process.arch)}/package.json`;
    const folder = dirname(createRequire(from).resolve(manifest));
    const program = join(folder, "bin", process.platform === "win32" ? "codecortex.exe" : "codecortex");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the native program in our place. Resolves to its exit code; undefined where the system cannot start it. */
export function runNative(program: string, words: string[]): Promise<number | undefined> {
  return new Promise((done) => {
    const child = spawn(program, words, { stdio: "inherit" });
    const forward = (signal: NodeJS.Signals): void => {
      child.kill(signal);
    };
    for (const signal of SIGNALS) {
      process.on(signal, forward);
    }
    child.on("error", () => {
      done(undefined);
    });
    child.on("exit", (code, signal) => {
      for (const signal of SIGNALS) {
        process.off(signal, forward);
      }
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
