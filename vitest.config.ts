import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "codecortex-wasm": path("dist/wasm/codecortex.js"),
      // what the editor provides exists only inside it
      vscode: path("test/unit/vscode.ts"),
    },
  },
  test: {
    include: ["test/unit/**/*.test.ts"],
  },
});
