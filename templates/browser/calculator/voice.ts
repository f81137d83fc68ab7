/** What a screen reader is told: one polite place for all of a calculator, a sentence at a time. */

import { write } from "./writing";

const REPEATED_AFTER_MS = 50;

export class Voice {
  private readonly place: HTMLElement | null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private told = "";

  constructor(root: HTMLElement, signal: AbortSignal) {
    this.place = root.querySelector<HTMLElement>("[data-sentence]");
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** Say this, unless something else is to be said within `wait` milliseconds; what was said last is not said again. */
  sayOnce(text: string, wait: number): void {
    if (text !== this.told) this.say(text, wait);
  }

  /** Say this now, even if it was said just before. */
  say(text: string, wait = 0): void {
    clearTimeout(this.timer);
    if (!this.place || text === "") return;
    if (this.place.textContent === text) write(this.place, ""); // or nobody would notice
    const tell = (): void => {
      this.told = text;
      if (this.place) write(this.place, text);
    };
    this.timer = setTimeout(tell, Math.max(wait, REPEATED_AFTER_MS));
  }

  /** What was to be said is no longer true. */
  hush(): void {
    clearTimeout(this.timer);
  }
}
