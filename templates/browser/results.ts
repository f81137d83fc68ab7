/** The results of one calculator on the page: numbers, verdicts, picture, working, warnings. */

import type { Answer } from "./messages";
import { byAttribute, Slots, write, writeAttribute, writeList } from "./writing";

export class Results {
  private readonly values: Slots;
  private readonly also: Slots;
  private readonly formulas: Slots;
  private readonly places: Map<string, Element[]>;
  private readonly verdicts: Map<string, Element[]>;
  private readonly warnings: HTMLElement | null;

  constructor(root: HTMLElement) {
    this.values = new Slots(root, "data-value");
    this.also = new Slots(root, "data-also");
    this.formulas = new Slots(root, "data-python");
    this.places = byAttribute(root, "data-place");
    this.verdicts = byAttribute(root, "data-verdict");
    this.warnings = root.querySelector<HTMLElement>("[data-warnings]");
  }

  /** Which formulas are shown as Python, with values in it. */
  get python(): string[] {
    return this.formulas.names;
  }

  /** Put a whole answer on the page. */
  show({ texts, also, python, picture, verdicts, warnings }: Answer): void {
    if (!texts) return;
    this.values.write(texts);
    this.also.write(also ?? {}, "");
    this.formulas.write(python ?? {});
    for (const [place, elements] of this.places) {
      for (const [name, value] of Object.entries(picture?.[place] ?? {})) {
        for (const element of elements) writeAttribute(element, name, value);
      }
    }
    for (const [name, elements] of this.verdicts) {
      const verdict = verdicts?.[name];
      if (!verdict) continue;
      for (const element of elements) {
        writeAttribute(element, "data-level", verdict.level);
        for (const part of element.querySelectorAll("[data-word]")) write(part, verdict.word);
        for (const part of element.querySelectorAll("[data-reason]")) write(part, verdict.reason);
      }
    }
    if (this.warnings) writeList(this.warnings, warnings ?? []);
  }
}
