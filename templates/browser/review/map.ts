/** Heat map: a result and the worst verdict for pairs of values of two inputs; a cell's values can be used. */

import type { Choosable, Question } from "../messages";
import type { Choices } from "./choices";
import { box, labelled, menu, optionsOf } from "./elements";
import type { Host } from "./host";
import { View } from "./view";

/** The menu of one axis, with the ends of its values. */
class Axis {
  readonly input: HTMLSelectElement;
  readonly from = box();
  readonly to = box();

  constructor(private readonly movable: readonly Choosable[], usual: string, changed: () => void) {
    this.input = menu([["", usual], ...optionsOf(movable, "quantity", "choice")]);
    for (const typed of [this.from, this.to]) {
      typed.addEventListener("input", (event) => event.stopPropagation()); // half a number is not a wrong one
      typed.addEventListener("change", changed);
    }
    this.input.addEventListener("input", () => this.showRange());
    this.showRange();
  }

  private showRange(): void {
    const ends = this.movable.find(({ name }) => name === this.input.value)?.ends;
    for (const [index, typed] of [this.from, this.to].entries()) {
      typed.value = "";
      typed.placeholder = ends?.[index] ?? "";
      typed.disabled = !ends;
    }
  }
}

export class MapView extends View {
  private readonly result: HTMLSelectElement;
  private readonly verdict: HTMLSelectElement;
  private readonly across: Axis;
  private readonly down: Axis;

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "map");
    const changed = (): void => this.refresh();
    this.result = menu(optionsOf(results, "number"), about);
    this.verdict = menu([["", "the worst verdict"], ...optionsOf(results, "verdict")]);
    this.across = new Axis(movable, "the most influential input", changed);
    this.down = new Axis(movable, "the second most influential", changed);
    this.controls.append(
      labelled("Result", this.result),
      labelled("Verdict of each cell", this.verdict),
      labelled("Across", this.across.input),
      labelled("Across, from", this.across.from),
      labelled("Across, to", this.across.to),
      labelled("Down", this.down.input),
      labelled("Down, from", this.down.from),
      labelled("Down, to", this.down.to),
    );
  }

  override choose(result: string): void {
    this.result.value = result;
    if (this.result.selectedIndex < 0) this.result.selectedIndex = 0; // a verdict is no number
    this.refresh();
  }

  protected override get isTableEnough(): boolean {
    return true;
  }

  protected override question(): Partial<Question> {
    const { across, down } = this;
    const ends = { across_from: across.from.value, across_to: across.to.value, down_from: down.from.value, down_to: down.to.value };
    return { review: { result: this.result.value, across: across.input.value, down: down.input.value, verdict: this.verdict.value, ...ends } };
  }
}
