/**
 * The MCP server for other agents of the window, where a person asks for it: the command line beside the extension, run by the
 * editor's own Node (SPEC X6). Models of VS Code have the tools already, so it is off unless said.
 */
import { EventEmitter, lm, McpStdioServerDefinition, workspace, type ExtensionContext } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import { toPath } from "../core/paths";

/** The provider's id, in the manifest too. */
const PROVIDER = "codecortex.mcp";
const SETTING = "mcp.offerServer";

/** Offers the server for the window's folders. */
export function offerMcpServer(host: Host, context: ExtensionContext): Disposable {
  const changes = new EventEmitter<void>();
  const changed = () => {
    changes.fire();
  };
  const registered: Disposable[] = [
    changes,
    workspace.onDidChangeWorkspaceFolders(changed),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`codecortex.${SETTING}`)) {
        changed();
      }
    }),
    lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changes.event,
      provideMcpServerDefinitions: () => definitions(host, context),
    }),
  ];
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

/** The server of the folders on the disk; none where the setting is off, or none is open. */
function definitions(host: Host, context: ExtensionContext): McpStdioServerDefinition[] {
  const line = host.platform.commandLine?.(context);
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const isWanted = workspace.getConfiguration("codecortex").get(SETTING) === true;
  if (!isWanted || line === undefined || folders.length === 0) {
    return [];
  }
  const roots = folders.flatMap(({ uri }) => ["--root", toPath(uri, host.platform.windows)]);
  const { version } = context.extension.packageJSON as { version: string };
  const env = { ELECTRON_RUN_AS_NODE: "1" };
  return [new McpStdioServerDefinition("CodeCortex", line.program, [line.script, "mcp", ...roots], env, version)];
}
