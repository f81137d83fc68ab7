/** The baseline on the page: the first pinned state, from which every number of the answer says its difference. */

import { show, write } from "../answer/dom";
import { addressOf } from "../address/permalink";
import type { Pins } from "./pins";

export interface BaselineHost {
  readonly pins: Pins;
  /** The link to the present state. */
  link(): Promise<string | undefined>;
  notify(text: string): void;
}

const [FIRST, MORE] = ["Pin as baseline", "Pin to compare"] as const;

export class Baseline {
  private readonly button: HTMLElement | null;
  private readonly sections: NodeListOf<HTMLElement>;
  private readonly without: HTMLElement | null;

  constructor(
    root: HTMLElement,
    private readonly host: BaselineHost,
    signal: AbortSignal,
  ) {
    this.button = root.querySelector<HTMLElement>("[data-pin]");
    this.sections = root.querySelectorAll<HTMLElement>("[data-with-baseline]");
    this.without = root.querySelector<HTMLElement>("[data-no-baseline]");
    this.button?.addEventListener("click", () => void this.pin(), { signal });
    for (const clear of root.querySelectorAll("[data-clear-baseline]")) {
      clear.addEventListener("click", () => (host.pins.remove(0), this.button?.focus()), { signal });
    }
    host.pins.addEventListener("change", () => this.show(), { signal });
    this.show();
  }

  /** What a question says of it: nothing where there is no baseline, or no room for one. */
  get states(): { readonly states?: readonly string[] } {
    const { baseline } = this.host.pins;
    return baseline === undefined || !this.button ? {} : { states: [baseline] };
  }

  private async pin(): Promise<void> {
    this.host.notify(this.host.pins.add(await this.host.link()));
  }

  private show(): void {
    const { baseline } = this.host.pins;
    show(this.without, baseline === undefined);
    if (this.button) write(this.button, baseline === undefined ? FIRST : MORE);
    for (const section of this.sections) {
      show(section, baseline !== undefined);
      const anchor = section.querySelector<HTMLAnchorElement>("[data-baseline-link]");
      if (anchor && baseline !== undefined) anchor.href = addressOf(baseline);
    }
  }
}
