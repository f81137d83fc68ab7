/**
 * Type to find: inputs, results, actions and parts of this page, and every page of the site; or the options of a long
 * menu. A dialog with one box; the arrows choose, Enter goes there.
 */

import { reveal as revealPart } from "../calculator/tabs";

interface Target {
  readonly kind: string;
  readonly label: string;
  /** What it is at present, of an input or a result. */
  readonly now: string;
  readonly go: () => void;
}

const MOST = 40;
const LIST = "finder-list";

const EVERYWHERE: Wording = { title: "Find an input, a result, an action or a page", hint: "Input, result, action or page", isOfSite: true };

/** How the dialog is called, what its box says before anything is typed, and whether all pages can be searched from it. */
interface Wording {
  readonly title: string;
  readonly hint: string;
  readonly isOfSite: boolean;
}

let dialog: Dialog | undefined;

/** Open the dialog with the targets of the page as it is now, and with what was typed meanwhile. */
export function open(typed = ""): void {
  dialog ??= new Dialog();
  dialog.open(targets(), typed, EVERYWHERE);
}

/** Open the dialog with the options of a menu; the one that is taken is chosen in it as by hand. */
export function choose(menu: HTMLSelectElement, typed = ""): void {
  dialog ??= new Dialog();
  const label = menu.getAttribute("aria-label") ?? text(menu.labels?.[0]?.querySelector("[data-label]") ?? null);
  dialog.open(options(menu), typed, { title: `Choose: ${label}`, hint: label, isOfSite: false });
}

function options(menu: HTMLSelectElement): Target[] {
  const take = (value: string): void => {
    menu.value = value;
    for (const kind of ["input", "change"]) menu.dispatchEvent(new Event(kind, { bubbles: true }));
    menu.focus();
  };
  return [...menu.options].map((option) => {
    const group = option.parentElement instanceof HTMLOptGroupElement ? option.parentElement.label : "";
    return { kind: group, label: text(option), now: option.selected ? "now" : "", go: () => take(option.value) };
  });
}

/** Everything that can be found, in the order in which it is offered. */
function targets(): Target[] {
  const all = <Found extends HTMLElement>(selector: string): Found[] => [...document.querySelectorAll<Found>(selector)];
  const inputs = all(".calculator-page .field").flatMap((field) => {
    const box = field.querySelector<HTMLInputElement | HTMLSelectElement>("[data-box], select");
    const label = text(field.querySelector("[data-label]"));
    return box && label ? [{ kind: "Input", label, now: shown(box), go: () => focus(box) }] : [];
  });
  const results = all("details.step").map((step) => ({
    kind: "Result",
    label: text(step.querySelector("h3")),
    now: text(step.querySelector("summary .live")),
    go: () => reveal(step),
  }));
  const actions = all<HTMLButtonElement>(".calculator-page :is([data-action], [data-pin], [data-present]), .calculator-page [data-record]")
    .filter((button) => !button.hidden && button.getAttribute("aria-disabled") !== "true" && text(button) !== "")
    .map((button) => ({ kind: "Action", label: text(button), now: "", go: () => button.click() }));
  const parts = all<HTMLAnchorElement>(".page-parts a").map((link) => at("On this page", link));
  const pages = all<HTMLAnchorElement>(".md-nav--primary a.md-nav__link[href]:not([href^='#'])").map((link) => at("Page", link));
  const seen = new Set<string>();
  return [...inputs, ...results, ...actions, ...parts, ...pages].filter(({ kind, label }) => {
    const key = `${kind} ${label}`;
    return label !== "" && !seen.has(key) && seen.add(key);
  });
}

function at(kind: string, link: HTMLAnchorElement): Target {
  return { kind, label: text(link), now: "", go: () => link.click() };
}

