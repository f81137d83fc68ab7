/** Elements of the bench, made where they are needed: labelled menus, boxes, buttons. */

import type { Choosable } from "../messages";

export type Options = readonly (readonly [key: string, label: string])[];

/** An element with its attributes and what stands in it. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...parts: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...parts);
  return element;
}

/** A control under its name. */
export function labelled<Control extends HTMLElement>(label: string, control: Control): HTMLLabelElement {
  control.setAttribute("aria-label", label);
  return make("label", { class: "bench-field" }, make("span", {}, label), control);
}

export function menu(options: Options, chosen = ""): HTMLSelectElement {
  const made = make("select", { autocomplete: "off" });
  setOptions(made, options, chosen);
  return made;
}

/** Other options; what was chosen stays chosen while it is one of them. */
export function setOptions(select: HTMLSelectElement, options: Options, chosen = select.value): void {
  select.replaceChildren(...options.map(([value, label]) => make("option", { value }, label)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

export function optionsOf(all: readonly Choosable[], ...kinds: readonly Choosable["kind"][]): Options {
  return all.filter(({ kind }) => kinds.includes(kind)).map(({ name, label }) => [name, label]);
}

export function box(): HTMLInputElement {
  return make("input", { type: "text", class: "bench-box", autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
}

export function button(text: string, used: () => void, attributes: Readonly<Record<string, string>> = {}): HTMLButtonElement {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", used);
  return made;
}
