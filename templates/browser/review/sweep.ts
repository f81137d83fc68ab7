/** Sweep: a result over the range of an input, with one line per value of a second input. */

import type { Question } from "../messages";
import { Axis } from "./axis";
import type { Choices } from "./choices";
import { labelled, menu, optionsOf } from "./elements";
import type { Host } from "./host";
import { View } from "./view";

export class SweepView extends View {
  private readonly result: HTMLSelectElement;
  private readonly axis: Axis;
  private readonly second: HTMLSelectElement;

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "sweep");
    this.result = menu(optionsOf(results, "number"), about);
    this.axis = new Axis(movable, "the most influential input", ["quantity"], () => this.refresh());
    this.second = menu([["", "no second input"], ...optionsOf(movable, "quantity", "choice")]);
    this.controls.append(
      labelled("Result", this.result),
      labelled("Input", this.axis.input),
      labelled("From", this.axis.from),
      labelled("To", this.axis.to),
      labelled("One line per value of", this.second),
    );
  }

  override choose(result: string): void {
    this.result.value = result;
    if (this.result.selectedIndex < 0) this.result.selectedIndex = 0; // a verdict is no number
    this.refresh();
  }

  protected override question(): Partial<Question> {
    const { input, from, to } = this.axis;
    return { review: { result: this.result.value, input: input.value, second: this.second.value, from: from.value, to: to.value } };
  }
}
