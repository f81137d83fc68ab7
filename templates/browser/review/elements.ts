/** Elements of the explore panel: labelled menus, boxes, buttons. */

import { LONG_MENU } from "../find/keys";
import type { Choosable } from "../messages";

export type Options = readonly (readonly [key: string, label: string, group?: string])[];

/** An element with its attributes and content. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** A control under its label; next to a long menu a button to find an option in it by typing. */
export function labelled(label: string, control: HTMLElement): HTMLElement {
  control.setAttribute("aria-label", label);
  const field = element("div", { class: "review-field" }, element("label", {}, element("span", {}, label), control));
  if (control instanceof HTMLSelectElement && control.options.length >= LONG_MENU) {
    field.append(element("button", { type: "button", "data-find-option": "", "aria-label": `Find: ${label}` }, "Find"));
  }
  return field;
}

export function menu(options: Options, chosen = ""): HTMLSelectElement {
  const select = element("select", { autocomplete: "off" });
  setOptions(select, options, chosen);
  return select;
}

/** Replace the options, each under the heading of its group; the chosen one stays chosen if it is still among them. */
export function setOptions(select: HTMLSelectElement, options: Options, chosen = select.value): void {
  const groups = new Map<string, HTMLOptGroupElement>();
  select.replaceChildren();
  for (const [value, label, group = ""] of options) {
    if (group && !groups.has(group)) {
      const heading = element("optgroup", { label: group });
      groups.set(group, heading);
      select.append(heading);
    }
    (groups.get(group) ?? select).append(element("option", { value }, label));
  }
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

export function optionsOf(all: readonly Choosable[], ...kinds: readonly Choosable["kind"][]): Options {
  return all.filter(({ kind }) => kinds.includes(kind)).map(({ name, label, group }) => [name, label, group]);
}

export function box(): HTMLInputElement {
  return element("input", { type: "text", class: "review-box", autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
}

export function button(text: string, used: () => void, attributes: Readonly<Record<string, string>> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", used);
  return made;
}
