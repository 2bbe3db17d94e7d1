/**
 * The door to the VS Code server: a page on a loopback port of its own that a browser opens first.
 *
 * It does two things that have to be done before the workbench loads for the first time:
 *
 * 1. It hands over this run's key as the server's session cookie (a cookie belongs to the host, whatever
 *    the port). The server gives whoever reaches it a terminal, so other users of the machine, and pages
 *    of other sites, must not reach it.
 * 2. It lets VS Code keep its built-in Copilot Chat. On a fresh profile VS Code switches that extension
 *    off until somebody has signed in, although models of one's own work without; the switch is thrown
 *    once, and remembered under one key of the browser's storage. The page is fetched through the
 *    server's own path proxy, therefore belongs to the server's origin, and may write that key.
 */

import { createServer } from "node:http";

const STATE_DATABASE = "vscode-web-state-db-global";
const STATE_STORE = "ItemTable";
const CHAT_KEY = "builtinChatExtensionEnablementMigration";

/** Serves the page; resolves to its address and how to close it. */
export async function startEntryPage({ port, key, cookie, query }) {
  const workbench = `/?${new URLSearchParams(query)}`;
  const server = createServer((request, response) => {
    const own = server.address().port;
    if (request.url === `/enter/${key}`) {
      response.writeHead(302, {
        "Set-Cookie": `${cookie}=${key}; Path=/; HttpOnly; SameSite=Lax`,
        Location: `http://127.0.0.1:${port}/proxy/${own}/prepare`,
        "Referrer-Policy": "no-referrer",
      });
      response.end();
    } else if (request.url?.endsWith("/prepare")) {
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" });
      response.end(preparePage(workbench));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((done, failed) => server.once("error", failed).listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}/enter/${key}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

function preparePage(workbench) {
  return `<!doctype html>
<html lang="en">
<title>Opening VS Code</title>
<p>Opening VS Code …</p>
<script type="module">
${prepareStorage.toString()}
try {
  await prepareStorage(${JSON.stringify([STATE_DATABASE, STATE_STORE, CHAT_KEY]).slice(1, -1)});
} finally {
  location.replace(${JSON.stringify(workbench)});
}
</script>
</html>
`;
}

/* global indexedDB -- the next function runs in the browser */
/** Creates VS Code's own database exactly as VS Code would, and sets the key. */
function prepareStorage(databaseName, storeName, key) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open(databaseName, 1);
    opening.onerror = () => failed(opening.error);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(storeName, "readwrite");
      transaction.objectStore(storeName).put("true", key);
      transaction.onerror = () => failed(transaction.error);
      transaction.oncomplete = () => {
        database.close();
        done();
      };
    };
  });
}
