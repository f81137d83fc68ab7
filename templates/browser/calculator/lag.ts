/**
 * Whether the answer on the page has fallen behind its inputs. While a slider moves, answers follow within a frame or
 * two; one that takes longer must not be read as that of the new inputs, so it is hidden (styles/pending.css).
 */

// Less than a reader needs to look from a control to the answer, and more than an answer takes.
const BEHIND_AFTER_MS = 120;

export class Lag {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly root: HTMLElement) {}

  /** The inputs changed; their answer is asked for. */
  changed(): void {
    this.timer ??= setTimeout(() => this.root.toggleAttribute("data-behind", true), BEHIND_AFTER_MS);
  }

  /** An answer is on the page, of the present inputs or of some that are not long past. */
  answered(isCurrent: boolean): void {
    this.stop();
    this.root.removeAttribute("data-behind");
    if (!isCurrent) this.changed();
  }

  /** The calculator leaves the page. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
