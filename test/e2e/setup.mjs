/**
 * The set-up steps of the real VS Code (their form is described in xtask/setup.mjs): the server from the
 * package registry with its native modules, the Node it needs, and a browser for the tests.
 *
 * Everything from npm lands in test/e2e/node_modules as the lock file there says.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { browserBinary, codeServerRoot, e2eRoot, nodeBinary, nodeFolder } from "../../xtask/vscode.mjs";

/** What compiling the server's native modules needs: Debian package, and a file that tells it is there. */
const LIBRARIES = {
  "pkg-config": "pkg-config",
  "libkrb5-dev": "krb5-gssapi",
  "libx11-dev": "x11",
  "libxkbfile-dev": "xkbfile",
  "libsecret-1-dev": "libsecret-1",
};
const COMPILER_PACKAGES = ["build-essential", "python3"];
const DEBIAN_PACKAGES = [...COMPILER_PACKAGES, ...Object.keys(LIBRARIES)];

const INSTALLED_LOCK = join(e2eRoot, "node_modules", ".package-lock.json");
const BUILT_MARK = join(codeServerRoot, ".built-by-codecortex");

const node24 = {
  name: "vs code packages",
  needs: ["node"],
  goals: ["browser", "test"],
  isDone: () => (packagesMatchLock() && nodeBinary() ? `code-server ${serverVersion()}, Node 24` : false),
  run: async ({ exec, progress }) => {
    progress("downloading the VS Code server");
    const env = { npm_config_engine_strict: "false", npm_config_loglevel: "error" };
    await exec("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: e2eRoot, env });
    if (!nodeBinary()) {
      throw new Error("the package registry has no Node 24 for this platform");
    }
  },
  hint: "cd test/e2e && npm ci --ignore-scripts   (where npm has no Node 24 for your platform: run this with Node 24)",
};

const libraries = {
  name: "vs code libraries",
  goals: ["browser", "test"],
  isDone: () => {
    if (isBuilt() || process.platform !== "linux") {
      return "not needed";
    }
    return hasLibraries() ? "present" : false;
  },
  run: ({ debian }) => debian(DEBIAN_PACKAGES),
  hint: `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${DEBIAN_PACKAGES.join(" ")}`,
};

const nativeModules = {
  name: "vs code server",
  needs: ["vs code packages", "vs code libraries", "c compiler"],
  goals: ["browser", "test"],
  isDone: () => (isBuilt() ? `built for Node ${nodeVersion()}` : false),
  run: async ({ exec, progress }) => {
    progress("compiling native modules, about 3 minutes");
    await exec("sh", ["./postinstall.sh"], { cwd: codeServerRoot, env: buildEnvironment() });
    writeFileSync(BUILT_MARK, buildIdentity());
  },
  hint: "look into the log under .cache/logs; compilers and the libraries of the step before are needed",
};

const browser = {
  name: "browser",
  goals: ["test"],
  isDone: ({ which }) => browserBinary(which) ?? false,
  run: ({ debian }) => debian(["chromium"]),
  hint: "sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium",
};

export const vscodeSteps = [node24, libraries, nativeModules, browser];

/** npm leaves a copy of the lock file behind; it names exactly what was installed. */
function packagesMatchLock() {
  if (!existsSync(INSTALLED_LOCK)) {
    return false;
  }
  const installed = readJson(INSTALLED_LOCK).packages;
  const wanted = Object.entries(readJson(join(e2eRoot, "package-lock.json")).packages);
  return wanted
    .filter(([path, entry]) => path !== "" && !entry.optional)
    .every(([path, entry]) => installed[path]?.version === entry.version);
}

function hasLibraries() {
  const compiler = ["cc", "c++", "make", "python3"].every(
    (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0,
  );
  const names = Object.values(LIBRARIES).filter((name) => name !== "pkg-config");
  return compiler && spawnSync("pkg-config", ["--exists", ...names]).status === 0;
}

/** The server's install script wants to see an npm that runs on Node 24, and that Node's headers. */
function buildEnvironment() {
  const folder = nodeFolder();
  return {
    PATH: `${dirname(nodeBinary())}:${process.env.PATH}`,
    npm_config_user_agent: `npm/10 node/v${nodeVersion()} ${process.platform} ${process.arch}`,
    ...(folder ? { npm_config_nodedir: folder } : {}),
    // Newer npm runs no install scripts unless told; these are the scripts of VS Code's own modules.
    npm_config_dangerously_allow_all_scripts: "true",
    npm_config_loglevel: "error",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
}

function isBuilt() {
  return existsSync(BUILT_MARK) && readFileSync(BUILT_MARK, "utf8") === buildIdentity();
}

function buildIdentity() {
  return `code-server ${serverVersion()} node ${nodeVersion()} ${process.platform}-${process.arch}\n`;
}

function serverVersion() {
  return readJson(join(codeServerRoot, "package.json")).version;
}

function nodeVersion() {
  const folder = nodeFolder();
  return folder ? readJson(join(folder, "package.json")).version : process.versions.node;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
