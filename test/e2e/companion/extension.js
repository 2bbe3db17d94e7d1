/**
 * The tests' hand inside the extension host: a loopback HTTP door through which the runner, a process of
 * its own, calls the VS Code API beside the real extension and reads what it says.
 *
 * It starts with the host (activation event `*`) and begins a CPU profile at once, so that the cost of
 * our own activation, which comes later, can be read from it.
 */

"use strict";

const { createServer } = require("node:http");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

const { createProfiler } = require("./profiler.js");

const OPERATIONS = {
  state,
  tools: () => vscode.lm.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  invokeTool,
  commands: async ({ prefix }) => (await vscode.commands.getCommands(true)).filter((id) => id.startsWith(prefix)),
  execute: async ({ id, args = [] }) => (await vscode.commands.executeCommand(id, ...args)) ?? null,
  open: async ({ path, line = 1 }) => {
    const selection = new vscode.Range(line - 1, 0, line - 1, 0);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fileUri(path)), { selection });
    return null;
  },
  edit,
  text: async ({ path }) => {
    const document = await vscode.workspace.openTextDocument(fileUri(path));
    return { text: document.getText(), isDirty: document.isDirty, languageId: document.languageId };
  },
  languages: ({ id }) => {
    const contributes = ({ packageJSON }) => packageJSON.contributes?.languages?.some((language) => language.id === id);
    return vscode.extensions.all.filter(contributes).map((extension) => extension.id.toLowerCase());
  },
  tabs: () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label)),
  provide,
  isActive: ({ id }) => vscode.extensions.getExtension(id)?.isActive ?? null,
  activeText: () => ({ text: vscode.window.activeTextEditor?.document.getText() ?? null }),
  setting: async ({ key, value }) => {
    await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Workspace);
    return null;
  },
  profileStart: () => profiler.start(),
  profileStop: ({ folder }) => profiler.stop(folder),
};

const profiler = createProfiler();

async function activate() {
  await profiler.start();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) {
      body += chunk;
    }
    const { operation, parameters } = JSON.parse(body);
    const answer = await answerOf(operation, parameters ?? {});
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1", () => {
    writeFileSync(join(process.env.CODECORTEX_E2E_FOLDER, "companion-port"), String(server.address().port));
  });
}

async function answerOf(operation, parameters) {
  try {
    return { value: await OPERATIONS[operation](parameters) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function state({ extension }) {
  const ours = vscode.extensions.getExtension(extension);
  const copilot = vscode.extensions.getExtension("GitHub.copilot-chat");
  return {
    ours: ours && { isActive: ours.isActive, version: ours.packageJSON.version, folder: ours.extensionPath },
    copilot: copilot && { isActive: copilot.isActive, version: copilot.packageJSON.version },
    vscode: vscode.version,
    node: process.version,
    roots: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
  };
}

async function invokeTool({ name, input, tokenBudget, cancelAfterMs }) {
  const source = new vscode.CancellationTokenSource();
  const timer = cancelAfterMs === undefined ? undefined : setTimeout(() => source.cancel(), cancelAfterMs);
  const options = { input, toolInvocationToken: undefined };
  if (tokenBudget !== undefined) {
    // nobody asks for a count: our tools have their own
    options.tokenizationOptions = { tokenBudget, countTokens: async (text) => Math.ceil(text.length / 4) };
  }
  const started = performance.now();
  try {
    const result = await vscode.lm.invokeTool(name, options, source.token);
    const parts = result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : null));
    return { parts, ms: performance.now() - started };
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}

/** Replaces the first `find` of the document by `replace`, as typing would: unsaved unless `save`. */
async function edit({ path, find, replace, save }) {
  const document = await vscode.workspace.openTextDocument(fileUri(path));
  const start = document.getText().indexOf(find);
  if (start < 0) {
    throw new Error(`no ${JSON.stringify(find)} in ${path}`);
  }
  const change = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + find.length));
  change.replace(document.uri, range, replace);
  const applied = await vscode.workspace.applyEdit(change);
  return { applied, saved: save ? await document.save() : false, isDirty: document.isDirty };
}

/** What a command says that asks language providers at a place; `then` is asked about each of its items. */
async function provide({ command, path, line, character, query, then }) {
  const args = query === undefined ? [fileUri(path)] : [query];
  if (line !== undefined) {
    args.push(new vscode.Position(line - 1, character - 1));
  }
  let found = await vscode.commands.executeCommand(command, ...args);
  if (then !== undefined) {
    const lists = await Promise.all((found ?? []).map((item) => vscode.commands.executeCommand(then, item)));
    found = lists.flat();
  }
  return (found ?? []).map(plain);
}

/** The parts of a place, a symbol or an item of a hierarchy that a test compares. */
function plain(entry) {
  const item = entry.from ?? entry.to ?? entry;
  const uri = item.targetUri ?? item.uri ?? item.location?.uri;
  const range = item.targetSelectionRange ?? item.selectionRange ?? item.range ?? item.location?.range;
  return {
    name: item.name,
    path: uri && vscode.workspace.asRelativePath(uri, false),
    line: range?.start && range.start.line + 1,
    children: item.children?.map(plain),
    calls: entry.fromRanges?.length,
    text: item.contents?.map((part) => part.value ?? part),
  };
}

function fileUri(path) {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, path);
}

module.exports = { activate };
