/** Ways from a calculator to other pages that take its state along: to its own page, its record, the calculators near. */

import type { Before } from "./before";

interface Way {
  readonly anchor: HTMLAnchorElement;
  /** What stands before and behind the state in the fragment. */
  readonly before: string;
  readonly behind: string;
}

export class Onward {
  private readonly ways: readonly Way[];
  private readonly always: boolean;

  constructor(
    root: HTMLElement,
    private readonly past: Before,
  ) {
    const name = root.dataset["calculator"] ?? "";
    const behind = `&from=${name}`;
    this.always = root.dataset["machine"] !== undefined; // a machine computes what a calculator alone assumes
    const found = (place: Element | null | undefined, which: string): HTMLAnchorElement[] => [
      ...(place?.querySelectorAll<HTMLAnchorElement>(which) ?? []),
    ];
    this.ways = [
      ...found(root, "a[data-full]").map((anchor) => ({ anchor, before: "", behind: "" })),
      ...found(root, "a[data-record]").map((anchor) => ({ anchor, before: `of=${name}&`, behind: "" })),
      ...found(root, "a[data-onward]").map((anchor) => ({ anchor, before: "", behind })),
      ...found(root.closest(".calculator-page"), ".near a").map((anchor) => ({ anchor, before: "", behind })),
    ];
  }

  /** Let them lead on with this state and those before it; one that is nothing but the defaults needs no saying. */
  tell(link: string): void {
    const past = this.past.behind;
    for (const { anchor, before, behind } of this.ways) {
      const state = link || past || this.always ? link + behind : "";
      anchor.hash = before + state + (behind && past);
    }
  }
}
