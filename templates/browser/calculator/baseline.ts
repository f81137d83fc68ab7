/** The baseline of a system's page: a link to compare the present state with, stored in the tab like a pinned state. */

import { addressOf } from "./permalink";
import { MOST_PINS, storedPins, storePins } from "./pin-storage";
import { show } from "./dom";

export interface BaselineHost {
  /** The link to the present state. */
  link(): Promise<string | undefined>;
  /** There is another baseline, or none. */
  changed(): void;
  notify(text: string): void;
}

const CANNOT = "Cannot set this state as baseline: an input is invalid, or the calculator is not running";

export class Baseline {
  private baseline: string | undefined;
  private readonly name: string;
  private readonly section: HTMLElement | null;

  constructor(
    private readonly root: HTMLElement,
    private readonly host: BaselineHost,
    signal: AbortSignal,
  ) {
    this.name = root.dataset["calculator"] ?? "";
    this.section = root.querySelector<HTMLElement>("[data-comparison]");
    if (!this.section) return;
    [this.baseline] = storedPins(this.name);
    root.querySelector("[data-set-baseline]")?.addEventListener("click", () => void this.setPresent(), { signal });
    root.querySelector("[data-clear-baseline]")?.addEventListener("click", () => this.clear(), { signal });
    this.show();
  }

  /** What a question says of it: nothing where there is no baseline. */
  get states(): { readonly states?: readonly string[] } {
    return this.baseline === undefined ? {} : { states: [this.baseline] };
  }

  set(link: string | undefined): void {
    const others = storedPins(this.name).filter((one) => one !== this.baseline && one !== link);
    this.baseline = link;
    storePins(this.name, [...(link === undefined ? [] : [link]), ...others].slice(0, MOST_PINS));
    this.show();
    this.host.changed();
  }

  private async setPresent(): Promise<void> {
    const link = await this.host.link();
    if (link === undefined) return this.host.notify(CANNOT);
    this.set(link);
    this.host.notify("Baseline set: “Compare with baseline” shows what your changes do");
  }

  private clear(): void {
    this.set(undefined);
    this.root.querySelector<HTMLElement>("[data-set-baseline]")?.focus();
  }

  private show(): void {
    const isSet = this.baseline !== undefined;
    show(this.section?.querySelector<HTMLElement>("[data-no-baseline]") ?? null, !isSet);
    show(this.section?.querySelector<HTMLElement>("[data-with-baseline]") ?? null, isSet);
    const anchor = this.section?.querySelector<HTMLAnchorElement>("[data-baseline-link]");
    if (anchor && this.baseline !== undefined) anchor.href = addressOf(this.baseline);
  }
}
