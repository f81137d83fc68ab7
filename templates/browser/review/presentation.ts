/**
 * Presentation: one result, large enough to be read from five meters, with the question, the sentence, the picture and
 * the two sliders that move it most. They move the page's own sliders, so everything else on the page follows.
 */

import { show, write, writeAttribute } from "../calculator/answer/dom";
import type { Choices } from "./choices";
import { button, element, labelled, menu, optionsOf, setOptions } from "./elements";
import type { Host } from "./host";

const WORST_FIRST = ["bad", "tight", "good"];
const MOST_FINDINGS = 3;
const SLIDERS = 2;

/** A slider of the presentation, with the menu of inputs that it may move. */
class Mover {
  readonly input = menu([]);
  readonly slider = element("input", { type: "range", class: "present-slider", step: "1", autocomplete: "off" });
  readonly element: HTMLElement;
  private readonly moved = element("span", { class: "present-moved" });

  constructor(private readonly root: HTMLElement, options: ReturnType<typeof optionsOf>) {
    setOptions(this.input, options);
    this.input.addEventListener("input", () => this.show());
    this.slider.addEventListener("input", () => this.move("input"));
    this.slider.addEventListener("change", () => this.move("change"));
    this.element = element("div", { class: "present-move" }, labelled("Input", this.input), this.moved, this.slider);
  }

  /** Take the place of the page's slider. */
  show(): void {
    const page = this.page;
    show(this.element, page !== null);
    if (!page) return;
    this.slider.max = page.max;
    this.slider.value = page.value;
    const text = page.getAttribute("aria-valuetext") ?? "";
    writeAttribute(this.slider, "aria-valuetext", text);
    writeAttribute(this.slider, "aria-label", page.getAttribute("aria-label") ?? "");
    write(this.moved, text);
  }

  private move(kind: "input" | "change"): void {
    const page = this.page;
    if (!page) return;
    page.value = this.slider.value;
    page.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  private get page(): HTMLInputElement | null {
    return this.root.querySelector<HTMLInputElement>(`[data-input="${this.input.value}"] [data-slider]`);
  }
}

export class Presentation {
  private readonly dialog = element("dialog", { class: "present", "aria-label": "Presentation" });
  private readonly sentence = element("p", { class: "present-sentence" });
  private readonly value = element("output", { class: "present-value", "aria-live": "polite" });
  private readonly against = element("span", { class: "present-against" });
  private readonly findings = element("div", { class: "present-findings" });
  private readonly picture = element("div", { class: "present-picture", "aria-hidden": "true" });
  private readonly result = menu([]);
  private movers: readonly Mover[] = [];
  private questions: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly host: Host,
    private readonly choices: () => Promise<Choices | undefined>,
  ) {}

  async open(): Promise<void> {
    const choices = await this.choices();
    if (!choices) return;
    if (this.movers.length === 0) this.build(choices);
    this.answered();
    this.dialog.showModal();
    this.movers[0]?.slider.focus();
    await this.chooseSliders();
  }

  /** Show the answer that is on the page. */
  answered(): void {
    if (this.movers.length === 0) return;
    const { root } = this.host;
    const name = this.result.value;
    write(this.value, root.querySelector(`[data-value="${name}"]`)?.textContent ?? "");
    write(this.against, root.querySelector(`[data-against="${name}"]`)?.textContent ?? "");
    write(this.sentence, textOf(root.querySelector(".answer"), ".against"));
    this.findings.replaceChildren(...this.worst());
    const picture = root.querySelector(".picture > .picture-rows");
    this.picture.replaceChildren(...(picture ? [picture.cloneNode(true), ...legend(root)] : []));
    for (const mover of this.movers) mover.show();
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
    const { root } = this.host;
    this.questions = new Map(optionsOf(results, "verdict").map(([name, label]) => [name, label]));
    setOptions(this.result, optionsOf(results, "number", "verdict"), about);
    this.result.addEventListener("input", () => (this.answered(), void this.chooseSliders()));
    const inputs = optionsOf(movable, "quantity");
    this.movers = Array.from({ length: SLIDERS }, () => new Mover(root, inputs));
    this.take((root.dataset["first"] ?? "").split(" ")); // until it is known what moves the result most
    const press = (action: string) => (): void => root.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
    const foot = [button("Undo", press("undo")), button("Redo", press("redo")), button("Close", () => this.dialog.close())];
    const question = element("p", { class: "present-asked" }, textOf(document.querySelector("h1"), ".headerlink"));
    this.dialog.append(
      element("div", {}, question, this.sentence),
      element("div", {}, labelled("Result", this.result), this.value, this.against),
      element("div", { class: "present-middle" }, this.findings, this.picture),
      element("div", { class: "present-moves" }, ...this.movers.map((mover) => mover.element)),
      element("div", { class: "present-foot" }, ...foot, element("span", {}, "← → move a slider · Ctrl+Z undo · Esc close")),
    );
    root.append(this.dialog);
  }

  /** Choose the inputs that move the shown result most. */
  private async chooseSliders(): Promise<void> {
    const answer = await this.host.ask("choices", { review: { result: this.result.value } });
    this.take(answer?.deciding ?? []);
    this.answered();
  }

  private take(names: readonly string[]): void {
    const { root } = this.host;
    const first = names.filter((name) => root.querySelector(`[data-input="${name}"] [data-slider]`));
    this.movers.forEach((mover, place) => (mover.input.value = first[place] ?? mover.input.value));
  }
}

/** The legend of the picture; a system's is the table of its run, of which those parts count that take time. */
function legend(root: HTMLElement): Node[] {
  const own = root.querySelector(".picture > .legend");
  if (own) return [own.cloneNode(true)];
  const rows = [...root.querySelectorAll("table.run tbody tr:has(.swatch)")].filter((row) => textOf(row.querySelector("td:nth-child(3)")) !== "0%");
  const items = rows.map((row) => {
    const [name, value] = [element("span", { class: "legend-name" }, textOf(row.querySelector("th"))), element("span", { class: "legend-value" }, textOf(row.querySelector("td")))];
    return element("li", {}, ...[...row.querySelectorAll(".swatch")].map((swatch) => swatch.cloneNode(true)), name, value);
  });
  return items.length > 0 ? [element("ul", { class: "legend" }, ...items)] : [];
}

/** The text of an element without that of some elements in it. */
function textOf(element: Element | null, without?: string): string {
  const copy = element?.cloneNode(true) as Element | undefined;
  for (const part of (without && copy?.querySelectorAll(without)) || []) part.remove();
  return (copy?.textContent ?? "").replace(/\s+/g, " ").trim();
}
