/** How an exported graph of dependencies becomes a document. */
import type { GraphData } from "../generated/answers";

/** What a graph can be written as. */
export const NOTATIONS = [
  { label: "Mermaid", description: "in Markdown, for the built-in preview", notation: "mermaid" },
  { label: "DOT", description: "for Graphviz", notation: "dot" },
  { label: "JSON", description: "types and dependencies as data", notation: "json" },
] as const;

export type Notation = (typeof NOTATIONS)[number]["notation"];

/** A document to open. */
export interface GraphDocument {
  language: string;
  content: string;
}

/** The document of an answer's `data`. */
export function graphDocument(notation: Notation, data: GraphData): GraphDocument {
  const { graph: drawing = "", total, dependencies, cycles, leftOut, types, edges } = data;
  switch (notation) {
    case "mermaid":
      return { language: "markdown", content: `# Dependencies\n\n\`\`\`mermaid\n${drawing}\`\`\`\n` };
    case "dot":
      return { language: "dot", content: drawing };
    case "json": {
      const content = JSON.stringify({ total, dependencies, cycles, leftOut, types, edges }, undefined, 2);
      return { language: "json", content: `${content}\n` };
    }
  }
}
