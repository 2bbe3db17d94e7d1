/** Whether an answer holds what a case expects; the rules are in README.md. */

const OPERATORS = {
  absent: (_, actual) => actual === undefined,
  includes: (part, actual) => typeof actual === "string" && actual.includes(part),
  contains: (entries, actual) =>
    Array.isArray(actual) && entries.every((entry) => actual.some((item) => mismatch(entry, item) === undefined)),
  atMost: (most, actual) => typeof actual === "number" && actual <= most,
};

/** The first place where `actual` does not hold what is expected, and why; undefined where it does. */
export function mismatch(expected, actual, place = "answer") {
  const [name, argument] = operator(expected) ?? [];
  const say = (what) => `${place} is ${JSON.stringify(actual)}: not ${what}`;
  if (name) {
    return OPERATORS[name]?.(argument, actual) ? undefined : say(`$${name} ${JSON.stringify(argument)}`);
  }
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length === expected.length
      ? first(expected.map((value, index) => mismatch(value, actual[index], `${place}[${index}]`)))
      : say(JSON.stringify(expected));
  }
  if (typeof expected === "object" && expected !== null) {
    return typeof actual === "object" && actual !== null
      ? first(Object.entries(expected).map(([key, value]) => mismatch(value, actual[key], `${place}.${key}`)))
      : say(JSON.stringify(expected));
  }
  return expected === actual ? undefined : say(JSON.stringify(expected));
}

/** What an object with one `$` field stands for. */
function operator(expected) {
  if (typeof expected !== "object" || expected === null) {
    return undefined;
  }
  const entries = Object.entries(expected);
  const [[key, argument] = [""]] = entries;
  return entries.length === 1 && key.startsWith("$") ? [key.slice(1), argument] : undefined;
}

function first(problems) {
  return problems.find((problem) => problem !== undefined);
}
