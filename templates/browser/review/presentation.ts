/**
 * Presentation: one result, large enough to be read from five meters, and the slider that moves it most. Its slider
 * moves the page's own slider, so everything else on the page follows.
 */

import { write, writeAttribute } from "../calculator/dom";
import type { Choices } from "./choices";
import { button, element, labelled, menu, optionsOf, setOptions } from "./elements";
import type { Host } from "./host";

const WORST_FIRST = ["bad", "tight", "good"];
const MOST_FINDINGS = 3;

export class Presentation {
  private readonly dialog = element("dialog", { class: "present", "aria-label": "Presentation" });
  private readonly value = element("output", { class: "present-value", "aria-live": "polite" });
  private readonly findings = element("div", { class: "present-findings" });
  private readonly moved = element("span", { class: "present-moved" });
  private readonly slider = element("input", { type: "range", class: "present-slider", step: "1", autocomplete: "off" });
  private readonly result = menu([]);
  private readonly input = menu([]);
  private questions: ReadonlyMap<string, string> = new Map();
  private isBuilt = false;

  constructor(
    private readonly host: Host,
    private readonly choices: () => Promise<Choices | undefined>,
  ) {}

  async open(): Promise<void> {
    const choices = await this.choices();
    if (!choices) return;
    if (!this.isBuilt) this.build(choices);
    this.answered();
    this.dialog.showModal();
    this.slider.focus();
    await this.chooseSlider();
  }

  /** Show the answer that is on the page. */
  answered(): void {
    if (!this.isBuilt) return;
    write(this.value, this.shown(this.result.value));
    this.findings.replaceChildren(...this.worst());
    const page = this.pageSlider();
    this.slider.disabled = !page;
    if (!page) return;
    this.slider.max = page.max;
    this.slider.value = page.value;
    const text = page.getAttribute("aria-valuetext") ?? "";
    writeAttribute(this.slider, "aria-valuetext", text);
    writeAttribute(this.slider, "aria-label", page.getAttribute("aria-label") ?? "");
    write(this.moved, text);
  }

  /** The bottleneck of a system, then the worst verdicts, each after its question: few enough to keep the result in view. */
  private worst(): HTMLElement[] {
    const { root } = this.host;
    const limit = root.querySelector(".answer [data-cell=limit]:not([data-outdated])")?.textContent;
    const verdicts = [...root.querySelectorAll<HTMLElement>(".findings > [data-verdict]")]
      .map((verdict) => ({
        level: verdict.dataset["level"] ?? "",
        question: this.questions.get(verdict.dataset["verdict"] ?? "") ?? "",
        word: verdict.querySelector("[data-word]")?.textContent ?? "",
      }))
      .sort((one, other) => WORST_FIRST.indexOf(one.level) - WORST_FIRST.indexOf(other.level));
    const limits = limit ? [element("p", { class: "present-limit" }, limit)] : [];
    const shown = verdicts.slice(0, MOST_FINDINGS - limits.length);
    const questioned = (question: string) => element("span", { class: "present-question" }, question);
    return [...limits, ...shown.map(({ level, question, word }) => element("p", { "data-level": level }, questioned(question), ` ${word}`))];
  }

  private build({ about, results, movable }: Choices): void {
    this.isBuilt = true;
    this.questions = new Map(optionsOf(results, "verdict").map(([name, label]) => [name, label]));
    setOptions(this.result, optionsOf(results, "number", "verdict"), about);
    setOptions(this.input, optionsOf(movable, "quantity"));
    this.result.addEventListener("input", () => (this.answered(), void this.chooseSlider()));
    this.input.addEventListener("input", () => this.answered());
    this.slider.addEventListener("input", () => this.move("input"));
    this.slider.addEventListener("change", () => this.move("change"));
    const press = (action: string) => (): void => this.host.root.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
    const foot = [button("Undo", press("undo")), button("Redo", press("redo")), button("Close", () => this.dialog.close())];
    this.dialog.append(
      labelled("Result", this.result),
      this.value,
      this.findings,
      element("div", { class: "present-move" }, labelled("Input", this.input), this.moved, this.slider),
      element("div", { class: "present-foot" }, ...foot, element("span", {}, "← → move the slider · Ctrl+Z undo · Esc close")),
    );
    this.host.root.append(this.dialog);
  }

  /** Choose the input that moves the shown result most. */
  private async chooseSlider(): Promise<void> {
    const answer = await this.host.ask("choices", { review: { result: this.result.value } });
    const first = answer?.deciding?.[0];
    if (first === undefined || !this.pageSlider(first)) return;
    this.input.value = first;
    this.answered();
  }

  private move(kind: "input" | "change"): void {
    const page = this.pageSlider();
    if (!page) return;
    page.value = this.slider.value;
    page.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  private pageSlider(name = this.input.value): HTMLInputElement | null {
    return this.host.root.querySelector<HTMLInputElement>(`[data-input="${name}"] [data-slider]`);
  }

  private shown(name: string): string {
    return this.host.root.querySelector(`[data-value="${name}"]`)?.textContent ?? "";
  }
}
