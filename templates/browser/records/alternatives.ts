/**
 * The states that a record compares: those pinned on the calculator's page, saved records and pasted links, each with the
 * inputs in which it differs from the recorded one; a tick takes it into the record.
 */

import { LETTERS } from "../calculator/pins/pins";
import { storedPins } from "../calculator/pins/pin-storage";
import type { Texts } from "../messages";
import * as storage from "./storage";

const MOST = 3;
const MOST_SAVED = 6; // records that are offered, the newest first
const RECORD_LETTERS = ["B", "C", "D"] as const; // the recorded state is A

interface Offered {
  readonly link: string;
  readonly from: string;
}

export class Alternatives {
  private readonly list: HTMLElement;
  private readonly pattern: Element;
  private readonly box: HTMLInputElement;
  private readonly full: HTMLElement;
  private offered: readonly Offered[] = [];
  private taken: readonly string[] = [];
  private names: Texts = {};

  /** `changed` is called when the reader takes or leaves a state. */
  constructor(root: HTMLElement, private readonly changed: () => void, signal: AbortSignal) {
    this.list = root.querySelector<HTMLElement>("[data-alternatives]")!;
    this.pattern = root.querySelector<HTMLTemplateElement>("template[data-alternative]")!.content.firstElementChild!;
    this.box = root.querySelector<HTMLInputElement>("[data-paste]")!;
    this.full = root.querySelector<HTMLElement>("[data-full]")!;
    this.list.addEventListener("change", ({ target }) => this.ticked(target as HTMLInputElement), { signal });
    this.box.addEventListener("input", (event) => event.stopPropagation(), { signal }); // half a link is no state
    this.box.addEventListener("change", () => this.paste(), { signal });
  }

  /** Begin with these, for the record of a state. */
  load(of: string, fragment: string, taken: readonly string[]): void {
    this.taken = taken.slice(0, MOST);
    this.names = {};
    const pins = storedPins(of).map((link, place) => ({ link, from: `Pinned ${LETTERS[place] ?? ""}` }));
    const records = storage.all().filter((one) => one.of === of).slice(0, MOST_SAVED);
    const saved = records.map(({ record }) => ({ link: record.link.split("#", 2)[1] ?? "", from: `Saved “${record.title}”` }));
    const others = taken.map((link) => ({ link, from: "Link" }));
    const seen = new Set([stateOf(fragment)]);
    // What was taken stays also where it is the recorded state.
    const all = [...pins, ...saved].filter(({ link }) => !seen.has(stateOf(link)) && seen.add(stateOf(link)));
    this.offered = [...all, ...others.filter(({ link }) => !all.some((one) => one.link === link))];
    this.show();
  }

  get all(): readonly string[] {
    return this.taken;
  }

  /** All links, to be named by Python. */
  get links(): string[] {
    return this.offered.map(({ link }) => link);
  }

  /** In which inputs each state differs from the recorded one. */
  name(names: Texts): void {
    this.names = names;
    this.show();
  }

  private ticked(box: HTMLInputElement): void {
    const link = this.offered[[...this.list.querySelectorAll("input")].indexOf(box)]?.link ?? "";
    this.taken = box.checked ? [...this.taken, link] : this.taken.filter((one) => one !== link);
    this.show();
    this.changed();
  }

  private paste(): void {
    const link = this.box.value.trim();
    if (link === "" || this.taken.length >= MOST) return;
    if (!this.links.includes(link)) this.offered = [...this.offered, { link, from: "Link" }];
    if (!this.taken.includes(link)) this.taken = [...this.taken, link];
    this.box.value = "";
    this.show();
    this.changed();
  }

  private show(): void {
    const isFull = this.taken.length >= MOST;
    while (this.list.children.length > this.offered.length) this.list.lastElementChild?.remove();
    for (const [place, { link, from }] of this.offered.entries()) {
      const row = this.list.children[place] ?? this.list.appendChild(document.importNode(this.pattern, true));
      const box = row.querySelector("input")!;
      const order = this.taken.indexOf(link);
      box.checked = order >= 0;
      box.disabled = isFull && order < 0;
      row.querySelector("[data-from]")!.textContent = from;
      row.querySelector("[data-name]")!.textContent = this.names[link] ?? "";
      row.querySelector("[data-letter]")!.textContent = order < 0 ? "" : `${RECORD_LETTERS[order] ?? ""} in the record`;
    }
    this.box.disabled = isFull;
    this.full.hidden = !isFull;
  }
}

/** The links pinned on a calculator's page, except the recorded state: the alternatives of a new record. */
export function pinned(of: string, fragment: string): string[] {
  return storedPins(of).filter((link) => stateOf(link) !== stateOf(fragment)).slice(0, MOST);
}

/** A fragment without the version at its end. */
function stateOf(fragment: string): string {
  return fragment.replace(/(^|&)v=.*/, "");
}
