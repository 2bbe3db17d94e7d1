/**
 * Names that a file system may take for other ones: another case, an invisible letter, a short name, a device (SPEC D28).
 *
 * `crates/protocol/src/file_names.rs` is its twin; both hold the cases of `test/contract/edit-names`.
 */

/** Folders that programs keep for themselves. */
const OWNED = [".git", ".context"];

/** What Windows opens a device for, whatever ending follows. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/;

/** What is not seen, and what `İ` leaves of its dot. HFS+ skips such code points when it compares. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\u0307]/gu;

/** Why a path may lead elsewhere than it says. */
export type NameProblem = "owned" | "unportable";

/** What is wrong with the parts of a path below a folder; the worst of it. */
export function nameProblem(path: string): NameProblem | undefined {
  // To Windows a backslash is a separator.
  if (path.split(/[/\\]/).some(isOwned)) {
    return "owned";
  }
  return path.split("/").some(isUnportable) ? "unportable" : undefined;
}

/** Whether a part of a path below a folder begins with a dot: what other programs read without being told to. */
export function isHidden(path: string): boolean {
  return path.split(/[/\\]/).some((part) => folded(part).startsWith("."));
}

function isOwned(part: string): boolean {
  // What follows a colon names a stream of the file before it.
  const [stem = ""] = folded(part).split(":");
  const name = stem.replace(/[. ]+$/, "");
  return name === "" || OWNED.some((owned) => owned === name || isShort(name, owned.slice(1)));
}

/** Whether Windows may have given a name to `long` for old programs: its first letters, or two of them and a checksum. */
function isShort(name: string, long: string): boolean {
  const stem = /^(.*)~[0-9]+$/su.exec(name)?.[1] ?? "";
  const isBeginning = stem.length >= 2 && long.startsWith(stem);
  return isBeginning || (/^..[0-9a-f]{4}$/.test(stem) && long.startsWith(stem.slice(0, 2)));
}

function isUnportable(part: string): boolean {
  const [stem = ""] = folded(part).split(/[.:]/);
  return DEVICE.test(stem.replace(/ +$/, "")) || /[:\\]|[. ]$/.test(part);
}

/** A name without regard to case and to what is not seen. `ı` and `ſ` are letters of ASCII in upper case. */
function folded(part: string): string {
  return part.replace(IGNORED, "").toUpperCase().toLowerCase().replace(IGNORED, "");
}
