/** What follows an answer on the page: what moves the result, how far the hedges reach, and what would help. */

import type { Answer, Texts } from "./messages";
import { rows, show, write, writeAttribute } from "./writing";

export class Exploration {
  private readonly swings: HTMLElement | null;
  private readonly advice: HTMLElement | null;
  private readonly bands: NodeListOf<HTMLElement>;
  private changes = new WeakMap<Element, Texts>();

  constructor(root: HTMLElement) {
    this.swings = root.querySelector<HTMLElement>("[data-swings]");
    this.advice = root.querySelector<HTMLElement>("[data-advice]");
    this.bands = root.querySelectorAll<HTMLElement>("[data-band]");
  }

  /** Call `apply` with the changes of the advice the reader takes. */
  listen(apply: (changes: Texts) => void, signal: AbortSignal): void {
    const taken = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest("button[data-apply]") : null;
      const changes = button && this.changes.get(button);
      if (changes) apply(changes);
    };
    this.advice?.addEventListener("click", taken, { signal });
  }

  show({ swings = [], band = "", advice = [] }: Answer): void {
    for (const element of this.bands) {
      write(element, band);
      show(element.closest<HTMLElement>("[data-band-row]"), band !== "");
    }
    this.showSwings(swings);
    this.showAdvice(advice);
  }

  private showSwings(swings: NonNullable<Answer["swings"]>): void {
    if (!this.swings) return;
    show(this.swings, swings.length > 0);
    rows(this.swings, swings.length).forEach((row, place) => {
      const swing = swings[place];
      if (!swing) return;
      fill(row, { label: swing.label, hedge: swing.hedge, result: swing.result });
      for (const bar of row.querySelectorAll("[data-bar]")) {
        writeAttribute(bar, "x", swing.x);
        writeAttribute(bar, "width", swing.width);
      }
      for (const line of row.querySelectorAll("[data-now]")) {
        writeAttribute(line, "x1", swing.now);
        writeAttribute(line, "x2", swing.now);
      }
    });
  }

  private showAdvice(advice: NonNullable<Answer["advice"]>): void {
    if (!this.advice) return;
    show(this.advice, advice.length > 0);
    rows(this.advice, advice.length).forEach((row, place) => {
      const one = advice[place];
      const button = row.querySelector<HTMLButtonElement>("button[data-apply]");
      if (!one || !button) return;
      fill(row, { label: one.label, outcome: one.outcome });
      this.changes.set(button, one.changes);
      button.disabled = false;
    });
  }
}

function fill(row: HTMLElement, texts: Texts): void {
  for (const [name, text] of Object.entries(texts)) {
    for (const element of row.querySelectorAll(`[data-field="${name}"]`)) write(element, text);
  }
}
