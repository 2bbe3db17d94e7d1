#!/usr/bin/env node
/** Runs webpack with webpack.config.js; `--watch` goes on doing so. Its own command line wants a newer Node. */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const webpack = require("webpack");
const compiler = webpack(require("../webpack.config.js"));

function report(error, stats) {
  if (error) {
    console.error(error.stack ?? error);
  } else {
    console.log(stats.toString({ preset: stats.hasErrors() ? "errors-only" : "errors-warnings", colors: false }));
  }
  return Boolean(error) || stats.hasErrors();
}

if (process.argv.includes("--watch")) {
  compiler.watch({}, report);
} else {
  compiler.run((error, stats) => {
    const failed = report(error, stats);
    compiler.close(() => {
      process.exitCode = failed ? 1 : 0;
    });
  });
}
