/** A machine that is held beside the present one: its link, kept in the tab and taken along as a pinned state is. */

import { addressOf } from "./permalink";
import { keepPins, keptPins, MOST_PINS } from "./pinned";
import { show } from "./writing";

export interface Holding {
  /** What leads to the present state. */
  link(): Promise<string | undefined>;
  /** Another machine is held, or none. */
  changed(): void;
  say(text: string): void;
}

const CANNOT = "This state cannot be held: an input is wrong, or the calculator is not running";

export class Held {
  private held: string | undefined;
  private readonly name: string;
  private readonly place: HTMLElement | null;

  constructor(
    private readonly root: HTMLElement,
    private readonly host: Holding,
    signal: AbortSignal,
  ) {
    this.name = root.dataset["calculator"] ?? "";
    this.place = root.querySelector<HTMLElement>("[data-beside]");
    if (!this.place) return;
    [this.held] = keptPins(this.name);
    root.querySelector("[data-hold]")?.addEventListener("click", () => void this.hold(), { signal });
    root.querySelector("[data-let-go]")?.addEventListener("click", () => this.letGo(), { signal });
    this.show();
  }

  /** What a question says of it: nothing where none is held. */
  get states(): { readonly states?: readonly string[] } {
    return this.held === undefined ? {} : { states: [this.held] };
  }

  /** Hold what a link brought. */
  take(link: string): void {
    this.keep(link);
  }

  private async hold(): Promise<void> {
    const link = await this.host.link();
    if (link === undefined) return this.host.say(CANNOT);
    this.keep(link);
    this.host.say("Held: what you change now stands beside it, under “Side by side”");
  }

  private letGo(): void {
    this.keep(undefined);
    this.root.querySelector<HTMLElement>("[data-hold]")?.focus();
  }

  private keep(link: string | undefined): void {
    const others = keptPins(this.name).filter((one) => one !== this.held && one !== link);
    this.held = link;
    keepPins(this.name, [...(link === undefined ? [] : [link]), ...others].slice(0, MOST_PINS));
    this.show();
    this.host.changed();
  }

  private show(): void {
    const isHeld = this.held !== undefined;
    show(this.place?.querySelector<HTMLElement>("[data-beside-none]") ?? null, !isHeld);
    show(this.place?.querySelector<HTMLElement>("[data-beside-held]") ?? null, isHeld);
    const anchor = this.place?.querySelector<HTMLAnchorElement>("[data-held-link]");
    if (anchor && this.held !== undefined) anchor.href = addressOf(this.held);
  }
}
