/** Texts of code without comments, blanks and what formatters add, for a comparison of two texts. */

/** What begins a comment or string in a language, by the ending of a file's name, as parts of one expression. */
const C_LIKE = String.raw`\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'`;
const LANGUAGES = {
  py: String.raw`#[^\n]*|"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'`,
  go: `${C_LIKE}|${"`[^`]*`"}`,
  java: C_LIKE,
  cs: C_LIKE,
  rs: String.raw`\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\[^]|[^"\\])*"`,
  ts: `${C_LIKE}|${"`(?:\\\\[^]|[^`\\\\])*`"}`,
};

/** A text without comments, layout and commas before a bracket; nothing of a file that is no code. */
export function withoutLayout(path, text) {
  const language =
    LANGUAGES[
      path
        .split(".")
        .at(-1)
        .replace(/^tsx$|^js$|^mts$/, "ts")
    ];
  if (language === undefined) {
    return "";
  }
  const isComment = (token) => /^(?:\/\/|\/\*|#|"""|''')/.test(token);
  const kept = [];
  const code = text.replace(new RegExp(language, "g"), (token) => {
    if (isComment(token)) {
      return " ";
    }
    kept.push(token);
    return `\ue000${kept.length - 1}\ue001`;
  });
  const bare = code
    .replace(/\s+/g, " ")
    .replace(/ ?([^\w\ue000\ue001]) ?/g, "$1")
    .replace(/,([)\]}])/g, "$1");
  return bare.replace(/\ue000(\d+)\ue001/g, (_, index) => kept[index]).trim();
}
