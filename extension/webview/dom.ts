/** The few things that a page without a framework needs. */

/** Attributes by name; those that are undefined are taken away. */
type Attributes = Readonly<Record<string, string | undefined>>;

/** A new element. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

/** Sets attributes where they differ: nothing that stays the same is touched. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) {
      target.removeAttribute(name);
    } else if (target.getAttribute(name) !== value) {
      target.setAttribute(name, value);
    }
  }
}

/** Sets a text where it differs. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** An element that is kept as long as its key is. */
export interface Keyed<T> {
  key: string;
  value: T;
}

/**
 * Keeps one child of `parent` a key: those that stay are updated and moved only where they stand wrong, so that
 * nothing flickers and what is looked at stays where it is.
 */
export class KeyedChildren<T> {
  private readonly nodes = new Map<string, HTMLElement>();

  constructor(
    private readonly parent: HTMLElement,
    private readonly make: (key: string) => HTMLElement,
    private readonly update: (node: HTMLElement, value: T) => void,
  ) {}

  get(key: string): HTMLElement | undefined {
    return this.nodes.get(key);
  }

  /** Shows these and no others, in this order. */
  show(wanted: readonly Keyed<T>[]): void {
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, node] of this.nodes) {
      if (!keys.has(key)) {
        node.remove();
        this.nodes.delete(key);
      }
    }
    let place = this.parent.firstElementChild;
    for (const { key, value } of wanted) {
      const known = this.nodes.get(key);
      const node = known ?? this.make(key);
      this.nodes.set(key, node);
      this.update(node, value);
      if (node === place) {
        place = place.nextElementSibling;
      } else {
        this.parent.insertBefore(node, place);
      }
    }
  }
}

/** Drawings of 16 by 16, in strokes of the text's colour. */
const ICONS = {
  pin: "M5.5 2.5h5M6.5 2.5v4.2L4.8 9.5h6.4L9.5 6.7V2.5M8 9.5v4.2",
  unpin: "M5.5 2.5h5M6.5 2.5v4.2L4.8 9.5h6.4L9.5 6.7V2.5M8 9.5v4.2M2.6 2.6l10.8 10.8",
  add: "M8 3v10M3 8h10",
  dismiss: "M4 4l8 8M12 4l-8 8",
  chevron: "M6 4l4 4-4 4",
  warning: "M8 2.2 14.4 13.5H1.6ZM8 6.4v3.4M8 11.4v.6",
} as const;

/** One of the drawings. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  setAttributes(path, { d: ICONS[name] });
  setAttributes(drawing, { viewBox: "0 0 16 16", class: `icon ${name}`, "aria-hidden": "true" });
  drawing.append(path);
  return drawing;
}
