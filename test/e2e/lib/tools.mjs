/** Calls our tools through VS Code as a model's host would, and reads their envelopes. */

import assert from "node:assert/strict";

/** `tokenBudget` is what a model's host grants the answer; without it, none is told. */
export async function call(host, name, input, tokenBudget) {
  const { parts, ms } = await host("invokeTool", { name, input, tokenBudget });
  assert.equal(parts.length, 1, `${name} answered in ${parts.length} parts`);
  const [text] = parts;
  return { envelope: JSON.parse(text), text, ms };
}

export async function callOk(host, name, input, tokenBudget) {
  const { envelope, text, ms } = await call(host, name, input, tokenBudget);
  assert.equal(envelope.ok, true, `${name} ${JSON.stringify(input)}: ${text}`);
  return { data: envelope.data, text, ms };
}

/** The names of everything declared in the outline. */
export async function outlineNames(host, input) {
  return (await callOk(host, "codecortex_getOutline", input)).data.declarations.map(({ name }) => name);
}

/** The names of the first page of results. */
export async function searchNames(host, labelQuery) {
  return (await callOk(host, "codecortex_searchApi", { labelQuery })).data.items.map(({ name }) => name);
}

/** Whether every file is in the index. */
export async function isReady(host) {
  const { phase, pending } = (await callOk(host, "codecortex_status", {})).data;
  return phase === "ready" && pending === 0;
}
