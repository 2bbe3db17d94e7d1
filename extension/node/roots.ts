/** Folders as a person names them to workspace folders; `crates/host/src/roots.rs` is its twin. */
import { realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";

import { fromNative } from "../core/paths";
import { errorCode } from "../worker/errorCode.node";
import type { Root } from "../generated/protocol";
import { CommandError } from "./failure";

const WINDOWS = process.platform === "win32";

/** What is said of a folder that cannot be opened, by the system's code. */
const PROBLEMS: Record<string, ConstructorParameters<typeof CommandError>[0]> = {
  ENOENT: { code: "NotFound", message: "does not exist", hint: "check the path given with --root" },
  ENOTDIR: {
    code: "InvalidParams",
    message: "is not a folder",
    hint: "give the folder that the file is in with --root",
  },
  EACCES: {
    code: "AccessDenied",
    message: "cannot be opened: permission denied",
    hint: "ask for permission to read it, or give another --root",
  },
};
const OTHER_PROBLEM: ConstructorParameters<typeof CommandError>[0] = {
  code: "InvalidParams",
  message: "cannot be opened",
  hint: "give another folder with --root",
};

/**
 * The workspace folders of these paths, links resolved, each once, in the order given. A folder is named by the last
 * segment of its path; where two would have the same name, by it and a number.
 */
export function resolveRoots(paths: readonly string[]): Root[] {
  const roots: Root[] = [];
  for (const path of paths) {
    const absolute = realFolder(path);
    if (roots.some((root) => root.path === absolute)) {
      continue;
    }
    const name = unique(
      basename(resolve(path)) || "root",
      roots.map((root) => root.name),
    );
    roots.push({ name, path: absolute });
  }
  return roots;
}

function realFolder(path: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) {
      return fromNative(real, WINDOWS);
    }
  } catch (error) {
    throw problemOf(path, errorCode(error));
  }
  throw problemOf(path, "ENOTDIR");
}

function problemOf(path: string, code: string): CommandError {
  const problem = PROBLEMS[code] ?? OTHER_PROBLEM;
  return new CommandError({ ...problem, message: `the folder ${path} ${problem.message}` });
}

function unique(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(candidate)) {
      return candidate;
    }
  }
}
