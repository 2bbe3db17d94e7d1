/** Calls our tools through VS Code as a model's host would, and reads their envelopes. */

import assert from "node:assert/strict";

export async function call(host, name, input) {
  const { parts, ms } = await host("invokeTool", { name, input });
  assert.equal(parts.length, 1, `${name} answered in ${parts.length} parts`);
  const [text] = parts;
  return { envelope: JSON.parse(text), text, ms };
}

export async function callOk(host, name, input) {
  const { envelope, text, ms } = await call(host, name, input);
  assert.equal(envelope.ok, true, `${name} ${JSON.stringify(input)}: ${text}`);
  return { data: envelope.data, text, ms };
}

/** The names of everything declared in the outline. */
export async function outlineNames(host, input) {
  return namesIn((await callOk(host, "codecortex_getOutline", input)).data);
}

/** The names of the first page of results. */
export async function searchNames(host, labelQuery) {
  return namesIn((await callOk(host, "codecortex_searchApi", { labelQuery })).data);
}

/** Every string under a key `name` or `label`, wherever it stands. */
function namesIn(value) {
  if (Array.isArray(value)) {
    return value.flatMap(namesIn);
  }
  if (value === null || typeof value !== "object") {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === "name" || key === "label") && typeof inner === "string" ? [inner] : namesIn(inner),
  );
}
