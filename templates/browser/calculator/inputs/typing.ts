/** A text that is being typed: what is wrong with it is shown once it is complete, after a pause or when its box is left. */

// How long a pause must be to mean that the text is complete.
const PAUSE_MS = 700;

export class Typing {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private showProblems: (() => void) | undefined;

  get isActive(): boolean {
    return this.timer !== undefined;
  }

  /** Another letter: the text is complete after a pause. */
  begin(): void {
    this.stop();
    this.timer = setTimeout(() => this.end(), PAUSE_MS);
  }

  /** Something else was changed than by typing. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The text is complete. */
  end(): void {
    this.stop();
    this.showProblems?.();
    this.showProblems = undefined;
  }

  /** Show an answer at once, or, if it names problems while typing goes on, once the text is complete. */
  show(hasProblems: boolean, show: () => void): void {
    this.showProblems = hasProblems && this.isActive ? show : undefined;
    if (!this.showProblems) show();
  }
}
