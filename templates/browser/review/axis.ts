/** The menu of an input along which a result is drawn, with boxes for the ends of its values. */

import type { Choosable } from "../messages";
import { box, menu, optionsOf } from "./elements";

export class Axis {
  readonly input: HTMLSelectElement;
  readonly from = box();
  readonly to = box();

  constructor(
    private readonly movable: readonly Choosable[],
    usual: string,
    kinds: readonly Choosable["kind"][],
    changed: () => void,
  ) {
    this.input = menu([["", usual], ...optionsOf(movable, ...kinds)]);
    for (const typed of [this.from, this.to]) {
      typed.addEventListener("input", (event) => event.stopPropagation()); // half a number is not a wrong one
      typed.addEventListener("change", changed);
    }
    this.input.addEventListener("input", () => this.showRange());
    this.showRange();
  }

  /** A newly chosen input starts with its own range, shown as placeholders. */
  private showRange(): void {
    const ends = this.movable.find(({ name }) => name === this.input.value)?.ends;
    for (const [index, typed] of [this.from, this.to].entries()) {
      typed.value = "";
      typed.placeholder = ends?.[index] ?? "";
      typed.disabled = !ends;
    }
  }
}
