/** Marks the answer as an estimate while a layout is searched for, and says how far the search is. */

import { show, write } from "./dom";

export class Estimate {
  private readonly notes: NodeListOf<HTMLElement>;
  private readonly progress: NodeListOf<HTMLElement>;
  private shown = false;

  constructor(private readonly root: HTMLElement) {
    this.notes = root.querySelectorAll<HTMLElement>("[data-searching]");
    this.progress = root.querySelectorAll<HTMLElement>("[data-progress]");
  }

  /** Whether the answer on the page is one. */
  get isShown(): boolean {
    return this.shown;
  }

  mark(isEstimate: boolean): void {
    this.shown = isEstimate;
    this.root.toggleAttribute("data-provisional", isEstimate);
    for (const note of this.notes) show(note, isEstimate);
  }

  say(progress: string): void {
    for (const place of this.progress) write(place, progress);
  }
}
