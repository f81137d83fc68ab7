/** What differs from the defaults: in one list, each with a way to its control, and counted at each group of inputs. */

import type { Answer } from "../messages";
import { byAttribute, rows, show, write } from "./writing";

export class Differences {
  private readonly list: HTMLElement | null;
  private readonly answer: HTMLElement | null;
  private readonly counts: Map<string, Element[]>;

  constructor(root: HTMLElement) {
    this.list = root.querySelector<HTMLElement>("[data-differences]");
    this.answer = root.querySelector<HTMLElement>(".calculator-answer > .answer");
    this.counts = byAttribute(root, "data-group-changed");
  }

  /** Call `go` with the name of the input whose difference the reader wants to see. */
  listen(go: (name: string) => void, signal: AbortSignal): void {
    const followed = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest<HTMLElement>("button[data-way]") : null;
      if (button) go(button.dataset["way"] ?? "");
    };
    this.list?.addEventListener("click", followed, { signal });
  }

  /** To whoever opens a link, what differs in it comes right after the answer. */
  raise(): void {
    if (this.list) this.answer?.after(this.list);
  }

  show({ differences = [], groups = {} }: Answer): void {
    for (const [group, elements] of this.counts) for (const element of elements) write(element, groups[group] ?? "");
    if (!this.list) return;
    show(this.list, differences.length > 0);
    const holder = this.list.querySelector<HTMLElement>("[data-rows]");
    if (!holder) return;
    rows(holder, differences.length).forEach((row, place) => {
      const difference = differences[place];
      const button = row.querySelector<HTMLButtonElement>("button[data-way]");
      if (!difference || !button) return;
      button.dataset["way"] = difference.name;
      write(button, difference.text);
    });
  }
}
