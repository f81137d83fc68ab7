/** The results of one calculator on the page: numbers, verdicts, picture, working, warnings. */

import type { Answer, Texts } from "../../messages";
import { byAttribute, Slots, write, writeAttribute, writeList } from "./dom";

/** A verdict on the page, with the elements of its word and reason. */
interface Verdict {
  readonly element: Element;
  readonly words: NodeListOf<Element>;
  readonly reasons: NodeListOf<Element>;
}

function verdict(element: Element): Verdict {
  return { element, words: element.querySelectorAll("[data-word]"), reasons: element.querySelectorAll("[data-reason]") };
}

export class Results {
  private readonly values: Slots;
  private readonly also: Slots;
  private readonly against: Slots;
  private readonly formulas: Slots;
  private readonly cells: Slots;
  private readonly places: Map<string, Element[]>;
  private readonly verdicts: Map<string, Verdict[]>;
  private readonly levels: Map<string, Element[]>; // of elements that take only the color of a verdict
  private readonly legend: Slots;
  private readonly pictureNote: HTMLElement | null;
  private readonly warnings: HTMLElement | null;
  private shown: Answer | undefined;

  constructor(private readonly root: HTMLElement) {
    this.values = new Slots(root, "data-value");
    this.also = new Slots(root, "data-also");
    this.against = new Slots(root, "data-against");
    this.formulas = new Slots(root, "data-python");
    this.cells = new Slots(root, "data-cell");
    this.places = byAttribute(root, "data-place");
    const verdicts = [...byAttribute(root, "data-verdict")];
    this.verdicts = new Map(verdicts.map(([name, elements]) => [name, elements.map(verdict)]));
    this.levels = byAttribute(root, "data-level-of");
    this.legend = new Slots(root, "data-legend");
    this.pictureNote = root.querySelector<HTMLElement>("[data-picture-note]");
    this.warnings = root.querySelector<HTMLElement>("[data-warnings]");
  }

  /** The formulas that are shown as Python, with values. */
  get python(): string[] {
    return this.formulas.names;
  }

  /** The same for the elements that are on the page now, with the present answer. */
  renewed(): Results {
    const results = new Results(this.root);
    if (this.shown) results.show({ ...this.shown, cells: {} }); // some cells have newer texts
    return results;
  }

  /** Put a whole answer on the page. */
  show(answer: Answer): void {
    const { texts, also, against, python, cells, picture, legend, picture_note, verdicts, levels, warnings } = answer;
    if (!texts) return;
    this.shown = answer;
    this.values.write(texts);
    this.also.write(also ?? {}, "");
    this.against.write(spaced(against ?? {}), "");
    this.formulas.write(python ?? {});
    this.cells.write(cells ?? {});
    for (const [place, elements] of this.places) {
      for (const [name, value] of Object.entries(picture?.[place] ?? {})) {
        for (const element of elements) writeAttribute(element, name, value);
      }
    }
    this.legend.write(legend ?? {});
    if (this.pictureNote) write(this.pictureNote, picture_note ?? "");
    this.showLevels({ ...levels, ...Object.fromEntries(Object.entries(verdicts ?? {}).map(([name, { level }]) => [name, level])) });
    for (const [name, shown] of this.verdicts) {
      const verdict = verdicts?.[name];
      if (!verdict) continue;
      for (const { element, words, reasons } of shown) {
        writeAttribute(element, "data-level", verdict.level);
        for (const word of words) write(word, verdict.word);
        for (const reason of reasons) write(reason, verdict.reason);
      }
    }
    if (this.warnings) writeList(this.warnings, warnings ?? []);
  }

  /** The state has no answer. */
  empty(): void {
    this.shown = undefined;
    for (const slots of [this.values, this.also, this.against, this.formulas, this.cells, this.legend]) slots.write({}, "");
    if (this.pictureNote) write(this.pictureNote, "");
    for (const elements of this.levels.values()) for (const element of elements) element.removeAttribute("data-level");
    for (const { element, words, reasons } of [...this.verdicts.values()].flat()) {
      element.removeAttribute("data-level");
      for (const part of [...words, ...reasons]) write(part, "");
    }
    if (this.warnings) writeList(this.warnings, []);
  }

  /** Show what follows an answer: texts of cells, differences, and levels of elements that are no verdict. */
  showMore({ cells, levels, against }: Answer): void {
    if (against) {
      this.against.write(spaced(against), "");
      this.shown = this.shown && { ...this.shown, against };
    }
    if (cells) this.cells.write(cells);
    if (levels) this.showLevels(levels);
  }

  private showLevels(levels: Texts): void {
    for (const [name, elements] of this.levels) {
      const level = levels[name];
      if (level === undefined) continue;
      for (const element of elements) writeAttribute(element, "data-level", level);
    }
  }
}

/** Texts that follow a number in a sentence. */
function spaced(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, ` ${text}`]));
}
