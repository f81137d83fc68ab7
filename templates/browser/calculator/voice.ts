/** What a screen reader is told, in one polite place for all of a calculator, and what is shown for a moment with it. */

import { write } from "./writing";

const REPEATED_AFTER_MS = 50;
const SHOWN_FOR_MS = 4000;

export class Voice {
  private readonly place: HTMLElement | null;
  private readonly shown: HTMLElement | null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private showing: ReturnType<typeof setTimeout> | undefined;
  private told = "";

  constructor(root: HTMLElement, signal: AbortSignal) {
    this.place = root.querySelector<HTMLElement>("[data-sentence]");
    this.shown = root.querySelector<HTMLElement>("[data-said]");
    signal.addEventListener("abort", () => (clearTimeout(this.timer), clearTimeout(this.showing)));
  }

  /** Show this beside the buttons for a moment, and say it. */
  tell(text: string): void {
    this.say(text);
    const { shown } = this;
    if (!shown) return;
    write(shown, text);
    clearTimeout(this.showing);
    this.showing = setTimeout(() => write(shown, ""), SHOWN_FOR_MS);
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
