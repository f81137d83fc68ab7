/** Solve: choose a target for a result, and which input may change to reach it. */

import type { Choosable, Question } from "../messages";
import type { Choices } from "./choices";
import { box, labelled, menu, optionsOf } from "./elements";
import type { Host } from "./host";
import { View } from "./view";

const LEVELS = [["good", "good"], ["tight", "tight"], ["bad", "bad"]] as const;
const SIGNS = [["=", "exactly"], ["<=", "at most"], [">=", "at least"]] as const;

export class SolveView extends View {
  private readonly results: readonly Choosable[];
  private readonly result: HTMLSelectElement;
  private readonly wanted = box();
  private readonly sign = menu(SIGNS);
  private readonly level = menu(LEVELS);
  private readonly valueField: HTMLElement;
  private readonly signField: HTMLElement;
  private readonly levelField: HTMLElement;
  private readonly moved: HTMLSelectElement;
  private from: HTMLElement | undefined;

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "solve");
    this.results = results;
    this.result = menu(optionsOf(results, "number", "verdict"), about);
    this.moved = menu([["", "any input that reaches it"], ...optionsOf(movable, "menu", "quantity", "choice")]);
    this.signField = labelled("Target is", this.sign);
    this.valueField = labelled("Target", this.wanted);
    this.levelField = labelled("Target level", this.level);
    this.controls.append(labelled("Result", this.result), this.signField, this.valueField, this.levelField, labelled("Input to change", this.moved));
    this.result.addEventListener("input", () => this.showPresent());
    fold.addEventListener("keydown", (event) => this.pressed(event), { signal: host.signal });
    this.showPresent();
  }

  /** Start from a result on the page; Escape leads back to it. A focus that has moved on meanwhile stays where it is. */
  solveFor(result: string, from: HTMLElement): void {
    this.from = from;
    this.result.value = result;
    this.showPresent();
    if (document.activeElement?.contains(from) ?? true) {
      (this.isVerdict ? this.level : this.wanted).focus();
      this.wanted.select();
    }
    this.refresh();
  }

  protected override question(): Partial<Question> | undefined {
    const wanted = this.isVerdict ? this.level.value : this.wanted.value.trim();
    if (wanted === "") return undefined;
    return { review: { result: this.result.value, wanted, sign: this.isVerdict ? "=" : this.sign.value, input: this.moved.value } };
  }

  private get isVerdict(): boolean {
    return this.results.some(({ name, kind }) => name === this.result.value && kind === "verdict");
  }

  /** The target starts as the present value of the result. */
  private showPresent(): void {
    this.valueField.hidden = this.signField.hidden = this.isVerdict;
    this.levelField.hidden = !this.isVerdict;
    const shown = this.host.root.querySelector(`[data-value="${this.result.value}"]`);
    this.wanted.value = shown?.textContent ?? "";
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "Enter" && event.target === this.wanted) return this.refresh();
    if (event.key !== "Escape") return;
    this.fold.removeAttribute("open");
    const back = this.from ?? this.fold.querySelector("summary");
    back?.focus();
  }
}
