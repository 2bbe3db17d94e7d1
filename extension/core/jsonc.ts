/** JSON as people write it into `.context/config.json`: with comments and trailing commas. */

const STRING_OR_COMMENT = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const STRING_OR_COMMA = /"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g;

/** What a text says; fails where it is no JSON either. */
export function parseJsonc(text: string): unknown {
  const keepStrings = (found: string): string => (found.startsWith('"') ? found : "");
  return JSON.parse(text.replace(STRING_OR_COMMENT, keepStrings).replace(STRING_OR_COMMA, keepStrings));
}
