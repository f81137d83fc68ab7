/** Pinned states next to the present one, and which inputs explain the difference between two of them. */

import type { Answer, Question } from "../messages";
import { LETTERS } from "../calculator/pins/pins";
import type { Choices } from "./choices";
import { button, element, labelled, menu, optionsOf, setOptions, type Options } from "./elements";
import type { Host } from "./host";
import { View } from "./view";

const NOW = "Now";

export class CompareView extends View {
  private readonly result: HTMLSelectElement;
  private isChosen = false; // until the reader chooses, the first result that differs is explained
  private readonly one = menu([]);
  private readonly other = menu([]);
  private readonly add: HTMLButtonElement;
  private readonly pinned = element("ul", { class: "review-pins" });

  constructor(
    host: Host,
    fold: HTMLElement,
    { about, results }: Choices,
  ) {
    super(host, fold, "compare");
    this.result = menu(optionsOf(results, "number"), about);
    this.result.addEventListener("input", () => void (this.isChosen = true), { signal: host.signal });
    this.add = button("Pin this state", () => void this.pin());
    this.controls.append(
      this.add,
      this.pinned,
      labelled("Explain the difference in", this.result),
      labelled("From state", this.one),
      labelled("To state", this.other),
    );
    host.pins.addEventListener("change", () => (this.list(), this.refresh()), { signal: host.signal });
    this.list();
  }

  protected override question(): Partial<Question> | undefined {
    const { all } = this.host.pins;
    if (all.length === 0) return undefined;
    const review = { result: this.isChosen ? this.result.value : "", one: this.one.value, other: this.other.value };
    return { review, states: all };
  }

  protected override learned({ about }: Answer): void {
    if (about !== undefined && !this.isChosen) this.result.value = about;
  }

  private async pin(): Promise<void> {
    this.host.notify(this.host.pins.add(await this.host.link()));
  }

  private list(): void {
    const { all } = this.host.pins;
    const letters = LETTERS.slice(0, all.length);
    const hadFocus = this.pinned.contains(document.activeElement);
    const titled = (title: string): Record<string, string> => ({ "aria-label": title, title });
    this.pinned.replaceChildren(
      ...letters.map((letter, index) =>
        element(
          "li",
          {},
          button(letter, () => this.host.open(all[index] ?? ""), titled(`Open state ${letter}`)),
          button("✕", () => this.host.pins.remove(index), titled(`Remove state ${letter}`)),
        ),
      ),
    );
    if (hadFocus) this.add.focus();
    this.add.setAttribute("aria-disabled", String(this.host.pins.isFull));
    const ends: Options = [...letters, NOW].map((letter) => [letter, letter]);
    setOptions(this.one, ends, this.one.value || (letters[0] ?? NOW));
    setOptions(this.other, ends, this.other.value || NOW);
  }
}
