/** Colours of the drawing, from the theme's variables; a canvas knows no variables itself. */
import type { Palette } from "../core/graphDrawing";

/** The variables of each role, the first that the theme has. */
const VARIABLES: Readonly<Record<Exclude<keyof Palette, "font">, readonly string[]>> = {
  background: ["--vscode-editor-background"],
  text: ["--vscode-editor-foreground", "--vscode-foreground"],
  muted: ["--vscode-descriptionForeground", "--vscode-foreground"],
  box: ["--vscode-editorWidget-background", "--vscode-editor-background"],
  border: ["--vscode-contrastBorder", "--vscode-descriptionForeground"],
  edge: ["--vscode-descriptionForeground", "--vscode-foreground"],
  base: ["--vscode-charts-blue", "--vscode-textLink-foreground"],
  cycle: ["--vscode-charts-red", "--vscode-errorForeground"],
  start: ["--vscode-editorWarning-foreground", "--vscode-charts-orange"],
  selected: ["--vscode-contrastActiveBorder", "--vscode-focusBorder"],
};

/** Reads them. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const first = (names: readonly string[]) => names.map((name) => style.getPropertyValue(name).trim()).find(Boolean);
  const colors = Object.entries(VARIABLES).map(([role, names]) => [role, first(names) ?? "currentColor"] as const);
  const font = first(["--vscode-font-family"]) ?? "sans-serif";
  return { ...Object.fromEntries(colors), font } as unknown as Palette;
}

/** Does something whenever the theme is another one. */
export function followTheme(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style", "class"] });
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
}
