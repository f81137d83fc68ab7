/** The inputs that differ from their defaults: in one list that leads to each control, and counted at each group. */

import type { Answer } from "../../messages";
import { byAttribute, rows, show, write } from "../answer/dom";

export class Differences {
  private readonly list: HTMLElement | null;
  private readonly answer: HTMLElement | null;
  private readonly counts: Map<string, Element[]>;

  constructor(root: HTMLElement) {
    this.list = root.querySelector<HTMLElement>("[data-differences]");
    this.answer = root.querySelector<HTMLElement>(".calculator-answer > .answer");
    this.counts = byAttribute(root, "data-group-changed");
  }

  /** Call `go` with the name of the input that the reader clicks. */
  listen(go: (name: string) => void, signal: AbortSignal): void {
    const followed = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest<HTMLElement>("button[data-way]") : null;
      if (button) go(button.dataset["way"] ?? "");
    };
    this.list?.addEventListener("click", followed, { signal });
  }

  /** Move the list up behind the answer, for readers who open a link. */
  raise(): void {
    if (this.list) this.answer?.after(this.list);
  }

  show({ differences = [], groups = {} }: Answer): void {
    for (const [group, elements] of this.counts) for (const element of elements) write(element, groups[group] ?? "");
    if (!this.list) return;
    show(this.list, differences.length > 0);
    const holder = this.list.querySelector<HTMLElement>("[data-rows]");
    if (!holder) return;
    rows(holder, differences.length).forEach((row, index) => {
      const difference = differences[index];
      const button = row.querySelector<HTMLButtonElement>("button[data-way]");
      if (!difference || !button) return;
      button.dataset["way"] = difference.name;
      write(button, difference.text);
    });
  }
}
