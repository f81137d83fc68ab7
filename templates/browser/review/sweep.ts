/** Sweep: a result over the range of an input, with one line per value of a second input. */

import type { Choosable, Question } from "../messages";
import type { Choices } from "./choices";
import { box, labelled, menu, optionsOf } from "./elements";
import type { Host } from "./host";
import { View } from "./view";

export class SweepView extends View {
  private readonly result: HTMLSelectElement;
  private readonly input: HTMLSelectElement;
  private readonly from = box();
  private readonly to = box();
  private readonly second: HTMLSelectElement;
  private readonly movable: readonly Choosable[];

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "sweep");
    this.movable = movable;
    this.result = menu(optionsOf(results, "number"), about);
    this.input = menu([["", "the most influential input"], ...optionsOf(movable, "quantity")]);
    this.second = menu([["", "no second input"], ...optionsOf(movable, "quantity", "choice")]);
    this.controls.append(
      labelled("Result", this.result),
      labelled("Input", this.input),
      labelled("From", this.from),
      labelled("To", this.to),
      labelled("One line per value of", this.second),
    );
    for (const typed of [this.from, this.to]) {
      typed.addEventListener("input", (event) => event.stopPropagation()); // half a number is not a wrong one
      typed.addEventListener("change", () => this.refresh());
    }
    this.input.addEventListener("input", () => this.showRange());
    this.showRange();
  }

  override choose(result: string): void {
    this.result.value = result;
    if (this.result.selectedIndex < 0) this.result.selectedIndex = 0; // a verdict is no number
    this.refresh();
  }

  protected override question(): Partial<Question> {
    const [result, input, second] = [this.result.value, this.input.value, this.second.value];
    return { review: { result, input, second, from: this.from.value, to: this.to.value } };
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
