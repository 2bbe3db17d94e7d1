/**
 * `NOTICE`: the licences of what a package contains beside our own code. Crates come from cargo's tree of what is
 * compiled in, npm packages from the bundles' source maps, descriptions of standard libraries from their own page.
 */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { root } from "../lib/context.mjs";

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)([-_.].*)?$/i;
const RULE = `${"-".repeat(78)}\n`;

/**
 * The text for a package that contains the crates of which `crate` is compiled for `target`, the `bundles` and, if
 * `hasLibraries`, the descriptions of standard libraries.
 */
export async function notice({ exec, crate, target = "all", bundles = [], hasLibraries = false }) {
  const parts = [...(await cratesBelow(exec, crate, target)), ...bundledPackages(bundles)];
  return [
    "This package contains the following software and data, under these licences.\n",
    ...(hasLibraries ? [librariesPart()] : []),
    table(parts),
    ...texts(parts),
  ].join(`\n${RULE}\n`);
}

/** The crates of other people that `crate` is compiled of; macros only run while it is. */
async function cratesBelow(exec, crate, target) {
  // what other platforms have need not be here
  const filter = target === "all" ? [] : ["--filter-platform", target];
  const metadata = await exec("cargo", ["metadata", "--locked", "--format-version", "1", ...filter]);
  const { packages } = JSON.parse(metadata);
  const others = packages.filter(({ source }) => source !== null);
  const known = new Map(others.map((found) => [`${found.name} v${found.version}`, found]));
  const args = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--target", target];
  const tree = await exec("cargo", ["tree", "--locked", "--package", crate, ...args]);
  const names = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  return [...names].flatMap((name) => {
    const found = known.get(name);
    return found === undefined ? [] : [licensed(found)];
  });
}

function licensed({ name, version, license, license_file: file, manifest_path: manifest }) {
  return { name, version, licence: license ?? `see ${file}`, files: licenceFiles(dirname(manifest)) };
}

/** The npm packages that bundles have parts of. */
function bundledPackages(bundles) {
  const folders = new Set();
  for (const bundle of bundles) {
    const { sources } = JSON.parse(readFileSync(join(root, `${bundle}.map`), "utf8"));
    for (const source of sources) {
      const [, folder] = /^webpack:\/\/[^/]*\/\.\/(?:.*\/)?(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (folder !== undefined) {
        folders.add(folder);
      }
    }
  }
  return [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return { name, version, licence: license, files: licenceFiles(join(root, folder)) };
  });
}

function licenceFiles(folder) {
  const names = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = names.filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name)).map(({ name }) => name);
  return files.sort().map((name) => join(folder, name));
}

function table(parts) {
  const rows = parts.map(({ name, version, licence }) => `${name} ${version}: ${licence}\n`);
  return [...new Set(rows)].sort().join("");
}

/** Each text once, with the names of those that have it. */
function texts(parts) {
  const owners = new Map();
  for (const { name, files } of parts) {
    for (const file of files) {
      const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim();
      owners.set(text, (owners.get(text) ?? new Set()).add(name));
    }
  }
  const all = [...owners].map(([text, names]) => ({ text, names: [...names].sort().join(", ") }));
  return all.sort((a, b) => (a.names < b.names ? -1 : 1)).map(({ text, names }) => `${names}:\n\n${text}\n`);
}

/** What descriptions of standard libraries were made from, and the texts of those licences. */
function librariesPart() {
  const data = join(root, "crates/external/data");
  const page = readFileSync(join(data, "README.md"), "utf8");
  const licences = join(data, "licences");
  const files = readdirSync(licences).sort();
  const each = files.map((name) => `${name}:\n\n${readFileSync(join(licences, name), "utf8").trim()}\n`);
  return [page, ...each].join("\n");
}
