import type { ExtensionContext } from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import type { Host } from "../../../extension/core/host";
import { offerMcpServer } from "../../../extension/vscode/mcpServer";
import { editor, McpStdioServerDefinition, mcpProviders, Uri, workspace } from "../vscode";

const CONTEXT = { extension: { packageJSON: { version: "1.2.3" } } } as unknown as ExtensionContext;
const folder = (scheme: string, path: string) => ({ name: path.slice(1), uri: Uri.from({ scheme, path }) });

interface Provider {
  onDidChangeMcpServerDefinitions: (listener: () => void) => Disposable;
  provideMcpServerDefinitions: () => McpStdioServerDefinition[];
}

let offered: Disposable;

/** Offers the server in a window; `line` is the command line of the platform. */
function offer(line?: { program: string; script: string }): Provider {
  const platform = { windows: false, ...(line ? { commandLine: () => line } : {}) };
  offered = offerMcpServer({ platform } as unknown as Host, CONTEXT);
  return mcpProviders.get("codecortex.mcp") as Provider;
}

beforeEach(() => {
  workspace.workspaceFolders = [
    folder("file", "/code/app"),
    folder("vscode-vfs", "/remote"),
    folder("file", "/code/lib"),
  ];
  workspace.settings.set("codecortex.mcp.offerServer", true);
});
afterEach(() => {
  offered.dispose();
  workspace.settings.delete("codecortex.mcp.offerServer");
});

describe("the MCP server for other agents", () => {
  it("is the command line beside the extension, for the folders on the disk", () => {
    const { provideMcpServerDefinitions } = offer({ program: "/code", script: "/x/dist/cli.js" });
    const args = ["/x/dist/cli.js", "mcp", "--root", "/code/app", "--root", "/code/lib"];
    expect(provideMcpServerDefinitions()).toEqual([
      new McpStdioServerDefinition("CodeCortex", "/code", args, { ELECTRON_RUN_AS_NODE: "1" }, "1.2.3"),
    ]);
  });

  it("is offered only where a person asked for it", () => {
    workspace.settings.delete("codecortex.mcp.offerServer");
    expect(offer({ program: "/code", script: "/x" }).provideMcpServerDefinitions()).toEqual([]);
  });

  it("needs a folder on a disk and a command line", () => {
    expect(offer().provideMcpServerDefinitions()).toEqual([]);
    offered.dispose();
    workspace.workspaceFolders = [folder("vscode-vfs", "/remote")];
    expect(offer({ program: "/code", script: "/x" }).provideMcpServerDefinitions()).toEqual([]);
  });

  it("tells of a changed setting", () => {
    const told = vi.fn();
    offer({ program: "/code", script: "/x" }).onDidChangeMcpServerDefinitions(told);
    editor.configured.fire({
      affectsConfiguration: (key: string) => key === "codecortex.mcp.offerServer",
    });
    editor.configured.fire({ affectsConfiguration: () => false });
    expect(told).toHaveBeenCalledTimes(1);
  });
});
