#!/usr/bin/env node
/**
 * What a language server says about a folder of sources: definitions and references of a draw of its names, in the
 * form that `bench/truth.mjs` reads.
 *
 *     node bench/oracles/lsp.mjs OUT LANG-CORPUS SAMPLE ROOT .EXTENSION,… -- SERVER [ARGUMENT…]
 *
 * A use counts where the server's references and its definition at the place agree. Where they differ, or the server
 * knows nothing, it counts neither way. Names in comments and strings are not asked for. Lines and characters count
 * from 0, characters in UTF-16 units. `WAIT` are milliseconds that the server gets at least before it is asked; it
 * gets longer while it says that it is busy. `INIT` is what it is told at its start, as JSON.
 */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

import rpc from "vscode-jsonrpc/node";

/** Kinds of the protocol in the words of the scorer; empty where none of its kinds is meant. */
const KINDS = {
  5: "class",
  6: "method",
  7: "field",
  8: "field",
  10: "class",
  11: "class",
  12: "function",
  13: "variable",
  14: "variable",
  22: "field",
  23: "class",
};

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const C_LIKE = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'`;
/** Comments, strings and names. */
const TOKENS = {
  python: String.raw`#[^\n]*|("""|''')[\s\S]*?\1|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|${NAME}`,
  rust: String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|'[a-z_]\w*|${NAME}`,
};

/** At most so many uses are asked for of a name; of more the draw takes none. */
const MOST_USES = 3000;
/** So many names are asked whether they are locals. */
const MOST_LOCALS = 4000;

const key = ({ file, line, character }) => `${file}:${line}:${character}`;
const triple = ({ file, line, character }) => [file, line, character];
const plain = ({ file, line, character }) => ({ file, line, character });

function* filesIn(folder, endings) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !["node_modules", "target", ".git"].includes(entry.name)) {
      yield* filesIn(path, endings);
    } else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
      yield path;
    }
  }
}

/** The names that are written in a text, in order. */
function namesOf(file, text, language) {
  const names = [];
  const isName = new RegExp(`^${NAME}$`, "u");
  let [line, start] = [0, 0];
  for (const match of text.matchAll(new RegExp(TOKENS[language] ?? `${C_LIKE}|${NAME}`, "gu"))) {
    if (!isName.test(match[0])) continue;
    for (let end; (end = text.indexOf("\n", start)) >= 0 && end < match.index; start = end + 1) line += 1;
    names.push({ name: match[0], file, line, character: match.index - start });
  }
  return names;
}

/** A language server with all files of a folder open. */
class Server {
  constructor(root, command, options) {
    this.root = root;
    this.definitions = new Map();
    this.uses = new Map();
    this.child = spawn(command, options, { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
    this.connection = rpc.createMessageConnection(
      new rpc.StreamMessageReader(this.child.stdout),
      new rpc.StreamMessageWriter(this.child.stdin),
    );
    this.busy = new Set();
    this.connection.onNotification("$/progress", ({ token, value }) => {
      this.heard = Date.now();
      if (value.kind === "end") this.busy.delete(token);
      else this.busy.add(token);
    });
    this.connection.onRequest("window/workDoneProgress/create", () => null);
    this.connection.onRequest("client/registerCapability", () => null);
    this.connection.onRequest("workspace/configuration", ({ items }) => items.map(() => null));
    this.connection.listen();
  }

  async open(texts, language) {
    const uri = pathToFileURL(this.root).href;
    await this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "root" }],
      initializationOptions: process.env.INIT ? JSON.parse(process.env.INIT) : undefined,
      capabilities: {
        window: { workDoneProgress: true },
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, definition: {}, references: {} },
      },
    });
    await this.connection.sendNotification("initialized", {});
    for (const [file, text] of texts) {
      const languageId = /\.[jt]sx$/.test(file) ? `${language}react` : language;
      const textDocument = { uri: this.uri(file), languageId, version: 1, text };
      await this.connection.sendNotification("textDocument/didOpen", { textDocument });
    }
    const began = Date.now();
    const least = Number(process.env.WAIT ?? 5000);
    const isReady = () => Date.now() - began > least && this.busy.size === 0 && !(Date.now() - this.heard < 2000);
    while (!isReady()) await pause(200);
  }

  uri(file) {
    return pathToFileURL(join(this.root, file)).href;
  }

  place(location) {
    const uri = location.targetUri ?? location.uri;
    const { start } = location.targetSelectionRange ?? location.range;
    return { file: uri.startsWith("file:") ? relative(this.root, fileURLToPath(uri)) : uri, ...start };
  }

  /** Places that the server answers with about a name. */
  async ask(method, { file, line, character }, rest) {
    const position = { line, character };
    const params = { textDocument: { uri: this.uri(file) }, position, ...rest };
    const answer = await this.connection.sendRequest(`textDocument/${method}`, params).catch(() => null);
    return [answer ?? []].flat().map((location) => this.place(location));
  }

  async definition(name) {
    const at = key(name);
    if (!this.definitions.has(at)) this.definitions.set(at, await this.ask("definition", name));
    return this.definitions.get(at);
  }

  async references(name) {
    const at = key(name);
    if (!this.uses.has(at)) {
      this.uses.set(at, await this.ask("references", name, { context: { includeDeclaration: true } }));
    }
    return this.uses.get(at);
  }

  /** What the outline of a file lists, by the place of its name. */
  async declared(file, into) {
    const textDocument = { uri: this.uri(file) };
    const outline = await this.connection.sendRequest("textDocument/documentSymbol", { textDocument }).catch(() => []);
    const take = (symbol) => {
      if (symbol.selectionRange) {
        const kind = KINDS[symbol.kind] ?? "";
        into.set(key({ file, ...symbol.selectionRange.start }), { kind, raw: String(symbol.kind), scope: "global" });
      }
      symbol.children?.forEach(take);
    };
    outline?.forEach(take);
  }
}

