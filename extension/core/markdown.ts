/** Text in Markdown. */

/** Text that Markdown shows as it is. */
export function escaped(plain: string): string {
  return plain.replace(/[\\`*_{}[\]()#+!|<>&~-]/g, "\\$&").replace(/\s+/g, " ");
}
