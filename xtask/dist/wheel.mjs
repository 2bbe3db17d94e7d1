/** The wheel with the native program, by maturin: `uvx codecortex`, `pip install codecortex`. */

import { copyFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

import { root } from "../lib/context.mjs";
import { EPOCH, emptyFolder } from "./product.mjs";

/** The versions of maturin that understand what is written here. */
const MATURIN = "maturin>=1.9,<2";

/** Builds this platform's wheel into `out`. */
export async function buildWheel({ exec, product, stage, notice, out, profile }) {
  emptyFolder(stage);
  copyFileSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  copyFileSync(join(root, "xtask/dist/wheel-readme.md"), join(stage, "README.md"));
  writeFileSync(join(stage, "NOTICE"), notice);
  writeFileSync(join(stage, "pyproject.toml"), project(product, stage));
  const args = ["build", "--locked", "--profile", profile, "--strip", "--out", out];
  await exec("maturin", args, { cwd: stage, env: { SOURCE_DATE_EPOCH: String(EPOCH) } });
}

function project({ name, version, description, license, keywords, repository }, stage) {
  const manifest = relative(stage, join(root, "crates/cli/Cargo.toml")).split(sep).join("/");
  const text = JSON.stringify; // a basic string of TOML is one of JSON
  return `[build-system]
requires = [${text(MATURIN)}]
build-backend = "maturin"

[project]
name = ${text(name)}
version = ${text(version)}
description = ${text(description)}
readme = "README.md"
license = ${text(license)}
license-files = ["LICENSE", "NOTICE"]
keywords = [${keywords.map((word) => text(word)).join(", ")}]
requires-python = ">=3.8"
${repository ? `\n[project.urls]\nRepository = ${text(repository.url)}\n` : ""}
[tool.maturin]
manifest-path = ${text(manifest)}
bindings = "bin"
`;
}
