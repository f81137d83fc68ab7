/** A result along an input, and for some values of a second one. */

import type { Host } from "../calculator/door";
import type { Choosable, Question } from "../messages";
import type { Choices } from "./bench";
import { box, labelled, menu, optionsOf } from "./making";
import { View } from "./view";

export class SweepView extends View {
  private readonly result: HTMLSelectElement;
  private readonly along: HTMLSelectElement;
  private readonly from = box();
  private readonly to = box();
  private readonly second: HTMLSelectElement;
  private readonly movable: readonly Choosable[];

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "sweep");
    this.movable = movable;
    this.result = menu(optionsOf(results, "number"), about);
    this.along = menu([["", "what moves it most"], ...optionsOf(movable, "quantity")]);
    this.second = menu([["", "no second input"], ...optionsOf(movable, "quantity", "choice")]);
    this.controls.append(
      labelled("Result", this.result),
      labelled("along", this.along),
      labelled("from", this.from),
      labelled("to", this.to),
      labelled("a line for each", this.second),
    );
    for (const typed of [this.from, this.to]) {
      typed.addEventListener("input", (event) => event.stopPropagation()); // half a number is not a wrong one
      typed.addEventListener("change", () => this.refresh());
    }
    this.along.addEventListener("input", () => this.choose());
    this.choose();
  }

  protected override question(): Partial<Question> {
    const [result, input, second] = [this.result.value, this.along.value, this.second.value];
    return { review: { result, input, second, from: this.from.value, to: this.to.value } };
  }

  /** Another input starts at its own ends, which its boxes say until something is typed. */
  private choose(): void {
    const ends = this.movable.find(({ name }) => name === this.along.value)?.ends;
    for (const [place, typed] of [this.from, this.to].entries()) {
      typed.value = "";
      typed.placeholder = ends?.[place] ?? "";
      typed.disabled = !ends;
    }
  }
}
