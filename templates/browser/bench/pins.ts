/** Pinned states: links, in the order in which they were pinned, kept in the tab as long as it is open. */

import type { Host } from "../calculator/door";

export const MOST_PINS = 4;
export const LETTERS = ["A", "B", "C", "D"] as const;

export class Pins extends EventTarget {
  private links: string[];
  private readonly key: string;

  constructor(private readonly host: Host) {
    super();
    this.key = `pins:${host.name}`;
    this.links = this.kept();
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
    this.host.say(`Pinned as ${LETTERS[this.links.length - 1] ?? ""}`);
  }

  remove(place: number): void {
    this.keep(this.links.filter((_, other) => other !== place));
  }

  private keep(links: string[]): void {
    this.links = links;
    try {
      sessionStorage.setItem(this.key, JSON.stringify(links));
    } catch {
      // A browser that keeps nothing: they stand until the page is left.
    }
    this.dispatchEvent(new Event("change"));
  }

  private kept(): string[] {
    try {
      const found: unknown = JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
      return Array.isArray(found) ? found.filter((one): one is string => typeof one === "string").slice(0, MOST_PINS) : [];
    } catch {
      return [];
    }
  }
}
