/**
 * Whether an answer is as its tool's schema says: the part of JSON Schema that the tool table uses, and two rules
 * that the generated types of the extension rely on: there are no fields besides, and one that may be absent is
 * never `null`.
 */

/** Where a value is not as the schema says, as a sentence; undefined where it is. */
export function nonconformity(schema, value, path = "answer") {
  if (schema === true) {
    return undefined;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const problems = choices.map((choice) => nonconformity(choice, value, path));
    return problems.includes(undefined) ? undefined : problems.at(0);
  }
  const constants = schema.enum ?? ("const" in schema ? [schema.const] : undefined);
  if (constants && !constants.includes(value)) {
    return `${path} is ${JSON.stringify(value)}, not one of ${JSON.stringify(constants)}`;
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    return `${path} is ${JSON.stringify(value)?.slice(0, 80)}, not ${types.join(" or ")}`;
  }
  if (Array.isArray(value)) {
    const itemAt = (index) => (Array.isArray(schema.items) ? schema.items[index] : schema.items) ?? true;
    return first(value.map((item, index) => nonconformity(itemAt(index), item, `${path}[${index}]`)));
  }
  return isOf("object", value) ? inObject(schema, value, path) : undefined;
}

function inObject({ properties = {}, required = [], additionalProperties }, value, path) {
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) {
    return `${path} has no ${missing}`;
  }
  return first(
    Object.entries(value).map(([name, field]) => {
      const schema = properties[name] ?? additionalProperties;
      if (schema === undefined) {
        return `${path}.${name} is not in the schema`;
      }
      if (field === null && name in properties && !required.includes(name)) {
        return `${path}.${name} is null instead of absent`;
      }
      return nonconformity(schema, field, `${path}.${name}`);
    }),
  );
}

function isOf(type, value) {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function first(problems) {
  return problems.find((problem) => problem !== undefined);
}
