/**
 * Source files of real packages, by name and exact version, through the ordinary clients of their
 * registries. Nothing of a package is run. What is unpacked is counted and compared with
 * `bench/corpora.json`, so that two people who print the same table measured the same bytes.
 */

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ENDINGS = {
  csharp: [".cs"],
  typescript: [".ts", ".tsx"],
  python: [".py"],
  rust: [".rs"],
  go: [".go"],
};

/** The table of packages and what is made of them. */
export function readCorpora(bench) {
  return JSON.parse(readFileSync(join(bench, "corpora.json"), "utf8"));
}

/**
 * The folder of a corpus, `<cache>/trees/<name>`, with a folder for each package; `undefined` where a
 * package cannot be had on this machine, after saying so.
 */
export function corpus(table, cache, name, say) {
  const packages = table.corpora[name].map((id) => [id, table.packages[id]]);
  const folders = [];
  for (const [id, wanted] of packages) {
    try {
      folders.push([id, fetchPackage(id, wanted, cache, say)]);
    } catch (error) {
      say(
        `${name}: ${wanted.package} ${wanted.version} cannot be had: ${String(error.message ?? error).split("\n")[0]}`,
      );
      return undefined;
    }
  }
  return makeTree(join(cache, "trees", name), folders, packages);
}

/** Files and lines of a corpus by language. */
export function sizeOf(table, name) {
  const languages = {};
  for (const { language, files, lines } of table.corpora[name].map((id) => table.packages[id])) {
    languages[language] ??= { files: 0, lines: 0 };
    languages[language].files += files;
    languages[language].lines += lines;
  }
  return languages;
}

function fetchPackage(id, wanted, cache, say) {
  const folder = join(cache, "packages", `${id}-${wanted.version}`);
  if (!existsSync(folder)) {
    say(`fetching ${wanted.package} ${wanted.version} from ${wanted.registry}`);
    const temporary = mkdtempSync(join(tmpdir(), "codecortex-bench-"));
    try {
      const unpacked = CLIENTS[wanted.registry](wanted, temporary);
      const part = `${folder}.part`;
      rmSync(part, { recursive: true, force: true });
      copySources(join(unpacked, wanted.folder), part, ENDINGS[wanted.language]);
      check(wanted, part);
      renameSync(part, folder);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }
  return folder;
}

const CLIENTS = {
  npm({ package: name, version }, folder) {
    run("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`], folder);
    run("tar", ["xzf", readdirSync(folder).find((file) => file.endsWith(".tgz"))], folder);
    return join(folder, "package");
  },
  pypi({ package: name, version }, folder) {
    const wheel = ["download", "--no-deps", "--only-binary", ":all:", "-d", ".", `${name}==${version}`];
    run("python3", ["-m", "pip", "--quiet", "--disable-pip-version-check", ...wheel], folder);
    const file = readdirSync(folder).find((file) => file.endsWith(".whl"));
    run("python3", ["-m", "zipfile", "-e", file, "unpacked"], folder);
    return join(folder, "unpacked");
  },
  crates({ package: name, version }, folder) {
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "src", "lib.rs"), "");
    const head = '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n';
    writeFileSync(join(folder, "Cargo.toml"), `${head}[dependencies]\n"${name}" = "=${version}"\n`);
    run("cargo", ["vendor", "--quiet", "--versioned-dirs", "vendor"], folder);
    return join(folder, "vendor", `${name}-${version}`);
  },
  debian({ package: name, version }, folder) {
    run("apt-get", ["-qq", "-o", "APT::Sandbox::User=root", "download", `${name}=${version}`], folder);
    run("dpkg-deb", ["-x", readdirSync(folder).find((file) => file.endsWith(".deb")), "unpacked"], folder);
    return join(folder, "unpacked");
  },
  /** What its authors released, from the system's own mirrors; with lists of our own, so that the system stays as it is. */
  "debian-source"({ package: name, version }, folder) {
    mkdirSync(join(folder, "lists", "partial"), { recursive: true });
    const format = ["--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"];
    const targets = run("apt-get", ["indextargets", ...format], folder)
      .trim()
      .split("\n");
    const key = "/usr/share/keyrings/debian-archive-keyring.gpg";
    const signed = existsSync(key) ? `[signed-by=${key}] ` : "";
    const lines = [...new Set(targets)].map((target) => `deb-src ${signed}${target}\n`);
    writeFileSync(join(folder, "sources.list"), lines.join(""));
    const own = {
      "Dir::Etc::sourcelist": join(folder, "sources.list"),
      "Dir::Etc::sourceparts": "/dev/null",
      "Dir::State::lists": join(folder, "lists"),
      "Dir::Cache": folder,
      "Debug::NoLocking": "1",
      "APT::Sandbox::User": "root",
    };
    const options = ["-qq", ...Object.entries(own).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
    run("apt-get", [...options, "update"], folder);
    run("apt-get", [...options, "source", "--tar-only", "--download-only", `${name}=${version}`], folder);
    mkdirSync(join(folder, "unpacked"));
    const archive = readdirSync(folder).find((file) => file.includes(".orig.tar."));
    run("tar", ["xf", archive, "-C", "unpacked", "--strip-components", "1"], folder);
    return join(folder, "unpacked");
  },
};

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Every file of the language, links and declaration files (`.d.ts`) aside. */
function* sources(folder, endings, prefix = "") {
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = join(prefix, entry.name);
    if (entry.isDirectory()) {
      yield* sources(folder, endings, path);
    } else if (entry.isFile() && !path.endsWith(".d.ts") && endings.some((ending) => path.endsWith(ending))) {
      yield path;
    }
  }
}

function copySources(from, to, endings) {
  for (const path of sources(from, endings)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(from, path), join(to, path));
  }
}

function check(wanted, folder) {
  const found = { files: 0, lines: 0 };
  for (const path of sources(folder, ENDINGS[wanted.language])) {
    found.files += 1;
    found.lines += countLines(readFileSync(join(folder, path)));
  }
  if (found.files !== wanted.files || found.lines !== wanted.lines) {
    const numbers = ({ files, lines }) => `${files} files with ${lines} lines`;
    throw new Error(`it holds ${numbers(found)}, not ${numbers(wanted)}`);
  }
}

function countLines(bytes) {
  let lines = 0;
  for (const byte of bytes) {
    lines += byte === 10 ? 1 : 0;
  }
  return lines;
}

/** The packages side by side, as hard links: a tree costs no second copy. */
function makeTree(tree, folders, packages) {
  const stamp = `${tree}.json`;
  const wanted = JSON.stringify(packages);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) {
    return tree;
  }
  rmSync(tree, { recursive: true, force: true });
  for (const [id, folder] of folders) {
    for (const path of sources(folder, Object.values(ENDINGS).flat())) {
      mkdirSync(dirname(join(tree, id, path)), { recursive: true });
      linkSync(join(folder, path), join(tree, id, path));
    }
  }
  writeFileSync(stamp, wanted);
  return tree;
}
