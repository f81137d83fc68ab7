/**
 * In the room: one result, large enough to be read from five metres, and the slider that decides it. Everything here is
 * the page's own, shown again: a slider moves the page's slider, so that all that follows from a change follows.
 */

import type { Host } from "../calculator/door";
import { write, writeAttribute } from "../calculator/writing";
import type { Choices } from "./bench";
import { button, labelled, make, menu, optionsOf, setOptions } from "./making";

const WORST_FIRST = ["bad", "tight", "good"];
const MOST_FINDINGS = 3;

export class Present {
  private readonly dialog = make("dialog", { class: "present", "aria-label": "Presentation" });
  private readonly value = make("output", { class: "present-value", "aria-live": "polite" });
  private readonly findings = make("div", { class: "present-findings" });
  private readonly moved = make("span", { class: "present-moved" });
  private readonly slider = make("input", { type: "range", class: "present-slider", step: "1", autocomplete: "off" });
  private readonly result = menu([]);
  private readonly input = menu([]);
  private questions: ReadonlyMap<string, string> = new Map();
  private isMade = false;

  constructor(
    private readonly host: Host,
    private readonly choices: () => Promise<Choices | undefined>,
  ) {}

  async open(): Promise<void> {
    const choices = await this.choices();
    if (!choices) return;
    if (!this.isMade) this.make(choices);
    this.answered();
    this.dialog.showModal();
    this.slider.focus();
    await this.decide();
  }

  /** Show what stands on the page. */
  answered(): void {
    if (!this.isMade) return;
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

  /**
   * What a machine is limited by, and of the verdicts the worst, each after its question: no more lines than leave the
   * result in sight.
   */
  private worst(): HTMLElement[] {
    const { root } = this.host;
    const limit = root.querySelector(".answer [data-cell=limit]")?.textContent;
    const verdicts = [...root.querySelectorAll<HTMLElement>(".findings > [data-verdict]")]
      .map((verdict) => ({
        level: verdict.dataset["level"] ?? "",
        question: this.questions.get(verdict.dataset["verdict"] ?? "") ?? "",
        word: verdict.querySelector("[data-word]")?.textContent ?? "",
      }))
      .sort((one, other) => WORST_FIRST.indexOf(one.level) - WORST_FIRST.indexOf(other.level));
    const limits = limit ? [make("p", { class: "present-limit" }, limit)] : [];
    const shown = verdicts.slice(0, MOST_FINDINGS - limits.length);
    const asked = (question: string) => make("span", { class: "present-question" }, question);
    return [...limits, ...shown.map(({ level, question, word }) => make("p", { "data-level": level }, asked(question), ` ${word}`))];
  }

  private make({ about, results, movable }: Choices): void {
    this.isMade = true;
    this.questions = new Map(optionsOf(results, "verdict"));
    setOptions(this.result, optionsOf(results, "number", "verdict"), about);
    setOptions(this.input, optionsOf(movable, "quantity"));
    this.result.addEventListener("input", () => (this.answered(), void this.decide()));
    this.input.addEventListener("input", () => this.answered());
    this.slider.addEventListener("input", () => this.move("input"));
    this.slider.addEventListener("change", () => this.move("change"));
    const press = (action: string) => (): void => this.host.root.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
    const foot = [button("Undo", press("undo")), button("Redo", press("redo")), button("Close", () => this.dialog.close())];
    this.dialog.append(
      labelled("Result", this.result),
      this.value,
      this.findings,
      make("div", { class: "present-move" }, labelled("Input", this.input), this.moved, this.slider),
      make("div", { class: "present-foot" }, ...foot, make("span", {}, "← → move · Ctrl+Z undoes · Esc leaves")),
    );
    this.host.root.append(this.dialog);
  }

  /** Let the slider be the one that moves the chosen result most. */
  private async decide(): Promise<void> {
    const answer = await this.host.ask("bench", { review: { result: this.result.value } });
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
