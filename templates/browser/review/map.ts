/** Heat map: a result and the worst verdict for pairs of values of two inputs; a cell's values can be used. */

import type { Question } from "../messages";
import { Axis } from "./axis";
import type { Choices } from "./choices";
import { labelled, menu, optionsOf } from "./elements";
import type { Host } from "./host";
import { View } from "./view";

export class MapView extends View {
  private readonly result: HTMLSelectElement;
  private readonly verdict: HTMLSelectElement;
  private readonly across: Axis;
  private readonly down: Axis;

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "map");
    const axis = (usual: string): Axis => new Axis(movable, usual, ["quantity", "choice"], () => this.refresh());
    this.result = menu(optionsOf(results, "number"), about);
    this.verdict = menu([["", "the worst verdict"], ...optionsOf(results, "verdict")]);
    this.across = axis("the most influential input");
    this.down = axis("the second most influential");
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
