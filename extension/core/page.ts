/** The page that a webview is given: everything that moves in it comes from one script. */

/** What a page is made of. */
export interface PageParts {
  /** Where VS Code serves the webview's files from, as the policy names it. */
  cspSource: string;
  script: string;
  style: string;
  /** Said by the policy and by the script, a new one each time. */
  nonce: string;
  title: string;
}

/** The page's HTML. Nothing runs in it but the script, and nothing is fetched but the style. */
export function pageHtml({ cspSource, script, style, nonce, title }: PageParts): string {
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${attribute(title)}</title>
    <link rel="stylesheet" href="${attribute(style)}">
  </head>
  <body>
    <script nonce="${attribute(nonce)}" src="${attribute(script)}"></script>
  </body>
</html>
`;
}

/** A number that nobody can guess, as letters. */
export function freshNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function attribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
