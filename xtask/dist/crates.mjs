/** The crates, in the form that `cargo publish` sends: what `cargo install codecortex` needs. */

import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { root } from "../lib/context.mjs";
import { required } from "./product.mjs";

/** Packs the crates that are published into `out`. */
export async function packCrates({ exec, out }) {
  const metadata = JSON.parse(await exec("cargo", ["metadata", "--locked", "--no-deps", "--format-version", "1"]));
  // cargo says `null` for anywhere and a list of registries otherwise
  const isPublished = ({ publish }) => publish === null;
  const kept = metadata.packages.filter((found) => !isPublished(found)).flatMap(({ name }) => ["--exclude", name]);
  await exec("cargo", ["package", "--workspace", "--locked", "--no-verify", "--allow-dirty", ...kept], { cwd: root });
  mkdirSync(out, { recursive: true });
  for (const { name, version } of metadata.packages.filter(isPublished)) {
    const file = `${name}-${version}.crate`;
    copyFileSync(required(join(metadata.target_directory, "package", file), "`cargo package`"), join(out, file));
  }
}
