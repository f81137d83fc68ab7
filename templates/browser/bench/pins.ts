/** Pinned states: links, in the order in which they were pinned, kept in the tab as long as it is open. */

import type { Host } from "../calculator/door";
import { keepPins, keptPins, MOST_PINS } from "../calculator/pinned";

export const LETTERS = ["A", "B", "C", "D"] as const;

export class Pins extends EventTarget {
  private links: string[];

  constructor(private readonly host: Host) {
    super();
    this.links = keptPins(host.name);
  }

  get all(): readonly string[] {
    return this.links;
  }

  get isFull(): boolean {
    return this.links.length >= MOST_PINS;
  }

  /** Pin the present state. */
  async add(): Promise<void> {
    if (this.isFull) return this.host.say("Four states are pinned: remove one first");
    const link = await this.host.link();
    if (link === undefined) return this.host.say("This state cannot be pinned: an input is wrong, or the calculator is not running");
    if (this.links.includes(link)) return this.host.say("This state is pinned already");
    this.keep([...this.links, link]);
    this.host.say(`Pinned as ${LETTERS[this.links.length - 1] ?? ""}, under “Compare states side by side”`);
  }

  remove(place: number): void {
    this.keep(this.links.filter((_, other) => other !== place));
  }

  /** Pin these, and no others. */
  keep(links: readonly string[]): void {
    this.links = [...links];
    keepPins(this.host.name, links);
    this.dispatchEvent(new Event("change"));
  }
}
