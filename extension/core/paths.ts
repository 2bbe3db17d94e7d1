/**
 * The engine's paths and the editor's addresses.
 *
 * The engine knows absolute paths with `/`. A file on the disk keeps its path: `/code/a.ts`,
 * `c:/code/a.ts` (drive letters in lower case, as VS Code writes them), `//server/share/a.ts`. Any
 * other scheme becomes a path that cannot be mistaken for one: `/scheme:/authority/path`, with `-`
 * for an empty authority.
 */

/** The parts of a `vscode.Uri` that count here. */
export interface UriParts {
  scheme: string;
  authority: string;
  path: string;
}

const DRIVE = /^\/([A-Za-z]):(?=\/|$)/;
// Schemes have two letters or more: `/c:` is a folder.
const VIRTUAL = /^\/([a-z][a-z0-9+.-]+):\/([^/]*)(.*)$/;
const NO_AUTHORITY = "-";

/** The engine's path of an address, without `/` at the end. */
export function toPath(uri: UriParts, windows: boolean): string {
  const path = uri.path.replace(/\/+$/, "");
  if (uri.scheme !== "file") {
    const authority = uri.authority === NO_AUTHORITY ? "%2D" : encodeURIComponent(uri.authority);
    return `/${uri.scheme}:/${authority || NO_AUTHORITY}${path}`;
  }
  if (uri.authority !== "") {
    return `//${uri.authority}${path}`;
  }
  return windows ? path.replace(DRIVE, (_, letter: string) => `${letter.toLowerCase()}:`) : path;
}

/** The address of an engine's path. */
export function toUri(path: string, windows: boolean): UriParts {
  const virtual = VIRTUAL.exec(path);
  if (virtual) {
    const [, scheme = "", authority = "", rest = ""] = virtual;
    return { scheme, authority: authority === NO_AUTHORITY ? "" : decodeURIComponent(authority), path: rest || "/" };
  }
  if (path.startsWith("//")) {
    const end = path.indexOf("/", 2);
    const authority = end < 0 ? path.slice(2) : path.slice(2, end);
    return { scheme: "file", authority, path: end < 0 ? "/" : path.slice(end) };
  }
  if (windows && /^[a-z]:/i.test(path)) {
    return { scheme: "file", authority: "", path: path.length === 2 ? `/${path}/` : `/${path}` };
  }
  return { scheme: "file", authority: "", path: path || "/" };
}

/** Whether only the editor can read this path. */
export function isVirtual(path: string): boolean {
  return VIRTUAL.test(path);
}

/** A path as the operating system writes it, in the engine's form. */
export function fromNative(path: string, windows: boolean): string {
  if (!windows) {
    return path;
  }
  // realpath answers `\\?\C:\…` and `\\?\UNC\server\…` for long names.
  const plain = path.replace(/^\\\\\?\\UNC\\/, "\\\\").replace(/^\\\\\?\\/, "");
  return plain.replaceAll("\\", "/").replace(/^([A-Za-z]):/, (_, letter: string) => `${letter.toLowerCase()}:`);
}

/** A folder of a root as an absolute path that the file system takes. */
export function joinPath(root: string, relative: string): string {
  if (relative !== "") {
    return `${root}/${relative}`;
  }
  // `/` and `c:/` lost their only slash; without it they would mean the current folder.
  return root === "" || /^[a-z]:$/i.test(root) ? `${root}/` : root;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The ending of a path's last part without its dot, in small letters; that part where it has none. */
export function endingOf(path: string): string {
  const name = baseName(path);
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/** Those paths that are below none of the others, in order. */
export function topmost(paths: Iterable<string>): string[] {
  const all = new Set(paths);
  const isBelowAnother = (path: string): boolean => {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (all.has(path.slice(0, end))) {
        return true;
      }
    }
    return false;
  };
  return [...all].filter((path) => !isBelowAnother(path)).sort();
}
