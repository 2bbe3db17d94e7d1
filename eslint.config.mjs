import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import globals from "globals";
import typescript from "typescript-eslint";

const EDITOR_FREE = "logic that does not need the editor is tested without it: pass in what is needed";

/** What `folders` must not import; types are free, they are gone at run time. */
const layer = (files, patterns, message) => ({
  files,
  rules: {
    "@typescript-eslint/no-restricted-imports": [
      "error",
      { patterns: [{ group: patterns, message, allowTypeImports: true }] },
    ],
  },
});

export default defineConfig(
  {
    ignores: [
      "dist/",
      "target/",
      "target-wasm/",
      ".cache/",
      "test-results/",
      "**/node_modules/",
      "extension/generated/",
      "test/fixtures/",
      "crates/",
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: "error",
    },
  },
  { files: ["extension/**/*.ts"], rules: { "no-console": "error" } },
  layer(["extension/core/**/*.ts"], ["vscode", "node:*", "**/vscode/**", "**/worker/**"], EDITOR_FREE),
  layer(["extension/worker/**/*.ts"], ["vscode", "**/vscode/**"], "a worker has no editor: send a message"),
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: globals.node },
    rules: { eqeqeq: "error" },
  },
  {
    files: ["webpack.config.js", "test/e2e/companion/*.js", "test/e2e/sleeper/*.js"],
    languageOptions: { sourceType: "commonjs", globals: globals.node },
  },
);
