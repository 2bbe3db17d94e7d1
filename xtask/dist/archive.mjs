/** Zip files whose bytes follow from their contents alone: sorted names, one time, no attributes of this machine. */

import { createWriteStream, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";

import { EPOCH } from "./product.mjs";

const FILE_MODE = 0o100644;

/** Writes the files below `folder` to the zip file `path`. */
export async function writeZip(folder, path) {
  // not at the top: a fresh clone has no packages until the set-up has run
  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  for (const file of filesBelow(folder)) {
    zip.addBuffer(readFileSync(join(folder, file)), file, { mtime: new Date(EPOCH * 1000), mode: FILE_MODE });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

/** Paths of the files below a folder, with `/`, in the order of their bytes. */
export function filesBelow(folder) {
  const all = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile());
  const paths = all.map((path) => relative(folder, join(folder, path)).split(sep).join("/"));
  return paths.sort((a, b) => (a < b ? -1 : 1));
}
