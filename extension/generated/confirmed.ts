// Generated from the tool table by `cargo xtask codegen`; do not edit.

/** Tools of which a person confirms what they do. */
export const CONFIRMED: ReadonlySet<string> = new Set([
  "codecortex_applyEdit",
  "codecortex_refactor",
  "codecortex_forget",
  "codecortex_describe",
]);
