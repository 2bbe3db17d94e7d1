/**
 * Stamps: what a built thing was built from, so that a second run sees in milliseconds that nothing changed.
 * Inputs count by content, as a checkout changes times; outputs by size and time, so that something built
 * otherwise by hand is noticed.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set(["node_modules", "target", ".git"]);

export function createStamps(cache, root) {
  const file = (name) => join(cache, "stamps", `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.json`);
  return {
    /** Whether `inputs` and `outputs` (files or folders of the repository) are as they were stamped. */
    matches(name, inputs, outputs = []) {
      if (!existsSync(file(name)) || !outputs.every((output) => existsSync(join(root, output)))) {
        return false;
      }
      return readFileSync(file(name), "utf8") === print(root, inputs, outputs);
    },
    /** Does `work`, then stamps. The inputs are looked at first: what changes meanwhile is not built in. */
    async around(name, inputs, outputs, work) {
      const before = hashAll(root, inputs, addContent);
      await work();
      mkdirSync(join(cache, "stamps"), { recursive: true });
      writeFileSync(file(name), print(root, inputs, outputs, before));
    },
  };
}

function print(root, inputs, outputs, hashed = hashAll(root, inputs, addContent)) {
  return JSON.stringify({ inputs: hashed, outputs: hashAll(root, outputs, addTimes) });
}

function hashAll(root, paths, add) {
  const hash = createHash("sha256");
  for (const path of paths) {
    addPath(hash, root, path, add);
  }
  return hash.digest("hex");
}

function addPath(hash, root, path, add) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) {
    hash.update(`${path} absent\n`);
  } else if (stat.isDirectory()) {
    for (const name of readdirSync(join(root, path)).sort()) {
      if (!SKIPPED.has(name)) {
        addPath(hash, root, `${path}/${name}`, add);
      }
    }
  } else {
    hash.update(`${path} ${stat.size}\n`);
    add(hash, join(root, path), stat);
  }
}

function addContent(hash, path) {
  hash.update(readFileSync(path));
}

function addTimes(hash, _path, stat) {
  hash.update(`${stat.mtimeMs}\n`);
}
