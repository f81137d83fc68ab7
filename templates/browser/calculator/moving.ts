/**
 * Whether something is being changed: what takes long waits then, and from the second change on what is far below is not
 * drawn. It is said on each part that is not drawn: a rule for what is within the calculator would have the browser
 * match all of it anew.
 */

// How long a calculator must rest before what is out of sight is drawn and the address says where it stands (Safari
// refuses addresses that change too often).
const REST_AFTER_MS = 250;

export class Moving {
  /** Whether the change before the last one was not at rest yet. */
  isChained = false;
  private rest: ReturnType<typeof setTimeout> | undefined;

  /** `rested` is called when nothing was changed for a moment. */
  constructor(
    private readonly root: HTMLElement,
    private readonly rested: () => void,
  ) {}

  get is(): boolean {
    return this.root.hasAttribute("data-moving");
  }

  /** Something was changed. */
  begin(): void {
    this.isChained = this.is;
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

  /** Whether all of it is drawn. */
  private draw(on: boolean): void {
    if (on !== this.root.hasAttribute("data-drawn-less")) return;
    this.root.toggleAttribute("data-drawn-less", !on);
    for (const part of this.root.querySelectorAll(".calculator-more > *")) part.toggleAttribute("data-unseen", !on);
  }
}
