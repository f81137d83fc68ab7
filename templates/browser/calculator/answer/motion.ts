/**
 * Whether a control is being moved: slow work waits then, and from the second change on the lower part of the page is
 * not drawn. Each part carries the mark itself: a rule for everything below the calculator would make the browser match
 * all of it again.
 */

// How long a calculator must be at rest before its lower part is drawn and the address is written (Safari refuses
// addresses that change too often).
const REST_AFTER_MS = 250;

export class Motion {
  /** Whether the change before the last one was not at rest yet. */
  isChained = false;
  private rest: ReturnType<typeof setTimeout> | undefined;

  /** `rested` is called when nothing changed for a moment. */
  constructor(
    private readonly root: HTMLElement,
    private readonly rested: () => void,
  ) {}

  get isActive(): boolean {
    return this.root.hasAttribute("data-moving");
  }

  /** Something changed. */
  begin(): void {
    this.isChained = this.isActive;
    if (this.isChained) this.draw(false);
    this.root.toggleAttribute("data-moving", true);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.end(), REST_AFTER_MS);
  }

  /** The calculator leaves the page. */
  stop(): void {
    clearTimeout(this.rest);
  }

  private end(): void {
    this.root.toggleAttribute("data-moving", false);
    this.draw(true);
    this.rested();
  }

  /** Whether the lower part is drawn. */
  private draw(on: boolean): void {
    if (on !== this.root.hasAttribute("data-drawn-less")) return;
    this.root.toggleAttribute("data-drawn-less", !on);
    for (const part of this.root.querySelectorAll(".calculator-more > *")) part.toggleAttribute("data-unseen", !on);
  }
}
