/** Links from a calculator to other pages that carry its state: its own page, its record, the related calculators. */

import type { Trail } from "./trail";

interface StateLink {
  readonly anchor: HTMLAnchorElement;
  /** What goes before and after the state in the fragment. */
  readonly prefix: string;
  readonly suffix: string;
}

export class RelatedLinks {
  private readonly links: readonly StateLink[];
  private readonly always: boolean;

  constructor(
    root: HTMLElement,
    private readonly trail: Trail,
  ) {
    const name = root.dataset["calculator"] ?? "";
    const from = `&from=${name}`;
    this.always = root.dataset["machine"] !== undefined; // a system computes what a single calculator assumes
    const found = (scope: Element | null | undefined, selector: string): HTMLAnchorElement[] => [
      ...(scope?.querySelectorAll<HTMLAnchorElement>(selector) ?? []),
    ];
    this.links = [
      ...found(root, "a[data-full]").map((anchor) => ({ anchor, prefix: "", suffix: "" })),
      ...found(root, "a[data-record]").map((anchor) => ({ anchor, prefix: `of=${name}&`, suffix: "" })),
      ...found(root, "a[data-related]").map((anchor) => ({ anchor, prefix: "", suffix: from })),
      ...found(root.closest(".calculator-page"), ".near a").map((anchor) => ({ anchor, prefix: "", suffix: from })),
    ];
  }

  /** Point them to this state and the trail before it; the plain defaults need no state in a link. */
  update(link: string): void {
    const trail = this.trail.suffix;
    for (const { anchor, prefix, suffix } of this.links) {
      const state = link || trail || this.always ? link + suffix : "";
      anchor.hash = prefix + state + (suffix && trail);
    }
  }
}
