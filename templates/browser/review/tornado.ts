/** Sensitivity: which inputs move a result, in its unit, the strongest first. */

import type { Question } from "../messages";
import type { Choices } from "./choices";
import { labelled, menu, optionsOf } from "./elements";
import type { Host } from "./host";
import { View } from "./view";

export class TornadoView extends View {
  private readonly result: HTMLSelectElement;

  constructor(host: Host, fold: HTMLElement, { about, results }: Choices) {
    super(host, fold, "tornado");
    this.result = menu(optionsOf(results, "number"), about);
    this.controls.append(labelled("Result", this.result));
  }

  override choose(result: string): void {
    this.result.value = result;
    if (this.result.selectedIndex < 0) this.result.selectedIndex = 0; // a verdict is no number
    this.refresh();
  }

  protected override question(): Partial<Question> {
    return { review: { result: this.result.value } };
  }
}