/** The same order in every run. */
function shuffled(all) {
  let seed = 1;
  const order = [...all];
  for (let last = order.length - 1; last > 0; last -= 1) {
    seed = (seed * 48271) % 2147483647;
    const other = seed % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** About so many declarations, the same number of each kind and of names that are written rarely and often. */
async function draw(server, names, byName, declared, sample) {
  const groups = new Map();
  let asked = 0;
  for (const name of shuffled(names)) {
    const uses = byName.get(name.name).length;
    let about = declared.get(key(name));
    if (uses < 2 || uses > MOST_USES || about?.kind === "") continue;
    if (!about) {
      if ((asked += 1) > MOST_LOCALS) continue;
      const targets = await server.definition(name);
      if (targets.length !== 1 || key(targets[0]) !== key(name)) continue;
      about = { kind: "variable", raw: "local", scope: "local" };
    }
    const popularity = uses <= 5 ? "rare" : uses <= 40 ? "mid" : "common";
    const group = `${about.kind} ${popularity}`;
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push({ name, about, popularity });
  }
  const rounds = Math.max(...[...groups.values()].map((group) => group.length));
  const drawn = [];
  for (let round = 0; round < rounds && drawn.length < sample; round += 1) {
    for (const group of groups.values()) if (group[round]) drawn.push(group[round]);
  }
  return drawn;
}

/** A line of the truth: a declaration and what counts as a use of it. `null` where the server knows no such thing. */
async function truthOf(server, { name, about, popularity }, same, declared) {
  const self = await server.definition(name);
  if (!self.some((place) => key(place) === key(name))) return null;
  const listed = new Set((await server.references(name)).map(key));
  if (!listed.delete(key(name))) return null;
  const mine = new Set([key(name), ...self.map(key).filter((place) => listed.has(place))]);
  const near = new Set([...mine, ...self.map(key)]);
  const [references, alternatives, unknown, disputed] = [[], [], [], []];
  for (const other of same) {
    const at = key(other);
    if (at === key(name)) continue;
    const targets = await server.definition(other);
    const leadsHere = targets.some((target) => near.has(key(target)));
    const isListed = listed.delete(at);
    if (isListed && (declared.has(at) || targets.some((target) => key(target) === at))) {
      alternatives.push(plain(other));
      mine.add(at);
    } else if (isListed && targets.length > 0 && targets.every((target) => mine.has(key(target)))) {
      references.push(plain(other));
    } else if (isListed || leadsHere) {
      disputed.push(triple(other));
    } else if (targets.length === 0) {
      unknown.push(triple(other));
    }
  }
  // uses under another name, or in comments and strings
  for (const place of listed) {
    const [, file, line, character] = /^(.*):(\d+):(\d+)$/.exec(place);
    disputed.push([file, Number(line), Number(character)]);
  }
  const end = { endLine: name.line, endCharacter: name.character + name.name.length };
  return {
    kind: about.kind,
    kind_raw: about.raw,
    scope: about.scope,
    name: name.name,
    popularity,
    name_tokens: same.length,
    same_name_defs: 1,
    definition: { ...plain(name), ...end },
    alt_definitions: alternatives,
    references,
    ignore: { unknown, disputed },
  };
}

const [out, corpus, sample, root, endings, , command, ...options] = process.argv.slice(2);
if (!command) throw new Error("Arguments are missing: see the head of this file.");
const language = corpus.split("-")[0];
const texts = new Map();
for (const path of [...filesIn(root, endings.split(","))].sort()) {
  texts.set(relative(root, path), readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
}
const names = [...texts].flatMap(([file, text]) => namesOf(file, text, language));
const byName = new Map(names.map(({ name }) => [name, []]));
for (const name of names) byName.get(name.name).push(name);
const server = new Server(root, command, options);
await server.open(texts, language);
const declared = new Map();
// Servers keep few files read: all that is asked of one is asked at once.
for (const file of texts.keys()) {
  await server.declared(file, declared);
  await Promise.all(names.filter((name) => name.file === file).map((name) => server.definition(name)));
}
const lines = [];
const drawn = await draw(server, names, byName, declared, Number(sample));
for (const file of texts.keys()) {
  for (const { name } of drawn) if (name.file === file) await server.references(name);
}
for (const one of drawn) {
  const line = await truthOf(server, one, byName.get(one.name.name), declared);
  if (line) lines.push(JSON.stringify({ lang: language, corpus, ...line }));
}
writeFileSync(join(out, `${corpus}.jsonl`), `${lines.join("\n")}\n`);
console.log(`${lines.length} symbols of ${names.length} names in ${texts.size} files`);
server.connection.dispose();
server.child.kill();
