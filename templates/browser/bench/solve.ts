/** Turned round: what a result should be, and which input may move for it. */

import type { Host } from "../calculator/door";
import type { Choosable, Question } from "../messages";
import type { Choices } from "./bench";
import { box, labelled, menu, optionsOf } from "./making";
import { View } from "./view";

const LEVELS = [["good", "good"], ["tight", "tight"], ["bad", "bad"]] as const;

export class SolveView extends View {
  private readonly results: readonly Choosable[];
  private readonly result: HTMLSelectElement;
  private readonly wanted = box();
  private readonly level = menu(LEVELS);
  private readonly value: HTMLLabelElement;
  private readonly judged: HTMLLabelElement;
  private readonly moved: HTMLSelectElement;
  private from: HTMLElement | undefined;

  constructor(host: Host, fold: HTMLElement, { about, results, movable }: Choices) {
    super(host, fold, "solve");
    this.results = results;
    this.result = menu(optionsOf(results, "number", "verdict"), about);
    this.moved = menu([["", "whichever does it"], ...optionsOf(movable, "menu", "quantity", "choice")]);
    this.value = labelled("should be", this.wanted);
    this.judged = labelled("should be", this.level);
    this.controls.append(labelled("Result", this.result), this.value, this.judged, labelled("by moving", this.moved));
    this.result.addEventListener("input", () => this.choose());
    fold.addEventListener("keydown", (event) => this.pressed(event), { signal: host.signal });
    this.choose();
  }

  /** Start from a result on the page; Escape leads back to it. */
  turn(result: string, from: HTMLElement): void {
    this.from = from;
    this.result.value = result;
    this.choose();
    const control = this.isVerdict ? this.level : this.wanted;
    control.focus();
    this.wanted.select();
    this.refresh();
  }

  protected override question(): Partial<Question> | undefined {
    const wanted = this.isVerdict ? this.level.value : this.wanted.value.trim();
    if (wanted === "") return undefined;
    return { review: { result: this.result.value, wanted, input: this.moved.value } };
  }

  private get isVerdict(): boolean {
    return this.results.some(({ name, kind }) => name === this.result.value && kind === "verdict");
  }

  /** What a box says at first is what the result is now. */
  private choose(): void {
    this.value.hidden = this.isVerdict;
    this.judged.hidden = !this.isVerdict;
    const shown = this.host.root.querySelector(`[data-value="${this.result.value}"]`);
    this.wanted.value = shown?.textContent ?? "";
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "Enter" && event.target === this.wanted) return this.refresh();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.fold.removeAttribute("open");
    const back = this.from ?? this.fold.querySelector("summary");
    back?.focus();
  }
}
