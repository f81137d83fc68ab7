/** Announces answers to screen readers, in one polite live region per calculator, and shows short notices. */

import { write } from "./dom";

const REPEATED_AFTER_MS = 50;
const SHOWN_FOR_MS = 4000;

export class Announcer {
  private readonly region: HTMLElement | null;
  private readonly toast: HTMLElement | null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private toastTimer: ReturnType<typeof setTimeout> | undefined;
  private announced = "";

  constructor(root: HTMLElement, signal: AbortSignal) {
    this.region = root.querySelector<HTMLElement>("[data-sentence]");
    this.toast = root.querySelector<HTMLElement>("[data-toast]");
    signal.addEventListener("abort", () => (clearTimeout(this.timer), clearTimeout(this.toastTimer)));
  }

  /** Show this next to the buttons for a moment, or for as long as something takes at most, and announce it. */
  notify(text: string, shownFor = SHOWN_FOR_MS): void {
    this.announce(text);
    const { toast } = this;
    if (!toast) return;
    write(toast, text);
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => write(toast, ""), shownFor);
  }

  /** Announce this, unless it was announced last or another text comes within `wait` milliseconds. */
  announceOnce(text: string, wait: number): void {
    if (text !== this.announced) this.announce(text, wait);
  }

  /** Announce this now, even if it was announced just before. */
  announce(text: string, wait = 0): void {
    clearTimeout(this.timer);
    if (!this.region || text === "") return;
    if (this.region.textContent === text) write(this.region, ""); // a live region is read only when it changes
    const say = (): void => {
      this.announced = text;
      if (this.region) write(this.region, text);
    };
    this.timer = setTimeout(say, Math.max(wait, REPEATED_AFTER_MS));
  }

  /** What was announced is no longer true, and what is pending neither. */
  cancel(): void {
    clearTimeout(this.timer);
    this.announced = "";
    if (this.region) write(this.region, "");
  }
}
