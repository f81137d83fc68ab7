/** The results of one calculator on the page: numbers, verdicts, picture, working, warnings. */

import type { Answer, Texts } from "./messages";
import { byAttribute, write, writeAttribute, writeList } from "./writing";

export class Results {
  private readonly values: Map<string, Element[]>;
  private readonly also: Map<string, Element[]>;
  private readonly formulas: Map<string, Element[]>;
  private readonly places: Map<string, Element[]>;
  private readonly verdicts: Map<string, Element[]>;
  private readonly warnings: HTMLElement | null;

  constructor(root: HTMLElement) {
    this.values = byAttribute(root, "data-value");
    this.also = byAttribute(root, "data-also");
    this.formulas = byAttribute(root, "data-python");
    this.places = byAttribute(root, "data-place");
    this.verdicts = byAttribute(root, "data-verdict");
    this.warnings = root.querySelector<HTMLElement>("[data-warnings]");
  }

  /** Which formulas are shown as Python, with values in it. */
  get python(): string[] {
    return [...this.formulas.keys()];
  }

  /** Put a whole answer on the page. */
  show({ texts, also, python, picture, verdicts, warnings }: Answer): void {
    if (!texts) return;
    writeTexts(this.values, texts);
    writeTexts(this.also, also ?? {}, "");
    writeTexts(this.formulas, python ?? {});
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

function writeTexts(places: Map<string, Element[]>, texts: Texts, absent?: string): void {
  for (const [name, elements] of places) {
    const text = texts[name] ?? absent;
    if (text !== undefined) for (const element of elements) write(element, text);
  }
}
