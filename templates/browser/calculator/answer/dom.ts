/** Writes to the page only where something changed, so that a new answer touches as little of it as possible. */

import type { Texts } from "../../messages";

/** Set an element's text; its text node stays, so that the browser need not lay out its surroundings again. */
export function write(element: Element, text: string): void {
  const only = element.firstChild;
  if (only instanceof Text && only === element.lastChild) {
    if (only.data !== text) only.data = text;
  } else if (element.textContent !== text) element.textContent = text;
}

/** Elements with an attribute, filled with the text that an answer has under the attribute's value. */
export class Slots {
  private readonly elements: Map<string, Element[]>;
  private readonly shown = new Map<string, string>();

  constructor(root: HTMLElement, attribute: string) {
    this.elements = byAttribute(root, attribute);
  }

  get names(): string[] {
    return [...this.elements.keys()];
  }

  /** Fill them; those without a text keep theirs, or get `absent`. */
  write(texts: Texts, absent?: string): void {
    for (const [name, elements] of this.elements) {
      const text = texts[name] ?? absent;
      if (text === undefined || text === this.shown.get(name)) continue;
      this.shown.set(name, text);
      for (const element of elements) write(element, text);
    }
  }
}

export function writeAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** One list item per text; hidden when there is none. */
export function writeList(list: HTMLElement, texts: readonly string[]): void {
  const whole = JSON.stringify(texts);
  if (list.dataset["written"] === whole) return;
  list.dataset["written"] = whole;
  list.hidden = texts.length === 0;
  const items = texts.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  });
  list.replaceChildren(...items);
}

/** `count` copies of the <template> in `holder`, directly behind it; existing ones are reused. */
export function rows(holder: HTMLElement, count: number): HTMLElement[] {
  const template = holder.querySelector("template");
  const pattern = template?.content.firstElementChild;
  if (!template || !pattern) return [];
  const found: HTMLElement[] = [];
  while (found.length < count) {
    const last: Element = found.at(-1) ?? template;
    const next = last.nextElementSibling ?? last.parentElement?.appendChild(document.importNode(pattern, true));
    if (!(next instanceof HTMLElement)) return found;
    found.push(next);
  }
  const last: Element = found.at(-1) ?? template;
  while (last.nextElementSibling) last.nextElementSibling.remove();
  return found;
}

/** The elements inside `root` that carry an attribute, by its value. */
export function byAttribute(root: HTMLElement, attribute: string): Map<string, Element[]> {
  const found = new Map<string, Element[]>();
  for (const element of root.querySelectorAll(`[${attribute}]`)) {
    const name = element.getAttribute(attribute) ?? "";
    found.set(name, [...(found.get(name) ?? []), element]);
  }
  return found;
}

/** Hide or show. */
export function show(element: HTMLElement | null, shown: boolean): void {
  if (element && element.hidden === shown) element.hidden = !shown;
}
