/**
 * Bundles extension/ into dist/: for the desktop an entry and two workers of Node, for VS Code on the web an
 * entry and two web workers. The module itself lies beside them, dist/wasm/codecortex_bg.wasm; who starts the
 * workers reads it and hands it to them. Each page has a bundle of its own, and so has the
 * command line of the npm package, which starts the desktop's workers.
 */

const path = require("node:path");

const { BannerPlugin } = require("webpack");

const sources = (entries) =>
  Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.resolve(__dirname, "extension", file)]));

/** @returns {import('webpack').Configuration} */
function bundle(name, target, entries, options) {
  return {
    name,
    target,
    mode: "production",
    devtool: "source-map",
    entry: sources(entries),
    resolve: {
      extensions: [".ts", ".js"],
      alias: { "codecortex-wasm": path.resolve(__dirname, "dist/wasm/codecortex.js") },
    },
    module: {
      parser: { javascript: { exportsPresence: "error", createRequire: false } },
      // types are checked by tsc, once for all bundles
      rules: [{ test: /\.ts$/, exclude: /node_modules/, loader: "ts-loader", options: { transpileOnly: true } }],
    },
    optimization: { splitChunks: false },
    performance: { hints: false },
    infrastructureLogging: { level: "error" },
    ...options,
  };
}

const dist = path.resolve(__dirname, "dist");
const vscode = { vscode: "commonjs vscode" };
const commonjs = (folder) => ({ path: folder, filename: "[name].js", library: { type: "commonjs2" } });

/** Library types are for hosts that call `require`; a worker is only run. */
const script = (folder) => ({ path: folder, filename: "[name].js" });

module.exports = [
  bundle("desktop", "node22", { extension: "vscode/main.ts" }, { output: commonjs(dist), externals: vscode }),
  bundle(
    "desktop workers",
    "node22",
    { "engine.worker": "worker/engine.node.ts", "parse.worker": "worker/parse.node.ts" },
    { output: script(dist) },
  ),
  bundle(
    "command line",
    "node20",
    { cli: "node/main.ts" },
    {
      output: script(path.join(dist, "node")),
      node: { __dirname: false, __filename: false },
      plugins: [new BannerPlugin({ banner: "#!/usr/bin/env node", raw: true })],
    },
  ),
  bundle(
    "web",
    "webworker",
    { extension: "vscode/main.web.ts" },
    { output: commonjs(path.join(dist, "web")), externals: vscode },
  ),
  bundle(
    "web workers",
    "webworker",
    { "engine.worker": "worker/engine.web.ts", "parse.worker": "worker/parse.web.ts" },
    { output: script(path.join(dist, "web")) },
  ),
  bundle(
    "webview",
    "web",
    { window: "webview/main.ts", telemetry: "webview/telemetry.ts", graph: "webview/graph.ts" },
    { output: script(path.join(dist, "webview")) },
  ),
];
