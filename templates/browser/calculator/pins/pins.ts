/** Pinned states of one calculator: links in the order in which they were pinned. The first is the baseline. */

import { MOST_PINS, storedPins, storePins } from "./pin-storage";

export const LETTERS = ["A", "B", "C", "D"] as const;

export class Pins extends EventTarget {
  private links: readonly string[];

  constructor(private readonly name: string) {
    super();
    this.links = storedPins(name);
  }

  get all(): readonly string[] {
    return this.links;
  }

  get baseline(): string | undefined {
    return this.links[0];
  }

  get isFull(): boolean {
    return this.links.length >= MOST_PINS;
  }

  /** Pin a state; return what to tell the reader. */
  add(link: string | undefined): string {
    if (link === undefined) return "Cannot pin this state: an input is invalid, or the calculator is not running";
    if (this.isFull) return "Four states are pinned already: remove one first";
    if (this.links.includes(link)) return "This state is pinned already";
    this.replace([...this.links, link]);
    if (this.links.length === 1) return "Pinned as baseline A: the difference from it follows every number of the answer";
    return `Pinned as ${LETTERS[this.links.length - 1] ?? ""}, under “Compare states side by side”`;
  }

  remove(index: number): void {
    this.replace(this.links.filter((_, other) => other !== index));
  }

  /** Pin these links and no others. */
  replace(links: readonly string[]): void {
    this.links = [...links];
    storePins(this.name, links);
    this.dispatchEvent(new Event("change"));
  }
}