function text(element: Element | null): string {
  return element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

function shown(box: HTMLInputElement | HTMLSelectElement): string {
  return box instanceof HTMLSelectElement ? (box.selectedOptions[0]?.text ?? "") : box.value;
}

function focus(box: HTMLElement): void {
  unfold(box);
  box.focus();
  box.scrollIntoView({ block: "center" });
}

function reveal(step: HTMLElement): void {
  if (step instanceof HTMLDetailsElement) step.open = true;
  unfold(step);
  step.scrollIntoView({ block: "start" });
  step.querySelector("summary")?.focus();
}

function unfold(element: HTMLElement): void {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  revealPart(element);
}

/** Targets in which every word that was typed begins a word; those that begin with it first. */
function matching(all: readonly Target[], typed: string): Target[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ label }: Target): number => (label.toLowerCase().startsWith(words.join(" ")) ? 0 : 1);
  return all
    .filter(({ kind, label }) => {
      const there = `${label} ${kind}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => there.some((one) => one.startsWith(word)));
    })
    .sort((one, other) => rank(one) - rank(other));
}

class Dialog {
  private readonly element = document.createElement("dialog");
  private readonly box = document.createElement("input");
  private readonly list = document.createElement("ul");
  private readonly none = document.createElement("p");
  private all: readonly Target[] = [];
  private found: readonly Target[] = [];
  private isOfSite = true;
  private chosen = 0;

  constructor() {
    const { element, box, list, none } = this;
    element.className = "finder";
    Object.assign(box, { type: "text", autocomplete: "off", spellcheck: false });
    const roles: Readonly<Record<string, string>> = {
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": LIST,
      "aria-autocomplete": "list",
      "aria-label": "Find",
    };
    for (const [name, value] of Object.entries(roles)) box.setAttribute(name, value);
    list.id = LIST;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Found");
    none.setAttribute("role", "status");
    element.append(box, list, none);
    box.addEventListener("input", () => this.show());
    box.addEventListener("keydown", (event) => this.pressed(event));
    list.addEventListener("click", ({ target }) => {
      const option = target instanceof Element ? target.closest("li") : null;
      if (option) this.go([...list.children].indexOf(option));
    });
    element.addEventListener("click", ({ target }) => {
      if (target === element) element.close(); // beyond its edge
    });
  }

  open(all: readonly Target[], typed: string, { title, hint, isOfSite }: Wording): void {
    this.all = all;
    this.isOfSite = isOfSite;
    this.element.setAttribute("aria-label", title);
    this.box.placeholder = hint;
    this.box.value = typed;
    if (!this.element.isConnected) document.body.append(this.element);
    if (!this.element.open) this.element.showModal();
    this.show();
    this.box.focus();
  }

  private show(): void {
    const typed = this.box.value.trim();
    const everywhere = document.querySelector<HTMLInputElement>(".md-search__input");
    const all = matching(this.all, typed);
    this.found = all.slice(0, MOST);
    if (typed !== "" && everywhere && this.isOfSite) {
      this.found = [...this.found, { kind: "Search", label: `“${typed}” in all pages`, now: "", go: () => search(everywhere, typed) }];
    }
    this.list.replaceChildren(...this.found.map((target, place) => option(target, place)));
    const more = all.length - MOST;
    this.none.textContent = this.found.length === 0 ? "Nothing of this name." : more > 0 ? `${more} more: type part of a name` : "";
    this.choose(0);
  }

  private choose(place: number): void {
    const { children } = this.list;
    this.chosen = Math.min(Math.max(place, 0), children.length - 1);
    [...children].forEach((one, each) => one.setAttribute("aria-selected", String(each === this.chosen)));
    const now = children[this.chosen];
    if (now) (this.box.setAttribute("aria-activedescendant", now.id), now.scrollIntoView({ block: "nearest" }));
    else this.box.removeAttribute("aria-activedescendant");
  }

  private pressed(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) this.choose(this.chosen + step);
    else if (event.key === "Enter") this.go(this.chosen);
    else return;
    event.preventDefault();
  }

  private go(place: number): void {
    const target = this.found[place];
    if (!target) return;
    this.element.close();
    target.go();
  }
}

function option({ kind, label, now }: Target, place: number): HTMLLIElement {
  const item = document.createElement("li");
  item.id = `${LIST}-${place}`;
  item.setAttribute("role", "option");
  for (const [name, content] of [["finder-label", label], ["finder-now", now], ["finder-kind", kind]] as const) {
    item.append(Object.assign(document.createElement("span"), { className: name, textContent: content }));
  }
  return item;
}

function search(box: HTMLInputElement, typed: string): void {
  box.focus();
  box.value = typed;
  box.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  box.dispatchEvent(new Event("input", { bubbles: true }));
}
