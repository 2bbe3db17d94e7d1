/** Text in Markdown. */

/** Text that Markdown shows as it is. */
export function escaped(plain: string): string {
  return plain.replace(/[\\`*_{}[\]()#+!|<>&~-]/g, "\\$&").replace(/\s+/g, " ");
}

/** Text of whoever wrote it: nothing in it becomes a link either, as bare addresses would. */
export function plain(text: string): string {
  return escaped(text).replace(/[:@.]/g, "\\$&");
}
