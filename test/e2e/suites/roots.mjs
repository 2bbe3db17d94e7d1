/** A workspace of two folders that both have the file `web/src/cart.ts`. */

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { call, isReady, outlineNames, searchNames } from "../lib/tools.mjs";

export const rootsTests = {
  "both folders are in the index": async ({ host }) => {
    await until("the index is ready", () => isReady(host));
    const names = await searchNames(host, "Cart");
    assert.ok(names.includes("Cart") && names.includes("SecondCart"), String(names));
  },

  "a path that both have is never guessed": async ({ host }) => {
    const { envelope, text } = await call(host, "codecortex_getOutline", { filePath: "web/src/cart.ts" });
    assert.equal(envelope.ok, false, text);
    assert.equal(envelope.error.code, "InvalidParams", text);
    assert.match(text, /workspace\/web\/src\/cart\.ts/);
    assert.match(text, /second\/web\/src\/cart\.ts/);
  },

  "the folder's name in front makes it clear": async ({ host }) => {
    assert.ok((await outlineNames(host, { filePath: "second/web/src/cart.ts" })).includes("SecondCart"));
    assert.ok((await outlineNames(host, { filePath: "workspace/web/src/cart.ts" })).includes("Cart"));
  },
};
