/**
 * Stamps: what a built thing was built from, so that a second run can see in milliseconds that nothing
 * changed. A file counts by size and modification time, as for make; a fresh clone therefore builds once.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED = new Set(['node_modules', 'target', 'target-wasm', '.git', '.cache', 'dist']);

export function createStamps(cache, root) {
  const file = (name) => join(cache, 'stamps', name);
  return {
    matches(name, inputs, outputs = []) {
      if (!existsSync(file(name)) || !outputs.every((output) => existsSync(join(root, output)))) {
        return false;
      }
      return readFileSync(file(name), 'utf8') === fingerprint(root, inputs);
    },
    /** `print` is what `fingerprint` said before the work began, so that a later edit is not lost. */
    write(name, inputs, print = fingerprint(root, inputs)) {
      mkdirSync(join(cache, 'stamps'), { recursive: true });
      writeFileSync(file(name), print);
    },
    fingerprint: (inputs) => fingerprint(root, inputs),
  };
}

function fingerprint(root, inputs) {
  const hash = createHash('sha256');
  hash.update(process.version.split('.')[0]);
  for (const input of inputs) {
    addPath(hash, root, input);
  }
  return hash.digest('hex');
}

function addPath(hash, root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) {
    hash.update(`${path} absent\n`);
  } else if (stat.isDirectory()) {
    for (const name of readdirSync(join(root, path)).sort()) {
      if (!SKIPPED.has(name)) {
        addPath(hash, root, `${path}/${name}`);
      }
    }
  } else {
    hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
  }
}
