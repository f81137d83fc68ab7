/** A timer that ends a wait, but not because the computer slept or the browser froze the tab meanwhile. */

const FROZEN_MS = 1000;

export class Watchdog {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Call `late` unless it is armed again or disarmed within `wait` milliseconds. */
  arm(wait: number, late: () => void): void {
    this.disarm();
    const due = performance.now() + wait;
    this.timer = setTimeout(() => {
      if (performance.now() > due + FROZEN_MS) this.arm(wait, late);
      else late();
    }, wait);
  }

  disarm(): void {
    clearTimeout(this.timer);
  }
}
