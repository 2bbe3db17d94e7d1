/** The pieces as blocks, each as large as its share of the window. A picture of the list, for who sees it. */
import { treemap } from "../core/treemap";
import type { GroupView, PieceView } from "../core/windowView";
import { element, KeyedChildren, setAttributes, setText, type Keyed } from "./dom";

/** Blocks are told apart by the room between them, in px. */
const GAP = 2;
/** What a block must have in px to say its name, and its tokens below. */
const NAMED = { width: 34, height: 17 };
const TOLD_HEIGHT = 33;

interface Block {
  piece: PieceView;
  group: GroupView["id"];
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The picture. */
export class BlockMap {
  readonly node = element("div", "map");
  private readonly blocks: KeyedChildren<Block>;
  private shown: { piece: PieceView; group: GroupView["id"] }[] = [];

  /** `picked` is called with the key of a block that was clicked, `pointed` with that of one under the pointer. */
  constructor(picked: (key: string) => void, pointed: (key: string | undefined) => void) {
    // Everything in it is in the list, where it can be reached by keys.
    setAttributes(this.node, { "aria-hidden": "true" });
    this.blocks = new KeyedChildren<Block>(this.node, makeBlock, updateBlock);
    this.node.addEventListener("click", ({ target }) => {
      const key = keyOf(target);
      if (key !== undefined) {
        picked(key);
      }
    });
    this.node.addEventListener("pointerover", ({ target }) => {
      pointed(keyOf(target));
    });
    this.node.addEventListener("pointerleave", () => {
      pointed(undefined);
    });
    new ResizeObserver(() => {
      this.lay();
    }).observe(this.node);
  }

  /** Shows the pieces of these groups. */
  show(groups: readonly GroupView[]): void {
    const inWindow = groups.filter(({ id }) => id !== "cut");
    const all = inWindow.flatMap(({ id, pieces }) => pieces.map((piece) => ({ piece, group: id })));
    // The largest first makes the best shapes; the part of the window first makes blocks stay where they are.
    this.shown = all.filter(({ piece }) => piece.tokens > 0);
    this.lay();
  }

  /** Marks the block of the piece that is selected or pointed at. */
  light(key: string | undefined): void {
    for (const block of this.node.children) {
      block.classList.toggle("lit", key !== undefined && block.getAttribute("data-key") === key);
    }
  }

  private lay(): void {
    const room = { x: 0, y: 0, width: this.node.clientWidth, height: this.node.clientHeight };
    const order = ["pinned", "focus", "recent"].flatMap((tier) =>
      this.shown.filter(({ group }) => group === tier).sort((a, b) => b.piece.tokens - a.piece.tokens),
    );
    const boxes = treemap(
      order.map(({ piece }) => piece.tokens),
      room,
    );
    const blocks = order.map(({ piece, group }, place): Keyed<Block> => {
      const box = boxes[place] ?? { x: 0, y: 0, width: 0, height: 0 };
      return { key: piece.key, value: { piece, group, ...box } };
    });
    this.node.hidden = blocks.length === 0;
    this.blocks.show(blocks);
  }
}

function keyOf(target: EventTarget | null): string | undefined {
  const block = target instanceof Element ? target.closest(".block") : null;
  return block?.getAttribute("data-key") ?? undefined;
}

function makeBlock(key: string): HTMLElement {
  const block = element("div", "block", element("span", "name"), element("span", "tokens"));
  setAttributes(block, { "data-key": key });
  return block;
}

function updateBlock(node: HTMLElement, { piece, group, x, y, width, height }: Block): void {
  const isNamed = width >= NAMED.width && height >= NAMED.height;
  node.classList.remove("pinned", "focus", "recent");
  node.classList.add(group);
  setAttributes(node, { title: piece.title });
  Object.assign(node.style, {
    left: `${x}px`,
    top: `${y}px`,
    width: `${Math.max(1, width - GAP)}px`,
    height: `${Math.max(1, height - GAP)}px`,
  });
  const [name, tokens] = node.children;
  if (name && tokens) {
    setText(name, isNamed ? piece.name : "");
    setText(tokens, isNamed && height >= TOLD_HEIGHT ? piece.tokensText : "");
  }
}
