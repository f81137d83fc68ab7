/** Pinned states: links, in the order in which they were pinned, stored in the tab as long as it is open. */

import { MOST_PINS, storedPins, storePins } from "../calculator/pin-storage";
import type { Host } from "./host";

export const LETTERS = ["A", "B", "C", "D"] as const;

export class Pins extends EventTarget {
  private links: string[];

  constructor(private readonly host: Host) {
    super();
    this.links = storedPins(host.name);
  }

  get all(): readonly string[] {
    return this.links;
  }

  get isFull(): boolean {
    return this.links.length >= MOST_PINS;
  }

  /** Pin the present state. */
  async add(): Promise<void> {
    if (this.isFull) return this.host.notify("Four states are pinned already: remove one first");
    const link = await this.host.link();
    if (link === undefined) return this.host.notify("Cannot pin this state: an input is invalid, or the calculator is not running");
    if (this.links.includes(link)) return this.host.notify("This state is pinned already");
    this.replace([...this.links, link]);
    this.host.notify(`Pinned as ${LETTERS[this.links.length - 1] ?? ""}, under “Compare states side by side”`);
  }

  remove(index: number): void {
    this.replace(this.links.filter((_, other) => other !== index));
  }

  /** Pin these links and no others. */
  replace(links: readonly string[]): void {
    this.links = [...links];
    storePins(this.host.name, links);
    this.dispatchEvent(new Event("change"));
  }
}
