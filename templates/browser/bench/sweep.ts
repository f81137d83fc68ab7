/** A result along an input, and for some values of a second one. */

import type { Host } from "../calculator/door";
import type { Question } from "../messages";
import type { Choices } from "./bench";
import { labelled, menu, optionsOf } from "./making";
import { View } from "./view";

export class SweepView extends View {
  private readonly result: HTMLSelectElement;
  private readonly along: HTMLSelectElement;
  private readonly second: HTMLSelectElement;

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "sweep");
    this.result = menu(optionsOf(results, "number"), about);
    this.along = menu([["", "what moves it most"], ...optionsOf(movable, "quantity")]);
    this.second = menu([["", "no second input"], ...optionsOf(movable, "quantity", "choice")]);
    this.controls.append(
      labelled("Result", this.result),
      labelled("along", this.along),
      labelled("a line for each", this.second),
    );
  }

  protected override question(): Partial<Question> {
    return { review: { result: this.result.value, input: this.along.value, second: this.second.value } };
  }
}
